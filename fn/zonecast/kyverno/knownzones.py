"""A copy's zone is one of the Placement's."""

from __future__ import annotations

from .guard import Check, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Copies, Guard


def guard(copies: Copies) -> Guard:
    """Return the guard."""
    known = Check(
        f"{copies.zone_of('object')} in {texts(copies.zones)}",
        f"{copies.zone_label} must be one of {', '.join(copies.zones)}",
    )
    description = "The zone label of a copy names a zone of the Placement: a zone that nobody knows is a slip."
    return copies.guard("known-zones", "Known zones", description, known)
