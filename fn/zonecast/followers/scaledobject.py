"""A KEDA ScaledObject (keda.sh): every figure of it that counts pods is shared out.

Rules of KEDA (CheckReplicaCountBoundsAreValid): the minimum is not above the maximum, and idleReplicaCount is below the
minimum. A minimum may be 0, a maximum may not. An absent minimum (0) or maximum (100) stays absent.
"""

from __future__ import annotations

from krmfn import ObjectError

from ..split import MAXIMUM, MINIMUM
from .bounds import at_least_1, nested
from .hpa import BEHAVIOR, say_policies
from .kind import Kind, dotted_path

TYPE_CHECKING = False
if TYPE_CHECKING:

    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from ..split import Sharing
    from .kind import Path, Shares

_MIN, _MAX, _IDLE, _FALLBACK = "minReplicaCount", "maxReplicaCount", "idleReplicaCount", "fallback.replicas"
_HPA = ("spec", "advanced", "horizontalPodAutoscalerConfig")
_HPA_NAME = "advanced.horizontalPodAutoscalerConfig.name"
_DESIRED = "desiredReplicas"
_PAUSED = "autoscaling.keda.sh/paused-replicas"
#: Triggers that look at a copy's own pods, or at the clock.
_OWN = ("cpu", "memory", "cron")


class ScaledObject(Kind):
    """One for each copy, and so one HorizontalPodAutoscaler that KEDA makes for each."""

    shape = {  # noqa: RUF012
        "spec": {
            "fallback": {},
            "triggers": [{"metadata": {}}],
            "advanced": {"horizontalPodAutoscalerConfig": {"behavior": BEHAVIOR}},
        }
    }
    bounds = {_MIN: MINIMUM, _MAX: MAXIMUM}  # noqa: RUF012

    def figures(self, source: KubeObject) -> dict[str, Data]:
        """Return bounds, idle and fallback counts, what cron triggers and a pause ask for, the name of the HPA."""
        keys = [_MIN, _MAX, _IDLE, _FALLBACK]
        for i, trigger in enumerate(source.nested_slice("spec", "triggers")):
            if isinstance(trigger, dict) and trigger.get("type") == "cron":
                keys.append(f"triggers[{i}].metadata.{_DESIRED}")
        keys += [_HPA_NAME, _PAUSED]
        return {key: figure for key in keys if (figure := source.get(*self.path(key))) is not None}

    def path(self, key: str) -> Path:
        """Return where a figure is: below ``spec``, but for the annotation that pauses."""
        return ("metadata", "annotations", _PAUSED) if key == _PAUSED else super().path(key)

    def names(self, figures: dict[str, Data]) -> dict[str, str]:
        """Return the name that the HPA is to have: two ScaledObjects cannot own one."""
        return {_HPA_NAME: str(figures[_HPA_NAME])} if _HPA_NAME in figures else {}

    def shares(self, figures: dict[str, Data], share: Sharing, example: KubeObject, results: Results) -> Shares:
        """Return the figures of each copy; what is text (cron, pause) stays text."""
        totals = {key: self._count(key, value, example) for key, value in figures.items() if key != _HPA_NAME}
        low, high = nested((_MIN, _MAX), totals, share, example, results)
        found = {key: share.like(total, high or low or ()) for key, total in totals.items()}
        if high is not None:
            found[_MAX] = at_least_1(high, totals[_MAX], f"spec.{_MAX}", example, results)
        if low is not None:
            idle = _IDLE in totals
            found[_MIN] = at_least_1(low, totals[_MIN], f"spec.{_MIN}", example, results) if idle else low
            if idle:
                found[_IDLE] = _below(found[_IDLE], found[_MIN], totals[_IDLE], example, results)
        for key, shares in found.items():
            if totals[key] and not min(shares) and key != _IDLE:
                message = f"{totals[key]} in {len(shares)} zones: 0 in {shares.count(0)} of them"
                results.warning(message, example, dotted_path(self.path(key)))
        return {key: [str(each) if isinstance(figures[key], str) else each for each in found[key]] for key in totals}

    def check(self, source: KubeObject, results: Results) -> None:
        """Warn of triggers on a total, and of the maximum that each zone has where none is given."""
        for i, trigger in enumerate(source.nested_slice("spec", "triggers")):
            if isinstance(trigger, dict) and trigger.get("type") not in _OWN:
                message = f"{trigger.get('type')} trigger on a total: each zone will scale for the whole value"
                results.warning(message, source, f"spec.triggers[{i}]")
        if source.get("spec", _MAX) is None:
            results.warning("no maxReplicaCount: KEDA's 100 holds for each zone", source, f"spec.{_MAX}")
        say_policies(source, (*_HPA, "behavior"), results)

    def _count(self, key: str, value: Data, example: KubeObject) -> int:
        if isinstance(value, str) and (key == _PAUSED or key.endswith(_DESIRED)):
            if value.isdigit():
                return int(value)
            raise ObjectError(f"{value!r} cannot be shared out: it is no number", example, dotted_path(self.path(key)))
        return self.number(key, value, example)


def _below(idle: list[int], low: list[int], total: int, example: KubeObject, results: Results) -> list[int]:
    """Return idle counts that are below the minimum in every zone, as KEDA demands."""
    below = [min(figure, least - 1) for figure, least in zip(idle, low)]
    if below != idle:
        message = f"{total} would not be below the minimum in every zone: {sum(below)} in all"
        results.warning(message, example, f"spec.{_IDLE}")
    return below
