"""Whether a part of an object has the shape that its API gives it: mappings and lists in their places."""

from __future__ import annotations

from .node import ALIAS, MAPPING, SCALAR, Node
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
    if isinstance(node, Node):
        if node.kind == ALIAS:
            return misfit(target_of(node), shape, path)
        if node.kind == SCALAR:
            return path if scalar_value(node) is not None else None
        mapping = node.kind == MAPPING
        value = merged(node) if mapping and MERGE in node.value else node.value
    else:
        if node is None:
            return None
        mapping, value = isinstance(node, dict), node
        if not isinstance(node, (dict, list)):
            return path
    if mapping is not isinstance(shape, dict):
        return path
    if mapping:
        for key, wanted in shape.items():
            child = value.get(key)
            if child is not None:
                found = misfit(child, wanted, (*path, key))
                if found is not None:
                    return found
    elif shape:
        for i, each in enumerate(value):
            found = misfit(each, shape[0], (*path, i))
            if found is not None:
                return found
    return None
