"""Whole runs of zonecast: each folder of tests/golden is an input and what must come of it.

The comment at the head of ``input.yaml`` says the rule. ``krmfn.testing`` says what else is in a folder,
that everything runs twice, and how to record an intended change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from krmfn.main import run
from krmfn.testing import GoldenCase, check_golden, golden_cases, read_twice
from zonecast.patterns import matches_selector
from zonecast.pipeline import run as zonecast

CASES = golden_cases(Path(__file__).parent / "golden")
PLACED = [case for case in CASES if not (case.folder / "error.txt").exists()]
PATHS = ("internal.config.kubernetes.io/path", "internal.config.kubernetes.io/index")

Data = Any


def output(case: GoldenCase) -> str:
    """Return what comes out of one run."""
    outcome = run(zonecast, case.input, case.config, "zonecast")
    assert outcome.code == 0, outcome.stderr
    return outcome.stdout


def objects(text: str) -> list[dict[str, Data]]:
    """Return the items of a list or stream as plain data, members of a List (or a list of one kind) for themselves."""
    return [
        {"apiVersion": item["apiVersion"], "kind": item["kind"].removesuffix("List"), **each}
        for item in whole_items(text)
        for each in (item["items"] if item["kind"].endswith("List") and "name" not in item.get("metadata", {}) else [item])
    ]


def whole_items(text: str) -> list[dict[str, Data]]:
    """Return the items of a list or stream as plain data, a List as one."""
    found = [each for each in read_twice(text)[0] if each]
    return list(found[0]["items"] or ()) if found[0]["kind"] == "ResourceList" else found


def annotations_of(obj: dict[str, Data]) -> dict[str, str]:
    """Return the annotations of an object."""
    found: dict[str, str] = obj.get("metadata", {}).get("annotations") or {}
    return found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_run_is_what_the_rules_say(case: GoldenCase) -> None:
    """Output or error are the recorded ones byte for byte, and a second run changes no byte of an item."""
    check_golden(case, zonecast, "zonecast")


@pytest.mark.parametrize("case", PLACED, ids=str)
def test_two_readers_read_the_same(case: GoldenCase) -> None:
    """The output means the same in YAML 1.1 and in YAML 1.2, unless the input itself does not."""
    assert differences(output(case)) == differences(case.input)


def differences(text: str) -> set[tuple[Data, Data]]:
    """Return pairs of scalars that the two readers read differently."""
    old, new = read_twice(text)
    assert len(scalars(old)) == len(scalars(new))
    return {pair for pair in zip(scalars(old), scalars(new)) if pair[0] != pair[1]}


def scalars(data: Data) -> list[Data]:
    """Return every scalar of ``data``, keys included, in order."""
    if isinstance(data, dict):
        return [each for key, value in data.items() for each in (key, *scalars(value))]
    if isinstance(data, list):
        return [each for value in data for each in scalars(value)]
    return [data]


@pytest.mark.parametrize("case", PLACED, ids=str)
def test_no_two_objects_in_one_place(case: GoldenCase) -> None:
    """No two items share a name (kustomize and the API server refuse it) or a path and index (kpt does)."""
    found = objects(output(case))
    ids = [
        (obj["apiVersion"], obj["kind"], obj["metadata"].get("namespace"), obj["metadata"]["name"])
        for obj in found
    ]
    assert len(ids) == len(set(ids))
    places = [
        tuple(annotations_of(obj)[key] for key in PATHS)
        for obj in whole_items(output(case))
        if PATHS[0] in annotations_of(obj)
    ]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("case", PLACED, ids=str)
def test_copies_select_their_own_pods_alone(case: GoldenCase) -> None:
    """A copy selects the pods of its own template alone: autoscalers and rollouts count by selector."""
    found = [obj for obj in objects(output(case)) if obj["kind"] == "Deployment"]
    for copy in found:
        if "zonecast.dev/origin" in annotations_of(copy):
            selector, namespace = copy["spec"]["selector"], copy["metadata"].get("namespace")
            near = [obj for obj in found if obj["metadata"].get("namespace") == namespace]
            selected = [
                obj
                for obj in near
                if matches_selector(selector, obj["spec"]["template"]["metadata"]["labels"])
            ]
            assert selected == [copy]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_input_says_its_rule(case: GoldenCase) -> None:
    """A golden is documentation: it starts with a comment, and what must come of it is recorded."""
    assert case.input.startswith("# ")
    assert case.recorded() is not None
