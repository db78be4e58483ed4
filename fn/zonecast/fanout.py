"""One Deployment becomes one copy per zone.

What a copy is, and what it loses, is said in docs/reference.md, "What a copy is". A second run finds the copies by their
origin and gives them the same edits, which then change nothing: there is one path for both.
"""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.kubeobject import dotted

from . import figures
from .checks import check_source
from .conflicts import drop_conflicts
from .names import copy_name
from .origin import ORIGIN, Origin, mark, origin_of
from .serverfields import drop_server_fields
from .split import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krmfn import KubeObject, ResourceList, Results

    from .placement import Placement, Zone
    from .workload import Workload


class Family:
    """The copies of one source: ``source`` is None in a second run, when only the copies are there."""

    def __init__(self, workload: Workload, origin: Origin, source: KubeObject | None) -> None:
        self.workload = workload
        self.origin = origin
        self.source = source
        self.copies: dict[str, KubeObject] = {}
        #: (zone, copy) in the order of the zones, once it is fanned out.
        self.placed: list[tuple[Zone, KubeObject]] = []

    @property
    def example(self) -> KubeObject:
        """The source, or a copy to speak for it."""
        return self.source if self.source is not None else next(iter(self.copies.values()))

    @property
    def namespace(self) -> str:
        """The namespace of the family."""
        return self.example.namespace


def fan_out(resources: ResourceList, workloads: Iterable[Workload], placement: Placement) -> list[Family]:
    """Replace each Deployment by its copies.

    Raises:
        ObjectError: a workload that cannot be fanned out.
    """
    zones = placement.spec.zones
    if not zones:
        return []
    families = find_families(workloads, placement.spec.fan_out.zone_label)
    autoscaled = figures.autoscaled(resources)
    replacements: dict[KubeObject, Sequence[KubeObject]] = {}
    taken = {(obj.kind, obj.namespace, obj.name): obj for obj in resources if obj.kind == "Deployment"}
    for family in families:
        if family.source is not None:
            check_source(resources, family.workload, placement.spec)
            _prepare(family, placement, resources.results)
        _place(family, placement, resources.results, has_autoscaler=figures.is_autoscaled(family.example, autoscaled))
        _check_names(family, taken)
        replacements.update(_replacements(family))
    resources.replace(replacements)
    return families


def find_families(workloads: Iterable[Workload], zone_label: str) -> list[Family]:
    """Return a family for each source, and for each set of copies whose source is not in the list."""
    families: dict[tuple[str, str, str], Family] = {}
    for workload in workloads:
        obj = workload.obj
        if obj.kind != "Deployment":
            raise ObjectError(_why_not(obj.kind), obj)
        origin = origin_of(obj)
        key = (obj.kind, obj.namespace, origin.name if origin is not None else obj.name)
        family = families.get(key)
        if origin is None:
            source = Family(workload, Origin(obj.name, {}), obj)
            source.copies = family.copies if family is not None else {}
            families[key] = source
            continue
        if family is None:
            family = families[key] = Family(workload, origin, None)
        family.copies[obj.labels.get(zone_label, "")] = obj
    return list(families.values())


def _why_not(kind: str) -> str:
    if kind == "StatefulSet":
        return "a StatefulSet cannot be fanned out: its pods' names and volumes belong to its own name"
    return f"zones fans out Deployments, not a {kind}: exclude it, or place it in another Placement"


def _prepare(family: Family, placement: Placement, results: Results) -> None:
    """Do to the source what every copy needs, once."""
    source = family.source
    assert source is not None
    drop_server_fields(source)
    drop_conflicts(family.workload, placement.spec.fan_out.topology_key, results)
    family.origin = Origin(source.name, figures.of_deployment(source))
    source.set_annotation(ORIGIN, family.origin.to_text())
    mark(source, placement.name)


def _place(family: Family, placement: Placement, results: Results, *, has_autoscaler: bool) -> None:
    zones = placement.spec.zones or []
    fan = placement.spec.fan_out
    total = figures.total(family.origin, family.example, results, has_autoscaler=has_autoscaler)
    shares = split(total, [zone.weight for zone in zones]) if total is not None else [None] * len(zones)
    template = family.example
    path = family.workload.template
    for i, (zone, share) in enumerate(zip(zones, shares)):
        name = copy_name(family.origin.name, zone.suffix, fan.max_name_length)
        copy = family.copies.get(zone.name)
        if copy is None:
            copy = template.clone(name, keep_head_comments=not i)
        else:
            copy.set_name(name)
        copy.set_label(fan.zone_label, zone.name)
        copy.set_nested("spec", "selector", "matchLabels", fan.zone_label, zone.name)
        copy.set_nested(*path, "metadata", "labels", fan.zone_label, zone.name)
        copy.set_nested(*path, "spec", "nodeSelector", fan.topology_key, zone.name)
        if share is not None and total is not None:
            copy.set_nested("spec", "replicas", share)
            figures.scale_strategy(copy, family.origin, share, total)
        mark(copy, placement.name)
        family.placed.append((zone, copy))
    figures.report(family.origin, zones, shares, family.placed[0][1], results)


def _check_names(family: Family, taken: dict[tuple[str, str, str], KubeObject]) -> None:
    own = set(family.copies.values())
    for _, copy in family.placed:
        other = taken.get((copy.kind, copy.namespace, copy.name))
        if other is not None and other not in own and other is not copy:
            message = f"its copy would be {copy.name}, and that is the name of {other.describe()}"
            raise ObjectError(message, family.example, dotted(("metadata", "name")))


def _replacements(family: Family) -> dict[KubeObject, Sequence[KubeObject]]:
    """Copies take the place of the source, or of the first copy that was there; zones that are gone take theirs along."""
    copies = [copy for _, copy in family.placed]
    if family.source is not None:
        gone: dict[KubeObject, Sequence[KubeObject]] = {old: () for old in family.copies.values()}
        return {**gone, family.source: copies}
    first, *others = family.copies.values()
    return {first: copies, **{old: () for old in others}}
