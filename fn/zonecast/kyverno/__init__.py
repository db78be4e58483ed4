"""Kyverno policies for placed workloads: one module per policy, plus the rights they need.

Facts about Kyverno (fields, defaults, filters, rights) were seen with Kyverno 1.19.1 on Kubernetes 1.36.3.
"""

from __future__ import annotations

from krmfn import ObjectError

from ..origin import PLACEMENT, marked
from . import deletioncost, rbac

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from ..fanout import Family
    from ..placement import Placement

#: Kyverno's webhooks and default resourceFilters leave these namespaces out: a policy there would never act.
_FILTERED = ("kube-system", "kube-public", "kube-node-lease", "kyverno")


def attach(resources: ResourceList, families: Iterable[Family], placement: Placement) -> None:
    """Add the policies that ``spec.kyverno`` asks for, one per source, behind the rights that they need."""
    wanted = placement.spec.kyverno
    if wanted is None or not wanted.pod_deletion_cost:
        return
    objects: list[tuple[dict[str, Data], KubeObject]] = []
    for family in families:
        try:
            _check_kind(family)
            namespace = _namespace(family, wanted.namespace)
            policy = deletioncost.policy(family.name, family.current_names, namespace, wanted.pod_deletion_cost)
            objects.append((policy, family.representative))
        except ObjectError as error:
            resources.results.collect(error)
    if objects and wanted.rbac:
        objects.insert(0, (rbac.read_nodes(), objects[0][1]))
    for data, beside in objects:
        _add(resources, data, beside, placement)


def _check_kind(family: Family) -> None:
    """Raise ObjectError for pods that no ReplicaSet owns: nothing reads their deletion cost."""
    if family.kind not in ("Deployment", "Rollout"):
        others = f"the pods of a {family.kind} have other names and another owner"
        message = f"kyverno.podDeletionCost is for Deployments: {others}"
        raise ObjectError(message, family.representative)


def _namespace(family: Family, given: str | None) -> str:
    """Return the namespace of a family's pods.

    Raises:
        ObjectError: it is not known, or Kyverno never looks at it.
    """
    namespace = family.namespace or given or ""
    if not namespace:
        message = "has no namespace, and its policy must be scoped to one: set kyverno.namespace"
        raise ObjectError(message, family.representative, "metadata.namespace")
    if namespace in _FILTERED:
        message = f"is in {namespace}, which Kyverno filters: a policy for it would silently never act"
        raise ObjectError(message, family.representative, "metadata.namespace")
    return namespace


def _add(resources: ResourceList, data: dict[str, Data], beside: KubeObject, placement: Placement) -> None:
    """Add an object, or bring the one that is there up to date."""
    group = str(data["apiVersion"]).rpartition("/")[0]
    name = str(data["metadata"]["name"])
    present = resources.where(kind=str(data["kind"]), group=group, name=name)
    if not present:
        obj = resources.new(data)
        obj.stand_beside(beside, f"{data['kind']}-{name}".lower())
        obj.merge_nested(marked(obj, placement.name))
        resources.append(obj)
        resources.results.info("added", obj)
        return
    obj = present[0]
    if not obj.annotation(PLACEMENT):
        raise ObjectError(f"{name} is to be added, and the one that is there is not zonecast's", obj, "metadata.name")
    edits: dict[tuple[str, ...], Data] = {}
    for kind in ("annotations", "labels"):
        edits.update({("metadata", kind, key): value for key, value in data["metadata"].get(kind, {}).items()})
    edits.update({(key,): value for key, value in data.items() if key not in ("apiVersion", "kind", "metadata")})
    obj.merge_nested({**edits, **marked(obj, placement.name)})

