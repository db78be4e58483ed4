"""What follows a Deployment that was fanned out: its HorizontalPodAutoscaler becomes one per copy.

Minimum and maximum add up to the original's; everything else in a copy is the same text.
"""

from __future__ import annotations

from krmfn import ObjectError

from .checks import check_owner
from .copies import Members, place
from .figures import warn_of_edit
from .names import copy_name
from .origin import ORIGIN, TEMPLATE, Origin, marked, origin_of
from .placement import settings_of, sharing_of
from .serverfields import server_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from krmfn import KubeObject, ResourceList, Results
    from krmfn.scan import Data

    from .fanout import Family
    from .index import FamilyIndex
    from .placement import Placement

_HPA = "HorizontalPodAutoscaler"
_TARGET = ("spec", "scaleTargetRef")
_MIN, _MAX = "minReplicas", "maxReplicas"


class Follower:
    """An autoscaler of a family, or in a second run its copies."""

    def __init__(self, family: Family, origin: Origin) -> None:
        self.family = family
        self.origin = origin
        self.members = Members(None, {})


def follow(
    resources: ResourceList, candidates: Iterable[KubeObject], index: FamilyIndex, placement: Placement
) -> set[KubeObject]:
    """Fan out the autoscalers of the families in ``index``; return those that were there before."""
    replacements: dict[KubeObject, Sequence[KubeObject]] = {}
    handled: set[KubeObject] = set()
    for follower in _find(candidates, index):
        members = follower.members
        members.source_stays = members.source is not None and placement.spec.fan_out.source == TEMPLATE
        present = [obj for obj in (follower.members.source, *follower.members.copies.values()) if obj is not None]
        handled.update(present)
        try:
            copies = _fan_out(follower, placement, resources.results)
        except ObjectError as error:
            resources.results.collect(error)
            continue
        replacements.update(dict.fromkeys(present[1:], ()))
        replacements[present[0]] = copies
        if follower.members.source_stays:
            replacements[present[0]] = [_template(present[0]), *copies]
    resources.replace(replacements)
    return handled


def _template(source: KubeObject) -> KubeObject:
    """Return an autoscaler as the template of its copies. One that is kept would count the pods of the copies, too."""
    from .source import staying  # noqa: PLC0415 - most sources go

    return staying(source, TEMPLATE)


def _find(candidates: Iterable[KubeObject], index: FamilyIndex) -> list[Follower]:
    followers: dict[tuple[str, str], Follower] = {}
    for obj in candidates:
        if obj.kind != _HPA or obj.group != "autoscaling":
            continue
        target = obj.nested_map(*_TARGET)
        if target.get("kind") != "Deployment" or not is_apps(target.get("apiVersion")):
            continue
        family = index.find(obj, str(target.get("name")), field=".".join(_TARGET))
        if family is None or not family.placed:
            continue
        origin = origin_of(obj)
        key = (obj.namespace, origin.name if origin is not None else obj.name)
        follower = followers.setdefault(key, Follower(family, origin or Origin(obj.name, {})))
        if origin is None:
            follower.members.source = obj
        else:
            follower.members.copies[obj.labels.get(origin.zone_label, "")] = obj
    return list(followers.values())


def is_apps(api_version: Data) -> bool:
    """Whether a reference's apiVersion can mean an apps Deployment; old ones leave it out or say extensions."""
    return not api_version or str(api_version).partition("/")[0] in ("apps", "extensions")


def _fan_out(follower: Follower, placement: Placement, results: Results) -> list[KubeObject]:
    source = follower.members.source
    common: dict[tuple[str, ...], Data] = {}
    if source is not None:
        check_owner(source)
        common = server_fields(source)
        figures = {key: figure for key in (_MIN, _MAX) if (figure := source.get("spec", key)) is not None}
        follower.origin = Origin(source.name, figures, follower.family.origin.settings)
        _warn_of_totals(source, results)
    else:
        copies_there = follower.members.copies
        complete = all(zone.name in copies_there for zone, _ in follower.family.placed)
        for key, value in follower.origin.figures.items():
            present = [copy.get("spec", key) for copy in copies_there.values()]
            if follower.origin.adds_up and 1 not in present:  # a share of 0 was raised to 1, and the sum with it
                warn_of_edit(value, present, follower.members.example, f"spec.{key}", results, complete=complete)
    example = follower.members.example
    family = follower.family.placed
    label = placement.spec.fan_out.zone_label
    if follower.origin.zone_label != label:
        common["metadata", "labels", follower.origin.zone_label] = None
    origin = Origin(follower.origin.name, follower.origin.figures, settings_of(placement))
    common.update(marked(example, placement.name))
    common["metadata", "annotations", ORIGIN] = origin.to_text()
    bounds = _bounds(follower.origin, example, sharing_of(placement), results)
    limit = placement.spec.fan_out.max_name_length
    zones = [zone.name for zone, _ in family]
    columns: dict[tuple[str, ...], Sequence[Data]] = {
        ("metadata", "labels", label): zones,
        (*_TARGET, "name"): [target.name for _, target in family],
        **{("spec", key): shares for key, shares in bounds.items()},
    }
    names = [copy_name(follower.origin.name, zone.suffix, limit) for zone, _ in family]
    copies = place(follower.members, zones, names, columns, common, results)
    _report(follower, bounds, copies[0], results)
    return copies


def _bounds(
    origin: Origin, example: KubeObject, share: Callable[[int], list[int]], results: Results
) -> dict[str, list[int]]:
    """Share the bounds out, so that in no zone the maximum is below the minimum.

    An autoscaler cannot have a bound of 0: it becomes 1, and the total is raised.
    """
    shares = {}
    for key, value in origin.figures.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise ObjectError(f"{value!r} cannot be shared out: it is no number", example, f"spec.{key}")
        shares[key] = share(value)
    low, high = shares.get(_MIN), shares.get(_MAX)
    if low is not None and high is not None and any(most < least for least, most in zip(low, high)):
        # Largest remainders of two totals need not be nested; those of the smaller and of the difference are.
        more = share(origin.figures[_MAX] - origin.figures[_MIN])
        shares[_MAX] = [least + extra for least, extra in zip(low, more)]
    for key, figures in shares.items():
        if min(figures) < 1:
            raised = [max(figure, 1) for figure in figures]
            message = f"{origin.figures[key]} in {len(raised)} zones: at least 1 in each, {sum(raised)} in all"
            results.warning(message, example, f"spec.{key}")
            shares[key] = raised
    return shares


def _warn_of_totals(source: KubeObject, results: Results) -> None:
    raw = source.raw
    for i, metric in enumerate(source.nested_slice("spec", "metrics") if "External" in raw or "Object" in raw else ()):
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
