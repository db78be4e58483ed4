"""Plain data -> YAML lines or JSON, in the style of the text around it.

Never an anchor, never a folded line: every reader of the field gets the same value.
"""

from __future__ import annotations

from .node import MAPPING, SEQUENCE, Node
from .scalar import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .scan import Data, Tree


class Style:
    """How new text is written into one item.

    ``newline`` is the item's own; ``wide`` indents lists under their key; ``json`` writes JSON;
    ``drops_setters`` takes the ``# kpt-set:`` comment off a value that was set.
    """

    __slots__ = ("_wide", "drops_setters", "json", "newline")

    def __init__(self, newline: str = "\n", *, wide: bool | Tree = False, json: bool = False) -> None:
        self.newline = newline
        self.json = json
        self.drops_setters = False
        self._wide = wide

    @property
    def wide(self) -> bool:
        """Whether lists are indented under their key: like those of a tree, which is looked at when one is written."""
        if not isinstance(self._wide, bool):
            self._wide = _has_wide_lists(self._wide.root)
        return self._wide


def flow(value: Data, style: Style) -> str:
    """Return ``value`` on one line: JSON where ``style.json``, YAML flow style elsewhere."""
    if isinstance(value, dict):
        pairs = (f"{write(str(key), json=style.json)}: {flow(each, style)}" for key, each in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(each, style) for each in value) + "]"
    text = write(value, json=style.json)
    # A plain scalar may hold what separates entries in flow style.
    return write(value, '"') if text[:1] not in "\"'" and any(char in text for char in ",[]{}") else text


def block_entry(key: str, value: Data, col: int, style: Style) -> str:
    """Return the lines of one mapping entry whose key stands in column ``col``."""
    head = f"{' ' * col}{_key(key)}:"
    if value and isinstance(value, (dict, list)):
        return head + style.newline + block_value(value, col, style)
    return f"{head} {_inline(value, col, style)}{style.newline}"


def block_value(value: Data, col: int, style: Style) -> str:
    """Return the lines of a collection that is the value of a key in column ``col``."""
    if isinstance(value, dict):
        return "".join([block_entry(key, each, col + 2, style) for key, each in value.items()])
    return "".join([block_item(each, col + 2 if style.wide else col, style) for each in value])


def block_item(value: Data, col: int, style: Style) -> str:
    """Return the lines of one list entry whose dash stands in column ``col``."""
    dash = f"{' ' * col}- "
    if isinstance(value, dict) and value:
        return dash + block_value(value, col, style)[col + 2 :]
    if isinstance(value, list) and value:
        return dash + "".join([block_item(each, col + 2, style) for each in value])[col + 2 :]
    return dash + _inline(value, col, style) + style.newline


_keys: dict[str, str] = {}


def _key(key: str) -> str:
    """Return a key as it is written; a list holds few different ones."""
    text = _keys.get(key)
    if text is None:
        text = _keys[key] = write(key)
    return text


def _inline(value: Data, col: int, style: Style) -> str:
    if isinstance(value, str):
        return _literal(value, col, style) if "\n" in value and _literal_is_safe(value) else write(value)
    if isinstance(value, (dict, list)):
        return "{}" if isinstance(value, dict) else "[]"
    return write(value)


def _literal_is_safe(text: str) -> bool:
    lines = text.rstrip("\n").split("\n")
    return (
        not lines[0].startswith((" ", "\t"))
        and lines[0] != ""
        and not text.endswith("\n\n")
        and all(line == line.rstrip() and line.replace("\t", " ").isprintable() for line in lines)
    )


def _literal(text: str, col: int, style: Style) -> str:
    indent = style.newline + " " * (col + 2)
    body = "".join(indent + line if line else style.newline for line in text.rstrip("\n").split("\n"))
    return ("|" if text.endswith("\n") else "|-") + body


def style_of(text: str, tree: Tree) -> Style:
    """Return the style in which one item is written."""
    return Style("\r\n" if "\r\n" in text else "\n", wide=tree, json=is_json(text, tree))


def is_json(text: str, tree: Tree) -> bool:
    """Whether an item in flow style is JSON: its first key is in quotes."""
    root = tree.root
    return root.style == "{" and all(text[child.at] == '"' for child in list(root.value.values())[:1])


def _has_wide_lists(node: Node) -> bool:
    """Whether the first block list that is the value of a key stands deeper than the key."""
    stack: list[Node] = [node]
    while stack:
        current = stack.pop()
        if current.kind == MAPPING:
            col = current.col
            for child in current.value.values():
                if not isinstance(child, Node) or child.style:
                    continue
                if child.kind == SEQUENCE:
                    return child.col > col
                if child.kind == MAPPING:
                    stack.append(child)
    return False
