"""An edited tree and the text it came from -> the new text.

Only what an edit concerns is written: lines of the original are never written anew, so comments, order, quotes and
blank lines stay as they are.
"""

from __future__ import annotations

from .emit import block_entry, block_item, block_value, flow
from .node import MAPPING, SCALAR, SEQUENCE, Node, RichNode
from .scalar import write
from .spans import (
    by_place,
    colon_of,
    content_end,
    item_spans,
    joined,
    line_end,
    on_own_lines,
    own_comments_end,
    removed_entry,
    starts_line,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .emit import Style
    from .spans import Splice

_MISSING = object()


def apply(text: str, root: Node, style: Style, more: Sequence[Splice] = ()) -> str:
    """Return ``text`` with the edits that ``root`` carries, and ``more``."""
    return joined(text, [*(_edited(text, root, style) if root.base is not None else ()), *more])


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
        place = own_comments_end(text, line_end(text, content_end(child)), base.col)
        lines = "".join([block_entry(key, new[key], base.col, style) for key in new if key not in old])
        out.append((place, place, on_own_lines(text, place, lines, style.newline)))
    return out


def _sequence(text: str, node: Node, style: Style) -> list[Splice]:
    base = node.base
    assert base is not None
    kept = {id(each.base or each): each for each in node.value if isinstance(each, Node)}
    spans = item_spans(text, base)
    if _is_rearranged(node):
        return [_rearranged(text, node, spans, style)]
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
        shift = base.col if not starts_line(text, start) and i + 1 < len(spans) else 0
        out.append((start, end + shift, ""))
    if data:
        place = spans[-1][1]
        lines = "".join([block_item(each, base.col, style) for _, each in data])
        out.append((place, place, on_own_lines(text, place, lines, style.newline)))
    return out


def _is_rearranged(node: Node) -> bool:
    """Whether entries that stay stand in another order, or new ones between them in no other's place."""
    assert node.base is not None
    places = {id(child): i for i, child in enumerate(node.base.value)}
    before, added = -1, 0
    for each in node.value:
        if not isinstance(each, Node):
            added += 1
            continue
        place = places[id(each.base or each)]
        if place - before - 1 < added:
            return True
        before, added = place, 0
    return False


def _rearranged(text: str, node: Node, spans: list[tuple[int, int]], style: Style) -> Splice:
    """Write the entries of a block sequence in their new order, each with the comments above it."""
    base = node.base
    assert base is not None
    first, last = spans[0][0], spans[-1][1]
    stays = {id(each.base or each) for each in node.value if isinstance(each, Node)}
    above: dict[int, str] = {}
    comments, position = "", first
    for child, (start, end) in zip(base.value, spans):
        comments += text[position:start]
        position = end
        if id(child) in stays:  # comments above one that goes stay, too
            above[id(child)], comments = comments, ""
    where = {id(child): span for child, span in zip(base.value, spans)}
    is_inline = not starts_line(text, first)
    parts = []
    for each in node.value:
        if not isinstance(each, Node):
            parts.append(block_item(each, base.col, style))
            continue
        old = each.base or each
        start, end = where[id(old)]
        lines = _spliced(text, start, end, _edited(text, each, style) if each is not old else [])
        indent = " " * base.col if is_inline and start == first else ""
        parts.append(above[id(old)] + indent + lines + ("" if lines.endswith("\n") else style.newline))
    lines = "".join([*parts, comments])
    if not text.endswith("\n") and last == len(text):
        lines = lines[: -len(style.newline)]
    return first, last, lines[base.col :] if is_inline else lines


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
    start, end = child.start, content_end(child)
    if child.kind != SCALAR and not child.style and parent.kind == MAPPING:  # back to the colon of its key
        start = colon_of(text, child)
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
    end = content_end(child)
    if parent.kind == SEQUENCE:
        start, stop = item_spans(text, parent)[_index(parent, child)]
        lines = block_item(now, parent.col, style)
        return [(start, stop, lines if starts_line(text, start) else lines[parent.col :])]
    lines = block_value(now, parent.col, style)
    colon = colon_of(text, child)
    if (child.kind != SCALAR and not child.style) or child.style in ("|", ">"):
        start = line_end(text, colon)
        header = [(colon, child.start + _header_length(text, child), "")] if child.kind == SCALAR else []
        return [*header, (start, line_end(text, end), on_own_lines(text, start, lines, style.newline))]
    place = line_end(text, end)
    return [(colon, end, ""), (place, place, on_own_lines(text, place, lines, style.newline))]


def _header_length(text: str, child: Node) -> int:
    stop = text.find("\n", child.start)
    header = text[child.start : stop].split("#", 1)[0].rstrip()
    return len(header)


def _index(parent: Node, child: Node) -> int:
    return next(i for i, each in enumerate(parent.value) if each is child)


def _flow(text: str, node: Node, style: Style) -> Splice:
    """Write an edited flow collection: the entries that stay keep their text and what stood before them."""
    base = node.base
    assert base is not None
    entries = _flow_entries(node, base)
    olds = list(base.value.values()) if base.kind == MAPPING else list(base.value)
    ends = [content_end(child) for child in olds]
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
    for first, last, new in sorted(splices, key=by_place):
        parts += (text[start:first], new)
        start = last
    parts.append(text[start:end])
    return "".join(parts)
