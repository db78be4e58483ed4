"""Items of kind ``List``, read through to their members: what ``kubectl get deploy,hpa -o yaml`` (or json) prints.

So is the list of one kind that the API returns, such as a ``DeploymentList``: its members say neither apiVersion nor
kind, and get those of the list, as kubectl gives them (kubernetes, apimachinery, pkg/apis/meta/v1/unstructured).

While a function runs, the members stand in the list as items of their own. Afterwards those that nobody touched are
in their List again, byte for byte; a member that was edited, replaced or removed has left it, and what takes its place
is an item beside the List. A List that lost every member goes.
"""

from __future__ import annotations

from . import hostkeys as host
from .errors import InputError
from .kubeobject import KubeObject
from .node import MAPPING, SEQUENCE, Node
from .scalar import write
from .scan import scan
from .spans import item_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LIST = "List"
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
        #: Where the last member starts, and on which line of the List's text.
        self._line = 0, 0
        self._texts: list[str] = []
        #: What stands above the List, comments at the head of its document included, and above its first member.
        self.above = obj.lead
        self._own_lead = ""

    def add(self, text: str, lead: str, kind: tuple[str, str] | None) -> None:
        """Make the next member: ``text`` as an item of the list, ``lead`` the comments above it.

        ``kind`` is apiVersion and kind where the list is of one kind: a member may lack one of them.
        """
        start = self._places[len(self.members)][1]
        before, line = self._line
        self._line = start, line + self._text.count("\n", before, start)
        member = KubeObject(text, self.obj.index, self.obj.line + self._line[1])
        if not self.members:  # where the List goes, what stood above it is above its first member
            self._own_lead, lead = lead, self.above + lead
        member.lead = lead
        if kind is not None and not (member.kind and member.api_version):
            own = {"apiVersion": member.api_version, "kind": member.kind}
            member.merge_nested({(key,): said for (key, value), said in zip(own.items(), kind) if not value})
            member.settle()
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

    def untouched(self, there: set[int]) -> list[int]:
        """Return the numbers of the members whose ``id`` is among ``there`` and that nobody changed."""
        return [i for i, obj in enumerate(self.members) if id(obj) in there and obj.text == self._texts[i]]

    @property
    def leads(self) -> tuple[str, str]:
        """What stood above the first member, with and without what is above the List."""
        return self.above + self._own_lead, self._own_lead

    def closed(self, stay: Sequence[int]) -> KubeObject:
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


def fold(opened: Sequence[OpenList], items: Iterable[KubeObject]) -> tuple[list[KubeObject], set[KubeObject]]:
    """Put the members that nobody touched back in their Lists, each List at the place of the first one.

    ``opened`` are in the order in which they were opened, so one within another stands behind that. Returns the items,
    and the Lists among them. It looks at each item and each member once.
    """
    items = list(items)
    there = {id(obj) for obj in items}
    #: What takes the place of a member: its List for the first one, None for the others.
    taken: dict[int, KubeObject | None] = {}
    lists: set[KubeObject] = set()
    kept: list[OpenList] = []
    for each in reversed(opened):
        stay = each.untouched(there)
        if stay:
            kept.append(each)
            closed = each.closed(stay)
            taken.update((id(each.members[i]), None) for i in stay)
            taken[id(each.members[stay[0]])] = closed
            there.add(id(closed))
            lists.add(closed)
    found = []
    for obj in items:
        place: KubeObject | None = obj
        while place is not None and id(place) in taken:
            place = taken[id(place)]
        if place is not None:
            found.append(place)
    _keep_above([each for each in kept if each.above], found, lists)
    return found, lists


