"""An object takes the content of other data, with the smallest edits of its text that lead there."""

from __future__ import annotations

from krmfn.edit import Stays
from krmfn.errors import PatchError

from .checking import problems
from .differing import same
from .keys import ListKeys, of_template
from .merging import merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Union

    from krmfn import KubeObject
    from krmfn.scan import Data

    from .keys import Fields

    Path = tuple[Union[str, int], ...]
    Below = Union[Fields, ListKeys, None]


def merge_patch(obj: KubeObject, patch: dict[str, Data], template: Sequence[str]) -> None:
    """Merge a strategic merge patch into an object whose pod template is at ``template``.

    Raises:
        PatchError: the patch is wrong, or could mean several entries of a list.
    """
    fields = of_template(template)
    for path, message in problems(patch, fields):
        raise PatchError(message, path)
    adopt(obj, merge(obj.get(), patch, fields), fields)


def adopt(obj: KubeObject, new: dict[str, Data], fields: Fields) -> None:
    """Give ``obj`` the content ``new``; entries of lists with a merge key in ``fields`` keep their own text."""
    _adopt(obj, (), obj.get(), new, fields)


def _adopt(obj: KubeObject, path: Path, old: Data, new: Data, below: Below) -> None:
    if same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict) and old and new:
        fields = below if isinstance(below, dict) else {}
        for key, value in new.items():
            if key in old:
                _adopt(obj, (*path, key), old[key], value, fields.get(key))
            else:
                obj.set_nested(*path, key, value)
        for key in old:  # last: a mapping that is empty for a moment would be gone
            if key not in new:
                obj.remove_nested(*path, key)
    elif isinstance(old, list) and isinstance(new, list) and old and new:
        keys = below if isinstance(below, ListKeys) else None
        places = _places_by_value(old, new) if keys is None else _places_by_key(old, new, keys)
        for place, each in zip(places, new):
            if place is not None:
                _adopt(obj, (*path, place), old[place], each, keys.fields if keys else None)
        if places != list(range(len(old))):
            entries = [each if place is None else Stays(place) for place, each in zip(places, new)]
            obj.arrange_nested(*path, entries)
    else:
        obj.set_nested(*path, new)


def _places_by_key(old: list[Data], new: list[Data], keys: ListKeys) -> list[int | None]:
    """Return for each new entry which of the old ones it is; of several with one key, one after the other."""
    places: dict[object, list[int]] = {}
    for i in reversed(range(len(old))):
        places.setdefault(keys.identity(old[i]), []).append(i)
    found: list[int | None] = []
    for each in new:
        known = places.get(keys.identity(each))
        found.append(known.pop() if known else None)
    return found


def _places_by_value(old: list[Data], new: list[Data]) -> list[int | None]:
    """Return for each new entry the old one in whose place it stands: an equal one, or a scalar for a scalar."""
    places: dict[str, list[int]] = {}
    for i in reversed(range(len(old))):
        places.setdefault(repr(old[i]), []).append(i)
    found: list[int | None] = []
    last = -1
    for each in new:
        equal = places.get(repr(each), [])
        while equal and equal[-1] <= last:
            equal.pop()
        found.append(equal.pop() if equal else None)
        last = last if found[-1] is None else found[-1]
    taken = {place for place in found if place is not None}
    free = 0
    for i, each in enumerate(new):
        place = found[i]
        if place is not None:
            free = place + 1
        elif free < len(old) and free not in taken and _is_scalar(each) and _is_scalar(old[free]):
            found[i] = free
            free += 1
    return found


def _is_scalar(value: Data) -> bool:
    return not isinstance(value, (dict, list))
