"""Edits of a tree: put, drop, append, merge.

Each returns the edited root and leaves every node that is not ``owner``'s as it was: nodes on the way to a change are
copied once for each owner. So a clone is the same root again under another owner. splice.py turns it into text.
"""

from __future__ import annotations

from .errors import UnsafeEdit
from .node import ALIAS, MAPPING, SCALAR, Node, RichNode, walk
from .scan import MERGE, to_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Union

    from .scan import Data, Tree

    Path = Sequence[Union[str, int]]

_MISSING = object()


def put(tree: Tree, root: Node, path: Path, value: Data, owner: object) -> Node:
    """Return ``root`` with ``value`` at ``path``; parents are made, a null on the way counts as absent.

    Nothing changes where the value is there already, so that a second run changes no byte.
    """
    way: list[tuple[Node, Any]] = []
    node = root
    last = len(path) - 1
    hazard = tree.hazard
    new: Any = value
    for i, key in enumerate(path):
        if hazard:
            _guard(tree, node, key)
        old = node.value.get(key, _MISSING) if node.kind == MAPPING else node.value[key]
        if i == last:
            if _same(old, value):
                return root
            if hazard:
                _guard_removal(tree, old)
        elif _is_filled(old):
            way.append((node, key))
            node = old
            continue
        else:
            new = _put_data(None if old is _MISSING or isinstance(old, Node) else old, path[i + 1 :], value)
        break
    if node.owner is not owner:
        node = _own(node, owner)
    node.value[key] = new
    for parent, at in reversed(way):
        if parent.value[at] is node:
            return root
        if parent.owner is not owner:
            parent = _own(parent, owner)
        parent.value[at] = node
        node = parent
    return node


def drop(tree: Tree, node: Node, path: Path, owner: object) -> Node | None:
    """Return ``node`` without what is at ``path``; None where that leaves it empty, so parents go too."""
    key = path[0]
    if tree.hazard:
        _guard(tree, node, key)
    old = _child(node, key)
    if old is _MISSING:
        return node
    if len(path) > 1:
        new = drop(tree, old, path[1:], owner) if _is_filled(old) else _drop_data(old, path[1:])
        if new is old:
            return node
        if new is not None:
            return _with(node, key, new, owner)
    if tree.hazard:
        _guard_removal(tree, old)
    copy = _own(node, owner)
    del copy.value[key]
    return copy if copy.value else None


def append(tree: Tree, node: Node, path: Path, value: Data, owner: object) -> Node:
    """Return ``node`` with ``value`` appended to the list at ``path``, which is made where it is absent."""
    if not path:
        copy = _own(node, owner)
        copy.value.append(value)
        return copy
    key = path[0]
    if tree.hazard:
        _guard(tree, node, key)
    old = _child(node, key)
    if _is_filled(old):
        if tree.hazard and old.anchor in tree.aliased:
            raise UnsafeEdit("the list carries an anchor that an alias refers to")
        return _with(node, key, append(tree, old, path[1:], value, owner), owner)
    data = None if old is _MISSING or isinstance(old, Node) else old
    current = [*(_get_data(data, path[1:]) or ()), value]
    return _with(node, key, _put_data(data, path[1:], current), owner)


class Stays(int):
    """In a list that is arranged anew: the entry that stands at this place now."""

    __slots__ = ()


def arrange(tree: Tree, node: Node, path: Path, entries: Sequence[Any], owner: object) -> Node:
    """Return ``node`` with the list at ``path`` made of ``entries``: those that stay, in any order, and new data."""
    if path:
        key = path[0]
        if tree.hazard:
            _guard(tree, node, key)
        old = _child(node, key)
        if not _is_filled(old):
            data = None if old is _MISSING or isinstance(old, Node) else old
            present = _get_data(data, path[1:]) or ()
            return _with(node, key, _put_data(data, path[1:], _arranged(present, entries)), owner)
        return _with(node, key, arrange(tree, old, path[1:], entries, owner), owner)
    if tree.hazard:
        _guard(tree, node, 0)
        for i in set(range(len(node.value))).difference(each for each in entries if type(each) is Stays):
            _guard_removal(tree, node.value[i])
    copy = _own(node, owner)
    copy.value[:] = _arranged(node.value, entries)
    return copy


def _arranged(present: Sequence[Any], entries: Sequence[Any]) -> list[Any]:
    return [present[each] if type(each) is Stays else each for each in entries]


class Changes(dict):  # type: ignore[type-arg]
    """Several edits of one mapping: key to value, to more Changes for the mapping there, to None for removal."""


def changes_of(edits: Mapping[tuple[Any, ...], Data]) -> Changes:
    """Return the same edits, given by their paths, as Changes."""
    changes = Changes()
    for path, value in edits.items():
        node = changes
        for key in path[:-1]:
            node = node.setdefault(key, Changes())
        node[path[-1]] = value
    return changes


