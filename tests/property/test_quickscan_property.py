"""The quick reader, where it dares to answer, builds the tree that libyaml's events give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from krmfn.node import MAPPING, SCALAR, SEQUENCE, Node
from krmfn.quickscan import quick_scan

from .drawn import texts

LINES = [
    "a:", "b: c", "  d: e", "  f:", "    g: h", "- i", "- j: k", "  l: m", "  - n", "  - o: p", "    q: r", "- - s", "-", "- ", "  -",
    "", "  ", "# t", "  # u", "v: |", "v: |-", "v: |+", "v: >", "  w", "    x", "   y", 'z: "a"', "b: 'c'", 'd: "e" # f', "g: 'h",
    "  i'", "j: k # l", "m: n#o", "p: #q", "r:  s  ", "t: {}", "u: []", "v: {} # w", "x: [a]", "y: {b: c}", "? z", ": a", '"b": c',
    "'d': e", '"f" : g', "h : i", "j: k: l", "m: - n", "o: @p", "q: &r s", "t: *r", "u: !v w", "x: `", "y: %", "%z", "a: ]", "b: ,",
    '- "c"', "- 'd': e", '- "f: g"', "- h: |", "- |", "- {}", "- [] # i", "- k:", "- # l", "- m # n", "  o", "---", "...", "--- p",
    "q: ---", "r: ...", "s: -", "t: - u", "v: -w", "x: ?", "y: ? z", "a: :b", "c: d:", "e: f:g", "h:i: j", "k:l", "m", "n o: p q",
    "1: 2", "~: x", "<<: y", 'z: ""', "a: ''", "b: 'c''d'", 'e: "f\\"g"', 'h: "i" j', "k: 'l'm", "n: ~", "o: =", "=: p", "q: <",
    "- - t: u", "- -", "- v: w: x", "-y: z", "--: a", "b-: c", "d#: e", "f #: g", " h: i", "   j: k", "l:", "l:", '"m', 'n"', "o: |2",
    "p: | # q", "r: |  ", "- s:", "      t", "u: \u00e9", "\u00e9: v", "w: a\u2028b", "x: \u00a0y", "\u00a0: z", "- \u00a0", "a: \ufeffb",
    "c: \x07", "d: \u200b", "\x7f: e", "f: \x85", "[]: g", "{}", "- {} h", "i: {} j", "k: {}#l", "m: |x", "n: |+ ", "'o': |", "p: 'q' #",
    "r: s #", "#", 't: "#"', "u: a'b", 'v: a"b', "a'b: c", 'a"b: c', "w: [", "]", 'x: "y: z"', "'a: b': c", '"d # e": f', "g: h, i",
    "j: k]", "l: m}", "n: !", "o: a!b", "p: a&b", "q: a*b", "- ?", "- ? r", "- :", "- s: - t", "- - - u", "- &v w", "- !x", "-  y", "-   z: a",
]  # fmt: skip


def shape(node: Any) -> Any:
    """Return all of a node that the editor uses."""
    assert isinstance(node, Node)
    assert (node.anchor, node.tag) == (None, None)
    if node.kind == SCALAR:
        return node.kind, node.at, node.start, node.end, node.style, node.value
    pairs = node.value.items() if isinstance(node.value, dict) else enumerate(node.value)
    children = [(key, shape(child)) for key, child in pairs]
    return node.kind, node.at, node.start, node.end if node.style else node.col, node.style, children


def index(mark: Any) -> int:
    """Return the place of a mark, which libyaml's events always have."""
    return int(mark.index)


def reference(text: str) -> tuple[Any, list[tuple[str, int]]]:
    """Return the same of libyaml's events, and the keys that stand twice in a mapping with their positions."""
    events: Iterator[Any] = iter(yaml.parse(text, yaml.CSafeLoader))
    duplicates: list[tuple[str, int]] = []

    def node(event: Any, at: int | None) -> Any:
        assert getattr(event, "anchor", None) is None
        assert getattr(event, "tag", None) is None
        start = index(event.start_mark)
        at = start if at is None else at
        if isinstance(event, yaml.ScalarEvent):
            return SCALAR, at, start, index(event.end_mark), event.style or "", event.value
        kind = MAPPING if isinstance(event, yaml.MappingStartEvent) else SEQUENCE
        children: dict[Any, Any] = {}
        while not isinstance(child := next(events), (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            if kind == SEQUENCE:
                children[len(children)] = node(child, None)
                continue
            assert isinstance(child, yaml.ScalarEvent)
            key, place = child.value, index(child.start_mark)
            if key in children:
                duplicates.append((key, place))
            children[key] = node(next(events), place)
        style = ("{" if kind == MAPPING else "[") if event.flow_style else ""
        end = index(child.end_mark) if style else event.start_mark.column
        return kind, at, start, end, style, list(children.items())

    assert isinstance(next(events), yaml.StreamStartEvent)
    assert isinstance(next(events), yaml.DocumentStartEvent)
    root = node(next(events), 0)
    assert isinstance(next(events), yaml.DocumentEndEvent)
    assert isinstance(next(events), yaml.StreamEndEvent)
    return root, duplicates


def check(text: str) -> None:
    """Compare the two readers on one text."""
    quick = quick_scan(text)
    if quick is None:
        return
    try:
        root, duplicates = reference(text)
    except yaml.YAMLError as error:
        raise AssertionError(f"libyaml: {error}") from None
    assert shape(quick[0]) == root
    assert list(quick[1]) == duplicates


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=7), st.sampled_from(["", "\n"]))
def test_same_tree_of_any_lines(lines: list[str], end: str) -> None:
    """Any lines, valid or not: an answer of the quick reader is libyaml's."""
    check("\n".join(lines) + end)


@given(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=3),
    st.integers(0, 5),
    st.sampled_from(["", "- ", "  - "]),
)
def test_same_tree_inside_an_object(lines: list[str], indent: int, dash: str) -> None:
    """The same with a whole object around the lines, as an item of a list or alone."""
    body = "".join(" " * indent + line + "\n" for line in lines)
    text = f"kind: A\nspec:\n  a: b\n{body}  c: d\nstatus:\n- e\n"
    check(dash + text.replace("\n", "\n" + " " * len(dash)).rstrip(" "))


@given(texts())
def test_same_tree_of_objects(drawn: tuple[dict[str, Any], str]) -> None:
    """Whole objects in odd layouts."""
    check(drawn[1])


@pytest.mark.parametrize(
    "text",
    [
        "c: \x07",
        "\x7f: e",
        "c: \x00",
        "a: \ufeffb",
        "v: |-\n  r: s #\n  ",
        "v: |\n a\n ",
        ":",
        "a:\n  b: :",
        "a: '\x1b'",
    ],
)
def test_same_tree_of_old_faults(text: str) -> None:
    """What the quick reader once read otherwise: control characters, a block scalar that ends in blanks."""
    check(text)


@given(st.text(" \n-:#|a'\"[]{},&*!?>%@`~", max_size=14))
def test_same_tree_of_characters(text: str) -> None:
    """Any characters of the syntax."""
    check(text)
    check("a:\n  b: " + text)


def test_quick_reader_is_taken() -> None:
    """What hosts write is read by the quick reader: the properties above are about something."""
    text = "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    labels: {}\n  data:\n    k: |\n      l\n    m: 'n' # o\n"
    assert quick_scan(text) is not None
