"""What is the same for every follower: a copy for each zone, its memory of the source, shares, a line about them."""

from __future__ import annotations

from krmfn import ObjectError

from ..checks import check_owner
from ..copies import Members, place
from ..figures import warn_of_edit
from ..names import copy_name
from ..origin import KEEP, ORIGIN, SPLIT, TEMPLATE, Origin, marked, origin_of
from ..placement import settings_of, sharing_of
from ..serverfields import server_fields
from ..shapes import check
from ..split import EACH, FIXED, Sharing
from .kind import dotted_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from krmfn import KubeObject, ResourceList, Results
    from krmfn.scan import Data

    from ..fanout import Family
    from ..placement import Placement, Zone
    from .kind import Kind, Path, Shares


class Follower:
    """An object that follows families, or in a second run its copies."""

    def __init__(self, kind: Kind, obj: KubeObject) -> None:
        self.kind = kind
        self.origin = origin_of(obj) or Origin(obj.name, {})
        self.members = Members(None, {})
        #: Where the object (an example of them) names families.
        self.targets: Sequence[tuple[Path, Family]] = ()
        self.placed: list[KubeObject] = []

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.origin.name

    @property
    def present(self) -> list[KubeObject]:
        """What the list came with."""
        members = self.members
        return [obj for obj in (members.source, *members.copies.values()) if obj is not None]

    def add(self, obj: KubeObject, targets: Sequence[tuple[Path, Family]]) -> None:
        """Add the source, or one of the copies."""
        origin = origin_of(obj)
        if origin is None:
            self.members.source = obj
        else:
            self.members.copies[obj.labels.get(origin.zone_label, "")] = obj
        if origin is None or not self.targets:
            self.targets = targets

    def replacements(self, source: str) -> dict[KubeObject, Sequence[KubeObject]]:
        """Return what takes whose place in the list; ``source`` says what becomes of sources.

        A template stays for tools. One that is kept would count the pods of the copies, too: it goes.
        """
        first, *others = self.present
        if self.members.source_stays and not self.kind.stays:
            from ..source import staying  # noqa: PLC0415 - most sources go

            return {**dict.fromkeys(others, ()), first: [staying(first, source), *self.placed]}
        return {**dict.fromkeys(others, ()), first: [first, *self.placed] if self.members.source_stays else self.placed}


def fan_out(follower: Follower, placement: Placement, resources: ResourceList, share: Sharing) -> list[KubeObject]:
    """Make the copies of a follower, or bring the ones that are there up to date; report what cannot be."""
    try:
        follower.placed = _placed(follower, placement, resources.results, share)
    except ObjectError as error:
        resources.results.collect(error)
    return follower.placed


def _placed(follower: Follower, placement: Placement, results: Results, share: Sharing) -> list[KubeObject]:
    kind, members, options = follower.kind, follower.members, placement.spec.fan_out
    needed = kind.stays or options.source == TEMPLATE or (kind.is_kept and options.source == KEEP)
    members.source_stays = members.source is not None and needed
    zones: Sequence[Zone] = placement.spec.zones or ()
    example, common = members.example, _common(follower, placement, share, results)
    figures = follower.origin.figures
    if members.source is None:
        _warn_of_edits(follower, len(zones), results)
    shares = kind.shares(figures, share, example, results)
    limit = min(options.max_name_length, kind.name_limit)
    named = {key: [copy_name(name, zone.suffix, limit) for zone in zones] for key, name in kind.names(figures).items()}
    labels = [zone.name for zone in zones]
    columns: dict[Path, Sequence[Data]] = {(*path, options.zone_label): labels for path in kind.zone_labels}
    for path, family in follower.targets:
        columns[path] = [copy.name for _, copy in family.placed]
    if options.rollout:  # an autoscaler whose target is not there yet is unhealthy, and its wave would wait for it
        from ..rollout import WAVE, waves  # noqa: PLC0415 - on request

        columns[WAVE] = waves(Origin("", {}, _wave(follower)), len(zones))
    columns.update({kind.path(key): column for key, column in {**shares, **named}.items()})
    own_names = [copy_name(follower.name, zone.suffix, limit) for zone in zones]
    in_lists = {path: columns.pop(path) for path in list(columns) if int in map(type, path)}
    in_lists.update({path: [common.pop(path)] * len(zones) for path in list(common) if int in map(type, path)})
    copies = place(members, labels, own_names, columns, common, results, in_lists)
    _report(follower, labels, share, shares, copies[0], results)
    return copies


