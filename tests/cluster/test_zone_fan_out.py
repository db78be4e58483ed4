"""Scenario 1 on a real scheduler: one Deployment per zone, from the example as it is rendered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from . import metrics
from .api import Json
from .rendered import Example, applied_by_hand, autoscaler, names, of_kind, starting_slowly
from .sampling import ready_pods
from .sandbox import Sandbox
from .waiting import always

ZONE = "topology.kubernetes.io/zone"
A, B, C = "us-east-1a", "us-east-1b", "us-east-1c"
RESTARTS = 10
REVISION = "deployment.kubernetes.io/revision"
BUSY, IDLE = 1000, 1


@pytest.fixture
def example(sandbox: Sandbox) -> Example:
    """Read the example's dump of a live Deployment, moved to the test's namespace."""
    return Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)


def add_zones(sandbox: Sandbox, *zones: str) -> None:
    """Two nodes in each zone."""
    for zone in zones:
        sandbox.add_nodes(f"{zone}-1", f"{zone}-2", labels={ZONE: zone})


def by_zone(sandbox: Sandbox, count: int) -> dict[str, int]:
    """Wait until so many pods are ready, and count them by the zone they run in."""
    return sandbox.spread(sandbox.running(count), ZONE)


@pytest.mark.parametrize(
    "spread", [{A: 1, C: 1}, {A: 3, B: 2, C: 2}], ids=["2 over two zones", "7 over three zones"]
)
def test_each_zone_runs_its_share_after_every_restart(
    sandbox: Sandbox, example: Example, spread: dict[str, int]
) -> None:
    """What the split promises is where the pods run, and again after ten restarts, 10 of 10."""
    add_zones(sandbox, *spread)
    total = sum(spread.values())
    rendered = example.scaled(total).varied(zones=list(spread)).render()
    sandbox.apply(rendered)
    assert by_zone(sandbox, total) == spread
    seen = []
    for _ in range(RESTARTS):
        sandbox.restart(*names(of_kind("Deployment", rendered)))
        seen.append(by_zone(sandbox, total))
    assert seen == [spread] * RESTARTS


def test_the_other_zone_is_not_touched_when_one_is_lost(sandbox: Sandbox, example: Example) -> None:
    """A zone without nodes: the other zone's pod runs on, the lost zone's pod is Pending.

    When the zone is back the pod is back in it: nobody has to rebalance anything.
    """
    add_zones(sandbox, A, C)
    sandbox.apply(example.render())
    (before,) = [pod for pod in sandbox.running(2) if sandbox.spread([pod], ZONE) == {A: 1}]
    sandbox.lose_nodes(f"{C}-1", f"{C}-2")
    sandbox.settled(2)
    assert before in sandbox.pods()
    assert sandbox.spread(sandbox.pods(), ZONE) == {A: 1, "Pending": 1}
    add_zones(sandbox, C)
    assert by_zone(sandbox, 2) == {A: 1, C: 1}


@pytest.mark.parametrize(("zones", "replicas"), [((A, C), 2), ((A, B, C), 7)], ids=["two zones", "three zones"])
def test_with_room_for_the_loss_of_a_zone_the_figure_stays(
    sandbox: Sandbox, example: Example, zones: tuple[str, ...], replicas: int
) -> None:
    """``replicas: ZoneLoss``: while a zone goes the ready pods are never fewer than the source's figure."""
    add_zones(sandbox, *zones)
    rendered = example.scaled(replicas).varied(zones=list(zones), fanOut={"replicas": "ZoneLoss"}).render()
    sandbox.apply(rendered)
    total = sum(item["spec"]["replicas"] for item in of_kind("Deployment", rendered))
    sandbox.running(total)
    with ready_pods(sandbox) as counts:
        sandbox.lose_nodes(f"{C}-1", f"{C}-2")
        lost = sandbox.spread(sandbox.settled(total), ZONE)["Pending"]
    assert counts[-1] == total - lost
    assert min(counts) >= replicas


def test_spread_constraints_alone_do_not_bring_a_zone_back(
    sandbox: Sandbox, example: Example
) -> None:
    """For contrast: the source itself, with a topology spread constraint instead of zonecast.

    The pods crowd into the zone that is left, and stay there when the other one is back: the next
    outage takes all of them.
    """
    add_zones(sandbox, A, C)
    sandbox.apply([spread_over_zones(example.source())])
    assert by_zone(sandbox, 2) == {A: 1, C: 1}
    sandbox.lose_nodes(f"{C}-1", f"{C}-2")
    assert by_zone(sandbox, 2) == {A: 2}
    add_zones(sandbox, C)
    always(lambda: by_zone(sandbox, 2), lambda zones: zones == {A: 2}, during=3)


@pytest.fixture
def slow_example(example: Example) -> Example:
    """Read the example with pods that take their time to become ready."""
    return replace(example, inputs=[starting_slowly(applied_by_hand(example.source()))])


