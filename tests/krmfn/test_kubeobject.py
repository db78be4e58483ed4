"""What an object says of itself, and what a clone keeps of its original."""

from __future__ import annotations

from typing import Any

import pytest

from krmfn import KubeObject, ObjectError, ResourceList
from krmfn.hostkeys import ROUND_TRIP
from krmfn.testing import read_twice

TEXT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels: {app: web, on: yes, "n": 012}
  annotations:
    a: "1"
spec:
  replicas: 3
  paused: false
  list: [a, {b: c}]
  nothing: null
"""


def web() -> KubeObject:
    """Return the object."""
    return KubeObject(TEXT)


def test_identity() -> None:
    """Group, version, kind, namespace and name."""
    obj = web()
    assert (obj.api_version, obj.group, obj.version, obj.kind) == ("apps/v1", "apps", "v1", "Deployment")
    assert (obj.name, obj.namespace, obj.id) == ("web", "shop", ("apps", "Deployment", "shop", "web"))
    assert obj.is_group_kind("apps", "Deployment")
    assert not obj.is_group_kind("", "Deployment")
    assert KubeObject("apiVersion: v1\nkind: A\n").id == ("", "A", "", "")


def test_identity_follows_edits() -> None:
    """What was renamed or moved is known by its new identity, before and after the text is written."""
    obj = web()
    obj.set_name("api")
    obj.set_nested("metadata", "namespace", "other")
    obj.set_nested("apiVersion", "apps/v2")
    assert obj.id == ("apps", "Deployment", "other", "api")
    assert obj.version == "v2"
    assert KubeObject(obj.text).id == obj.id
    obj.settle()
    assert obj.id == KubeObject(obj.text).id


def test_typed_values() -> None:
    """Each typed getter returns its type, its default where nothing is, and an error with the path for another type."""
    obj = web()
    assert obj.nested_int("spec", "replicas") == 3
    assert obj.nested_bool("spec", "paused") is False
    assert obj.nested_string("metadata", "annotations", "a") == "1"
    assert obj.nested_slice("spec", "list") == ["a", {"b": "c"}]
    assert obj.nested_map("spec", "none") == {}
    assert obj.nested_slice("spec", "nothing") == []
    assert obj.nested_int("spec", "none", default=7) == 7
    assert obj.get("spec", "list", 1, "b") == "c"
    assert obj.get("spec", "list", 9) is None


@pytest.mark.parametrize(
    ("method", "path", "message"),
    [
        ("nested_string", ("spec", "replicas"), "must be a string, got 3"),
        ("nested_int", ("spec", "paused"), "must be an integer, got False"),
        ("nested_int", ("spec", "none"), "required: an integer"),
        ("nested_bool", ("spec", "replicas"), "must be true or false, got 3"),
        ("nested_map", ("spec", "list"), "must be a mapping"),
        ("nested_slice", ("spec",), "must be a list"),
        ("nested_string", ("spec", "list", 1, "b", "c"), "required: a string"),
    ],
)
def test_wrong_type(method: str, path: tuple[Any, ...], message: str) -> None:
    """The error carries the object and the field."""
    obj = web()
    with pytest.raises(ObjectError, match=message) as caught:
        getattr(obj, method)(*path)
    assert caught.value.object is obj
    assert caught.value.field.startswith("spec")


def test_labels_are_strings() -> None:
    """Labels are strings as they are spelled, whatever a YAML reader takes them for."""
    assert web().labels == {"app": "web", "on": "yes", "n": "012"}
    assert web().annotation("a") == "1"
    assert web().annotation("none") == ""


def test_values_follow_edits() -> None:
    """A value that was read is read anew after an edit above, at or below it."""
    obj = web()
    assert obj.get("spec", "list") == ["a", {"b": "c"}]
    obj.set_nested("spec", "list", 1, "b", "d")
    assert obj.get("spec", "list") == ["a", {"b": "d"}]
    obj.set_nested("spec", {"x": 1})
    assert obj.get("spec", "list") is None
    assert obj.get("spec") == {"x": 1}


def test_local_config() -> None:
    """The annotation marks the object, whatever its value but "false"."""
    marked = TEXT.replace('a: "1"', 'config.kubernetes.io/local-config: "true"')
    assert KubeObject(marked).is_local_config
    assert not KubeObject(marked.replace('"true"', '"false"')).is_local_config
    assert not web().is_local_config


def test_describe() -> None:
    """A message names kind, namespace, name, file and place in the list."""
    text = TEXT.replace('a: "1"', "config.kubernetes.io/path: web.yaml")
    assert KubeObject(text, 3).describe() == "Deployment shop/web (web.yaml, item 3)"
    assert web().describe() == "Deployment shop/web"


def test_line_of() -> None:
    """A path has a line in the stream."""
    obj = KubeObject(TEXT, line=100)
    assert obj.line_of("spec", "replicas") == 110
    assert obj.line_of("none") == 101


IDENTIFIED = "apiVersion: v1\nkind: A\nmetadata:\n  name: web\n  annotations:\n" + "".join(
    f"    {key}: '1'\n" for key in ROUND_TRIP
)
KEPT = {
    "internal.config.kubernetes.io/previousNames": "web",
    "internal.config.kubernetes.io/previousKinds": "A",
    "internal.config.kubernetes.io/prefixes": "p-",
    "internal.config.kubernetes.io/needsHashSuffix": "enabled",
    "internal.config.kubernetes.io/package-path": "app",
    "internal.config.kubernetes.io/seqindent": "compact",
    "config.kubernetes.io/origin": "path: x",
    "mine": "yes",
}


def test_clone_loses_what_identifies_one_item() -> None:
    """Under kustomize ids and places go, the state of the build and the user's stay."""
    text = IDENTIFIED + "".join(f"    {key}: '{value}'\n" for key, value in KEPT.items())
    assert KubeObject(text).clone("web-a").annotations == KEPT
    assert KubeObject(IDENTIFIED).clone("web-a").text == "apiVersion: v1\nkind: A\nmetadata:\n  name: web-a\n"


