"""At most one pod of a workload on a node: required self anti-affinity, and a rollout that can live with it."""

from __future__ import annotations

from .podspec import Merger
from .workload import DEPLOYMENT, ROLLOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from .placement import OnePodPerNode
    from .workload import Workload

_PREFERRED_WEIGHT = 100
_DEFAULT_SURGE = "25%"
_FIXED = {"maxSurge": 0, "maxUnavailable": 1}
_FIXED_SO = "set maxSurge 0 and maxUnavailable 1: a rollout needs no spare node"


def spread(workload: Workload, wanted: OnePodPerNode, zone_label: str, results: Results) -> None:
    """Keep the pods of ``workload`` on different nodes.

    The term selects by ``matchLabels``, which kustomize's label transformers follow, and without the zone label: two
    copies do not share a node either.
    """
    labels = {key: value for key, value in workload.selector_labels().items() if key != zone_label}
    term = {"labelSelector": {"matchLabels": labels}, "topologyKey": wanted.topology_key}
    merger = Merger(workload, results, replace=False)
    if wanted.mode == "Required":
        merger.affinity({"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})
    else:
        preferred = {"weight": _PREFERRED_WEIGHT, "podAffinityTerm": term}
        merger.affinity({"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]}})
    if wanted.mode != "Required":
        return
    if workload.obj.kind == DEPLOYMENT:
        _strategy(workload.obj, wanted, results)
    elif workload.obj.kind == ROLLOUT:
        _canary(workload.obj, wanted, results)


def _strategy(obj: KubeObject, wanted: OnePodPerNode, results: Results) -> None:
    strategy = obj.nested_map("spec", "strategy")
    if strategy.get("type") == "Recreate":
        return
    if not wanted.fix_strategy:
        _warn_of_surge(obj, (strategy.get("rollingUpdate") or {}).get("maxSurge", _DEFAULT_SURGE), results)
    elif strategy != {"type": "RollingUpdate", "rollingUpdate": _FIXED}:
        edits: dict[tuple[str, ...], Data] = {("spec", "strategy", "type"): "RollingUpdate"}
        obj.merge_nested({**edits, **_fixed("spec", "strategy", "rollingUpdate")})
        results.info(_FIXED_SO, obj, "spec.strategy")


def _canary(obj: KubeObject, wanted: OnePodPerNode, results: Results) -> None:
    """A Rollout replaces pod by pod only as a canary without a traffic route; otherwise both versions run at once."""
    canary = obj.nested_map("spec", "strategy", "canary")
    if obj.get("spec", "strategy", "blueGreen") is not None or canary.get("trafficRouting"):
        message = "an update runs both versions side by side: it needs a spare node for each new pod"
        results.warning(message, obj, "spec.strategy")
    elif not wanted.fix_strategy:
        _warn_of_surge(obj, canary.get("maxSurge", _DEFAULT_SURGE), results)
    elif {key: canary.get(key) for key in _FIXED} != _FIXED:
        obj.merge_nested(_fixed("spec", "strategy", "canary"))
        results.info(_FIXED_SO, obj, "spec.strategy")


def _fixed(*path: str) -> dict[tuple[str, ...], Data]:
    return {(*path, key): value for key, value in _FIXED.items()}


def _warn_of_surge(obj: KubeObject, surge: Data, results: Results) -> None:
    if surge not in (0, "0", "0%"):
        message = f"maxSurge is {surge}: a rollout needs a spare node; set onePodPerNode.fixStrategy, or keep one free"
        results.warning(message, obj, "spec.strategy")
