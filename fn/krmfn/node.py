"""The node of a tree: what scan.py and quickscan.py build, edit.py copies and splice.py writes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SCALAR, MAPPING, SEQUENCE, ALIAS = range(4)


class Node:
    """A node of the text.

    ``value`` is the text of a scalar (unquoted), a dict from key to child of a mapping, a list of children of
    a sequence, the node that an alias stands for (None where the anchor is in another item). A child is a
    Node, or plain data where an edit put it. ``at`` is where the entry of a mapping starts (its key),
    ``start`` and ``end`` are those of the node itself, anchor and tag included; ``end`` counts only for
    scalars and flow collections. ``style`` is the first character of a scalar that is not plain, and the
    bracket of a flow collection. What few nodes have is in RichNode.
    """

    __slots__ = ("at", "col", "end", "kind", "start", "style", "value")

    if TYPE_CHECKING:
        at: int
        col: int
        end: int
        kind: int
        start: int
        style: str
        value: Any

    anchor: str | None = None
    tag: str | None = None
    base: Node | None = None
    owner: object = None
    splices: list[tuple[int, int, str]] | None = None

    def __init__(self, kind: int, at: int, start: int, end: int, col: int, value: Any, style: str) -> None:
        self.kind = kind
        self.at = at
        self.start = start
        self.end = end
        self.col = col
        self.value = value
        self.style = style


class RichNode(Node):
    """A node with an anchor or a tag, or an edited version of a node.

    ``base`` is the node of the text of which this one is an edited version, ``owner`` who may change it, ``splices``
    what it comes to in the text once that was asked for.
    """

    __slots__ = ("anchor", "base", "owner", "splices", "tag")

    def __init__(self, node: Node, base: Node | None = None, owner: object = None) -> None:
        self.kind = node.kind
        self.at = node.at
        self.start = node.start
        self.end = node.end
        self.col = node.col
        self.value = node.value
        self.style = node.style
        self.anchor = node.anchor
        self.tag = node.tag
        self.base = base
        self.owner = owner
        self.splices = None


def walk(node: Any) -> Iterator[Node]:
    """Yield ``node`` and every Node below it, each alias as itself."""
    if not isinstance(node, Node):
        return
    yield node
    if node.kind in (MAPPING, SEQUENCE):
        for child in node.value.values() if node.kind == MAPPING else node.value:
            yield from walk(child)
