"""What is wrong with a patch, whatever it is merged into."""

from __future__ import annotations

from krmfn.config import describe, nearest

from .directives import DELETE, DELETE_PRIMITIVES, MERGE, ORDER, PATCH, REPLACE, RETAIN, WHOLE, is_directive
from .keys import ListKeys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Union

    from krmfn.scan import Data

    from .keys import Fields

    Path = tuple[Union[str, int], ...]
    Problem = tuple[Path, str]

_ACTIONS = (REPLACE, DELETE, MERGE)


def problems(patch: dict[str, Data], fields: Fields, path: Path = ()) -> Iterator[Problem]:
    """Yield (path, message) for all that is wrong with a patch, whatever it is merged into."""
    for key, value in patch.items():
        where = (*path, key)
        if is_directive(key):
            yield from _directive_problems(patch, key, fields, where)
            continue
        below = fields.get(key)
        if value is None:
            continue
        if isinstance(below, ListKeys):
            yield from _list_problems(value, below, where)
        elif isinstance(value, dict):
            yield from problems(value, below or {}, where)
        elif below is not None:
            yield where, f"must be a mapping, got {describe(value)}"
        elif isinstance(value, list):
            yield from _plain_list_problems(value, where)


def _directive_problems(patch: dict[str, Data], key: str, fields: Fields, path: Path) -> Iterator[Problem]:
    value = patch[key]
    if key == PATCH:
        if value not in _ACTIONS:
            near = nearest(value, _ACTIONS) if isinstance(value, str) else ""
            yield path, f"must be one of {', '.join(_ACTIONS)}, got {describe(value)}{near}"
        elif value == DELETE and len(path) == 1:
            yield path, "would leave nothing of the object"
        elif value == DELETE:
            yield from _not_read(patch, (PATCH,), path[:-1])
        return
    if key == RETAIN:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            yield path, f"must be a list of keys, got {describe(value)}"
            return
        for each in patch:
            if not is_directive(each) and each not in value:
                yield path, f'must name every key that is given beside it: "{each}" is missing'
        return
    name = key.removeprefix(ORDER)
    if name != key:
        below = fields.get(name)
        if isinstance(below, ListKeys) and isinstance(value, list):
            yield from _list_problems(value, below, path)
        elif isinstance(below, ListKeys):
            yield path, f"must be a list, got {describe(value)}"
        else:
            yield path, f"{name} is no list with a merge key: give the whole list in its order"
    elif key.startswith(DELETE_PRIMITIVES):
        yield path, f"{key[len(DELETE_PRIMITIVES):]} is no list that merges value by value: give the whole list"
    else:
        known = (PATCH, RETAIN, ORDER)
        yield path, f"unknown directive{nearest(key, known)} (directives: $patch, $retainKeys, $setElementOrder/<list>)"


def _not_read(patch: dict[str, Data], read: Sequence[str], path: Path) -> Iterator[Problem]:
    """Yield the keys that mean nothing beside ``$patch: delete``."""
    return (((*path, key), "is not read beside $patch: delete") for key in patch if key not in read)


def _list_problems(value: Data, keys: ListKeys, path: Path) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield path, f"must be a list, got {describe(value)}"
        return
    seen: dict[Any, int] = {}
    for i, each in enumerate(value):
        where = (*path, i)
        if each == WHOLE:
            continue
        if not isinstance(each, dict):
            yield where, f"must be a mapping, got {describe(each)}"
            continue
        identity = keys.identity(each)
        if identity is None:
            yield (*where, keys.key), f"required: entries of this list are merged by their {keys.key}"
            continue
        if not keys.second or keys.default is not None:
            first = seen.setdefault(identity, i)
            if first != i:
                yield (*where, keys.key), f"{describe(each[keys.key])} is also that of entry {first}"
        if each.get(PATCH) == DELETE:
            yield from _not_read(each, (PATCH, keys.key, keys.second), where)
            continue
        yield from problems(each, keys.fields, where)


def _plain_list_problems(value: list[Data], path: Path) -> Iterator[Problem]:
    """Yield what is wrong with a list that is replaced as a whole: it holds values, no directives."""
    for i, each in enumerate(value):
        if each != WHOLE:
            yield from _stray_directives(each, (*path, i))


def _stray_directives(value: Data, path: Path) -> Iterator[Problem]:
    if isinstance(value, dict):
        for key, each in value.items():
            if is_directive(key):
                yield (*path, key), "this list has no merge key and is replaced as a whole: give entries as they are"
            else:
                yield from _stray_directives(each, (*path, key))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from _stray_directives(each, (*path, i))
