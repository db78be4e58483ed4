"""The config of the function: ``kind: Placement``, its types, and what combinations of it mean.

Field names and their order are those of docs/reference.md, which is generated from here.
"""

from __future__ import annotations

from krmfn.config import (
    Anything,
    Boolean,
    Integer,
    ListOf,
    MapOf,
    Model,
    ObjectOf,
    String,
    field,
    model_schema,
    nearest,
    parse,
)
from krmfn.errors import ConfigError

from .names import is_label_value, is_name_part
from .origin import (
    KEEP,
    NODE_SELECTOR,
    PREFERRED,
    REMOVE,
    REQUIRED,
    SPLIT,
    TEMPLATE,
    TOPOLOGY_KEY,
    ZONE_LABEL,
)
from .patterns import LabelSelector, Pattern
from .policies import Kyverno
from .split import EACH, MAXIMUM, MINIMUM, REPLICAS, ZONE_LOSS, Sharing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject
    from krmfn.config import Findings
    from krmfn.scan import Data

API_VERSION = "zonecast.dev/v1alpha1"
KIND = "Placement"


class Selector(Model):
    """Which objects: kustomize's patch target, every given field must match."""

    group: str | None = field(String(allow_empty=True), doc="regular expression for the API group, anchored")
    version: str | None = field(String(), doc="regular expression for the API version, anchored")
    kind: str | None = field(String(), doc="regular expression for the kind, anchored; without it Deployment")
    name: str | None = field(String(), doc="regular expression for the name, anchored")
    namespace: str | None = field(String(), doc="regular expression for the namespace, anchored")
    label_selector: str | None = field(String(), doc="label selector in Kubernetes syntax: app=web,tier in (a,b),!old")
    annotation_selector: str | None = field(String(), doc="the same syntax, for annotations")
    pod_template_path: str | None = field(String(), doc="where the pod template of this kind is: spec.template")

    def check(self, path: str, findings: Findings) -> None:
        """Report expressions that do not compile."""
        for key in ("group", "version", "kind", "name", "namespace"):
            value = getattr(self, key)
            problem = Pattern.problem(value) if value else ""
            if problem:
                findings.append((f"{path}.{key}", f'"{value}" is not a regular expression: {problem}'))
        for key in ("label_selector", "annotation_selector"):
            value = getattr(self, key)
            problem = LabelSelector.problem(value) if value else ""
            if problem:
                findings.append((f"{path}.{self.fields[key].key}", problem))


class Zone(Model):
    """One zone to fan out into. The short form is its name alone."""

    name: str = field(String(), required=True, doc="value of the topology label")
    suffix: str = field(String(), default="", doc="what is appended to names, after -; default: the zone's name")
    weight: int = field(Integer(minimum=0), default=1, doc="share in Split")
    replicas: int | None = field(
        Integer(minimum=0), doc="the zone's own figure, whatever its weight; the others share what it leaves"
    )
    min_replicas: int | None = field(Integer(minimum=0), doc="the same for the minimum of autoscalers")
    max_replicas: int | None = field(Integer(minimum=1), doc="the same for the maximum of autoscalers")
    node_selector: dict[str, str] | None = field(
        MapOf(String(allow_empty=True)), doc="more labels that a node must have, in this zone"
    )
    tolerations: list[Data] | None = field(ListOf(Anything("object")), doc="more tolerations, in this zone")
    patch: dict[str, Data] | None = field(
        Anything("object"),
        doc="strategic merge patch for the Deployment's copy in this zone, made after all else: lists of a pod template"
        " merge by the keys of Kubernetes, new entries come last",
    )

    def check(self, path: str, findings: Findings) -> None:
        """Report names that cannot become a label value or a part of an object's name."""
        if not is_label_value(self.name):
            findings.append((f"{path}.name", f'"{self.name}" cannot be the value of a label'))
        if not self.suffix and not is_name_part(self.name):
            findings.append((f"{path}.name", f'"{self.name}" cannot be part of an object\'s name; give a suffix'))
        if self.suffix and not is_name_part(self.suffix):
            findings.append((f"{path}.suffix", f'"{self.suffix}" cannot be part of a name: use a-z, 0-9 and "-"'))
        self.suffix = self.suffix or self.name
        if self.min_replicas is not None and self.max_replicas is not None and self.min_replicas > self.max_replicas:
            message = f"{self.min_replicas} is above maxReplicas {self.max_replicas}"
            findings.append((f"{path}.minReplicas", message))
        for i, toleration in enumerate(self.tolerations or ()):
            _check_toleration(toleration, f"{path}.tolerations[{i}]", findings)
        if self.patch:
            from .zonepatch import check  # noqa: PLC0415 - few zones have one

            check(self.patch, f"{path}.patch", findings)


