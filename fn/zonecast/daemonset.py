"""DaemonSets that must run on a tainted pool too."""

from __future__ import annotations

from .origin import mark
from .podspec import Merger
from .select import DAEMON_SET, select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import ResourceList

    from .nodepool import Pool
    from .placement import Placement


def tolerate(resources: ResourceList, placement: Placement, pool: Pool | None) -> None:
    """Give the selected DaemonSets the pool's tolerations, or the one that covers every taint."""
    wanted = placement.spec.daemon_sets
    if wanted is None:
        return
    if wanted.tolerate == "All":
        tolerations = [{"operator": "Exists"}]
    else:
        assert pool is not None  # checked with the config
        tolerations = pool.tolerations
    found = select(resources, wanted.targets, placement.spec.exclude or (), DAEMON_SET)
    for workload in found:
        Merger(workload, resources.results, replace=False).tolerations(tolerations)
        mark(workload.obj, placement.name)
    if not found:
        resources.results.warning("daemonSets matches no DaemonSet", resources.config, "spec.daemonSets")
