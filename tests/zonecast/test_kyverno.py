"""Policies: what they match, where they act, and what they need."""

from __future__ import annotations

import re
from string import ascii_lowercase, digits
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yamls import deployment, obj, place, placement

from krmfn import ConfigError, KubeObject, ObjectError, ResourceList
from zonecast.kyverno.deletioncost import name_condition

SPEC = "kyverno: {podDeletionCost: [{nodeLabel: {key: compute, value: hybrid}, cost: 100}]}"
ZONES = f"zones: [a, b]\n{SPEC}"
names = st.from_regex(r"[a-z][a-z0-9]{0,10}([-.][a-z0-9]{1,25}){0,2}", fullmatch=True).filter(
    lambda name: len(name) < 64
)


def policies(resources: ResourceList) -> list[KubeObject]:
    """Return the policies of a list."""
    return resources.where(kind="MutatingPolicy", group="policies.kyverno.io")


def holds(condition: str, name: str) -> bool:
    """Evaluate a condition on a pod's name, as CEL would."""
    found = []
    for part in condition.split(" || "):
        verb, text = part.removeprefix("object.metadata.name.").removesuffix("')").split("('")
        found.append(name.startswith(text) if verb == "startsWith" else re.search(text, name) is not None)
    return any(found)


def pod(name: str, template_hash: str, end: str) -> str:
    """Return a pod's name: the ReplicaSet's and a dash, cut to 58 characters, and five more."""
    return f"{name}-{template_hash}-"[:58] + end


@given(
    st.lists(names, min_size=1, max_size=4),
    st.text(ascii_lowercase + digits, min_size=1, max_size=10),
    st.text(ascii_lowercase + digits, min_size=5, max_size=5),
)
def test_every_name_of_a_pod_is_matched(targets: list[str], template_hash: str, end: str) -> None:
    """Whatever the length of the Deployment's name: names that the API server cuts are matched as well."""
    condition = name_condition(targets)
    for name in targets:
        assert holds(condition, pod(name, template_hash, end))


@pytest.mark.parametrize("other", ["web-extra", "my-web", "we", "webs", "wXb", "web-a-b"])
def test_pods_of_other_deployments_are_not(other: str) -> None:
    """A name that starts alike is another application: the whole shape counts, and a dot is a dot."""
    assert not holds(name_condition(["web", "w.b"]), pod(other, "5d8f7c9b4", "x2x4z"))


def test_one_policy_for_all_copies() -> None:
    """One per source, which knows every copy's name; a second run keeps it in step with the zones."""
    placed = place(ZONES, deployment())
    more = place(ZONES.replace("[a, b]", "[a, b, c]"), *[KubeObject(each.text) for each in placed])
    for resources, copies in ((placed, ["web-a", "web-b"]), (more, ["web-a", "web-b", "web-c"])):
        assert len(policies(resources)) == 1
        text = policies(resources)[0].text
        assert all(name in text for name in copies)
        assert holds(text.split('expression: "')[1].split('"\n')[0], pod(copies[-1], "abc", "x2x4z"))


def test_two_sources_have_two_policies() -> None:
    """Names that come to the same when they are joined, shop-web/api and shop/web-api, are two policies still."""
    one = KubeObject(deployment(name="api").text.replace("namespace: shop", "namespace: shop-web"))
    placed = place(SPEC, one, deployment(name="web-api"))
    assert len({each.name for each in policies(placed)}) == 2


def test_it_never_stands_in_the_way() -> None:
    """Kyverno that is down, or a node that cannot be read, must not stop scheduling; it annotates only."""
    spec: dict[str, Any] = policies(place(ZONES, deployment()))[0].nested_map("spec")
    assert spec["failurePolicy"] == "Ignore"
    assert spec["evaluation"] == {"background": {"enabled": False}}
    assert spec["matchConstraints"]["namespaceSelector"] == {
        "matchLabels": {"kubernetes.io/metadata.name": "shop"}
    }
    [rule] = spec["matchConstraints"]["resourceRules"]
    assert (rule["resources"], rule["operations"]) == (["pods/binding"], ["CREATE"])
    assert [each["patchType"] for each in spec["mutations"]] == ["ApplyConfiguration"]
    assert all("variables." not in each["expression"] for each in spec["matchConditions"])


def test_the_right_to_read_nodes_stands_before_it() -> None:
    """Applied in order, the policy finds its right; one role serves all, rbac: false leaves it out."""
    placed = place(ZONES, deployment(), deployment(name="api", labels="app: api"))
    kinds = [each.kind for each in placed if each.kind != "Deployment"]
    assert kinds == ["ClusterRole", "MutatingPolicy", "MutatingPolicy"]
    role = placed.where(kind="ClusterRole")[0]
    assert role.get("rules") == [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get"]}]
    assert role.labels == {"rbac.kyverno.io/aggregate-to-admission-controller": "true"}
    without = place(ZONES.replace("kyverno: {", "kyverno: {rbac: false, "), deployment())
    assert not without.where(kind="ClusterRole")


def test_no_substitution_and_the_librarys_annotations() -> None:
    """Flux would substitute what looks like a variable; the policy library's annotations are there."""
    for each in policies(place(ZONES, deployment())):
        assert "${" not in each.text
        wanted = ("title", "category", "severity", "subject", "minversion", "description")
        assert all(each.annotation(f"policies.kyverno.io/{key}") for key in wanted)


@pytest.mark.parametrize("namespace", ["kube-system", "kube-public", "kube-node-lease", "kyverno"])
def test_namespaces_that_kyverno_filters(namespace: str) -> None:
    """A policy there would silently never act: Error."""
    text = deployment().text.replace("namespace: shop", f"namespace: {namespace}")
    with pytest.raises(ObjectError, match=namespace):
        place(ZONES, KubeObject(text))


def test_an_object_of_somebody_else_is_not_overwritten() -> None:
    """A policy of that name which zonecast did not write is an Error, not a loss."""
    name = policies(place(ZONES, deployment()))[0].name
    other = obj(
        f"apiVersion: policies.kyverno.io/v1\nkind: MutatingPolicy\nmetadata: {{name: {name}}}\nspec: {{}}\n"
    )
    with pytest.raises(ObjectError, match=name):
        place(ZONES, deployment(), other)


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("{version: 1.19}", "spec.kyverno.version: must be a string, got 1.19; write it in quotes"),
        ("{version: '1.12'}", 'spec.kyverno.version: must be at least "1.13"'),
        ("{version: latest}", "spec.kyverno.version: must be a release"),
        ("{podDeletionCost: [{cost: 1}]}", "spec.kyverno.podDeletionCost[0].nodeLabel: required"),
        (
            "{podDeletionCost: [{nodeLabel: {key: a, value: b}, cost: '1'}]}",
            "spec.kyverno.podDeletionCost[0].cost",
        ),
        ("{podDeletionCost: [{nodeLabel: {key: a, value: 'x\" == \"x'}, cost: 1}]}", "nodeLabel.value"),
        ("{podDeletionCost: [{nodeLabel: {key: 'a\"b', value: x}, cost: 1}]}", "nodeLabel.key"),
    ],
)
def test_config_findings(spec: str, path: str) -> None:
    """A version is a string, a cost a number, a label a label: what stands in CEL is checked before."""
    with pytest.raises(ConfigError) as error:
        placement(f"kyverno: {spec}")
    assert path in str(error.value)
