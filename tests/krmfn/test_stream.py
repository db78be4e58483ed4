"""A document stream is cut at its markers and put together again, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krmfn import InputError, KubeObject, ResourceList, run
from krmfn.stream import cut_stream

A = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"
B = A.replace(": a", ": b")
CONFIG = "apiVersion: x/v1\nkind: Config\nmetadata:\n  name: config\n"

STREAMS = {
    "one": (A, 1),
    "two": (A + "---\n" + B, 2),
    "marker-first": ("---\n" + A + "---\n" + B, 2),
    "marker-last": (A + "---\n", 1),
    "markers-everywhere": ("---\n---\n" + A + "---\n---\n" + B + "---\n---\n", 2),
    "comments": ("# head\n---\n# about a\n" + A + "# end of a\n---\n# about b\n" + B + "---\n# the end\n", 2),
    "comment-document": (A + "---\n# nothing\n---\n" + B, 2),
    "marker-comment": ("--- # first\n" + A + "--- # second\n" + B, 2),
    "marker-blank": ("---  \n" + A + "---\t\n" + B, 2),
    "end-marker": (A + "...\n---\n" + B + "...\n", 2),
    "directive": ("%YAML 1.1\n---\n" + A, 1),
    "crlf": ((A + "---\n" + B).replace("\n", "\r\n"), 2),
    "bom": ("\ufeff" + A + "---\n" + B, 2),
    "no-newline": (A + "---\n" + B.rstrip("\n"), 2),
    "blank-lines": ("\n\n" + A + "\n\n---\n\n" + B + "\n\n", 2),
    "marker-in-block": (A + "data:\n  k: |\n    ---\n    x\n---\n" + B, 2),
    "document-on-marker-line": ("--- {apiVersion: v1, kind: A, metadata: {name: a}}\n---\n" + B, 2),
    "dashes-in-comment": (A + "# ---\n#---\n---\n" + B, 2),
    "four-dashes": (A + "data:\n  k: ----\n---\n" + B, 2),
    "json": (
        (
            '{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}\n---\n{"apiVersion": "v1", "kind": "A"'
            ', "metadata": {"name": "b"}}\n'
        ),
        2,
    ),
    "empty": ("", 0),
    "only-comments": ("# nothing\n", 0),
    "only-markers": ("---\n---\n", 0),
    "resource-list-inside-text": (A + "data:\n  k: |\n    kind: ResourceList\n", 1),
}


def nothing(_resources: ResourceList) -> None:
    """Touch nothing."""


@pytest.mark.parametrize("case", STREAMS.values(), ids=STREAMS)
def test_untouched_stream(case: tuple[str, int]) -> None:
    """A stream goes out as it came."""
    text, count = case
    outcome = run(nothing, text, CONFIG)
    assert (outcome.code, outcome.stderr, outcome.stdout) == (0, "", text)
    assert len(ResourceList.read_stream(text)) == count


@pytest.mark.parametrize("case", STREAMS.values(), ids=STREAMS)
def test_added_objects_are_documents(case: tuple[str, int]) -> None:
    """Each object that is added is a document of its own, behind whatever stands at the end."""
    text, count = case

    def add(resources: ResourceList) -> None:
        resources.append({"apiVersion": "v1", "kind": "New", "metadata": {"name": "n1"}})
        if count:
            resources.append(resources.items[0].clone("n2"))

    outcome = run(add, text, CONFIG)
    again = ResourceList.read_stream(outcome.stdout)
    before = ResourceList.read_stream(text)
    assert [obj.id for obj in again][:count] == [obj.id for obj in before]
    assert [obj.name for obj in again][count:] == (["n1", "n2"] if count else ["n1"])


@pytest.mark.parametrize("case", STREAMS.values(), ids=STREAMS)
def test_removed_objects_leave_the_others(case: tuple[str, int]) -> None:
    """Without its first or last document a stream holds the others."""
    text, count = case
    for gone in range(count):
        resources = ResourceList.read_stream(text)
        left = [obj.id for i, obj in enumerate(resources) if i != gone]
        resources.remove(resources.items[gone])
        assert [obj.id for obj in ResourceList.read_stream(resources.write())] == left


def test_lines_are_counted() -> None:
    """A message names the line of the stream, not of the document."""
    with pytest.raises(InputError, match="line 9"):
        ResourceList.read_stream(A + "---\n# b\n" + "apiVersion: v1\nkind: B\nmetadata: }\n").items[1].get()


@pytest.mark.parametrize(
    "document", ["just text\n", "- a\n- b\n", "kind: A\n", "apiVersion: v1\n", "a: b\n", "12\n"]
)
def test_what_is_no_object(document: str) -> None:
    """A document that is no object is an error with its place, and nothing is written."""
    outcome = run(nothing, A + "---\n" + document, CONFIG)
    assert (outcome.code, outcome.stdout) == (1, "")
    assert "line 6" in outcome.stderr or "item 1" in outcome.stderr


@given(
    st.lists(
        st.sampled_from(
            [A, B, "---\n", "# c\n", "\n", "--- # d\n", "...\n", "---", "a: |\n  ---\n", "---x\n"]
        ),
        max_size=8,
    )
)
def test_no_character_is_lost(parts: list[str]) -> None:
    """Whatever the stream, the slices and what is between them are all of it."""
    text = "".join(parts)
    slices, end = cut_stream(text)
    assert "".join(piece.lead + piece.text for piece in slices) + end == text
    for piece in slices:
        assert piece.line == text[: text.index(piece.text)].count("\n") or text.count(piece.text) > 1


def test_config_of_a_stream_is_read() -> None:
    """The config that is given beside a stream is the function's config."""

    def look(resources: ResourceList) -> None:
        assert resources.has_config
        resources.items[0].set_annotation("config", resources.config.name)

    assert KubeObject(run(look, A, CONFIG).stdout).annotation("config") == "config"