@pytest.mark.parametrize(
    ("file", "name", "own"),
    [
        ("web.yaml", "web-a", "web-a.yaml"),
        ("shop/web.yaml", "web-a", "shop/web-a.yaml"),
        ("shop/deployment_web.yml", "web-a", "shop/deployment_web-a.yml"),
        ("all.yaml", "web-a", "all-web-a.yaml"),
        ("dir.d/web", "web-a", "dir.d/web-a"),
        (".hidden", "web-a", ".hidden-web-a"),
    ],
)
def test_clone_has_a_file_of_its_own(file: str, name: str, own: str) -> None:
    """Under kpt a clone gets a new file in the same directory, in both spellings, index 0."""
    keys = ("internal.config.kubernetes.io/path", "config.kubernetes.io/path")
    text = "apiVersion: v1\nkind: A\nmetadata:\n  name: web\n  annotations:\n" + "".join(
        f"    {key}: '{file}'\n" for key in keys
    )
    text += "    internal.config.kubernetes.io/index: '4'\n    config.kubernetes.io/index: '4'\n"
    assert KubeObject(text).clone(name).annotations == {
        "internal.config.kubernetes.io/path": own,
        "config.kubernetes.io/path": own,
        "internal.config.kubernetes.io/index": "0",
        "config.kubernetes.io/index": "0",
    }


def test_clones_are_new_objects() -> None:
    """A clone stands nowhere in the input; a clone of a clone and of an edited object is right."""
    obj = KubeObject(TEXT, 3)
    obj.set_nested("spec", "replicas", 1)
    clone = obj.clone("web-a").clone("web-b")
    assert (clone.index, clone.name) == (-1, "web-b")
    assert clone.text == TEXT.replace("replicas: 3", "replicas: 1").replace("name: web", "name: web-b")


SOURCES = {
    "block": TEXT,
    "commented": "# head\n"
    + TEXT.replace("name: web", "name: web # kpt-set: ${n}").replace("3", "3 # kpt-set: ${r}"),
    "item": "- " + TEXT.replace("\n", "\n  ").rstrip(" "),
    "quoted": TEXT.replace("name: web", 'name: "web"').replace("replicas: 3", "replicas: '3'"),
    "crlf": TEXT.replace("\n", "\r\n"),
    "flow": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {app: web}}\nspec: {replicas: 3, list: []}\n",
    "json": '{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 3}}',
    "anchors": TEXT.replace("labels: {", "labels: &l {").replace(
        "list: [a, {b: c}]", "list: [a, {b: c}]\n  selector: *l"
    ),
    "kpt": TEXT.replace(
        'a: "1"', "config.kubernetes.io/path: web.yaml\n    internal.config.kubernetes.io/path: web.yaml"
    ),
    "kustomize": TEXT.replace(
        'a: "1"', "kustomize.config.k8s.io/id: |\n      kind: Deployment\n    config.k8s.io/id: '1'"
    ),
    "no-newline": TEXT.rstrip("\n"),
    "braces": TEXT.replace("[a, {b: c}]", '"{0} %s {{ x }} $1 \\\\0"'),
}


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("zones", [("a", "b"), ("1", "yes", "z: x"), ("it's", 'q"q', "0x1", "{0}")])
def test_clones_at_once(text: str, zones: tuple[str, ...]) -> None:
    """``clones`` gives, byte for byte, what ``clone`` and ``merge_nested`` give for each."""
    names = [f"web-{i}" for i, _ in enumerate(zones)]
    varying: dict[tuple[Any, ...], list[Any]] = {
        ("metadata", "labels", "zone"): list(zones),
        ("spec", "selector", "matchLabels", "zone"): list(zones),
        ("spec", "replicas"): [i + 5 for i, _ in enumerate(zones)],
    }
    common: dict[tuple[Any, ...], Any] = {("metadata", "annotations", "by"): "me", ("spec", "nothing"): None}
    at_once = KubeObject(text).clones(names, varying, common)
    for i, name in enumerate(names):
        one = KubeObject(text).clone(name, keep_head_comments=not i)
        one.merge_nested({**common, **{path: values[i] for path, values in varying.items()}})
        assert read_twice(at_once[i].text)[0] == read_twice(one.text)[0]
        assert at_once[i].get() == one.get()
        assert at_once[i].id == one.id
        assert sorted(at_once[i].text.splitlines()) == sorted(one.text.splitlines())


def test_from_data() -> None:
    """A new object is in the style of the list that it is made for: JSON, CRLF, indented."""
    head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
    data = {
        "apiVersion": "v1",
        "kind": "A",
        "metadata": {"name": "a", "labels": {"x": "yes"}},
        "spec": {"l": [{"k": 1}, []]},
    }
    item = "  - apiVersion: v1\n    kind: B\n    metadata:\n      name: b\n"
    for text in (
        head + item,
        (head + item).replace("\n", "\r\n"),
        head + item.replace("  -", "-").replace("\n  ", "\n"),
    ):
        resources = ResourceList.read(text)
        resources.append(data)
        written = resources.write()
        assert ("\r\n" in written) == ("\r\n" in text)
        assert written.replace("\r\n", "").count("\n") == (0 if "\r\n" in text else written.count("\n"))
        assert read_twice(written)[0][0]["items"][1] == read_twice(written)[1][0]["items"][1] == data
