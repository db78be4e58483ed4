"""The Services that a Rollout claims for itself: each copy of it has its own.

The controller writes the hash of one ReplicaSet into their selectors, whatever ``fanOut.services`` says about others.
Where the source stays in the cluster for a while, it still needs the originals.
"""

from __future__ import annotations

from ..claims import claimed
from ..origin import KEEP, origin_of
from ..placement import sharing_of
from ..workload import ROLLOUT
from .machinery import Follower, fan_out
from .pods import objects_of
from .service import Service
from .servicenames import check_services

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krmfn import KubeObject, ResourceList

    from ..fanout import Family
    from ..placement import Placement
    from .kind import Path

_HASH = "rollouts-pod-template-hash"
_MANAGED_BY = "argo-rollouts.argoproj.io/managed-by-rollouts"


class ClaimedService(Service):
    """One for each copy in place of the original, without what the controller wrote into that."""

    stays = False
    is_kept = True

    def dropped(self, source: KubeObject) -> Iterable[Path]:
        """Return the addresses of the original, and the ReplicaSet that it selects today."""
        yield from super().dropped(source)
        if _HASH in source.raw:
            yield "spec", "selector", _HASH
        if _MANAGED_BY in source.raw:
            yield "metadata", "annotations", _MANAGED_BY


def follow_claimed(resources: ResourceList, families: Iterable[Family], placement: Placement) -> set[KubeObject]:
    """Make the Services that Rollouts claim one for each copy; return them, and what of the originals stays."""
    rollouts = [family for family in families if family.kind == ROLLOUT and family.placed]
    owners = {(family.namespace, name): family for family in rollouts for name in claimed(family.origin)}
    if not owners:
        return set()
    followers: dict[tuple[str, str], Follower] = {}
    for obj in objects_of(resources, "", "Service"):
        origin = origin_of(obj)
        key = obj.namespace, obj.name if origin is None else origin.name
        if key in owners:
            followers.setdefault(key, Follower(ClaimedService(), obj)).add(obj, ())
    for (_, name), family in owners.items():
        if (family.namespace, name) not in followers:
            message = f"has Services made of {name}, and none of them is in the list; add them"
            resources.results.error(message, family.representative)
    replacements: dict[KubeObject, Sequence[KubeObject]] = {}
    for follower in followers.values():
        if not fan_out(follower, placement, resources, sharing_of(placement)):
            continue
        replacements.update(follower.replacements(placement.spec.fan_out.source))
        source = follower.members.source
        if source is not None and placement.spec.fan_out.source == KEEP:
            from ..source import delete_command  # noqa: PLC0415 - most sources go

            command = delete_command(source)
            message = f"stays for the Rollout that is kept, protected from pruning; delete it with that: {command}"
            resources.results.info(message, follower.placed[0])
    check_services(resources, followers.values(), kept=placement.spec.fan_out.source == KEEP)
    resources.replace(replacements)
    placed = {obj for several in replacements.values() for obj in several}
    return placed.union(*(follower.present for follower in followers.values()))
