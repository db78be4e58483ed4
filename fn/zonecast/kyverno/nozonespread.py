"""A copy has one zone, so its pods cannot be spread over zones."""

from __future__ import annotations

from .guard import Check, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Copies, Guard


def guard(copies: Copies) -> Guard:
    """Return the guard."""
    spread = "object.spec.template.spec.?topologySpreadConstraints.orValue([])"
    unspread = Check(
        f"{spread}.all(each, each.topologyKey != {text(copies.topology_key)})",
        f"must not spread over {copies.topology_key}: all of its pods are in one zone",
    )
    description = "A copy that is pinned to one zone has no spread over zones: with one zone it holds pods back."
    return copies.guard("no-zone-spread", "No zone spread", description, unspread)
