"""``fanOut.references``: kinds that only the user knows, and depends-on, which is a list by nature."""

from __future__ import annotations

import pytest
from yamls import deployment, obj, place

from krmfn import ConfigError, KubeObject, ObjectError, ResourceList

DEPENDS_ON = "config.kubernetes.io/depends-on"
WEB = "apps/namespaces/shop/Deployment/web"
REFERENCE = "zones: [a, b]\nfanOut: {references: [{kind: Bundle, path: %s}]}"


def bundle(spec: str, *, kind: str = "Bundle", group: str = "example.com") -> KubeObject:
    """Return an object of a kind that nobody knows."""
    return obj(f"apiVersion: {group}/v1\nkind: {kind}\nmetadata: {{name: x, namespace: shop}}\nspec: {spec}\n")


def specs(resources: ResourceList) -> dict[str, object]:
    """Return the spec of each Bundle by its name."""
    return {each.name: each.get("spec") for each in resources.where(kind="Bundle")}


@pytest.mark.parametrize(
    ("path", "spec", "copy"),
    [
        ("spec.target", "{target: web}", {"target": "web-a"}),
        ("spec.ref.name", "{ref: {kind: Deployment, name: web}}", {"ref": {"kind": "Deployment", "name": "web-a"}}),
        ("'spec.all[]'", "{all: [db, web]}", {"all": ["db", "web-a"]}),
        ("'spec.all[].to[].name'", "{all: [{to: [{name: web}]}]}", {"all": [{"to": [{"name": "web-a"}]}]}),
    ],
)
def test_one_per_copy(path: str, spec: str, copy: object) -> None:
    """The path is set to the copy's name, other values at it stay; a second run changes no byte."""
    placed = place(REFERENCE % path, deployment(), bundle(spec))
    assert list(specs(placed)) == ["x-a", "x-b"]
    assert specs(placed)["x-a"] == copy
    second = place(REFERENCE % path, *(KubeObject(each.text) for each in placed))
    assert [each.text for each in second] == [each.text for each in placed]


def test_two_families_in_one_object() -> None:
    """It becomes one per zone, and names the copy of each in that zone."""
    both = deployment(), deployment(name="api", labels="app: api")
    placed = place(REFERENCE % "'spec.all[]'", *both, bundle("{all: [web, api]}"))
    assert specs(placed) == {"x-a": {"all": ["web-a", "api-a"]}, "x-b": {"all": ["web-b", "api-b"]}}


def test_zones_change() -> None:
    """What went with a zone goes, and what came with one is made of another copy."""
    first = place(REFERENCE % "spec.target", deployment(), bundle("{target: web}"))
    second = place(REFERENCE.replace("[a, b]", "[b, c]") % "spec.target", *(KubeObject(each.text) for each in first))
    assert specs(second) == {"x-b": {"target": "web-b"}, "x-c": {"target": "web-c"}}


def test_the_group_tells_kinds_apart() -> None:
    """With a group the objects of that group alone are meant."""
    option = "zones: [a]\nfanOut: {references: [{group: example.com, kind: Bundle, path: spec.target}]}"
    placed = place(option, deployment(), bundle("{target: web}"), bundle("{target: web}", group="example.org"))
    assert list(specs(placed)) == ["x-a", "x"]


def test_another_reference_in_the_same_object() -> None:
    """A path that the user did not give would dangle: Error, as in any object."""
    with pytest.raises(ObjectError, match=r"spec\.other\.name: names Deployment web"):
        place(REFERENCE % "spec.target", deployment(), bundle("{target: web, other: {kind: Deployment, name: web}}"))


@pytest.mark.parametrize("spec", ["{other: web}", "{target: {name: web}}"])
def test_a_path_that_matches_nothing(spec: str) -> None:
    """It is misspelt, and what it was to follow would dangle: Error that names it."""
    with pytest.raises(ObjectError, match=r'references\[0\]\.path: "spec\.target" matches nothing'):
        place(REFERENCE % "spec.target", deployment(), bundle(spec))


def test_a_path_to_another_name_is_right() -> None:
    """It leads somewhere, and names a Deployment that stays: the same bytes."""
    text = bundle("{target: db}").text
    assert place(REFERENCE % "spec.target", deployment(), bundle("{target: db}")).items[-1].text == text


