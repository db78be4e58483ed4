"""An edited tree and the text it came from -> the new text.

Only what an edit concerns is written: lines of the original are never written anew, so comments, order, quotes and
blank lines stay as they are.
"""

from __future__ import annotations

from .emit import block_entry, block_item, block_value, flow
from .node import MAPPING, SCALAR, SEQUENCE, Node, RichNode
from .scalar import Hole, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from .emit import Style
    from .scan import Data

    Splice = tuple[int, int, str]

_MISSING = object()


def apply(text: str, root: Node, style: Style, more: Sequence[Splice] = ()) -> str:
    """Return ``text`` with the edits that ``root`` carries, and ``more``."""
    return _joined(text, [*(_edited(text, root, style) if root.base is not None else ()), *more])


def _joined(text: str, splices: list[Splice]) -> str:
    parts = []
    position = 0
    for start, end, new in sorted(splices, key=_place):
        if start > position:
            parts.append(text[position:start])
        parts.append(new)
        position = max(position, end)
    parts.append(text[position:])
    return "".join(parts)


class TooHard(Exception):  # noqa: N818 - the caller goes the longer way
    """A change that is not written straight from the tree of the text."""


def patched(text: str, root: Node, changes: Mapping[str, Data], style: Style) -> str:
    """Return ``text`` with ``changes``: a mapping merges, None takes the entry out, anything else replaces it.

    The tree is not edited: what many copies need once is written straight away.

    Raises:
        TooHard: a change inside flow style, or a mapping that would be left empty.
    """
    found: list[Splice] = []
    _patch(text, root, changes, style, found)
    return _joined(text, found)


def _patch(text: str, node: Node, changes: Mapping[str, Data], style: Style, out: list[Splice]) -> None:
    present = node.value
    added = {}
    gone = 0
    if len(changes) > len(present) > 1 and _all_go(present, changes):
        whole = _whole(text, node)
        if whole is not None:
            new = [(key, value) for key, value in changes.items() if key not in present and value is not None]
            out.append((*whole, "".join([block_entry(key, value, node.col, style) for key, value in new])))
            return
    for key, value in changes.items():
        child = present.get(key)
        if child is None:
            if value is not None:
                added[key] = value
        elif value is None:
            out.append(removed_entry(text, node, key))
            gone += 1
        elif not isinstance(value, dict):
            if child.kind != SCALAR:
                raise TooHard
            if isinstance(value, Hole) or not (child.style and child.value == value):
                _replaced_scalar(text, child, value, style, out)
        elif child.kind != MAPPING or child.style or not child.value:
            raise TooHard
        else:
            _patch(text, child, value, style, out)
    if added:
        child = present[next(reversed(present))]
        place = _own_comments_end(text, line_end(text, _content_end(child)), node.col)
        lines = "".join([block_entry(key, added[key], node.col, style) for key in added])
        out.append((place, place, _on_own_lines(text, place, lines, style)))
    elif gone == len(present):
        raise TooHard


def _all_go(present: dict[str, Node], changes: Mapping[str, Data]) -> bool:
    return all(changes.get(key, _MISSING) is None for key in present)


def _whole(text: str, node: Node) -> tuple[int, int] | None:
    """Return where the lines of a block mapping are, None where it shares one or holds a comment."""
    start = text.rfind("\n", 0, node.start) + 1
    end = line_end(text, _content_end(node))
    if text[start : node.start].strip(" ") or text[end - 1] != "\n" or "#" in text[start:end]:
        return None
    return start, end


def _replaced_scalar(text: str, child: Node, value: Data, style: Style, out: list[Splice]) -> None:
    start, end = child.start, child.end
    if start == end or child.style not in ("", "'", '"'):
        raise TooHard
    out.append((start, end, write(value, child.style)))
    if style.drops_setters:
        stop = text.find("\n", end)
        if stop != end and "# kpt-set:" in text[end:stop]:
            raise TooHard


def _place(splice: Splice) -> tuple[int, int]:
    return splice[0], splice[1]


