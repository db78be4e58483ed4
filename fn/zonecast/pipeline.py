"""The order of the steps: the only place that knows it."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.hostkeys import DEPENDS_ON

from . import daemonset, fanout, followers, lint, nodepool, onepernode, references
from .followers.table import KINDS
from .index import FamilyIndex, is_for_tools, referrers
from .origin import KEEP, mark, role_of
from .placement import KIND, load
from .podspec import Merger
from .select import select
from .shapes import check_shape
from .workload import ROLLOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject, ResourceList

    from .fanout import Family
    from .placement import Placement
    from .workload import Workload


def run(resources: ResourceList) -> None:
    """Place the objects of the list as the Placement of its functionConfig says.

    Raises:
        ConfigError: the config does not fit.
        ObjectError: an object cannot be handled.
    """
    if not resources.has_config:
        resources.results.warning("no functionConfig: nothing to do")
        return
    placement = load(resources.config)
    if placement.spec.is_empty:
        resources.results.warning("the Placement has no section: nothing to do", resources.config)
    elif _has_work(resources):
        place(resources, placement)


def _has_work(resources: ResourceList) -> bool:
    """Whether anything in the list is for a cluster.

    A host may send an empty list, for a package that has no object yet. A stream without any comes from a command that
    failed, or from a chart with everything switched off: there the targets match nothing.
    """
    if not len(resources):
        return resources.is_stream
    return not all(is_for_tools(obj) for obj in resources)


def place(resources: ResourceList, placement: Placement) -> None:
    """Select the targets, merge what their pods need, fan them out, let others follow, attach policies."""
    spec = placement.spec
    workloads = _without_kept(select(resources, spec.targets, spec.exclude or ()), placement)
    if not workloads and not _only_daemon_sets(placement):
        _nothing_matches(resources, placement)
    pool = nodepool.resolve(resources, spec.node_pool) if spec.node_pool is not None else None
    families = fanout.find_families(workloads)
    if spec.zones:
        _fan_out(resources, placement, families, pool)
    else:
        for workload in workloads:
            try:
                _merge(workload, placement, pool, resources)
                mark(workload.obj, placement.name)
            except ObjectError as error:
                resources.results.collect(error)
            workload.obj.settle()
    daemonset.tolerate(resources, placement, pool)
    if spec.kyverno is not None:
        from .kyverno import attach  # noqa: PLC0415 - most Placements attach no policy

        attach(resources, families, placement, pool)
    lint.namespaced(resources, resources.results)


def _fan_out(resources: ResourceList, placement: Placement, families: list[Family], pool: nodepool.Pool | None) -> None:
    """Fan out one family after the other, so that only one is in memory as a tree, and then what follows them."""
    index = FamilyIndex(families)
    kinds = KINDS.union(each.kind for each in placement.spec.fan_out.references or ())
    candidates = referrers(resources, index, kinds)
    dependents = {obj for obj in candidates if DEPENDS_ON in obj.raw}
    if any(obj.kind == KIND for obj in resources):
        from .doubleclaims import warn_of_others  # noqa: PLC0415 - kpt alone hands its configs to the function

        warn_of_others(resources, families, placement)
    fan = fanout.FanOut(resources, placement, candidates)
    for family in families:
        members = [each.obj for each in family.members]
        try:
            fan.set_aside(family)
            _depend_on_copies(dependents.intersection(members), index, placement)
            for workload in family.members:
                _merge(workload, placement, pool, resources)
            fan.fan_out(family)
        except ObjectError as error:
            resources.results.collect(error)
        for obj in members:
            obj.settle()
    _depend_on_copies(dependents, index, placement)
    resources.replace(fan.replacements)
    followed = followers.follow(resources, candidates, index, placement)
    followers.list_copies(resources, candidates, index)
    references.check(resources, candidates, index, followed)
    lint.names_another_zone(resources, families, placement.spec.fan_out.zone_label)


def _depend_on_copies(objects: set[KubeObject], index: FamilyIndex, placement: Placement) -> None:
    if objects:
        from .dependson import rewrite  # noqa: PLC0415 - few lists say in what order they are applied

        rewrite(objects, index, placement)


def _without_kept(workloads: list[Workload], placement: Placement) -> list[Workload]:
    """Leave out sources that are kept for a cut-over, unless it is their fan-out: they are on their way out."""
    if placement.spec.zones:
        return workloads
    return [each for each in workloads if role_of(each.obj) != KEEP]


def _merge(workload: Workload, placement: Placement, pool: nodepool.Pool | None, resources: ResourceList) -> None:
    """Merge what the pool, the podSpec and onePodPerNode ask for into a workload."""
    check_shape(workload)
    spec = placement.spec
    if workload.obj.kind == ROLLOUT and spec.edits_pods:
        from .argorollout import check_template  # noqa: PLC0415 - few Rollouts take their template from elsewhere

        check_template(workload.obj)
    merger = Merger(workload, resources.results, replace=spec.on_conflict == "Replace")
    if pool is not None:
        merger.node_selector(pool.labels)
        merger.tolerations(pool.tolerations)
    if spec.pod_spec is not None:
        merger.merge(spec.pod_spec)
    if spec.one_pod_per_node is not None:
        onepernode.spread(workload, spec.one_pod_per_node, spec.fan_out.zone_label, resources.results)


def _only_daemon_sets(placement: Placement) -> bool:
    spec = placement.spec
    return spec.targets is None and spec.daemon_sets is not None and not (spec.zones or spec.node_pool or spec.kyverno)


def _nothing_matches(resources: ResourceList, placement: Placement) -> None:
    """Report a placement that would silently do nothing: the worst case."""
    kinds = sorted({f"{obj.kind} {obj.name}" for obj in resources if obj.kind == "Deployment"})
    seen = f"; Deployments in the list: {', '.join(kinds[:5])}" if kinds else "; the list has no Deployment"
    report = resources.results.warning if placement.spec.allow_no_match else resources.results.error
    report(f"targets match nothing{seen}", resources.config, "spec.targets")
