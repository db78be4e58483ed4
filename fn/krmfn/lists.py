"""Items of kind ``List``, read through to their members: what ``kubectl get deploy,hpa -o yaml`` (or json) prints.

While a function runs, the members stand in the list as items of their own. Afterwards those that nobody touched are
in their List again, byte for byte; a member that was edited, replaced or removed has left it, and what takes its place
is an item beside the List. A List that lost every member goes.
"""

from __future__ import annotations

from . import hostkeys as host
from .errors import InputError
from .kubeobject import KubeObject
from .node import MAPPING, SEQUENCE, Node
from .scan import scan
from .spans import item_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: What a List's own annotations say of its members, too: where they are, and whom they are for.
_OF_ALL = (
    host.PATH,
    host.INDEX,
    host.LEGACY_PATH,
    host.LEGACY_INDEX,
    host.PACKAGE_PATH,
    host.SEQ_INDENT,
    host.LOCAL_CONFIG,
)


class OpenList:
    """A List whose members stand in its place: ``obj`` is the List, ``members`` are its items in order."""

    def __init__(self, obj: KubeObject, text: str, items: Node, normalised: str) -> None:
        self.obj = obj
        self.members: list[KubeObject] = []
        self._text = text
        self._flow = bool(items.style)
        self._normalised = normalised
        self._nodes: list[Node] = items.value
        spans = [(node.start, node.end) for node in self._nodes] if self._flow else item_spans(text, items)
        ends = [end for _, end in spans]
        #: (start of the comments above it, start, end) of each member.
        self._places = [
            (ends[i - 1] if i else spans[0][0] if self._flow else _comments_above(text, start), start, end)
            for i, (start, end) in enumerate(spans)
        ]
        self._texts: list[str] = []
        #: What stands above the List, comments at the head of its document included, and above its first member.
        self.above = obj.lead
        self._own_lead = ""

    def add(self, text: str, lead: str) -> None:
        """Make the next member: ``text`` as an item of the list, ``lead`` the comments above it."""
        start = self._places[len(self.members)][1]
        member = KubeObject(text, self.obj.index, self.obj.line + self._text.count("\n", 0, start))
        if not self.members:  # where the List goes, what stood above it is above its first member
            self._own_lead, lead = lead, self.above + lead
        member.lead = lead
        if not member.kind or not member.api_version:
            missing = "kind" if not member.kind else "apiVersion"
            raise InputError(f"item {len(self.members)} of a List has no {missing}", member.line + 1)
        present = self.obj.keys("metadata", "annotations")
        if host.KUSTOMIZE_ID not in present:
            annotations = {key: self.obj.annotation(key) for key in _OF_ALL if key in present}
            member.merge_nested({("metadata", "annotations", key): value for key, value in annotations.items()})
            member.settle()
        self.members.append(member)
        self._texts.append(member.raw)

    def place(self, i: int) -> tuple[int, int, int]:
        """Return where the comments above member ``i``, its text, and what is behind it start in the List's text."""
        return self._places[i]

    def fold(self, items: Sequence[KubeObject]) -> list[KubeObject]:
        """Return ``items`` with the members that nobody touched back in their List, at the place of the first one."""
        there = {id(obj) for obj in items}
        stay = [i for i, obj in enumerate(self.members) if id(obj) in there and obj.text == self._texts[i]]
        folded = {id(self.members[i]) for i in stay}
        found: list[KubeObject] = []
        for obj in items:
            if id(obj) not in folded:
                found.append(obj)
            elif id(obj) == id(self.members[stay[0]]):
                found.append(self._closed(stay))
        if stay and self.above:
            first = [obj for obj in found if obj.lead == self.above + self._own_lead and obj.kind != self.obj.kind]
            if first and first[0].index in (-1, self.obj.index):
                first[0].lead = self._own_lead
        return found

    def _closed(self, stay: Sequence[int]) -> KubeObject:
        """Return the List with those of its members that ``stay``."""
        if len(stay) == len(self.members):
            return self.obj
        text = self._without_flow(stay) if self._flow else self._without_lines(stay)
        closed = KubeObject(text, self.obj.index, self.obj.line)
        closed.lead = self.obj.lead
        closed.normalised = self._normalised
        return closed

    def _without_lines(self, stay: Sequence[int]) -> str:
        parts, at, kept = [], 0, frozenset(stay)
        for i, (above, _, end) in enumerate(self._places):
            if i not in kept:
                parts.append(self._text[at:above])
                at = end
        return "".join([*parts, self._text[at:]])

    def _without_flow(self, stay: Sequence[int]) -> str:
        text, nodes = self._text, self._nodes
        parts = [text[: nodes[0].start]]
        for i in stay:
            separator = text[nodes[i - 1].end : nodes[i].start] if len(parts) > 1 else ""
            parts.append(separator + text[nodes[i].start : nodes[i].end])
        return "".join([*parts, text[nodes[-1].end :]])