class Reference(Model):
    """A place at which objects of a kind hold a Deployment's name."""

    group: str | None = field(String(allow_empty=True), doc="API group of the objects; without it any")
    kind: str = field(String(), required=True, doc="kind of the objects")
    path: str = field(
        String(), required=True, doc="where the name is: spec.target.name; [] means every entry: spec.targets[].name"
    )

    def check(self, path: str, findings: Findings) -> None:
        """Report a path that cannot lead anywhere."""
        keys = [part.removesuffix("[]") for part in self.path.split(".")]
        if not all(keys) or "[" in "".join(keys):
            findings.append((f"{path}.path", f'"{self.path}" is no path: write spec.targets[].name'))


class FanOut(Model):
    """How Deployments are fanned out."""

    topology_key: str = field(String(), default=TOPOLOGY_KEY, doc="node label that names the zone")
    pin: str = field(
        String((NODE_SELECTOR, REQUIRED, PREFERRED)),
        default=NODE_SELECTOR,
        doc="how a copy is held in its zone: RequiredAffinity is ANDed into every required term, PreferredAffinity is"
        " a hint",
    )
    replicas: str = field(
        String((SPLIT, EACH, ZONE_LOSS)),
        default="Split",
        doc="Split: the copies' replicas add up to the source's; Each: the source's figure in every zone; ZoneLoss: so"
        " many that the source's figure is still there without some zones",
    )
    tolerate_zone_loss: int | None = field(Integer(minimum=1), doc="how many zones ZoneLoss may lose; default 1")
    zone_label: str = field(
        String(), default=ZONE_LABEL, doc="label of each copy's metadata, selector and pods: its zone"
    )
    zone_env: str | None = field(String(), doc="environment variable that holds the zone in every container")
    rollout: str | None = field(
        String(("ZoneByZone",)),
        doc="ZoneByZone: Argo CD sync waves in the order of the zones, counted on from the source's",
    )
    source: str = field(
        String((REMOVE, KEEP, TEMPLATE)),
        default=REMOVE,
        doc="Remove: the copies replace the source; Keep: it stays beside them, protected from pruning, as the first"
        " step of a cut-over; Template: it stays in the package, for tools alone, and the copies follow it",
    )
    autoscalers: str = field(
        String(("Split", "Copy", "Ignore")),
        default="Split",
        doc="Split: one per copy, figures add up; Copy: the same figures in each; Ignore: only while the source stays",
    )
    disruption_budgets: str = field(
        String(("Shared", "PerZone")), default="Shared", doc="PerZone: one budget per zone in place of the shared one"
    )
    services: str = field(
        String(("Shared", "SharedPreferSameZone", "PerZone")),
        default="Shared",
        doc="SharedPreferSameZone: sets trafficDistribution; PerZone: one more per zone beside the shared one",
    )
    references: list[Reference] | None = field(
        ListOf(ObjectOf(Reference)), doc="other kinds that name a Deployment: each object becomes one per copy"
    )
    max_name_length: int = field(
        Integer(minimum=20), default=63, doc="longer names are shortened, with a hash that keeps them apart"
    )

    def check(self, path: str, findings: Findings) -> None:
        """Report a zone label that the API server would overwrite in pods, and what only ZoneLoss reads."""
        if self.tolerate_zone_loss is not None and self.replicas != ZONE_LOSS:
            findings.append((f"{path}.tolerateZoneLoss", "only with replicas: ZoneLoss"))
        name = self.zone_env or ""
        if "=" in name or not name.isprintable() or not name.isascii():
            findings.append((f"{path}.zoneEnv", f'"{name}" cannot be the name of an environment variable'))
        if self.zone_label in ("topology.kubernetes.io/zone", "topology.kubernetes.io/region"):
            message = f"{self.zone_label} is set by the API server when a pod is bound; use another key"
            findings.append((f"{path}.zoneLabel", message))


class Taint(Model):
    """A taint of the pool's nodes."""

    key: str = field(String(), required=True, doc="taint key")
    value: str | None = field(String(allow_empty=True), doc="taint value")
    effect: str = field(
        String(("NoSchedule", "PreferNoSchedule", "NoExecute")), required=True, doc="what happens to pods without it"
    )


