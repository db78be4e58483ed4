"""PodDisruptionBudgets of the families: the shared one, or one per zone in its place."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.hostkeys import LOCAL_CONFIG

from ..origin import KEEP, ORIGIN, SOURCE, SPLIT, origin_of, role_of, unmarked
from ..patterns import matches_selector
from ..placement import sharing_of
from ..shapes import check
from ..split import Sharing
from ..workload import template_path
from .budget import PodDisruptionBudget, allowed
from .machinery import Follower, fan_out
from .pods import objects_of, without_zone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from ..fanout import Family
    from ..placement import Placement
    from .pods import Pods


def follow_budgets(resources: ResourceList, families: Iterable[Family], pods: Pods, placement: Placement) -> None:
    """Do with the budgets of the families what ``fanOut.disruptionBudgets`` says."""
    found = _find(resources, pods, placement.spec.fan_out.zone_label)
    if not found:
        return
    if placement.spec.fan_out.disruption_budgets == "Shared":
        _share_again(resources, [follower for follower, _, _ in found], placement)
        return
    per_zone = [each for each in found if each[1] is None]
    others = _other_workloads(resources, families)
    replacements: dict[KubeObject, Sequence[KubeObject]] = {}
    minimum = _minimum(resources)
    for follower, _, selector in per_zone:
        example = follower.members.example
        selected = pods.selected(example.namespace, selector)
        try:
            _check_alone(follower, selected, selector, others)
            for other, _, rest in found:
                if other is not follower:
                    _check_other(follower, other, selected, pods.selected(other.members.example.namespace, rest))
        except ObjectError as error:
            resources.results.collect(error)
            continue
        if fan_out(follower, placement, resources, _as_pods(sharing_of(placement), selected[0], minimum)):
            replacements.update(follower.replacements(placement.spec.fan_out.source))
            _warn_of_blocked(follower, selected[0], minimum, resources)
            if placement.spec.fan_out.source == KEEP:
                message = f"covers the copies of {selected[0].name}; the source that is kept beside them has no budget"
                resources.results.warning(message, follower.placed[0])
    resources.replace(replacements)


def _find(
    resources: ResourceList, pods: Pods, zone_label: str
) -> list[tuple[Follower, str | None, dict[str, Data]]]:
    """Return each budget over a family's pods, the zone that its author gave it (or None), and its selector."""
    kind = PodDisruptionBudget()
    found: dict[tuple[str, str], tuple[Follower, str | None, dict[str, Data]]] = {}
    for obj in objects_of(resources, "policy", "PodDisruptionBudget"):
        check(obj, kind.shape)
        selector = obj.get("spec", "selector")
        # Without a selector no pod is selected; an empty one selects none in v1beta1, and all in v1.
        if selector is None or (not selector and obj.version == "v1beta1"):
            continue
        origin = origin_of(obj)
        label = origin.zone_label if origin is not None else zone_label
        own = (selector.get("matchLabels") or {}).get(label) if origin is None else None
        selector = without_zone(selector, label)
        if pods.selected(obj.namespace, selector):
            follower = Follower(kind, obj)
            each = found.setdefault((obj.namespace, follower.name), (follower, own, selector))
            each[0].add(obj, ())
    return list(found.values())


def _other_workloads(resources: ResourceList, families: Iterable[Family]) -> list[tuple[KubeObject, dict[str, str]]]:
    """Return what makes pods and is no copy of a family, nor its source, with its pods' labels."""
    copies = {copy for family in families for _, copy in family.placed}
    copies.update(family.stays for family in families if family.stays is not None)
    found = []
    for obj in resources:
        template = template_path(obj)
        if template is not None and obj not in copies and not obj.is_local_config:
            found.append((obj, obj.nested_string_map(*template, "metadata", "labels")))
    return found


