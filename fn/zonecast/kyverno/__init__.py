"""Kyverno policies for placed workloads: one module per policy, plus the rights they need.

Facts about Kyverno (fields, defaults, filters, rights) were seen with Kyverno 1.19.1 on Kubernetes 1.36.3.
"""

from __future__ import annotations

from krmfn import ConfigError, ObjectError

from . import rbac
from .writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from ..fanout import Family
    from ..nodepool import Pool
    from ..placement import Placement
    from ..policies import Kyverno
    from .guard import Guard
    from .samples import Case

#: Kyverno's webhooks and default resourceFilters leave these namespaces out: a policy there would never act.
_FILTERED = ("kube-system", "kube-public", "kube-node-lease", "kyverno")


def attach(resources: ResourceList, families: Sequence[Family], placement: Placement, pool: Pool | None) -> None:
    """Add the policies that ``spec.kyverno`` asks for, behind the rights that they need."""
    wanted = placement.spec.kyverno
    if wanted is None:
        return
    attachment = _Attachment(wanted, placement)
    for family in families:
        try:
            attachment.to_family(family)
        except ObjectError as error:
            resources.results.collect(error)
    if families:
        attachment.to_pool(families, pool)
    results, config = resources.results, resources.config
    if any(data["kind"] == "ClusterPolicy" for data, _, _ in attachment.policies):
        message = "kyverno.io/v1 ClusterPolicy, which this release needs, is removed in Kyverno 1.20"
        results.warning(message, config, "spec.kyverno.version")
    if wanted.pod_deletion_cost and wanted.tests:
        message = "podDeletionCost has none: kyverno test of 1.19 passes over bindings, so it would pass in any case"
        results.info(message, config, "spec.kyverno.tests")
    if wanted.tolerate_daemon_sets:
        message = "Kyverno never sees kube-system: DaemonSets there keep their tolerations"
        results.warning(message, config, "spec.kyverno.tolerateDaemonSets")
    if attachment.policies and any(not family.namespace for family in families):
        message = "a target has none: an overlay above that gives it one moves the pods, and the policies go on"
        advice = "looking at the namespace that they were written for; run zonecast in that overlay"
        results.warning(f"{message} {advice}", config, "spec.kyverno.namespace")
    roles = attachment.roles if wanted.rbac else ()
    Writer(resources, placement).write(attachment.policies, roles, _names(families, placement))


def _names(families: Iterable[Family], placement: Placement) -> set[str]:
    """Return every name that a policy of this Placement can have."""
    from ..policies import Guards  # noqa: PLC0415
    from .guard import policy_name  # noqa: PLC0415

    assert placement.spec.kyverno is not None
    of_sources = [*(name.replace("_", "-") for name in Guards.fields), "pod-deletion-cost"]
    given = placement.spec.kyverno.namespace
    sources = (f"{family.namespace or given}.{family.name}" for family in families)
    of_pool = {policy_name(placement.name, name) for name in ("pool-tolerations", "tolerate-daemon-sets")}
    return of_pool.union(policy_name(source, name) for source in sources for name in of_sources)


