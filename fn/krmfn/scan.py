"""Text -> a tree of light nodes that know where they stand in the text.

libyaml does the reading: its events carry positions, and unlike a composer it accepts what hosts really send
(an anchor name used twice, ``!!merge <<``, a plain ``=``). A tree is never changed once built; edit.py makes
edited versions of the nodes on the way to a change, so that clones share everything else.
"""

from __future__ import annotations

from .errors import InputError
from .node import ALIAS, MAPPING, SCALAR, SEQUENCE, Node, RichNode, walk
from .quickscan import quick_scan
from .scalar import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    #: What a function reads and writes: plain data, as json.loads would give it.
    Data = Any

#: Deeper nesting than any Kubernetes object has; keeps recursion over a tree within Python's limits.
MAX_DEPTH = 200
#: An alias is expanded to at most this many nodes: what is larger is an attack or an accident.
MAX_EXPANDED = 100_000

MERGE = "<<"


class Tree:
    """What one scan found.

    ``root`` is the object's mapping; ``hazard`` says that anchors, aliases, merge keys, tags or complex keys
    occur; ``aliased`` names the anchors that an alias refers to; ``foreign`` the aliases whose anchor is not
    in this text; ``duplicates`` the keys that one mapping holds twice, with their position.
    """

    __slots__ = ("aliased", "anchored", "duplicates", "explicit_keys", "foreign", "hazard", "root")

    if TYPE_CHECKING:
        root: Node

    def __init__(self) -> None:
        self.hazard = False
        self.anchored = False
        self.aliased: set[str] = set()
        self.foreign: list[str] = []
        self.explicit_keys: list[Node] = []
        self.duplicates: list[tuple[str, int]] = []


def scan(text: str, line: int = 0) -> Tree:
    """Read one object.

    Args:
        text: a mapping, alone or as the single entry of a block sequence (``- apiVersion: ...``).
        line: how many lines of the stream come before ``text``, for error messages.

    Raises:
        InputError: it is not YAML, not one mapping, or nested deeper than ``MAX_DEPTH``.
    """
    quick = quick_scan(text)
    if quick is not None:
        tree = Tree()
        root: Node | None = quick[0]
        tree.duplicates = quick[1]
    else:
        tree, root = _read(text, line)
    if root is not None and root.kind == SEQUENCE and not root.style and len(root.value) == 1:
        root = root.value[0]
    if root is None or root.kind != MAPPING:
        found = "nothing" if root is None else ("a scalar", "", "a list", "an alias")[root.kind]
        raise InputError(f"an object must be a mapping, found {found}", line + 1)
    tree.root = root
    return tree


def scan_any(text: str, line: int = 0) -> Node | None:
    """Read one document of any shape; None for an empty one."""
    quick = quick_scan(text)
    return quick[0] if quick is not None else _read(text, line)[1]


def _read(text: str, line: int) -> tuple[Tree, Node | None]:
    from . import libyaml  # noqa: PLC0415 - what hosts write mostly needs no libyaml

    if "\\ud" in text.lower() and text.lstrip()[:1] == "{":
        return _read_json(text, line)
    try:
        return _build(text, line)
    except libyaml.YAMLError as error:
        raise _not_yaml(error, line) from None


def _read_json(text: str, line: int) -> tuple[Tree, Node | None]:
    """Read JSON that escapes characters as surrogate pairs, which YAML does not know.

    Each half of a pair is six characters long: another escape of that length keeps every position right, and the
    values are read from the text itself afterwards.
    """
    import json  # noqa: PLC0415
    import re  # noqa: PLC0415

    from . import libyaml  # noqa: PLC0415

    pair = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
    try:
        tree, root = _build(pair.sub(r"\\u003f\\u003f", text), line)
    except libyaml.YAMLError as error:
        raise _not_yaml(error, line) from None
    for node in walk(root):
        if node.kind == SCALAR and node.style == '"' and pair.search(text, node.start, node.end):
            node.value = json.loads(text[node.start : node.end])
    return tree, root


