"""A ResourceList's text -> its envelope and one slice for each item, without reading the items.

The quick way looks at indentation alone. A YAML reader could see other items only where a quoted scalar or a flow
collection goes on over lines, or where a line breaks at something else than a newline, and the quick way looks for
those. In any doubt the whole text is read: slower, the same slices.
"""

from __future__ import annotations

from .errors import InputError
from .node import MAPPING, SEQUENCE, Node
from .scan import scan_any
from .spans import item_spans

#: Line breaks to YAML 1.1 that str.split("\n") does not see.
_OTHER_BREAKS = ("\x85", "\u2028", "\u2029")
#: What can follow the items of a ResourceList in column 0.
_ROOT_KEYS = ("functionConfig", "apiVersion", "kind", "metadata", "results")
#: A quote can open a scalar only behind one of these; an escaped one may stand in a scalar that is still open.
_BEFORE_DOUBLE = frozenset(" \t\n[{,:\\")
_BEFORE_SINGLE = frozenset(" \t\n[{,:'")


class Slice:
    """One item: ``lead`` is the text before it that belongs to it, ``line`` the number of lines before ``text``."""

    __slots__ = ("lead", "line", "text")

    def __init__(self, lead: str, text: str, line: int) -> None:
        self.lead = lead
        self.text = text
        self.line = line


class Cut:
    """A list in pieces: ``head``, the slices (or ``empty``, how an empty list is spelled) and ``tail`` are the text.

    ``envelope`` is the list without its items, ``root`` its tree. ``col`` is the column of the items' dashes.
    ``separator`` stands between items in flow style (JSON), and is empty in block style.
    """

    __slots__ = ("col", "empty", "envelope", "head", "root", "separator", "slices", "tail")

    def __init__(self, head: str, slices: list[Slice], tail: str, *, separator: str = "", empty: str = "") -> None:
        self.head = head
        self.slices = slices
        self.tail = tail
        self.empty = empty
        self.separator = separator
        first = slices[0].text if slices else ""
        self.col = len(first) - len(first.lstrip(" "))
        if separator or not slices:
            bare = tail.lstrip()
            self.envelope = head + empty + (bare[1:] if slices and bare.startswith(",") else tail)
        else:
            self.envelope = f"{head.rstrip()} []\n{tail}"
        self.root = _mapping(scan_any(self.envelope))

    @property
    def ends_with_newline(self) -> bool:
        """Whether the text ends with one."""
        last = self.tail or (self.slices[-1].text if self.slices else self.empty or self.head)
        return last.endswith("\n")


def cut(text: str) -> Cut:
    """Cut a ResourceList.

    Args:
        text: one YAML or JSON document without a byte order mark.

    Raises:
        InputError: it is not YAML, not a mapping, its items are no list, or it holds a second document.
    """
    text = _without_end_marker(text)
    return _quick(text) or _thorough(text)


def _quick(text: str) -> Cut | None:
    if not text.isascii() and any(each in text for each in _OTHER_BREAKS):
        return None
    if "\r" in text and text.count("\r") != text.count("\r\n"):
        return None
    start = 0 if text.startswith("items:") else text.find("\nitems:") + 1
    if not start and not text.startswith("items:"):
        return None
    after = text.find("\n", start) + 1
    if not after or text[start:after].rstrip() != "items:":
        return None
    col = len(text[after:]) - len(text[after:].lstrip(" ")) if text[after : after + 1] == " " else 0
    dash = "\n" + " " * col + "- "
    if not text.startswith(dash, after - 1) or text.startswith("{"):
        return None
    stop = _tidy_end(text, after, col)
    if stop:
        slices, lead = _tidy_slices(text, after, stop, dash), ""
    else:
        stops = [at for key in _ROOT_KEYS if (at := text.find(f"\n{key}:", after - 1)) >= 0]
        stop = min(stops) + 1 if stops else len(text)
        slices, lead = _slices(text, after, stop, col)
    if slices is None:
        return None
    head, tail = text[:after], lead + text[stop:]
    try:
        found = Cut(head, slices, tail)
    except InputError:
        return None
    items = found.root.value.get("items")
    return found if isinstance(items, Node) and items.style == "[" and not items.value else None


def _tidy_end(text: str, after: int, col: int) -> int:
    """Return where the items end if all their lines are in the columns of a list, and functionConfig follows; or 0.

    That is what hosts send: no comment, blank line or other key of the list is between ``after`` and there.
    """
    stop = text.rfind("\nfunctionConfig:", after) + 1
    start, end = after - 1, stop - 1
    if not stop:
        return 0
    dashes, deeper = text.count("\n" + " " * col + "- ", start, end), text.count("\n" + " " * (col + 2), start, end)
    return stop if dashes + deeper == text.count("\n", start, end) else 0


