"""What follows a Deployment that was fanned out: its HorizontalPodAutoscaler becomes one per copy.

Minimum and maximum add up to the original's; everything else in a copy is the same text.
"""

from __future__ import annotations

from krmfn import ObjectError

from .names import copy_name
from .origin import ORIGIN, Origin, mark, origin_of
from .serverfields import drop_server_fields
from .split import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn import KubeObject, ResourceList, Results
    from krmfn.scan import Data

    from .fanout import Family
    from .index import FamilyIndex
    from .placement import Placement

_HPA = "HorizontalPodAutoscaler"
_TARGET = ("spec", "scaleTargetRef")
_MIN, _MAX = "minReplicas", "maxReplicas"


class Follower:
    """An autoscaler of a family: ``source``, or in a second run the copies by their zone."""

    def __init__(self, family: Family, origin: Origin) -> None:
        self.family = family
        self.origin = origin
        self.source: KubeObject | None = None
        self.copies: dict[str, KubeObject] = {}


def follow(resources: ResourceList, index: FamilyIndex, placement: Placement) -> None:
    """Fan out the autoscalers of the families in ``index``."""
    zone_label = placement.spec.fan_out.zone_label
    replacements: dict[KubeObject, Sequence[KubeObject]] = {}
    for follower in _find(resources, index, zone_label):
        try:
            copies = _fan_out(follower, placement, resources.results)
        except ObjectError as error:
            resources.results.collect(error)
            continue
        present = [obj for obj in (follower.source, *follower.copies.values()) if obj is not None]
        replacements.update({obj: () for obj in present[1:]})
        replacements[present[0]] = copies
    resources.replace(replacements)


def _find(resources: ResourceList, index: FamilyIndex, zone_label: str) -> list[Follower]:
    followers: dict[tuple[str, str], Follower] = {}
    for obj in resources:
        if obj.kind != _HPA or obj.group != "autoscaling":
            continue
        target = obj.nested_map(*_TARGET)
        if target.get("kind") != "Deployment" or not is_apps(target.get("apiVersion")):
            continue
        family = index.find(obj, str(target.get("name")), field=".".join(_TARGET))
        if family is None:
            continue
        origin = origin_of(obj)
        key = (obj.namespace, origin.name if origin is not None else obj.name)
        follower = followers.setdefault(key, Follower(family, origin or Origin(obj.name, {})))
        if origin is None:
            follower.source = obj
        else:
            follower.copies[obj.labels.get(zone_label, "")] = obj
    return list(followers.values())


def is_apps(api_version: Data) -> bool:
    """Whether a reference's apiVersion can mean an apps Deployment; old ones leave it out or say extensions."""
    return not api_version or str(api_version).partition("/")[0] in ("apps", "extensions")


def _fan_out(follower: Follower, placement: Placement, results: Results) -> list[KubeObject]:
    source = follower.source
    if source is not None:
        drop_server_fields(source)
        spec = source.nested_map("spec")
        follower.origin = Origin(source.name, {key: spec[key] for key in (_MIN, _MAX) if spec.get(key) is not None})
        source.set_annotation(ORIGIN, follower.origin.to_text())
        _warn_of_totals(source, results)
    example = source if source is not None else next(iter(follower.copies.values()))
    zones = placement.spec.zones or []
    weights = [zone.weight for zone in zones]
    bounds = {key: _bounds(example, key, value, weights, results) for key, value in follower.origin.figures.items()}
    copies = []
    for i, (zone, target) in enumerate(follower.family.placed):
        name = copy_name(follower.origin.name, zone.suffix, placement.spec.fan_out.max_name_length)
        copy = follower.copies.get(zone.name) or example.clone(name, keep_head_comments=not i)
        copy.set_name(name)
        copy.set_label(placement.spec.fan_out.zone_label, zone.name)
        copy.set_nested(*_TARGET, "name", target.name)
        for key, shares in bounds.items():
            copy.set_nested("spec", key, shares[i])
        mark(copy, placement.name)
        copies.append(copy)
    if source is not None:
        _report(follower, bounds, copies[0], results)
    return copies


def _bounds(example: KubeObject, key: str, value: Data, weights: list[int], results: Results) -> list[int]:
    """Share one bound out. An autoscaler cannot have a bound of 0: it becomes 1, and the total is raised."""
    field = f"spec.{key}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise ObjectError(f"{value!r} cannot be shared out: it is no number", example, field)
    shares = split(value, weights)
    if min(shares) < 1:
        results.warning(f"{value} in {len(shares)} zones: raised to 1 in each, {sum(max(s, 1) for s in shares)} in all", example, field)
    return [max(share, 1) for share in shares]


def _warn_of_totals(source: KubeObject, results: Results) -> None:
    for i, metric in enumerate(source.nested_slice("spec", "metrics") if "metrics:" in source.raw or '"metrics"' in source.raw else []):
        if isinstance(metric, dict) and metric.get("type") in ("External", "Object"):
            message = f"{metric['type']} metric on a total: each zone will scale for the whole value"
            results.warning(message, source, f"spec.metrics[{i}]")
    policies = source.get("spec", "behavior") or {}
    for direction, rules in policies.items():
        if any(policy.get("type") == "Pods" for policy in (rules or {}).get("policies") or ()):
            results.info("policies of type Pods stay: they hold for each zone", source, f"spec.behavior.{direction}")


def _report(follower: Follower, bounds: dict[str, list[int]], copy: KubeObject, results: Results) -> None:
    parts = [
        f"{zone.name} {'-'.join(str(shares[i]) for shares in bounds.values())}"
        for i, (zone, _) in enumerate(follower.family.placed)
    ]
    whole = "-".join(str(value) for value in follower.origin.figures.values())
    results.info(f"{follower.origin.name}: {whole} -> {', '.join(parts)}", copy)
