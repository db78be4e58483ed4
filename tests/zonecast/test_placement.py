"""The config: what is accepted, and what is said about the rest."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from yamls import obj, placement

from krmfn import ConfigError
from zonecast.placement import Placement, Zone, load, schema

HEAD = "apiVersion: zonecast.dev/v1alpha1\nkind: Placement\nmetadata: {name: shop}\n"


def findings(spec: str) -> list[str]:
    """Return what is wrong with a spec: ``path: message``, a line each."""
    try:
        placement(spec)
    except ConfigError as error:
        return [f"{path}: {message}" for path, message in error.findings]
    return []


def config_map(**data: str) -> Placement:
    """Return the Placement that a ConfigMap's keys say."""
    lines = "".join(f"  {key}: {json.dumps(value)}\n" for key, value in data.items())
    return load(obj(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: function-input}}\ndata:\n{lines}"))


@pytest.mark.parametrize(
    ("spec", "finding"),
    [
        ("zone: [a]", 'spec.zone: unknown field; did you mean "zones"?'),
        ("zones: [{name: a, weigth: 2}]", 'spec.zones[0].weigth: unknown field; did you mean "weight"?'),
        ("zones: a", 'spec.zones: must be a list, got "a"'),
        ("zones: [a, {name: b, weight: -1}]", "spec.zones[1].weight: must be >= 0, got -1"),
        ("zones: [{name: a, weight: 1.5}]", "spec.zones[0].weight: must be an integer, got 1.5"),
        ("zones: [{name: a, replicas: -1}]", "spec.zones[0].replicas: must be >= 0, got -1"),
        ("zones: [{name: a, replicas: '3'}]", 'spec.zones[0].replicas: must be an integer, got "3"'),
        ("zones: [{name: a, replica: 3}]", 'spec.zones[0].replica: unknown field; did you mean "replicas"?'),
        ("zones: [{name: a, minReplicas: -1}]", "spec.zones[0].minReplicas: must be >= 0, got -1"),
        ("zones: [{name: a, maxReplicas: 0}]", "spec.zones[0].maxReplicas: must be >= 1, got 0"),
        (
            "zones: [a, {name: b, minReplicas: 3, maxReplicas: 2}]",
            "spec.zones[1].minReplicas: 3 is above maxReplicas 2",
        ),
        ("zones: [{name: a, replicas: 3, weight: 0}]", "spec.zones: all weights are 0"),
        ("zones: [{weight: 2}]", "spec.zones[0].name: required"),
        ("zones: ['']", "spec.zones[0]: must not be empty"),
        ("zones: [a, b, a]", 'spec.zones[2].name: "a" is also that of zones[0]'),
        (
            "zones: [{name: a, suffix: x}, {name: b, suffix: x}]",
            'spec.zones[1].suffix: "x" is also that of zones[0]',
        ),
        ("zones: [a, {name: b, suffix: a}]", 'spec.zones[1].suffix: "a" is also that of zones[0]'),
        ("zones: [{name: a, weight: 0}]", "spec.zones: all weights are 0"),
        ("zones: ['a b']", 'spec.zones[0].name: "a b" cannot be the value of a label'),
        ("zones: [Zone_A]", "give a suffix"),
        ("zones: [{name: a, suffix: A}]", 'spec.zones[0].suffix: "A" cannot be part of a name'),
        ("zones: [1]", 'write it in quotes: "1"'),
        ("zones: [a]\nfanOut: {zoneLabel: topology.kubernetes.io/zone}", "spec.fanOut.zoneLabel: "),
        ("zones: [a]\nfanOut: {replicas: Splitt}", "spec.fanOut.replicas: must be one of"),
        ("targets: [{name: '['}]", "spec.targets[0].name: "),
        ("targets: [{labelSelector: 'a in b'}]", "spec.targets[0].labelSelector: cannot read"),
        ("exclude: [{nam: a}]", 'spec.exclude[0].nam: unknown field; did you mean "name"?'),
        ("nodePool: {}", "spec.nodePool: needs either labels and taints, or ref"),
        ("nodePool: {labels: {a: b}, ref: {kind: NodePool, name: x}}", "spec.nodePool: needs either"),
        ("nodePool: {ref: {kind: ClusterConfig, name: x}}", "spec.nodePool.ref.nodeGroup: required"),
        ("nodePool: {ref: {kind: NodePool, name: x, nodeGroup: y}}", "spec.nodePool.ref.nodeGroup: only for"),
        (
            "nodePool: {taints: [{key: a, effect: NoSchedul}]}",
            "spec.nodePool.taints[0].effect: must be one of",
        ),
        (
            "nodePool: {labels: {a: 1}}",
            'spec.nodePool.labels[a]: must be a string, got 1; write it in quotes: "1"',
        ),
        ("podSpec: {toleration: []}", 'spec.podSpec.toleration: unknown field; did you mean "tolerations"?'),
        (
            "podSpec: {tolerations: [{key: a, operator: Exists, value: b}]}",
            "spec.podSpec.tolerations[0].value: must be absent",
        ),
        ("podSpec: {tolerations: [{value: b}]}", "spec.podSpec.tolerations[0].key: required"),
        ("podSpec: {affinity: {podAfinity: {}}}", 'unknown field; did you mean "podAffinity"?'),
        (
            "zones: [a]\npodSpec: {nodeSelector: {topology.kubernetes.io/zone: a}}",
            "spec.podSpec.nodeSelector: ",
        ),
        ("onePodPerNode: yes please", "spec.onePodPerNode: "),
        ("onePodPerNode: {mode: Hard}", "spec.onePodPerNode.mode: must be one of Required, Preferred"),
        ("daemonSets: {tolerate: NodePool}", "spec.daemonSets.tolerate: NodePool needs a nodePool"),
        ("onConflict: replace", 'did you mean "Replace"?'),
        ("allowNoMatch: 'true'", "spec.allowNoMatch: must be true or false"),
    ],
)
def test_findings_have_path_value_and_the_way_out(spec: str, finding: str) -> None:
    """A finding says its path, what was found, what is allowed, and the nearest right spelling."""
    assert any(finding in each for each in findings(spec)), findings(spec)


