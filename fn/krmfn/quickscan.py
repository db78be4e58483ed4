"""A quick reader for the plain block YAML that hosts write: one pass over the lines, the same nodes as scan.py.

It knows block mappings, block lists, one-line scalars, literal block scalars and empty flow collections. Anything else
(anchors, tags, multi-line scalars, tabs, CRLF, explicit keys, nested lists in one line, ...) makes it give up, and
libyaml reads the object instead. tests/krmfn/test_quickscan.py holds it to libyaml's answer. It is there for the time
of a build: most runs need not load libyaml at all, and a list repeats most of its lines, so that what a line says is
looked up and not read again.
"""

from __future__ import annotations

from .node import MAPPING, SCALAR, SEQUENCE, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    #: Column; whether a dash comes first; key, or None; where key and value start and the value ends in the line;
    #: the value, or None where it is on the next lines; its style.
    Line = tuple[int, bool, Optional[str], int, int, int, Optional[str], str]

#: A plain scalar or key that starts with one of these means something else, or something only libyaml should judge.
_SPECIAL = frozenset("&*!%@`?|>[]{},#\"'=<:~")
_OTHER_BREAKS = ("\x85", "\u2028", "\u2029")
_LITERALS = ("|", "|-", "|+")
#: Deeper than any Kubernetes object: libyaml's reader says so.
_DEEP = 100

_BLANK: Line = (-1, False, None, 0, 0, 0, None, "")
_UNKNOWN: Line = (-2, False, None, 0, 0, 0, None, "")
#: What the lines that were read say. What a list repeats comes early: the memo need not grow with the list.
_lines: dict[str, Line] = {}
_MANY = 4_000


def quick_scan(text: str) -> tuple[Node, list[tuple[str, int]]] | None:  # noqa: C901, PLR0912, PLR0915 - the hot path
    """Return the root node and the duplicate keys of one document, or None: read it with libyaml."""
    if "\t" in text or "\r" in text or "\0" in text:
        return None
    if not text.isascii() and any(each in text for each in _OTHER_BREAKS):
        return None
    duplicates: list[tuple[str, int]] = []
    stack: list[tuple[Node, int, bool]] = []
    root: Node | None = None
    top: Node | None = None
    top_col, in_list = -1, False  # the column of top's entries, and whether it is a list
    waiting: Node | None = None  # stands for the value of a key that may follow on the next lines
    literal: _Literal | None = None
    known = _lines
    stop = -1
    for line in text.split("\n"):
        start = stop + 1
        stop = start + len(line)
        if literal is not None:
            if literal.takes(line):
                continue
            if not literal.ends(start):
                return None
            literal = None
        col, dash, key, key_at, value_at, value_end, value, style = known.get(line) or _read(line)
        if col < 0:
            if col == -1:
                continue
            return None
        if waiting is not None:
            if col > top_col or (dash and col == top_col and not in_list):
                waiting.kind, waiting.value = (SEQUENCE, []) if dash else (MAPPING, {})
                waiting.start, waiting.end, waiting.col = start + col, 0, col
                stack.append((top, top_col, in_list))  # type: ignore[arg-type]
                top, top_col, in_list = waiting, col, dash
            waiting = None
        elif top is None:
            if root is not None:
                return None
            root = top = Node(SEQUENCE if dash else MAPPING, 0, start + col, 0, col, [] if dash else {}, "")
            top_col, in_list = col, dash
        if col != top_col or dash is not in_list:
            while top_col > col or (top_col == col and in_list and not dash):
                if not stack:
                    return None
                top, top_col, in_list = stack.pop()
            if col != top_col or dash is not in_list:
                return None
        assert top is not None
        if key is None:
            node = Node(SCALAR, start + value_at, start + value_at, start + value_end, 0, value, style)
            top.value.append(node)
        else:
            at = start + key_at
            if dash:
                node = Node(MAPPING, at, at, 0, key_at, {}, "")
                top.value.append(node)
                stack.append((top, top_col, in_list))
                top, top_col, in_list = node, key_at, False
            if key in top.value:
                duplicates.append((key, at))
            node = top.value[key] = Node(SCALAR, at, start + value_at, start + value_end, 0, value, style)
            if value is None:
                node.value = ""
                waiting = node
                continue
        if style:
            if style == "|":
                literal = _Literal(node, top_col)
            elif style == "{":
                node.kind, node.value = MAPPING, {}
            elif style == "[":
                node.kind, node.value = SEQUENCE, []
    if literal is not None and (text[-1] != "\n" or not literal.ends(len(text), at_end=True)):
        return None
    return (root, duplicates) if root is not None and len(stack) < _DEEP else None


