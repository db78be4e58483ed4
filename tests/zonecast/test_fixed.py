"""Figures that zones have for themselves: they stand, and the others share what they leave."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yamls import deployment, obj, place, said

from krmfn import KrmError, KubeObject, ObjectError, ResourceList
from zonecast.fixed import split_around

HPA = """
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  {bounds}
"""
SCALED_OBJECT = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: web, namespace: shop}}
spec: {{scaleTargetRef: {{name: web}}, {figures}}}
"""
BUDGET = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 5, selector: {matchLabels: {app: web}}}
"""

Fixed = list["int | None"]


def hpa(minimum: int | None, maximum: int) -> KubeObject:
    """Return an autoscaler."""
    least = "" if minimum is None else f"minReplicas: {minimum}\n  "
    return obj(HPA.format(bounds=f"{least}maxReplicas: {maximum}"))


def fan_out(spec: str, *others: KubeObject, replicas: int | None = None) -> ResourceList:
    """Return the list that comes of a Deployment and what is beside it."""
    return place(spec, deployment(replicas="" if replicas is None else f"replicas: {replicas}"), *others)


def figures(placed: ResourceList, kind: str, *path: str | int) -> list[Any]:
    """Return a figure of each copy."""
    return [each.get("spec", *path) for each in placed.where(kind=kind)]


def replicas(spec: str, total: int = 7) -> list[int]:
    """Return the replicas of each copy."""
    return figures(fan_out(spec, replicas=total), "Deployment", "replicas")


def bounds(spec: str, minimum: int, maximum: int) -> list[tuple[int, int]]:
    """Return minimum and maximum of the autoscaler of each copy."""
    placed = fan_out(spec, hpa(minimum, maximum))
    kind = "HorizontalPodAutoscaler"
    return list(zip(figures(placed, kind, "minReplicas"), figures(placed, kind, "maxReplicas")))


@pytest.mark.parametrize(
    ("zones", "shares"),
    [
        ("{name: a, replicas: 3}, b, c", [3, 2, 2]),
        ("{name: a, replicas: 1}, b, {name: c, weight: 2}", [1, 2, 4]),
        ("a, {name: b, replicas: 0}, c", [4, 0, 3]),
        ("{name: a, replicas: 3, weight: 0}, b", [3, 4]),
        ("{name: a, replicas: 5, weight: 9}, b", [5, 2]),
        ("{name: a, replicas: 7}, b", [7, 0]),
        ("{name: a, replicas: 4}, {name: b, replicas: 3}", [4, 3]),
    ],
)
def test_what_a_figure_leaves_is_shared_by_weight(zones: str, shares: list[int]) -> None:
    """A zone's own figure stands whatever its weight; it is taken out of the total before the others share."""
    assert replicas(f"zones: [{zones}]") == shares


@pytest.mark.parametrize(
    ("zones", "why"),
    [
        ("{name: a, replicas: 8}, b", r"spec\.replicas: 7 is less than .*: spec\.zones\[0\]\.replicas 8$"),
        (
            "a, {name: b, replicas: 4}, {name: c, replicas: 4}",
            r"7 is less than .*: spec\.zones\[1\]\.replicas 4 \+ spec\.zones\[2\]\.replicas 4 = 8$",
        ),
        ("{name: a, replicas: 3}, {name: b, weight: 0}", "leaves 4 of 7, and the other zones have weight 0"),
    ],
)
def test_figures_that_do_not_fit(zones: str, why: str) -> None:
    """Above the total, or with nobody to take the rest: an Error that names paths, figures and the source."""
    with pytest.raises(ObjectError, match=rf"Deployment shop/web: .*{why}"):
        replicas(f"zones: [{zones}]")


def test_every_zone_has_its_own() -> None:
    """They stand, and a Warning says that they are not what the source asks for; the line has their sum."""
    placed = fan_out("zones: [{name: a, replicas: 8}, {name: b, replicas: 1}]", replicas=7)
    assert figures(placed, "Deployment", "replicas") == [8, 1]
    assert "= 9 stands" in said(placed.results, "warning")[0]
    assert said(placed.results, "info") == ["Deployment shop/web-a: web: 7 -> a 8 (fixed), b 1 (fixed), 9 in all"]
    again = place("zones: [{name: a, replicas: 8}, {name: b, replicas: 1}]", *(KubeObject(each.text) for each in placed))
    assert len(said(again.results, "warning")) == 1, "nobody edited a copy by hand"


