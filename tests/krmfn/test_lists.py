"""Items of kind List: members are items while a function runs, and are back in their List where nobody touched them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from krmfn import InputError, KubeObject, ResourceList, kubeobject, lists
from krmfn.lists import open_list
from krmfn.scan import scan

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
BLOCK = """\
# about the dump
apiVersion: v1
kind: List
items:
# about one
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: one
  data:
    text: |
      a

        b
    folded: >-
      c
      d
    quoted: "e
      f"
# about two
-   apiVersion: v1
    kind: ConfigMap
    metadata: {name: two,
      namespace: shop}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: three}}
metadata: {resourceVersion: ""}
"""


def item(text: str, indent: str = "") -> str:
    """Return a document as an item of a list whose dashes stand behind ``indent``."""
    lines = text.rstrip("\n").split("\n")
    start = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    above = "".join(f"{indent}{line}\n" for line in lines[:start])
    inner = "".join(f"{indent}  {line}\n" if line else "\n" for line in lines[start + 1 :])
    return f"{above}{indent}- {lines[start]}\n{inner}"


JSON = json.dumps(yaml.safe_load(BLOCK), indent=4) + "\n"
SHAPES = {
    "document": BLOCK,
    "one of the documents": f"---\n{item('a: b').replace('- a: b', 'apiVersion: v1')}kind: Namespace\nmetadata: {{name: shop}}\n---\n{BLOCK}",
    "JSON document": JSON,
    "JSON on one line": json.dumps(yaml.safe_load(BLOCK)),
    "item": HEAD + item(BLOCK),
    "wide item": HEAD + item(BLOCK, "  "),
    "JSON item": HEAD + "- " + JSON.replace("\n", "\n  ").rstrip(" "),
    "JSON ResourceList": json.dumps(
        {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [yaml.safe_load(BLOCK)]}, indent=2
    ),
    "Windows": BLOCK.replace("\n", "\r\n"),
    "no newline at the end": BLOCK.rstrip("\n"),
}
MEMBERS = [dict(each) for each in yaml.safe_load(BLOCK)["items"]]


def read(text: str) -> ResourceList:
    """Read a ResourceList or a stream."""
    return ResourceList.read(text) if "ResourceList" in text else ResourceList.read_stream(text)


def documents(text: str) -> list[Any]:
    """Return the objects of a ResourceList or of a stream, as another reader sees them."""
    found = [each for each in yaml.safe_load_all(text) if each]
    return list(found[0]["items"]) if found[0]["kind"] == "ResourceList" else found


def names(objects: list[Any]) -> list[str]:
    """Name objects; a List by its members, in brackets."""
    return [
        f"[{' '.join(names(each['items']))}]" if each["kind"] == "List" else each["metadata"]["name"] for each in objects
    ]


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_members_are_items(text: str) -> None:
    """A function sees the members of a List as it sees other items."""
    resources = read(text)
    assert [obj.get() for obj in resources.where(kind="ConfigMap")] == MEMBERS
    assert not resources.where(kind="List")


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_an_untouched_list_is_the_same_text(text: str) -> None:
    """Nothing changed: not a byte of the List does."""
    assert read(text).write() == text


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_an_edited_member_leaves(text: str, number: int) -> None:
    """What was edited is an item beside the List; the others stay in it, and all read as before."""
    resources = read(text)
    wanted = {obj.name: obj.get() for obj in resources}
    edited = resources.where(kind="ConfigMap")[number]
    edited.set_nested("data", "new", "x")
    wanted[edited.name] = edited.get()
    out = resources.write()
    objects = documents(out)
    (closed,) = [each for each in objects if each["kind"] == "List"]
    assert names(closed["items"]) == [each for each in ("one", "two", "three") if each != edited.name]
    found = {each["metadata"]["name"]: each for each in [*objects, *closed["items"]] if each["kind"] != "List"}
    assert found == wanted
    assert read(out).write() == out


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_an_emptied_list_goes(text: str) -> None:
    """A List that lost every member is not written."""
    resources = read(text)
    for obj in resources:
        obj.set_annotation("touched", "true")
    objects = documents(resources.write())
    assert [each["kind"] for each in objects if each["kind"] != "Namespace"] == ["ConfigMap"] * 3
    assert [each["metadata"]["name"] for each in objects if each["kind"] == "ConfigMap"] == ["one", "two", "three"]


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_a_removed_member_is_in_no_list(text: str) -> None:
    """A member that is taken out is gone; what another function adds stands beside the List."""
    resources = read(text)
    resources.remove(resources.where(name="two")[0])
    resources.append({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "four"}})
    objects = documents(resources.write())
    assert names(objects)[-2:] == ["[one three]", "four"]


def test_comments_go_with_their_member() -> None:
    """Comments above a member leave with it, in the column where it stands then; others stay."""
    resources = read(SHAPES["wide item"])
    resources.where(name="two")[0].set_label("a", "b")
    out = resources.write()
    assert "  # about two\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: two,\n" in out
    assert "    # about one\n    - apiVersion: v1\n" in out


def test_comments_above_a_list_stay_when_it_goes() -> None:
    """They are above the first of its members then."""
    resources = read(BLOCK)
    for obj in resources:
        obj.set_label("a", "b")
    assert resources.write().startswith("# about the dump\n# about one\napiVersion: v1\nkind: ConfigMap\n")


def test_json_in_several_documents_starts_with_a_marker() -> None:
    """Behind a marker every kubectl takes the stream for YAML; one document of JSON stays JSON."""
    resources = read(JSON)
    resources.where(name="one")[0].set_label("a", "b")
    out = resources.write()
    assert out.startswith('---\n{\n    "apiVersion"')
    assert all(json.loads(part) for part in out.split("---\n") if part)


def test_a_list_in_a_list_is_open_too() -> None:
    """Its members count, and an edited one leaves both."""
    inner = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}\n"
    text = "apiVersion: v1\nkind: List\nitems:\n" + item(inner) + item("apiVersion: v1\nkind: Pod\nmetadata: {name: p}")
    resources = read(text)
    assert [obj.name for obj in resources] == ["one", "p"]
    assert read(text).write() == text
    resources.items[0].set_label("a", "b")
    assert names(documents(resources.write())) == ["one", "[p]"]


def test_members_are_where_their_list_is() -> None:
    """What a List's annotations say of its file and of tools holds for its members."""
    text = HEAD + item(
        BLOCK.replace('{resourceVersion: ""}', "{annotations: {config.kubernetes.io/path: a.yaml, "
                      "internal.config.kubernetes.io/path: a.yaml, config.kubernetes.io/local-config: 'true'}}")
    )
    resources = read(text)
    assert {obj.file for obj in resources} == {"a.yaml"}
    assert all(obj.is_local_config for obj in resources)
    assert resources.write() == text