def _mapping(text: str, node: Node, style: Style) -> list[Splice]:
    base = node.base
    assert base is not None
    new, old = node.value, base.value
    out: list[Splice] = []
    removed = 0
    child: Any = None
    for key, child in old.items():
        now = new.get(key, _MISSING)
        if now is child:
            continue
        if now is _MISSING:
            out.append(removed_entry(text, base, key))
            removed += 1
        else:
            out += _changed(text, base, child, now, style)
    if len(new) > len(old) - removed:
        place = _own_comments_end(text, line_end(text, _content_end(child)), base.col)
        lines = "".join([block_entry(key, new[key], base.col, style) for key in new if key not in old])
        out.append((place, place, _on_own_lines(text, place, lines, style)))
    return out


def _sequence(text: str, node: Node, style: Style) -> list[Splice]:
    base = node.base
    assert base is not None
    kept = {id(each.base or each): each for each in node.value if isinstance(each, Node)}
    spans = item_spans(text, base)
    # Data between two entries of the text stands for the ones that are gone there; behind the last it is new.
    data = _data_by_place(node)
    out: list[Splice] = []
    for i, (child, (start, end)) in enumerate(zip(base.value, spans)):
        now = kept.get(id(child))
        if now is not None:
            if now is not child:
                out += _edited(text, now, style)
            continue
        new = data.pop(0) if data and data[0][0] <= i else None
        if new is not None:
            out += _changed(text, base, child, new[1], style)
            continue
        # Behind another dash: the next entry takes its place.
        shift = base.col if not _starts_line(text, start) and i + 1 < len(spans) else 0
        out.append((start, end + shift, ""))
    if data:
        place = spans[-1][1]
        lines = "".join([block_item(each, base.col, style) for _, each in data])
        out.append((place, place, _on_own_lines(text, place, lines, style)))
    return out


def _data_by_place(node: Node) -> list[tuple[int, Any]]:
    """Return the entries that are data, each with the index of the first entry of the text that it may replace."""
    assert node.base is not None
    places = {id(child): i for i, child in enumerate(node.base.value)}
    data = []
    after = 0
    for each in node.value:
        if isinstance(each, Node):
            after = places[id(each.base or each)] + 1
        else:
            data.append((after, each))
    return data


def _edited(text: str, node: Node, style: Style) -> list[Splice]:
    """Return the splices of an edited node; they are the same for every clone that shares it."""
    assert isinstance(node, RichNode)
    if node.splices is None:
        if node.style:
            node.splices = [_flow(text, node, style)]
        else:
            node.splices = _mapping(text, node, style) if node.kind == MAPPING else _sequence(text, node, style)
    return node.splices


def _changed(text: str, parent: Node, child: Node, now: Any, style: Style) -> list[Splice]:
    if isinstance(now, Node):
        assert now.base is child, "a node of another tree must be turned into data first"
        return _edited(text, now, style)
    if isinstance(now, (dict, list)) and now and not parent.style:
        return _replaced_by_collection(text, parent, child, now, style)
    return _replaced_inline(text, parent, child, now, style)


def _replaced_inline(text: str, parent: Node, child: Node, now: Any, style: Style) -> list[Splice]:
    """Write a scalar, an empty collection, or anything inside flow style where ``child`` stood."""
    quoted = child.style if child.kind == SCALAR and child.style in ("'", '"') else ""
    new = flow(now, style) if isinstance(now, (dict, list)) else write(now, quoted, json=style.json)
    start, end = child.start, _content_end(child)
    if child.kind != SCALAR and not child.style and parent.kind == MAPPING:  # back to the colon of its key
        start = _colon(text, child)
        new = " " + new
    elif start == end:  # an empty value: right after the colon
        new = " " + new
    if text[end - 1 : end] == "\n" and end > start:
        new += style.newline
    out = [(start, end, new)]
    if style.drops_setters and not parent.style:
        rest = text[end : line_end(text, end)].rstrip("\r\n")
        if rest.lstrip().startswith("# kpt-set:"):
            out.append((end, end + len(rest), ""))
    return out


