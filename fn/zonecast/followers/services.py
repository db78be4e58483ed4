"""Services of the families: shared, shared with a preference for the own zone, or one more per zone."""

from __future__ import annotations

from krmfn import ObjectError

from ..origin import origin_of
from ..placement import sharing_of
from .machinery import Follower, fan_out
from .pods import objects_of, without_zone
from .service import Service, prefer_no_zone, prefer_same_zone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from krmfn import KubeObject, ResourceList, Results

    from ..placement import Placement
    from .pods import Pods


def follow_services(
    resources: ResourceList, pods: Pods, placement: Placement, claimed: Collection[KubeObject] = ()
) -> None:
    """Do with the Services that select a family's pods what ``fanOut.services`` says; those of Rollouts are not shared.

    ``claimed`` are Services that Rollouts have for themselves.
    """
    followers = _find(resources, pods, claimed)
    wanted = placement.spec.fan_out.services
    replacements: dict[KubeObject, Sequence[KubeObject]] = {}
    for follower in followers:
        source = follower.members.source
        if source is not None:
            try:
                _prefer(source, placement, resources.results)
            except ObjectError as error:
                resources.results.collect(error)
                continue
        if wanted == "PerZone":
            if fan_out(follower, placement, resources, sharing_of(placement)):
                replacements.update(follower.replacements(placement.spec.fan_out.source))
        elif source is not None:  # copies that PerZone made are for a mode that is not wanted any more
            replacements.update(dict.fromkeys(follower.members.copies.values(), ()))
    resources.replace(replacements)


def _prefer(source: KubeObject, placement: Placement, results: Results) -> None:
    if placement.spec.fan_out.services == "SharedPreferSameZone":
        prefer_same_zone(source, placement.name, results)
    else:
        prefer_no_zone(source, placement.name)
    source.settle()  # what PerZone copies from it is its text


def _find(resources: ResourceList, pods: Pods, claimed: Collection[KubeObject]) -> list[Follower]:
    """Return the Services that select pods of a family. What selects those of one zone by itself is the user's own."""
    kind = Service()
    followers: dict[tuple[str, str], Follower] = {}
    for obj in objects_of(resources, "", "Service"):
        if obj in claimed:
            continue
        origin = origin_of(obj)
        labels = obj.nested_string_map("spec", "selector") if "selector" in obj.raw else {}
        selector = without_zone({"matchLabels": labels}, origin.zone_label if origin is not None else "")
        if not selector["matchLabels"] or not pods.selected(obj.namespace, selector):
            continue
        follower = Follower(kind, obj)
        followers.setdefault((obj.namespace, follower.name), follower).add(obj, ())
    return list(followers.values())
