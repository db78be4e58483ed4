"""The list of objects that a function gets and gives back.

Reading cuts the text into items without parsing them; writing puts the items' texts together again. What no function
touched is the same bytes, in the same order.
"""

from __future__ import annotations

from . import hostkeys as host
from .cut import cut
from .emit import Style, block_item, flow
from .errors import InputError, ObjectError
from .kubeobject import KubeObject
from .node import MAPPING, Node
from .result import Results
from .scalar import write
from .scan import to_data
from .spans import removed_entry
from .stream import cut_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .cut import Cut, Slice
    from .lists import OpenList
    from .scan import Data

KIND = "ResourceList"
_LIST = "List"
#: Every version that a host sends; they differ in nothing that matters here, and the one that came goes out.
API_VERSIONS = ("config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1")
_BOM = "\ufeff"


class ResourceList:
    """Objects, the function's config and the results.

    ``items`` is a list like any other: append, insert and delete are allowed. ``config`` is the functionConfig, an
    empty object where the host sent none (``has_config`` tells).
    """

    def __init__(self, items: Iterable[KubeObject] = (), config: KubeObject | None = None) -> None:
        self.items = list(items)
        self.has_config = config is not None
        self.config = config if config is not None else KubeObject("{}\n")
        self.results = Results()
        self._cut: Cut | None = None
        self._bom = ""
        self._end = ""
        self._opened: list[OpenList] = []
        self._left: set[KubeObject] = set()
        self._documents = 0
        #: JSON in gives JSON out.
        self.style = Style()

    # ------------------------------------------------------------------------------------------- reading

    @classmethod
    def read(cls, text: str) -> ResourceList:
        """Read a ResourceList of any version, YAML or JSON.

        Raises:
            InputError: it is not one, it is not complete, or an item is no object.
        """
        bom = _BOM if text.startswith(_BOM) else ""
        pieces = cut(text[len(bom) :])
        root = pieces.root
        kind, api_version = _root_string(root, "kind"), _root_string(root, "apiVersion")
        if kind != KIND:
            raise InputError(f"expected kind {KIND}, found {kind or 'no kind'}", 1)
        if api_version not in API_VERSIONS:
            raise InputError(f"apiVersion {api_version or '(none)'} of the ResourceList: expected {API_VERSIONS[0]}", 1)
        resources = cls(_items(pieces.slices), _config(root, pieces.envelope))
        resources._cut = pieces
        resources._bom = bom
        resources.style = Style("\r\n" if "\r\n" in pieces.head else "\n", json=root.style == "{")
        resources._check_complete()
        resources._open_lists()
        return resources

    @classmethod
    def read_stream(cls, text: str, config: KubeObject | None = None) -> ResourceList:
        """Read a plain multi-document stream; ``write`` gives one back.

        Raises:
            InputError: a document is no object.
        """
        bom = _BOM if text.startswith(_BOM) else ""
        slices, end = cut_stream(text[len(bom) :])
        resources = cls(_items(slices), config)
        resources._bom = bom
        resources._end = end
        resources._documents = len(slices)
        json = bool(slices) and slices[0].text.lstrip()[:1] == "{"
        resources.style = Style("\r\n" if "\r\n" in text else "\n", json=json)
        resources._open_lists()
        return resources

    @property
    def is_stream(self) -> bool:
        """Whether this is a plain stream of documents, without a ResourceList around them."""
        return self._cut is None

    def _check_complete(self) -> None:
        """Read the last item: a list that was cut off in the middle must not pass for a short one."""
        if self.items:
            self.items[-1].get("metadata", "name")

    def _open_lists(self) -> None:
        """Put the members of each item of kind List, or of a list of one kind, in its place; one may hold another."""
        if not any(obj.kind.endswith(_LIST) for obj in self.items):
            return
        from .lists import is_list, open_list  # noqa: PLC0415 - few lists hold one

        in_flow = self._cut is not None and bool(self._cut.separator)
        col = None if self._cut is None or in_flow else self._cut.col
        waiting, self.items = self.items[::-1], []
        while waiting:
            obj = waiting.pop()
            opened = open_list(obj, col, "" if in_flow else self.style.newline) if is_list(obj) else None
            if opened is None:
                self.items.append(obj)
                if is_list(obj) and obj.kind != _LIST and obj.get("items"):
                    self.results.warning("its items are no objects: it passes as it is", obj, "items")
            else:
                self._opened.append(opened)
                waiting += opened.members[::-1]

    # ----------------------------------------------------------------------------------------- selecting

    def where(
        self, *, kind: str = "", group: str | None = None, name: str = "", namespace: str | None = None
    ) -> list[KubeObject]:
        """Return the objects of this kind, group, name and namespace, in order; what is not given matches all."""
        return [
            obj
            for obj in self.items
            if (not kind or obj.kind == kind)
            and (group is None or obj.group == group)
            and (not name or obj.name == name)
            and (namespace is None or obj.namespace == namespace)
        ]

    def __iter__(self) -> Iterator[KubeObject]:
        """Iterate over the objects."""
        return iter(self.items)

    def __len__(self) -> int:
        """Return how many objects there are."""
        return len(self.items)

    # ------------------------------------------------------------------------------------------- editing

    def append(self, obj: KubeObject | dict[str, Data]) -> KubeObject:
        """Add an object, or one made of plain data, at the end."""
        if isinstance(obj, dict):
            obj = self.new(obj)
        self.items.append(obj)
        return obj

    def join(self, other: ResourceList) -> None:
        """Add the objects of another list at the end, and what was found in it."""
        self.items += other.items
        self._opened += other._opened
        self.results.join(other.results)

    def new(self, data: dict[str, Data]) -> KubeObject:
        """Return an object of ``data`` in the style of this list, not yet in it."""
        if self._cut is not None and self._cut.separator:
            return KubeObject(flow(data, self.style))
        return KubeObject.from_data(data, self.style, col=self._cut.col if self._cut is not None else None)

    def remove(self, obj: KubeObject) -> None:
        """Take an object out."""
        self.replace({obj: ()})

    def replace(self, replacements: dict[KubeObject, Sequence[KubeObject]]) -> None:
        """Put other objects in the places of some; comments above an object go to the first of its replacements."""
        items: list[KubeObject] = []
        for obj in self.items:
            others = replacements.get(obj)
            if others is None:
                items.append(obj)
                continue
            if others:
                others[0].lead = obj.lead
            items.extend(others)
        self.items = items

    # ------------------------------------------------------------------------------------------- writing

    def fold_lists(self) -> None:
        """Put the members of Lists that nobody touched back into them; ``write`` does so, too."""
        opened, self._opened = self._opened, []
        if not opened:
            return
        from .lists import fold  # noqa: PLC0415

        self.items, closed = fold(opened, self.items)
        # kpt takes no two items of one path and index: what left a List needs a place of its own.
        lists = {each.obj.index for each in opened}
        self._left = {obj for obj in self.items if obj.index in lists and obj not in closed}

    def write(self) -> str:
        """Return the text of the list: one document (or the stream that was read), results included.

        Raises:
            ObjectError: two objects have the same group, kind, namespace and name, and one of them is new.
        """
        self.fold_lists()
        self._check_unique()
        self._give_new_places()
        if self._cut is None:
            return self._write_stream()
        return self._bom + self._write_list(self._cut)

    def write_untouched(self, text: str) -> str:
        """Return ``text``, which was read, with the results of the run: nothing but the results is new."""
        untouched = ResourceList.read(text)
        untouched.results = self.results
        return untouched.write()

    def _check_unique(self) -> None:
        new = [obj for obj in self.items if obj.index < 0]
        if not new:
            return
        kinds = {obj.kind for obj in new}
        seen: dict[tuple[str, str, str, str], KubeObject] = {}
        for obj in self.items:
            if obj.kind in kinds:
                other = seen.setdefault(obj.id, obj)
                if other is not obj and (obj.index < 0 or other.index < 0):
                    fresh, present = (obj, other) if obj.index < 0 else (other, obj)
                    raise ObjectError(f"the name is taken by {present.describe()}", fresh, "metadata.name")

    def _give_new_places(self) -> None:
        """Give a new object the next index in its file, so that no two items share a path and index: kpt refuses that.

        Source: kpt, internal/fnruntime/runner.go; an index above all others puts the object at the end of its file.
        """
        left = self._left
        new = [obj for obj in self.items if (obj.index < 0 or obj in left) and host.LEGACY_PATH in obj.raw]
        if not new:
            return
        last: dict[tuple[str, str], int] = {}
        for obj in self.items:
            if obj.index >= 0 and host.LEGACY_PATH in obj.raw and obj not in left:
                place = _place(obj.raw)
                last[place] = max(last.get(place, -1), _index(obj.raw))
        for obj in new:
            place = _place(obj.raw)
            index = last.get(place, -1) + 1
            last[place] = index
            if index or obj in left:
                annotations = ("metadata", "annotations")
                obj.merge_nested({(*annotations, key): str(index) for key in (host.INDEX, host.LEGACY_INDEX)})

    def _write_stream(self) -> str:
        newline = self.style.newline
        parts = [self._bom]
        for i, obj in enumerate(self.items):
            if (i or self._splits_json()) and "---" not in obj.lead:
                if parts[-1][-1:] not in ("\n", ""):
                    parts.append(newline)
                parts.append("---" + newline)
            parts += (obj.lead, obj.text)
        parts.append(self._end)
        return "".join(parts)

    def _splits_json(self) -> bool:
        """Whether one JSON document became several: kubectl reads those as YAML where a marker comes first.

        Source: apimachinery, pkg/util/yaml/decoder.go, YAMLOrJSONDecoder: what starts with a brace is read as JSON.
        """
        return self._documents == 1 and len(self.items) > 1 and self.items[0].text.startswith("{")

    def _write_list(self, pieces: Cut) -> str:
        newline = self.style.newline
        parts = [pieces.head]
        if not self.items:
            parts.append(pieces.empty if not pieces.slices else "[]" if pieces.separator else " []" + newline)
            if pieces.slices and not pieces.separator:
                parts[0] = pieces.head.rstrip()
            if pieces.separator and pieces.slices:
                parts[1] = ""
        elif pieces.separator:
            opening, closing = ("", "") if pieces.slices else ("[", "]")
            texts = [(obj.lead or pieces.separator) + obj.text for obj in self.items[1:]]
            parts += (opening, self.items[0].text, *texts, closing)
        else:
            if not pieces.slices:
                parts.append(newline)
            for obj in self.items:
                text = obj.lead + obj.text
                parts.append(text if text.endswith("\n") else text + newline)
        tail = pieces.tail
        if not self.items and pieces.separator and tail.lstrip().startswith(","):
            tail = tail.lstrip()[1:]
        if not pieces.slices and self.items and not pieces.separator:
            tail = tail.partition("\n")[2]
        if len(self.results):
            return self._with_results(parts, tail, pieces)
        parts.append(tail)
        text = "".join(parts)
        # A list that came without a newline at its end goes out so.
        return text if pieces.ends_with_newline else text.removesuffix(newline)

    def _with_results(self, parts: list[str], tail: str, pieces: Cut) -> str:
        present = pieces.root.value.get("results")
        results = list(to_data(present) or []) if isinstance(present, Node) else []
        results += [new for result in self.results if (new := result.to_data()) not in results]
        if isinstance(present, Node) and not pieces.root.style:
            start, end, _ = removed_entry(pieces.envelope, pieces.root, "results")
            before_tail = len(pieces.envelope) - len(pieces.tail)
            tail = tail[: start - before_tail] + tail[end - before_tail :]
        if pieces.root.style == "{":
            text = "".join(parts) + tail
            body = text.rstrip()
            return f'{body[:-1].rstrip()}, "results": {flow(results, self.style)}}}' + text[len(body) :]
        if tail:
            parts.append(tail)
        if not parts[-1].endswith("\n"):
            parts.append(self.style.newline)
        parts.append("results:" + self.style.newline)
        parts += [_result_lines(result, self.style) for result in results]
        return "".join(parts)


