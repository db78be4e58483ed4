"""What the function writes for Kyverno, against Kyverno's own schemas and its own CLI."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from .adaptors import CONFIG, REPOSITORY, Json, installed, kpt_render_exec, run
from .conftest import Shop

GOLDEN = REPOSITORY / "tests" / "golden"
SCHEMA_OF_THE_REST = {"type": "object"}


def kyverno() -> Path:
    """Return the folder of Kyverno's programs and CRDs."""
    return Path(installed("kyverno"))


@cache
def schemas() -> dict[tuple[str, str], Json]:
    """Read the schema of every kind of Kyverno, by apiVersion and kind; fields that it does not know are errors."""
    found = {}
    for path in (kyverno() / "crds").rglob("*.yaml"):
        spec = yaml.safe_load(path.read_text())["spec"]
        for version in spec["versions"]:
            key = (f"{spec['group']}/{version['name']}", spec["names"]["kind"])
            found[key] = strict(version["schema"]["openAPIV3Schema"])
    return found


def strict(schema: Json) -> Json:
    """Return a schema whose objects have the fields that it names and no others, as ``kubectl apply`` reads it."""
    closed = {key: strict(value) if isinstance(value, dict) else value for key, value in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        known = schema["properties"].keys() - {"metadata"}
        closed["properties"] = {key: strict(schema["properties"][key]) for key in known}
        if "x-kubernetes-preserve-unknown-fields" not in schema:
            closed["properties"].setdefault("metadata", SCHEMA_OF_THE_REST)
            closed["additionalProperties"] = False
    return closed


def policies(path: Path) -> Iterator[Json]:
    """Yield the policies of a list that was written."""
    for item in yaml.safe_load(path.read_text())["items"]:
        if item["kind"].endswith("Policy") and "kyverno.io/" in item["apiVersion"]:
            yield item


WITH_POLICIES = [path for path in sorted(GOLDEN.glob("*/expected.yaml")) if "kyverno.io/" in path.read_text()]


def test_there_are_policies_to_look_at() -> None:
    """A renamed folder must not make the tests below pass by looking at nothing."""
    kinds = {policy["kind"] for path in WITH_POLICIES for policy in policies(path)}
    assert {"ValidatingPolicy", "MutatingPolicy"} <= kinds


@pytest.mark.parametrize("path", WITH_POLICIES, ids=lambda path: path.parent.name)
def test_policies_fit_kyvernos_schemas(path: Path) -> None:
    """Every field is one that the CRD of that version has, with a value that it allows."""
    for policy in policies(path):
        schema = schemas()[policy["apiVersion"], policy["kind"]]
        errors = [error.message for error in Draft202012Validator(schema).iter_errors(policy)]
        assert not errors, policy["metadata"]["name"]


@dataclass(frozen=True)
class Row:
    """One line of what ``kyverno test`` prints."""

    policy: str
    resource: str
    result: str
    reason: str


def kyverno_test(folder: Path) -> tuple[int, list[Row]]:
    """Run ``kyverno test`` on a folder; return its exit status and its rows."""
    done = run(kyverno() / "kubectl-kyverno", "test", ".", "--require-tests", "--remove-color", cwd=folder)
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in done.stdout.splitlines()]
    rows = [Row(each[1], each[3], each[4], each[5]) for each in cells if len(each) == 6 and each[0].isdigit()]
    return done.code, rows


TAINTS = [
    {"key": "dedicated", "value": "web", "effect": "NoSchedule"},
    {"key": "gpu", "effect": "NoExecute"},
]
ASKED = ("zonePin", "knownZones", "immutableZone", "noZoneSpread", "siblings", "autoscalerTarget", "poolTolerations")


@pytest.fixture
def policed(shop: Shop) -> Callable[..., Path]:
    """Return a way to have kpt render a package whose Placement asks for policies with their tests."""

    def render(
        version: str = "1.19", pin: str = "NodeSelector", asked: Sequence[str] = ASKED, **more: object
    ) -> Path:
        policies: Json = {"version": version, "tests": True, "namespace": "shop", "guards": dict.fromkeys(asked, "Audit"), **more}
        fan_out = {"pin": pin}
        package = shop(nodePool={"taints": TAINTS}, fanOut=fan_out, kyverno=policies)
        done = kpt_render_exec(package)
        assert done.code == 0, done.stderr
        return package

    return render


def files(package: Path) -> dict[str, str]:
    """Read every file of a package."""
    found = {str(path.relative_to(package)): path for path in package.rglob("*") if path.is_file()}
    return {name: path.read_text() for name, path in found.items()}


def manifests(package: Path) -> Iterator[tuple[Path, Json]]:
    """Yield the policies of a package with their files."""
    for path in sorted(package.glob("*policy-*.yaml")):
        yield path, yaml.safe_load(path.read_text())


