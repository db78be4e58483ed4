"""The list of objects: selecting, adding, replacing, and what identifies an object in it."""

from __future__ import annotations

import pytest

from krmfn import InputError, KubeObject, ResourceList, run
from krmfn.testing import item_texts, read_twice

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"


def item(kind: str, name: str, namespace: str = "", api_version: str = "v1", annotations: str = "") -> str:
    """Return the text of an item."""
    lines = [f"- apiVersion: {api_version}", f"  kind: {kind}", "  metadata:", f"    name: {name}"]
    lines += [f"    namespace: {namespace}"] if namespace else []
    lines += ["    annotations:", annotations] if annotations else []
    return "\n".join(lines) + "\n"


def placed(name: str, file: str, index: int) -> str:
    """Return an item that kpt sends: with its file and its index there, in both spellings."""
    keys = ("internal.config.kubernetes.io", "config.kubernetes.io")
    lines = [
        f"      {key}/{what}: '{value}'" for key in keys for what, value in (("path", file), ("index", index))
    ]
    return item("A", name, annotations="\n".join(lines))


SOME = (
    HEAD
    + item("A", "one", "x")
    + item("A", "two", "y", "apps/v1")
    + item("B", "one", "x")
    + item("A", "one", "y")
)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, [0, 1, 2, 3]),
        ({"kind": "A"}, [0, 1, 3]),
        ({"kind": "A", "group": ""}, [0, 3]),
        ({"group": "apps"}, [1]),
        ({"name": "one"}, [0, 2, 3]),
        ({"kind": "A", "name": "one", "namespace": "y"}, [3]),
        ({"namespace": ""}, []),
        ({"kind": "C"}, []),
    ],
)
def test_where(wanted: dict[str, str], found: list[int]) -> None:
    """What is given must match, what is not given matches all, the order is the list's."""
    assert [obj.index for obj in ResourceList.read(SOME).where(**wanted)] == found


def test_it_is_a_list() -> None:
    """Length, iteration, and the items as a list that may be changed."""
    resources = ResourceList.read(SOME)
    assert len(resources) == 4
    assert [obj.name for obj in resources] == ["one", "two", "one", "one"]
    resources.items.insert(0, resources.items.pop())
    assert item_texts(resources.write())[0] == item("A", "one", "y")


def test_replace() -> None:
    """Several objects give way in one go, each to any number of others, in its own place."""
    resources = ResourceList.read(SOME)
    first, second, third, _ = resources.items
    resources.replace({first: [], third: [third.clone("b1"), third.clone("b2")], second: [second]})
    assert [obj.name for obj in ResourceList.read(resources.write())] == ["two", "b1", "b2", "one"]


def test_append_returns_the_object() -> None:
    """A dict becomes an object in the style of the list; either can be edited further."""
    resources = ResourceList.read(SOME)
    added = resources.append({"apiVersion": "v1", "kind": "C", "metadata": {"name": "c"}})
    added.set_label("x", "012")
    assert isinstance(added, KubeObject)
    assert read_twice(resources.write())[0][0]["items"][-1]["metadata"]["labels"] == {"x": "012"}


@pytest.mark.parametrize(
    ("new", "taken"),
    [
        (("A", "one", "x", "v1"), True),
        (("A", "one", "x", "v2"), True),
        (("A", "two", "y", "apps/v1beta1"), True),
        (("A", "two", "y", "v1"), False),
        (("A", "one", "z", "v1"), False),
        (("B", "two", "x", "v1"), False),
    ],
)
def test_identity_is_group_kind_namespace_name(new: tuple[str, ...], taken: bool) -> None:
    """A new object with the identity of another fails the run, in any version of its group."""
    kind, name, namespace, api_version = new
    metadata = {"name": name, "namespace": namespace}

    def function(resources: ResourceList) -> None:
        resources.append({"apiVersion": api_version, "kind": kind, "metadata": metadata})

    outcome = run(function, SOME)
    assert outcome.code == int(taken)
    assert ("the name is taken by" in outcome.stderr) == taken
    assert len(item_texts(outcome.stdout)) == (4 if taken else 5)


def test_two_new_objects_of_one_name() -> None:
    """Two new objects with one identity fail too."""

    def function(resources: ResourceList) -> None:
        for _ in range(2):
            resources.append({"apiVersion": "v1", "kind": "C", "metadata": {"name": "c"}})

    assert run(function, SOME).code == 1


def test_no_two_objects_share_a_place() -> None:
    """T13: under kpt a clone gets a file of its own, or an index of its own where that file is there already."""
    text = (
        HEAD
        + placed("web", "web.yaml", 0)
        + placed("other", "web.yaml", 1)
        + placed("there", "web-a.yaml", 0)
    )
    resources = ResourceList.read(text)
    web = resources.items[0]
    resources.replace({web: [web.clone("web-a"), web.clone("web-b")]})
    again = ResourceList.read(resources.write())
    for family in ("internal.config.kubernetes.io", "config.kubernetes.io"):
        places = [(obj.annotation(f"{family}/path"), obj.annotation(f"{family}/index")) for obj in again]
        assert len(set(places)) == len(places)
        assert {path for path, _ in places} == {"web-a.yaml", "web-b.yaml", "web.yaml"}
    assert [obj.text for obj in again][2:] == [
        placed("other", "web.yaml", 1),
        placed("there", "web-a.yaml", 0),
    ]


@pytest.mark.parametrize("kind", ["Kustomization", "Component"])
def test_objects_without_a_name(kind: str) -> None:
    """What needs no name may have none: the files of kustomize, lists, objects whose name the server makes."""
    text = HEAD + f"- apiVersion: kustomize.config.k8s.io/v1beta1\n  kind: {kind}\n"
    assert len(ResourceList.read(text)) == 1
    assert len(ResourceList.read(HEAD + "- apiVersion: v1\n  kind: ConfigMapList\n  items: []\n")) == 1
    with pytest.raises(InputError, match=r"has no metadata\.name"):
        ResourceList.read(HEAD + "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {}\n")


@pytest.mark.parametrize("version", ["v1", "v1beta1", "v1alpha1"])
def test_version_goes_out_as_it_came(version: str) -> None:
    """The list's apiVersion is the host's business, changed items or not, results or not."""
    text = SOME.replace("config.kubernetes.io/v1", f"config.kubernetes.io/{version}")

    def function(resources: ResourceList) -> None:
        resources.items[0].set_label("a", "b")
        resources.results.info("done")

    assert run(function, text).stdout.startswith(
        f"apiVersion: config.kubernetes.io/{version}\nkind: ResourceList\n"
    )