def _not_yaml(error: Exception, line: int) -> InputError:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error.args[-1] if error.args else error)
    context = getattr(error, "context", None)
    where = line + mark.line + 1 if mark is not None else 0
    return InputError(f"not valid YAML: {problem}" + (f" {context}" if context else ""), where)


def _build(text: str, line: int) -> tuple[Tree, Node | None]:  # noqa: C901, PLR0912, PLR0915 - one loop, the hot path
    from . import libyaml  # noqa: PLC0415

    tree = Tree()
    anchors: dict[str, Node] = {}
    parser = libyaml.CParser(text)
    get = parser.get_event
    scalar_event, alias_event = libyaml.ScalarEvent, libyaml.AliasEvent
    mapping_event, sequence_event = libyaml.MappingStartEvent, libyaml.SequenceStartEvent
    mapping_end, sequence_end = libyaml.MappingEndEvent, libyaml.SequenceEndEvent
    stack: list[tuple[Node | None, str | None, int]] = []
    parent: Node | None = None
    key: str | None = None  # the key that waits for its value
    at = 0
    root: Node | None = None
    try:
        while True:
            event: Any = get()
            kind = type(event)
            if kind is scalar_event:
                mark = event.start_mark
                start = mark.index
                if parent is not None and parent.kind == MAPPING and key is None:
                    key = event.value
                    at = start
                    if event.anchor is not None or event.tag is not None or key == MERGE:
                        tree.hazard = True
                    if parent.col < 0:
                        parent.col = mark.column
                    elif mark.column != parent.col and not parent.style:
                        tree.hazard = True
                        tree.explicit_keys.append(parent)
                    if key in parent.value:
                        tree.duplicates.append((key, start))
                    continue
                node = Node(SCALAR, at, start, event.end_mark.index, mark.column, event.value, event.style or "")
                anchor, tag = event.anchor, event.tag
            elif kind is mapping_event or kind is sequence_event:
                mark = event.start_mark
                start = mark.index
                if kind is mapping_event:
                    node = Node(MAPPING, at, start, 0, mark.column, {}, "{" if event.flow_style else "")
                else:
                    node = Node(SEQUENCE, at, start, 0, mark.column, [], "[" if event.flow_style else "")
                anchor, tag = event.anchor, event.tag
                if (anchor is not None or tag is not None) and not node.style:
                    # The properties stand before the collection: its column is that of its first entry.
                    node.col = -1
            elif kind is alias_event:
                mark = event.start_mark
                tree.hazard = True
                target = anchors.get(event.anchor)
                if target is None:
                    tree.foreign.append(event.anchor)
                else:
                    tree.aliased.add(event.anchor)
                node = Node(ALIAS, at, mark.index, event.end_mark.index, mark.column, target, "*")
                anchor = tag = None
                if parent is not None and parent.kind == MAPPING and key is None:
                    raise InputError("an alias as a key is not supported", line + mark.line + 1)
            elif kind is mapping_end or kind is sequence_end:
                assert parent is not None
                parent.end = event.end_mark.index
                parent, key, at = stack.pop()
                continue
            elif kind is libyaml.StreamEndEvent:
                return tree, root
            elif kind is libyaml.DocumentStartEvent and root is not None:
                raise InputError("expected one document, found another", line + event.start_mark.line + 1)
            else:
                continue
            if anchor is not None or tag is not None:
                tree.hazard = True
                node = RichNode(node)
                node.anchor, node.tag = anchor, tag
                if anchor is not None:
                    anchors[anchor] = node
                    tree.anchored = True
            if parent is None:
                root = node
            elif parent.kind == MAPPING:
                if key is None:
                    raise InputError("a mapping or list as a key is not supported", line + mark.line + 1)
                parent.value[key] = node
                key = None
            else:
                if parent.col < 0:
                    parent.col = text.rfind("-", 0, start) - text.rfind("\n", 0, start) - 1
                node.at = start
                parent.value.append(node)
            if kind is mapping_event or kind is sequence_event:
                if len(stack) >= MAX_DEPTH:
                    raise InputError(f"nested deeper than {MAX_DEPTH} levels", line + mark.line + 1)
                stack.append((parent, key, at))
                parent, key = node, None
    finally:
        parser.dispose()


