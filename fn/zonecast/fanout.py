"""One Deployment becomes one copy per zone.

What a copy is, and what it loses, is said in docs/reference.md, "What a copy is". A second run finds the copies by
their origin and gives them the same edits, which then change nothing: there is one path for both.
"""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.hostkeys import PREFIXES, PREVIOUS_NAMES, SUFFIXES

from . import figures
from .checks import check_source
from .conflicts import drop_conflicts
from .copies import Members, place
from .lint import cuts_names, names_itself
from .names import copy_name
from .origin import (
    NODE_SELECTOR,
    ORIGIN,
    PREFERRED,
    REMOVE,
    Origin,
    making,
    marked,
    origin_of,
    role_of,
)
from .placement import is_zonal, settings_of, sharing_of
from .serverfields import server_fields
from .split import REPLICAS
from .workload import DEPLOYMENT, FANNED_OUT, ROLLOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from .argorollout import Rollouts
    from .placement import Placement, Zone
    from .workload import Workload
    from .zonal import Zonal

    Edits = dict[tuple[str, ...], Data]
    Columns = dict[tuple[str, ...], Sequence[Data]]


class Family:
    """A workload that is placed, or the copies of one: ``source`` is None where only the copies are in the list."""

    def __init__(self, workload: Workload, origin: Origin) -> None:
        self.workload = workload
        self.origin = origin
        self.members = [workload]
        self.source: KubeObject | None = None
        #: Whether a copy differs from others in more than scalars, and the edits that make it so.
        self.is_zonal = origin.is_zonal
        self.zonal: Zonal | None = None
        #: The source as it is to stay beside its copies, where it does.
        self.stays: KubeObject | None = None
        #: The copies that the list came with, by zone, and what they were called then.
        self.copies: dict[str, KubeObject] = {}
        self.copy_names: set[str] = set()
        #: (zone, copy) in the order of the zones, once the family is fanned out.
        self.placed: list[tuple[Zone, KubeObject]] = []
        obj = workload.obj
        self.kind = obj.kind
        self.namespace = obj.namespace
        #: What kustomize says about names before and after its prefixes, to tell families apart by.
        kustomized = PREVIOUS_NAMES in obj.raw
        self.previous_names = obj.annotation(PREVIOUS_NAMES).split(",") if kustomized else []
        self.affixes = (obj.annotation(PREFIXES), obj.annotation(SUFFIXES)) if kustomized else ("", "")

    @property
    def members_of_copies(self) -> Members:
        """The source and the copies that the list came with."""
        return Members(self.source, self.copies, source_stays=self.stays is not None)

    @property
    def example(self) -> KubeObject:
        """The source, or a copy to speak for it."""
        return self.source if self.source is not None else next(iter(self.copies.values()))

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.origin.name

    @property
    def current_names(self) -> list[str]:
        """The names of the workloads that are in the list now."""
        return [copy.name for _, copy in self.placed] or [member.obj.name for member in self.members]

    @property
    def representative(self) -> KubeObject:
        """An object of the list that speaks for the family now."""
        return self.placed[0][1] if self.placed else self.members[0].obj

    @property
    def names(self) -> set[str]:
        """Every name by which another object may call the family."""
        return {self.origin.name, *self.previous_names, *self.copy_names}


def find_families(workloads: Iterable[Workload]) -> list[Family]:
    """Return a family for each source, and for each set of copies whose source is not in the list."""
    families: dict[tuple[str, str, str], Family] = {}
    for workload in workloads:
        obj = workload.obj
        origin = origin_of(obj)
        key = (obj.kind, obj.namespace, origin.name if origin is not None else obj.name)
        family = families.get(key)
        if family is None:
            family = families[key] = Family(workload, origin or Origin(obj.name, {}))
        else:
            family.members.append(workload)
        if origin is not None:
            family.copies[obj.labels.get(origin.zone_label, "")] = obj
            family.copy_names.add(obj.name)
            family.is_zonal = family.is_zonal or origin.is_zonal
        elif family.source is None:
            family.source, family.workload = obj, workload
        else:
            raise ObjectError(f"stands twice in the list: also as {family.source.describe()}", obj, "metadata.name")
    return list(families.values())


