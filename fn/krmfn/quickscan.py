"""A quick reader for the plain block YAML that hosts write: one pass over the lines, the same nodes as scan.py.

It knows block mappings, block lists, one-line scalars, literal block scalars and empty flow collections. Anything else
(anchors, tags, multi-line scalars, tabs, CRLF, explicit keys, nested lists in one line, ...) makes it give up, and
libyaml reads the object instead. tests/krmfn/test_quickscan.py holds it to libyaml's answer. It is there for the time
of a build: three times as fast, and most runs need not load libyaml at all.
"""

from __future__ import annotations

from .node import MAPPING, SCALAR, SEQUENCE, Node

#: A plain scalar or key that starts with one of these means something else, or something only libyaml should judge.
_SPECIAL = frozenset("&*!%@`?|>[]{},#\"'=<:~")
_OTHER_BREAKS = ("\x85", "\u2028", "\u2029")


class _GiveUp(Exception):  # noqa: N818 - no error: another reader takes over
    """The text holds something that this reader does not know."""


def quick_scan(text: str) -> tuple[Node, list[tuple[str, int]]] | None:
    """Return the root node and the duplicate keys of one document, or None: read it with libyaml."""
    if "\t" in text or "\r" in text or (not text.isascii() and any(each in text for each in _OTHER_BREAKS)):
        return None
    try:
        return _read(text)
    except _GiveUp:
        return None


def _read(text: str) -> tuple[Node, list[tuple[str, int]]]:  # noqa: C901, PLR0912, PLR0915 - one loop, the hot path
    duplicates: list[tuple[str, int]] = []
    stack: list[Node] = []
    top: Node | None = None  # the last of the stack
    key: str | None = None  # a key of top whose value has not been seen
    at = colon = 0
    root: Node | None = None
    pos, size = 0, len(text)
    while pos < size:
        stop = text.find("\n", pos)
        if stop < 0:
            stop = size
        line = text[pos:stop]
        bare = line.lstrip(" ")
        if not bare or bare[0] == "#":
            pos = stop + 1
            continue
        col = len(line) - len(bare)
        start = pos + col
        pos = stop + 1
        dash = bare[:2] == "- "
        if key is not None:
            assert top is not None
            if col > top.col or (dash and col == top.col):
                node = Node(SEQUENCE if dash else MAPPING, at, start, 0, col, [] if dash else {}, "")
                top.value[key] = node
                stack.append(node)
                top = node
            else:
                top.value[key] = Node(SCALAR, at, colon, colon, 0, "", "")
            key = None
        elif top is None:
            if root is not None:
                raise _GiveUp
            root = top = Node(SEQUENCE if dash else MAPPING, 0, start, 0, col, [] if dash else {}, "")
            stack.append(top)
        while top.col > col or (top.col == col and not dash and top.kind == SEQUENCE):
            stack.pop()
            if not stack:
                raise _GiveUp
            top = stack[-1]
        if top.col != col or dash != (top.kind == SEQUENCE):
            raise _GiveUp
        if dash:
            inner = bare[2:].lstrip(" ")
            start += len(bare) - len(inner)
            bare = inner
            if not _is_entry(bare):
                node, pos = _scalar(text, bare, start, start, top.col, pos)
                top.value.append(node)
                continue
            node = Node(MAPPING, start, start, 0, start - (stop - len(line)), {}, "")
            top.value.append(node)
            stack.append(node)
            top = node
        length = bare.find(": ")
        if length < 0:
            length = len(bare) - 1
            if bare[length] != ":":
                raise _GiveUp
        name = bare[:length]
        if name[0] in _SPECIAL or "#" in name or name[-1] == " ":
            name = _quoted_key(name)
        if name in top.value:
            duplicates.append((name, start))
        value = bare[length + 1 :].lstrip(" ")
        at = start
        if not value or value[0] == "#":
            key = name
            colon = start + length + 1
            continue
        top.value[name], pos = _scalar(text, value, at, start + len(bare) - len(value), top.col, pos)
    if key is not None:
        assert top is not None
        top.value[key] = Node(SCALAR, at, colon, colon, 0, "", "")
    if root is None:
        raise _GiveUp
    return root, duplicates


def _is_entry(bare: str) -> bool:
    """Whether what stands behind a dash starts a mapping."""
    if not bare or bare[0] == "#" or bare[:2] == "- ":
        raise _GiveUp
    if bare[0] in "\"'":
        closing = bare.find(bare[0], 1)
        return bare[closing + 1 : closing + 2] == ":"
    return ": " in bare or bare[-1] == ":"


def _quoted_key(name: str) -> str:
    if name[0] in "\"'" and len(name) > 2 and name[-1] == name[0] and name[0] not in name[1:-1] and "\\" not in name:
        return name[1:-1]
    raise _GiveUp


def _scalar(text: str, value: str, at: int, start: int, col: int, pos: int) -> tuple[Node, int]:
    """Return the scalar (or empty collection) that ``value`` starts with, and where the next line begins."""
    first = value[0]
    if first not in _SPECIAL:
        if " #" in value:
            value = value[: value.index(" #")]
        value = value.rstrip(" ")
        if ": " in value or value[-1] == ":" or value[:2] == "- " or value == "-" or value[:3] in ("---", "..."):
            raise _GiveUp
        return Node(SCALAR, at, start, start + len(value), 0, value, ""), pos
    if first in "\"'":
        closing = value.find(first, 1)
        rest = value[closing + 1 :].lstrip(" ")
        if closing < 0 or (rest and rest[0] != "#") or "\\" in value[:closing] or (rest and value[closing + 1] != " "):
            raise _GiveUp
        return Node(SCALAR, at, start, start + closing + 1, 0, value[1:closing], first), pos
    if first == "|":
        return _literal(text, value, at, start, col, pos)
    if value[:2] in ("{}", "[]") and (not value[2:].strip(" ") or value[2:].lstrip(" ")[0] == "#" != value[2]):
        kind = MAPPING if first == "{" else SEQUENCE
        return Node(kind, at, start, start + 2, 0, {} if first == "{" else [], first), pos
    raise _GiveUp


def _literal(text: str, value: str, at: int, start: int, col: int, pos: int) -> tuple[Node, int]:
    """Return a literal block scalar whose parent stands in column ``col``."""
    header = value.rstrip(" ")
    if header not in ("|", "|-", "|+"):
        raise _GiveUp
    lines: list[str] = []
    indent = 0
    size = len(text)
    while pos < size:
        stop = text.find("\n", pos)
        if stop < 0:
            stop = size
        line = text[pos:stop]
        bare = line.lstrip(" ")
        if bare:
            deep = len(line) - len(bare)
            if not indent:
                if deep <= col:
                    break
                indent = deep
            if deep < indent:
                break
            lines.append(line[indent:])
        elif not indent and line:
            raise _GiveUp  # blanks before the first line: libyaml has rules for them
        else:
            lines.append(line[indent:])
        pos = stop + 1
    if not indent or (pos > size and header == "|+"):
        raise _GiveUp
    content = "\n".join(lines)
    if header != "|+":
        content = content.rstrip("\n") + ("" if header == "|-" or pos > size else "\n")
    else:
        content += "\n"
    return Node(SCALAR, at, start, min(pos, size), 0, content, "|"), pos