@pytest.mark.parametrize("member", ["text", "{kind: Pod}", "[]"])
def test_a_member_must_be_an_object(member: str) -> None:
    """As every item must; the line is that of the member."""
    with pytest.raises(InputError, match=r"^line 4: item 0 of a List"):
        read(f"apiVersion: v1\nkind: List\nitems:\n- {member}\n")


@pytest.mark.parametrize("items", ["[]", "", "null"])
def test_an_empty_list_is_left_alone(items: str) -> None:
    """It came empty, and nobody emptied it."""
    text = f"apiVersion: v1\nkind: List\nitems: {items}\n"
    assert read(text).write() == text


def test_lines_are_those_of_the_stream() -> None:
    """A finding about a member names its line in the input."""
    assert [obj.line_of("metadata", "name") for obj in read(BLOCK)] == [9, 23, 25]


SCALARS = st.one_of(st.integers(), st.booleans(), st.text(st.sampled_from("ab \n#:-'\"|{["), max_size=12))
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
)


@settings(max_examples=150, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=4), st.sets(st.integers(0, 3)), st.booleans(), st.booleans())
def test_whatever_is_in_a_list_comes_out_of_it(
    values: list[Any], edited: set[int], flow: bool, listed: bool
) -> None:
    """Members read as before wherever they stand; those that nobody edited are in the List."""
    members = [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"m{i}"}, "data": value}
        for i, value in enumerate(values)
    ]
    whole = {"apiVersion": "v1", "kind": "List", "items": members}
    text = json.dumps(whole, indent=2) + "\n" if flow else yaml.safe_dump(whole, sort_keys=False)
    resources = read(HEAD + item(text) if listed else text)
    assert [obj.get() for obj in resources] == members
    for i in edited & set(range(len(members))):
        resources.items[i].set_label("touched", "true")
        members[i]["metadata"] = {"name": f"m{i}", "labels": {"touched": "true"}}
    objects = documents(resources.write())
    inside = [each for obj in objects if obj["kind"] == "List" for each in obj["items"]]
    assert inside == [each for i, each in enumerate(members) if i not in edited]
    assert [obj for obj in objects if obj["kind"] != "List"] == [
        each for i, each in enumerate(members) if i in edited
    ]


