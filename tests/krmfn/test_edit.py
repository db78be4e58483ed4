"""Document + operation + expected text: what each edit does to the text around it."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from krmfn import KrmError, KubeObject, ObjectError
from krmfn.edit import Stays
from krmfn.testing import read_twice

HEAD = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"

# Each case: the name of the rule, the operations, the text before and after (below HEAD, `=` where nothing changes).
# An operation is a method of KubeObject without its suffix, and its arguments.
SAME = "="
Operation = tuple[Any, ...]
Case = tuple[str, list[Operation], str, str]

SCALARS: list[Case] = [
    ("set", [("set", "spec", "n", 2)], "spec:\n  n: 1\n", "spec:\n  n: 2\n"),
    ("equal-int", [("set", "spec", "n", 1)], "spec:\n  n: 1 # one\n", SAME),
    ("equal-string", [("set", "spec", "s", "yes")], "spec:\n  s: 'yes'\n", SAME),
    ("equal-unquoted-string", [("set", "spec", "s", "yes")], "spec:\n  s: yes\n", SAME),
    ("int-to-string", [("set", "spec", "n", "1")], "spec:\n  n: 1\n", 'spec:\n  n: "1"\n'),
    ("string-to-int", [("set", "spec", "n", 1)], 'spec:\n  n: "1"\n', "spec:\n  n: 1\n"),
    ("string-to-bool", [("set", "spec", "n", True)], "spec:\n  n: 'true'\n", "spec:\n  n: true\n"),
    ("int-to-null", [("set", "spec", "n", None)], "spec:\n  n: 1\n", "spec:\n  n: null\n"),
    ("keeps-double-quotes", [("set", "spec", "s", "new")], 'spec:\n  s: "old"\n', 'spec:\n  s: "new"\n'),
    ("keeps-single-quotes", [("set", "spec", "s", "it's")], "spec:\n  s: 'old'\n", "spec:\n  s: 'it''s'\n"),
    ("quotes-what-needs-it", [("set", "spec", "s", "012")], "spec:\n  s: old\n", 'spec:\n  s: "012"\n'),
    (
        "trailing-comment",
        [("set", "spec", "n", 2)],
        "spec:\n  n: 1  # why\n  m: 1\n",
        "spec:\n  n: 2  # why\n  m: 1\n",
    ),
    ("comment-above", [("set", "spec", "n", 2)], "spec:\n  # why\n  n: 1\n", "spec:\n  # why\n  n: 2\n"),
    ("blanks-behind-colon", [("set", "spec", "n", 2)], "spec:\n  n:    1\n", "spec:\n  n:    2\n"),
    ("tab-behind-colon", [("set", "spec", "n", 2)], "spec:\n  n:\t1\n", "spec:\n  n:\t2\n"),
    (
        "value-on-next-line",
        [("set", "spec", "n", 2)],
        "spec:\n  n:\n    1\n  m: 1\n",
        "spec:\n  n:\n    2\n  m: 1\n",
    ),
    ("key-in-quotes", [("set", "spec", "a: b", 2)], 'spec:\n  "a: b": 1\n', 'spec:\n  "a: b": 2\n'),
    (
        "plain-over-lines",
        [("set", "spec", "s", "new")],
        "spec:\n  s: one\n    two\n  m: 1\n",
        "spec:\n  s: new\n  m: 1\n",
    ),
    (
        "quoted-over-lines",
        [("set", "spec", "s", "n")],
        'spec:\n  s: "one\n    two"\n  m: 1\n',
        'spec:\n  s: "n"\n  m: 1\n',
    ),
    (
        "block-to-line",
        [("set", "spec", "s", "v")],
        "spec:\n  s: |\n    a\n    b\n  m: 1\n",
        "spec:\n  s: v\n  m: 1\n",
    ),
    ("block-last-to-line", [("set", "spec", "s", "v")], "spec:\n  s: |\n    a\n    b\n", "spec:\n  s: v\n"),
    (
        "block-keep-to-line",
        [("set", "spec", "s", "v")],
        "spec:\n  s: |+\n    a\n\n\n  m: 1\n",
        "spec:\n  s: v\n  m: 1\n",
    ),
    (
        "line-to-lines",
        [("set", "spec", "s", "a\nb\n")],
        "spec:\n  s: x # why\n  m: 1\n",
        'spec:\n  s: "a\\nb\\n" # why\n  m: 1\n',
    ),
    ("empty-value", [("set", "spec", "s", "v")], "spec:\n  s:\n  m: 1\n", "spec:\n  s: v\n  m: 1\n"),
    (
        "empty-value-with-blank",
        [("set", "spec", "s", "v")],
        "spec:\n  s: \n  m: 1\n",
        "spec:\n  s: v \n  m: 1\n",
    ),
    (
        "empty-value-comment",
        [("set", "spec", "s", "v")],
        "spec:\n  s: # why\n  m: 1\n",
        "spec:\n  s: v # why\n  m: 1\n",
    ),
    ("empty-value-last", [("set", "spec", "s", "v")], "spec:\n  m: 1\n  s:\n", "spec:\n  m: 1\n  s: v\n"),
    ("empty-value-end-of-text", [("set", "spec", "s", "v")], "spec:\n  m: 1\n  s:", "spec:\n  m: 1\n  s: v"),
    ("tilde", [("set", "spec", "s", "v")], "spec:\n  s: ~ # none\n", "spec:\n  s: v # none\n"),
    ("end-of-text", [("set", "spec", "n", 2)], "spec:\n  n: 1", "spec:\n  n: 2"),
    ("end-of-text-add", [("set", "spec", "m", 2)], "spec:\n  n: 1", "spec:\n  n: 1\n  m: 2"),
    ("in-a-list", [("set", "spec", 1, "v")], "spec:\n- a\n- b # b\n- c\n", "spec:\n- a\n- v # b\n- c\n"),
    ("in-a-list-of-maps", [("set", "spec", 0, "n", 2)], "spec:\n- n: 1\n  m: 1\n", "spec:\n- n: 2\n  m: 1\n"),
    (
        "in-a-nested-list",
        [("set", "spec", 0, 1, "v")],
        "spec:\n- - a\n  - b\n- c\n",
        "spec:\n- - a\n  - v\n- c\n",
    ),
    ("behind-bare-dash", [("set", "spec", 0, "n", 2)], "spec:\n-\n  n: 1\n", "spec:\n-\n  n: 2\n"),
    ("twice", [("set", "spec", "n", 2), ("set", "spec", "n", 3)], "spec:\n  n: 1\n", "spec:\n  n: 3\n"),
    ("back-again", [("set", "spec", "n", 2), ("set", "spec", "n", 1)], "spec:\n  n: 1 # x\n", SAME),
]

ADDING: list[Case] = [
    ("at-the-end", [("set", "spec", "b", 2)], "spec:\n  a: 1\n", "spec:\n  a: 1\n  b: 2\n"),
    (
        "before-next-key",
        [("set", "spec", "b", 2)],
        "spec:\n  a: 1\nstatus: {}\n",
        "spec:\n  a: 1\n  b: 2\nstatus: {}\n",
    ),
    ("at-root", [("set", "spec", 1)], "data:\n  a: 1\n", "data:\n  a: 1\nspec: 1\n"),
    ("makes-parents", [("set", "spec", "a", "b", 2)], "", "spec:\n  a:\n    b: 2\n"),
    (
        "makes-parents-inside",
        [("set", "spec", "b", "c", 2)],
        "spec:\n  a: 1\n",
        "spec:\n  a: 1\n  b:\n    c: 2\n",
    ),
    ("null-parent", [("set", "spec", "a", 2)], "spec:\nstatus: 1\n", "spec:\n  a: 2\nstatus: 1\n"),
    (
        "null-parent-spelled",
        [("set", "spec", "a", 2)],
        "spec: null # x\nstatus: 1\n",
        "spec: # x\n  a: 2\nstatus: 1\n",
    ),
    (
        "null-parent-comment",
        [("set", "spec", "a", 2)],
        "spec: # x\nstatus: 1\n",
        "spec: # x\n  a: 2\nstatus: 1\n",
    ),
    ("empty-map-parent", [("set", "spec", "a", 2)], "spec: {}\nstatus: 1\n", "spec:\n  a: 2\nstatus: 1\n"),
    ("empty-map-parent-comment", [("set", "spec", "a", 2)], "spec: {} # x\n", "spec: # x\n  a: 2\n"),
    ("empty-map-end-of-text", [("set", "spec", "a", 2)], "spec: {}", "spec:\n  a: 2"),
    (
        "deep-in-null",
        [("set", "spec", "a", "b", "c", 2)],
        "spec:\n  a:\n  z: 1\n",
        "spec:\n  a:\n    b:\n      c: 2\n  z: 1\n",
    ),
    (
        "indent-of-the-parent",
        [("set", "spec", "a", "c", 2)],
        "spec:\n    a:\n        b: 1\n",
        "spec:\n    a:\n        b: 1\n        c: 2\n",
    ),
    (
        "behind-a-list",
        [("set", "spec", "b", 2)],
        "spec:\n  a:\n  - x\nstatus: 1\n",
        "spec:\n  a:\n  - x\n  b: 2\nstatus: 1\n",
    ),
    (
        "behind-a-block",
        [("set", "spec", "b", 2)],
        "spec:\n  a: |\n    x\nstatus: 1\n",
        "spec:\n  a: |\n    x\n  b: 2\nstatus: 1\n",
    ),
    (
        "behind-flow",
        [("set", "spec", "b", 2)],
        "spec:\n  a: {x: [1,\n    2]} # f\n",
        "spec:\n  a: {x: [1,\n    2]} # f\n  b: 2\n",
    ),
    (
        "behind-its-comments",
        [("set", "spec", "b", 2)],
        "spec:\n  a: 1\n    # deeper\n# up\n",
        "spec:\n  a: 1\n    # deeper\n  b: 2\n# up\n",
    ),
    (
        "before-a-blank-line",
        [("set", "spec", "b", 2)],
        "spec:\n  a: 1\n\nstatus: 1\n",
        "spec:\n  a: 1\n  b: 2\n\nstatus: 1\n",
    ),
    (
        "in-a-list-entry",
        [("set", "spec", 0, "b", 2)],
        "spec:\n- a: 1\n- c: 1\n",
        "spec:\n- a: 1\n  b: 2\n- c: 1\n",
    ),
    (
        "in-a-wide-list-entry",
        [("set", "spec", 0, "b", 2)],
        "spec:\n  -   a: 1\n",
        "spec:\n  -   a: 1\n      b: 2\n",
    ),
    (
        "odd-keys",
        [("set", "spec", "012", 1), ("set", "spec", "y", 2)],
        "spec:\n  a: 1\n",
        'spec:\n  a: 1\n  "012": 1\n  "y": 2\n',
    ),
    ("map", [("set", "spec", {"a": {"b": 1}, "c": []})], "spec: 1\n", "spec:\n  a:\n    b: 1\n  c: []\n"),
    (
        "map-for-map",
        [("set", "spec", {"c": 1})],
        "spec:\n  a: 1 # x\n  b: 2\nstatus: 1\n",
        "spec:\n  c: 1\nstatus: 1\n",
    ),
    (
        "map-for-block",
        [("set", "spec", {"c": 1})],
        "spec: |\n  a\n  b\nstatus: 1\n",
        "spec:\n  c: 1\nstatus: 1\n",
    ),
    ("map-for-flow", [("set", "spec", {"c": 1})], "spec: {a: 1, b: 2} # x\n", "spec: # x\n  c: 1\n"),
    (
        "map-for-lines",
        [("set", "spec", {"c": 1})],
        'spec: "a\n  b"\nstatus: 1\n',
        "spec:\n  c: 1\nstatus: 1\n",
    ),
    ("scalar-for-map", [("set", "spec", "x")], "spec:\n  a: 1\n  b: 2\nstatus: 1\n", "spec: x\nstatus: 1\n"),
    ("empty-for-map", [("set", "spec", {})], "spec:\n  a: 1\nstatus: 1\n", "spec: {}\nstatus: 1\n"),
    (
        "list-for-map",
        [("set", "spec", ["a", {"b": 1}])],
        "spec:\n  a: 1\nstatus: 1\n",
        "spec:\n- a\n- b: 1\nstatus: 1\n",
    ),
    (
        "map-in-list",
        [("set", "spec", 0, {"x": 1, "z": 2})],
        "spec:\n- a: 1\n- b: 2\n",
        "spec:\n- x: 1\n  z: 2\n- b: 2\n",
    ),
    (
        "map-for-list-scalar",
        [("set", "spec", 1, {"x": 1})],
        "spec:\n- a\n- b # b\n- c\n",
        "spec:\n- a\n- x: 1\n- c\n",
    ),
    ("empty-entry", [("set", "spec", 1, "x", 1)], "spec:\n- a\n-\n- c\n", "spec:\n- a\n- x: 1\n- c\n"),
    ("empty-entry-scalar", [("set", "spec", 1, "b")], "spec:\n- a\n-\n- c\n", "spec:\n- a\n- b\n- c\n"),
    (
        "two",
        [("set", "spec", "b", 2), ("set", "spec", "c", 3)],
        "spec:\n  a: 1\n",
        "spec:\n  a: 1\n  b: 2\n  c: 3\n",
    ),
    (
        "into-what-was-added",
        [("set", "spec", "b", {"x": 1}), ("set", "spec", "b", "z", 2)],
        "spec:\n  a: 1\n",
        "spec:\n  a: 1\n  b:\n    x: 1\n    z: 2\n",
    ),
    (
        "multi-line-string",
        [("set", "spec", "s", "a\nb\n")],
        "spec:\n  a: 1\n",
        "spec:\n  a: 1\n  s: |\n    a\n    b\n",
    ),
    (
        "multi-line-stripped",
        [("set", "spec", "s", "a\n\nb")],
        "spec:\n  a: 1\n",
        "spec:\n  a: 1\n  s: |-\n    a\n\n    b\n",
    ),
    (
        "update",
        [("merge", {("spec", "a"): 2, ("spec", "b"): 3, ("spec", "c"): None})],
        "spec:\n  a: 1 # a\n  c: 1\n",
        "spec:\n  a: 2 # a\n  b: 3\n",
    ),
    ("update-same", [("merge", {("spec", "a"): 1, ("spec", "z"): None})], "spec:\n  a: 1 # a\n", SAME),
    ("update-all-gone", [("merge", {("spec", "a"): None})], "spec:\n  a: 1\nstatus: 1\n", "status: 1\n"),
    ("update-absent", [("merge", {("spec", "a"): 1})], "status: 1\n", "status: 1\nspec:\n  a: 1\n"),
    (
        "update-deep",
        [("merge", {("spec", "a", "b"): 1, ("spec", "a", "c"): None, ("x",): 2})],
        "spec:\n  a:\n    c: 1 # c\n    d: 1\nx: 1\n",
        "spec:\n  a:\n    d: 1\n    b: 1\nx: 2\n",
    ),
    (
        "update-replaces",
        [("merge", {("spec", "a", "b"): 1, ("spec", "a", "c"): None})],
        "spec:\n  a:\n    c: 1 # c\n",
        "spec:\n  a:\n    b: 1\n",
    ),
    (
        "update-null",
        [("merge", {("spec", "a", "b"): 1})],
        "spec:\n  a: # x\n  c: 1\n",
        "spec:\n  a: # x\n    b: 1\n  c: 1\n",
    ),
    ("update-map", [("merge", {("spec", "a"): {"b": 1}})], "spec:\n  a: 1\n", "spec:\n  a:\n    b: 1\n"),
    ("update-nothing", [("merge", {("spec", "x", "a"): None})], "spec: {}\n", SAME),
]

REMOVING: list[Case] = [
    ("first", [("remove", "spec", "a")], "spec:\n  a: 1\n  b: 2\n", "spec:\n  b: 2\n"),
    ("last", [("remove", "spec", "b")], "spec:\n  a: 1\n  b: 2\nstatus: 1\n", "spec:\n  a: 1\nstatus: 1\n"),
    (
        "middle",
        [("remove", "spec", "b")],
        "spec:\n  a: 1\n  b:\n    c: 1\n  d: 1\n",
        "spec:\n  a: 1\n  d: 1\n",
    ),
    (
        "only-takes-parents",
        [("remove", "spec", "a", "b")],
        "spec:\n  a:\n    b: 1\nstatus: 1\n",
        "status: 1\n",
    ),
    ("only-but-one", [("remove", "spec", "a", "b")], "spec:\n  a:\n    b: 1\n  c: 1\n", "spec:\n  c: 1\n"),
    ("absent", [("remove", "spec", "x", "y")], "spec:\n  a: 1 # x\n", SAME),
    ("absent-in-scalar", [("remove", "spec", "a", "y")], "spec:\n  a: 1\n", SAME),
    (
        "trailing-comment-goes",
        [("remove", "spec", "a")],
        "spec:\n  a: 1 # x\n  b: 2 # y\n",
        "spec:\n  b: 2 # y\n",
    ),
    ("block", [("remove", "spec", "a")], "spec:\n  a: |\n    x\n\n    y\n  b: 2\n", "spec:\n  b: 2\n"),
    (
        "flow-over-lines",
        [("remove", "spec", "a")],
        "spec:\n  a: {x: 1,\n    y: 2}\n  b: 2\n",
        "spec:\n  b: 2\n",
    ),
    ("quoted-over-lines", [("remove", "spec", "a")], 'spec:\n  a: "x\n\n    y"\n  b: 2\n', "spec:\n  b: 2\n"),
    ("empty-value", [("remove", "spec", "a")], "spec:\n  a:\n  b: 2\n", "spec:\n  b: 2\n"),
    ("end-of-text", [("remove", "spec", "b")], "spec:\n  a: 1\n  b: 2", "spec:\n  a: 1"),
    ("list-first", [("remove", "spec", 0)], "spec:\n- a\n- b\n", "spec:\n- b\n"),
    ("list-last", [("remove", "spec", 1)], "spec:\n- a\n- b\nstatus: 1\n", "spec:\n- a\nstatus: 1\n"),
    ("list-only", [("remove", "spec", "l", 0)], "spec:\n  l:\n  - a\n  m: 1\n", "spec:\n  m: 1\n"),
    ("list-of-maps", [("remove", "spec", 0)], "spec:\n- a: 1\n  b: 2\n- c: 3\n", "spec:\n- c: 3\n"),
    ("list-twice", [("remove", "spec", 2), ("remove", "spec", 0)], "spec:\n- a\n- b\n- c\n", "spec:\n- b\n"),
    ("key-behind-dash", [("remove", "spec", 0, "a")], "spec:\n- a: 1\n  b: 2\n", "spec:\n- b: 2\n"),
    (
        "key-behind-dash-block",
        [("remove", "spec", 0, "a")],
        "spec:\n- a:\n    x: 1\n  b: 2\n",
        "spec:\n- b: 2\n",
    ),
    ("nested-list-first", [("remove", "spec", 0, 0)], "spec:\n- - a\n  - b\n- c\n", "spec:\n- - b\n- c\n"),
    (
        "added-again",
        [("remove", "spec", "a"), ("set", "spec", "a", 3)],
        "spec:\n  a: 1\n  b: 2\n",
        "spec:\n  a: 3\n  b: 2\n",
    ),
    ("what-was-added", [("set", "spec", "c", 1), ("remove", "spec", "c")], "spec:\n  a: 1\n", SAME),
    (
        "then-siblings",
        [("remove", "spec", "a"), ("set", "spec", "b", 3)],
        "spec:\n  a: 1\n  b: 2\n",
        "spec:\n  b: 3\n",
    ),
    (
        "comment-below-stays",
        [("remove", "spec", "b")],
        "spec:\n  a: 1\n  b: 2\n# status\nstatus: 1\n",
        "spec:\n  a: 1\n# status\nstatus: 1\n",
    ),
]

LISTS: list[Case] = [
    ("compact", [("append", "spec", "b")], "spec:\n- a\nstatus: 1\n", "spec:\n- a\n- b\nstatus: 1\n"),
    ("wide", [("append", "spec", "b")], "spec:\n  - a\nstatus: 1\n", "spec:\n  - a\n  - b\nstatus: 1\n"),
    (
        "wide-4",
        [("append", "spec", {"x": 1, "z": 2})],
        "spec:\n    - a: 1\n",
        "spec:\n    - a: 1\n    - x: 1\n      z: 2\n",
    ),
    ("map", [("append", "spec", {"x": 1, "z": [2]})], "spec:\n- a\n", "spec:\n- a\n- x: 1\n  z:\n  - 2\n"),
    ("map-wide", [("append", "spec", {"x": [1]})], "spec:\n  - a\n", "spec:\n  - a\n  - x:\n      - 1\n"),
    (
        "new-follows-others-wide",
        [("append", "spec", "l", "b")],
        "spec:\n  k:\n    - a\n",
        "spec:\n  k:\n    - a\n  l:\n    - b\n",
    ),
    (
        "new-follows-others",
        [("append", "spec", "l", "b")],
        "spec:\n  k:\n  - a\n",
        "spec:\n  k:\n  - a\n  l:\n  - b\n",
    ),
    ("absent", [("append", "spec", "l", "b")], "", "spec:\n  l:\n  - b\n"),
    ("null", [("append", "spec", "b")], "spec: null\n", "spec:\n- b\n"),
    ("null-in-map", [("append", "spec", "l", "b")], "spec:\n  l: ~ # x\n", "spec:\n  l: # x\n  - b\n"),
    ("empty", [("append", "spec", "b")], "spec: [] # x\nstatus: 1\n", "spec: # x\n- b\nstatus: 1\n"),
    ("empty-parent", [("append", "spec", "l", "b")], "spec: {}\n", "spec:\n  l:\n  - b\n"),
    (
        "comment-behind-last",
        [("append", "spec", "b")],
        "spec:\n- a # x\n# y\nstatus: 1\n",
        "spec:\n- a # x\n- b\n# y\nstatus: 1\n",
    ),
    (
        "deeper-comment",
        [("append", "spec", "b")],
        "spec:\n- a\n  # a too\nstatus: 1\n",
        "spec:\n- a\n  # a too\n- b\nstatus: 1\n",
    ),
    ("end-of-text", [("append", "spec", "b")], "spec:\n- a", "spec:\n- a\n- b"),
    ("twice", [("append", "spec", "b"), ("append", "spec", "c")], "spec:\n- a\n", "spec:\n- a\n- b\n- c\n"),
    (
        "behind-block",
        [("append", "spec", "b")],
        "spec:\n- |\n  a\nstatus: 1\n",
        "spec:\n- |\n  a\n- b\nstatus: 1\n",
    ),
    ("nested", [("append", "spec", 0, "b")], "spec:\n- - a\n- c\n", "spec:\n- - a\n  - b\n- c\n"),
    (
        "into-removed",
        [("remove", "spec", 0), ("append", "spec", "b")],
        "spec:\n- a\n- c\n",
        "spec:\n- c\n- b\n",
    ),
    ("one-list", [("set", "spec", ["a", "b"])], "spec:\n- a # x\n- b\n", SAME),
    ("arrange-same", [("arrange", "spec", [Stays(0), Stays(1)])], "spec:\n- a # x\n- b\n", SAME),
    (
        "arrange-swapped",
        [("arrange", "spec", [Stays(1), Stays(0)])],
        "spec:\n# all\n- a: 1 # x\n  b: 2\n# of c\n- c: 'd'\n  # deep\n# end\nstatus: 1\n",
        "spec:\n# all\n# of c\n- c: 'd'\n  # deep\n- a: 1 # x\n  b: 2\n# end\nstatus: 1\n",
    ),
    (
        "arrange-new-first",
        [("arrange", "spec", ["n", Stays(0)])],
        "spec:\n  - a # x\n",
        'spec:\n  - "n"\n  - a # x\n',
    ),
    (
        "arrange-new-between",
        [("arrange", "spec", [Stays(0), {"n": [1]}, Stays(1)])],
        "spec:\n- a # x\n# of b\n- b\n",
        'spec:\n- a # x\n- "n":\n  - 1\n# of b\n- b\n',
    ),
    (
        "arrange-gone-and-new",
        [("arrange", "spec", [Stays(2), "n", Stays(0)])],
        "spec:\n- a\n# of b\n- b\n- c\nstatus: 1\n",
        'spec:\n# of b\n- c\n- "n"\n- a\nstatus: 1\n',
    ),
    ("arrange-one-for-one", [("arrange", "spec", [Stays(0), "x"])], "spec:\n- a\n- 'b' # y\n", "spec:\n- a\n- 'x' # y\n"),
    (
        "arrange-after-an-edit",
        [("set", "spec", 1, "k", 2), ("arrange", "spec", [Stays(1), Stays(0)])],
        "spec:\n- a\n- k: 1 # y\n  l: 1\n",
        "spec:\n- k: 2 # y\n  l: 1\n- a\n",
    ),
    (
        "arrange-behind-a-dash",
        [("arrange", "spec", 0, [Stays(1), Stays(0), "n"])],
        "spec:\n- - a # x\n  - b: 1\n    c: 2\n- d\n",
        'spec:\n- - b: 1\n    c: 2\n  - a # x\n  - "n"\n- d\n',
    ),
    ("arrange-end-of-text", [("arrange", "spec", [Stays(1), Stays(0)])], "spec:\n- a\n- b", "spec:\n- b\n- a"),
    ("arrange-null", [("arrange", "spec", ["b"])], "spec: null\n", "spec:\n- b\n"),
]

FLOW: list[Case] = [
    ("set", [("set", "spec", "a", 2)], "spec: {a: 1, b: 1} # x\n", "spec: {a: 2, b: 1} # x\n"),
    ("add", [("set", "spec", "c", 2)], "spec: {a: 1, b: 1} # x\n", "spec: {a: 1, b: 1, c: 2} # x\n"),
    ("add-spaced", [("set", "spec", "c", 2)], "spec: { a: 1 }\n", "spec: { a: 1, c: 2 }\n"),
    ("add-no-blanks", [("set", "spec", "c", 2)], "spec: {a: 1,b: 1}\n", "spec: {a: 1,b: 1,c: 2}\n"),
    (
        "add-over-lines",
        [("set", "spec", "c", 2)],
        "spec: {\n  a: 1,\n  b: 1\n  }\n",
        "spec: {\n  a: 1,\n  b: 1,\n  c: 2\n  }\n",
    ),
    ("add-map", [("set", "spec", "c", {"x": "v"})], "spec: {a: 1}\n", "spec: {a: 1, c: {x: v}}\n"),
    ("add-odd-string", [("set", "spec", "c", "a, b")], "spec: {a: 1}\n", 'spec: {a: 1, c: "a, b"}\n'),
    ("remove-first", [("remove", "spec", "a")], "spec: {a: 1, b: 1}\n", "spec: {b: 1}\n"),
    ("remove-last", [("remove", "spec", "b")], "spec: {a: 1, b: 1}\n", "spec: {a: 1}\n"),
    ("remove-only", [("remove", "spec", "a")], "spec: {a: 1}\nstatus: 1\n", "status: 1\n"),
    ("trailing-comma", [("set", "spec", "c", 2)], "spec: {a: 1,}\n", "spec: {a: 1, c: 2,}\n"),
    ("key-alone", [("set", "spec", "b", 2)], "spec: {a, b: 1}\n", "spec: {a, b: 2}\n"),
    (
        "deep",
        [("set", "spec", "a", "b", 2)],
        "spec: {a: {b: 1}, c: [1, 2]}\n",
        "spec: {a: {b: 2}, c: [1, 2]}\n",
    ),
    ("deep-new", [("set", "spec", "a", "b", "c", 2)], "spec: {a: {}}\n", "spec: {a: {b: {c: 2}}}\n"),
    ("null", [("set", "spec", "a", "b", 2)], "spec: {a: null, c: 1}\n", "spec: {a: {b: 2}, c: 1}\n"),
    ("empty", [("set", "spec", "a", 2)], "spec: {a: , c: 1}\n", "spec: {a:  2, c: 1}\n"),
    ("list-append", [("append", "spec", "c")], "spec: [a, b] # x\n", "spec: [a, b, c] # x\n"),
    ("list-append-map", [("append", "spec", {"a": 1})], "spec: [{b: 1}]\n", "spec: [{b: 1}, {a: 1}]\n"),
    ("list-remove", [("remove", "spec", 0)], "spec: [a, b, c]\n", "spec: [b, c]\n"),
    ("list-remove-last", [("remove", "spec", 2)], "spec: [a, b, c]\n", "spec: [a, b]\n"),
    (
        "list-arrange",
        [("arrange", "spec", [Stays(2), "n", Stays(0)])],
        "spec: [a, 'b',  c] # x\n",
        'spec: [c, "n", a] # x\n',
    ),
    ("list-set", [("set", "spec", 1, "x")], "spec: [a, 'b', c]\n", "spec: [a, x, c]\n"),
    (
        "list-in-block",
        [("append", "spec", "l", "c")],
        "spec:\n  l: [a]\n  m: 1\n",
        "spec:\n  l: [a, c]\n  m: 1\n",
    ),
    (
        "keeps-comments",
        [("set", "spec", "b", 2)],
        "spec: {a: 1, # x\n  b: 1, # y\n  c: 1}\n",
        "spec: {a: 1, # x\n  b: 2, # y\n  c: 1}\n",
    ),
    (
        "append-behind-comment",
        [("append", "spec", "c")],
        "spec: [a, # x\n  b # y\n  ]\n",
        "spec: [a, # x\n  b,\n  c # y\n  ]\n",
    ),
]

TABLES = {"scalar": SCALARS, "add": ADDING, "remove": REMOVING, "list": LISTS, "flow": FLOW}
CASES = [
    pytest.param(operations, before, before if after == SAME else after, id=f"{group}-{name}")
    for group, table in TABLES.items()
    for name, operations, before, after in table
]

CASE_OPERATIONS = {
    f"{group}-{name}": operations for group, table in TABLES.items() for name, operations, _, _ in table
}


def perform(obj: KubeObject, operations: list[Operation]) -> None:
    """Do each operation."""
    for method, *arguments in operations:
        getattr(obj, f"{method}_nested")(*arguments)


@pytest.mark.parametrize(("operations", "before", "after"), CASES)
def test_edit(operations: list[Operation], before: str, after: str) -> None:
    """The text after an edit is exactly this: only what the edit concerns is written."""
    obj = KubeObject(HEAD + before)
    perform(obj, operations)
    assert obj.text == HEAD + after
    assert not obj.normalised
    if "\t" not in before:  # ruamel.yaml reads no tab behind a colon
        assert len(read_twice(obj.text)[0]) == len(read_twice(obj.text)[1]) == 1


@pytest.mark.parametrize(("operations", "before", "after"), CASES)
def test_edit_of_an_item(operations: list[Operation], before: str, after: str) -> None:
    """The same edit in an item of a list gives the same lines, shifted."""

    def as_item(text: str, indent: str) -> str:
        lines = (HEAD + text).split("\n")
        return "\n".join(
            (indent + "- " if not i else indent + "  " if line else "") + line for i, line in enumerate(lines)
        )

    for indent in ("", "  "):
        obj = KubeObject(as_item(before, indent))
        perform(obj, operations)
        assert obj.text == as_item(after, indent)


@pytest.mark.parametrize(("operations", "before", "after"), CASES)
def test_edit_with_crlf(operations: list[Operation], before: str, after: str) -> None:
    """Text with CRLF gets no bare newline, and stays the same otherwise."""
    obj = KubeObject((HEAD + before).replace("\n", "\r\n"))
    perform(obj, operations)
    assert obj.text == (HEAD + after).replace("\n", "\r\n")


def is_repeatable(operations: list[Operation]) -> bool:
    """Whether doing the operations a second time is meant to change nothing."""
    if any(
        method in ("append", "arrange") or (method == "remove" and type(path[-1]) is int) for method, *path in operations
    ):
        return False
    return len({operation[1:-1] for operation in operations}) == len(operations)


@pytest.mark.parametrize(
    ("operations", "before", "after"),
    [each for each in CASES if is_repeatable(CASE_OPERATIONS[str(each.id)])],
)
def test_edit_again(operations: list[Operation], before: str, after: str) -> None:
    """An edit that sets what is there changes no byte."""
    obj = KubeObject(HEAD + after)
    perform(obj, operations)
    assert obj.text == HEAD + after
    assert before or after


@pytest.mark.parametrize(("operations", "before", "after"), CASES)
def test_edit_of_a_clone(operations: list[Operation], before: str, after: str) -> None:
    """A clone takes the same edit and leaves its original alone; edits of one clone never show in another."""
    original = KubeObject(HEAD + before)
    first, second = original.clone("b"), original.clone("c")
    perform(first, operations)
    assert first.text == (HEAD + after).replace("name: a", "name: b")
    assert second.text == (HEAD + before).replace("name: a", "name: c")
    assert original.text == HEAD + before
    third = first.clone("d")
    perform(original, operations)
    assert original.text == HEAD + after
    assert third.text == (HEAD + after).replace("name: a", "name: d")


@pytest.mark.parametrize(("operations", "before", "after"), CASES)
def test_edit_in_steps(operations: list[Operation], before: str, after: str) -> None:
    """Reading the text between edits, or settling them, changes nothing about the next one."""
    looked = KubeObject(HEAD + before)
    for operation in operations:
        perform(looked, [operation])
        assert looked.text == looked.text
    assert looked.text == HEAD + after


JSON_CASES: list[tuple[str, list[Operation], str, str]] = [
    ("set", [("set", "spec", "n", 2)], '{"spec": {"n": 1, "m": 1}}', '{"spec": {"n": 2, "m": 1}}'),
    ("string", [("set", "spec", "n", "plain")], '{"spec": {"n": 1}}', '{"spec": {"n": "plain"}}'),
    (
        "add",
        [("set", "spec", "k", {"a": [True, None, 1.5]})],
        '{"spec": {"n": 1}}',
        '{"spec": {"n": 1, "k": {"a": [true, null, 1.5]}}}',
    ),
    (
        "add-no-blanks",
        [("set", "spec", "k", "v")],
        '{"spec":{"n":1,"m":1}}',
        '{"spec":{"n":1,"m":1,"k": "v"}}',
    ),
    ("empty", [("set", "spec", "k", "v")], '{"spec": {}}', '{"spec": {"k": "v"}}'),
    ("null", [("append", "spec", "k", "v")], '{"spec": {"k": null}}', '{"spec": {"k": ["v"]}}'),
    ("append", [("append", "spec", "v")], '{"spec": ["a", "b"]}', '{"spec": ["a", "b", "v"]}'),
    ("arrange", [("arrange", "spec", [Stays(1), "v"])], '{"spec": ["a",  "b"]}', '{"spec": ["b",  "v"]}'),
    ("remove", [("remove", "spec", "n")], '{"spec": {"n": 1, "m": 1}}', '{"spec": {"m": 1}}'),
    ("remove-only", [("remove", "spec", "n")], '{"spec": {"n": 1}, "x": 1}', '{"x": 1}'),
    (
        "escapes",
        [("set", "spec", "k", 'a"b\\c\n\u2028\u00e9\U0001f600')],
        '{"spec": {"k": 1}}',
        '{"spec": {"k": "a\\"b\\\\c\\n\\u2028\u00e9\U0001f600"}}',
    ),
    ("escaped-key", [("set", "spec", "ab", 2)], '{"spec": {"a\\u0062": 1}}', '{"spec": {"a\\u0062": 2}}'),
    (
        "indented",
        [("set", "spec", "k", 2)],
        '{\n  "spec": {\n    "n": 1\n  }\n}',
        '{\n  "spec": {\n    "n": 1,\n    "k": 2\n  }\n}',
    ),
    (
        "indented-tabs",
        [("set", "spec", "k", 2)],
        '{\n\t"spec": {\n\t\t"n": 1\n\t}\n}',
        '{\n\t"spec": {\n\t\t"n": 1,\n\t\t"k": 2\n\t}\n}',
    ),
]


@pytest.mark.parametrize(
    ("operations", "before", "after"), [c[1:] for c in JSON_CASES], ids=[c[0] for c in JSON_CASES]
)
def test_edit_of_json(operations: list[Operation], before: str, after: str) -> None:
    """JSON stays JSON, laid out as it was."""
    head = '{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}, '
    obj = KubeObject(head + before[1:])
    perform(obj, operations)
    assert obj.text == head + after[1:]


def doc(text: str) -> str:
    """Return HEAD and a dedented text."""
    return HEAD + dedent(text)


def test_kpt_set_goes_from_a_clone() -> None:
    """A field of a clone that was set loses its setter, which would set it back; others and the original keep it."""
    text = doc("""\
        spec:
          replicas: 3 # kpt-set: ${replicas}
          image: web:1 # kpt-set: web:${tag}
          pause: 1 # {"$imagepolicy": "ns:web"}
        """)
    original = KubeObject(text)
    clone = original.clone("b")
    clone.set_nested("spec", "replicas", 1)
    clone.set_nested("spec", "pause", 2)
    expected = (
        text.replace("3 # kpt-set: ${replicas}", "1")
        .replace("pause: 1", "pause: 2")
        .replace("name: a", "name: b")
    )
    assert clone.text == expected
    original.set_nested("spec", "replicas", 1)
    assert original.text == text.replace("replicas: 3", "replicas: 1")


def test_kpt_set_stays_where_nothing_changed() -> None:
    """A setter on a clone's field that already has the value stays."""
    text = doc("spec:\n  replicas: 3 # kpt-set: ${replicas}\n")
    clone = KubeObject(text).clone("b")
    clone.set_nested("spec", "replicas", 3)
    assert clone.text == text.replace("name: a", "name: b")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_kpt_merge_goes_from_a_clone(newline: str) -> None:
    """``# kpt-merge`` tells kpt which upstream object this is: a clone is none."""
    text = "apiVersion: v1\nkind: A\nmetadata: # kpt-merge: ns/a\n  name: a\nspec: {} # mine\n".replace(
        "\n", newline
    )
    original = KubeObject(text)
    assert original.clone("b").text == text.replace(" # kpt-merge: ns/a", "").replace("name: a", "name: b")
    assert original.text == text


