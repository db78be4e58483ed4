"""One object of the list: its text, read when it is needed, edited by splicing.

Method names follow the Go SDK (kptdev/krm-functions-sdk, go/fn): nested_string, set_nested, is_group_kind, ...
"""

from __future__ import annotations

from . import cloning, edit, splice
from . import hostkeys as host
from .emit import Style, block_item, block_value, flow, is_json, style_of
from .errors import ObjectError, UnsafeEdit
from .head import cheap_kind, cheap_name
from .node import ALIAS, MAPPING, SCALAR, Node
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
_HELM_SOURCE = "# Source: "


class KubeObject:
    """An object with ``apiVersion``, ``kind`` and ``metadata``.

    Made by a ResourceList, by ``clone`` or by ``from_data``. ``index`` is its place in the input, -1 for a new
    one; ``line`` the number of lines of the stream before it.
    """

    __slots__ = (
        "_cache",
        "_found",
        "_is_copy",
        "_keeps_head",
        "_kind",
        "_name",
        "_owner",
        "_root",
        "_text",
        "_tree",
        "drops_setters",
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
        #: What was read, as data and as nodes, by its path; forgotten with every edit.
        self._cache: dict[tuple[Key, ...], Data] = {}
        self._found: dict[tuple[Key, ...], Any] = {}
        self.index = index
        self.line = line
        #: Whether a value that is set loses its ``# kpt-set:`` comment, as on a clone: no setter is to set it again.
        self.drops_setters = False
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
        marker = self._kpt_merge() if self._is_copy and host.KPT_MERGE in self._text else ()
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

    def arrange_nested(self, *path_and_entries: Any) -> None:
        """Make the list at ``path..., entries`` of ``entries``: ``Stays(i)`` is its entry ``i``, text and all.

        ``arrange_nested("spec", "args", [Stays(1), "--new", Stays(0)])``; there must be one entry at least.
        """
        self._edit(edit.arrange, path_and_entries[:-1], path_and_entries[-1])

    def merge_strategic(self, patch: dict[str, Data], template: Sequence[str] = ("spec", "template")) -> None:
        """Merge a strategic merge patch, with the merge keys of a core pod template at the path ``template``.

        Raises:
            PatchError: the patch is wrong, or does not fit the object; its ``path`` leads into the patch.
        """
        from .strategic import merge_patch  # noqa: PLC0415 - few functions patch

        merge_patch(self, patch, template)

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

    def twin(self) -> KubeObject:
        """Return the object without its edits, in the same place of the list: to stay there beside its copies."""
        twin = KubeObject(self._text, self.index, self.line)
        twin.lead = self.lead
        return twin

    def clone(self, name: str, *, keep_head_comments: bool = False) -> KubeObject:
        """Return a copy under another name, ready to stand beside its original on every host.

        What identifies the item in the host's round trip is dropped. Where the host is not kustomize and the item
        has a file, the copy gets a file of its own in the same directory. Comments above the first key stay with
        ``keep_head_comments`` alone.
        """
        return cloning.clone(self, name, keep_head_comments=keep_head_comments)

    def clones(
        self,
        names: Sequence[str],
        varying: Mapping[Any, Sequence[Data]],
        common: Mapping[Any, Data] | None = None,
        *,
        keep_head_comments: bool = True,
    ) -> list[KubeObject]:
        """Return a clone for each name, with the ``common`` edits and its own scalar at the paths of ``varying``.

        The same as ``clone`` and ``merge_nested`` for each, at the price of one. The first clone keeps the comments
        above the first key, unless they stay with the original.
        """
        return cloning.clones(self, names, varying, common, keep_head_comments=keep_head_comments)

    def stand_beside(self, other: KubeObject, stem: str, ending: str = "") -> None:
        """Give a new object the file ``stem`` in the directory (and package) of another; kustomize knows no files.

        Without an ``ending`` the file has that of the other's.
        """
        cloning.stand_beside(self, other, stem, ending)

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
        self._found = {}
        self._kind, self._name = kind, name

    def put_back(self, text: str) -> None:
        """Make ``text``, which this object had before, its text again."""
        self.forget()
        self._text = text
        self._kind = self._name = None

    def forget(self) -> None:
        """Forget the tree and every edit: for an object that will not be written."""
        self._tree = self._root = None
        self._cache = {}
        self._found = {}

    # ------------------------------------------------------------------------------------------ internal

    def _scanned(self) -> Tree:
        if self._tree is None:
            self._tree = scan(self._text, self.line)
            self._root = self._tree.root
        return self._tree

    def _find(self, path: tuple[Key, ...]) -> Any:
        if self._tree is None:
            self._scanned()
        if path in self._found:
            return self._found[path]
        node: Any = self._root
        for key in path:
            if isinstance(node, Node) and node.kind == MAPPING and key in node.value:
                node = node.value[key]
            else:
                node = child_of(node, key)
            if node is None:
                break
        self._found[path] = node
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
        self._found = {}
        self._kind = self._name = None

    def _normalise(self, reason: str) -> None:
        from .roundtrip import expand  # noqa: PLC0415 - the slow path imports ruamel.yaml

        self._text = expand(self.text, self)
        self._tree = self._root = None
        self._cache = {}
        self._found = {}
        self.normalised = reason

    def _kpt_merge(self) -> Sequence[tuple[int, int, str]]:
        """Return the removal of kpt's marker behind ``metadata:``."""
        start = self._text.find("metadata", self._scanned().root.value["metadata"].at)
        end = self._text.find("\n", start)
        line = self._text[start : end if end >= 0 else len(self._text)].rstrip("\r")
        at = line.find(host.KPT_MERGE)
        return ((start + len(line[:at].rstrip()), start + len(line), ""),) if at >= 0 else ()

    @property
    def _is_json(self) -> bool:
        return is_json(self._text, self._scanned())

    def _style(self) -> Style:
        assert self._tree is not None
        style = style_of(self._text, self._tree)
        style.drops_setters = self._is_copy or self.drops_setters
        return style

    def _without_head_comments(self, text: str) -> str:
        """Cut the comments above the first key: they are about the original, or stay with its first copy.

        The line by which Helm says which template an object is from is true of each copy: ``helm template --show-only``
        looks for it.
        """
        assert self._tree is not None
        root = self._tree.root
        first = root.start if root.style else min(child.at for child in root.value.values())
        head = text[:first]
        if "#" not in head:
            return text
        if root.col:
            return " " * (root.col - 2) + "- " + text[first:]
        return "".join(line for line in head.splitlines(keepends=True) if line.startswith(_HELM_SOURCE)) + text[first:]

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


def dotted(path: Iterable[Key]) -> str:
    """Return ``spec.template.containers[0].name`` for a path."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else str(key)
    return text
