"""Nothing may still name a Deployment that went away: rewritten by a follower, or an error here."""

from __future__ import annotations

from krmfn.hostkeys import DEPENDS_ON
from krmfn.kubeobject import dotted

from .origin import KEEP, TEMPLATE, role_of
from .workload import DEPLOYMENT, FANNED_OUT, is_meant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from .index import FamilyIndex

#: A reference whose kind may be left out: KEDA takes it for a Deployment.
_SCALE_TARGET = "scaleTargetRef"


def check(
    resources: ResourceList,
    candidates: Iterable[KubeObject],
    index: FamilyIndex,
    followed: dict[KubeObject, Sequence[tuple[str | int, ...]]],
) -> None:
    """Report each reference to a removed source: ``{kind: Deployment, name: ...}`` anywhere, and depends-on.

    A Rollout is named in the same way.

    ``followed`` says where followers named it: their copies name its copies there.
    """
    for obj in candidates:
        if role_of(obj) == TEMPLATE:
            continue
        done = followed.get(obj, ())
        if done and all(
            obj.raw.count(kind) == sum(obj.get(*path[:-1], "kind") == kind for path in done) for kind in index.kinds
        ):
            continue  # says the kind nowhere else, as most autoscalers
        for path, kind, name, namespace in _references(obj):
            if path in done:
                continue
            family = index.find(obj, name, namespace, dotted(path), kind)
            if family is None or not family.placed or any(copy.name == name for _, copy in family.placed):
                continue
            zones = ", ".join(copy.name for _, copy in family.placed)
            if family.stays is not None and role_of(family.stays) == KEEP:
                message = f"names {kind} {name}, which is to go after its cut-over; name one of {zones} by then"
                resources.results.warning(message, obj, dotted(path))
                continue
            message = f"names {kind} {name}, which is fanned out into {zones}; name one of them, or exclude {name}"
            resources.results.error(message, obj, dotted(path))


def _references(obj: KubeObject) -> Iterator[tuple[tuple[str | int, ...], str, str, str | None]]:
    """Yield path, kind, name and namespace (None: the object's own) of each workload that ``obj`` names."""
    for part in obj.annotation(DEPENDS_ON).split(","):
        kind, name, namespace = workload_in(part)
        if name:
            yield ("metadata", "annotations", DEPENDS_ON), kind, name, namespace
    if obj.kind == DEPLOYMENT:
        return
    for path, mapping in _mappings(obj.get(), ()):
        kind = mapping.get("kind", DEPLOYMENT if path and path[-1] == _SCALE_TARGET else "")
        if not isinstance(kind, str) or kind not in FANNED_OUT:
            continue
        if isinstance(mapping.get("name"), str) and is_meant(kind, mapping.get("apiVersion")):
            namespace = mapping.get("namespace")
            yield (*path, "name"), kind, mapping["name"], namespace if isinstance(namespace, str) else None


def workload_in(entry: str) -> tuple[str, str, str | None]:
    """Return kind, name and namespace (None: not said) of what an entry of depends-on means.

    The name is empty where that cannot be fanned out.
    """
    words = entry.strip().split("/")
    kind = words[-2] if len(words) > 1 else ""
    if kind not in FANNED_OUT or not is_meant(kind, words[0]):
        return "", "", None
    return kind, words[-1], words[-3] if words[1:2] == ["namespaces"] else None


def _mappings(data: Data, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], dict[str, Data]]]:
    if isinstance(data, dict):
        yield path, data
    if isinstance(data, (dict, list)):
        for key, child in data.items() if isinstance(data, dict) else enumerate(data):
            if isinstance(child, (dict, list)):
                yield from _mappings(child, (*path, key))