def test_lists_of_several_files_are_closed_again() -> None:
    """Objects from files are joined; what nobody touched is in its List there, too."""
    resources = ResourceList()
    resources.join(ResourceList.read_stream(BLOCK))
    resources.join(ResourceList.read_stream(JSON))
    resources.items[4].set_label("a", "b")
    assert names(documents(resources.write())) == ["[one two three]", "[one three]", "two"]


TYPED = """\
kind: DeploymentList
apiVersion: apps/v1
metadata:
  resourceVersion: "7"
items:
# about one
- metadata:
    name: one   # here
  spec:
    replicas: 1
- metadata: {name: two}
- {metadata: {name: three}, spec: {replicas: 3}}
-
  metadata: {name: four}
- kind: Deployment
  metadata: {name: five}
"""
TYPED_JSON = {
    "kind": "DeploymentList",
    "apiVersion": "apps/v1",
    "metadata": {},
    "items": [{"metadata": {"name": name}, "spec": {"replicas": 1}} for name in ("one", "two", "three", "four", "five")],
}
TYPED_SHAPES = {
    "document": TYPED,
    "item": HEAD + item(TYPED),
    "wide item": HEAD + item(TYPED, "    "),
    "Windows": TYPED.replace("\n", "\r\n"),
    "JSON": json.dumps(TYPED_JSON, indent=2) + "\n",
    "JSON on one line": json.dumps(TYPED_JSON, separators=(",", ":")),
    "JSON item": HEAD + "- " + json.dumps(TYPED_JSON, indent=4).replace("\n", "\n  ") + "\n",
}


@pytest.mark.parametrize("text", TYPED_SHAPES.values(), ids=TYPED_SHAPES)
def test_a_list_of_one_kind_is_open(text: str) -> None:
    """Its members say neither apiVersion nor kind: they are what the list is a list of; untouched it is the same text."""
    resources = read(text)
    assert [(obj.api_version, obj.kind, obj.name) for obj in resources] == [
        ("apps/v1", "Deployment", name) for name in ("one", "two", "three", "four", "five")
    ]
    assert [obj.get("apiVersion") for obj in resources] == ["apps/v1"] * 5
    assert resources.write() == text


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("text", TYPED_SHAPES.values(), ids=TYPED_SHAPES)
def test_a_member_of_one_kind_leaves_as_an_object(text: str, number: int) -> None:
    """It says what it is then; the others stay in their list, which is the same kind of list."""
    resources = read(text)
    member = resources.items[number]
    member.set_label("a", "b")
    wanted = member.get()
    found = documents(resources.write())
    (closed,) = [each for each in found if each["kind"] == "DeploymentList"]
    assert [each for each in found if each["kind"] == "Deployment"] == [wanted]
    assert len(closed["items"]) == 4
    assert not any("apiVersion" in each for each in closed["items"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TYPED, "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: one   # here\n"),
        (TYPED_SHAPES["JSON"], '{\n  "apiVersion": "apps/v1",\n  "kind": "Deployment",\n  "metadata"'),
        (TYPED_SHAPES["JSON on one line"], '{"apiVersion":"apps/v1","kind":"Deployment","metadata"'),
    ],
)
def test_apiversion_and_kind_come_first(text: str, said: str) -> None:
    """As in any other object, and written as the member's own keys are."""
    resources = read(text)
    assert resources.items[0].text.startswith(said)


