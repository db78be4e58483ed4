"""Guards: what each is about, what it does to a request, and that it goes no further."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest
from yamls import deployment, obj, place, placement

from krmfn import ConfigError, KubeObject, ResourceList

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

OF_COPIES = {
    "zonePin": "zone-pin",
    "knownZones": "known-zones",
    "immutableZone": "immutable-zone",
    "noZoneSpread": "no-zone-spread",
    "siblings": "siblings",
    "autoscalerTarget": "autoscaler-target",
}
GUARDS = {**OF_COPIES, "poolTolerations": "pool-tolerations"}
POOL = "nodePool: {taints: [{key: dedicated, value: web, effect: NoSchedule}]}"


def guarded(guards: str, *objects: KubeObject, zones: str = "[a, b]", more: str = "") -> ResourceList:
    """Return the list that comes of placing objects, a Deployment by default, with some guards."""
    spec = f"zones: {zones}\n{POOL}\n{more}\nkyverno: {{guards: {{{guards}}}}}"
    return place(spec, *(objects or [deployment()]))


def policies(resources: ResourceList) -> list[KubeObject]:
    """Return the guards of a list."""
    return resources.where(kind="ValidatingPolicy", group="policies.kyverno.io")


def the_guard(guards: str, *objects: KubeObject, **rest: str) -> dict[str, Any]:
    """Return the spec of the one guard that is asked for."""
    [policy] = policies(guarded(guards, *objects, **rest))
    return policy.nested_map("spec")


@pytest.mark.parametrize("action", ["Audit", "Warn", "Deny"])
@pytest.mark.parametrize("guard", sorted(GUARDS.keys() - {"siblings"}))
def test_an_action_is_what_it_says(guard: str, action: str) -> None:
    """Deny refuses, also while Kyverno cannot be asked; what only reports or warns never stops a request."""
    spec = the_guard(f"{guard}: {action}")
    assert spec["validationActions"] == [action]
    assert spec["failurePolicy"] == ("Fail" if action == "Deny" else "Ignore")


@pytest.mark.parametrize("guard", OF_COPIES)
def test_guards_of_copies_are_scoped(guard: str) -> None:
    """To the namespace and the zone label (autoscalers, which may lack it, by name); other requests stay away."""
    spec = the_guard(f"{guard}: Audit")
    constraints = spec["matchConstraints"]
    assert constraints["namespaceSelector"] == {"matchLabels": {"kubernetes.io/metadata.name": "shop"}}
    exists = {"matchExpressions": [{"key": "zonecast.dev/zone", "operator": "Exists"}]}
    assert constraints.get("objectSelector") == (None if guard == "autoscalerTarget" else exists)
    [condition] = spec["matchConditions"]
    assert "'web'" in condition["expression"] or "web-" in condition["expression"]


@pytest.mark.parametrize("guard", GUARDS)
def test_conditions_need_nothing_but_the_object(guard: str) -> None:
    """Kyverno hands such conditions to the API server, so that other requests never reach it."""
    for condition in the_guard(f"{guard}: Audit")["matchConditions"]:
        for other in ("variables.", "namespaceObject", "resource.", "request."):
            assert other not in condition["expression"]


@pytest.mark.parametrize(("guard", "name"), GUARDS.items())
def test_names_and_annotations(guard: str, name: str) -> None:
    """A guard is called after its source (a pool's after the Placement), and tells what the library's policies tell."""
    [policy] = policies(guarded(f"{guard}: Audit"))
    assert policy.name == (f"shop.web-{name}" if guard in OF_COPIES else f"shop-{name}")
    wanted = ("title", "category", "severity", "subject", "minversion", "description")
    assert all(policy.annotation(f"policies.kyverno.io/{key}") for key in wanted)
    assert "${" not in policy.text


def test_evaluation_is_written_where_it_is_not_the_default() -> None:
    """The API server fills in the rest of it, which a GitOps tool would show as a difference."""
    found = {guard: the_guard(f"{guard}: Audit").get("evaluation") for guard in GUARDS}
    assert found.pop("immutableZone") == {"background": {"enabled": False}}
    assert found.pop("siblings") == {"admission": {"enabled": False}}
    assert set(found.values()) == {None}


def test_kubernetes_own_updates_of_pods_go_through() -> None:
    """A Pod and a Job are looked at when they are made: a finalizer must come off whatever they tolerate."""
    rules = the_guard("poolTolerations: Deny")["matchConstraints"]["resourceRules"]
    operations = {resource: rule["operations"] for rule in rules for resource in rule["resources"]}
    assert operations.pop("pods") == operations.pop("jobs") == ["CREATE"]
    assert set(map(tuple, operations.values())) == {("CREATE", "UPDATE")}
    assert "daemonsets" not in operations


def test_the_targets_own_namespaces_may_tolerate_the_pool() -> None:
    """What the function writes passes: the namespaces of its targets are left out, each once, in order."""
    objects = [deployment(), deployment(name="api"), KubeObject(deployment().text.replace("shop", "back"))]
    spec = the_guard("poolTolerations: Deny", *objects, zones="[]")
    [expression] = spec["matchConstraints"]["namespaceSelector"]["matchExpressions"]
    assert (expression["operator"], expression["values"]) == ("NotIn", ["back", "shop"])


def test_zones_are_what_nodes_call_them() -> None:
    """A suffix is part of names alone: the guard knows the zones, and the copies by their names."""
    zones = "[{name: eu-west-1a, suffix: a}, {name: eu-west-1b, suffix: b}]"
    assert "['eu-west-1a', 'eu-west-1b']" in str(the_guard("knownZones: Deny", zones=zones))
    assert "['web-a', 'web-b']" in str(the_guard("siblings: Audit", zones=zones))


@pytest.mark.parametrize("pin", ["NodeSelector", "RequiredAffinity", "PreferredAffinity"])
def test_other_keys_are_respected(pin: str) -> None:
    """Topology key and zone label of the Placement are those of the guards."""
    fan_out = f"fanOut: {{topologyKey: example.com/room, zoneLabel: example.com/label, pin: {pin}}}"
    spec = the_guard("zonePin: Deny", more=fan_out)
    assert "'example.com/room'" in str(spec["validations"])
    assert "example.com/label" in str(spec["matchConstraints"])
    assert "zonecast.dev/zone" not in str(spec)
    assert "topology.kubernetes.io" not in str(spec)


def test_guards_follow_the_zones() -> None:
    """A second run keeps them in step, and touches nothing where nothing changed."""
    placed = guarded("siblings: Audit, knownZones: Deny")
    same = guarded("siblings: Audit, knownZones: Deny", *[KubeObject(each.text) for each in placed])
    assert [each.text for each in same] == [each.text for each in placed]
    more = guarded("siblings: Audit", *[KubeObject(each.text) for each in placed], zones="[a, b, c]")
    assert "web-c" in next(each.text for each in policies(more) if each.name.endswith("siblings"))


def test_no_role_is_needed_for_what_the_chart_may_read() -> None:
    """Deployments, HPAs and pods come with the role view, which the chart gives its controllers."""
    asked = ", ".join(f"{guard}: Audit" for guard in GUARDS)
    assert not guarded(asked).where(kind="ClusterRole")


def test_an_object_of_somebody_else_is_not_overwritten() -> None:
    """A policy of that name which zonecast did not write is an Error, not a loss."""
    theirs = "apiVersion: policies.kyverno.io/v1\nkind: ValidatingPolicy\nmetadata: {name: shop.web-zone-pin}\n"
    with pytest.raises(Exception, match="is to be added"):
        guarded("zonePin: Audit", deployment(), obj(f"{theirs}spec: {{}}\n"))


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("kyverno: {guards: {zonePin: Deny}}", "spec.kyverno.guards.zonePin: needs zones"),
        ("zones: []\nkyverno: {guards: {siblings: Audit}}", "spec.kyverno.guards.siblings: needs zones"),
        ("kyverno: {guards: {poolTolerations: Deny}}", "spec.kyverno.guards.poolTolerations: needs a nodePool"),
        ("zones: [a]\nkyverno: {guards: {siblings: Warn}}", 'guards.siblings: must be Audit, got "Warn"'),
        ("zones: [a]\nkyverno: {guards: {siblings: Adit}}", 'guards.siblings: must be one of Audit, got "Adit"'),
        ("zones: [a]\nkyverno: {guards: {zonepin: Deny}}", 'did you mean "zonePin"'),
    ],
)
def test_config_findings(spec: str, path: str) -> None:
    """What guards nothing, or what would refuse the function's own output, is an Error that names the field."""
    with pytest.raises(ConfigError) as error:
        placement(spec)
    assert path in str(error.value)


def test_a_placement_without_a_name() -> None:
    """The policies of a pool are called after the Placement, so it needs a name."""
    text = f"apiVersion: zonecast.dev/v1alpha1\nkind: Placement\nspec:\n  {POOL}\n"
    config = obj(f"{text}  kyverno: {{guards: {{poolTolerations: Audit}}}}\n")
    from zonecast.pipeline import run

    with pytest.raises(ConfigError, match=r"metadata\.name: required"):
        run(ResourceList([deployment()], config))


@pytest.mark.parametrize(("asked", "read"), [("zonePin: Audit", "zonepin"), ("siblings: Audit", "siblings")])
def test_only_what_is_asked_for_is_imported(python: Run, asked: str, read: str) -> None:
    """Each policy has a module of its own, read when a Placement names it."""
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_guards import guarded
guarded({asked!r})
print(*sorted(name for name in sys.modules if name.startswith("zonecast.kyverno.")))
"""
    done = python(program)
    assert done.returncode == 0, done.stderr.decode()
    loaded = {name.rpartition(".")[2] for name in done.stdout.decode().split()}
    modules = {name.replace("-", "") for name in GUARDS.values()} | {"deletioncost"}
    assert loaded & modules == {read}


def test_targets_in_kube_system_have_a_pool_too() -> None:
    """The pool's guard is about other namespaces, so its targets may be where Kyverno does not look."""
    agent = KubeObject(deployment().text.replace("shop", "kube-system"))
    spec = the_guard("poolTolerations: Deny", agent, zones="[]")
    assert spec["matchConstraints"]["namespaceSelector"]["matchExpressions"][0]["values"] == ["kube-system"]