def _replaced_by_collection(text: str, parent: Node, child: Node, now: Any, style: Style) -> list[Splice]:
    end = _content_end(child)
    if parent.kind == SEQUENCE:
        start, stop = item_spans(text, parent)[_index(parent, child)]
        lines = block_item(now, parent.col, style)
        return [(start, stop, lines if _starts_line(text, start) else lines[parent.col :])]
    lines = block_value(now, parent.col, style)
    colon = _colon(text, child)
    if (child.kind != SCALAR and not child.style) or child.style in ("|", ">"):
        start = line_end(text, colon)
        header = [(colon, child.start + _header_length(text, child), "")] if child.kind == SCALAR else []
        return [*header, (start, line_end(text, end), _on_own_lines(text, start, lines, style))]
    place = line_end(text, end)
    return [(colon, end, ""), (place, place, _on_own_lines(text, place, lines, style))]


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
        if text.find("#", position, text.find("\n", position)) < 0:  # the usual: no comment there
            return position
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
    """Return the lines of each entry of a block sequence, from its dash to the end of its content.

    The first entry of a list that starts behind another dash has no line of its own: its span starts at its dash.
    """
    spans = []
    for child in base.value:
        dash = _dash_of(text, child.start, base.col)
        line_start = text.rfind("\n", 0, dash) + 1
        end = _own_comments_end(text, line_end(text, _content_end(child)), base.col)
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


def _starts_line(text: str, position: int) -> bool:
    return position == 0 or text[position - 1] == "\n"


def _flow(text: str, node: Node, style: Style) -> Splice:
    """Write an edited flow collection: the entries that stay keep their text and what stood before them."""
    base = node.base
    assert base is not None
    entries = _flow_entries(node, base)
    olds = list(base.value.values()) if base.kind == MAPPING else list(base.value)
    ends = [_content_end(child) for child in olds]
    separators = {id(child): text[ends[i - 1] : child.at] for i, child in enumerate(olds) if i}
    usual = separators[id(olds[1])] if len(olds) > 1 else _usual_separator(text[base.start : olds[0].at])
    if "#" in usual:  # a comment is about its own entry
        usual = "," + style.newline + usual[usual.rindex("\n") + 1 :]
    parts: list[str] = []
    for key, old, now in entries:
        if parts:
            parts.append(separators.get(id(old), usual) if old is not None else usual)
        if old is None:
            parts.append(flow(now, style) if key is None else f"{write(key, json=style.json)}: {flow(now, style)}")
            continue
        start, end = old.at, ends[_position(olds, old)]
        inner = _changed(text, base, old, now, style) if now is not old else []
        parts.append(_spliced(text, start, end, inner))
    return olds[0].at, ends[-1], "".join(parts)


def _flow_entries(node: Node, base: Node) -> list[tuple[Any, Any, Any]]:
    """Return (key or None, node in the text or None, present child) for each entry of an edited collection."""
    if node.kind == MAPPING:
        return [(key, base.value.get(key), now) for key, now in node.value.items()]
    originals = {id(each) for each in base.value}
    entries = []
    for now in node.value:
        old = (now.base or now) if isinstance(now, Node) else None
        entries.append((None, old if id(old) in originals else None, now))
    return entries


def _usual_separator(opening: str) -> str:
    """With one entry alone: break the line as before it, if there is a break."""
    if "\n" not in opening:
        return ", "
    return "," + opening[opening.rindex("\n") - (1 if "\r\n" in opening else 0) :]


def _position(nodes: list[Node], node: Node) -> int:
    return next(i for i, each in enumerate(nodes) if each is node)


def _spliced(text: str, start: int, end: int, splices: list[Splice]) -> str:
    parts: list[str] = []
    for first, last, new in sorted(splices, key=_place):
        parts += (text[start:first], new)
        start = last
    parts.append(text[start:end])
    return "".join(parts)