class PoolRef(Model):
    """A pool that an object of the list describes."""

    kind: str = field(
        String(("ClusterConfig", "NodePool")), required=True, doc="ClusterConfig: eksctl; NodePool: Karpenter"
    )
    name: str = field(String(), required=True, doc="metadata.name of the object")
    node_group: str | None = field(String(), doc="for a ClusterConfig: name of the (managed) node group")

    def check(self, path: str, findings: Findings) -> None:
        """A ClusterConfig describes several groups, a NodePool is one."""
        if self.kind == "ClusterConfig" and not self.node_group:
            findings.append((f"{path}.nodeGroup", "required: a ClusterConfig describes several node groups"))
        if self.kind == "NodePool" and self.node_group:
            findings.append((f"{path}.nodeGroup", "only for a ClusterConfig"))


class NodePool(Model):
    """A dedicated pool: tolerations come from its taints, the nodeSelector from its labels."""

    labels: dict[str, str] | None = field(MapOf(String(allow_empty=True)), doc="labels of the pool's nodes")
    taints: list[Taint] | None = field(ListOf(ObjectOf(Taint)), doc="taints of the pool's nodes")
    ref: PoolRef | None = field(ObjectOf(PoolRef), doc="an object of the list that describes the pool")

    def check(self, path: str, findings: Findings) -> None:
        """Either inline or by reference."""
        inline = self.labels is not None or self.taints is not None
        if inline == (self.ref is not None):
            findings.append((path, "needs either labels and taints, or ref" + (", not both" if inline else "")))


class PodSpec(Model):
    """PodSpec fields to merge into every target, spelled as Kubernetes spells them."""

    node_selector: dict[str, str] | None = field(MapOf(String(allow_empty=True)), doc="labels a node must have")
    tolerations: list[Data] | None = field(ListOf(Anything("object")), doc="tolerations to add")
    affinity: dict[str, Data] | None = field(Anything("object"), doc="affinity terms to add")
    topology_spread_constraints: list[Data] | None = field(ListOf(Anything("object")), doc="constraints to add")
    priority_class_name: str | None = field(String(), doc="priority class")
    runtime_class_name: str | None = field(String(), doc="runtime class")
    scheduler_name: str | None = field(String(), doc="scheduler")

    def check(self, path: str, findings: Findings) -> None:
        """Report tolerations that the API server would refuse."""
        for i, toleration in enumerate(self.tolerations or ()):
            _check_toleration(toleration, f"{path}.tolerations[{i}]", findings)
        for key in self.affinity or ():
            if key not in _AFFINITIES:
                message = f"unknown field{nearest(key, _AFFINITIES)} (fields: {', '.join(_AFFINITIES)})"
                findings.append((f"{path}.affinity.{key}", message))


_AFFINITIES = ("nodeAffinity", "podAffinity", "podAntiAffinity")
_TOLERATION_FIELDS = ("key", "operator", "value", "effect", "tolerationSeconds")


def _check_toleration(toleration: dict[str, Data], path: str, findings: Findings) -> None:
    """Report what ValidateTolerations refuses (kubernetes, pkg/apis/core/validation/validation.go)."""
    for key in toleration:
        if key not in _TOLERATION_FIELDS:
            message = f"unknown field{nearest(key, _TOLERATION_FIELDS)} (fields: {', '.join(_TOLERATION_FIELDS)})"
            findings.append((f"{path}.{key}", message))
    operator = toleration.get("operator") or "Equal"
    if operator not in ("Equal", "Exists"):
        message = f'must be one of Equal, Exists, got "{operator}"{nearest(str(operator), ("Equal", "Exists"))}'
        findings.append((f"{path}.operator", message))
    elif operator == "Exists" and toleration.get("value"):
        findings.append((f"{path}.value", "must be absent with operator Exists"))
    elif operator == "Equal" and not toleration.get("key"):
        findings.append((f"{path}.key", "required: only operator Exists may go without a key"))
    if toleration.get("tolerationSeconds") is not None and toleration.get("effect") != "NoExecute":
        findings.append((f"{path}.tolerationSeconds", "only with effect NoExecute"))


class OnePodPerNode(Model):
    """Self anti-affinity on the node. The short form is ``true``."""

    topology_key: str = field(String(), default="kubernetes.io/hostname", doc="node label that tells nodes apart")
    mode: str = field(String(("Required", "Preferred")), default="Required", doc="Preferred is a hint to the scheduler")
    fix_strategy: bool = field(
        Boolean(), default=False, doc="set maxSurge 0 and maxUnavailable 1, so that a rollout needs no spare node"
    )


class DaemonSets(Model):
    """Let DaemonSets run on the tainted pool too."""

    tolerate: str = field(
        String(("NodePool", "All")), default="NodePool", doc="NodePool: the pool's taints; All: every taint there is"
    )
    targets: list[Selector] | None = field(ListOf(ObjectOf(Selector)), doc="which DaemonSets; default every one")


