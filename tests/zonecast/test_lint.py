"""Findings about copies that are right by themselves and may still surprise."""

from __future__ import annotations

import pytest
from yamls import deployment, place, said

from krmfn import KubeObject


def container(text: str) -> KubeObject:
    """Return a Deployment whose container has more fields."""
    source = deployment().text.replace("image: example.com/web}", f"image: example.com/web, {text}}}")
    return KubeObject(source.replace("name: web, image", "name: main, image"))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("args: [--lock=web]", "containers[0].args[0]"),
        ("args: [run, web]", "containers[0].args[1]"),
        ("env: [{name: A, value: x}, {name: DEPLOYMENT, value: web}]", "containers[0].env[1].value"),
        ("env: [{name: DEPLOYMENT, value: 'web'}]", "containers[0].env[0].value"),
    ],
)
def test_a_program_that_is_told_its_own_name(text: str, field: str) -> None:
    """After the fan-out nothing has that name any more: Warning at the place."""
    warnings = said(place("zones: [a, b]", container(text)).results, "warning")
    assert len(warnings) == 1
    assert f"spec.template.spec.{field}" in warnings[0]


@pytest.mark.parametrize(
    "text",
    ["args: [--app=webshop]", "env: [{name: web, value: x}]", "command: [web]", "workingDir: web"],
)
def test_other_uses_of_the_word(text: str) -> None:
    """A longer word, a variable of that name, or the program itself, which is often called so."""
    assert not said(place("zones: [a, b]", container(text)).results, "warning")


def test_without_zones_the_name_stays() -> None:
    """Nothing is renamed, so nothing is to be said."""
    assert not said(
        place("podSpec: {nodeSelector: {a: b}}", container("args: [--lock=web]")).results, "warning"
    )


PER_ZONE = "zones: [a, b]\nfanOut: {services: PerZone}"
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}}\n"
OWN = SERVICE.replace("name: web", "name: mine").replace("app: web", "app: web, zonecast.dev/zone: b")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("args: ['--peer=http://web-b.shop.svc:80/x']", "args[0]"),
        ("args: [web-b]", "args[0]"),
        ("env: [{name: PEER, value: 'web-b.shop.svc.cluster.local'}]", "env[0].value"),
        ("env: [{name: PEERS, value: 'web-a,web-b'}]", "env[0].value"),
        ("env: [{name: PEER, value: 'tcp://mine:99'}]", "env[0].value"),
    ],
)
def test_a_copy_that_calls_another_zone(text: str, field: str) -> None:
    """A Warning at the place, for the copies of other zones alone; the user's own Services of a zone count as well."""
    placed = place(PER_ZONE, container(text), KubeObject(SERVICE), KubeObject(OWN))
    found = [line for line in said(placed.results, "warning") if "names Service" in line and "of zone b" in line]
    assert len(found) == 1
    assert found[0].startswith("Deployment shop/web-a")
    assert f"spec.template.spec.containers[0].{field}: names Service" in found[0]


@pytest.mark.parametrize(
    "text",
    [
        "args: ['--peer=http://web.shop.svc']",
        "args: [web-b.other.svc]",
        "args: [my-web-b, web-b2]",
        "command: [web-b]",
        "env: [{name: web-b, value: x}]",
    ],
)
def test_what_calls_no_other_zone(text: str) -> None:
    """The shared Service, another namespace, longer names, the name of a variable."""
    assert not said(place(PER_ZONE, container(text), KubeObject(SERVICE)).results, "warning")


def test_a_patch_of_one_zone_calls_another() -> None:
    """What was edited into one copy, by hand or by its zone's patch, is read as well; a family calls another one, too."""
    api = KubeObject(deployment(name="api", labels="app: api").text)
    first = place(PER_ZONE, api, deployment(), KubeObject(SERVICE))
    copy = first.where(kind="Deployment", name="api-b")[0]
    path = ("spec", "template", "spec", "containers", 0, "env")
    copy.append_nested(*path, {"name": "WEB", "value": "http://web-a:8080"})
    again = place(PER_ZONE, *(KubeObject(each.text) for each in first))
    found = [line for line in said(again.results, "warning") if "names Service" in line]
    assert len(found) == 1
    assert "api-b: spec.template.spec.containers[0].env[0].value: names Service web-a of zone a" in found[0]


def test_shared_services_are_of_no_zone() -> None:
    """Where no Service is of one zone there is nothing to call."""
    assert not said(place("zones: [a, b]", container("args: [web-b]"), KubeObject(SERVICE)).results, "warning")


@pytest.mark.parametrize(
    ("length", "suffix", "lost"),
    [
        (44, "a", None),  # 46: 17 characters more are 63
        (45, "a", "lose the hash of their ReplicaSet;"),
        (46, "a", "lose the hash of their ReplicaSet;"),
        (47, "a", None),  # it was so before
        (56, "a", None),
        (57, "a", "lose the hash of their ReplicaSet and the end of the zone;"),
        (36, "us-east-1a", "lose the hash of their ReplicaSet;"),
        (35, "us-east-1a", None),
    ],
)
def test_names_of_pods_that_are_cut(length: int, suffix: str, lost: str | None) -> None:
    """Pods are called after their Deployment, in 63 characters: a Warning where the copy's name is what is too long."""
    warnings = said(place(f"zones: [{suffix}]", deployment(name="w" * length)).results, "warning")
    assert len(warnings) == (lost is not None)
    assert lost is None or f"has {length + 1 + len(suffix)} characters: names of pods are cut to 63 and {lost}" in warnings[0]


@pytest.mark.parametrize(
    ("kind", "warned"),
    [
        ("apiVersion: policies.kyverno.io/v1\nkind: MutatingPolicy", True),
        ("apiVersion: policies.kyverno.io/v1beta1\nkind: ValidatingPolicy", True),
        ("apiVersion: policies.kyverno.io/v1\nkind: NamespacedMutatingPolicy", False),
        ("apiVersion: kyverno.io/v1\nkind: ClusterPolicy", True),
        ("apiVersion: kyverno.io/v1\nkind: Policy", False),
        ("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole", True),
        ("apiVersion: example.com/v1\nkind: ValidatingPolicy", False),
    ],
)
def test_a_namespace_on_what_has_none(kind: str, warned: bool) -> None:
    """An overlay's namespace reaches kinds that kustomize does not know: a Warning, whatever the Placement asks for."""
    policy = KubeObject(f"{kind}\nmetadata: {{name: p, namespace: prod}}\n")
    other = KubeObject(f"{kind}\nmetadata: {{name: q}}\n")
    warnings = said(place("podSpec: {nodeSelector: {a: b}}", deployment(), policy, other).results, "warning")
    assert [f"{policy.kind} prod/p: metadata.namespace:" in each for each in warnings] == [True] * warned