def _result_lines(result: Data, style: Style) -> str:
    """Return the entry of ``results``; a long list has thousands of the usual form."""
    reference = result.get("resourceRef") if isinstance(result, dict) and len(result) == _USUAL else None
    if not reference or "namespace" not in reference or "\n" in result.get("message", "\n") or style.newline != "\n":
        return block_item(result, 0, style)
    return (
        f"- message: {write(result['message'])}\n  severity: {write(result['severity'])}\n  resourceRef:\n"
        f"    apiVersion: {write(reference['apiVersion'])}\n    kind: {write(reference['kind'])}\n"
        f"    name: {write(reference['name'])}\n    namespace: {write(reference['namespace'])}\n"
    )


_USUAL = 3


def _items(slices: Iterable[Slice]) -> list[KubeObject]:
    """Return an object for each slice; of items that kpt sent twice only the first.

    kpt sends an object once for each selector that matches it, with the same resource id.
    """
    items = []
    sent: set[str] = set()
    for i, piece in enumerate(slices):
        obj = KubeObject(piece.text, i, piece.line)
        obj.lead = piece.lead
        _check_item(obj, i)
        if "kpt-resource-id" in piece.text:
            resource_id = obj.annotation(host.KPT_RESOURCE_IDS[0]) or obj.annotation(host.KPT_RESOURCE_IDS[1])
            if resource_id in sent:
                continue
            sent.add(resource_id)
        items.append(obj)
    return items