def open_list(obj: KubeObject, col: int | None, newline: str) -> OpenList | None:
    """Open a List; None where it has no members.

    Args:
        obj: the List.
        col: the column of the dash of the items around it; None for a document, or an item in flow style.
        newline: what a member in flow style ends with.

    Raises:
        InputError: a member is no object.
    """
    opened = _open(obj, obj.raw, col, newline)
    if opened is not None and ("*" in obj.raw and any(scan(member.raw).foreign for member in opened.members)):
        from .roundtrip import expand  # noqa: PLC0415 - an alias in one member, its anchor in another

        opened = _open(obj, expand(obj.raw, obj), col, newline, "an alias to another member")
    return opened


def _open(obj: KubeObject, text: str, col: int | None, newline: str, normalised: str = "") -> OpenList | None:
    root = scan(text, obj.line).root
    items = root.value.get("items")
    if not isinstance(items, Node) or items.kind != SEQUENCE or not items.value:
        return None
    opened = OpenList(obj, text, items, normalised)
    if col is None and "#" in text[: root.start]:
        opened.above += text[: root.start]
    target = 0 if col is None else col + 2
    dash = "" if col is None else " " * col + "- "
    for i, node in enumerate(items.value):
        above, start, end = opened.place(i)
        if node.kind != MAPPING:
            raise InputError(f"item {i} of a List is no object", obj.line + text.count("\n", 0, start) + 1)
        if items.style:
            base = _indent_of(text, len(text.rstrip())) if col is None and root.style else target
            opened.add(dash + _moved(text[start:end], _indent_of(text, start) - base, target) + newline, "")
        else:
            body = text[text.index("-", start) + 1 : end].lstrip(" ")
            lead = _moved(text[above:start], items.col - (col or 0), col or 0, whole=True)
            opened.add(dash + _moved(body, node.col - target, target), lead)
    return opened


def _moved(text: str, shift: int, least: int, *, whole: bool = False) -> str:
    """Return lines ``shift`` columns to the left, as far as they are indented; the first one only if ``whole``.

    A line that stands too far left for that is a comment, blank, or goes on with a quoted scalar or a flow collection,
    whose indentation means nothing: it is put into column ``least``.
    """
    lines = text.split("\n")
    for i, line in enumerate(lines):
        bare = line.lstrip(" ")
        if whole or i:
            indent = len(line) - len(bare)
            lines[i] = line[shift:] if indent >= shift else (" " * least if bare.strip() else "") + bare
    return "\n".join(lines)


def _indent_of(text: str, at: int) -> int:
    """Return the indentation of the line that holds the character before ``at``, or at it where a line starts."""
    start = text.rfind("\n", 0, at) + 1
    return len(text[start:]) - len(text[start:].lstrip(" "))


def _comments_above(text: str, start: int) -> int:
    """Return where the comments and blank lines above a line start."""
    while start:
        before = text.rfind("\n", 0, start - 1) + 1
        line = text[before:start].strip()
        if line and not line.startswith("#"):
            break
        start = before
    return start
