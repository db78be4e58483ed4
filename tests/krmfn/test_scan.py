"""The tree of a text: values typed as Go types them, aliases and merges followed, attacks refused."""

from __future__ import annotations

import time
from typing import Any

import pytest

from krmfn import InputError, KubeObject
from krmfn.scan import MAX_DEPTH, scan, scan_any, to_data


def data_of(text: str) -> Any:
    """Return the plain data of a text."""
    return to_data(scan_any(text))


VALUES = {
    "plain": ("a: b", {"a": "b"}),
    "types": ("a: 1\nb: true\nc:\nd: 1.5\ne: ~", {"a": 1, "b": True, "c": None, "d": 1.5, "e": None}),
    "quoted": ("a: '1'\nb: \"true\"\nc: ''", {"a": "1", "b": "true", "c": ""}),
    "block": ("a: |\n  1\nb: >-\n  x\n  y", {"a": "1\n", "b": "x y"}),
    "yaml-1.1": (
        "a: yes\nb: off\nc: y\nd: 2024-01-01",
        {"a": "yes", "b": "off", "c": "y", "d": "2024-01-01"},
    ),
    "keys-are-strings": ("1: a\ntrue: b\nnull: c\n012: d", {"1": "a", "true": "b", "null": "c", "012": "d"}),
    "nested": ("a:\n- b: [c, {d: e}]\n-", {"a": [{"b": ["c", {"d": "e"}]}, None]}),
    "tag-str": ("a: !!str 1\nb: ! 2", {"a": "1", "b": "2"}),
    "alias": ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
    "anchor-twice": ("a: &x 1\nb: *x\nc: &x 2\nd: *x", {"a": 1, "b": 1, "c": 2, "d": 2}),
    "merge": ("a: &x {b: 1, c: 1}\nd:\n  <<: *x\n  c: 2", {"a": {"b": 1, "c": 1}, "d": {"c": 2, "b": 1}}),
    "merge-list": (
        "a: &x {b: 1}\nc: &y {b: 2, d: 2}\ne: {<<: [*x, *y]}",
        {"a": {"b": 1}, "c": {"b": 2, "d": 2}, "e": {"b": 1, "d": 2}},
    ),
    "merge-of-merge": (
        "a: &x {b: 1}\nc: &y {<<: *x, d: 2}\ne: {<<: *y}",
        {"a": {"b": 1}, "c": {"d": 2, "b": 1}, "e": {"d": 2, "b": 1}},
    ),
    "duplicate": ("a: 1\na: 2", {"a": 2}),
    "equals": ("a: =", {"a": "="}),
    "json": (
        '{"a": [1, "b", null, {"c": 1.5}], "d\\u0065": "\\n"}',
        {"a": [1, "b", None, {"c": 1.5}], "de": "\n"},
    ),
    "empty-document": ("", None),
    "scalar-document": ("12", 12),
    "list-document": ("- 1", [1]),
}


@pytest.mark.parametrize("case", VALUES.values(), ids=VALUES)
def test_data(case: tuple[str, Any]) -> None:
    """A text is this data."""
    assert data_of(case[0]) == case[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "not valid YAML"),
        ("a: 1\nb: }\n", "line 2: not valid YAML"),
        ("a: 'b\nc: d\n", "not valid YAML"),
        ("a: b\n c: d\n", "line 2: not valid YAML"),
        ("a: b\n\tc: d\n", "line 2: not valid YAML"),
        ("a: @b", "not valid YAML"),
        ("a: *b\n", None),
        ("- a\n- b\n", "must be a mapping, found a list"),
        ("text", "must be a mapping, found a scalar"),
        ("", "must be a mapping, found nothing"),
        ("# c\n", "must be a mapping, found nothing"),
        ("a: b\n---\nc: d\n", "line 2: expected one document"),
        ("? {a: b}\n: c\n", "as a key"),
        ("a: &x b\n*x : c\n", "an alias as a key"),
    ],
)
def test_what_is_no_object(text: str, message: str | None) -> None:
    """What is not one mapping is an error with its line."""
    if message is None:
        with pytest.raises(InputError, match="anchor outside"):
            to_data(scan(text).root)
        return
    with pytest.raises(InputError) as caught:
        scan(text)
    assert message in str(caught.value)


def test_line_counts_from_the_stream() -> None:
    """The line of an error is that of the stream of which the text is a part."""
    with pytest.raises(InputError) as caught:
        scan("a: 1\nb: }\n", line=40)
    assert caught.value.line == 42


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_nesting(opening: str) -> None:
    """Nesting deeper than any object is an error, a thousand levels and a hundred thousand alike; none exhausts Python."""
    assert data_of("[" * 100 + "]" * 100)
    for depth in (MAX_DEPTH + 2, 1000, 100_000):
        text = f"a: {opening * depth}" if opening != "- " else opening * depth + "a"
        started = time.monotonic()
        with pytest.raises(InputError, match=f"nested deeper than {MAX_DEPTH} levels|not valid YAML"):
            scan(text)
        assert time.monotonic() - started < 5


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 1000])
@pytest.mark.parametrize("spelling", ["k:", "- k:", "'k':", "k: # x"])
def test_nesting_of_blocks(depth: int, spelling: str) -> None:
    """Block style nests as deep as flow style may, and no deeper."""
    step = 4 if spelling[0] == "-" else 1
    text = "".join(" " * (step * i) + spelling + "\n" for i in range(depth))
    with pytest.raises(InputError, match=f"nested deeper than {MAX_DEPTH} levels"):
        KubeObject(f"apiVersion: v1\nkind: A\nspec:\n{text}").get()


def test_billion_laughs() -> None:
    """Aliases of aliases are read and passed on as text; only asking for the data is refused, and at once."""
    levels = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    levels += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 20)]
    text = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\ndata:\n" + "".join(
        f"  {each}\n" for each in levels
    )
    obj = KubeObject(text)
    assert obj.name == "a"
    assert obj.text == text
    started = time.monotonic()
    with pytest.raises(InputError, match="aliases expand to more than"):
        obj.get()
    obj.set_annotation("a", "b")
    assert obj.text == text.replace("  name: a\n", "  name: a\n  annotations:\n    a: b\n")
    assert time.monotonic() - started < 5


def test_merge_of_itself() -> None:
    """A merge key that names its own mapping ends as an error, not in endless recursion."""
    text = "apiVersion: v1\nkind: A\nmetadata: &m\n  name: a\n  <<: *m\n"
    with pytest.raises(InputError):
        KubeObject(text).get()


def test_alias_of_its_parent() -> None:
    """A structure that holds itself cannot be plain data: an error."""
    with pytest.raises(InputError):
        KubeObject("apiVersion: v1\nkind: A\nmetadata: &m\n  name: a\n  labels: *m\n").get()


@pytest.mark.parametrize("value", ["12", "a", "[a]", "~"])
def test_merge_of_what_is_no_mapping(value: str) -> None:
    """A merge key with another value is an error where its mapping is read."""
    with pytest.raises(InputError, match="must be a mapping"):
        data_of(f"a:\n  <<: {value}\n")


def test_duplicate_keys_have_lines() -> None:
    """A key that stands twice is reported with its place in the stream."""
    obj = KubeObject(
        "apiVersion: v1\nkind: A\nmetadata:\n  name: a\ndata:\n  k: 1\n  l: 1\n  k: 2\n", line=10
    )
    assert obj.duplicate_keys() == [("k", 18)]