class FanOut:
    """Fans families out, one at a time; ``replacements`` collects what takes whose place in the list."""

    def __init__(self, resources: ResourceList, placement: Placement, referrers: Iterable[KubeObject]) -> None:
        self.resources = resources
        self.placement = placement
        self.zones: Sequence[Zone] = placement.spec.zones or ()
        self._zone_names = [zone.name for zone in self.zones]
        self.options = placement.spec.fan_out
        self._share = sharing_of(placement)
        self._settings = settings_of(placement, self._share)
        self._is_zonal = is_zonal(placement.spec)
        self.replacements: dict[KubeObject, Sequence[KubeObject]] = {}
        self._autoscaled = figures.autoscaled(referrers if self.options.autoscalers != "Ignore" else ())
        self._taken = {(obj.kind, obj.namespace, obj.name): obj for obj in resources if obj.kind in FANNED_OUT}
        self._rollouts: Rollouts | None = None

    def set_aside(self, family: Family) -> None:
        """Take the source of a family as it came, where it is to stay, and from copies what only their zones have."""
        if self._is_zonal or family.is_zonal:
            from .zonal import Zonal  # noqa: PLC0415 - most copies differ in scalars alone

            family.zonal = Zonal(self.resources, self.placement.spec, family.workload.template)
            for copy in family.copies.values():
                family.zonal.undo(copy)
        if self.options.source != REMOVE and family.source is not None:
            from .source import staying  # noqa: PLC0415 - most sources go

            family.stays = staying(family.source, self.options.source)

    def fan_out(self, family: Family) -> None:
        """Make the copies of one family, or bring the ones that are there up to date.

        Raises:
            ObjectError: it cannot be fanned out.
        """
        rollouts = self._kind(family)
        if family.copies:
            from .doubleclaims import check_maker  # noqa: PLC0415 - a second run only

            check_maker(family.copies.values(), self.placement)
        if family.source is not None:
            self._read_source(family, family.source, rollouts)
        else:
            self._read_copies(family)
        names = [copy_name(family.origin.name, zone.suffix, self.options.max_name_length) for zone in self.zones]
        self._check_names(family, names)
        cuts_names(family.origin.name, names, family.example, self.resources.results)
        total = self._total(family)
        shares = self._shares(family, total)
        columns, in_lists = self._columns(family, shares, total), {}
        if rollouts is not None:
            in_lists = rollouts.add_columns(columns, family, shares, total)
        origin = self._new_origin(family)
        common = self._common_edits(family, origin)
        family.origin = origin
        members, results = family.members_of_copies, self.resources.results
        members.zonal = family.zonal
        copies = place(members, self._zone_names, names, columns, common, results, in_lists)
        family.placed = list(zip(self.zones, copies))
        figures.report(family.origin, self.zones, shares, copies[0], self.resources.results)
        present = [obj for obj in (family.source, *family.copies.values()) if obj is not None]
        self.replacements.update(dict.fromkeys(present[1:], ()))
        self.replacements[present[0]] = copies if family.stays is None else [family.stays, *copies]
        if self.options.source != REMOVE or (family.source is not None and role_of(family.source)):
            from .source import report  # noqa: PLC0415

            report(family, self.options.source, self.resources.results)
        if family.source is not None:
            family.source.forget()

    def _read_source(self, family: Family, source: KubeObject, rollouts: Rollouts | None) -> None:
        """Check a source, and remember of it what its copies will not show any more."""
        if rollouts is not None:
            rollouts.check(family.workload)
        check_source(self.resources, family.workload, self.placement.spec)
        names_itself(family.workload, self.resources.results)
        self._drop_conflicts(family.workload)
        counted = figures.of_source(source)
        if rollouts is not None:
            counted.update(rollouts.figures(source))
        family.origin = Origin(source.name, counted, self._settings_for(source))

    def _read_copies(self, family: Family) -> None:
        """Say what a second run changes of copies whose source is not in the list, and drop what fights a new pin."""
        self._warn_of_edits(family)
        if family.origin.pin == PREFERRED or family.origin.topology_key != self.options.topology_key:
            for member in family.members:
                self._drop_conflicts(member)
        if self.options.rollout and "rollout" not in family.origin.settings:
            wave = self._settings_for(family.example).get("wave")
            family.origin.settings.update({} if wave is None else {"wave": wave})

    def _kind(self, family: Family) -> Rollouts | None:
        """Return what Rollouts have beyond Deployments, where the family is one of them.

        Raises:
            ObjectError: a kind that cannot be fanned out.
        """
        if family.kind == DEPLOYMENT:
            return None
        if not family.example.is_group_kind("argoproj.io", ROLLOUT):
            raise ObjectError(_why_not(family.example), family.example)
        if self._rollouts is None:
            from .argorollout import Rollouts  # noqa: PLC0415 - most lists have Deployments alone

            self._rollouts = Rollouts(self.resources, self.placement)
        return self._rollouts

    def _warn_of_edits(self, family: Family) -> None:
        """Say what a second run will not keep: a figure set by hand, and what another topologyKey had dropped."""
        results, origin = self.resources.results, family.origin
        present = [copy.get("spec", REPLICAS) for copy in family.copies.values()]
        complete = all(zone.name in family.copies for zone in self.zones)
        total = origin.figures.get(REPLICAS)
        if origin.adds_up:
            figures.warn_of_edit(total, present, family.example, "spec.replicas", results, complete=complete)
        if origin.pin != PREFERRED and self.options.pin == PREFERRED:
            message = "was pinned by force: spread and anti-affinity dropped for it do not come back"
            results.warning(message, family.example)
        elif origin.topology_key != self.options.topology_key:
            message = f"was pinned by {origin.topology_key}: spread and anti-affinity dropped for it do not come back"
            results.warning(message, family.example)

    def _drop_conflicts(self, workload: Workload) -> None:
        hard = self.options.pin != PREFERRED
        drop_conflicts(workload, self.options.topology_key, self.resources.results, hard=hard)

    def _check_names(self, family: Family, names: Iterable[str]) -> None:
        own = list(family.copies.values())
        for name in names:
            other = self._taken.get((family.kind, family.namespace, name))
            if other is not None and other not in own:
                message = f"its copy would be {name}, and that is the name of {other.describe()}"
                raise ObjectError(message, family.example, "metadata.name")

    def _total(self, family: Family) -> int | None:
        autoscaled = any((family.kind, family.namespace, name) in self._autoscaled for name in family.names)
        results = self.resources.results
        each = self.options.replicas == "Each"
        return figures.total(family.origin, family.example, results, has_autoscaler=autoscaled, each=each)

    def _shares(self, family: Family, total: int | None) -> list[int] | None:
        if total is not None:
            results = self.resources.results
            return self._share.of(REPLICAS, total, family.example, "spec.replicas", results)
        if REPLICAS in self._share.fixed:
            from .fixed import without_total  # noqa: PLC0415 - few Placements fix a figure

            without_total(self._share, family.example, self.resources.results)
        return None

    def _columns(self, family: Family, shares: Sequence[int] | None, total: int | None) -> Columns:
        """Return what makes each copy the copy of its zone: at each path the value of each."""
        template = family.workload.template
        label = self.options.zone_label
        zones = self._zone_names
        columns: Columns = {
            ("metadata", "labels", label): zones,
            ("spec", "selector", "matchLabels", label): zones,
            (*template, "metadata", "labels", label): zones,
        }
        if self.options.pin == NODE_SELECTOR:
            columns[(*template, "spec", "nodeSelector", self.options.topology_key)] = zones
        if self.options.rollout:
            from .rollout import WAVE, waves  # noqa: PLC0415 - on request

            columns[WAVE] = waves(family.origin, len(zones))
        if shares is not None and total is not None:
            columns["spec", "replicas"] = shares
            strategies = [figures.strategy(family.origin, family.example, share, total) for share in shares]
            columns.update({path: [each[path] for each in strategies] for path in strategies[0]})
        return columns

    def _common_edits(self, family: Family, origin: Origin) -> Edits:
        """Return what every copy gets: its memory of the source, and nothing that only the source's cluster wrote.

        The family still has the origin of the last run, which says what to undo; ``origin`` is today's.
        """
        edits: Edits = {} if family.source is None else server_fields(family.source)
        edits.update(self._undone(family))
        edits.update(marked(family.example, self.placement.name))
        edits["metadata", "annotations", ORIGIN] = origin.to_text()
        return edits

    def _settings_for(self, source: KubeObject) -> dict[str, Data]:
        """Return what the copies' origin remembers of how they are held; the source's wave, too, where it counts."""
        if not self.options.rollout:
            return self._settings
        from .rollout import own_wave  # noqa: PLC0415

        return {**self._settings, **own_wave(source)}

    def _new_origin(self, family: Family) -> Origin:
        """Return the origin of copies that are made today; the wave is the source's, whichever run saw it."""
        wave = family.origin.settings.get("wave")
        settings = {**self._settings, "wave": wave} if wave is not None and self.options.rollout else self._settings
        settings = {**settings, **making(family.example, self.placement.name)}
        return Origin(family.origin.name, family.origin.figures, settings)

    def _undone(self, family: Family) -> Edits:
        """Return the removal of a pin and label that another topologyKey or zoneLabel left on the copies."""
        template = family.workload.template
        edits: Edits = {}
        old_key, old_label = family.origin.topology_key, family.origin.zone_label
        now = self.options.topology_key, self.options.pin
        if family.origin.pin == NODE_SELECTOR and (old_key, NODE_SELECTOR) != now:
            edits[(*template, "spec", "nodeSelector", old_key)] = None
        if old_label != self.options.zone_label:
            labels = (("metadata", "labels"), ("spec", "selector", "matchLabels"), (*template, "metadata", "labels"))
            for path in labels:
                edits[(*path, old_label)] = None
        if family.source is None and not self.options.rollout and family.origin.settings.get("rollout"):
            from .rollout import undone  # noqa: PLC0415

            edits.update(undone(family.origin))
        return edits


def _why_not(obj: KubeObject) -> str:
    kind = f"{obj.kind} of {obj.group}" if obj.kind in FANNED_OUT else obj.kind
    if kind == "StatefulSet":
        return "a StatefulSet cannot be fanned out: its pods' names and volumes belong to its own name"
    return f"zones fans out Deployments and Rollouts, not a {kind}: exclude it, or place it in another Placement"
