"""PodSpec fields are merged by meaning."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yamls import deployment, place, pod_spec, said, workload

from krmfn import ObjectError, Results
from zonecast.podspec import Merger

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
SSD = {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}
ARM = {"matchExpressions": [{"key": "arch", "operator": "In", "values": ["arm64"]}]}

terms = st.sampled_from(
    [{"topologyKey": key, "labelSelector": {"matchLabels": {"app": app}}} for key in "ab" for app in "xy"]
)


def merged(spec: str, text: str = "") -> dict[str, Any]:
    """Return the PodSpec of a Deployment after a merge."""
    return pod_spec(place(spec, deployment(text)), "web")


@pytest.mark.parametrize(
    "text", ["", "tolerations:", "tolerations: null", "tolerations: ~", "tolerations: []"]
)
def test_an_absent_list_is_made(text: str) -> None:
    """Absent, null and empty are the same, and no null is left."""
    assert merged("podSpec: {tolerations: [{operator: Exists}]}", text)["tolerations"] == [
        {"operator": "Exists"}
    ]


@pytest.mark.parametrize(
    "text", ["", "affinity:", "affinity: {}", "affinity: {nodeAffinity: }", "affinity: {nodeAffinity: {}}"]
)
def test_absent_parents_are_made(text: str) -> None:
    """Every level between the PodSpec and the leaf may be absent, null or empty."""
    spec = f"podSpec: {{affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{SSD}]}}}}}}}}"
    assert merged(spec, text)["affinity"] == {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [SSD]}}}


def test_required_node_terms_hold_in_each_alternative() -> None:
    """Terms are ORed, so a rule that must hold goes into each of them; one that has it keeps its own."""
    text = f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{ARM}, {SSD}]}}}}}}"
    spec = f"podSpec: {{affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{SSD}]}}}}}}}}"
    found = merged(spec, text)["affinity"]["nodeAffinity"][REQUIRED]["nodeSelectorTerms"]
    assert found == [{"matchExpressions": [*ARM["matchExpressions"], *SSD["matchExpressions"]]}, SSD]


def test_match_fields_are_merged_like_expressions() -> None:
    """A term may choose by field as well as by label."""
    text = f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{ARM}]}}}}}}"
    field = {"key": "metadata.name", "operator": "In", "values": ["n1"]}
    rule = f"{{{REQUIRED}: {{nodeSelectorTerms: [{{matchFields: [{field}]}}]}}}}"
    spec = f"podSpec: {{affinity: {{nodeAffinity: {rule}}}}}"
    found = merged(spec, text)["affinity"]["nodeAffinity"][REQUIRED]["nodeSelectorTerms"]
    assert found == [{**ARM, "matchFields": [field]}]


def test_alternatives_cannot_be_combined_with_alternatives() -> None:
    """Two wanted alternatives and one that is there: what is meant is not clear. An Error, not a guess."""
    text = f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{ARM}]}}}}}}"
    spec = f"podSpec: {{affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{SSD}, {ARM}]}}}}}}}}"
    with pytest.raises(ObjectError, match="nodeSelectorTerms"):
        place(spec, deployment(text))


def test_other_branches_of_affinity_stay() -> None:
    """Only the leaf is touched: podAffinity survives a merge into nodeAffinity."""
    text = "affinity:\n  podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}   # kept"
    obj = deployment(text)
    place(f"podSpec: {{affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{SSD}]}}}}}}}}", obj)
    assert "podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}   # kept" in obj.text


@given(st.lists(terms, max_size=4, unique_by=str), st.lists(terms, max_size=4))
def test_merging_appends_what_is_absent_in_order(
    present: list[dict[str, Any]], wanted: list[dict[str, Any]]
) -> None:
    """What is there stays first, what was wanted is there once, and a second merge changes nothing."""
    text = f"affinity: {{podAntiAffinity: {{{REQUIRED}: {present}}}}}"
    target = workload(text)
    path = ("affinity", "podAntiAffinity", REQUIRED)
    merger = Merger(target, Results(), replace=False)
    merger.append_absent(wanted, *path)
    once = target.get(*path) or []
    assert once[: len(present)] == present
    assert [each for each in once if each not in present] == list(
        {str(w): w for w in wanted if w not in present}.values()
    )
    before = target.obj.text
    Merger(target, Results(), replace=False).append_absent(wanted, *path)
    assert target.obj.text == before


def test_numbers_and_words_are_compared_as_values() -> None:
    """An entry that is spelled otherwise but means the same is there already."""
    text = (
        """topologySpreadConstraints: [{"maxSkew": 0x1, topologyKey: 'rack', whenUnsatisfiable: "Never"}]"""
    )
    spec = "podSpec: {topologySpreadConstraints: [{topologyKey: rack, maxSkew: 1, whenUnsatisfiable: Never}]}"
    assert len(merged(spec, text)["topologySpreadConstraints"]) == 1


@pytest.mark.parametrize("field", ["priorityClassName", "runtimeClassName", "schedulerName"])
def test_a_class_of_its_own_is_a_conflict(field: str) -> None:
    """One value of the user's and another of the Placement's: Error, or with onConflict a Warning."""
    with pytest.raises(
        ObjectError, match=f'{field}: is already "mine", wanted "yours"; set onConflict: Replace'
    ):
        place(f"podSpec: {{{field}: yours}}", deployment(f"{field}: mine"))
    replaced = place(f"onConflict: Replace\npodSpec: {{{field}: yours}}", deployment(f"{field}: mine"))
    assert pod_spec(replaced, "web")[field] == "yours"
    assert field in said(replaced.results, "warning")[0]


@pytest.mark.parametrize("text", ["priorityClassName:", "priorityClassName: ''", "priorityClassName: yours"])
def test_an_empty_class_is_no_conflict(text: str) -> None:
    """Null and empty are absent; the same value is no conflict either."""
    assert merged("podSpec: {priorityClassName: yours}", text)["priorityClassName"] == "yours"


def test_node_selector_of_another_type_is_the_same_label() -> None:
    """Labels are strings: an unquoted true in a nodeSelector is compared as it is spelled."""
    assert merged("podSpec: {nodeSelector: {gpu: 'true'}}", "nodeSelector: {gpu: 'true'}")[
        "nodeSelector"
    ] == {"gpu": "true"}


@pytest.mark.parametrize("value", ["yes", "012", "1e3", "0o17", "null", "~", "2024-01-01", "y"])
def test_strings_stay_strings(value: str) -> None:
    """A label's value that a reader could take for something else is written in quotes."""
    assert merged(f"podSpec: {{nodeSelector: {{mark: '{value}'}}}}")["nodeSelector"] == {"mark": value}