def test_a_line_says_what_is_fixed() -> None:
    """The line about the split can still be checked: it says which figures are no shares."""
    placed = fan_out("zones: [{name: a, replicas: 3}, b, c]", replicas=7)
    assert said(placed.results, "info") == ["Deployment shop/web-a: web: 7 -> a 3 (fixed), b 2, c 2"]
    spec = "zones: [{name: a, minReplicas: 1, maxReplicas: 2}, {name: b, maxReplicas: 5}, c]"
    line = said(fan_out(spec, hpa(6, 12)).results, "info")[-1]
    assert line.endswith("web: 6-12 -> a 1-2 (fixed), b 3-5 (maxReplicas fixed), c 2-5")


@pytest.mark.parametrize(
    ("mode", "zones", "shares"),
    [
        ("Each", "{name: a, replicas: 3}, b, c", [3, 7, 7]),
        ("Each", "{name: a, replicas: 9}, b, {name: c, weight: 0}", [9, 7, 0]),
        ("ZoneLoss", "{name: a, replicas: 3}, b, c", [3, 4, 4]),
        ("ZoneLoss", "{name: a, replicas: 9}, b, c", [9, 4, 4]),
        ("ZoneLoss", "{name: a, replicas: 1}, b, c", [1, 6, 6]),
        ("ZoneLoss", "{name: a, replicas: 7}, {name: b, replicas: 7}, c", [7, 7, 0]),
        ("ZoneLoss", "{name: a, replicas: 4, weight: 0}, b, c", [4, 4, 4]),
    ],
)
def test_other_modes(mode: str, zones: str, shares: list[int]) -> None:
    """Each: in place of the source's figure. ZoneLoss: the others hold so much that any zone may be lost."""
    assert replicas(f"zones: [{zones}]\nfanOut: {{replicas: {mode}}}") == shares


def test_a_loss_that_cannot_be_made_up() -> None:
    """ZoneLoss: where the rest of the zones is too little whatever the others hold, it is an Error."""
    with pytest.raises(ObjectError, match=r"zones\[0\]\.replicas 3 leaves 3 of 7 without 1 of the zones"):
        replicas("zones: [{name: a, replicas: 3}, b]\nfanOut: {replicas: ZoneLoss}")


def test_own_figures_that_lose_a_zone() -> None:
    """ZoneLoss: where every zone has its own, they stand, and a Warning says what a loss would leave."""
    zones = "{name: a, replicas: 3}, {name: b, replicas: 4}"
    placed = fan_out(f"zones: [{zones}]\nfanOut: {{replicas: ZoneLoss}}", replicas=7)
    assert "leaves 3 of 7 without 1 of the zones" in said(placed.results, "warning")[0]


def test_a_variable_beside_a_figure() -> None:
    """Each gives every copy the source's variable; no copy would remember it beside a figure of its own: Error."""
    with pytest.raises(ObjectError, match=r"'\$\{N\}' is no number yet: spec\.zones\[0\]\.replicas cannot stand"):
        place("zones: [{name: a, replicas: 3}, b]\nfanOut: {replicas: Each}", deployment(replicas="replicas: ${N}"))


def test_replicas_that_an_autoscaler_sets() -> None:
    """Absent replicas stay absent: a Warning names the fields to use."""
    placed = fan_out("zones: [{name: a, replicas: 3}, b]", hpa(2, 8))
    assert figures(placed, "Deployment", "replicas") == [None, None]
    assert "zones[0].replicas has no effect; use minReplicas and maxReplicas" in said(placed.results, "warning")[0]


@pytest.mark.parametrize("options", ["", "\nfanOut: {autoscalers: Ignore, source: Keep}"])
def test_bounds_without_an_autoscaler(options: str) -> None:
    """A bound has no effect where no autoscaler follows: a Warning with its path."""
    others = [hpa(2, 8)] if options else []
    placed = fan_out(f"zones: [a, {{name: b, minReplicas: 3, maxReplicas: 4}}]{options}", *others, replicas=7)
    warnings = [each for each in said(placed.results, "warning") if "no autoscaler follows" in each]
    assert [each.partition(": has")[0] for each in warnings] == [
        "Placement shop: spec.zones[1].minReplicas",
        "Placement shop: spec.zones[1].maxReplicas",
    ]
    assert "on web:" in warnings[0]


@pytest.mark.parametrize(
    ("zones", "minimum", "maximum", "found"),
    [
        ("{name: a, minReplicas: 1, maxReplicas: 4}, b, c", 5, 12, [(1, 4), (2, 4), (2, 4)]),
        ("{name: a, minReplicas: 4}, b, c", 6, 9, [(4, 5), (1, 2), (1, 2)]),  # its share of the maximum is raised
        ("{name: a, maxReplicas: 2}, b, c", 9, 30, [(2, 2), (4, 14), (3, 14)]),  # its share of the minimum is cut
        ("{name: a, maxReplicas: 2}, {name: b, maxReplicas: 4}, c", 9, 30, [(2, 2), (4, 4), (3, 24)]),
    ],
)
def test_bounds_stay_in_order(zones: str, minimum: int, maximum: int, found: list[tuple[int, int]]) -> None:
    """A share gives way to a zone's own figure, so that no maximum is below its minimum; both totals hold."""
    assert bounds(f"zones: [{zones}]", minimum, maximum) == found


