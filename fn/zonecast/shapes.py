"""The shape of the fields that a placement reads: mappings and lists where the Kubernetes API has them."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.config import describe
from krmfn.kubeobject import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject

    from .workload import Workload

    Shape = dict[str, object]
    Path = tuple[str, ...]

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
    "containers": [{"env": [{}], "args": []}],
    "initContainers": [{"env": [{}], "args": []}],
}
_METADATA: Shape = {"labels": {}, "annotations": {}}
_OBJECT: Shape = {
    "metadata": {**_METADATA, "ownerReferences": [{}]},
    "spec": {"selector": _SELECTOR, "strategy": {"rollingUpdate": {}}},
}


def check_shape(workload: Workload) -> None:
    """Raise ObjectError for a field of another shape than the API has: the API server would refuse it, too."""
    obj = workload.obj
    _check(obj, (), _OBJECT)
    if workload.template:
        _check(obj, workload.template, {"metadata": _METADATA, "spec": {}})
    _check(obj, workload.pod_spec, _POD_SPEC)


def _check(obj: KubeObject, path: Path, shape: Shape) -> None:
    present = obj.keys(*path)
    for key, wanted in shape.items():
        if key not in present:
            continue
        where = (*path, key)
        if isinstance(wanted, dict) and obj.is_mapping(*where):
            _check(obj, where, wanted)
        else:
            _check_data(obj, where, obj.get(*where), wanted)


def _check_data(obj: KubeObject, path: tuple[str | int, ...], value: object, wanted: object) -> None:
    if value is None:
        return
    what = "a mapping" if isinstance(wanted, dict) else "a list"
    if not isinstance(value, dict if isinstance(wanted, dict) else list):
        raise ObjectError(f"must be {what}, got {describe(value)}", obj, dotted(path))
    if isinstance(wanted, dict):
        assert isinstance(value, dict)
        for key, inner in wanted.items():
            if key in value:
                _check_data(obj, (*path, key), value[key], inner)
    elif isinstance(wanted, list) and wanted:
        assert isinstance(value, list)
        for i, each in enumerate(value):
            _check_data(obj, (*path, i), each, wanted[0])