@pytest.mark.parametrize(
    ("version", "pin"),
    [
        ("1.19", "NodeSelector"),
        ("1.19", "RequiredAffinity"),
        ("1.19", "PreferredAffinity"),
        ("1.16", "NodeSelector"),
        ("1.15", "NodeSelector"),
        ("1.13", "RequiredAffinity"),
    ],
)
def test_the_tests_that_are_written_pass(policed: Callable[..., Path], version: str, pin: str) -> None:
    """The real CLI finds a test for each policy and all are green.

    A policy that does not match at all passes as "Excluded": no sample may be one, but where a ClusterPolicy is kept
    from objects by its selectors.
    """
    asked = [each for each in ASKED if (each, pin) != ("noZoneSpread", "PreferredAffinity")]
    package = policed(version, pin, asked, tolerateDaemonSets=True)
    code, rows = kyverno_test(package)
    assert code == 0, rows
    assert {row.policy for row in rows} == {policy["metadata"]["name"] for _, policy in manifests(package)}
    assert len({row.policy for row in rows}) == len(asked) + 1
    kept_out = {"1.19": (), "1.16": ("/agent-from-git",)}.get(version, ("-may", "/agent-from-git"))
    assert [row for row in rows if row.reason != "Ok" and not row.resource.endswith(kept_out)] == []


@pytest.mark.parametrize("version", ["1.19", "1.15"])
def test_they_fail_when_a_policy_is_broken(policed: Callable[..., Path], version: str) -> None:
    """Each policy is broken by itself, and its tests are red: they can fail."""
    package = policed(version, tolerateDaemonSets=True)
    for path, policy in manifests(package):
        whole = path.read_text()
        path.write_text(yaml.safe_dump(broken(policy)))
        _, rows = kyverno_test(package)
        red = {row.policy for row in rows if row.result == "Fail"}
        assert red == {policy["metadata"]["name"]}
        path.write_text(whole)


def broken(policy: Json) -> Json:
    """Turn what a policy says into its opposite: what must hold never holds, who is meant is not."""
    spec = policy["spec"]
    for validation in spec.get("validations", []):
        validation["expression"] = f"!({validation['expression']})"
    for condition in spec["matchConditions"] if "mutations" in spec else []:
        condition["expression"] = "false"
    for rule in spec.get("rules", []):
        for expression in rule.get("validate", {}).get("cel", {}).get("expressions", []):
            expression["expression"] = f"!({expression['expression']})"
        if "deny" in rule.get("validate", {}):
            rule["validate"]["deny"]["conditions"]["any"][0]["operator"] = "AllIn"
        if "mutate" in rule:
            rule["preconditions"]["all"].append({"key": "a", "operator": "Equals", "value": "b"})
    return policy


def test_they_are_rendered_again_without_a_change(policed: Callable[..., Path]) -> None:
    """A second render changes no byte, and what is no longer asked for goes."""
    package = policed(tolerateDaemonSets=True)
    first = files(package)
    assert files(policed_again(package)) == first
    placement = yaml.safe_load((package / CONFIG).read_text())
    placement["spec"]["kyverno"] = {"namespace": "shop", "guards": {"zonePin": "Deny"}}
    (package / CONFIG).write_text(yaml.safe_dump(placement))
    left = {name for name in files(policed_again(package)) if "polic" in name or ".kyverno-test" in name}
    assert left == {"validatingpolicy-shop.web-zone-pin.yaml"}


def policed_again(package: Path) -> Path:
    """Render once more, in place."""
    done = kpt_render_exec(package)
    assert done.code == 0, done.stderr
    return package


def tried(folder: Path, policy: Json, sample: Json, becomes: Json, **more: object) -> list[Row]:
    """Try a mutation by a test of our own: unlike those that are written, it says what the object becomes."""
    kind, name = sample["kind"], sample["metadata"]["name"]
    namespace = sample["metadata"]["namespace"]
    rules = [{"rule": rule["name"]} for rule in policy["spec"].get("rules", [])] or [{"isMutatingPolicy": True}]
    result = {
        "policy": policy["metadata"]["name"],
        "kind": kind,
        "resources": [f"{namespace}/{name}"],
        "patchedResources": "patched.yaml",
        "result": "pass",
    }
    head = {"apiVersion": "cli.kyverno.io/v1alpha1", "metadata": {"name": "tried"}}
    labels = {"kubernetes.io/metadata.name": namespace}
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace, "labels": labels}}
    parent = {"kind": "Pod", "name": "pods", "namespaced": True, "version": "v1"}
    binding = {"kind": "Binding", "name": "pods/binding", "namespaced": True, "version": "v1"}
    written = {
        "policy.yaml": policy,
        "resource.yaml": sample,
        "patched.yaml": becomes,
        "values.yaml": {
            **head,
            "kind": "Values",
            "namespaces": [space],
            "subresources": [{"parentResource": parent, "subresource": binding}],
        },
        "kyverno-test.yaml": {
            **head,
            "kind": "Test",
            "policies": ["policy.yaml"],
            "resources": ["resource.yaml"],
            "variables": "values.yaml",
            "results": [{**result, **rule} for rule in rules],
            **more,
        },
    }
    folder.mkdir()
    for file, content in written.items():
        (folder / file).write_text(yaml.safe_dump(content))
    return kyverno_test(folder)[1]


