"""A PodDisruptionBudget under ``fanOut.disruptionBudgets: PerZone``: one for each zone in place of the shared one.

Never both: the eviction API refuses a pod that two budgets cover (kubernetes,
pkg/registry/core/pod/storage/eviction.go).
"""

from __future__ import annotations

from ..split import is_percentage
from .bounds import at_least_1
from .kind import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from ..split import Sharing
    from .kind import Shares

MIN_AVAILABLE, MAX_UNAVAILABLE = "minAvailable", "maxUnavailable"


class PodDisruptionBudget(Kind):
    """Absolute figures are shared out; percentages hold for the pods of a zone as for all."""

    shape = {"spec": {"selector": {"matchLabels": {}, "matchExpressions": [{"values": []}]}}}  # noqa: RUF012
    zone_labels = (("metadata", "labels"), ("spec", "selector", "matchLabels"))

    def figures(self, source: KubeObject) -> dict[str, Data]:
        """Return the absolute figures, and text that is no percentage, which is an error later."""
        found = {key: source.get("spec", key) for key in (MIN_AVAILABLE, MAX_UNAVAILABLE)}
        return {key: value for key, value in found.items() if value is not None and not is_percentage(value)}

    def shares(self, figures: dict[str, Data], share: Sharing, example: KubeObject, results: Results) -> Shares:
        """Return the figures of each zone: at least 1 may be unavailable, unless none may in the original."""
        found = {}
        for key, value in figures.items():
            total = self.number(key, value, example)
            found[key] = share(total)
            if key == MAX_UNAVAILABLE and total:
                found[key] = at_least_1(found[key], total, f"spec.{key}", example, results)
        return dict(found)


def allowed(budget: KubeObject, pods: int) -> int:
    """Return how many of ``pods`` healthy pods a budget lets be evicted; percentages are rounded up for both figures.

    Source: kubernetes, pkg/controller/disruption/disruption.go.
    """
    most = budget.get("spec", MAX_UNAVAILABLE)
    if most is not None:
        return _of(most, pods)
    least = budget.get("spec", MIN_AVAILABLE)
    return pods - _of(1 if least is None else least, pods)


def _of(value: Data, pods: int) -> int:
    return -(-int(value[:-1]) * pods // 100) if is_percentage(value) else int(value)
