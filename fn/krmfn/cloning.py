"""Copies of an object that can stand beside it on every host.

What identifies an item in a host's round trip must go, what tells kustomize about names and hashes must stay, and under
kpt a copy needs a file of its own: docs/decisions/0004-copies-keep-previous-names.md.
"""

from __future__ import annotations

from . import edit
from . import hostkeys as host
from .patch import TooHard, patched
from .scalar import HOLE, Hole, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from .kubeobject import Key, KubeObject
    from .scan import Data


def clone(obj: KubeObject, name: str, *, keep_head_comments: bool = False) -> KubeObject:
    """Return a copy under another name, ready to stand beside its original on every host.

    What identifies the item in the host's round trip is dropped. Where the host is not kustomize and the item
    has a file, the copy gets a file of its own in the same directory. Comments above the first key stay with
    ``keep_head_comments`` alone. See docs/decisions/0004-copies-keep-previous-names.md.
    """
    copy = _bare_clone(obj, keep_head_comments=keep_head_comments)
    copy.merge_nested(_round_trip_edits(obj))
    file = _file_of_copies(obj)
    if file:
        own = _file_beside(file, obj.name, name)
        copy.merge_nested({("metadata", "annotations", key): value for key, value in _in_file(own).items()})
    copy.set_name(name)
    return copy


def clones(
    obj: KubeObject,
    names: Sequence[str],
    varying: Mapping[Any, Sequence[Data]],
    common: Mapping[Any, Data] | None = None,
    *,
    keep_head_comments: bool = True,
) -> list[KubeObject]:
    """Return a clone for each name, with the ``common`` edits and its own scalar at the paths of ``varying``.

    The same as ``clone`` and ``merge_nested`` for each, at the price of one: the text is written once with holes.
    The first clone keeps the comments above the first key, unless they stay with the original.
    """
    columns: list[Sequence[Data]] = [names]
    edits: dict[tuple[Key, ...], Data] = {**_round_trip_edits(obj), **(common or {})}
    holes: dict[int, Hole] = {}  # paths that share a column share a hole
    for path, column in varying.items():
        if id(column) not in holes:
            holes[id(column)] = Hole(len(columns))
            columns.append(column)
        edits[path] = holes[id(column)]
    edits["metadata", "name"] = Hole(0)
    file = _file_of_copies(obj)
    if file:
        columns.append([_file_beside(file, obj.name, name) for name in names])
        own = _in_file(Hole(len(columns) - 1))
        edits.update({("metadata", "annotations", key): value for key, value in own.items()})
    text = _patched(obj, edits)
    probe = obj
    if text is None:
        probe = _bare_clone(obj, keep_head_comments=True)
        probe.merge_nested(edits)
        text = probe.text
    pieces = text.split(HOLE)
    later = probe._without_head_comments(pieces[0])
    filled = pieces[1::2]
    json = probe._is_json
    written = {hole: _written(hole, columns, json=json) for hole in set(filled)}
    kind, namespace = obj._get_kind(), obj.namespace
    copies = []
    for i, name in enumerate(names):
        if i or not keep_head_comments:
            pieces[0] = later
        pieces[1::2] = [written[hole][i] for hole in filled]
        copy = type(obj)("".join(pieces), line=obj.line)
        copy._kind = kind
        copy._name = name, namespace
        copy.normalised = probe.normalised
        copies.append(copy)
    return copies


def stand_beside(obj: KubeObject, other: KubeObject, stem: str, ending: str = "") -> None:
    """Give a new object the file ``stem`` in the directory (and package) of another; kustomize knows no files."""
    file = _file_of_copies(other)
    if file:
        directory, slash, base = file.rpartition("/")
        own = f"{directory}{slash}{stem.replace(':', '-')}.{ending or base.rpartition('.')[2]}"
        package = other.annotation(host.PACKAGE_PATH)
        annotations = {**_in_file(own), **({host.PACKAGE_PATH: package} if package else {})}
        obj.merge_nested({("metadata", "annotations", key): value for key, value in annotations.items()})


def _patched(obj: KubeObject, edits: dict[tuple[Key, ...], Data]) -> str | None:
    """Return the text with ``edits``, straight from the tree of the text; None where that is not as simple."""
    tree = obj._scanned()
    if obj._root is not tree.root or obj._is_copy or tree.hazard or tree.root.style or host.KPT_MERGE in obj._text:
        return None
    style = obj._style()
    style.drops_setters = True
    try:
        return patched(obj._text, tree.root, edit.changes_of(edits), style)
    except TooHard:
        return None


def _bare_clone(obj: KubeObject, *, keep_head_comments: bool) -> KubeObject:
    copy = type(obj)(obj._text, line=obj.line)
    copy._tree = obj._scanned()
    copy._root = obj._root
    obj._owner = object()  # from here on the nodes are shared
    copy._is_copy = True
    copy._keeps_head = keep_head_comments
    copy._kind = obj._get_kind()
    copy._name = obj._get_name()
    copy.normalised = obj.normalised
    if copy._tree.anchored:  # an anchor name twice in one list is more than some readers take
        copy._normalise("an anchor")
    return copy


def _round_trip_edits(obj: KubeObject) -> dict[tuple[Key, ...], Data]:
    """Return the removal of what identifies the item in the host's round trip."""
    present = obj.keys("metadata", "annotations")
    return {("metadata", "annotations", key): None for key in host.ROUND_TRIP if key in present}


def _file_of_copies(obj: KubeObject) -> str:
    """Return the file beside which copies go; kustomize knows no files."""
    if host.LEGACY_PATH not in obj._text:
        return ""
    return "" if host.KUSTOMIZE_ID in obj.keys("metadata", "annotations") else obj.file


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