def test_what_makes_pods_is_refused() -> None:
    """Copies of it would select each other's pods: Error."""
    option = "targets: [{name: web}]\n" + REFERENCE.replace("Bundle", "Job") % "spec.after"
    with pytest.raises(ObjectError, match="makes pods itself"):
        place(option, deployment(), bundle("{after: web}", kind="Job", group="batch"))


@pytest.mark.parametrize("path", ["spec..name", "'spec.all[0]'", "'[]'", "spec."])
def test_what_is_no_path(path: str) -> None:
    """An Error of the config, with an example."""
    with pytest.raises(ConfigError, match="is no path"):
        place(REFERENCE % path, deployment())


def job(depends_on: str) -> KubeObject:
    """Return an object that depends on others."""
    return obj(
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: warm\n  namespace: shop\n"
        f"  annotations: {{{DEPENDS_ON}: '{depends_on}'}}\nspec: {{template: {{spec: {{containers: []}}}}}}\n"
    )


def depends_on(resources: ResourceList, kind: str = "Job") -> list[str]:
    """Return what each object of a kind depends on."""
    return [each.annotation(DEPENDS_ON) for each in resources.where(kind=kind)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (WEB, f"{WEB}-a,{WEB}-b"),
        (f"/namespaces/shop/Secret/s,{WEB}", f"/namespaces/shop/Secret/s,{WEB}-a,{WEB}-b"),
        (f"{WEB},{WEB}", f"{WEB}-a,{WEB}-b"),
        ("apps/namespaces/other/Deployment/web", "apps/namespaces/other/Deployment/web"),
        ("example.com/namespaces/shop/Deployment/web", "example.com/namespaces/shop/Deployment/web"),
        ("apps/namespaces/shop/StatefulSet/web", "apps/namespaces/shop/StatefulSet/web"),
    ],
)
def test_depends_on_every_copy(before: str, after: str) -> None:
    """The entry of the source becomes one for each copy, others stay; a second run changes no byte."""
    placed = place("zones: [a, b]", deployment(), job(before))
    assert depends_on(placed) == [after]
    assert depends_on(place("zones: [a, b]", *(KubeObject(each.text) for each in placed))) == [after]


def test_a_list_of_all_copies_follows_the_zones() -> None:
    """It stands for the family. One copy of several was named on purpose, and stays while it is there."""
    first = place("zones: [a, b]", deployment(), job(WEB))
    assert depends_on(place("zones: [b, c]", *(KubeObject(each.text) for each in first))) == [f"{WEB}-b,{WEB}-c"]
    first.where(kind="Job")[0].set_annotation(DEPENDS_ON, f"{WEB}-b")
    assert depends_on(place("zones: [b, c]", *(KubeObject(each.text) for each in first))) == [f"{WEB}-b"]
    with pytest.raises(ObjectError, match="depends-on: names Deployment web-b"):
        place("zones: [a]", *(KubeObject(each.text) for each in first))


def test_a_copy_depends_on_all_copies_of_another() -> None:
    """A Deployment that is fanned out and depends on another one gives the whole list to each of its copies."""
    api = deployment(name="api", labels="app: api")
    api.set_annotation(DEPENDS_ON, WEB)
    placed = place("zones: [a, b]", KubeObject(api.text), deployment())
    assert depends_on(placed, "Deployment") == [f"{WEB}-a,{WEB}-b"] * 2 + ["", ""]


def test_a_list_of_all_copies_follows_their_names() -> None:
    """With another suffix the copies are called anew; one that was named on purpose is an Error, and no longer all."""
    spec = "zones: [a, {name: b, suffix: x}]"
    first = place("zones: [a, b]", deployment(), job(WEB))
    assert depends_on(place(spec, *(KubeObject(each.text) for each in first))) == [f"{WEB}-a,{WEB}-x"]
    first.where(kind="Job")[0].set_annotation(DEPENDS_ON, f"{WEB}-b")
    with pytest.raises(ObjectError, match="depends-on: names Deployment web-b"):
        place(spec, *(KubeObject(each.text) for each in first))