class _Attachment:
    """The policies of a Placement as they are found, and the roles that they need, each once."""

    def __init__(self, wanted: Kyverno, placement: Placement) -> None:
        self.wanted = wanted
        self.placement = placement
        self.guards = wanted.guards.wanted if wanted.guards is not None else {}
        self.of_pool = self.guards.pop("pool_tolerations", None)
        self.policies: list[tuple[dict[str, Data], KubeObject, Sequence[Case]]] = []
        self.roles: list[dict[str, Data]] = []
        #: Those of the targets.
        self.namespaces: set[str] = set()

    def to_family(self, family: Family) -> None:
        """Attach the policies of one source.

        Raises:
            ObjectError: there can be no policy for it.
        """
        if not (self.wanted.pod_deletion_cost or self.guards or self.of_pool):
            return
        # the guard of a pool is about other namespaces: its targets may be where Kyverno does not look
        acts = bool(self.wanted.pod_deletion_cost or self.guards)
        namespace = _namespace(family, self.wanted.namespace, acts=acts)
        self.namespaces.add(namespace)
        if self.wanted.pod_deletion_cost:
            _check_kind(family)
            module = _module("legacy_cost" if self.wanted.mutates_legacy else "deletion_cost")
            asked = (family.name, family.current_names, namespace, self.wanted)
            self.policies.append((module.policy(*asked), family.representative, ()))
            self._need(rbac.read_nodes())
        if self.guards:
            from .guard import Copies  # noqa: PLC0415

            copies = Copies(family, namespace, self.placement)
            for name, action in self.guards.items():
                module = _module(name)
                guard = module.guard(copies)
                cases = module.cases(copies) if self.wanted.tests else ()
                self.policies.append((self._written(guard, action), family.representative, cases))
                if guard.background and any(group == "argoproj.io" for group, _, _ in guard.kinds):
                    self._need(rbac.scan_rollouts())

    def to_pool(self, families: Sequence[Family], pool: Pool | None) -> None:
        """Attach the policies that are about the pool, whoever tolerates it.

        Raises:
            ConfigError: the pool has no taint, or the Placement no name to call its policies by.
        """
        wanted, name = self.wanted, self.placement.name
        if not self.of_pool and not wanted.tolerate_daemon_sets:
            return
        if pool is None or not pool.tolerations:
            field = "guards.poolTolerations" if self.of_pool else "tolerateDaemonSets"
            raise ConfigError([(f"spec.kyverno.{field}", "the nodePool has no taint: there is nothing to tolerate")])
        if not name:
            raise ConfigError([("metadata.name", "required: the policies of a pool are called after the Placement")])
        beside = families[0].representative
        if self.of_pool:
            module = _module("pool_tolerations")
            guard = module.guard(name, pool.tolerations, sorted(self.namespaces))
            cases = module.cases(name, pool.tolerations) if wanted.tests else ()
            self.policies.append((self._written(guard, self.of_pool), beside, cases))
        if wanted.tolerate_daemon_sets:
            module = _module("legacy_tolerate" if wanted.mutates_legacy else "tolerate")
            cases = module.cases(pool.tolerations) if wanted.tests else ()
            self.policies.append((module.policy(name, pool.tolerations, wanted), beside, cases))

    def _written(self, guard: Guard, action: str) -> dict[str, Data]:
        if self.wanted.is_legacy:
            from . import legacy  # noqa: PLC0415 - few clusters are that old

            return legacy.validating(guard, action, self.wanted)
        from . import validating  # noqa: PLC0415

        return validating.policy(guard, action, self.wanted)

    def _need(self, role: dict[str, Data]) -> None:
        if role not in self.roles:
            self.roles.append(role)


def _module(name: str) -> Any:
    """Return the module of a policy, which is called as the policy is, in one word: read where it is asked for."""
    return __import__(f"{__name__}.{name.replace('_', '')}", fromlist=["guard"])


def _check_kind(family: Family) -> None:
    """Raise ObjectError for pods that no ReplicaSet owns: nothing reads their deletion cost."""
    if family.kind not in ("Deployment", "Rollout"):
        others = f"the pods of a {family.kind} have other names and another owner"
        message = f"kyverno.podDeletionCost is for Deployments: {others}"
        raise ObjectError(message, family.representative)


def _namespace(family: Family, given: str | None, *, acts: bool) -> str:
    """Return the namespace of a family's pods, in which a policy ``acts`` or not.

    Raises:
        ObjectError: it is not known, or Kyverno never looks at it.
    """
    namespace = family.namespace or given or ""
    if not namespace:
        message = "has no namespace, and its policy must be scoped to one: set kyverno.namespace"
        raise ObjectError(message, family.representative, "metadata.namespace")
    if acts and namespace in _FILTERED:
        message = f"is in {namespace}, which Kyverno filters: a policy for it would silently never act"
        raise ObjectError(message, family.representative, "metadata.namespace")
    return namespace
