"""The config of the policies: ``spec.kyverno``, and which guards make sense with which sections."""

from __future__ import annotations

from krmfn.config import Boolean, Integer, ListOf, Model, ObjectOf, String, field

from .names import is_label_key, is_label_value
from .origin import PREFERRED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn.config import Findings
    from krmfn.scan import Data

    from .placement import Spec

#: The annotation is read as one (KEP-2255).
_INT32 = 1 << 31


class NodeLabel(Model):
    """A label that marks nodes."""

    key: str = field(String(), required=True, doc="label key")
    value: str = field(String(allow_empty=True), required=True, doc="label value")

    def check(self, path: str, findings: Findings) -> None:
        """Report what no node can carry: it would become code in the policy."""
        if not is_label_key(self.key):
            findings.append((f"{path}.key", f'"{self.key}" cannot be the key of a label'))
        if self.value and not is_label_value(self.value):
            findings.append((f"{path}.value", f'"{self.value}" cannot be the value of a label'))


class PodDeletionCost(Model):
    """Pods bound to nodes with a label get a deletion cost: higher is kept longer."""

    node_label: NodeLabel = field(ObjectOf(NodeLabel), required=True, doc="which nodes")
    cost: int = field(Integer(-_INT32, _INT32 - 1), required=True, doc="cost of a pod on such a node")
    otherwise: int | None = field(
        Integer(-_INT32, _INT32 - 1), doc="cost of a pod elsewhere; without it pods elsewhere get none"
    )


_ACTIONS = ("Audit", "Warn", "Deny")


class _AuditAlone(String):
    """The action of a guard that looks at what is there, not at what comes in."""

    def read(self, value: Data, path: str, findings: Findings) -> Data:
        """Return ``Audit``; say of the other actions why not."""
        if value in _ACTIONS and value not in self.choices:
            why = "the first copy to arrive has no siblings yet"
            findings.append((path, f'must be Audit, got "{value}": {why}'))
            return None
        return super().read(value, path, findings)


class Guards(Model):
    """What must hold of placed objects in the cluster. Audit reports, Warn tells the client, Deny refuses."""

    zone_pin: str | None = field(String(_ACTIONS), doc="a copy is pinned to the zone of its label, and selects by it")
    known_zones: str | None = field(String(_ACTIONS), doc="the zone label of a copy names a zone of the Placement")
    immutable_zone: str | None = field(String(_ACTIONS), doc="zone label and pin of a copy do not change")
    no_zone_spread: str | None = field(String(_ACTIONS), doc="a copy has no spread constraint over zones")
    siblings: str | None = field(
        _AuditAlone(("Audit",)), doc="all copies of a source are there; looked at from time to time"
    )
    autoscaler_target: str | None = field(String(_ACTIONS), doc="autoscalers scale copies, none the source")
    pool_tolerations: str | None = field(
        String(_ACTIONS), doc="the pool's taints are tolerated only in namespaces that carry them as labels"
    )

    @property
    def wanted(self) -> dict[str, str]:
        """The action of each guard that is asked for, by its attribute's name."""
        return {name: getattr(self, name) for name in self.fields if getattr(self, name) is not None}

    def check_sections(self, spec: Spec, path: str, findings: Findings) -> None:
        """Report guards that have nothing to guard, or would refuse what the function itself writes."""
        for name in self.wanted:
            key = f"{path}.{self.fields[name].key}"
            if name == "pool_tolerations":
                if spec.node_pool is None:
                    findings.append((key, "needs a nodePool, whose taints it is about"))
            elif not spec.zones:
                findings.append((key, "needs zones: it is about their copies"))
        if self.no_zone_spread and spec.fan_out.pin == PREFERRED:
            message = f"not with fanOut.pin: {PREFERRED}, which leaves spread constraints over zones as they are"
            findings.append((f"{path}.noZoneSpread", message))
        if self.autoscaler_target and spec.fan_out.autoscalers == "Ignore":
            message = "not with fanOut.autoscalers: Ignore, which leaves them on the source"
            findings.append((f"{path}.autoscalerTarget", message))


#: The first releases with what is written: failureAction in a rule, cel.generate, and v1beta1 and v1 of
#: policies.kyverno.io (CRDs of the tags v1.13.4, v1.14.0, v1.16.0 to v1.16.4 and v1.17.0).
_OLDEST, _WITH_GENERATE, _BETA, _STABLE = (1, 13), (1, 14), (1, 16), (1, 17)


class Kyverno(Model):
    """Policies to attach."""

    version: str = field(String(), default="1.19", doc="the Kyverno release to write for, in quotes; 1.13 or newer")
    pod_deletion_cost: list[PodDeletionCost] | None = field(
        ListOf(ObjectOf(PodDeletionCost)), doc="annotate pods with a deletion cost when they are bound"
    )
    guards: Guards | None = field(ObjectOf(Guards), doc="policies that check placed objects in the cluster")
    tolerate_daemon_sets: bool = field(
        Boolean(), default=False, doc="DaemonSets that do not come from Git get the pool's tolerations at admission"
    )
    namespace: str | None = field(String(), doc="namespace of the targets, where they carry none")
    rbac: bool = field(Boolean(), default=True, doc="write the ClusterRoles that the policies need, before them")

    tests: bool = field(
        Boolean(), default=False, doc="write the files of kyverno test beside the policies: for its CLI alone"
    )

    def check(self, path: str, findings: Findings) -> None:
        """Report releases that cannot be written for."""
        parts = self.version.removeprefix("v").split(".")
        if not all(part.isdigit() for part in parts) or len(parts) == 1:
            findings.append((f"{path}.version", f'must be a release such as "1.19", got "{self.version}"'))
        elif self._release < _OLDEST:
            older = "older releases know no action of a single rule"
            findings.append((f"{path}.version", f'must be at least "1.13", got "{self.version}": {older}'))

    def check_sections(self, spec: Spec, path: str, findings: Findings) -> None:
        """Report policies that have nothing to be about."""
        if self.tolerate_daemon_sets and spec.node_pool is None:
            findings.append((f"{path}.tolerateDaemonSets", "needs a nodePool, whose taints it is about"))
        if self.guards is not None:
            self.guards.check_sections(spec, f"{path}.guards", findings)

    @property
    def _release(self) -> tuple[int, int]:
        major, minor = self.version.removeprefix("v").split(".")[:2]
        return int(major), int(minor)

    @property
    def is_legacy(self) -> bool:
        """Whether guards are written as ``ClusterPolicy``: the release has no ValidatingPolicy beyond a trial."""
        return self._release < _BETA

    @property
    def mutates_legacy(self) -> bool:
        """Whether mutations are: the ``v1beta1`` MutatingPolicy of 1.16 has no field for a patch."""
        return self._release < _STABLE

    @property
    def knows_generate(self) -> bool:
        """Whether ``validate.cel.generate`` of a ClusterPolicy exists."""
        return self._release >= _WITH_GENERATE

    @property
    def api_version(self) -> str:
        """The API version of policies in CEL."""
        return f"policies.kyverno.io/{'v1beta1' if self._release < _STABLE else 'v1'}"

    @property
    def since(self) -> str:
        """The first release that runs policies in CEL of this API version."""
        return "1.16.0" if self._release < _STABLE else "1.17.0"
