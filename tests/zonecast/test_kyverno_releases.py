"""Releases of Kyverno: what each is given, what stays when it changes, and the tests that go with it."""

from __future__ import annotations

from typing import Any

import pytest
from yamls import deployment, obj, place, placement, said

from krmfn import ConfigError, KubeObject, ResourceList

POOL = "nodePool: {taints: [{key: dedicated, value: web, effect: NoSchedule}]}"
ALL = (
    "guards: {zonePin: Deny, knownZones: Warn, siblings: Audit, poolTolerations: Audit}, tolerateDaemonSets: true, "
    "podDeletionCost: [{nodeLabel: {key: compute, value: hybrid}, cost: 100}]"
)
BETA, STABLE, LEGACY = "policies.kyverno.io/v1beta1", "policies.kyverno.io/v1", "kyverno.io/v1"


def asked(version: str, policies: str = ALL, *objects: KubeObject) -> ResourceList:
    """Return the list that comes of asking for policies for a release."""
    spec = f"zones: [a, b]\n{POOL}\nkyverno: {{version: '{version}', {policies}}}"
    return place(spec, *(objects or [deployment()]))


def again(resources: ResourceList) -> list[KubeObject]:
    """Return the objects of a list as the next run reads them."""
    return [KubeObject(each.text) for each in resources]


def policies(resources: ResourceList) -> dict[str, KubeObject]:
    """Return the policies of a list by name."""
    return {each.name: each for each in resources if each.group.endswith("kyverno.io")}


@pytest.mark.parametrize(
    ("version", "guards", "mutations"),
    [
        ("1.13", LEGACY, LEGACY),
        ("1.14.5", LEGACY, LEGACY),
        ("v1.15.2", LEGACY, LEGACY),
        ("1.16", BETA, LEGACY),
        ("1.17", STABLE, STABLE),
        ("1.20", STABLE, STABLE),
        ("2.0", STABLE, STABLE),
    ],
)
def test_each_release_gets_what_it_runs(version: str, guards: str, mutations: str) -> None:
    """Guards and mutations part at 1.16: its v1beta1 MutatingPolicy has no field for a patch."""
    found = policies(asked(version))
    mutating = [each for name, each in found.items() if name.endswith(("cost", "daemon-sets"))]
    assert {each.api_version for each in mutating} == {mutations}
    assert {each.api_version for each in found.values() if each not in mutating} == {guards}
    assert len(mutating) == 2


@pytest.mark.parametrize(("version", "warns"), [("1.13", True), ("1.16", True), ("1.17", False)])
def test_the_end_of_cluster_policies_is_said(version: str, warns: bool) -> None:
    """A Warning names the release that removes the kind, once, and only where the kind is written."""
    found = [each for each in said(asked(version).results, "warning") if "1.20" in each]
    assert len(found) == warns
    assert not [each for each in said(asked("1.16", "guards: {zonePin: Deny}").results, "warning") if "1.20" in each]


@pytest.mark.parametrize("version", ["1.13", "1.14", "1.15"])
def test_defaults_of_a_cluster_policy_are_written_out(version: str) -> None:
    """The API server fills them in, and a tool that compares texts would see a difference for ever."""
    for policy in policies(asked(version)).values():
        spec: dict[str, Any] = policy.nested_map("spec")
        assert {"validationFailureAction", "admission", "background", "emitWarning"} <= spec.keys()
        for rule in spec["rules"]:
            assert rule["skipBackgroundRequests"] is True
            assert all(each["apiCall"]["method"] == "GET" for each in rule.get("context", []))
            validate = rule.get("validate", {})
            assert not validate or {"failureAction", "allowExistingViolations"} <= validate.keys()
            cel = validate.get("cel")
            assert cel is None or cel.get("generate") == (None if version == "1.13" else False)


def test_actions_of_a_cluster_policy() -> None:
    """Deny enforces, Warn is an audit that warns the client, and only Deny fails while Kyverno is down."""
    found = policies(asked("1.15"))
    seen = {}
    for name in ("zone-pin", "known-zones", "siblings"):
        spec: dict[str, Any] = found[f"shop.web-{name}"].nested_map("spec")
        action = spec["rules"][0]["validate"]["failureAction"]
        seen[name] = (action, spec["emitWarning"], spec["webhookConfiguration"]["failurePolicy"])
    assert seen == {
        "zone-pin": ("Enforce", False, "Fail"),
        "known-zones": ("Audit", True, "Ignore"),
        "siblings": ("Audit", False, "Ignore"),
    }