def to_data(node: Any) -> Data:
    """Return plain data for a node (or for data that an edit put there): aliases and merge keys expanded.

    Raises:
        InputError: an alias has no anchor in this object, or expands to more than ``MAX_EXPANDED`` nodes.
    """
    return _Reader().read(node)


class _Reader:
    """Counts what it expands, so that nested aliases cannot grow without bound."""

    def __init__(self) -> None:
        self._count = 0
        self._depth = 0
        self._shared = 0  # how many aliases and merge keys lead here

    def read(self, node: Any) -> Data:
        if not isinstance(node, Node):
            return node
        kind = node.kind
        if self._shared:
            self._count += 1
            if self._count > MAX_EXPANDED:
                raise InputError(f"aliases expand to more than {MAX_EXPANDED} values")
        if kind == SCALAR:
            return scalar_value(node)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise InputError(f"nested deeper than {MAX_DEPTH} levels, or an alias stands inside its own anchor")
        shares = kind == ALIAS or (kind == MAPPING and MERGE in node.value)
        self._shared += shares
        value = self._collection(node)
        self._shared -= shares
        self._depth -= 1
        return value

    def _collection(self, node: Node) -> Data:
        if node.kind == MAPPING:
            entries = merged(node) if MERGE in node.value else node.value
            return {key: self.read(child) for key, child in entries.items()}
        if node.kind == SEQUENCE:
            return [self.read(child) for child in node.value]
        return self.read(target_of(node))


def scalar_value(node: Node) -> Data:
    """Return the typed value of a scalar: its tag decides, then its quotes, then its text."""
    if node.style or node.tag in ("tag:yaml.org,2002:str", "!"):
        return node.value
    return resolve(node.value)


def target_of(node: Node) -> Any:
    """Follow aliases to the node they stand for."""
    while isinstance(node, Node) and node.kind == ALIAS:
        if node.value is None:
            raise InputError("an alias refers to an anchor outside this object")
        node = node.value
    return node


def merged(node: Node, depth: int = 0) -> dict[str, Any]:
    """Return the entries of a mapping with its ``<<`` resolved: explicit keys win, then the first source."""
    if depth > MAX_DEPTH:
        raise InputError('a merge key "<<" leads to itself')
    entries = dict(node.value)
    source = entries.pop(MERGE, None)
    if source is None:
        return entries
    source = target_of(source)
    sources = source.value if isinstance(source, Node) and source.kind == SEQUENCE else [source]
    for each in sources:
        mapping = target_of(each)
        if not isinstance(mapping, Node) or mapping.kind != MAPPING:
            raise InputError('the value of "<<" must be a mapping or a list of mappings')
        for key, child in merged(mapping, depth + 1).items():
            entries.setdefault(key, child)
    return entries


def child_of(node: Any, key: str | int) -> Any:
    """Return the child of a node or of plain data under ``key``, or None; aliases and merges are followed."""
    if isinstance(node, Node):
        node = target_of(node) if node.kind == ALIAS else node
    if not isinstance(node, Node):
        if isinstance(node, dict):
            return node.get(key)
        return node[key] if isinstance(node, list) and isinstance(key, int) and -len(node) <= key < len(node) else None
    if node.kind == MAPPING:
        child = node.value.get(key)
        if child is None and MERGE in node.value and key != MERGE:
            return merged(node).get(str(key))
        return child
    if node.kind == SEQUENCE and isinstance(key, int) and -len(node.value) <= key < len(node.value):
        return node.value[key]
    return None