def test_kpt_merge_in_a_value_stays() -> None:
    """What looks like the comment inside of a string is text."""
    text = doc('data:\n  k: "a # kpt-merge: x"\n  l: |\n    b # kpt-merge: y\n')
    clone = KubeObject(text).clone("b")
    assert clone.get("data") == {"k": "a # kpt-merge: x", "l": "b # kpt-merge: y\n"}
    assert read_twice(clone.text)[0][0]["data"] == clone.get("data")


def test_head_comments_stay_with_one_clone() -> None:
    """Comments above the first key are about the original; inner ones go to every clone."""
    text = "# licence\n\n# about a\n" + HEAD + "spec: 1 # x\n"
    original = KubeObject(text)
    assert original.clone("b").text == (HEAD + "spec: 1 # x\n").replace("name: a", "name: b")
    assert original.clone("b", keep_head_comments=True).text == text.replace("name: a", "name: b")


@pytest.mark.parametrize("start", ["", "- "])
def test_head_comments_above_flow_style(start: str) -> None:
    """Where an object starts with a brace, what stays with one clone ends at the brace, not at the first key."""
    json = '{"kind": "A", "metadata": {"name": "a"}}\n'
    original = KubeObject(f"# about a\n{start}{json}")
    clones = original.clones(["b", "c"], {})
    assert clones[0].text == f"# about a\n{start}{json}".replace('"a"', '"b"')
    assert clones[1].text == f"{start}{json}".replace('"a"', '"c"')
    assert original.clone("d").text == f"{start}{json}".replace('"a"', '"d"')


