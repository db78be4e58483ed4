"""An edited tree and the text it came from -> the new text.

Only what an edit concerns is written: lines of the original are never written anew, so comments, order, quotes and
blank lines stay as they are.
"""

from __future__ import annotations

from .emit import block_entry, block_item, block_value, flow
from .scalar import write
from .scan import MAPPING, SCALAR, SEQUENCE, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .emit import Style

    Splice = tuple[int, int, str]

_MISSING = object()


def apply(text: str, root: Node, style: Style) -> str:
    """Return ``text`` with the edits that ``root`` carries."""
    if root.base is None:
        return text
    found: list[Splice] = []
    _mapping(text, root, style, found) if not root.style else _flow(text, root, style, found)
    found.sort(key=_place)
    parts = []
    position = 0
    for start, end, new in found:
        if start > position:
            parts.append(text[position:start])
        parts.append(new)
        position = max(position, end)
    parts.append(text[position:])
    return "".join(parts)


def _place(splice: Splice) -> tuple[int, int]:
    return splice[0], splice[1]


def _mapping(text: str, node: Node, style: Style, out: list[Splice]) -> None:
    base = node.base
    assert base is not None
    new, old = node.value, base.value
    last: Any = None
    for key, child in old.items():
        now = new.get(key, _MISSING)
        if now is not child:
            if now is _MISSING:
                out.append(removed_entry(text, base, key))
            else:
                _changed(text, base, child, now, style, out)
        last = child
    if len(new) > len(old) or any(key not in old for key in new):
        place = _own_comments_end(text, line_end(text, _content_end(last)), base.col)
        lines = "".join(block_entry(key, new[key], base.col, style) for key in new if key not in old)
        out.append((place, place, _on_own_lines(text, place, lines, style)))


def _sequence(text: str, node: Node, style: Style, out: list[Splice]) -> None:
    base = node.base
    assert base is not None
    kept = {id(each.base or each): each for each in node.value if type(each) is Node}
    added = [each for each in node.value if type(each) is not Node]
    spans = item_spans(text, base)
    free = []  # items of the text that are gone: the first of them make room for new ones
    for child, (start, end) in zip(base.value, spans):
        now = kept.get(id(child))
        if now is None:
            free.append((start, end))
        elif now is not child:
            _changed(text, base, child, now, style, out)
    out.extend((start, end, "") for start, end in free)
    if added:
        place = spans[-1][1]
        lines = "".join(block_item(each, base.col, style) for each in added)
        out.append((place, place, _on_own_lines(text, place, lines, style)))


def _changed(text: str, parent: Node, child: Node, now: Any, style: Style, out: list[Splice]) -> None:
    if type(now) is Node and (now.base or now) is child:
        if now.style:
            _flow(text, now, style, out)
        elif now.kind == MAPPING:
            _mapping(text, now, style, out)
        else:
            _sequence(text, now, style, out)
    elif type(now) is Node:
        raise TypeError("a node of another tree must be turned into data first")
    elif isinstance(now, (dict, list)) and now and not parent.style:
        _replaced_by_collection(text, parent, child, now, style, out)
    else:
        _replaced_inline(text, parent, child, now, style, out)


def _replaced_inline(text: str, parent: Node, child: Node, now: Any, style: Style, out: list[Splice]) -> None:
    """Write a scalar, an empty collection, or anything inside flow style where ``child`` stood."""
    quoted = child.style if child.kind == SCALAR and child.style in ("'", '"') else ""
    new = flow(now, style) if isinstance(now, (dict, list)) else write(now, quoted, json=style.json)
    start, end = child.start, _content_end(child)
    if child.kind != SCALAR and not child.style:  # a block collection: back to the colon of its key
        start = _colon(text, child)
        new = " " + new
    elif start == end:  # an empty value: right after the colon
        new = " " + new
    if text[end - 1 : end] == "\n" and end > start:
        new += style.newline
    out.append((start, end, new))
    if style.drops_setters and not parent.style:
        rest = text[end : line_end(text, end)].rstrip("\r\n")
        if rest.lstrip().startswith("# kpt-set:"):
            out.append((end, end + len(rest), ""))


def _replaced_by_collection(text: str, parent: Node, child: Node, now: Any, style: Style, out: list[Splice]) -> None:
    end = _content_end(child)
    if parent.kind == SEQUENCE:
        start, stop = item_spans(text, parent)[_index(parent, child)]
        out.append((start, stop, block_item(now, parent.col, style)))
        return
    lines = block_value(now, parent.col, style)
    if child.kind != SCALAR and not child.style or child.style in ("|", ">"):
        start = line_end(text, _colon(text, child))
        stop = line_end(text, end)
        if child.style in ("|", ">"):
            colon = _colon(text, child)
            out.append((colon, child.start + _header_length(text, child), ""))
        out.append((start, stop, _on_own_lines(text, start, lines, style)))
        return
    colon = _colon(text, child)
    out.append((colon, end, ""))
    place = line_end(text, end)
    out.append((place, place, _on_own_lines(text, place, lines, style)))