@pytest.mark.parametrize(
    ("head", "warned"),
    [
        ("apiVersion: example.com/v1\nkind: AllowList\nmetadata: {name: a}\nitems:\n- metadata: {name: b}\n", False),
        ("apiVersion: example.com/v1\nkind: AllowList\nmetadata: {name: a}\nitems: [10.0.0.0/8]\n", False),
        ("apiVersion: example.com/v1\nkind: AllowList\nitems: [10.0.0.0/8]\n", True),
        ("apiVersion: example.com/v1\nkind: AllowList\nitems: [{cidr: 10.0.0.0/8}]\n", True),
        ("apiVersion: apps/v1\nkind: DeploymentList\nitems: []\n", False),
        ("apiVersion: apps/v1\nkind: DeploymentList\n", False),
    ],
)
def test_what_is_a_list_in_name_alone(head: str, warned: bool) -> None:
    """An object with a name is itself what is meant. Items that are no objects pass as they are, with a Warning."""
    resources = read(head)
    assert [obj.kind for obj in resources] == [head.partition("kind: ")[2].partition("\n")[0]]
    assert [each.message for each in resources.results] == ["its items are no objects: it passes as it is"] * warned
    assert resources.write() == head


class Counted(str):
    """Text that counts the characters that are looked at or copied."""

    __slots__ = ()
    seen = 0

    def __getitem__(self, key: Any) -> str:
        """Return a part, and count its length."""
        found = super().__getitem__(key)
        Counted.seen += len(found)
        return found

    def count(self, sub: str, start: Any = 0, end: Any = None) -> int:
        """Count ``sub``, and the characters in which it is looked for."""
        end = len(self) if end is None else end
        Counted.seen += end - start
        return super().count(sub, start, end)

    def rstrip(self, chars: str | None = None) -> str:
        """Return the text without what is behind it, and count its length."""
        Counted.seen += len(self)
        return super().rstrip(chars)


@pytest.mark.parametrize("flow", [False, True])
def test_opening_a_list_is_linear(flow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four times as many members are four times as much to read, not sixteen times."""
    for module in (lists, kubeobject):  # libyaml takes no other string
        monkeypatch.setattr(module, "scan", lambda text, *line: scan(str(text), *line))

    def seen(count: int) -> int:
        members = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"m{i}"}} for i in range(count)]
        whole = {"apiVersion": "v1", "kind": "List", "items": members}
        text = json.dumps(whole, indent=2) if flow else yaml.safe_dump(whole, sort_keys=False)
        Counted.seen = 0
        opened = open_list(KubeObject(Counted(text)), None, "\n")
        assert opened is not None
        assert len(opened.members) == count
        return Counted.seen

    seen(1)
    assert 0 < seen(400) < 5 * seen(100)


class Walked(list):  # type: ignore[type-arg]
    """A list that counts the entries that are walked over."""

    steps = 0

    def __iter__(self) -> Any:
        """Iterate, and count."""
        for each in super().__iter__():
            Walked.steps += 1
            yield each


def test_many_lists_are_opened_and_folded_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each item is looked at a fixed number of times, however many Lists there are."""

    def steps(count: int) -> int:
        compared = 0

        def same(one: object, other: object) -> bool:
            nonlocal compared
            compared += 1
            return one is other

        text = "".join(f"---\n# list {i}\n{BLOCK.partition(chr(10))[2]}" for i in range(count))
        with monkeypatch.context() as patch:
            patch.setattr(KubeObject, "__eq__", same)  # what list.index compares with
            resources = read(text)
            for obj in resources.items[::3]:  # the first of each List leaves it
                obj.set_label("a", "b")
            Walked.steps = 0
            resources.items = Walked(resources.items)
            resources.fold_lists()
        assert [obj.kind for obj in resources] == ["ConfigMap", "List"] * count
        assert [resources.items[-2].lead, resources.items[-1].lead] == ["# about one\n", "---\n"]
        assert resources.items[-1].text.startswith(f"# list {count - 1}\n")
        return Walked.steps + compared

    assert 0 < steps(200) < 5 * steps(50)