def _check_alone(
    follower: Follower,
    selected: Sequence[Family],
    selector: dict[str, Data],
    others: Iterable[tuple[KubeObject, dict[str, str]]],
) -> None:
    """Raise ObjectError for a budget over two workloads: its figure cannot be shared out among zones of one."""
    budget = follower.members.example
    covered = [family.name for family in selected[1:]]
    covered += [
        obj.name for obj, labels in others if obj.namespace == budget.namespace and matches_selector(selector, labels)
    ]
    if covered:
        message = f"covers {selected[0].name} and {', '.join(covered)}: PerZone needs a budget for each; or use Shared"
        raise ObjectError(message, budget, "spec.selector")


def _check_other(follower: Follower, other: Follower, mine: Sequence[Family], its: Sequence[Family]) -> None:
    """Raise ObjectError where another budget covers the same pods: the eviction API refuses such pods."""
    both = [family.name for family in mine if family in its]
    if both:
        also = other.members.example.describe()
        message = f"covers pods of {both[0]}, as {also} does: a pod of two budgets is never evicted"
        raise ObjectError(message, follower.members.example, "spec.selector")


def _warn_of_blocked(
    follower: Follower, family: Family, minimum: dict[tuple[str, str], int], resources: ResourceList
) -> None:
    """Warn of each zone whose budget lets no pod be evicted: no node there can be drained."""
    for (zone, copy), budget in zip(family.placed, follower.placed):
        pods = _pods(copy, minimum)
        if isinstance(pods, int) and pods and allowed(budget, pods) < 1:
            message = f"lets no pod of zone {zone.name} be evicted (of {pods}): nodes there cannot be drained"
            resources.results.warning(message, budget)


def _pods(copy: KubeObject, minimum: dict[tuple[str, str], int]) -> Data:
    """Return how many pods a copy has at least."""
    return minimum.get((copy.namespace, copy.name), copy.get("spec", "replicas"))


def _as_pods(share: Sharing, family: Family, minimum: dict[tuple[str, str], int]) -> Sharing:
    """Return how a budget is shared: as the pods are, where zones have figures of their own."""
    pods = [_pods(copy, minimum) for _, copy in family.placed]
    if not share.fixed or share.mode != SPLIT or not any(pods) or not all(isinstance(each, int) for each in pods):
        return share
    return Sharing(SPLIT, pods, share.lost)


def _minimum(resources: ResourceList) -> dict[tuple[str, str], int]:
    """Return how many pods an autoscaler leaves at least, by namespace and name of its Deployment."""
    found = {}
    for kind, field, default in (("HorizontalPodAutoscaler", "minReplicas", 1), ("ScaledObject", "minReplicaCount", 0)):
        for obj in resources.where(kind=kind):
            name = obj.nested_map("spec", "scaleTargetRef").get("name")
            least = obj.get("spec", field)
            found[obj.namespace, str(name)] = max(least if isinstance(least, int) else default, 1)
    return found


def _share_again(resources: ResourceList, followers: Iterable[Follower], placement: Placement) -> None:
    """Make one budget of those that PerZone made in an earlier run: the first becomes what they were made from."""
    replacements: dict[KubeObject, Sequence[KubeObject]] = {}
    for follower in followers:
        copies = list(follower.members.copies.values())
        if follower.members.source is None and copies:
            first = copies.pop(0)
            origin = follower.origin
            edits: dict[tuple[str, ...], Data] = {}
            edits.update({(*path, origin.zone_label): None for path in follower.kind.zone_labels})
            edits.update(unmarked(first, placement.name))
            edits["metadata", "annotations", ORIGIN] = None
            edits["metadata", "name"] = origin.name
            edits.update({("spec", key): value for key, value in origin.figures.items()})
            if origin.settings.get("rollout"):
                from ..rollout import undone  # noqa: PLC0415 - on request

                edits.update(undone(origin))
            first.merge_nested(edits)
            first.settle()
            resources.results.info(f"one budget for all zones again, of {len(copies) + 1}", first)
        source = follower.members.source
        if source is not None and role_of(source):  # the template of the copies
            source.merge_nested({("metadata", "annotations", key): None for key in (SOURCE, LOCAL_CONFIG)})
        replacements.update(dict.fromkeys(copies, ()))
    resources.replace(replacements)