@pytest.mark.parametrize(
    ("zones", "minimum", "maximum", "why"),
    [
        ("{name: a, maxReplicas: 2}, {name: b, maxReplicas: 2}", 9, 30, r"spec\.minReplicas: 9 is 5 more than the zones"),
        ("{name: a, maxReplicas: 20}, b, c", 9, 24, r"spec\.maxReplicas: 24 leaves 4 for zones whose minima add up to 6"),
        ("{name: a, minReplicas: 9}, {name: b, minReplicas: 9}", 9, 12, r"spec\.maxReplicas: 12 leaves 12 for .* 18: .* = 18"),
        ("{name: a, minReplicas: 3}, b", None, 12, r"spec\.minReplicas: absent, and spec\.zones\[0\]\.minReplicas is a"),
        ("{name: a, minReplicas: 9}, b", 6, 12, r"spec\.minReplicas: 6 is less than .* spec\.zones\[0\]\.minReplicas 9"),
    ],
)
def test_bounds_that_do_not_fit(zones: str, minimum: int | None, maximum: int, why: str) -> None:
    """Figures that no shares can be found for are an Error that names them."""
    with pytest.raises(ObjectError, match=rf"HorizontalPodAutoscaler shop/web: {why}"):
        fan_out(f"zones: [{zones}]", hpa(minimum, maximum))


@pytest.mark.parametrize("option", ["replicas: Each", "replicas: ZoneLoss", "autoscalers: Copy"])
def test_a_bound_without_the_other(option: str) -> None:
    """Where every zone has the source's bound, one beyond it needs the other as well: an Error that says which."""
    with pytest.raises(ObjectError, match=r"spec\.zones\[0\] would have 9 to .: give spec\.zones\[0\]\.maxReplicas as well"):
        fan_out(f"zones: [{{name: a, minReplicas: 9}}, b, c]\nfanOut: {{{option}}}", hpa(2, 8))


def test_copy_has_one_figure_less() -> None:
    """``autoscalers: Copy``: the zone's own figure in place of the source's; a second run takes it for no edit."""
    spec = "zones: [{name: a, maxReplicas: 3}, b]\nfanOut: {autoscalers: Copy}"
    placed = fan_out(spec, hpa(1, 8))
    assert figures(placed, "HorizontalPodAutoscaler", "maxReplicas") == [3, 8]
    assert not said(place(spec, *(KubeObject(each.text) for each in placed)).results, "warning")


def test_a_minimum_of_0() -> None:
    """KEDA takes a minimum of 0; an HPA does not: it is raised to 1, and the line does not call it fixed figures' own."""
    zones = "zones: [{name: a, minReplicas: 0}, b]"
    keda = obj(SCALED_OBJECT.format(figures="minReplicaCount: 2, maxReplicaCount: 8"))
    assert figures(fan_out(zones, keda), "ScaledObject", "minReplicaCount") == [0, 2]
    placed = fan_out(zones, hpa(2, 8))
    assert figures(placed, "HorizontalPodAutoscaler", "minReplicas") == [1, 2]
    assert "at least 1 in each, 3 in all" in said(placed.results, "warning")[0]


def test_what_follows_the_bounds_of_keda() -> None:
    """Fallback and cron go as the maxima do, so none asks for more than its zone may have; idle is below the minimum."""
    triggers = "triggers: [{type: cron, metadata: {desiredReplicas: '10'}}]"
    counts = "idleReplicaCount: 1, minReplicaCount: 6, maxReplicaCount: 20, fallback: {replicas: 7}"
    zones = "zones: [{name: a, minReplicas: 1, maxReplicas: 2}, b, c]"
    placed = fan_out(zones, obj(SCALED_OBJECT.format(figures=f"{counts}, {triggers}")))
    found = [
        figures(placed, "ScaledObject", *path)
        for path in (
            ("minReplicaCount",),
            ("maxReplicaCount",),
            ("idleReplicaCount",),
            ("fallback", "replicas"),
            ("triggers", 0, "metadata", "desiredReplicas"),
        )
    ]
    assert found == [[1, 3, 2], [2, 9, 9], [0, 1, 0], [1, 3, 3], ["1", "5", "4"]]


