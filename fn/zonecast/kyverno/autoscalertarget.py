"""Autoscalers scale copies: none scales the source, which is gone or on its way out."""

from __future__ import annotations

from . import samples
from .cel import text, texts
from .guard import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Copies, Guard
    from .samples import Case


def guard(copies: Copies) -> Guard:
    """Return the guard. KEDA makes an HPA of each ScaledObject, so it is about both."""
    target = "object.spec.scaleTargetRef"
    names = ", ".join(copies.names)
    known = Check(f"{target}.name in {texts(copies.names)}", f"must target a copy of {copies.source}: {names}")
    made = copies.guard(
        "autoscaler-target",
        "Autoscaler target",
        "An autoscaler of the source, or of a copy that the Placement does not make, scales nothing.",
        known,
    )
    made.subject = "HorizontalPodAutoscaler"
    made.kinds = [("autoscaling", version, "HorizontalPodAutoscaler") for version in ("v1", "v2")]
    # One that was left on the source carries no zone label.
    made.selector = None
    ours = f"{target}.kind == {text(copies.kind[2])} && {target}.name == {text(copies.source)}"
    [(_, is_copy)] = made.conditions
    made.conditions = [("of-the-source", f"({ours}) || ({copies.zone_of('object')} != '' && ({is_copy}))")]
    return made


def cases(copies: Copies) -> list[Case]:
    """Return autoscalers of a copy, of the source, and of a copy that there is not."""
    targets = [
        ("copy", copies.names[0], "pass"),
        ("source", copies.source, "fail"),
        ("nothing", f"{copies.source}-{samples.NOWHERE}", "fail"),
    ]
    found = [(samples.autoscaler(copies, f"autoscaler-of-{name}", target), result) for name, target, result in targets]
    return [samples.Case([samples.Sample(obj, result) for obj, result in found])]