def test_all_findings_at_once() -> None:
    """One run tells everything, in the order of the config."""
    found = findings("zone: [a]\nfanOut: {pin: Node}\nonConflict: x\nallowNoMatch: 1")
    assert [each.split(":")[0] for each in found] == [
        "spec.zone",
        "spec.fanOut.pin",
        "spec.onConflict",
        "spec.allowNoMatch",
    ]


def test_combinations_are_checked_beside_misspelt_fields() -> None:
    """A finding in one field does not hide one between others."""
    found = findings("zones: [a, a]\nonConflict: x")
    assert [each.split(":")[0] for each in found] == ["spec.zones[1].name", "spec.onConflict"]


@pytest.mark.parametrize(
    "spec", ["zones: [a]", "zones: [{name: a}]", "zones: [{name: a, suffix: a, weight: 1}]"]
)
def test_short_and_long_form(spec: str) -> None:
    """A zone's name alone is the whole zone: weight 1, its name as suffix."""
    found = placement(spec).spec.zones or []
    assert [(zone.name, zone.suffix, zone.weight) for zone in found] == [("a", "a", 1)]
    assert isinstance(found[0], Zone)


@pytest.mark.parametrize(
    "spec", ["zones:", "zones: null", "zones: []", "targets: [{name: web}]", "onePodPerNode: false"]
)
def test_no_section(spec: str) -> None:
    """Null, an empty list and false ask for nothing."""
    assert placement(spec).spec.is_empty


def test_no_spec() -> None:
    """A document without a spec is a Placement that asks for nothing."""
    assert load(obj(HEAD)).spec.is_empty


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (HEAD.replace("v1alpha1", "v1"), "apiVersion: must be zonecast.dev/v1alpha1"),
        (
            HEAD.replace("kind: Placement", "kind: Placment"),
            "must be zonecast.dev/v1alpha1 Placement or a ConfigMap",
        ),
        (HEAD + "zones: [a]\n", "zones: unknown field"),
        (HEAD + "spec: [a]\n", "must be a mapping"),
    ],
)
def test_other_documents(text: str, finding: str) -> None:
    """Another version, kind or shape is an Error that says which is right."""
    with pytest.raises(Exception, match=finding):
        load(obj(text))


def test_config_map_is_the_same_as_a_placement() -> None:
    """``kpt fn eval ... -- zones=a,c``: comma lists, blanks do not matter."""
    found = config_map(
        zones="a, c", targets="web|api,job", namespace="shop", labelSelector="tier=front", topologyKey="rack"
    ).spec
    assert [zone.name for zone in found.zones or ()] == ["a", "c"]
    targets = [(each.name, each.namespace, each.label_selector) for each in found.targets or ()]
    assert targets == [("web|api", "shop", "tier=front"), ("job", "shop", "tier=front")]
    assert found.fan_out.topology_key == "rack"


def test_config_map_with_a_namespace_alone() -> None:
    """It narrows the default, every Deployment."""
    assert [each.namespace for each in config_map(zones="a", namespace="shop").spec.targets or ()] == ["shop"]
    assert config_map(zones="a").spec.targets is None


@pytest.mark.parametrize(
    ("key", "value", "path"), [("zone", "a", "data.zone"), ("pin", "Node", "pin"), ("zones", "A_b", "zones")]
)
def test_config_map_findings(key: str, value: str, path: str) -> None:
    """Its keys and values are checked like a Placement's."""
    with pytest.raises(ConfigError) as error:
        config_map(**{key: value})
    assert path in str(error.value)


VALID = [
    "zones: [a, {name: b, weight: 2, suffix: b}]",
    "targets: [{kind: Deployment, name: web, labelSelector: app=web}]\nonePodPerNode: true",
    "onePodPerNode: {fixStrategy: true, mode: Preferred}",
    "nodePool: {ref: {kind: ClusterConfig, name: x, nodeGroup: y}}\ndaemonSets: {tolerate: All}",
    "podSpec: {tolerations: [{operator: Exists}], affinity: {nodeAffinity: {}}}",
]
INVALID = [
    "zone: [a]",
    "zones: a",
    "zones: [{name: a, weight: -1}]",
    "onePodPerNode: 1",
    "onConflict: replace",
    "zones: ['']",
]


@pytest.mark.parametrize(
    ("spec", "valid"), [*((each, True) for each in VALID), *((each, False) for each in INVALID)]
)
def test_schema_agrees_with_the_validation(spec: str, valid: bool) -> None:
    """The JSON Schema, for editors, is made of the same declarations and comes to the same."""
    document = obj(HEAD + "spec:\n" + "".join(f"  {line}\n" for line in spec.split("\n"))).get()
    assert (not findings(spec)) is valid
    assert Draft202012Validator(schema()).is_valid(document) is valid
