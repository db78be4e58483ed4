"""Kyverno policies for placed workloads: one module per policy, plus the rights they need.

Facts about Kyverno (fields, defaults, filters, rights) were seen with Kyverno 1.19.1 on Kubernetes 1.36.3.
"""

from __future__ import annotations

from krmfn import ConfigError, ObjectError

from ..origin import PLACEMENT, marked
from . import rbac

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from ..fanout import Family
    from ..nodepool import Pool
    from ..placement import Placement
    from .guard import Guard

    #: A policy, and the object of the list that it is about.
    Policy = tuple[dict[str, Data], KubeObject]

#: Kyverno's webhooks and default resourceFilters leave these namespaces out: a policy there would never act.
_FILTERED = ("kube-system", "kube-public", "kube-node-lease", "kyverno")
#: What is written here.
_KINDS = ("ClusterRole", "ValidatingPolicy", "MutatingPolicy")
_API_VERSION, _SINCE = "policies.kyverno.io/v1", "1.17.0"


def attach(resources: ResourceList, families: Sequence[Family], placement: Placement, pool: Pool | None) -> None:
    """Add the policies that ``spec.kyverno`` asks for, behind the rights that they need."""
    wanted = placement.spec.kyverno
    if wanted is None:
        return
    policies: list[Policy] = []
    roles: list[dict[str, Data]] = []
    for family in families:
        try:
            policies += _of_family(family, placement, roles)
        except ObjectError as error:
            resources.results.collect(error)
    if families and wanted.guards is not None and wanted.guards.pool_tolerations:
        policies += _of_pool(families, placement, pool)
    if policies and wanted.rbac:
        policies[:0] = [(role, policies[0][1]) for role in roles]
    present = {(obj.group, obj.kind, obj.name): obj for obj in resources if obj.kind in _KINDS}
    for data, beside in policies:
        key = (data["apiVersion"].rpartition("/")[0], data["kind"], data["metadata"]["name"])
        _add(resources, data, beside, present.get(key), placement)


def _of_family(family: Family, placement: Placement, roles: list[dict[str, Data]]) -> Iterator[Policy]:
    """Yield the policies of one source; what rights they need goes to ``roles``, each once.

    Raises:
        ObjectError: there can be no policy for it.
    """
    wanted = placement.spec.kyverno
    assert wanted is not None
    guards = wanted.guards.wanted if wanted.guards is not None else {}
    of_copies = {name: action for name, action in guards.items() if name != "pool_tolerations"}
    if not wanted.pod_deletion_cost and not guards:
        return
    namespace = _namespace(family, wanted.namespace)
    if wanted.pod_deletion_cost:
        from . import deletioncost  # noqa: PLC0415 - each policy has its module, read where it is asked for

        _check_kind(family)
        policy = deletioncost.policy(family.name, family.current_names, namespace, wanted.pod_deletion_cost)
        yield policy, family.representative
        _need(roles, rbac.read_nodes())
    if of_copies:
        from .guard import Copies  # noqa: PLC0415

        copies = Copies(family, namespace, placement)
        for name, action in of_copies.items():
            guard = _module(name).guard(copies)
            yield _written(guard, action), family.representative
            if guard.background and any(group == "argoproj.io" for group, _, _ in guard.kinds):
                _need(roles, rbac.scan_rollouts())


def _of_pool(families: Sequence[Family], placement: Placement, pool: Pool | None) -> Iterator[Policy]:
    """Yield the policies that are about the pool, whoever tolerates it.

    Raises:
        ConfigError: the pool has no taint, or the Placement no name to call its policies by.
    """
    spec = placement.spec
    assert spec.kyverno is not None
    assert spec.kyverno.guards is not None
    if pool is None or not pool.tolerations:
        message = "the nodePool has no taint: there is nothing to guard"
        raise ConfigError([("spec.kyverno.guards.poolTolerations", message)])
    if not placement.name:
        raise ConfigError([("metadata.name", "required: the policies of a pool are called after the Placement")])
    namespaces = [_namespace(family, spec.kyverno.namespace) for family in families]
    guard = _module("pool_tolerations").guard(placement.name, pool.tolerations, namespaces)
    yield _written(guard, spec.kyverno.guards.wanted["pool_tolerations"]), families[0].representative


def _module(name: str) -> Any:
    """Return the module of a guard: it is called as the guard is, in one word."""
    return __import__(f"{__name__}.{name.replace('_', '')}", fromlist=["guard"])


def _written(guard: Guard, action: str) -> dict[str, Data]:
    from .validating import policy  # noqa: PLC0415

    return policy(guard, action, _API_VERSION, _SINCE)


def _need(roles: list[dict[str, Data]], role: dict[str, Data]) -> None:
    if role not in roles:
        roles.append(role)


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


def _add(
    resources: ResourceList, data: dict[str, Data], beside: KubeObject, present: KubeObject | None, placement: Placement
) -> None:
    """Add an object, or bring the one that is there up to date."""
    name = data["metadata"]["name"]
    if present is None:
        obj = resources.new(data)
        obj.stand_beside(beside, f"{data['kind']}-{name}".lower())
        obj.merge_nested(marked(obj, placement.name))
        resources.append(obj)
        resources.results.info("added", obj)
        return
    if not present.annotation(PLACEMENT):
        message = f"{name} is to be added, and the one that is there is not zonecast's"
        raise ObjectError(message, present, "metadata.name")
    edits: dict[tuple[str, ...], Data] = {}
    for kind in ("annotations", "labels"):
        edits.update({("metadata", kind, key): value for key, value in data["metadata"].get(kind, {}).items()})
    edits.update({(key,): value for key, value in data.items() if key not in ("apiVersion", "kind", "metadata")})
    present.merge_nested({**edits, **marked(present, placement.name)})
