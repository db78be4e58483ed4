"""A patch merged into plain data.

A mapping merges, null takes a key out, a list with a merge key (keys.py) merges entry by entry, any other list is
replaced. Entries keep their order, new ones come last. A null in the data counts as absent.
"""

from __future__ import annotations

from krmfn.errors import PatchError

from .directives import DELETE, ORDER, PATCH, REPLACE, RETAIN, WHOLE, is_directive
from .keys import Ambiguous, ListKeys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Union

    from krmfn.scan import Data

    from .keys import Fields

    Path = tuple[Union[str, int], ...]
    Below = Union[Fields, ListKeys, None]

_ABSENT: Any = object()


def merge(data: dict[str, Data], patch: dict[str, Data], fields: Fields, path: Path = ()) -> dict[str, Data]:
    """Return ``data`` with a patch that has no ``problems`` merged into it.

    Args:
        data: the object, or a mapping in it; it stays as it is.
        patch: what to merge.
        fields: the merge keys of lists below.
        path: where the patch is, for messages.

    Raises:
        PatchError: an entry of the patch could mean several of a list.
    """
    result = {} if patch.get(PATCH) == REPLACE else dict(data)
    for key, value in patch.items():
        if is_directive(key):
            continue
        new = _merged(result.get(key), value, fields.get(key), (*path, key))
        if new is _ABSENT:
            result.pop(key, None)
        else:
            result[key] = new
    retained = patch.get(RETAIN)
    if retained is not None:
        result = {key: value for key, value in result.items() if key in retained}
    for key, order in patch.items():
        name = key.removeprefix(ORDER)
        if name != key and result.get(name):
            result[name] = _ordered(result[name], order, _list_keys(fields, name), (*path, key))
    return result


def _merged(old: Data, value: Data, below: Below, path: Path) -> Data:
    if value is None or (isinstance(value, dict) and value.get(PATCH) == DELETE):
        return _ABSENT
    if isinstance(value, dict):
        return merge(old if isinstance(old, dict) else {}, value, below if isinstance(below, dict) else {}, path)
    if not isinstance(value, list):
        return value
    if isinstance(below, ListKeys) and WHOLE not in value:
        return _merged_list(old if isinstance(old, list) else [], value, below, path)
    rest = [each for each in value if each != WHOLE]
    if not isinstance(below, ListKeys):
        return rest
    return [merge({}, each, below.fields, path) for each in rest if each.get(PATCH) != DELETE]


def _merged_list(old: list[Data], patch: list[Data], keys: ListKeys, path: Path) -> list[Data]:
    result = list(old)
    for i, each in enumerate(patch):
        at = _find(keys, result, each, (*path, i))
        if each.get(PATCH) == DELETE:
            if at is not None:
                del result[at]
            continue
        new = merge({} if at is None else result[at], each, keys.fields, (*path, i))
        if at is None:
            result.append(new)
        else:
            result[at] = new
    return result


def _ordered(entries: list[Data], order: list[Data], keys: ListKeys, path: Path) -> list[Data]:
    """Return entries in the given order; one that is not listed stays behind the one that it stands behind."""
    ranks: dict[int, int] = {}
    for rank, each in enumerate(order):
        at = _find(keys, entries, each, (*path, rank))
        if at is not None:
            ranks[at] = rank
    head: list[Data] = []
    groups: list[tuple[int, list[Data]]] = [(-1, head)]
    for i, each in enumerate(entries):
        if i in ranks:
            groups.append((ranks[i], []))
        groups[-1][1].append(each)
    groups.sort(key=_rank)
    return [each for _, group in groups for each in group]


def _rank(group: tuple[int, list[Data]]) -> int:
    return group[0]


def _find(keys: ListKeys, entries: Sequence[Data], entry: Data, path: Path) -> int | None:
    try:
        return keys.find(entries, entry)
    except Ambiguous as reason:
        raise PatchError(f"could mean several: {reason}", path) from None


def _list_keys(fields: Fields, name: str) -> ListKeys:
    below = fields.get(name)
    assert isinstance(below, ListKeys), "a patch is checked before it is merged"
    return below