@pytest.mark.parametrize("version", ["1.19", "1.16", "1.13"])
def test_daemon_sets_get_what_they_lack(policed: Callable[..., Path], tmp_path: Path, version: str) -> None:
    """The pool's tolerations are put behind those that are there; one that covers a taint is not doubled."""
    package = policed(version, asked=(), tolerateDaemonSets=True)
    [(_, policy)] = manifests(package)
    other = {"key": "example.com/other", "operator": "Exists"}
    web = {"key": "dedicated", "operator": "Equal", "value": "web", "effect": "NoSchedule"}
    gpu = {"key": "gpu", "operator": "Exists", "effect": "NoExecute"}
    briefly = {**gpu, "tolerationSeconds": 30}
    short, another = {"key": "dedicated", "value": "web"}, {**web, "value": "api"}
    found: list[tuple[list[Json], list[Json]]] = [
        ([], [web, gpu]),
        ([other], [other, web, gpu]),
        ([web], [web, gpu]),
        ([short, briefly], [short, briefly, gpu]),
        ([another], [another, web, gpu]),
    ]
    for i, (before, after) in enumerate(found):
        rows = tried(tmp_path / f"tried-{i}", policy, agent(before), agent(after))
        assert rows
        # A rule of a ClusterPolicy that has nothing to add says skip; what counts is what the object becomes.
        assert [row for row in rows if row.reason not in ("Ok", "Want pass, got skip")] == [], (before, rows)
        assert any(row.reason == "Ok" for row in rows)


def agent(tolerations: list[Json]) -> Json:
    """Return a DaemonSet with these tolerations."""
    labels = {"app": "agent"}
    pod_spec: Json = {"containers": [{"name": "agent", "image": "agent"}]}
    if tolerations:
        pod_spec["tolerations"] = tolerations
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "agents"},
        "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod_spec}},
    }


COSTS = [
    {"nodeLabel": {"key": "example.com/kind", "value": "hybrid"}, "cost": 100},
    {"nodeLabel": {"key": "example.com/kind", "value": "spot"}, "cost": -10, "otherwise": 0},
]


@pytest.mark.parametrize(
    ("owner", "kind", "cost"),
    [
        ("web-a-5d8f7c9b4", "hybrid", "100"),
        ("web-b-5d8f7c9b4", "spot", "-10"),
        ("web-a-5d8f7c9b4", "other", "0"),
        ("web-c-5d8f7c9b4", "hybrid", None),
    ],
)
def test_costs_of_a_cluster_policy(
    policed: Callable[..., Path], tmp_path: Path, owner: str, kind: str, cost: str | None
) -> None:
    """The first cost whose node label is there is written, the last resort else; another owner's pod gets none.

    The CLI breaks off at conditions of a webhook, so the policy is tried without.
    """
    [(_, policy)] = manifests(policed("1.16", asked=(), podDeletionCost=COSTS))
    assert policy["spec"]["webhookConfiguration"].pop("matchConditions")
    pod = f"{owner}-x2x4z"
    meta = {"name": pod, "namespace": "shop"}
    binding = {
        "apiVersion": "v1",
        "kind": "Binding",
        "metadata": meta,
        "target": {"apiVersion": "v1", "kind": "Node", "name": "node"},
    }
    annotations = {"controller.kubernetes.io/pod-deletion-cost": cost}
    becomes = {**binding, "metadata": {**meta, "annotations": annotations}} if cost else binding
    owners = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": owner, "uid": "1"}]
    responses = {
        f"/api/v1/namespaces/shop/pods/{pod}": {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {**meta, "labels": {"pod-template-hash": "5d8f7c9b4"}, "ownerReferences": owners},
        },
        "/api/v1/nodes/node": {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": "node", "labels": {"example.com/kind": kind}},
        },
    }
    calls = [
        {"urlPath": path, "method": "GET", "response": {"statusCode": 200, "body": body}}
        for path, body in responses.items()
    ]
    rows = tried(tmp_path / "tried", policy, binding, becomes, apiCallResponses=calls)
    said = sorted(row.reason for row in rows)
    assert said == (["Ok", *["Want pass, got skip"] * 2] if cost else ["Want pass, got skip"] * 3), rows