class _True(Boolean):
    """The short form of onePodPerNode."""

    def read(self, value: Data, path: str, findings: Findings) -> Data:
        """``true`` is every default, ``false`` the same as leaving the section out."""
        return {True: {}, False: None}.get(value) if isinstance(value, bool) else super().read(value, path, findings)


class Spec(Model):
    """What a Placement does. Every section is optional."""

    targets: list[Selector] | None = field(ListOf(ObjectOf(Selector)), doc="which objects; default every Deployment")
    exclude: list[Selector] | None = field(ListOf(ObjectOf(Selector)), doc="which not; wins over targets")
    zones: list[Zone] | None = field(
        ListOf(ObjectOf(Zone, short=String(), short_key="name"), unique=("name", "suffix")),
        doc="fan Deployments out into these zones",
    )
    fan_out: FanOut = field(ObjectOf(FanOut), default=FanOut(), doc="how they are fanned out")
    node_pool: NodePool | None = field(ObjectOf(NodePool), doc="place the targets on a dedicated pool")
    pod_spec: PodSpec | None = field(ObjectOf(PodSpec), doc="PodSpec fields to merge into the targets")
    one_pod_per_node: OnePodPerNode | None = field(
        ObjectOf(OnePodPerNode, short=_True()), doc="at most one pod of a target on a node"
    )
    daemon_sets: DaemonSets | None = field(ObjectOf(DaemonSets), doc="let DaemonSets run on the pool too")
    kyverno: Kyverno | None = field(ObjectOf(Kyverno), doc="Kyverno policies to attach")
    allow_no_match: bool = field(Boolean(), default=False, doc="targets that match nothing are a Warning, not an Error")
    on_conflict: str = field(
        String(("Error", "Replace")), default="Error", doc="when a target has another value for what is merged"
    )

    def check(self, path: str, findings: Findings) -> None:
        """Report combinations of sections that cannot be."""
        zones = self.zones or []
        if zones and not any(zone.weight for zone in zones):
            findings.append((f"{path}.zones", "all weights are 0: nothing could be shared out"))
        key = self.fan_out.topology_key
        for i, zone in enumerate(zones):
            if key in (zone.node_selector or {}):
                findings.append((f"{path}.zones[{i}].nodeSelector[{key}]", "is set by the zone's name"))
        used = sum(1 for zone in zones if zone.weight or zone.replicas)
        if self.fan_out.replicas == ZONE_LOSS and zones and (self.fan_out.tolerate_zone_loss or 1) >= used:
            message = f"{self.fan_out.tolerate_zone_loss or 1} of {used} zones: none would be left to hold the replicas"
            findings.append((f"{path}.fanOut.tolerateZoneLoss", message))
        if self.daemon_sets is not None and self.daemon_sets.tolerate == "NodePool" and self.node_pool is None:
            findings.append((f"{path}.daemonSets.tolerate", "NodePool needs a nodePool; or use All"))
        for i, constraint in enumerate((self.pod_spec.topology_spread_constraints if self.pod_spec else None) or ()):
            if zones and constraint.get("topologyKey") == self.fan_out.topology_key:
                message = f"spreads over {self.fan_out.topology_key}, which zones pins: a copy cannot fulfil it"
                findings.append((f"{path}.podSpec.topologySpreadConstraints[{i}]", message))
        alone = self.one_pod_per_node
        if alone is not None and zones and alone.topology_key == self.fan_out.topology_key:
            message = f"must not be {self.fan_out.topology_key}: a copy has one zone for all of its pods"
            findings.append((f"{path}.onePodPerNode.topologyKey", message))
        if self.pod_spec is not None and zones and self.fan_out.topology_key in (self.pod_spec.node_selector or {}):
            findings.append((f"{path}.podSpec.nodeSelector", f"{self.fan_out.topology_key} is set by zones"))
        if self.kyverno is not None:
            self.kyverno.check_sections(self, f"{path}.kyverno", findings)

    @property
    def edits_pods(self) -> bool:
        """Whether a section asks for something in the pod templates of the targets."""
        return bool(self.zones or self.node_pool or self.pod_spec or self.one_pod_per_node)

    @property
    def is_empty(self) -> bool:
        """Whether no section asks for anything."""
        return not (self.edits_pods or self.daemon_sets or self.kyverno)


class Placement:
    """A Placement: its name and its spec."""

    def __init__(self, name: str, spec: Spec) -> None:
        self.name = name
        self.spec = spec


