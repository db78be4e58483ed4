"""Every figure that counts replicas is shared out with them, or its effect is said."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yamls import deployment, obj, place, said

from krmfn import KubeObject, ObjectError, ResourceList

HPA = """
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 8
"""


def rolling(replicas: int, **figures: object) -> KubeObject:
    """Return a Deployment with figures in its strategy."""
    text = ", ".join(f"{key}: {value}" for key, value in figures.items())
    return deployment(replicas=f"replicas: {replicas}\n  strategy: {{rollingUpdate: {{{text}}}}}")


def strategies(resources: ResourceList) -> list[dict[str, Any]]:
    """Return the strategy of each copy."""
    return [
        each.nested_map("spec", "strategy", "rollingUpdate") for each in resources.where(kind="Deployment")
    ]


def replicas(resources: ResourceList) -> list[int | None]:
    """Return the replicas of each copy."""
    return [each.get("spec", "replicas") for each in resources.where(kind="Deployment")]


@pytest.mark.parametrize(
    ("total", "surge", "unavailable", "shares"),
    [
        (6, 2, 2, [(1, 0)] * 3),
        (6, 3, 3, [(1, 1)] * 3),
        (6, 0, 2, [(0, 1)] * 3),
        (7, 1, 0, [(1, 0)] * 3),
        (7, 3, 3, [(2, 1), (1, 0), (1, 0)]),
        (7, 0, 3, [(0, 1)] * 3),
        (30, 10, 6, [(4, 2)] * 3),
        (0, 1, 0, [(1, 0)] * 3),
    ],
)
def test_absolute_figures_are_scaled(
    total: int, surge: int, unavailable: int, shares: list[tuple[int, int]]
) -> None:
    """MaxSurge is rounded up and maxUnavailable down, as Kubernetes does; 1 where both would be 0."""
    placed = place("zones: [a, b, c]", rolling(total, maxSurge=surge, maxUnavailable=unavailable))
    assert [(each["maxSurge"], each["maxUnavailable"]) for each in strategies(placed)] == shares


@given(st.integers(0, 40), st.integers(0, 12), st.integers(0, 12), st.integers(1, 4))
def test_no_copy_has_both_at_0(total: int, surge: int, unavailable: int, zones: int) -> None:
    """With both at 0 no rollout could proceed, and the API server refuses it."""
    placed = place(
        f"zones: [{', '.join('abcd'[:zones])}]", rolling(total, maxSurge=surge, maxUnavailable=unavailable)
    )
    for each in strategies(placed):
        assert each["maxSurge"] or each["maxUnavailable"] or not (surge or unavailable)
        assert each["maxSurge"] <= surge
        assert each["maxUnavailable"] <= max(unavailable, 1)


@pytest.mark.parametrize("percent", ["25%", "'50%'", '"0%"'])
def test_percentages_stay(percent: str) -> None:
    """They hold for the share as for the whole; the text is the same."""
    placed = place("zones: [a, b]", rolling(6, maxUnavailable=percent, maxSurge="30%"))
    assert all(f"maxUnavailable: {percent}, maxSurge: 30%" in each.text for each in placed.items)


@pytest.mark.parametrize(("surge", "unavailable"), [("1", "'0%'"), ("'0%'", "1"), ("'0%'", "2")])
def test_a_percentage_of_0_counts_as_0(surge: str, unavailable: str) -> None:
    """An absolute figure beside 0% never becomes 0, in a zone without replicas neither."""
    placed = place("zones: [a, b]", rolling(1, maxSurge=surge, maxUnavailable=unavailable))
    for each in strategies(placed):
        assert [each["maxSurge"], each["maxUnavailable"]] not in ([0, "0%"], ["0%", 0])


def test_absent_figures_stay_absent() -> None:
    """The defaults are percentages: nothing to write."""
    assert strategies(place("zones: [a, b]", deployment())) == [{}, {}]


@pytest.mark.parametrize("figure", ["${REPLICAS}", "'3'", "-1", "true", "2.5", "[1]"])
def test_what_is_no_number(figure: str) -> None:
    """A variable that is substituted later, or nonsense, cannot be shared out: an Error that shows it."""
    with pytest.raises(ObjectError, match=r"spec\.replicas: .* cannot be shared out"):
        place("zones: [a, b]", deployment(replicas=f"replicas: {figure}"))


def test_null_replicas_are_absent() -> None:
    """Null counts as absent: one replica, with a Warning."""
    placed = place("zones: [a, b]", deployment(replicas="replicas: null"))
    assert replicas(placed) == [1, 0]
    assert "counted as 1" in said(placed.results, "warning")[0]


@pytest.mark.parametrize("target", ["web", "other"])
def test_an_autoscaler_owns_the_figure(target: str) -> None:
    """Absent replicas stay absent where an autoscaler sets them, and only there."""
    placed = place(
        "zones: [a, b]",
        deployment(replicas=""),
        obj(HPA.replace("name: web}\n  min", f"name: {target}}}\n  min")),
    )
    assert replicas(placed) == ([None, None] if target == "web" else [1, 0])


def test_replicas_beside_an_autoscaler() -> None:
    """They are shared out, and a Warning says that each apply resets what was scaled."""
    placed = place("zones: [a, b]", deployment(), obj(HPA))
    assert replicas(placed) == [3, 3]
    assert "each apply resets what was scaled" in said(placed.results, "warning")[0]


def test_the_split_is_one_line() -> None:
    """Name, total, zone by zone: a line that a person can check."""
    placed = place("zones: [us-east-1a, us-east-1b, us-east-1c]", deployment(replicas="replicas: 7"))
    assert said(placed.results, "info") == [
        "Deployment shop/web-us-east-1a: web: 7 -> us-east-1a 3, us-east-1b 2, us-east-1c 2"
    ]