def _wave(follower: Follower) -> dict[str, Data]:
    """Return the wave of the source, which copies remember once they have their own."""
    from ..rollout import own_wave  # noqa: PLC0415

    settings = follower.origin.settings
    if follower.members.source is None and "rollout" in settings:
        return {"wave": settings["wave"]} if "wave" in settings else {}
    return own_wave(follower.members.example)


def in_each(placement: Placement) -> Sharing:
    """Return how a figure is given to each zone as it is."""
    share = sharing_of(placement)
    each = Sharing(EACH, [1] * len(share.weights), 1, share.fixed)
    each.memory = FIXED if each.fixed and share.memory == SPLIT else share.memory
    return each


def _common(follower: Follower, placement: Placement, share: Sharing, results: Results) -> dict[Any, Data]:
    """Return what every copy gets: its memory of the source, and nothing that was the source's alone."""
    source, kind = follower.members.source, follower.kind
    common: dict[Any, Data] = {}
    if source is not None:
        check(source, kind.shape)
        check_owner(source)
        kind.check(source, results)
        common.update(server_fields(source))
        common.update(dict.fromkeys(kind.dropped(source)))
        follower.origin = Origin(source.name, kind.figures(source), settings_of(placement, share))
    old_label = follower.origin.zone_label
    if old_label != placement.spec.fan_out.zone_label:
        common.update({(*path, old_label): None for path in kind.zone_labels})
    settings = settings_of(placement, share)
    if placement.spec.fan_out.rollout:
        settings.update(_wave(follower))
    elif source is None and follower.origin.settings.get("rollout"):
        from ..rollout import undone  # noqa: PLC0415

        common.update(undone(follower.origin))
    origin = Origin(follower.name, follower.origin.figures, settings)
    common.update(marked(follower.members.example, placement.name))
    common["metadata", "annotations", ORIGIN] = origin.to_text()
    return common


def _warn_of_edits(follower: Follower, zones: int, results: Results) -> None:
    """Warn where the copies' figures are no shares of the source's: one was set by hand and is set again."""
    kind, copies = follower.kind, follower.members.copies
    names = kind.names(follower.origin.figures)
    if not follower.origin.adds_up:
        return
    for key, value in follower.origin.figures.items():
        if key in names:
            continue
        path = kind.path(key)
        present = [_number(copy.get(*path)) for copy in copies.values()]
        whole = _number(value)
        # A share of 0 was raised to 1, and the sum with it; all equal to the whole are those of Copy.
        if 1 not in present and any(each != whole for each in present):
            complete = len(copies) >= zones
            warn_of_edit(whole, present, follower.members.example, dotted_path(path), results, complete=complete)


def _number(value: Data) -> Data:
    return int(value) if isinstance(value, str) and value.isdigit() else value


def _report(
    follower: Follower, zones: Sequence[str], share: Sharing, shares: Shares, copy: KubeObject, results: Results
) -> None:
    """Say each split in one line that a person can check."""
    joined = [key for key in follower.kind.bounds if key in shares]
    groups = [(joined, "")] if joined else []
    groups += [([key], f"{_short(key)} ") for key in shares if key not in joined]
    for keys, label in groups or [([], "")]:
        whole = "-".join(str(follower.origin.figures[key]) for key in keys)
        parts = ["-".join([str(shares[key][i]) for key in keys]) for i in range(len(zones))]
        if share.fixed:
            parts = [part + _own(follower.kind, keys, share, i) for i, part in enumerate(parts)]
        each = ", ".join(f"{zone} {part}".rstrip() for zone, part in zip(zones, parts))
        total = f": {label}{whole}" if whole else ""
        results.info(f"{follower.name}{total} -> {each}", copy)


def _own(kind: Kind, keys: Sequence[str], share: Sharing, zone: int) -> str:
    """Return what says that a zone has figures for itself."""
    purposes = [kind.bounds.get(key, "") for key in keys]
    fixed = [each for each in purposes if each in share.fixed and share.fixed[each][zone] is not None]
    if not fixed:
        return ""
    return " (fixed)" if len(fixed) == len(keys) else f" ({fixed[0]} fixed)"


def _short(key: str) -> str:
    """Return a figure's key as the line about it says it: ``triggers[0] desiredReplicas``."""
    return key.replace(".metadata.", " ")
