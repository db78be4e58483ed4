"""Edits of a tree: put, drop, append.

Each returns an edited version of the root and leaves the original as it was, so that a clone is the same root again.
splice.py turns an edited version into text.
"""

from __future__ import annotations

from .errors import UnsafeEdit
from .scan import ALIAS, EXPLICIT_KEY, MAPPING, MERGE, SCALAR, SEQUENCE, Node, to_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Union

    from .scan import Data, Tree

    Path = Sequence[Union[str, int]]

_MISSING = object()


def put(tree: Tree, node: Node, path: Path, value: Data) -> Node:
    """Return ``node`` with ``value`` at ``path``; parents are made, a null on the way counts as absent.

    The same node comes back where the value is there already, so that a second run changes nothing.
    """
    key = path[0]
    children = node.value
    if tree.hazard:
        _guard(tree, node, key)
    old = children.get(key, _MISSING) if node.kind == MAPPING else children[key]
    if len(path) > 1:
        if type(old) is Node and old.kind == ALIAS:
            raise UnsafeEdit("an alias stands at the place of the edit")
        if type(old) is Node and old.kind != SCALAR and old.value:
            new = put(tree, old, path[1:], value)
        else:
            new = _put_data(None if old is _MISSING or type(old) is Node else old, path[1:], value)
    else:
        if _same(old, value):
            return node
        if tree.hazard and type(old) is Node:
            _guard_removal(tree, old)
        new = value
    return node if new is old else _with(node, key, new)


def drop(tree: Tree, node: Node, path: Path) -> Node | None:
    """Return ``node`` without what is at ``path``; None where that leaves it empty, so parents go too."""
    key = path[0]
    old = _child(node, key)
    if old is _MISSING:
        if tree.hazard:
            _guard(tree, node, key)
        return node
    if tree.hazard:
        _guard(tree, node, key)
    if len(path) > 1:
        if type(old) is Node and old.kind == ALIAS:
            raise UnsafeEdit("an alias stands at the place of the edit")
        new = drop(tree, old, path[1:]) if type(old) is Node and old.kind != SCALAR else _drop_data(old, path[1:])
        if new is old:
            return node
        if new is not None:
            return _with(node, key, new)
    if tree.hazard and type(old) is Node:
        _guard_removal(tree, old)
    copy = _copy(node)
    del copy.value[key]
    return copy if copy.value else None


def append(tree: Tree, node: Node, path: Path, value: Data) -> Node:
    """Return ``node`` with ``value`` appended to the list at ``path``, which is made where it is absent."""
    if not path:
        copy = _copy(node)
        copy.value.append(value)
        return copy
    key = path[0]
    if tree.hazard:
        _guard(tree, node, key)
    old = _child(node, key)
    if type(old) is Node and old.kind == ALIAS:
        raise UnsafeEdit("an alias stands at the place of the edit")
    if type(old) is Node and old.kind != SCALAR and old.value:
        if tree.hazard and len(path) == 1 and old.anchor in tree.aliased:
            raise UnsafeEdit("the list carries an anchor")
        return _with(node, key, append(tree, old, path[1:], value))
    data = None if old is _MISSING or type(old) is Node else old
    current = list(_get_data(data, path[1:]) or ())
    current.append(value)
    return _with(node, key, _put_data(data, path[1:], current) if len(path) > 1 else current)


def update(tree: Tree, node: Node, path: Path, changes: Mapping[str, Data]) -> Node | None:
    """Return ``node`` with several entries of the mapping at ``path`` set, or gone where the new value is None."""
    if path:
        key = path[0]
        if tree.hazard:
            _guard(tree, node, key)
        old = _child(node, key)
        if type(old) is Node and old.kind == ALIAS:
            raise UnsafeEdit("an alias stands at the place of the edit")
        if type(old) is Node and old.kind == MAPPING and old.value:
            new = update(tree, old, path[1:], changes)
            if new is None:
                return drop(tree, node, path[:1])
            return node if new is old else _with(node, key, new)
        kept = {name: value for name, value in changes.items() if value is not None}
        return put(tree, node, path, kept) if kept else node
    present = node.value
    different = {name: value for name, value in changes.items() if not _same(present.get(name), value)}
    if not different:
        return node
    copy = _copy(node)
    for name, value in different.items():
        if tree.hazard:
            _guard(tree, node, name)
            if type(present.get(name)) is Node:
                _guard_removal(tree, present[name])
        if value is None:
            copy.value.pop(name, None)
        else:
            copy.value[name] = value
    return copy if copy.value else None


def _child(node: Node, key: str | int) -> Any:
    if node.kind == MAPPING:
        return node.value.get(key, _MISSING)
    return node.value[key] if isinstance(key, int) and -len(node.value) <= key < len(node.value) else _MISSING


def _copy(node: Node) -> Node:
    copy = Node(node.kind, node.at, node.start, node.end, node.col, node.value.copy(), node.style)
    copy.base = node.base or node
    copy.anchor = node.anchor
    copy.tag = node.tag
    return copy


def _with(node: Node, key: str | int, child: Any) -> Node:
    copy = _copy(node)
    copy.value[key] = child
    return copy


def _same(old: Any, value: Data) -> bool:
    if type(old) is not Node:
        return old is not _MISSING and type(old) is type(value) and bool(old == value)
    if value is None:
        return False
    if old.kind == ALIAS:
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
        kept = data[:key] + data[key + 1 :]
        if len(path) > 1:
            child = _drop_data(data[key], path[1:])
            kept = [*data[:key], child, *data[key + 1 :]] if child is not None else kept
        return kept or None
    if not isinstance(data, dict) or key not in data:
        return data
    child = _drop_data(data[key], path[1:]) if len(path) > 1 else None
    changed = {k: child if k == key else v for k, v in data.items() if k != key or child is not None}
    return changed or None


def _get_data(data: Data, path: Path) -> Data:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _guard(tree: Tree, node: Node, key: str | int) -> None:
    """Refuse an edit inside ``node`` that would also change, or depend on, text in another place."""
    if node.anchor is not None and node.anchor in tree.aliased:
        raise UnsafeEdit("the mapping carries an anchor that an alias refers to")
    if node.tag is not None:
        raise UnsafeEdit("explicit keys" if node.tag == EXPLICIT_KEY else f"the tag {node.tag}")
    if node.kind == MAPPING and MERGE in node.value:
        raise UnsafeEdit('a merge key "<<" is in the mapping that must change')


def _guard_removal(tree: Tree, node: Any) -> None:
    for each in walk(node):
        if each.anchor is not None and each.anchor in tree.aliased:
            raise UnsafeEdit("an anchor that an alias refers to would go")


def walk(node: Any) -> Iterator[Node]:
    """Yield ``node`` and every Node below it, each alias as itself."""
    if type(node) is not Node:
        return
    yield node
    if node.kind == MAPPING:
        for child in node.value.values():
            yield from walk(child)
    elif node.kind == SEQUENCE:
        for child in node.value:
            yield from walk(child)
