"""Copies of one object, one per zone: made where they are missing, brought up to date where they are there."""

from __future__ import annotations

from krmfn import hostkeys
from krmfn.kubeobject import dotted

from .origin import ORIGIN, PLACEMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Union

    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from .zonal import Zonal

    Path = tuple[Union[str, int], ...]
    Edits = Mapping[Any, Data]
    Columns = Mapping[Any, Sequence[Data]]

#: Annotations in which a copy and what it would be today may differ: the host's, and ours.
_NOT_COMPARED = (*hostkeys.ROUND_TRIP, hostkeys.SEQ_INDENT, hostkeys.PACKAGE_PATH, ORIGIN, PLACEMENT)
_SHOWN = 5


class Members:
    """What the list came with: the ``source``, or copies of it by zone, or both.

    ``zonal`` makes the edits of single copies that are no scalars; those of an earlier run are taken away already.
    """

    __slots__ = ("copies", "source", "source_stays", "zonal")

    def __init__(
        self, source: KubeObject | None, copies: dict[str, KubeObject], *, source_stays: bool = False
    ) -> None:
        self.source = source
        self.copies = copies
        self.source_stays = source_stays
        self.zonal: Zonal | None = None

    @property
    def example(self) -> KubeObject:
        """What missing copies are made of."""
        return self.source if self.source is not None else next(iter(self.copies.values()))


def place(
    members: Members,
    zones: Sequence[str],
    names: Sequence[str],
    columns: Columns,
    common: Edits,
    results: Results,
    in_lists: Columns = {},  # noqa: B006 - only read
) -> list[KubeObject]:
    """Return the copy for each zone.

    Args:
        members: what the list came with.
        zones: the zone of each copy.
        names: the name of each copy.
        columns: at each path the scalar of each copy.
        common: edits that every copy gets; None removes.
        results: where to say that copies differ.
        in_lists: as ``columns``, for paths with a number of a list's entry in them; None removes.
    """
    present = members.copies
    if members.source is None:
        _report_differences(members, {**columns, **in_lists, **common}, results)
        missing = [i for i, zone in enumerate(zones) if zone not in present]
    else:
        missing = list(range(len(zones)))
    varying = columns
    if len(missing) < len(zones):
        varying = {path: [column[i] for i in missing] for path, column in columns.items()}
    made: dict[int, KubeObject] = {}
    if missing:
        wanted = [names[i] for i in missing]
        has_its_comments = members.source_stays or any(present.get(zone) is members.example for zone in zones)
        head = not has_its_comments
        made = dict(zip(missing, members.example.clones(wanted, varying, common, keep_head_comments=head)))
    for i, copy in made.items() if in_lists else ():
        _edit_lists(copy, in_lists, i)
    copies = []
    renewed: list[tuple[KubeObject, list[str]]] = []
    shared_out = {dotted(path) for path in (*columns, *in_lists)} if members.source_stays else set()
    for i, zone in enumerate(zones):
        old, new = present.get(zone), made.get(i)
        if old is None:
            assert new is not None
            copies.append(new)
        elif new is None:
            own = {path: column[i] for path, column in columns.items()}
            old.merge_nested({("metadata", "name"): names[i], **own, **common})
            _edit_lists(old, in_lists, i)
            copies.append(old)
        else:
            differing = list(_differences(_comparable(old, {}), _comparable(new, {}), ()))
            copies.append(_renewed(old, new, differing, members.zonal))
            if present.keys() != set(zones) or old.name != new.name or old.annotation(ORIGIN) != new.annotation(ORIGIN):
                differing = [field for field in differing if field not in shared_out]  # other shares, as the totals say
            renewed.append((old, differing))
    _report_renewed(renewed, results, source_stays=members.source_stays)
    return copies if members.zonal is None else members.zonal.apply(copies)


def _edit_lists(obj: KubeObject, in_lists: Columns, i: int) -> None:
    """Make the edits of one copy inside lists, one by one; None removes."""
    for path, column in in_lists.items():
        if column[i] is None:
            obj.remove_nested(*path)
        else:
            obj.set_nested(*path, column[i])
    obj.settle()


def _report_renewed(
    renewed: Sequence[tuple[KubeObject, list[str]]], results: Results, *, source_stays: bool
) -> None:
    """Say what copies lose to their source.

    Where the source stays and all copies differ in the same fields, it is the source that was edited, as it should be;
    what differs in one copy alone was set there by hand.
    """
    followed = source_stays and len(renewed) > 1 and all(fields == renewed[0][1] for _, fields in renewed)
    for old, fields in renewed:
        if fields and followed:
            results.info(f"follows its source in {_listed(fields)}", old)
        elif fields:
            results.warning(f"made anew of its source: {_listed(fields)} differed", old)


def _renewed(old: KubeObject, new: KubeObject, differing: list[str], zonal: Zonal | None) -> KubeObject:
    """Return the copy that the list came with if it is what its source says today, else the new one in its place."""
    is_same = not differing and old.name == new.name and old.annotation(ORIGIN) == new.annotation(ORIGIN)
    if is_same and not (zonal is not None and zonal.had_patch(old)):
        return old
    if zonal is not None:
        zonal.renewed(old, new)
    host = {key: old.annotation(key) for key in (*hostkeys.ROUND_TRIP, hostkeys.PACKAGE_PATH)}
    new.merge_nested({("metadata", "annotations", key): value or None for key, value in host.items()})
    new.settle()
    return new


def _report_differences(members: Members, explained: Edits, results: Results) -> None:
    """Say where a copy was edited by hand: the edit stays in its copy, new copies are made of the first."""
    copies = list(members.copies.values())
    first = _comparable(copies[0], explained)
    for copy in copies[1:]:
        differing = list(_differences(first, _comparable(copy, explained), ()))
        if differing:
            results.warning(f"differs from {copies[0].name} in {_listed(differing)}: kept as it is", copy)


def _comparable(obj: KubeObject, explained: Edits) -> Data:
    """Return an object's data without what may differ from copy to copy."""
    data = obj.get()
    gone = [("metadata", "name"), *explained, *(("metadata", "annotations", key) for key in _NOT_COMPARED)]
    for path in gone:
        data = _without(data, path)
    return data


def _without(data: Data, path: Path) -> Data:
    key = path[0]
    if isinstance(data, list) and isinstance(key, int) and key < len(data):
        rest = _without(data[key], path[1:]) if len(path) > 1 else None
        return [*data[:key], rest, *data[key + 1 :]]
    if not isinstance(data, dict) or key not in data:
        return data
    rest = _without(data[key], path[1:]) if len(path) > 1 else None
    return {each: rest if each == key else value for each, value in data.items() if each != key or rest}


def _differences(one: Data, other: Data, path: tuple[str | int, ...]) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            yield from _differences(one.get(key), other.get(key), (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, (left, right) in enumerate(zip(one, other)):
            yield from _differences(left, right, (*path, i))
    elif one != other:
        yield dotted(path)


def _listed(fields: list[str]) -> str:
    more = len(fields) - _SHOWN
    return ", ".join(fields[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
