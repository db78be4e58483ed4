"""Objects that name a Service which goes: a route to the Service of a Rollout cannot guess which zone to take."""

from __future__ import annotations

from krmfn.kubeobject import dotted

from ..index import is_for_tools, words
from ..origin import TEMPLATE, role_of
from ..workload import template_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from .kind import Path
    from .machinery import Follower

#: Keys below which ``name`` is a Service's unless ``kind`` says something else: Ingress and webhooks, Gateway API.
_HOLDERS = ("service", "backendRef", "backendRefs")
_TRAEFIK = ("traefik.io", "traefik.containo.us")


def check_services(resources: ResourceList, followers: Iterable[Follower], *, kept: bool) -> None:
    """Report each object that names a Service which became one per zone; a Warning where the originals are kept."""
    gone: dict[tuple[str, str], Follower] = {}
    for follower in followers:
        names = {follower.name, *(obj.name for obj in follower.present)} - {obj.name for obj in follower.placed}
        space = follower.members.example.namespace
        gone.update({(space, name): follower for name in names if follower.placed})
    wanted = frozenset(each for _, each in gone)
    for obj in resources:
        if wanted.isdisjoint(words(obj.raw.replace(".", " "))) or obj.kind == "Service" or not _is_read(obj):
            continue
        for path, name, namespace in _named(obj, obj.get(), ()):
            meant = gone.get((obj.namespace if namespace is None else namespace, name))
            if meant is None:
                continue
            copies = ", ".join(each.name for each in meant.placed)
            message = f"names Service {name}, which its Rollout claims: it becomes {copies}; name those"
            is_there = kept and meant.members.source is not None
            report = resources.results.warning if is_there else resources.results.error
            report(message, obj, dotted(path))


def _is_read(obj: KubeObject) -> bool:
    """Whether an object reaches the cluster and is no workload: what containers say is another matter."""
    return not is_for_tools(obj) and role_of(obj) != TEMPLATE and template_path(obj) is None


def _named(obj: KubeObject, data: Data, path: Path) -> Iterator[tuple[Path, str, str | None]]:
    """Yield path, name and namespace (None: the object's own) of each Service that ``data``, a part of it, names."""
    if isinstance(data, dict):
        holder = next((key for key in reversed(path) if isinstance(key, str)), "")
        name, namespace = data.get("name"), data.get("namespace")
        is_service = holder in _HOLDERS or (holder == "services" and obj.group in _TRAEFIK)
        if isinstance(name, str) and data.get("kind", "Service" if is_service else "") == "Service":
            yield (*path, "name"), name, namespace if isinstance(namespace, str) else None
        if isinstance(data.get("serviceName"), str):  # an Ingress before networking.k8s.io/v1
            yield (*path, "serviceName"), data["serviceName"], None
        if isinstance(data.get("host"), str) and (holder == "destination" or obj.kind == "DestinationRule"):
            parts = data["host"].split(".")  # Istio: web, web.shop, web.shop.svc.cluster.local
            yield (*path, "host"), parts[0], parts[1] if len(parts) > 1 else None
    for key, child in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if isinstance(child, (dict, list)):
            yield from _named(obj, child, (*path, key))
