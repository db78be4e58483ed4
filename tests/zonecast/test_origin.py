"""Annotations that say what an object was made from, and who placed it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yamls import deployment, obj

from krmfn import KubeObject, ObjectError
from zonecast.origin import ORIGIN, PLACEMENT, Origin, mark, origin_of


def annotated(text: str) -> KubeObject:
    """Return an object with the origin annotation ``text``."""
    return obj(
        f"apiVersion: v1\nkind: X\nmetadata:\n  name: x\n  annotations:\n    {ORIGIN}: {json.dumps(text)}\n"
    )


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1), st.integers(0, 99))
def test_what_is_written_is_read(name: str, replicas: int) -> None:
    """The annotation holds everything, and reads back as it was."""
    written = deployment()
    written.set_annotation(ORIGIN, Origin(name, {"replicas": replicas}).to_text())
    found = origin_of(KubeObject(written.text))
    assert found is not None
    assert (found.name, found.figures) == (name, {"replicas": replicas})


def test_the_text_is_the_same_in_every_run() -> None:
    """One line of JSON, keys in the order in which they were given: a second run changes no byte."""
    assert (
        Origin("web", {"replicas": 3, "maxSurge": 1}).to_text()
        == '{"name": "web", "replicas": 3, "maxSurge": 1}'
    )


def test_other_objects_have_none() -> None:
    """No annotation, no origin."""
    assert origin_of(deployment()) is None


@pytest.mark.parametrize("text", ["web", "[]", "{}", "{name: web}", '"web"', "1"])
def test_what_zonecast_did_not_write(text: str) -> None:
    """An annotation of somebody else's is an Error that says to remove it."""
    with pytest.raises(ObjectError, match="was not written by zonecast; remove it"):
        origin_of(annotated(text))


def test_placements_are_noted_once_and_in_order() -> None:
    """Several Placements in a pipeline, each run twice."""
    web = deployment()
    for name in ("base", "zones", "base", "zones", ""):
        mark(web, name)
    assert web.annotation(PLACEMENT) == "base,zones"
