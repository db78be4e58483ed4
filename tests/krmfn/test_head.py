"""The cheap look at kind and name says what a reader would say, or nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krmfn import InputError, KubeObject
from krmfn.head import cheap_kind, cheap_name
from krmfn.scan import scan, to_data

PLAIN = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\n"

#: Document -> kind and name by the cheap look; None where it must not dare.
TEXTS: dict[str, tuple[str, Any, Any]] = {
    "plain": (PLAIN, ("apps/v1", "Deployment"), ("web", "shop")),
    "item": ("- " + PLAIN.replace("\n", "\n  ").rstrip(" "), ("apps/v1", "Deployment"), ("web", "shop")),
    "indented-item": (
        "  - " + PLAIN.replace("\n", "\n    ").rstrip(" "),
        ("apps/v1", "Deployment"),
        ("web", "shop"),
    ),
    "no-namespace": (PLAIN.replace("  namespace: shop\n", ""), ("apps/v1", "Deployment"), ("web", "")),
    "quoted": (
        PLAIN.replace("web", '"web"').replace("Deployment", "'Deployment'"),
        ("apps/v1", "Deployment"),
        ("web", "shop"),
    ),
    "comments": (
        PLAIN.replace("web", "web # x").replace("v1", "v1 # y"),
        ("apps/v1", "Deployment"),
        ("web", "shop"),
    ),
    "labels-first": (
        PLAIN.replace("  name: web", "  labels:\n    name: other\n    namespace: b\n  name: web"),
        ("apps/v1", "Deployment"),
        ("web", "shop"),
    ),
    "name-number": (PLAIN.replace("web", "12"), ("apps/v1", "Deployment"), None),
    "name-boolean": (PLAIN.replace("web", "yes"), ("apps/v1", "Deployment"), None),
    "name-anchor": (PLAIN.replace("web", "&n web"), ("apps/v1", "Deployment"), None),
    "name-over-lines": (PLAIN.replace("name: web", 'name: "we\\\n    b"'), ("apps/v1", "Deployment"), None),
    "name-in-block": (PLAIN.replace("name: web", "name: |\n    web"), ("apps/v1", "Deployment"), None),
    "metadata-flow": ("apiVersion: v1\nkind: A\nmetadata: {name: a}\n", ("v1", "A"), None),
    "metadata-wide": ("apiVersion: v1\nkind: A\nmetadata:\n    name: a\n", ("v1", "A"), None),
    "metadata-comment": ("apiVersion: v1\nkind: A\nmetadata: # x\n  name: a\n", ("v1", "A"), None),
    "json": ('{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}', None, None),
    "kind-quoted-key": ('apiVersion: v1\n"kind": A\nmetadata:\n  name: a\n', None, ("a", "")),
    "kind-absent": ("apiVersion: v1\nmetadata:\n  name: a\n", None, ("a", "")),
    "crlf": (PLAIN.replace("\n", "\r\n"), ("apps/v1", "Deployment"), None),
}


@pytest.mark.parametrize("case", TEXTS.values(), ids=TEXTS)
def test_cheap_look(case: tuple[str, Any, Any]) -> None:
    """What the cheap look answers is right; it may always answer less."""
    text, kind, name = case
    assert cheap_kind(text) in (kind, None)
    assert cheap_name(text) in (name, None)


@pytest.mark.parametrize("name", ["plain", "item", "indented-item", "no-namespace", "quoted", "labels-first"])
def test_cheap_look_is_taken(name: str) -> None:
    """What hosts send is answered without a scan."""
    text, kind, full_name = TEXTS[name]
    assert cheap_kind(text) == kind
    assert cheap_name(text) == full_name


LINES = [
    "apiVersion: v1",
    "kind: A",
    "kind: B # c",
    "metadata:",
    "  name: a",
    "  namespace: b",
    "    name: c",
    "spec:",
    "  kind: D",
    '  x: "',
    "  kind: E",
    '  "',
    "x: '",
    "kind: F",
    "  y'",
    "  z: 'a'",
    "data: |",
    "  kind: G",
    "metadata: {name: d}",
    "# kind: H",
    '"kind": I',
    "kind:",
    "  J",
    "kind: &k K",
    "name: e",
    "  labels:",
    '  annotations: {a: "b"}',
    '  name: "f"',
    "  name: f # it's",
    "  name: 'g\n    h'",
    "? kind\n: L",
    "apiVersion: 'v2'",
    '"x\n  y": z',
    "metadata:\n- name: m",
    "kind: n/o",
    "  name: p\n    q",
    "  ? name\n  : r",
    "  !!str name: s",
    "  # name: t",
    "  ? |\n    x\n  : y",
    "z: [\n  name: t]",
    'a: "\\"',
    'kind: U"',
    "metadata: ",
]


@given(st.lists(st.sampled_from(LINES), min_size=2, max_size=9), st.sampled_from(["", "- ", "  - "]))
def test_cheap_look_never_errs(lines: list[str], dash: str) -> None:
    """Whatever the lines, an answer of the cheap look is what a scan would find."""
    text = "\n".join(lines) + "\n"
    if dash:
        text = dash + text.replace("\n", "\n" + " " * len(dash)).rstrip(" ")
    try:
        tree = scan(text)
        data = to_data(tree.root)
    except InputError:
        return
    if tree.duplicates:
        return  # readers differ about which one counts
    kind = cheap_kind(text)
    if kind is not None:
        assert kind == (data.get("apiVersion"), data.get("kind"))
    name = cheap_name(text)
    if name is not None:
        assert name == (data["metadata"]["name"], data["metadata"].get("namespace") or "")


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=9))
def test_identity_is_the_same_before_and_after_a_scan(lines: list[str]) -> None:
    """``kind`` and ``name`` do not depend on whether the object was scanned already."""
    text = "\n".join(["apiVersion: v1", *lines]) + "\n"
    lazy, scanned = KubeObject(text), KubeObject(text)
    try:
        tree = scan(text)
        scanned.get()
    except InputError:
        return
    if not tree.duplicates:
        assert lazy.id == scanned.id
