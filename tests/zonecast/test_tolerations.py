"""Tolerations merged by meaning."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zonecast.tolerations import covers, cut_short, missing

Toleration = dict[str, Any]
EQUAL: Toleration = {"key": "pool", "operator": "Equal", "value": "web", "effect": "NoSchedule"}

taints = [
    {"key": key, "value": value, "effect": effect}
    for key in ("pool", "spot")
    for value in ("", "web", "api")
    for effect in ("NoSchedule", "NoExecute")
]
tolerations = st.one_of(
    st.fixed_dictionaries(
        {"operator": st.just("Exists")}, optional={"effect": st.sampled_from(["NoSchedule", "NoExecute"])}
    ),
    st.fixed_dictionaries(
        {"key": st.sampled_from(["pool", "spot"]), "operator": st.just("Exists")},
        optional={"effect": st.sampled_from(["NoSchedule", "NoExecute"])},
    ),
    st.fixed_dictionaries(
        {"key": st.sampled_from(["pool", "spot"])},
        optional={
            "operator": st.just("Equal"),
            "value": st.sampled_from(["", "web", "api"]),
            "effect": st.sampled_from(["NoSchedule", "NoExecute"]),
        },
    ),
)


def tolerates(toleration: Toleration, taint: Toleration) -> bool:
    """ToleratesTaint of Kubernetes, written down once more from its documentation."""
    if toleration.get("effect") not in (None, "", taint["effect"]):
        return False
    if toleration.get("operator", "Equal") == "Exists":
        return toleration.get("key") in (None, "", taint["key"])
    return bool(toleration.get("key") == taint["key"] and toleration.get("value", "") == taint["value"])


@given(tolerations, tolerations)
def test_covers_is_tolerating_every_taint_of_the_other(present: Toleration, wanted: Toleration) -> None:
    """One covers another if it tolerates each taint that the other tolerates."""
    if covers(present, wanted):
        assert all(tolerates(present, taint) for taint in taints if tolerates(wanted, taint))


@given(st.lists(tolerations, max_size=4), st.lists(tolerations, max_size=4))
def test_merging_is_idempotent_and_tolerates_all_that_was_wanted(
    present: list[Toleration], wanted: list[Toleration]
) -> None:
    """After a merge nothing is missing any more, and what was there stands where it stood."""
    added = missing(present, wanted)
    assert missing([*present, *added], wanted) == []
    for taint in taints:
        if any(tolerates(each, taint) for each in wanted):
            assert any(tolerates(each, taint) for each in [*present, *added])


@pytest.mark.parametrize(
    "present",
    [
        {"operator": "Exists"},
        {"operator": "Exists", "effect": "NoSchedule"},
        {"key": "pool", "operator": "Exists"},
        {"key": "pool", "value": "web"},
        {"key": "pool", "operator": "Equal", "value": "web", "effect": ""},
        EQUAL,
    ],
)
def test_covered(present: Toleration) -> None:
    """No effect is every effect, no key with Exists every key, Exists any value, no operator is Equal."""
    assert covers(present, EQUAL)


@pytest.mark.parametrize(
    "present",
    [
        {"key": "pool", "operator": "Exists", "effect": "NoExecute"},
        {"key": "other", "operator": "Exists"},
        {"key": "pool", "value": "api"},
        {"key": "pool"},
        {"value": "web"},
    ],
)
def test_not_covered(present: Toleration) -> None:
    """Another effect, key or value does not do; Equal without a key tolerates nothing."""
    assert not covers(present, EQUAL)


def test_equal_does_not_cover_exists() -> None:
    """One value is less than any value."""
    assert not covers(
        {"key": "pool", "operator": "Equal", "value": ""}, {"key": "pool", "operator": "Exists"}
    )


def test_a_toleration_that_ends_does_not_cover_one_that_lasts() -> None:
    """TolerationSeconds count: 30 seconds are less than for ever. They mean nothing but for NoExecute."""
    ends = {"key": "pool", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 30}
    lasts = {"key": "pool", "operator": "Exists", "effect": "NoExecute"}
    assert not covers(ends, lasts)
    assert covers(lasts, ends)
    assert covers({**lasts, "effect": ""}, lasts)


def test_first_match_cuts_a_later_one_short() -> None:
    """For NoExecute the first match decides, so the limit of one that is there is found."""
    ends = {"key": "pool", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 30}
    lasts = {"key": "pool", "operator": "Exists", "effect": "NoExecute"}
    assert cut_short([ends], lasts) == ends
    assert cut_short([lasts], lasts) is None
    assert cut_short([ends], {**lasts, "key": "other"}) is None
    assert cut_short([ends], EQUAL) is None