class _Literal:
    """A literal block scalar that is being read; its parent stands in column ``col``."""

    __slots__ = ("col", "indent", "lines", "node")

    def __init__(self, node: Node, col: int) -> None:
        self.node = node
        self.col = col
        self.indent = 0
        self.lines: list[str] = []

    def takes(self, line: str) -> bool:
        """Whether a line is part of it."""
        bare = line.lstrip(" ")
        if bare:
            deep = len(line) - len(bare)
            if not self.indent:
                if deep <= self.col:
                    return False
                self.indent = deep
            if deep < self.indent:
                return False
        elif not self.indent and line:
            return False  # blanks before the first line: libyaml has rules for them
        self.lines.append(line[self.indent :])
        return True

    def ends(self, end: int, *, at_end: bool = False) -> bool:
        """Give the node its text, which ends before ``end``; False where libyaml should say what it is."""
        header = self.node.value
        if not self.indent or (at_end and header == "|+"):
            return False
        # Behind the last line break split leaves an empty line.
        text = "\n".join(self.lines[:-1] if at_end else self.lines)
        if not text.replace("\n", "").isprintable():
            return False
        text = text + "\n" if header == "|+" else text.rstrip("\n") + ("\n" if header == "|" else "")
        self.node.value = text
        self.node.end = end
        return True


def _read(line: str) -> Line:
    found = _parsed(line)
    if len(_lines) < _MANY:
        _lines[line] = found
    return found


def _parsed(line: str) -> Line:
    """Return what one line says on its own."""
    bare = line.lstrip(" ")
    if not bare.isprintable():
        return _UNKNOWN
    if not bare or bare[0] == "#":
        return _BLANK
    col = len(line) - len(bare)
    dash = bare[:2] == "- "
    if dash:
        bare = bare[2:].lstrip(" ")
        if not bare or bare[0] == "#" or bare[:2] == "- ":
            return _UNKNOWN
    key_at = len(line) - len(bare)
    if dash and not _is_entry(bare):
        value_end, value, style = _scalar(bare)
        return (col, dash, None, key_at, key_at, key_at + value_end, value, style) if value is not None else _UNKNOWN
    length = bare.find(": ")
    if length < 0:
        length = len(bare) - 1
        if bare[length] != ":":
            return _UNKNOWN
    key = bare[:length]
    if not key or key[0] in _SPECIAL or "#" in key or key[-1] == " ":
        if not _is_quoted(key):
            return _UNKNOWN
        key = key[1:-1]
    rest = bare[length + 1 :].lstrip(" ")
    if not rest or rest[0] == "#":
        colon = key_at + length + 1
        return col, dash, key, key_at, colon, colon, None, ""
    value_at = len(line) - len(rest)
    value_end, value, style = _scalar(rest)
    return (col, dash, key, key_at, value_at, value_at + value_end, value, style) if value is not None else _UNKNOWN


def _is_entry(bare: str) -> bool:
    """Whether what stands behind a dash starts a mapping."""
    if bare[0] in "\"'":
        closing = bare.find(bare[0], 1)
        return bare[closing + 1 : closing + 2] == ":"
    return ": " in bare or bare[-1] == ":"


def _is_quoted(key: str) -> bool:
    return len(key) > 2 and key[0] in "\"'" and key[-1] == key[0] and key[0] not in key[1:-1] and "\\" not in key  # noqa: PLR2004


def _scalar(text: str) -> tuple[int, str | None, str]:
    """Return the length, value and style of the scalar that ``text`` starts with; value None where it is not known."""
    first = text[0]
    if first not in _SPECIAL:
        value = text.partition(" #")[0].rstrip(" ")
        if ": " in value or value[-1] == ":" or value[:2] == "- " or value == "-" or value[:3] in ("---", "..."):
            return 0, None, ""
        return len(value), value, ""
    if first in "\"'":
        closing = text.find(first, 1)
        rest = text[closing + 1 :]
        comment = rest.lstrip(" ")
        if closing < 0 or "\\" in text[:closing] or (comment and (rest[0] != " " or comment[0] != "#")):
            return 0, None, ""
        return closing + 1, text[1:closing], first
    if first == "|":
        header = text.rstrip(" ")
        return len(header), header if header in _LITERALS else None, "|"
    rest = text[2:]
    if text[:2] in ("{}", "[]") and (not rest.strip(" ") or (rest[0] == " " and rest.lstrip(" ")[0] == "#")):
        return 2, "", first
    return 0, None, ""
