"""``config.kubernetes.io/depends-on``: what depends on a Deployment that is fanned out depends on every copy of it.

The annotation is a list by nature (kpt and cli-utils apply what is in it first), so one reference can become several.
Source: cli-utils, pkg/object/dependson.
"""

from __future__ import annotations

from krmfn.hostkeys import DEPENDS_ON

from .names import copy_name
from .references import workload_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn import KubeObject

    from .fanout import Family
    from .index import FamilyIndex
    from .placement import Placement

_FIELD = f"metadata.annotations.{DEPENDS_ON}"


def rewrite(candidates: Iterable[KubeObject], index: FamilyIndex, placement: Placement) -> None:
    """Name every copy of a family where its source is named, or in a second run all copies that there were.

    Of a Deployment that is fanned out itself before that is done, so that its copies inherit it. An entry that names
    one copy of several was written on purpose and stays; where that copy goes, references.py reports it.
    """
    for obj in candidates:
        text = obj.annotation(DEPENDS_ON) if DEPENDS_ON in obj.raw else ""
        if text:
            changed = _with_copies(obj, text, index, placement)
            if changed != text:
                obj.set_annotation(DEPENDS_ON, changed)
                obj.settle()


def _with_copies(obj: KubeObject, text: str, index: FamilyIndex, placement: Placement) -> str:
    entries = text.split(",")
    named = [workload_in(entry) for entry in entries]
    families = [index.find(obj, name, space, _FIELD, kind) if name else None for kind, name, space in named]
    names = {(kind, name) for kind, name, _ in named}
    kept: list[str] = []
    listed: list[Family] = []
    for entry, (_, name, _), family in zip(entries, named, families):
        if family is None or not _means_all(family, name, names):
            kept.append(entry)
        elif family not in listed:
            listed.append(family)
            before = entry[: entry.rindex("/") + 1]
            limit = placement.spec.fan_out.max_name_length
            kept += [before + copy_name(family.name, zone.suffix, limit) for zone in placement.spec.zones or ()]
    return ",".join(kept)


def _means_all(family: Family, name: str, names: set[tuple[str, str]]) -> bool:
    """Whether an entry stands for the whole family: it names the source, or stands among all of its copies."""
    copies = {(family.kind, copy) for copy in family.copy_names}
    return (family.kind, name) not in copies or copies <= names
