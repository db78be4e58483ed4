"""A copy has one zone, so its pods cannot be spread over zones."""

from __future__ import annotations

from . import samples
from .cel import text
from .guard import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Copies, Guard
    from .samples import Case


def guard(copies: Copies) -> Guard:
    """Return the guard."""
    spread = "object.spec.template.spec.?topologySpreadConstraints.orValue([])"
    unspread = Check(
        f"{spread}.all(each, each.topologyKey != {text(copies.topology_key)})",
        f"must not spread over {copies.topology_key}: all of its pods are in one zone",
    )
    description = "A copy that is pinned to one zone has no spread over zones: with one zone it holds pods back."
    return copies.guard("no-zone-spread", "No zone spread", description, unspread)


def cases(copies: Copies) -> list[Case]:
    """Return a copy that spreads over nodes, and one that spreads over zones."""
    found = []
    for name, key, result in (("nodes", "kubernetes.io/hostname", "pass"), ("zones", copies.topology_key, "fail")):
        obj = samples.copy(copies, f"no-zone-spread-{name}")
        spread = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule"}
        obj["spec"]["template"]["spec"]["topologySpreadConstraints"] = [spread]
        found.append(samples.Sample(obj, result))
    return [samples.Case(found)]
