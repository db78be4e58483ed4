"""What cannot be fanned out, said before anything is written."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.kubeobject import dotted

from .origin import PREFERRED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject, ResourceList, Results
    from krmfn.scan import Data

    from .placement import Spec
    from .workload import Workload

#: The zone label before Kubernetes 1.17; nodes still carry both.
_LEGACY_ZONE = "failure-domain.beta.kubernetes.io/zone"
_ZONE = "topology.kubernetes.io/zone"
_SHARED_MODES = ("ReadWriteMany", "ReadOnlyMany")


def check_source(resources: ResourceList, workload: Workload, spec: Spec) -> None:
    """Raise ObjectError where copies of ``workload`` could not run, or would not be what the user means."""
    obj = workload.obj
    for key, line in obj.duplicate_keys():
        raise ObjectError(f'the key "{key}" stands twice in one mapping (line {line}); keep one', obj)
    check_owner(obj)
    if not obj.keys("spec", "selector"):
        raise ObjectError(f"required: a {obj.kind} selects its pods", obj, "spec.selector")
    if not obj.keys(*workload.template):
        raise ObjectError(f"required: a {obj.kind} makes pods", obj, dotted(workload.template))
    _check_zone_label(workload, spec.fan_out.zone_label)
    _check_pins(workload, spec, resources.results)
    if "persistentVolumeClaim" in obj.raw:
        _check_claims(resources, workload)


def check_owner(obj: KubeObject) -> None:
    """Raise ObjectError for an object that a controller owns: it would create the original again."""
    for owner in obj.nested_slice("metadata", "ownerReferences") if "ownerReferences" in obj.raw else ():
        if owner.get("controller"):
            message = f"belongs to {owner.get('kind')} {owner.get('name')}, which would create it again; fan that out"
            raise ObjectError(message, obj, "metadata.ownerReferences")


def _check_zone_label(workload: Workload, key: str) -> None:
    """A label that the source has already, and that a Service may select by, must not become the zone's."""
    paths = (("metadata", "labels"), ("spec", "selector", "matchLabels"), (*workload.template, "metadata", "labels"))
    for path in paths:
        if key in workload.obj.keys(*path):
            value = workload.obj.nested_string_map(*path)[key]
            already = f'has {key}: "{value}" already'
            message = f"{already}, and the zone would take its place; choose another fanOut.zoneLabel"
            raise ObjectError(message, workload.obj, dotted(path))


def _check_pins(workload: Workload, spec: Spec, results: Results) -> None:
    key = spec.fan_out.topology_key
    keys = (key, _LEGACY_ZONE) if key == _ZONE else (key,)
    fields = workload.keys()
    labelled = "nodeSelector" in fields
    node_selector = workload.obj.nested_string_map(*workload.pod_spec, "nodeSelector") if labelled else {}
    for each in keys:
        if each in node_selector:
            message = f'already pins {each} to "{node_selector[each]}"; remove it, or exclude this {workload.obj.kind}'
            raise ObjectError(message, workload.obj, dotted((*workload.pod_spec, "nodeSelector")))
    if "affinity" not in fields:
        return
    path = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    terms = (workload.get(*path) or {}).get("nodeSelectorTerms") or []
    for zone in spec.zones or ():
        if terms and not any(_admits(term, keys, zone.name) for term in terms):
            if spec.fan_out.pin == PREFERRED:
                message = f"no term admits zone {zone.name}: its copy always runs in another"
                results.warning(message, workload.obj, dotted((*workload.pod_spec, *path)))
                continue
            message = f"no term admits zone {zone.name}: its copy would never be scheduled"
            raise ObjectError(message, workload.obj, dotted((*workload.pod_spec, *path)))


def _admits(term: Data, keys: tuple[str, ...], zone: str) -> bool:
    """Whether a node selector term can be fulfilled by a node of ``zone`` (expressions on other keys aside)."""
    for expression in term.get("matchExpressions") or ():
        if expression.get("key") in keys:
            values = [str(value) for value in expression.get("values") or ()]
            operator = expression.get("operator")
            if (
                (operator == "In" and zone not in values)
                or (operator == "NotIn" and zone in values)
                or operator == "DoesNotExist"
            ):
                return False
    return True


def _check_claims(resources: ResourceList, workload: Workload) -> None:
    """A ReadWriteOnce volume is in one zone: copies in the others would stay Pending for ever."""
    for volume in (workload.get("volumes") or ()) if "volumes" in workload.keys() else ():
        claim = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        if not claim:
            continue
        found = _claim(resources, str(claim), workload.obj.namespace)
        if found is None:
            message = f"PersistentVolumeClaim {claim} is not in the list: it must be ReadWriteMany to serve every zone"
            resources.results.warning(message, workload.obj, dotted((*workload.pod_spec, "volumes")))
            continue
        modes = found.nested_slice("spec", "accessModes")
        if not any(mode in _SHARED_MODES for mode in modes):
            message = f"mounts PersistentVolumeClaim {claim} ({', '.join(map(str, modes))}), which is in one zone"
            raise ObjectError(message, workload.obj, dotted((*workload.pod_spec, "volumes")))


def _claim(resources: ResourceList, name: str, namespace: str) -> KubeObject | None:
    found = resources.where(kind="PersistentVolumeClaim", name=name, namespace=namespace)
    return found[0] if found else None