class _CommaList(String):
    """A list in a ConfigMap: ``us-east-1a,us-east-1c``."""

    def read(self, value: Data, path: str, findings: Findings) -> Data:
        """Return the parts between commas."""
        text = super().read(value, path, findings)
        return [part.strip() for part in text.split(",") if part.strip()] if isinstance(text, str) else text


class Simple(Model):
    """The keys of a ConfigMap: what ``kpt fn eval ... -- zones=a,c`` can say."""

    zones: list[str] | None = field(_CommaList(), doc="comma list of zones")
    targets: list[str] | None = field(_CommaList(), doc="comma list of names, as regular expressions")
    namespace: str | None = field(String(), doc="namespace of the targets")
    label_selector: str | None = field(String(), doc="label selector of the targets")
    topology_key: str | None = field(String(), doc="spec.fanOut.topologyKey")
    pin: str | None = field(String(), doc="spec.fanOut.pin")
    replicas: str | None = field(String(), doc="spec.fanOut.replicas")
    source: str | None = field(String(), doc="spec.fanOut.source")

    def to_spec(self) -> dict[str, Data]:
        """Return the same as the spec of a Placement."""
        common = {"namespace": self.namespace, "labelSelector": self.label_selector}
        common = {key: value for key, value in common.items() if value is not None}
        targets = [{"name": name, **common} for name in self.targets or ()] or ([common] if common else None)
        keys = {"topologyKey": self.topology_key, "pin": self.pin, "replicas": self.replicas, "source": self.source}
        fan_out = {key: value for key, value in keys.items() if value is not None}
        return {"targets": targets, "zones": self.zones, "fanOut": fan_out or None}


def load(config: KubeObject) -> Placement:
    """Read the functionConfig: a Placement, or a ConfigMap with the simple keys.

    Raises:
        ConfigError: it is neither, or does not fit; every finding at once.
    """
    if config.kind == "ConfigMap" and config.group == "":
        spec = parse(Simple, config.nested_map("data"), "data").to_spec()
    elif config.kind == KIND and config.group == API_VERSION.partition("/")[0]:
        if config.api_version != API_VERSION:
            raise ConfigError([("apiVersion", f'must be {API_VERSION}, got "{config.api_version}"')])
        for key in config.get():
            if key not in ("apiVersion", "kind", "metadata", "spec"):
                near = nearest(key, ("metadata", "spec"))
                raise ConfigError([(key, f"unknown field{near} (fields: metadata, spec)")])
        spec = config.nested_map("spec")
    else:
        found = f"{config.api_version} {config.kind}".strip() or "nothing"
        raise ConfigError([("", f"the functionConfig must be {API_VERSION} {KIND} or a ConfigMap, found {found}")])
    return Placement(config.name, parse(Spec, spec, "spec" if config.kind == KIND else "data"))


def settings_of(placement: Placement, share: Sharing) -> dict[str, Data]:
    """Return how copies are held in their zones, as far as it is not the default: what their origin remembers."""
    fan = placement.spec.fan_out
    used = {
        "topologyKey": (fan.topology_key, TOPOLOGY_KEY),
        "zoneLabel": (fan.zone_label, ZONE_LABEL),
        "sharing": (share.memory, SPLIT),
        "pin": (fan.pin, NODE_SELECTOR),
        "rollout": (fan.rollout, None),
    }
    return {key: value for key, (value, default) in used.items() if value != default}


def sharing_of(placement: Placement) -> Sharing:
    """Return how a figure that counts replicas is shared among the zones."""
    fan, zones = placement.spec.fan_out, placement.spec.zones or ()
    own = {
        REPLICAS: [zone.replicas for zone in zones],
        MINIMUM: [zone.min_replicas for zone in zones],
        MAXIMUM: [zone.max_replicas for zone in zones],
    }
    fixed = {key: figures for key, figures in own.items() if any(each is not None for each in figures)}
    return Sharing(fan.replicas, [zone.weight for zone in zones], fan.tolerate_zone_loss or 1, fixed)


def is_zonal(spec: Spec) -> bool:
    """Whether a Placement asks for edits of copies that are no scalars: zonal.py makes them."""
    options = spec.fan_out
    return (
        options.pin != NODE_SELECTOR
        or bool(options.zone_env)
        or any(zone.node_selector or zone.tolerations or zone.patch for zone in spec.zones or ())
    )


def schema() -> dict[str, Data]:
    """Return the JSON Schema of ``kind: Placement``."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": KIND,
        "type": "object",
        "required": ["apiVersion", "kind", "metadata"],
        "properties": {
            "apiVersion": {"const": API_VERSION},
            "kind": {"const": KIND},
            "metadata": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
            "spec": model_schema(Spec),
        },
        "additionalProperties": False,
    }