ANCHORED = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: &l {app: web} # labels
spec:
  defaultMode: 0644
  selector:
    matchLabels: *l
  template:
    metadata:
      labels: *l
      annotations: {a: "yes", b: "0123", c: "1e3", d: 2024-01-01, e: 'n'}
    spec:
      containers:
      - &c
        name: one
        image: x # image
      - <<: *c
        name: two
"""


def test_alias_at_the_place_of_the_edit() -> None:
    """T14: a label added where an alias stands shows there alone; the object is written anew and says why."""
    obj = KubeObject(ANCHORED)
    zone = ("zonecast.dev/zone", "a")
    obj.set_nested("spec", "selector", "matchLabels", *zone)
    obj.set_nested("spec", "template", "metadata", "labels", *zone)
    assert "alias" in obj.normalised
    for data in (*read_twice(obj.text)[0], *read_twice(obj.text)[1]):
        assert data["metadata"]["labels"] == {"app": "web"}
        assert data["spec"]["selector"]["matchLabels"] == {"app": "web", "zonecast.dev/zone": "a"}
        assert data["spec"]["template"]["metadata"]["labels"] == {"app": "web", "zonecast.dev/zone": "a"}
        assert data["spec"]["template"]["spec"]["containers"] == [
            {"name": "one", "image": "x"},
            {"name": "two", "image": "x"},
        ]
    for text in (
        "# labels",
        "# image",
        "defaultMode: 0644",
        'a: "yes"',
        'b: "0123"',
        'c: "1e3"',
        "d: 2024-01-01",
        "e: 'n'",
    ):
        assert text in obj.text
    assert "&" not in obj.text
    assert "*" not in obj.text


def test_anchored_text_elsewhere_is_spliced() -> None:
    """Anchors away from the edit stay as they are: no fall-back."""
    obj = KubeObject(ANCHORED)
    obj.set_nested("spec", "replicas", 3)
    obj.set_annotation("a", "b")
    expected = ANCHORED.replace("# labels\n", "# labels\n  annotations:\n    a: b\n") + "  replicas: 3\n"
    assert (obj.text, obj.normalised) == (expected, "")


def test_clones_of_an_anchored_object_are_independent() -> None:
    """T14: what one clone gets in the place of an alias no other clone has."""
    original = KubeObject(ANCHORED)
    clones = [original.clone(f"web-{zone}") for zone in "abc"]
    for clone, zone in zip(clones, "abc"):
        clone.set_nested("spec", "selector", "matchLabels", "zone", zone)
    for clone, zone in zip(clones, "abc"):
        assert read_twice(clone.text)[0][0]["spec"]["selector"]["matchLabels"] == {"app": "web", "zone": zone}
    assert original.text == ANCHORED


UNSAFE = {
    "anchor-in-use": ("a: &x {k: 1}\nb: *x\n", ("set", "a", "k", 2), {"a": {"k": 2}, "b": {"k": 1}}),
    "anchored-scalar-in-use": ("a: &x 1\nb: *x\n", ("set", "a", 2), {"a": 2, "b": 1}),
    "anchored-scalar-removed": ("a: &x 1\nb: *x\n", ("remove", "a"), {"b": 1}),
    "anchor-inside-what-goes": ("a: {b: [&x 1]}\nb: *x\n", ("remove", "a"), {"b": 1}),
    "anchored-list": ("a: &x [1]\nb: *x\n", ("append", "a", 2), {"a": [1, 2], "b": [1]}),
    "anchored-list-arranged": ("a: &x [1, 2]\nb: *x\n", ("arrange", "a", [Stays(1)]), {"a": [2], "b": [1, 2]}),
    "anchored-entry-goes": ("a: [&x 1, 2]\nb: *x\n", ("arrange", "a", [Stays(1)]), {"a": [2], "b": 1}),
    "alias-of-list": ("a: &x [1]\nb: *x\n", ("append", "b", 2), {"a": [1], "b": [1, 2]}),
    "alias-of-map": ("a: &x {k: 1}\nb: *x\n", ("set", "b", "k", 2), {"a": {"k": 1}, "b": {"k": 2}}),
    "merge": (
        "a: &x {k: 1}\nb:\n  <<: *x\n  l: 1\n",
        ("set", "b", "k", 2),
        {"a": {"k": 1}, "b": {"k": 2, "l": 1}},
    ),
    "merge-remove": (
        "a: &x {k: 1}\nb:\n  <<: *x\n  l: 1\n",
        ("remove", "b", "k"),
        {"a": {"k": 1}, "b": {"l": 1}},
    ),
    "merge-list": (
        "a: &x {k: 1}\nb: &y {k: 2, m: 3}\nc:\n  <<: [*x, *y]\n",
        ("set", "c", "l", 2),
        {"a": {"k": 1}, "b": {"k": 2, "m": 3}, "c": {"k": 1, "m": 3, "l": 2}},
    ),
    "merge-inline": ("b:\n  <<: {k: 1}\n  l: 1\n", ("set", "b", "k", 2), {"b": {"k": 2, "l": 1}}),
    "merge-tagged": (
        "a: &x {k: 1}\nb:\n  !!merge <<: *x\n",
        ("set", "b", "l", 2),
        {"a": {"k": 1}, "b": {"k": 1, "l": 2}},
    ),
    "nested-alias": (
        "a: &x {k: &y [1]}\nb: {c: *x, d: *y}\n",
        ("append", "b", "c", "k", 2),
        {"a": {"k": [1]}, "b": {"c": {"k": [1, 2]}, "d": [1]}},
    ),
    "tagged-map": ("a: !!map {k: 1}\n", ("set", "a", "k", 2), {"a": {"k": 2}}),
    "explicit-key": ("a:\n  ? k\n  : 1\n  l: 1\n", ("set", "a", "k", 2), {"a": {"k": 2, "l": 1}}),
}


@pytest.mark.parametrize("case", UNSAFE.values(), ids=UNSAFE)
def test_unsafe_edit(case: tuple[str, Operation, dict[str, Any]]) -> None:
    """What cannot be spliced safely gives the right data by a round trip, and the object says why it did."""
    before, operation, data = case
    obj = KubeObject(HEAD + "spec:\n" + "".join(f"  {line}\n" for line in before.splitlines()))
    method, *arguments = operation
    perform(obj, [(method, "spec", *arguments)])
    assert obj.normalised
    assert obj.get("spec") == data
    assert read_twice(obj.text)[1][0]["spec"] == data
    assert obj.text.startswith(HEAD)


UNEDITABLE = {
    "complex-key": ("? [a, b]\n: 1\n", "as a key"),
    "alias-key": ("a: &x k\n*x : 1\n", "as a key"),
    "foreign-alias": ("a: *nowhere\n", "anchor"),
    "custom-tag": ("a: !custom {k: 1}\n", "tag"),
}


@pytest.mark.parametrize("case", UNEDITABLE.values(), ids=UNEDITABLE)
def test_uneditable(case: tuple[str, str]) -> None:
    """What cannot be edited at all is an error that says why, not a guess."""
    text, message = case
    obj = KubeObject(HEAD + "spec:\n" + "".join(f"  {line}\n" for line in text.splitlines()))
    with pytest.raises(KrmError, match=message):
        obj.set_nested("spec", "a", "k", 2)


def test_nothing_left() -> None:
    """An object cannot be emptied."""
    obj = KubeObject("kind: A\n")
    with pytest.raises(ObjectError, match="nothing would be left"):
        obj.remove_nested("kind")
