"""Families by every name that another object may call them by."""

from __future__ import annotations

import pytest
from yamls import deployment, obj

from krmfn import KubeObject, ObjectError
from zonecast.fanout import find_families
from zonecast.index import FamilyIndex
from zonecast.workload import Workload

BUILD = "internal.config.kubernetes.io"


def of(
    name: str, *, previous: str = "", prefix: str = "", origin: str = "", namespace: str = "shop"
) -> KubeObject:
    """Return a Deployment as kustomize or an earlier run left it."""
    web = deployment(name=name)
    if previous:
        web.set_annotation(f"{BUILD}/previousNames", previous)
        web.set_annotation(f"{BUILD}/prefixes", prefix)
    if origin:
        web.set_annotation("zonecast.dev/origin", f'{{"name": "{origin}"}}')
        web.set_label("zonecast.dev/zone", name.removeprefix(f"{origin}-"))
    return KubeObject(web.text.replace("namespace: shop", f"namespace: {namespace}"))


def referrer(prefix: str = "", namespace: str = "shop") -> KubeObject:
    """Return an object that names a Deployment."""
    more = f", annotations: {{{BUILD}/prefixes: {prefix}}}" if prefix else ""
    return obj(f"apiVersion: v1\nkind: X\nmetadata: {{name: x, namespace: {namespace}{more}}}\n")


def index(*objects: KubeObject) -> FamilyIndex:
    """Return the index of some Deployments."""
    return FamilyIndex(find_families([Workload(each, ("spec", "template")) for each in objects]))


def test_current_and_previous_names() -> None:
    """A reference may say the name from before one prefix, from before two, or the one of now."""
    families = index(of("b-a-web", previous="web,a-web", prefix="a-,b-"))
    for name in ("web", "a-web", "b-a-web"):
        family = families.find(referrer(), name)
        assert family is not None
        assert family.origin.name == "b-a-web"
    assert families.find(referrer(), "api") is None


def test_copies_are_one_family() -> None:
    """The source's name and each copy's mean the same family."""
    families = index(of("web-a", origin="web"), of("web-b", origin="web"))
    found = [families.find(referrer(), name) for name in ("web", "web-a", "web-b")]
    assert found[0] is not None
    assert found.count(found[0]) == 3


def test_names_are_of_a_namespace() -> None:
    """The same name elsewhere is something else; a reference that says a namespace means that one."""
    families = index(of("web"))
    assert families.find(referrer(namespace="other"), "web") is None
    assert families.find(referrer(namespace="other"), "web", "shop") is not None
    assert families.find(referrer(), "web", "other") is None


def test_affixes_tell_instances_apart() -> None:
    """Two instances of a base: a referrer means the one that has its own prefix."""
    families = index(of("a-web", previous="web", prefix="a-"), of("b-web", previous="web", prefix="b-"))
    family = families.find(referrer("b-"), "web")
    assert family is not None
    assert family.origin.name == "b-web"
    with pytest.raises(ObjectError, match="could be any of several"):
        families.find(referrer(), "web")


def test_a_current_name_is_never_in_doubt() -> None:
    """What is called web now is meant by web, whatever else was called so before."""
    families = index(of("web"), of("b-web", previous="web", prefix="b-"))
    family = families.find(referrer(), "web")
    assert family is not None
    assert family.origin.name == "web"
