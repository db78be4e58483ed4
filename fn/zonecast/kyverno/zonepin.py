"""A copy is pinned to the zone that its label names, and its pods carry that label."""

from __future__ import annotations

from ..origin import NODE_SELECTOR, PREFERRED, REQUIRED
from . import samples
from .cel import text
from .guard import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Copies, Guard
    from .samples import Case

#: CEL for the terms of an affinity: required ones are alternatives, and an empty one matches no node.
NODE_AFFINITY = "spec.template.spec.?affinity.?nodeAffinity"
TERMS = f"{NODE_AFFINITY}.?requiredDuringSchedulingIgnoredDuringExecution.?nodeSelectorTerms.orValue([])"
_HINTS = f"{NODE_AFFINITY}.?preferredDuringSchedulingIgnoredDuringExecution.orValue([])"
_EXPRESSIONS, _FIELDS = "each.?matchExpressions.orValue([])", "each.?matchFields.orValue([])"


def guard(copies: Copies) -> Guard:
    """Return the guard; how copies are pinned is ``fanOut.pin``."""
    labelled = Check(
        f"object.spec.selector.?matchLabels[?{text(copies.zone_label)}].orValue('') == variables.zone && "
        f"object.spec.template.?metadata.?labels[?{text(copies.zone_label)}].orValue('') == variables.zone",
        f"selector and pods must carry the label {copies.zone_label} with the same zone as the {copies.kind[2]}",
    )
    pinned = Check(
        _pinned(copies), f"must be pinned to the zone of its label {copies.zone_label} by {copies.topology_key}"
    )
    made = copies.guard(
        "zone-pin",
        "Zone pin",
        "A copy runs in the zone that its label names: its pods are pinned there, and selected by that label.",
        labelled,
        pinned,
    )
    made.severity = "high"
    made.variables = [("zone", copies.zone_of("object"))]
    if copies.pin == REQUIRED:
        made.variables.append(("terms", f"object.{TERMS}.filter(each, {_EXPRESSIONS} != [] || {_FIELDS} != [])"))
    return made


def cases(copies: Copies) -> list[Case]:
    """Return a copy as it is written, one that is pinned elsewhere, and one whose pods lack the label."""
    good = samples.copy(copies, "zone-pin-good")
    elsewhere = samples.copy(copies, "zone-pin-elsewhere", pinned_to=samples.NOWHERE)
    unlabelled = samples.copy(copies, "zone-pin-unlabelled", selects=False)
    found = [(good, "pass"), (elsewhere, "fail"), (unlabelled, "fail")]
    return [samples.Case([samples.Sample(obj, result) for obj, result in found])]


def _pinned(copies: Copies) -> str:
    """Return CEL that holds for what pins.py writes, whatever the user has beside it."""
    key = text(copies.topology_key)
    if copies.pin == NODE_SELECTOR:
        return f"object.spec.template.spec.?nodeSelector[?{key}].orValue('') == variables.zone"
    held = f"exists(e, e.key == {key} && e.operator == 'In' && e.values == [variables.zone])"
    if copies.pin == PREFERRED:
        return f"object.{_HINTS}.exists(each, each.preference.?matchExpressions.orValue([]).{held})"
    return f"variables.terms != [] && variables.terms.all(each, {_EXPRESSIONS}.{held})"
