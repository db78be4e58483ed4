"""The patch that leads from one version of an object to another."""

from __future__ import annotations

from .directives import DELETE, ORDER, PATCH, WHOLE
from .keys import ListKeys
from .merging import merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn.scan import Data

    from .keys import Fields


def difference(old: dict[str, Data], new: dict[str, Data], fields: Fields) -> dict[str, Data]:
    """Return the patch that makes ``new`` of ``old``; empty where they are the same, nulls apart."""
    patch: dict[str, Data] = {key: None for key in old if key not in new}
    for key, value in new.items():
        before, below = old.get(key), fields.get(key)
        if same(before, value):
            continue
        if isinstance(value, dict) and isinstance(before, dict):
            patch[key] = difference(before, value, below if isinstance(below, dict) else {}) if value else dict(WHOLE)
        elif isinstance(value, list) and isinstance(before, list) and isinstance(below, ListKeys):
            patch.update(_list_difference(key, before, value, below))
        else:
            patch[key] = value
    return patch


def _list_difference(name: str, old: list[Data], new: list[Data], keys: ListKeys) -> dict[str, Data]:
    if not (_are_distinct(old, keys) and _are_distinct(new, keys)):
        return {name: [dict(WHOLE), *new]}
    places = {keys.identity(each): i for i, each in enumerate(new)}
    entries: list[Data] = [
        {**keys.name_of(each), PATCH: DELETE} for each in old if keys.identity(each) not in places
    ]
    before = {keys.identity(each): each for each in old}
    for each in new:
        present = before.get(keys.identity(each))
        if present is None:
            entries.append(each)
        elif not same(present, each):
            entries.append({**keys.name_of(each), **difference(present, each, keys.fields)})
    patch: dict[str, Data] = {name: entries} if entries else {}
    order = [keys.identity(each) for each in merge({name: old}, patch, {name: keys})[name]]
    if order != list(places):
        patch[ORDER + name] = [keys.name_of(each) for each in new]
    return patch


def _are_distinct(entries: list[Data], keys: ListKeys) -> bool:
    identities = [keys.identity(each) for each in entries]
    return None not in identities and len(set(identities)) == len(identities)


def same(one: Data, other: Data) -> bool:
    """Whether two values are the same, their types included: ``1`` is neither ``true`` nor ``1.0``."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)
