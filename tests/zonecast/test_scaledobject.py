"""A KEDA ScaledObject of a Deployment becomes one per copy, its figures shared out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yamls import deployment, obj, place, said

from krmfn import KubeObject, ObjectError, ResourceList

PAUSED = "autoscaling.keda.sh/paused-replicas"


def scaled_object(spec: str, *, target: str = "name: web", metadata: str = "") -> KubeObject:
    """Return a ScaledObject; ``spec`` is flow YAML beside its target."""
    return obj(
        "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\n"
        f"metadata: {{name: web, namespace: shop{metadata}}}\nspec: {{scaleTargetRef: {{{target}}}, {spec}}}\n"
    )


def figures(resources: ResourceList, *path: str | int) -> list[Any]:
    """Return the value at a path of each ScaledObject."""
    return [each.get(*path) for each in resources.where(kind="ScaledObject")]


def fan_out(spec: str, zones: str = "[a, b, c]", **rest: str) -> ResourceList:
    """Return what comes of a Deployment with a ScaledObject."""
    return place(f"zones: {zones}", deployment(replicas=""), scaled_object(spec, **rest))


@pytest.mark.parametrize(
    ("target", "followed"),
    [
        ("name: web", True),
        ("kind: Deployment, name: web", True),
        ("apiVersion: apps/v1, kind: Deployment, name: web", True),
        ("kind: StatefulSet, name: web", False),
        ("apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web", False),
        ("name: api", False),
    ],
)
def test_whom_it_scales(target: str, followed: bool) -> None:
    """Without a kind KEDA takes a Deployment; another kind or name is another target."""
    names = [each.name for each in fan_out("minReplicaCount: 3", target=target).where(kind="ScaledObject")]
    assert names == (["web-a", "web-b", "web-c"] if followed else ["web"])


weights = st.lists(st.integers(1, 9), min_size=1, max_size=5)


@given(weights, st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_keda_takes_every_copy(by: list[int], idle: int, more: int, most: int) -> None:
    """In every zone idle < minimum <= maximum and maximum >= 1, whatever the figures and weights.

    KEDA refuses anything else (CheckReplicaCountBoundsAreValid).
    """
    minimum, zones = idle + 1 + more, ", ".join(f"{{name: z{i}, weight: {each}}}" for i, each in enumerate(by))
    spec = f"idleReplicaCount: {idle}, minReplicaCount: {minimum}, maxReplicaCount: {minimum + most}"
    for each in fan_out(spec, f"[{zones}]").where(kind="ScaledObject"):
        least = each.nested_int("spec", "minReplicaCount")
        assert 0 <= each.nested_int("spec", "idleReplicaCount") < least <= each.nested_int("spec", "maxReplicaCount")


@given(weights, st.integers(0, 60), st.integers(1, 60))
def test_totals_add_up(by: list[int], minimum: int, most: int) -> None:
    """The sum of the minima is the original's, zeros included; that of the maxima is, or a share of 0 became 1."""
    zones = ", ".join(f"{{name: z{i}, weight: {each}}}" for i, each in enumerate(by))
    placed = fan_out(f"minReplicaCount: {minimum}, maxReplicaCount: {minimum + most}", f"[{zones}]")
    assert sum(figures(placed, "spec", "minReplicaCount")) == minimum
    highs = figures(placed, "spec", "maxReplicaCount")
    assert sum(highs) == minimum + most or 1 in highs


def test_text_stays_text() -> None:
    """What cron triggers ask for, and the figure of a pause, are text in the API, and so in each copy."""
    spec = "triggers: [{type: cpu}, {type: cron, metadata: {desiredReplicas: '7'}}]"
    placed = fan_out(spec, metadata=f", annotations: {{{PAUSED}: '4'}}")
    assert figures(placed, "spec", "triggers", 1, "metadata", "desiredReplicas") == ["3", "2", "2"]
    assert figures(placed, "metadata", "annotations", PAUSED) == ["2", "1", "1"]


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ("minReplicaCount: ${MIN}", "spec.minReplicaCount"),
        ("fallback: {replicas: ${N}}", "spec.fallback.replicas"),
        ("triggers: [{type: cron, metadata: {desiredReplicas: '${N}'}}]", "spec.triggers[0].metadata.desiredReplicas"),
    ],
)
def test_a_figure_that_is_no_number(spec: str, field: str) -> None:
    """A variable cannot be shared out: an Error that names the path."""
    with pytest.raises(ObjectError, match=r"cannot be shared out: it is no number") as error:
        fan_out(spec.replace("${MIN}", "'${MIN}'").replace(": ${N}", ": '${N}'"))
    assert field in str(error.value)


def test_its_autoscaler_gets_a_name_of_its_own() -> None:
    """Two ScaledObjects cannot own one HorizontalPodAutoscaler; where none is named, KEDA makes the name."""
    config = ("spec", "advanced", "horizontalPodAutoscalerConfig", "name")
    assert figures(fan_out("advanced: {horizontalPodAutoscalerConfig: {name: s}}"), *config) == ["s-a", "s-b", "s-c"]
    assert figures(fan_out("minReplicaCount: 3"), *config) == [None, None, None]


@pytest.mark.parametrize(("kind", "warned"), [("prometheus", True), ("kafka", True), ("cpu", False), ("cron", False)])
def test_triggers_on_a_total(kind: str, warned: bool) -> None:
    """Every trigger but those on the copy's own pods, or on the clock, makes each zone scale for the whole: Warning."""
    found = said(fan_out(f"maxReplicaCount: 9, triggers: [{{type: {kind}, metadata: {{}}}}]").results, "warning")
    assert any("each zone will scale for the whole value" in line for line in found) == warned


def test_a_second_run_shares_out_again() -> None:
    """Other zones: the figures that a copy remembers are those of the original."""
    first = fan_out("minReplicaCount: 6, triggers: [{type: cron, metadata: {desiredReplicas: '9'}}]", "[a, b]")
    again = place("zones: [a, b, c]", *(KubeObject(each.text) for each in first))
    assert figures(again, "spec", "minReplicaCount") == [2, 2, 2]
    assert figures(again, "spec", "triggers", 0, "metadata", "desiredReplicas") == ["3", "3", "3"]


def test_copy_gives_each_zone_the_figures_of_the_original() -> None:
    """``autoscalers: Copy``, and back to Split from what the copies remember, without a word of edits by hand."""
    option = "zones: [a, b]\nfanOut: {autoscalers: Copy}"
    copied = place(option, deployment(replicas=""), scaled_object("minReplicaCount: 4, maxReplicaCount: 8"))
    assert figures(copied, "spec", "maxReplicaCount") == [8, 8]
    split = place("zones: [a, b]", *(KubeObject(each.text) for each in copied))
    assert figures(split, "spec", "maxReplicaCount") == [4, 4]
    assert not said(split.results, "warning")


@pytest.mark.parametrize(
    "spec", ["triggers: {a: 1}", "triggers: [a]", "fallback: 3", "advanced: [a]", "triggers: [{metadata: [a]}]"]
)
def test_another_shape(spec: str) -> None:
    """What the API server would refuse is an Error that names the path, not a bug of ours."""
    with pytest.raises(ObjectError, match=rf"spec\.{spec.partition(':')[0]}.*must be a"):
        fan_out(spec)