def _tidy_slices(text: str, after: int, stop: int, dash: str) -> list[Slice] | None:
    slices = []
    line = text.count("\n", 0, after)
    at = after
    while at < stop:
        following = text.find(dash, at, stop) + 1 or stop
        body = text[at:following]
        if _quote_may_be_open(body):
            return None
        slices.append(Slice("", body, line))
        line += body.count("\n")
        at = following
    return slices


def _slices(text: str, after: int, stop: int, col: int) -> tuple[list[Slice] | None, str]:
    """Return the items, and what comes behind the last one; None where the text is not what it seems."""
    chunks = text[after:stop].split("\n" + " " * col + "- ")
    slices: list[Slice] = []
    lead = ""
    line = text.count("\n", 0, after)
    inner = "\n" + " " * (col + 2)
    dash = " " * col + "- "
    last = len(chunks) - 1
    for i, chunk in enumerate(chunks):
        body = dash + chunk if i else chunk
        if i < last:
            body += "\n"
        lines = body.count("\n")
        following = ""
        if body.count(inner) != lines - 1 or (i == last and body[-1:] != "\n"):
            kept = _deep_lines(body, col + 2)
            if kept is None:
                return None, ""
            body, following = body[:kept], body[kept:]
        if _quote_may_be_open(body):
            return None, ""
        slices.append(Slice(lead, body, line))
        lead = following
        line += lines
    return slices, lead


def _deep_lines(body: str, col: int) -> int | None:
    """Return where the lines of an item end and comments or blanks before the next item begin.

    None where a line is neither: the text is not what it seems.
    """
    end = at = body.find("\n") + 1 or len(body)
    deep = " " * col
    keeps_blanks = "|+" in body or ">+" in body
    while at < len(body):
        stop = body.find("\n", at) + 1 or len(body)
        line = body[at:stop]
        if (line.startswith(deep) and line.strip()) or (keeps_blanks and not line.strip()):
            end = stop
        elif line.strip(" \r\n") and not line.lstrip(" ").startswith("#"):
            return None
        at = stop
    return end


def _quote_may_be_open(text: str) -> bool:
    """Whether the last quote of ``text`` could be one that opens a scalar, which then goes on in what follows."""
    double, single = text.rfind('"'), text.rfind("'")
    return (
        (double > 0 and text[double - 1] in _BEFORE_DOUBLE) or (single > 0 and text[single - 1] in _BEFORE_SINGLE)
    ) and not _is_closed(text)


def _is_closed(text: str) -> bool:
    try:
        node = scan_any(text)
    except InputError:
        return False
    return node is not None and node.kind == SEQUENCE and len(node.value) == 1


def _thorough(text: str) -> Cut:
    root = _mapping(scan_any(text))
    items = root.value.get("items")
    if not isinstance(items, Node):
        raise InputError("the list has no items: expected at least `items: []`", 1)
    if items.kind != SEQUENCE and (items.kind == MAPPING or items.style or items.value not in ("", "null", "~")):
        raise InputError("items must be a list", text.count("\n", 0, items.start) + 1)
    if items.kind != SEQUENCE or not items.value:
        separator = ", " if root.style else ""
        return Cut(text[: items.start], [], text[items.end :], separator=separator, empty=text[items.start : items.end])
    if items.style:
        return _flow(text, items)
    spans = item_spans(text, items)
    slices = []
    lead = ""
    for i, (start, _) in enumerate(spans):
        stop = spans[i + 1][0] if i + 1 < len(spans) else spans[i][1]
        body = text[start:stop]
        kept = _deep_lines(body, items.col + 2) if i + 1 < len(spans) else None
        kept = len(body) if kept is None else kept
        slices.append(Slice(lead, body[:kept], text.count("\n", 0, start)))
        lead = body[kept:]
    return Cut(text[: spans[0][0]], slices, lead + text[spans[-1][1] :])


def _flow(text: str, items: Node) -> Cut:
    children = items.value
    slices = []
    end = children[0].start
    for child in children:
        slices.append(Slice(text[end : child.start], text[child.start : child.end], text.count("\n", 0, child.start)))
        end = child.end
    separator = slices[1].lead if len(slices) > 1 else ", "
    return Cut(text[: children[0].start], slices, text[end:], separator=separator)


def _mapping(root: Node | None) -> Node:
    if root is None or root.kind != MAPPING:
        raise InputError("expected a ResourceList, found " + ("nothing" if root is None else "something else"), 1)
    return root


def _without_end_marker(text: str) -> str:
    """Cut a trailing ``---`` or ``...``: behind our output it would make kpt take the list for an object."""
    bare = text.rstrip()
    while bare.endswith(("\n---", "\n...")):
        text = bare[:-3]
        bare = text.rstrip()
    return text
