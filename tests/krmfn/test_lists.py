"""Items of kind List: members are items while a function runs, and are back in their List where nobody touched them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from krmfn import InputError, ResourceList

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