def _header_length(text: str, child: Node) -> int:
    stop = text.find("\n", child.start)
    header = text[child.start : stop].split("#", 1)[0].rstrip()
    return len(header)


def _index(parent: Node, child: Node) -> int:
    return next(i for i, each in enumerate(parent.value) if each is child)


def _colon(text: str, child: Node) -> int:
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


def _content_end(node: Any) -> int:
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


def _on_own_lines(text: str, place: int, lines: str, style: Style) -> str:
    if place and text[place - 1] != "\n":  # the text ends without a newline, and stays so
        return style.newline + lines[: -len(style.newline)]
    return lines


def _own_comments_end(text: str, position: int, col: int) -> int:
    """Skip the comment lines after an entry that stand deeper than the entry: they are part of it."""
    while True:
        stop = line_end(text, position + 1) if position < len(text) else position
        line = text[position:stop]
        bare = line.lstrip(" ")
        if not bare.startswith("#") or len(line) - len(bare) <= col:
            return position
        position = stop


def removed_entry(text: str, base: Node, key: str) -> Splice:
    """Return the splice that takes one entry out of a block mapping."""
    child = base.value[key]
    start = child.at
    end = _own_comments_end(text, line_end(text, _content_end(child)), base.col)
    line_start = text.rfind("\n", 0, start) + 1
    if not text[line_start:start].strip(" "):
        if end == len(text) and text[end - 1] != "\n":  # the last line, without a newline: the one before loses its own
            return line_start - (2 if text[line_start - 2 : line_start] == "\r\n" else 1), end, ""
        return line_start, end, ""
    # The first key stands behind a dash: the next line takes its place.
    indent = len(text[end:]) - len(text[end:].lstrip(" "))
    return start, end + indent, ""


def item_spans(text: str, base: Node) -> list[tuple[int, int]]:
    """Return the lines of each entry of a block sequence, from its dash to the end of its content."""
    spans = []
    for child in base.value:
        line_start = text.rfind("\n", 0, child.start) + 1
        while text[line_start : line_start + base.col].strip(" ") or text[line_start + base.col] != "-":
            if line_start == 0:
                break
            line_start = text.rfind("\n", 0, line_start - 1) + 1
        end = _own_comments_end(text, line_end(text, _content_end(child)), base.col)
        if text[line_start : line_start + base.col].strip(" "):
            line_start += base.col  # a list that starts behind another dash
        spans.append((line_start, end))
    return spans


def _flow(text: str, node: Node, style: Style, out: list[Splice]) -> None:
    """Write an edited flow collection: the entries that stay keep their text and what stood before them."""
    base = node.base
    assert base is not None
    entries = _flow_entries(node, base)
    olds = list(base.value.values()) if base.kind == MAPPING else list(base.value)
    ends = [_content_end(child) for child in olds]
    separators = {id(child): text[ends[i - 1] : child.at] for i, child in enumerate(olds) if i}
    usual = separators[id(olds[1])] if len(olds) > 1 else _usual_separator(text, base, olds)
    parts: list[str] = []
    for key, old, now in entries:
        if parts:
            parts.append(separators.get(id(old), usual) if old is not None else usual)
        if old is None:
            parts.append(flow(now, style) if key is None else f"{write(key, json=style.json)}: {flow(now, style)}")
            continue
        start, end = old.at, ends[_position(olds, old)]
        inner: list[Splice] = []
        if now is not old:
            _changed(text, base, old, now, style, inner)
        parts.append(_spliced(text, start, end, inner))
    if olds:
        out.append((olds[0].at, ends[-1], "".join(parts)))
    else:
        inside = base.start + len(text[base.start : base.end].split(base.style, 1)[0]) + 1
        out.append((inside, base.end - 1, "".join(parts)))


def _flow_entries(node: Node, base: Node) -> list[tuple[Any, Any, Any]]:
    """Return (key or None, node in the text or None, present child) for each entry of an edited collection."""
    if node.kind == MAPPING:
        return [(key, base.value.get(key), now) for key, now in node.value.items()]
    originals = {id(each) for each in base.value}
    entries = []
    for now in node.value:
        old = (now.base or now) if type(now) is Node else None
        entries.append((None, old if id(old) in originals else None, now))
    return entries


def _usual_separator(text: str, base: Node, olds: list[Node]) -> str:
    """One entry, or none: copy the line break that stands before the first, if there is one."""
    if olds:
        opening = text[base.start : olds[0].at]
        if "\n" in opening:
            return "," + opening[opening.rindex("\n") - (1 if "\r\n" in opening else 0) :]
    return ", "


def _position(nodes: list[Node], node: Node) -> int:
    return next(i for i, each in enumerate(nodes) if each is node)


def _spliced(text: str, start: int, end: int, splices: list[Splice]) -> str:
    parts = []
    for first, last, new in sorted(splices, key=_place):
        parts += (text[start:first], new)
        start = last
    parts.append(text[start:end])
    return "".join(parts)
