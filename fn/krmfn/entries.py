"""The text of one entry of a list, taken out and put back: for an edit that must be undone to the letter."""

from __future__ import annotations

from .errors import KrmError
from .kubeobject import KubeObject
from .node import SEQUENCE, Node
from .spans import item_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Union

    Path = Sequence[Union[str, int]]


def entry_text(text: str, path: Path) -> str:
    """Return how the entry at ``path`` of an object's ``text`` is written, as if its dash stood in column 0.

    Nothing where there is no such entry, or where a line of it stands to the left of its dash.
    """
    place = _place(text, path)
    if place is None:
        return ""
    start, end, col = place
    first, *rest = text[start:end].lstrip(" ").split("\n")
    if any(line.strip() and line[:col].strip(" ") for line in rest):
        return ""
    return "\n".join([first, *(line[col:] for line in rest)])


def with_entry(obj: KubeObject, path: Path, entry: str) -> None:
    """Write the entry at ``path``, which means the same as ``entry``, as ``entry_text`` gave it.

    Where it does not mean the same (any more) the object stays as it is. Edits that were made are settled.
    """
    obj.settle()
    text = obj.raw
    place = _place(text, path)
    if place is None:
        return
    start, end, col = place
    while text[start : start + 1] == " ":
        start += 1
    first, *rest = entry.split("\n")
    written = "\n".join([first, *(" " * col + line if line else line for line in rest)])
    changed = text[:start] + written + text[end:]
    try:
        same = KubeObject(changed).get() == obj.get()
    except KrmError:  # a host laid the object out anew, and here it is no YAML
        return
    if same:
        obj.put_back(changed)


def _place(text: str, path: Path) -> tuple[int, int, int] | None:
    """Return where an entry starts and ends, and the column of its dash; that of one in flow style counts as 0."""
    *parents, at = path
    items = KubeObject(text)._find(tuple(parents))
    if not isinstance(items, Node) or items.kind != SEQUENCE or not isinstance(at, int) or at >= len(items.value):
        return None
    if items.style:
        node = items.value[at]
        return (node.start, node.end, 0) if isinstance(node, Node) and "\n" not in text[node.start : node.end] else None
    start, end = item_spans(text, items)[at]
    return start, end, items.col