def test_a_mutation_never_stands_in_the_way() -> None:
    """As a ClusterPolicy, too: Ignore, nothing at rest is looked at, bindings of others stay with the API server."""
    found = policies(asked("1.15"))
    for name in ("shop.web-pod-deletion-cost", "shop-tolerate-daemon-sets"):
        spec: dict[str, Any] = found[name].nested_map("spec")
        assert spec["webhookConfiguration"]["failurePolicy"] == "Ignore"
        assert spec["background"] is False
    conditions = found["shop.web-pod-deletion-cost"].get("spec", "webhookConfiguration", "matchConditions")
    assert "web-a|web-b" in conditions[0]["expression"]


@pytest.mark.parametrize("version", ["1.19", "1.15"])
def test_nothing_looks_like_a_variable_of_flux(version: str) -> None:
    """Flux would substitute it; Kyverno's own variables have two braces and no dollar."""
    assert all("${" not in each.text for each in asked(version))


def test_a_newer_release_replaces_what_an_older_one_had() -> None:
    """A second run for another release leaves no policy of the first: both would act."""
    old = asked("1.15")
    assert {each.kind for each in policies(old).values()} == {"ClusterPolicy"}
    new = asked("1.19", ALL, *again(old))
    assert "ClusterPolicy" not in {each.kind for each in policies(new).values()}
    fresh = asked("1.19")
    assert {name: each.kind for name, each in policies(new).items()} == {
        name: each.kind for name, each in policies(fresh).items()
    }
    middle = asked("1.17", ALL, *again(asked("1.16")))
    assert {each.api_version for each in policies(middle).values()} == {STABLE}


def test_what_is_no_longer_asked_for_goes() -> None:
    """A guard that was taken out of the config goes, also the last one; what others wrote stays."""
    first = asked("1.19", "guards: {zonePin: Deny, knownZones: Deny}")
    others = [
        obj(f"apiVersion: {STABLE}\nkind: ValidatingPolicy\nmetadata: {{name: shop.api-zone-pin}}\nspec: {{}}\n"),
        obj(f"apiVersion: {STABLE}\nkind: ValidatingPolicy\nmetadata: {{name: shop.web-siblings}}\nspec: {{}}\n"),
    ]
    kept = {each.name for each in others}
    second = asked("1.19", "guards: {zonePin: Deny}", *again(first), *others)
    assert set(policies(second)) == {"shop.web-zone-pin"} | kept
    assert [each for each in said(second.results, "info") if "not asked for" in each]
    third = asked("1.19", "rbac: true", *again(second))
    assert set(policies(third)) == kept


def with_file(path: str) -> KubeObject:
    """Return the Deployment as a host gives it that knows its file."""
    annotations = {
        f"{prefix}config.kubernetes.io/{key}": value
        for prefix in ("", "internal.")
        for key, value in (("path", path), ("index", "0"))
    }
    given = deployment()
    given.merge_nested({("metadata", "annotations", key): value for key, value in annotations.items()})
    return KubeObject(given.text)


@pytest.mark.parametrize("ending", ["yaml", "yml"])
def test_tests_stand_beside_their_policy(ending: str) -> None:
    """In a folder of the policy's own, under the one name that the CLI looks for, and for tools alone."""
    resources = asked("1.19", "tests: true, guards: {zonePin: Deny}", with_file(f"apps/web.{ending}"))
    [test] = resources.where(kind="Test", group="cli.kyverno.io")
    assert test.file == "apps/.kyverno-test/shop.web-zone-pin/kyverno-test.yaml"
    assert test.get("policies") == [f"../../validatingpolicy-shop.web-zone-pin.{ending}"]
    tests = [each for each in resources if ".kyverno-test/" in each.file]
    assert all(each.is_local_config for each in tests)
    assert {each.kind for each in tests} == {"Test", "Values", "Deployment"}
    samples = [each for each in tests if each.kind == "Deployment"]
    results = {result["result"] for result in test.nested_slice("results")}
    assert len(samples) == len(test.nested_slice("results"))
    assert results == {"pass", "fail"}


