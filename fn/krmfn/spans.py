"""Where things stand in an item's text: the lines of an entry, the end of a value, the dash of a list's entry."""

from __future__ import annotations

from .node import MAPPING, SEQUENCE, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    #: Start, end and the text that takes the place between them.
    Splice = tuple[int, int, str]


def content_end(node: Any) -> int:
    """Return where the last character of a node's own text ends, trailing comments and blanks left out."""
    while node.kind in (MAPPING, SEQUENCE) and not node.style:
        children = node.value
        node = children[next(reversed(children))] if node.kind == MAPPING else children[-1]
    end: int = node.end
    return end


def line_end(text: str, position: int) -> int:
    """Return the start of the line after ``position``; ``position`` itself where it already is one."""
    if position and text[position - 1] == "\n":
        return position
    found = text.find("\n", position)
    return found + 1 if found >= 0 else len(text)


def starts_line(text: str, position: int) -> bool:
    """Whether a line begins at ``position``."""
    return position == 0 or text[position - 1] == "\n"


def own_comments_end(text: str, position: int, col: int) -> int:
    """Skip the comment lines after an entry that stand deeper than the entry: they are part of it."""
    while True:
        if text.find("#", position, text.find("\n", position)) < 0:  # the usual: no comment there
            return position
        stop = line_end(text, position + 1) if position < len(text) else position
        line = text[position:stop]
        bare = line.lstrip(" ")
        if not bare.startswith("#") or len(line) - len(bare) <= col:
            return position
        position = stop


def colon_of(text: str, child: Node) -> int:
    """Return the position right after the colon between a block entry's key and its value."""
    position = child.at
    if text[position] in "\"'":
        quote = text[position]
        position += 1
        while text[position] != quote or (quote == "'" and text[position + 1] == "'"):
            position += 2 if text[position] == "\\" or text[position] == quote else 1
    while not (text[position] == ":" and text[position + 1 : position + 2] in (" ", "\t", "\n", "\r", "")):
        position += 1
    return position + 1


def removed_entry(text: str, base: Node, key: str) -> Splice:
    """Return the splice that takes one entry out of a block mapping."""
    child = base.value[key]
    start = child.at
    end = own_comments_end(text, line_end(text, content_end(child)), base.col)
    line_start = text.rfind("\n", 0, start) + 1
    if not text[line_start:start].strip(" "):
        if end == len(text) and text[end - 1] != "\n":  # the last line, without a newline: the one before loses its own
            return line_start - (2 if text[line_start - 2 : line_start] == "\r\n" else 1), end, ""
        return line_start, end, ""
    # The first key stands behind a dash: the next line takes its place.
    indent = len(text[end:]) - len(text[end:].lstrip(" "))
    return start, end + indent, ""


def item_spans(text: str, base: Node) -> list[tuple[int, int]]:
    """Return the lines of each entry of a block sequence, from its dash to the end of its content.

    The first entry of a list that starts behind another dash has no line of its own: its span starts at its dash.
    """
    spans = []
    for child in base.value:
        dash = _dash_of(text, child.start, base.col)
        line_start = text.rfind("\n", 0, dash) + 1
        end = own_comments_end(text, line_end(text, content_end(child)), base.col)
        spans.append((dash if text[line_start:dash].strip(" ") else line_start, end))
    return spans


def _dash_of(text: str, start: int, col: int) -> int:
    """Return where the dash in column ``col`` of the entry that starts at ``start`` is: in its line, or above."""
    line_start = text.rfind("\n", 0, start) + 1
    while text[line_start + col : line_start + col + 1] != "-" or text[line_start : line_start + col].strip(" -"):
        if not line_start:
            raise ValueError("an entry of a list without a dash")
        line_start = text.rfind("\n", 0, line_start - 1) + 1
    return line_start + col


def on_own_lines(text: str, place: int, lines: str, newline: str) -> str:
    """Return ``lines`` as they are inserted at ``place``: the end of a text without a newline stays without one."""
    if place and text[place - 1] != "\n":
        return newline + lines[: -len(newline)]
    return lines


def joined(text: str, splices: list[Splice]) -> str:
    """Return ``text`` with the splices applied."""
    parts = []
    position = 0
    for start, end, new in sorted(splices, key=by_place):
        if start > position:
            parts.append(text[position:start])
        parts.append(new)
        position = max(position, end)
    parts.append(text[position:])
    return "".join(parts)


def by_place(splice: Splice) -> tuple[int, int]:
    """Return what splices are sorted by; those at one place keep their order."""
    return splice[0], splice[1]
