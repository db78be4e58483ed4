"""Whether a part of an object has the shape that its API gives it: mappings and lists in their places."""

from __future__ import annotations

from .node import ALIAS, MAPPING, SCALAR, SEQUENCE, Node
from .scan import MERGE, merged, scalar_value, target_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Path = tuple[Any, ...]


def misfit(node: Any, shape: Any, path: Path = ()) -> Path | None:
    """Return the path of the first value that does not fit, None where all do.

    Args:
        node: a node, or data that an edit put there.
        shape: a dict is a mapping in which the keys given have these shapes, a list a list of what it holds. Other
            keys are allowed, and null fits everything.
        path: where ``node`` is.
    """
    value, mapping = _opened(node)
    if value is None:
        return None
    if mapping is not isinstance(shape, dict) or not (mapping or isinstance(value, list)):
        return path
    if mapping:
        for key, wanted in shape.items():
            child = value.get(key)
            if child is not None:
                if not wanted and isinstance(child, Node) and child.kind == (MAPPING if wanted == {} else SEQUENCE):
                    continue
                found = misfit(child, wanted, (*path, key))
                if found is not None:
                    return found
    elif shape:
        for i, each in enumerate(value):
            found = misfit(each, shape[0], (*path, i))
            if found is not None:
                return found
    return None


def _opened(node: Any) -> tuple[Any, bool]:
    """Return the value of a node, children unread, and whether it is a mapping."""
    if not isinstance(node, Node):
        return node, isinstance(node, dict)
    if node.kind == ALIAS:
        return _opened(target_of(node))
    if node.kind == SCALAR:
        return scalar_value(node), False
    if node.kind == MAPPING and MERGE in node.value:
        return merged(node), True
    return node.value, node.kind == MAPPING
