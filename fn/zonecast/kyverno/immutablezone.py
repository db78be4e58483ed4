"""A copy never changes its zone: another zone is another copy."""

from __future__ import annotations

from ..origin import NODE_SELECTOR, REQUIRED
from . import samples
from .cel import text
from .guard import Check
from .zonepin import TERMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Copies, Guard
    from .samples import Case


def guard(copies: Copies) -> Guard:
    """Return the guard. It compares with what is there, so it has nothing to say about objects at rest."""
    before, after = copies.zone_of("oldObject"), copies.zone_of("object")
    checks = [
        Check(f"{before} == '' || {before} == {after}", f"{copies.zone_label} must not change: make another copy")
    ]
    if copies.pin in (NODE_SELECTOR, REQUIRED):
        message = f"the pin to {copies.topology_key} must not move to another zone: make another copy"
        checks.append(Check(_same_pin(copies), message))
    made = copies.guard(
        "immutable-zone",
        "Immutable zone",
        "The zone of a copy is given when it is made: its pods would all move at once, and its name would lie.",
        *checks,
    )
    made.operations = ("UPDATE",)
    made.background = False
    return made


def cases(copies: Copies) -> list[Case]:
    """Return an update that changes nothing: the CLI knows no other, the old object is always the new one."""
    good = samples.copy(copies, "immutable-zone-good")
    return [samples.Case([samples.Sample(good, "pass", operation="UPDATE")])]


def _same_pin(copies: Copies) -> str:
    """Return CEL that holds while the pin stays, and when one comes or goes: that is for the zone pin's guard."""
    key = text(copies.topology_key)
    if copies.pin == NODE_SELECTOR:
        before, after = (f"{obj}.spec.template.spec.?nodeSelector[?{key}]" for obj in ("oldObject", "object"))
        return f"!{before}.hasValue() || !{after}.hasValue() || {before} == {after}"
    # Every zone that a term of the new object names was named by one of the old, if that one named any.
    named = f"?matchExpressions.orValue([]).exists(e, e.key == {key} && e.operator == 'In'"
    return (
        f"!oldObject.{TERMS}.exists(old, old.{named})) || object.{TERMS}.all(new, "
        f"new.?matchExpressions.orValue([]).filter(n, n.key == {key} && n.operator == 'In')"
        f".all(n, oldObject.{TERMS}.exists(old, old.{named} && e.values == n.values))))"
    )
