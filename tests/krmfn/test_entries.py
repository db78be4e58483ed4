"""The text of one entry of a list, taken out and put back."""

from __future__ import annotations

import pytest

from krmfn import KubeObject
from krmfn.entries import entry_text, with_entry

TEXT = """\
kind: A
list:
  - a: 1   # one
    b:
      - 'x'
  # about two
  -   a: "2"
      # in two
      b: |
        c

        d
  - {a: 3, b: 4} # three
  -
    a: 4
flow: [{a: 1}, {a: '2'}]
"""
ENTRIES = [
    "- a: 1   # one\n  b:\n    - 'x'\n",
    '-   a: "2"\n    # in two\n    b: |\n      c\n\n      d\n',
    "- {a: 3, b: 4} # three\n",
    "-\n  a: 4\n",
]


@pytest.mark.parametrize("at", range(4))
def test_an_entry_as_if_it_stood_in_column_0(at: int) -> None:
    """Its comments and quotes are part of it, what stands above its dash is not."""
    assert entry_text(TEXT, ("list", at)) == ENTRIES[at]


@pytest.mark.parametrize("path", [("list", 0), ("list", 1), ("list", 2), ("list", 3), ("flow", 0), ("flow", 1)])
def test_an_entry_comes_back_to_the_letter(path: tuple[str | int, ...]) -> None:
    """Whatever was done to it in between, where it still means the same."""
    obj = KubeObject(TEXT)
    before, entry = obj.get(*path, "a"), entry_text(TEXT, path)
    obj.set_nested(*path, "a", "edited")
    obj.set_nested(*path, "a", before)
    with_entry(obj, path, entry)
    assert obj.text == TEXT


def test_in_another_column() -> None:
    """A host moved the list: the entry stands in the list's column."""
    moved = KubeObject("spec:\n    list:\n    - a: 1\n      b: [x]\n    - c\n")
    with_entry(moved, ("spec", "list", 0), ENTRIES[0])
    assert moved.text == "spec:\n    list:\n    - a: 1   # one\n      b:\n        - 'x'\n    - c\n"


@pytest.mark.parametrize(
    "entry", ["- a: 2\n", "- a: 1\n  b: [y]\n", "- a: [\n", "{a: 1}", "- a: 1\n  b: ['x']\n- more\n", ""]
)
def test_what_does_not_mean_the_same_changes_nothing(entry: str) -> None:
    """Another value, or no YAML at this place: the text stays."""
    obj = KubeObject(TEXT)
    with_entry(obj, ("list", 0), entry)
    assert obj.text == TEXT


@pytest.mark.parametrize("path", [("list", 9), ("kind", 0), ("nowhere", 0), ("list", "a")])
def test_no_such_entry(path: tuple[str | int, ...]) -> None:
    """There is no text, and nothing to put back."""
    obj = KubeObject(TEXT)
    assert entry_text(TEXT, path) == ""
    with_entry(obj, path, "- a\n")
    assert obj.text == TEXT


def test_a_line_to_the_left_of_its_dash() -> None:
    """The rest of a quoted scalar may stand anywhere: there is no column to move it to."""
    assert entry_text("list:\n  - 'a\n\n b'\n", ("list", 0)) == ""