def test_without_files_there_is_no_place_for_tests() -> None:
    """A host such as kustomize gives no files: a Warning, and nothing that would reach a cluster."""
    resources = asked("1.19", "tests: true, guards: {zonePin: Deny}")
    assert not resources.where(kind="Test")
    assert any("spec.kyverno.tests" in each for each in said(resources.results, "warning"))


def test_tests_go_with_their_policy() -> None:
    """Tests that are no longer asked for go, whether their policy stays or not."""
    both = "tests: true, guards: {zonePin: Deny, siblings: Audit}"
    first = asked("1.19", both, with_file("web.yaml"))
    same = asked("1.19", both, *again(first))
    assert [each.text for each in same] == [each.text for each in first]
    second = asked("1.19", "tests: true, guards: {siblings: Audit}", *again(first))
    assert {each.name for each in second.where(kind="Test")} == {"shop.web-siblings", "shop.web-siblings-missing"}
    third = asked("1.19", "guards: {siblings: Audit}", *again(second))
    assert not [each for each in third if ".kyverno-test/" in each.file]


@pytest.mark.parametrize("version", ["1.19", "1.15"])
def test_a_deletion_cost_has_no_test(version: str) -> None:
    """The CLI passes over bindings, and a test that cannot fail is none: that is said."""
    cost = "tests: true, podDeletionCost: [{nodeLabel: {key: compute, value: hybrid}, cost: 100}]"
    resources = asked(version, cost, with_file("web.yaml"))
    assert not resources.where(kind="Test")
    assert any("podDeletionCost has none" in each for each in said(resources.results, "info"))


def test_siblings_of_a_rollout_have_no_test() -> None:
    """The CLI cannot list Rollouts: it would break off, and with it every test beside it."""
    given = KubeObject(with_file("web.yaml").text.replace("apps/v1", "argoproj.io/v1alpha1").replace("Deployment", "Rollout"))
    guards = "kyverno: {tests: true, guards: {siblings: Audit, zonePin: Audit}}"
    resources = place(f"targets: [{{kind: Rollout}}]\nzones: [a, b]\n{guards}", given)
    assert [each.name for each in resources.where(kind="Test")] == ["shop.web-zone-pin"]
    assert len(resources.where(kind="ValidatingPolicy")) == 2


def test_kube_system_is_out_of_reach() -> None:
    """Most agents live there, so a Warning says that Kyverno never sees it."""
    warnings = said(asked("1.19", "tolerateDaemonSets: true").results, "warning")
    assert any("kube-system" in each for each in warnings)


@pytest.mark.parametrize("version", ["1.12", "0.9", "1.9"])
def test_older_releases_are_refused(version: str) -> None:
    """1.13 is the oldest: a rule of older ones has no action of its own."""
    with pytest.raises(ConfigError, match=r'spec\.kyverno\.version: must be at least "1\.13"'):
        placement(f"kyverno: {{version: '{version}'}}")


@pytest.mark.parametrize("policy", ["tolerateDaemonSets: true", "guards: {poolTolerations: Audit}"])
def test_a_pool_without_taints_keeps_nobody_out(policy: str) -> None:
    """Its policies would say nothing: an Error that names the field."""
    with pytest.raises(ConfigError, match="the nodePool has no taint"):
        place(f"nodePool: {{labels: {{pool: web}}}}\nkyverno: {{{policy}}}", deployment())


def test_names_of_cluster_policies_fit() -> None:
    """Kyverno refuses a ClusterPolicy with a name or a rule above 63 characters; cut names stay apart and are found."""
    long = [deployment(name=f"a-name-that-tells-the-whole-tale-of-an-application-{end}") for end in ("x", "y")]
    found = policies(asked("1.15", ALL, *long))
    assert len(found) == len(policies(asked("1.19", ALL, *long)))
    rules = [rule["name"] for each in found.values() for rule in each.nested_slice("spec", "rules")]
    assert max(map(len, [*found, *rules])) <= 63
    newer = asked("1.19", ALL, *again(asked("1.15", ALL, *long)))
    assert not newer.where(kind="ClusterPolicy")