def merge(tree: Tree, node: Node, changes: Changes, owner: object) -> Node | None:
    """Return ``node`` with all of ``changes``, made in one walk; None where nothing is left of it."""
    present = node.value
    different: list[tuple[Any, Any]] = []
    for key, value in changes.items():
        if tree.hazard:
            _guard(tree, node, key)
        old = present.get(key, _MISSING)
        new = value
        if type(value) is Changes:
            if _is_filled(old):
                new = merge(tree, old, value, owner)
            else:
                data = None if old is _MISSING or isinstance(old, Node) else old
                new = _merge_data(data, value)
                if new is None and data is None:
                    continue
            if new is old:
                continue
        elif _same(old, value) or (value is None and old is _MISSING):
            continue
        if tree.hazard and not (isinstance(new, Node) and new.base is old):
            _guard_removal(tree, old)
        different.append((key, new))
    if not different:
        return node
    if node.owner is not owner:
        node = _own(node, owner)
    entries = node.value
    for key, new in different:
        if new is None:
            del entries[key]
        else:
            entries[key] = new
    return node if entries else None


def _merge_data(data: Data, changes: Changes) -> Data:
    merged = dict(data) if isinstance(data, dict) else {}
    for key, value in changes.items():
        new = _merge_data(merged.get(key), value) if type(value) is Changes else value
        if new is None:
            merged.pop(key, None)
        else:
            merged[key] = new
    return merged or None


def _is_filled(node: Any) -> bool:
    """Whether an edit can go on inside ``node``; an empty or null one is replaced by data instead."""
    if not isinstance(node, Node) or node.kind == SCALAR:
        return False
    if node.kind == ALIAS:
        raise UnsafeEdit("an alias stands at the place of the edit")
    return bool(node.value)


def _child(node: Node, key: Any) -> Any:
    if node.kind == MAPPING:
        return node.value.get(key, _MISSING)
    return node.value[key] if isinstance(key, int) and -len(node.value) <= key < len(node.value) else _MISSING


def _own(node: Node, owner: object) -> Node:
    """Return ``node`` itself where ``owner`` made it, else a copy that ``owner`` may change."""
    if node.owner is owner:
        return node
    copy = RichNode(node, node.base or node, owner)
    copy.value = node.value.copy()
    return copy


def _with(node: Node, key: Any, child: Any, owner: object) -> Node:
    if _child(node, key) is child:
        return node
    copy = _own(node, owner)
    copy.value[key] = child
    return copy


def _same(old: Any, value: Data) -> bool:
    if not isinstance(old, Node):
        return old is not _MISSING and type(old) is type(value) and bool(old == value)
    if value is None or old.kind == ALIAS:
        return False
    present = to_data(old)
    return type(present) is type(value) and bool(present == value)


def _put_data(data: Data, path: Path, value: Data) -> Data:
    if not path:
        return value
    key = path[0]
    if isinstance(data, list) and isinstance(key, int):
        return [_put_data(each, path[1:], value) if i == key else each for i, each in enumerate(data)]
    data = data if isinstance(data, dict) else {}
    return {**data, key: _put_data(data.get(key), path[1:], value)}


def _drop_data(data: Data, path: Path) -> Data:
    key = path[0]
    if isinstance(data, list):
        if not isinstance(key, int) or not -len(data) <= key < len(data):
            return data
        child = _drop_data(data[key], path[1:]) if len(path) > 1 else None
        return [*data[:key], *([] if child is None else [child]), *data[key + 1 :]] or None
    if not isinstance(data, dict) or key not in data:
        return data
    child = _drop_data(data[key], path[1:]) if len(path) > 1 else None
    return {k: child if k == key else v for k, v in data.items() if k != key or child is not None} or None


def _get_data(data: Data, path: Path) -> Data:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _guard(tree: Tree, node: Node, key: str | int) -> None:
    """Refuse an edit inside ``node`` that would also change, or depend on, text in another place."""
    if node.anchor is not None and node.anchor in tree.aliased:
        raise UnsafeEdit("an anchor that an alias refers to")
    if node.tag is not None:
        raise UnsafeEdit(f"the tag {node.tag}")
    if (node.base or node) in tree.explicit_keys:
        raise UnsafeEdit("an explicit key")
    if node.kind == MAPPING and MERGE in node.value and key != MERGE:
        raise UnsafeEdit('a merge key "<<" in the mapping that must change')


def _guard_removal(tree: Tree, node: Any) -> None:
    for each in walk(node):
        if each.anchor is not None and each.anchor in tree.aliased:
            raise UnsafeEdit("an anchor that an alias refers to would go")
