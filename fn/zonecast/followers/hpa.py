"""A HorizontalPodAutoscaler (autoscaling v1, v2, v2beta2): minimum and maximum are shared out.

Neither can be 0 (HPAScaleToZero is off by default): a share of 0 becomes 1, and the total is raised.
"""

from __future__ import annotations

from ..split import MAXIMUM, MINIMUM
from .bounds import at_least_1, nested
from .kind import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from ..split import Sharing
    from .kind import Shares

_MIN, _MAX = "minReplicas", "maxReplicas"
_RULES: dict[str, Any] = {"policies": [{}]}
BEHAVIOR: dict[str, Any] = {"scaleUp": _RULES, "scaleDown": _RULES}


class HorizontalPodAutoscaler(Kind):
    """One for each copy; metrics and behavior are the same text."""

    shape = {"spec": {"behavior": BEHAVIOR}}  # noqa: RUF012
    bounds = {_MIN: MINIMUM, _MAX: MAXIMUM}  # noqa: RUF012

    def figures(self, source: KubeObject) -> dict[str, Data]:
        """Return the bounds. An absent minimum means 1, in a copy as well."""
        return {key: figure for key in (_MIN, _MAX) if (figure := source.get("spec", key)) is not None}

    def shares(self, figures: dict[str, Data], share: Sharing, example: KubeObject, results: Results) -> Shares:
        """Return the bounds of each copy."""
        totals = {key: self.number(key, value, example) for key, value in figures.items()}
        found = dict(zip((_MIN, _MAX), nested((_MIN, _MAX), totals, share, example, results)))
        return {
            key: at_least_1(found[key] or [], total, f"spec.{key}", example, results) for key, total in totals.items()
        }

    def check(self, source: KubeObject, results: Results) -> None:
        """Warn of metrics on a total; say what stays as it is."""
        raw = source.raw
        metrics = source.nested_slice("spec", "metrics") if "External" in raw or "Object" in raw else ()
        for i, metric in enumerate(metrics):
            if isinstance(metric, dict) and metric.get("type") in ("External", "Object"):
                message = f"{metric['type']} metric on a total: each zone will scale for the whole value"
                results.warning(message, source, f"spec.metrics[{i}]")
        say_policies(source, ("spec", "behavior"), results)


def say_policies(source: KubeObject, path: tuple[str, ...], results: Results) -> None:
    """Say which scaling policies count pods: they stay, and hold for each zone."""
    for direction, rules in source.nested_map(*path).items() if "behavior" in source.raw else ():
        if any(policy.get("type") == "Pods" for policy in (rules or {}).get("policies") or ()):
            field = ".".join((*path, direction))
            results.info("policies of type Pods stay: they hold for each zone", source, field)
