"""One object of the list: its text, read when it is needed, edited by splicing.

Method names follow the Go SDK (kptdev/krm-functions-sdk, go/fn): nested_string, set_nested, is_group_kind, ...
"""

from __future__ import annotations

from . import edit, splice
from . import hostkeys as host
from .emit import Style, block_item, block_value, flow, is_json, style_of
from .errors import ObjectError, UnsafeEdit
from .head import cheap_kind, cheap_name
from .node import ALIAS, MAPPING, SCALAR, Node
from .patch import TooHard, patched
from .scalar import HOLE, Hole, write
from .scan import MERGE, Tree, child_of, merged, scan, target_of, to_data
from .shape import misfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Any, TypeVar, Union

    from .scan import Data

    T = TypeVar("T")
    Key = Union[str, int]

_ABSENT: Any = object()

#: What kpt writes behind a mapping to find it again: on a copy it would find the wrong one.
_KPT_MERGE = "# kpt-merge:"


class KubeObject:
    """An object with ``apiVersion``, ``kind`` and ``metadata``.

    Made by a ResourceList, by ``clone`` or by ``from_data``. ``index`` is its place in the input, -1 for a new
    one; ``line`` the number of lines of the stream before it.
    """

    __slots__ = (
        "_cache",
        "_is_copy",
        "_keeps_head",
        "_kind",
        "_name",
        "_owner",
        "_root",
        "_text",
        "_tree",
        "index",
        "lead",
        "line",
        "normalised",
    )

    def __init__(self, text: str, index: int = -1, line: int = 0) -> None:
        self._text = text
        self._tree: Tree | None = None
        self._root: Node | None = None
        self._kind: tuple[str, str] | None = None
        self._name: tuple[str, str] | None = None
        self._is_copy = False
        self._keeps_head = True
        #: Who may change the nodes of the tree in place: this object, until it is cloned or written.
        self._owner = object()
        self._cache: dict[tuple[Key, ...], Data] = {}
        self.index = index
        self.line = line
        #: Text before the object that belongs to it: comments, document markers.
        self.lead = ""
        #: Why this object's text was written anew by a YAML library, empty if it was not.
        self.normalised = ""

    @classmethod
    def from_data(cls, data: dict[str, Data], style: Style | None = None, col: int | None = None) -> KubeObject:
        """Return a new object made of ``data``.

        ``col`` is the column of the dash where the object is for a list; without it the object is a document.
        """
        style = style or Style()
        if style.json:
            return cls(flow(data, style))
        return cls(block_value(data, -2, style) if col is None else block_item(data, col, style))

    @classmethod
    def from_node(cls, text: str, node: Node) -> KubeObject:
        """Return an object to read that is a part of ``text``."""
        obj = cls(text)
        obj._tree = Tree()
        obj._tree.root = obj._root = node
        return obj

    # ------------------------------------------------------------------------------------------- reading

    @property
    def api_version(self) -> str:
        """``apiVersion``, empty where it is absent."""
        return (self._kind or self._get_kind())[0]

    @property
    def kind(self) -> str:
        """``kind``, empty where it is absent."""
        return (self._kind or self._get_kind())[1]

    @property
    def name(self) -> str:
        """``metadata.name``, empty where it is absent."""
        return (self._name or self._get_name())[0]

    @property
    def namespace(self) -> str:
        """``metadata.namespace``, empty where it is absent."""
        return (self._name or self._get_name())[1]

    @property
    def group(self) -> str:
        """The API group, empty for the core group."""
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        """The API version without its group."""
        return self.api_version.rpartition("/")[2]

    @property
    def id(self) -> tuple[str, str, str, str]:
        """Group, kind, namespace and name: unique in a list."""
        return self.group, self.kind, self.namespace, self.name

    @property
    def raw(self) -> str:
        """The object's text before any edit: for a quick look whether it can hold something."""
        return self._text

    @property
    def text(self) -> str:
        """The object's text as it is now, edits included."""
        if self._root is None or (self._root.base is None and not self._is_copy):
            return self._text
        marker = self._kpt_merge() if self._is_copy and _KPT_MERGE in self._text else ()
        text = splice.apply(self._text, self._root, self._style(), marker)
        self._owner = object()  # what was written is remembered in the nodes: later edits must copy them
        if self._is_copy and not self._keeps_head:
            text = self._without_head_comments(text)
        return text

    def is_group_kind(self, group: str, kind: str) -> bool:
        """Whether the object is of this kind, in any version of its group."""
        return self.kind == kind and self.group == group

    def get(self, *path: Key) -> Data:
        """Return the value at ``path`` as plain data, None where there is none. Do not change it in place."""
        if path in self._cache:
            return self._cache[path]
        value = to_data(self._find(path))
        self._cache[path] = value
        return value

    def nested_string(self, *path: Key, default: str = _ABSENT) -> str:
        """Return the string at ``path``.

        Raises:
            ObjectError: something else is there, or nothing is and no ``default`` was given.
        """
        return self._typed(path, str, "a string", default)

    def nested_int(self, *path: Key, default: int = _ABSENT) -> int:
        """Return the integer at ``path``; raises as ``nested_string``."""
        return self._typed(path, int, "an integer", default)

    def nested_bool(self, *path: Key, default: bool = _ABSENT) -> bool:
        """Return the boolean at ``path``; raises as ``nested_string``."""
        return self._typed(path, bool, "true or false", default)

    def nested_map(self, *path: Key) -> dict[str, Data]:
        """Return the mapping at ``path``, empty where it is absent or null; raises as ``nested_string``."""
        return self._typed(path, dict, "a mapping", {})

    def nested_slice(self, *path: Key) -> list[Data]:
        """Return the list at ``path``, empty where it is absent or null; raises as ``nested_string``."""
        return self._typed(path, list, "a list", [])

    def nested_string_map(self, *path: Key) -> dict[str, str]:
        """Return a mapping of strings, such as labels, as they are spelled: ``yes`` and ``012`` are strings here."""
        node = self._find(path)
        if not isinstance(node, Node):
            return {key: str(value) for key, value in (node or {}).items()}
        node = target_of(node)
        if node.kind != MAPPING:
            return self._typed(path, dict, "a mapping", {})
        entries = {key: target_of(child) for key, child in merged(node).items()}
        return {k: v.value if isinstance(v, Node) and v.kind == SCALAR else str(to_data(v)) for k, v in entries.items()}

    def keys(self, *path: Key) -> Collection[str]:
        """Return the keys of the mapping at ``path``, empty where there is none."""
        node = self._find(path)
        if isinstance(node, Node):
            node = target_of(node) if node.kind == ALIAS else node
            if isinstance(node, Node):
                if node.kind != MAPPING:
                    return ()
                entries: dict[str, Any] = node.value if MERGE not in node.value else merged(node)
                return entries.keys()
        return node.keys() if isinstance(node, dict) else ()

    def misfit(self, shape: dict[str, Any]) -> tuple[Key, ...] | None:
        """Return the path of the first value that has not the shape of the API; see shape.py."""
        self._scanned()
        return misfit(self._root, shape)

    @property
    def labels(self) -> dict[str, str]:
        """``metadata.labels``."""
        return self.nested_string_map("metadata", "labels")

    @property
    def annotations(self) -> dict[str, str]:
        """``metadata.annotations``."""
        return self.nested_string_map("metadata", "annotations")

    def annotation(self, key: str) -> str:
        """Return one annotation, empty where it is absent."""
        node = self._find(("metadata", "annotations", key))
        if isinstance(node, Node):
            node = target_of(node)
            return str(node.value) if node.kind == SCALAR else ""
        return "" if node is None else str(node)

    @property
    def is_local_config(self) -> bool:
        """Whether the object configures tools and never reaches a cluster (any value but "false" counts)."""
        if "local-config" not in self._text and self._root is None:
            return False
        return self.annotation(host.LOCAL_CONFIG) not in ("", "false")

    def duplicate_keys(self) -> list[tuple[str, int]]:
        """Return the keys that one mapping holds twice, each with its line in the stream."""
        tree = self._scanned()
        return [(key, self.line + self._text.count("\n", 0, at) + 1) for key, at in tree.duplicates]

    def line_of(self, *path: Key) -> int:
        """Return the line of the stream on which the value at ``path`` starts; the object's own as a fall-back."""
        node = self._find(path)
        at = node.start if isinstance(node, Node) else 0
        return self.line + self._text.count("\n", 0, at) + 1

    def describe(self) -> str:
        """Return ``Deployment shop/web (web.yaml, item 0)`` for messages."""
        name = f"{self.namespace}/{self.name}" if self.namespace else self.name
        file = self.file
        place = [part for part in (file, f"item {self.index}" if self.index >= 0 else "") if part]
        return f"{self.kind} {name}" + (f" ({', '.join(place)})" if place else "")

    @property
    def file(self) -> str:
        """The file that the host says the object is from, empty where it does not say."""
        if host.LEGACY_PATH not in self._text:
            return ""
        return self.annotation(host.PATH) or self.annotation(host.LEGACY_PATH)

    # ------------------------------------------------------------------------------------------- editing

    def set_nested(self, *path_and_value: Any) -> None:
        """Set ``path..., value``: ``set_nested("spec", "replicas", 3)``. Missing parents are made."""
        self._edit(edit.put, path_and_value[:-1], path_and_value[-1])

    def merge_nested(self, edits: Mapping[Any, Data]) -> None:
        """Set the value at each path of ``edits`` in one walk; what has the value None is removed, lists excepted."""
        if edits:
            self._edit(edit.merge, edit.changes_of(edits))

    def remove_nested(self, *path: Key) -> None:
        """Remove what is at ``path``, and each parent that this leaves empty; no error where it is absent."""
        self._edit(edit.drop, path)

    def append_nested(self, *path_and_value: Any) -> None:
        """Append to the list at ``path..., value``; the list is made where it is absent or null."""
        self._edit(edit.append, path_and_value[:-1], path_and_value[-1])

    def set_label(self, key: str, value: str) -> None:
        """Set one label of the object itself."""
        self._edit(edit.put, ("metadata", "labels", key), value)

    def set_annotation(self, key: str, value: str) -> None:
        """Set one annotation."""
        self._edit(edit.put, ("metadata", "annotations", key), value)

    def set_name(self, name: str) -> None:
        """Rename the object."""
        namespace = self.namespace
        self._edit(edit.put, ("metadata", "name"), name)
        self._name = name, namespace

    def clone(self, name: str, *, keep_head_comments: bool = False) -> KubeObject:
        """Return a copy under another name, ready to stand beside its original on every host.

        What identifies the item in the host's round trip is dropped. Where the host is not kustomize and the item
        has a file, the copy gets a file of its own in the same directory. Comments above the first key stay with
        ``keep_head_comments`` alone. See docs/decisions/0004-copies-keep-previous-names.md.
        """
        copy = self._bare_clone(keep_head_comments=keep_head_comments)
        copy.merge_nested(self._round_trip_edits())
        file = self._file_of_copies()
        if file:
            own = _file_beside(file, self.name, name)
            copy.merge_nested({("metadata", "annotations", key): value for key, value in _in_file(own).items()})
        copy.set_name(name)
        return copy

    def clones(
        self,
        names: Sequence[str],
        varying: Mapping[Any, Sequence[Data]],
        common: Mapping[Any, Data] | None = None,
    ) -> list[KubeObject]:
        """Return a clone for each name, with the ``common`` edits and its own scalar at the paths of ``varying``.

        The same as ``clone`` and ``merge_nested`` for each, at the price of one: the text is written once with holes.
        The first clone keeps the comments above the first key.
        """
        columns: list[Sequence[Data]] = [names]
        edits: dict[tuple[Key, ...], Data] = {**self._round_trip_edits(), **(common or {})}
        holes: dict[int, Hole] = {}  # paths that share a column share a hole
        for path, column in varying.items():
            if id(column) not in holes:
                holes[id(column)] = Hole(len(columns))
                columns.append(column)
            edits[path] = holes[id(column)]
        edits["metadata", "name"] = Hole(0)
        file = self._file_of_copies()
        if file:
            columns.append([_file_beside(file, self.name, name) for name in names])
            own = _in_file(Hole(len(columns) - 1))
            edits.update({("metadata", "annotations", key): value for key, value in own.items()})
        text = self._patched(edits)
        probe = self
        if text is None:
            probe = self._bare_clone(keep_head_comments=True)
            probe.merge_nested(edits)
            text = probe.text
        pieces = text.split(HOLE)
        later = probe._without_head_comments(pieces[0])
        filled = pieces[1::2]
        json = probe._is_json
        written = {hole: _written(hole, columns, json=json) for hole in set(filled)}
        kind, namespace = self._get_kind(), self.namespace
        copies = []
        for i, name in enumerate(names):
            if i:
                pieces[0] = later
            pieces[1::2] = [written[hole][i] for hole in filled]
            copy = KubeObject("".join(pieces), line=self.line)
            copy._kind = kind
            copy._name = name, namespace
            copy.normalised = probe.normalised
            copies.append(copy)
        return copies

    def _patched(self, edits: dict[tuple[Key, ...], Data]) -> str | None:
        """Return the text with ``edits``, straight from the tree of the text; None where that is not as simple."""
        tree = self._scanned()
        if self._root is not tree.root or self._is_copy or tree.hazard or tree.root.style or _KPT_MERGE in self._text:
            return None
        style = self._style()
        style.drops_setters = True
        try:
            return patched(self._text, tree.root, edit.changes_of(edits), style)
        except TooHard:
            return None

    def _bare_clone(self, *, keep_head_comments: bool) -> KubeObject:
        copy = KubeObject(self._text, line=self.line)
        copy._tree = self._scanned()
        copy._root = self._root
        self._owner = object()  # from here on the nodes are shared
        copy._is_copy = True
        copy._keeps_head = keep_head_comments
        copy._kind = self._get_kind()
        copy._name = self._get_name()
        copy.normalised = self.normalised
        if copy._tree.anchored:  # an anchor name twice in one list is more than some readers take
            copy._normalise("an anchor")
        return copy

    def _round_trip_edits(self) -> dict[tuple[Key, ...], Data]:
        """Return the removal of what identifies the item in the host's round trip."""
        present = self.keys("metadata", "annotations")
        return {("metadata", "annotations", key): None for key in host.ROUND_TRIP if key in present}

    def _file_of_copies(self) -> str:
        """Return the file beside which copies go; kustomize knows no files."""
        if host.LEGACY_PATH not in self._text:
            return ""
        return "" if host.KUSTOMIZE_ID in self.keys("metadata", "annotations") else self.file

    def stand_beside(self, other: KubeObject, stem: str) -> None:
        """Give a new object the file ``stem`` in the directory (and package) of another; kustomize knows no files."""
        file = other._file_of_copies()
        if file:
            directory, slash, base = file.rpartition("/")
            own = f"{directory}{slash}{stem.replace(':', '-')}.{base.rpartition('.')[2]}"
            package = other.annotation(host.PACKAGE_PATH)
            annotations = {**_in_file(own), **({host.PACKAGE_PATH: package} if package else {})}
            self.merge_nested({("metadata", "annotations", key): value for key, value in annotations.items()})

    def settle(self) -> None:
        """Write the edits into the text and forget the tree: for a long list whose objects are done with."""
        if self._root is None:
            return
        kind, name = self._get_kind(), self._get_name()
        self._text = self.text
        self._tree = self._root = None
        self._is_copy = False
        self._keeps_head = True
        self._cache = {}
        self._kind, self._name = kind, name

    def forget(self) -> None:
        """Forget the tree and every edit: for an object that will not be written."""
        self._tree = self._root = None
        self._cache = {}

    # ------------------------------------------------------------------------------------------ internal

    def _scanned(self) -> Tree:
        if self._tree is None:
            self._tree = scan(self._text, self.line)
            self._root = self._tree.root
        return self._tree

    def _find(self, path: tuple[Key, ...]) -> Any:
        self._scanned()
        node: Any = self._root
        for key in path:
            if isinstance(node, Node) and node.kind == MAPPING and key in node.value:
                node = node.value[key]
            else:
                node = child_of(node, key)
            if node is None:
                return None
        return node

    def _typed(self, path: tuple[Key, ...], wanted: type[T], what: str, default: T) -> T:
        value = self.get(*path)
        if isinstance(value, wanted) and not (wanted is int and isinstance(value, bool)):
            return value
        field = dotted(path)
        if value is not None:
            raise ObjectError(f"must be {what}, got {value!r}", self, field)
        if default is _ABSENT:
            raise ObjectError(f"required: {what}", self, field)
        return default

    def _edit(self, operation: Callable[..., Node | None], *arguments: Any) -> None:
        tree = self._scanned()
        assert self._root is not None
        try:
            root = operation(tree, self._root, *arguments, self._owner)
        except UnsafeEdit as reason:
            self._normalise(str(reason))
            tree = self._scanned()
            try:
                root = operation(tree, self._root, *arguments, self._owner)
            except UnsafeEdit as again:
                raise ObjectError(f"cannot be edited safely: {again}", self) from None
        if root is None:
            raise ObjectError("nothing would be left of it", self)
        self._root = root
        self._cache = {}
        self._kind = self._name = None

    def _normalise(self, reason: str) -> None:
        from .roundtrip import expand  # noqa: PLC0415 - the slow path imports ruamel.yaml

        self._text = expand(self.text, self)
        self._tree = self._root = None
        self._cache = {}
        self.normalised = reason

    def _kpt_merge(self) -> Sequence[tuple[int, int, str]]:
        """Return the removal of kpt's marker behind ``metadata:``."""
        start = self._text.find("metadata", self._scanned().root.value["metadata"].at)
        end = self._text.find("\n", start)
        line = self._text[start : end if end >= 0 else len(self._text)].rstrip("\r")
        at = line.find(_KPT_MERGE)
        return ((start + len(line[:at].rstrip()), start + len(line), ""),) if at >= 0 else ()

    @property
    def _is_json(self) -> bool:
        return is_json(self._text, self._scanned())

    def _style(self) -> Style:
        assert self._tree is not None
        style = style_of(self._text, self._tree)
        style.drops_setters = self._is_copy
        return style

    def _without_head_comments(self, text: str) -> str:
        """Cut the comments above the first key: they are about the original, or stay with its first copy."""
        assert self._tree is not None
        root = self._tree.root
        first = min(child.at for child in root.value.values())
        if "#" not in text[:first]:
            return text
        return " " * (root.col - 2) + "- " + text[first:] if root.col else text[first:]

    def _get_kind(self) -> tuple[str, str]:
        if self._kind is None:
            cheap = cheap_kind(self._text) if self._root is None else None
            self._kind = cheap or (self._plain_string("apiVersion"), self._plain_string("kind"))
        return self._kind

    def _get_name(self) -> tuple[str, str]:
        if self._name is None:
            cheap = cheap_name(self._text) if self._root is None else None
            self._name = cheap or (self._plain_string("metadata", "name"), self._plain_string("metadata", "namespace"))
        return self._name

    def _plain_string(self, *path: Key) -> str:
        node = self._find(path)
        node = target_of(node) if isinstance(node, Node) else node
        if isinstance(node, Node):
            return str(node.value) if node.kind == SCALAR and to_data(node) is not None else ""
        return "" if node is None else str(node)


def _in_file(file: str) -> dict[str, str]:
    """Return the annotations of an object that is alone in ``file``, in the older and the newer spelling."""
    return {host.PATH: file, host.INDEX: "0", host.LEGACY_PATH: file, host.LEGACY_INDEX: "0"}


def _written(hole: str, columns: Sequence[Sequence[Data]], *, json: bool) -> list[str]:
    """Return what fills a hole (quote style and number of its column) in each copy."""
    style = hole[0] if hole[0] in "\"'" else ""
    return [write(value, style, json=json) for value in columns[int(hole[len(style) :])]]


def _file_beside(file: str, old_name: str, name: str) -> str:
    """Return a file of its own for the copy ``name`` of an object in ``file``: the same directory and extension."""
    directory, slash, base = file.rpartition("/")
    stem, dot, extension = base.rpartition(".")
    if not stem:
        stem, dot, extension = base, "", ""
    stem = stem.removesuffix(old_name) + name if stem.endswith(old_name) else f"{stem}-{name}"
    return f"{directory}{slash}{stem}{dot}{extension}"


def dotted(path: Iterable[Key]) -> str:
    """Return ``spec.template.containers[0].name`` for a path."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else str(key)
    return text
