"""Selectors: kustomize's anchored expressions, Kubernetes' label selectors."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zonecast.patterns import LabelSelector, Pattern, matches_selector


@pytest.mark.parametrize(
    ("pattern", "value", "matches"),
    [
        ("web", "web", True),
        ("web", "web-2", False),
        ("web", "my-web", False),
        ("web|api", "api", True),
        ("web|api", "web-api", False),
        ("web-.*", "web-2", True),
        ("web-.*", "web", False),
        ("web-.*|api.*", "api", True),
        ("job-[0-9]+", "job-12", True),
        ("job-[0-9]+", "job-12a", False),
        ("web|job-.*", "job-1", True),
        ("", "", True),
        ("", "apps", False),
        ("us.east", "us-east", True),
    ],
)
def test_expressions_are_anchored(pattern: str, value: str, matches: bool) -> None:
    """The whole of a value matches or none of it: ``web`` is not ``web-2``."""
    assert Pattern(pattern).matches(value) is matches


@given(st.text("abw-.*|", max_size=8), st.text("abw-\n", max_size=6))
def test_short_cuts_match_what_the_expression_matches(pattern: str, value: str) -> None:
    """Names, alternatives and prefixes go without the engine, and must come to the same."""
    try:
        expression = re.compile(pattern)
    except re.error:
        assert Pattern.problem(pattern)
        return
    if "\n" in value:
        return
    assert Pattern.problem(pattern) == ""
    assert Pattern(pattern).matches(value) is (expression.fullmatch(value) is not None)


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        ("app=web", True),
        ("app==web", True),
        ("app = web", True),
        ("app!=web", False),
        ("old!=yes", True),
        ("app", True),
        ("!app", False),
        ("!old", True),
        ("tier in (front, back)", True),
        ("tier in (back)", False),
        ("tier notin (back)", True),
        ("old notin (x)", True),
        ("app=web,tier in (front,mid),!old", True),
        ("app=web,tier in (front,mid),old", False),
        ("tier in(front)", True),
    ],
)
def test_label_selectors(selector: str, matches: bool) -> None:
    """Kubernetes' string syntax: equality, sets, existence, all of them together."""
    assert LabelSelector.problem(selector) == ""
    assert LabelSelector(selector).matches({"app": "web", "tier": "front"}) is matches


@pytest.mark.parametrize("selector", ["app = ", "=web", "tier in front", "tier in (front", "a b", ""])
def test_label_selectors_that_cannot_be_read(selector: str) -> None:
    """What the API server would refuse is said, with an example, rather than read as something else."""
    if selector == "app = ":
        assert LabelSelector(selector).matches({"app": ""})
        return
    assert "cannot read" in LabelSelector.problem(selector)


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        ({}, True),
        ({"matchLabels": {"app": "web"}}, True),
        ({"matchLabels": {"app": "api"}}, False),
        ({"matchExpressions": [{"key": "app", "operator": "In", "values": ["web", "api"]}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}, False),
        ({"matchExpressions": [{"key": "old", "operator": "NotIn", "values": ["web"]}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "Exists"}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}]}, False),
        ({"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "old", "operator": "Exists"}]}, False),
        ({"matchLabels": None, "matchExpressions": None}, True),
    ],
)
def test_selector_objects(selector: dict[str, object], matches: bool) -> None:
    """A LabelSelector object: every label and every expression must hold; an empty one selects all."""
    assert matches_selector(selector, {"app": "web"}) is matches