def _check_item(obj: KubeObject, index: int) -> None:
    if not obj.kind or not obj.api_version:
        missing = "kind" if not obj.kind else "apiVersion"
        raise InputError(f"item {index} has no {missing}: every item must be a Kubernetes object", obj.line + 1)
    if "\n    name: " in obj.raw or obj.name or obj.kind.endswith("List") or obj.group == "kustomize.config.k8s.io":
        return
    if not obj.get("metadata", "generateName"):
        raise InputError(f"item {index} ({obj.kind}) has no metadata.name", obj.line + 1)


def _place(text: str) -> tuple[str, str]:
    """Return the package and the file of an item as its text says them."""
    return _said(text, host.PACKAGE_PATH), _said(text, host.LEGACY_PATH)


def _index(text: str) -> int:
    index = _said(text, host.LEGACY_INDEX)
    return int(index) if index.isdigit() else 0


def _said(text: str, key: str) -> str:
    """Return what stands behind an annotation's key, in block or flow style: enough to tell places apart."""
    at = text.find(f" {key}:")
    if at < 0:
        at = text.find(f'"{key}":') + 1
    if at <= 0:
        return ""
    stop = text.find("\n", at)
    value = text[at + len(key) + 2 : stop if stop >= 0 else len(text)].lstrip(' ":')
    if value[:1] == "'":
        return value[1:].partition("'")[0]
    for end in ('"', ",", "}"):
        value = value.partition(end)[0]
    return value.rstrip()


def _root_string(root: Node, key: str) -> str:
    node = root.value.get(key)
    return str(node.value) if isinstance(node, Node) else ""


def _config(root: Node, envelope: str) -> KubeObject | None:
    node = root.value.get("functionConfig")
    if not isinstance(node, Node) or node.kind != MAPPING:
        return None
    return KubeObject.from_node(envelope, node)
