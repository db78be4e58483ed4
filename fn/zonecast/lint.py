"""Findings about objects that are right by themselves and may still surprise."""

from __future__ import annotations

from krmfn.kubeobject import dotted

from .index import words
from .workload import Workload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krmfn import KubeObject, ResourceList, Results

    from .fanout import Family


#: A pod is called after its ReplicaSet: the Deployment's name, a hash, and 5 random characters, 63 at most. What stands
#: before the random ones is cut (apiserver, pkg/storage/names; kubernetes, pkg/controller/deployment/sync.go).
_POD_LIMIT = 63
_RANDOM, _HASH = 5, 10
_BEFORE_RANDOM = _POD_LIMIT - _RANDOM
#: The longest name of a Deployment whose pods' names are whole: 17 characters come behind it.
_WHOLE = _BEFORE_RANDOM - _HASH - 2

#: Kinds without a namespace that go with Kyverno policies. kustomize takes those it does not know for namespaced ones.
_CLUSTER_SCOPED = {
    "ClusterPolicy": "kyverno.io",
    "ClusterRole": "rbac.authorization.k8s.io",
    "ClusterRoleBinding": "rbac.authorization.k8s.io",
    "DeletingPolicy": "policies.kyverno.io",
    "GeneratingPolicy": "policies.kyverno.io",
    "ImageValidatingPolicy": "policies.kyverno.io",
    "MutatingPolicy": "policies.kyverno.io",
    "ValidatingPolicy": "policies.kyverno.io",
}


def cuts_names(name: str, names: Sequence[str], obj: KubeObject, results: Results) -> None:
    """Warn where a copy's name is so long that the names of its pods are cut, and the source's (``name``) was not."""
    longest = max(names, key=len)
    length = len(longest)
    if length <= _WHOLE or (len(name) > _WHOLE and length <= _BEFORE_RANDOM):
        return
    lost = "the hash of their ReplicaSet" + (" and the end of the zone" if length > _BEFORE_RANDOM else "")
    message = f"its copy {longest} has {length} characters: names of pods are cut to {_POD_LIMIT} and lose {lost}"
    advice = f"give zones a shorter suffix, or set fanOut.maxNameLength: {_WHOLE}"
    results.warning(f"{message}; {advice}", obj, "metadata.name")


def namespaced(objects: Iterable[KubeObject], results: Results) -> None:
    """Warn of objects without a namespace that have one: the API server drops it, and what they say stays as it was."""
    for obj in objects:
        group = _CLUSTER_SCOPED.get(obj.kind)
        if group is not None and group == obj.group and obj.namespace:
            message = f'"{obj.namespace}" has no effect: a {obj.kind} is cluster-scoped, and acts as it was written;'
            advice = "the namespace of an overlay reaches policies from below: add them in the outermost one"
            results.warning(f"{message} {advice}", obj, "metadata.namespace")


def names_itself(workload: Workload, results: Results) -> None:
    """Warn where env or args hold the workload's own name: after the fan-out nothing has that name any more."""
    name = workload.obj.name
    if not _stands_alone(name, workload.obj.raw):
        return
    for path, value in _strings(workload):
        if value == name or value.endswith(f"={name}"):
            message = f'holds "{name}", which is the name of none of the copies'
            results.warning(message, workload.obj, dotted((*workload.pod_spec, *path)))


def names_another_zone(resources: ResourceList, families: Iterable[Family], zone_label: str) -> None:
    """Warn where env or args of a copy name a Service whose pods are in another zone: traffic would cross zones.

    Such a Service has the zone in its selector: it is one of ``services: PerZone``, a Rollout's, or the user's own.
    """
    services = {}
    for obj in resources:
        if obj.kind == "Service" and zone_label in obj.raw:
            own = obj.nested_string_map("spec", "selector").get(zone_label)
            if own is not None:
                services[obj.namespace, obj.name] = own
    if not services:
        return
    names = frozenset(name for _, name in services)
    for family in families:
        for zone, copy in family.placed:
            containers = copy.raw[copy.raw.find("ontainers") :]
            if names.isdisjoint(words(containers.replace(".", " "))):
                continue
            workload = Workload(copy, family.workload.template)
            for path, value in _strings(workload):
                for host in words(value):
                    name, _, rest = host.partition(".")
                    there = services.get((rest.partition(".")[0] or copy.namespace, name), zone.name)
                    if there != zone.name:
                        message = f"names Service {name} of zone {there}, and this copy is in {zone.name}"
                        resources.results.warning(message, copy, dotted((*workload.pod_spec, *path)))


def _stands_alone(name: str, raw: str) -> bool:
    """Whether ``name`` may be a whole value, or follow a "=", in the containers: a look that saves reading them."""
    at = raw.find("ontainers")
    while (at := raw.find(name, at + 1)) >= 0:
        end = at + len(name)
        if raw[at - 1] in " =\"'[," and (end == len(raw) or raw[end] in " \r\n\"',]}"):
            return True
    return False


def _strings(workload: Workload) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield path and text of each argument and environment value of the containers."""
    for kind in ("initContainers", "containers"):
        for i, container in enumerate(workload.get(kind) or ()):
            args, env = container.get("args"), container.get("env")
            for j, text in enumerate(args if isinstance(args, list) else ()):
                yield (kind, i, "args", j), str(text)
            for j, variable in enumerate(env if isinstance(env, list) else ()):
                if isinstance(variable, dict):
                    yield (kind, i, "env", j, "value"), str(variable.get("value", ""))