def _keep_above(opened: Sequence[OpenList], found: Sequence[KubeObject], lists: set[KubeObject]) -> None:
    """Take what stands above a List that stays from its first member, or what took that one's place."""
    with_lead: dict[tuple[str, int], list[KubeObject]] = {}
    for obj in reversed(found if opened else ()):
        if obj.lead and obj not in lists:
            with_lead.setdefault((obj.lead, obj.index), []).append(obj)
    for each in opened:
        whole, own = each.leads
        same = with_lead.get((whole, each.obj.index)) or with_lead.get((whole, -1))
        if same:
            same.pop().lead = own


def is_list(obj: KubeObject) -> bool:
    """Whether an object is a List, or may be a list of one kind: an object that has a name is itself what is meant."""
    kind = obj.kind
    return kind == LIST or (kind.endswith(LIST) and kind != "ResourceList" and not obj.name)


def open_list(obj: KubeObject, col: int | None, newline: str) -> OpenList | None:
    """Open a List; None where it has no members, or is a list of one kind in name alone.

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
    kind = (obj.api_version, obj.kind.removesuffix(LIST)) if obj.kind != LIST else None
    if kind is not None and not all(_is_object(node) for node in items.value):
        return None
    opened = OpenList(obj, text, items, normalised)
    if col is None and "#" in text[: root.start]:
        opened.above += text[: root.start]
    target = 0 if col is None else col + 2
    dash = "" if col is None else " " * col + "- "
    base = _indent_of(text, len(text.rstrip())) if col is None and root.style and items.style else target
    for i, node in enumerate(items.value):
        above, start, end = opened.place(i)
        untold = kind is not None and not {"apiVersion", "kind"} & node.value.keys()
        if node.kind != MAPPING:
            raise InputError(f"item {i} of a List is no object", obj.line + text.count("\n", 0, start) + 1)
        if items.style:
            body, lead = text[start:end], ""
            if kind is not None and untold:
                body = _told_in_flow(body, *kind)
            body = _moved(body, _indent_of(text, start) - base, target) + newline
        else:
            body = text[text.index("-", start) + 1 : end].lstrip(" ")
            lead = _moved(text[above:start], items.col - (col or 0), col or 0, whole=True)
            if kind is not None and untold:
                body = _told_in_flow(body, *kind) if node.style else _told(body, node.col, *kind)
            body = _moved(body, node.col - target, target)
        opened.add(dash + body, lead, kind)
    return opened


def _is_object(node: Node) -> bool:
    """Whether a member of a list of one kind can be an object: they all have metadata."""
    metadata = node.value.get("metadata") if node.kind == MAPPING else None
    return isinstance(metadata, Node) and metadata.kind == MAPPING


def _told(body: str, col: int, api_version: str, kind: str) -> str:
    """Return a block mapping with apiVersion and kind above its first key, which stands in column ``col``."""
    if body[:1] in "\r\n#":  # the first key is on a line of its own: they go behind the last one
        return body
    newline = "\r\n" if "\r\n" in body else "\n"
    return f"apiVersion: {write(api_version)}{newline}{' ' * col}kind: {write(kind)}{newline}{' ' * col}{body}"


def _told_in_flow(body: str, api_version: str, kind: str) -> str:
    """Return a mapping in flow style with apiVersion and kind before its first key, written as its keys are."""
    inner = body[1:].lstrip()
    gap = body[1 : len(body) - len(inner)]
    json = inner.startswith('"')
    colon = ": " if not json or ": " in body else ":"
    told = {"apiVersion": api_version, "kind": kind}
    first = [colon.join(write(each, json=json) for each in pair) for pair in told.items()]
    between = f",{gap}" if gap.strip(" ") or colon == ":" else ", "
    return f"{{{gap}{between.join(first)}{between}{inner}"


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
    end = start
    while text[end : end + 1] == " ":
        end += 1
    return end - start


def _comments_above(text: str, start: int) -> int:
    """Return where the comments and blank lines above a line start."""
    while start:
        before = text.rfind("\n", 0, start - 1) + 1
        line = text[before:start].strip()
        if line and not line.startswith("#"):
            break
        start = before
    return start
