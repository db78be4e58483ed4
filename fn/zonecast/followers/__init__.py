"""What follows a Deployment that was fanned out, and becomes one per copy itself.

table.py says which kinds name a workload, and where. What follows has a module that says which of its figures count
pods and how they are shared; what is the same for all of them is in machinery.py. In lists of names the copies take
the place of the source: elements.py.
"""

from __future__ import annotations

from ..origin import ORIGIN, REPLACED
from ..placement import sharing_of
from ..workload import ROLLOUT
from .machinery import Follower, fan_out, in_each
from .table import FOLLOWS, KINDS, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Callable

    from krmfn import KubeObject, ResourceList

    from ..index import FamilyIndex
    from ..placement import FanOut, Placement
    from .kind import Kind, Path
    from .table import Place

    Handled = dict[KubeObject, Sequence[Path]]


def _hpa(place: Place) -> Kind:
    from .hpa import HorizontalPodAutoscaler  # noqa: PLC0415 - a module is read where the list has its kind

    return HorizontalPodAutoscaler(place)


def _scaled_object(place: Place) -> Kind:
    from .scaledobject import ScaledObject  # noqa: PLC0415

    return ScaledObject(place)


def _vpa(place: Place) -> Kind:
    from .vpa import VerticalPodAutoscaler  # noqa: PLC0415

    return VerticalPodAutoscaler(place)


#: The modules of what follows by its place in the table. Budgets and Services select pods instead: selecting.py.
_MODULES: dict[str, Callable[[Place], Kind]] = {
    "HorizontalPodAutoscaler": _hpa,
    "ScaledObject": _scaled_object,
    "VerticalPodAutoscaler": _vpa,
}


def follow(
    resources: ResourceList, candidates: Iterable[KubeObject], index: FamilyIndex, placement: Placement
) -> Handled:
    """Fan out what follows the families in ``index``; return the objects that did, and where each named a family."""
    options = placement.spec.fan_out
    followers = _find(candidates, index, placement)
    share = in_each(placement) if options.autoscalers == "Copy" else sharing_of(placement)
    for follower in followers:
        fan_out(follower, placement, resources, share)
    if share.fixed:
        from ..fixed import without_autoscaler  # noqa: PLC0415 - few Placements fix a figure

        scaled = {family for each in followers if each.kind.bounds for _, family in each.targets}
        names = [family.name for family in index.families if family.placed and family not in scaled]
        without_autoscaler(share, names, resources)
    if options.references:
        from .reference import check_references  # noqa: PLC0415

        check_references(resources, options.references)
    replace(resources, followers, options.source)
    claimed: Collection[KubeObject] = ()
    if ROLLOUT in index.kinds:
        from .claimed import follow_claimed  # noqa: PLC0415 - most lists have Deployments alone

        claimed = follow_claimed(resources, index.families, placement)
    if _selects_pods(resources, options):
        from .selecting import follow_pods  # noqa: PLC0415 - most Placements leave budgets and Services as they are

        follow_pods(resources, index.families, placement, claimed)
    return {obj: [path for path, _ in follower.targets] for follower in followers for obj in follower.present}


def list_copies(resources: ResourceList, candidates: Iterable[KubeObject], index: FamilyIndex) -> None:
    """Let objects that list workloads by name list the copies; warn of queries that ask for a source."""
    if any(obj.kind in KINDS for obj in candidates):
        from . import elements, queries  # noqa: PLC0415 - few packages have such kinds

        elements.rewrite(candidates, index, resources.results)
        queries.warn(candidates, index, resources.results)


def replace(resources: ResourceList, followers: Iterable[Follower], source: str) -> None:
    """Put the copies of each follower in its place."""
    replacements = {}
    for follower in followers:
        if follower.placed:
            replacements.update(follower.replacements(source))
    resources.replace(replacements)


def _selects_pods(resources: ResourceList, options: FanOut) -> bool:
    """Whether an option is about what selects pods, or the list has what one asked for in an earlier run."""
    if options.disruption_budgets != "Shared" or options.services != "Shared":
        return True
    kinds = ("PodDisruptionBudget", "Service")
    return any(obj.kind in kinds and (ORIGIN in obj.raw or REPLACED in obj.raw) for obj in resources)


def _find(candidates: Iterable[KubeObject], index: FamilyIndex, placement: Placement) -> list[Follower]:
    kinds: dict[tuple[str, str], Kind | None] = {}
    followers: dict[tuple[str, str, str, str], Follower] = {}
    for obj in candidates:
        key = obj.group, obj.kind
        if key not in kinds:
            kinds[key] = _kind(*key, placement)
        kind = kinds[key]
        if kind is None:
            continue
        targets = []
        for path, named, name in kind.targets(obj):
            family = index.find(obj, name, field=".".join(map(str, path[:-1])), kind=named)
            if family is not None and family.placed:
                targets.append((path, family))
        if targets:
            follower = Follower(kind, obj)
            followers.setdefault((*key, obj.namespace, follower.name), follower).add(obj, targets)
    return list(followers.values())


def _kind(group: str, kind: str, placement: Placement) -> Kind | None:
    options = placement.spec.fan_out
    place = place_of(group, kind) if options.autoscalers != "Ignore" else None
    if place is not None and place.how == FOLLOWS:
        return _MODULES[kind](place)
    if not options.references:
        return None
    from .reference import user_kind  # noqa: PLC0415

    return user_kind(options.references, group, kind)
