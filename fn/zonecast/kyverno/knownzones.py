"""A copy's zone is one of the Placement's."""

from __future__ import annotations

from . import samples
from .cel import texts
from .guard import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Copies, Guard
    from .samples import Case


def guard(copies: Copies) -> Guard:
    """Return the guard."""
    known = Check(
        f"{copies.zone_of('object')} in {texts(copies.zones)}",
        f"{copies.zone_label} must be one of {', '.join(copies.zones)}",
    )
    description = "The zone label of a copy names a zone of the Placement: a zone that nobody knows is a slip."
    return copies.guard("known-zones", "Known zones", description, known)


def cases(copies: Copies) -> list[Case]:
    """Return a copy of the first zone, and one of a zone that there is not."""
    good = samples.copy(copies, "known-zones-good")
    bad = samples.copy(copies, "known-zones-nowhere", zone=samples.NOWHERE)
    return [samples.Case([samples.Sample(good, "pass"), samples.Sample(bad, "fail")])]
