"""At most one pod of a workload on a node: required self anti-affinity, and a rollout that can live with it."""

from __future__ import annotations

from .podspec import Merger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import Results
    from krmfn.scan import Data

    from .placement import OnePodPerNode
    from .workload import Workload

_PREFERRED_WEIGHT = 100
_DEFAULT_SURGE = "25%"


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
    if workload.obj.kind == "Deployment" and wanted.mode == "Required":
        _strategy(workload, wanted, results)


def _strategy(workload: Workload, wanted: OnePodPerNode, results: Results) -> None:
    obj = workload.obj
    strategy = obj.nested_map("spec", "strategy")
    if strategy.get("type") == "Recreate":
        return
    if wanted.fix_strategy:
        fixed = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}
        if strategy != fixed:
            path = ("spec", "strategy")
            obj.merge_nested(
                {
                    (*path, "type"): "RollingUpdate",
                    (*path, "rollingUpdate", "maxSurge"): 0,
                    (*path, "rollingUpdate", "maxUnavailable"): 1,
                }
            )
            results.info("set maxSurge 0 and maxUnavailable 1: a rollout needs no spare node", obj, "spec.strategy")
        return
    surge: Data = (strategy.get("rollingUpdate") or {}).get("maxSurge", _DEFAULT_SURGE)
    if surge not in (0, "0", "0%"):
        message = f"maxSurge is {surge}: a rollout needs a spare node; set onePodPerNode.fixStrategy, or keep one free"
        results.warning(message, obj, "spec.strategy")