@pytest.mark.parametrize(
    ("zones", "others", "total", "shares"),
    [
        ("{name: a, replicas: 1}, b, c", [], 7, [1, 2, 2]),
        ("{name: a, minReplicas: 1}, b, c", [hpa(9, 20)], None, [1, 2, 2]),
    ],
)
def test_a_budget_goes_as_the_pods_do(
    zones: str, others: list[KubeObject], total: int | None, shares: list[int]
) -> None:
    """PerZone: a budget counts some of the pods, and so it is shared as they are."""
    spec = f"zones: [{zones}]\nfanOut: {{disruptionBudgets: PerZone}}"
    assert figures(fan_out(spec, *others, obj(BUDGET), replicas=total), "PodDisruptionBudget", "minAvailable") == shares


own_figures = st.one_of(st.none(), st.none(), st.integers(0, 9))
zones_drawn = st.lists(st.tuples(st.integers(0, 5), own_figures), min_size=1, max_size=6)


@given(st.integers(0, 60), zones_drawn)
def test_shares_add_up_around_figures(total: int, drawn: list[tuple[int, int | None]]) -> None:
    """Figures stand, the others share what they leave by weight, and the sum is exact where any zone is free."""
    weights, fixed = [weight for weight, _ in drawn], [figure for _, figure in drawn]
    shares, rest = split_around(total, weights, fixed)
    assert all(share == figure for share, figure in zip(shares, fixed) if figure is not None)
    assert sum(shares) + rest == total or rest < 0
    free = [weight for weight, figure in drawn if figure is None and weight]
    assert (rest < 0) == (total < sum(figure or 0 for figure in fixed))
    assert rest <= 0 or not free
    for share, (weight, figure) in zip(shares, drawn):
        assert share == 0 or weight or figure is not None


@given(st.integers(0, 40), zones_drawn.filter(lambda drawn: len(drawn) > 1), st.integers(1, 3))
def test_a_total_outlasts_the_loss(total: int, drawn: list[tuple[int, int | None]], lost: int) -> None:
    """ZoneLoss: without any zones that may be lost the total is still there, and no share is larger than it must be."""
    zones = [
        f"{{name: z{i}, weight: {weight}{'' if figure is None else f', replicas: {figure}'}}}"
        for i, (weight, figure) in enumerate(drawn)
    ]
    try:
        shares = replicas(
            f"zones: [{', '.join(zones)}]\nfanOut: {{replicas: ZoneLoss, tolerateZoneLoss: {lost}}}", total
        )
    except KrmError as error:
        assert any(text in str(error) for text in ("weights are 0", "would be left", "without"))  # noqa: PT017
        return
    used = [share for share, (weight, figure) in zip(shares, drawn) if weight or figure is not None]
    if all(figure is not None for _, figure in drawn):
        return
    assert sum(sorted(used)[: max(len(used) - lost, 0)]) >= total
    free = [share for share, (weight, figure) in zip(shares, drawn) if figure is None and weight]
    assert len(set(free)) <= 1
    if free and free[0]:
        others = [figure for _, figure in drawn if figure is not None] + [free[0] - 1] * len(free)
        assert sum(sorted(others)[: max(len(others) - lost, 0)]) < total


bounded = st.lists(
    st.tuples(st.integers(1, 4), st.one_of(st.none(), st.integers(0, 4)), st.one_of(st.none(), st.integers(4, 9))),
    min_size=1,
    max_size=4,
)


@given(st.integers(1, 30), st.integers(0, 30), bounded)
def test_an_autoscaler_is_valid_or_refused(
    minimum: int, more: int, drawn: list[tuple[int, int | None, int | None]]
) -> None:
    """No maximum is below its minimum; the sums are the original's where any zone is free, or a 0 became 1."""
    zones = [
        f"{{name: z{i}, weight: {weight}"
        + ("" if low is None else f", minReplicas: {low}")
        + ("" if high is None else f", maxReplicas: {high}")
        + "}"
        for i, (weight, low, high) in enumerate(drawn)
    ]
    try:
        found = bounds(f"zones: [{', '.join(zones)}]", minimum, minimum + more)
    except ObjectError as error:
        assert "spec.zones[" in str(error)  # noqa: PT017
        return
    assert all(1 <= low <= high for low, high in found)
    for (low, high), (_, own_low, own_high) in zip(found, drawn):
        assert own_low is None or low == max(own_low, 1)
        assert own_high is None or high == own_high
    if any(low is None for _, low, _ in drawn):
        assert sum(low for low, _ in found) == minimum or 1 in [low for low, _ in found]
    if any(high is None for _, _, high in drawn):
        assert sum(high for _, high in found) == minimum + more or 1 in [high for _, high in found]