@pytest.fixture
def source(sandbox: Sandbox, slow_example: Example) -> Json:
    """Run the source as it was before zonecast, in two zones."""
    add_zones(sandbox, A, C)
    deployment = slow_example.source()
    sandbox.apply([deployment])
    sandbox.running(2)
    return deployment


def test_a_cut_over_in_two_steps_has_no_outage(sandbox: Sandbox, source: Json, slow_example: Example) -> None:
    """The copies beside the source first; the source goes when they are ready.

    Looked at every 200 ms, the ready pods are never fewer than the source's own figure.
    """
    rendered = slow_example.render()
    with ready_pods(sandbox) as counts:
        sandbox.apply(rendered)
        sandbox.running(4)
        sandbox.prune([source], rendered)
        assert by_zone(sandbox, 2) == {A: 1, C: 1}
    assert min(counts) == 2


def test_a_cut_over_by_keep_and_remove_has_no_outage(
    sandbox: Sandbox, source: Json, slow_example: Example
) -> None:
    """``source: Keep``, and when the copies are ready ``Remove``; then the source is deleted by hand.

    The first commit does not roll the source out again. The second leaves the copies alone and
    prunes nothing: a GitOps tool looks for the protection on the live object. Ready pods are never
    fewer than the source's own figure.
    """
    kept = slow_example.varied(fanOut={"source": "Keep"}).render()
    left = slow_example.varied(fanOut={"source": "Remove"}).render()
    with ready_pods(sandbox) as counts:
        sandbox.apply(kept)
        sandbox.running(4)
        assert live(sandbox, source)["metadata"]["annotations"][REVISION] == "1"
        assert {line.split()[-1] for line in sandbox.apply(left).splitlines()} == {"unchanged"}
        assert names(gone(kept, left)) == names([source])
        assert protections(live(sandbox, source)) == {"Prune=false", "disabled"}
        sandbox.kubectl("delete", "deployment", source["metadata"]["name"])
        assert by_zone(sandbox, 2) == {A: 1, C: 1}
    assert min(counts) == 2


def live(sandbox: Sandbox, deployment: Json) -> Json:
    """Read a Deployment from the cluster."""
    name = deployment["metadata"]["name"]
    found: Json = sandbox.api.get(
        f"/apis/apps/v1/namespaces/{sandbox.namespace}/deployments/{name}"
    )
    return found


def gone(before: list[Json], after: list[Json]) -> list[Json]:
    """Return what a GitOps tool would prune: what was rendered before and is no more."""
    left = {(item["kind"], item["metadata"]["name"]) for item in after}
    return [item for item in before if (item["kind"], item["metadata"]["name"]) not in left]


def protections(item: Json) -> set[str]:
    """Return what keeps Argo CD and Flux from pruning a live object."""
    keys = ("argocd.argoproj.io/sync-options", "kustomize.toolkit.fluxcd.io/prune")
    return {item["metadata"]["annotations"][key] for key in keys}


def test_a_cut_over_in_one_step_is_an_outage(sandbox: Sandbox, source: Json, slow_example: Example) -> None:
    """For contrast: the source is pruned in the same step, before a copy is ready."""
    rendered = slow_example.render()
    with ready_pods(sandbox) as counts:
        sandbox.apply(rendered)
        sandbox.prune([source], rendered)
        sandbox.running(2)
    assert min(counts) == 0


def test_an_autoscaler_sees_and_scales_its_own_copy(sandbox: Sandbox, example: Example) -> None:
    """The scale subresource's selector of a copy names the pods of this copy and no other.

    With live metrics: where one zone is busy, its autoscaler scales its copy, the other one rests.
    """
    add_zones(sandbox, A, C)
    source = example.source()
    rendered = example.joined(autoscaler(source)).render()
    with metrics.served(sandbox.plane, lambda pod: BUSY if A in pod.name else IDLE):
        sandbox.apply(rendered)
        sandbox.running(2)
        for scaler in of_kind("HorizontalPodAutoscaler", rendered):
            target = scaler["spec"]["scaleTargetRef"]["name"]
            pods = sandbox.pods(sandbox.scale_selector(target))
            assert [pod.name.rsplit("-", 2)[0] for pod in pods] == [target]
        assert by_zone(sandbox, 4) == {A: 3, C: 1}
        always(lambda: by_zone(sandbox, 4), lambda zones: zones == {A: 3, C: 1}, during=6)


def spread_over_zones(deployment: Json) -> Json:
    """Give a Deployment the usual constraint: at most one more pod in a zone than in another."""
    spread = applied_by_hand(deployment)
    spread["spec"]["template"]["spec"]["topologySpreadConstraints"] = [
        {
            "maxSkew": 1,
            "topologyKey": ZONE,
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": spread["spec"]["selector"]["matchLabels"]},
        }
    ]
    return spread
