"""The shape of the fields that a placement reads: mappings and lists where the Kubernetes API has them."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.config import describe
from krmfn.kubeobject import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from krmfn import KubeObject

    from .workload import Workload

    Shape = dict[str, Any]

_SELECTOR: Shape = {"matchLabels": {}, "matchExpressions": [{"values": []}]}
_TERM: Shape = {"labelSelector": _SELECTOR, "namespaces": []}
_POD_TERMS: Shape = {
    "requiredDuringSchedulingIgnoredDuringExecution": [_TERM],
    "preferredDuringSchedulingIgnoredDuringExecution": [{"podAffinityTerm": _TERM}],
}
_NODE_TERM: Shape = {"matchExpressions": [{"values": []}], "matchFields": [{"values": []}]}
#: A dict is a mapping with these fields (and others), a list a list of what it holds.
_POD_SPEC: Shape = {
    "nodeSelector": {},
    "tolerations": [{}],
    "topologySpreadConstraints": [{"labelSelector": _SELECTOR}],
    "volumes": [{"persistentVolumeClaim": {}}],
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [_NODE_TERM]},
            "preferredDuringSchedulingIgnoredDuringExecution": [{"preference": _NODE_TERM}],
        },
        "podAffinity": _POD_TERMS,
        "podAntiAffinity": _POD_TERMS,
    },
    "containers": [{}],
    "initContainers": [{}],
}
_METADATA: Shape = {"labels": {}, "annotations": {}}
_OBJECT: Shape = {"metadata": {**_METADATA, "ownerReferences": [{}]}}
_SPEC: Shape = {"selector": _SELECTOR, "strategy": {"rollingUpdate": {}}}
_TEMPLATE: Shape = {"metadata": _METADATA, "spec": _POD_SPEC}
_known: dict[tuple[str, ...], Shape] = {}


def check_shape(workload: Workload) -> None:
    """Raise ObjectError for a field of another shape than the API has: the API server would refuse it, too."""
    check(workload.obj, shape_of(workload.template))


def check(obj: KubeObject, shape: Shape) -> None:
    """Raise ObjectError where an object does not fit: a dict is a mapping with these fields, a list one of them."""
    path = obj.misfit(shape)
    if path is not None:
        found = obj.get(*path)
        what = "a mapping or a list"
        if isinstance(found, (dict, list)):
            what = "a list" if isinstance(found, dict) else "a mapping"
        raise ObjectError(f"must be {what}, got {describe(found)}", obj, dotted(path))


def shape_of(template: tuple[str, ...]) -> Shape:
    """Return the shape of an object whose pod template is at ``template``; a Pod is its own."""
    shape = _known.get(template)
    if shape is None:
        shape = _known[template] = _made_shape(template)
    return shape


def _made_shape(template: tuple[str, ...]) -> Shape:
    if not template:
        return {"metadata": {**_METADATA, "ownerReferences": [{}]}, "spec": _POD_SPEC}
    shape: Shape = dict(_TEMPLATE)
    for i, key in enumerate(reversed(template)):
        shape = {key: shape}
        if i == len(template) - 2:
            shape = {**_SPEC, **shape}
    return {**_OBJECT, **shape}
