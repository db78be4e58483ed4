"""From one Deployment to one for each zone under a Flux that prunes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cluster.rendered import Example, applied_by_hand, names, starting_slowly
from cluster.sampling import ready_pods
from cluster.sandbox import Sandbox

from .flux import Delivery, written
from .packages import packaged, rendered
from .zones import ZONE, ZONES, add_zones

REVISION = "deployment.kubernetes.io/revision"


@pytest.fixture
def example(sandbox: Sandbox) -> Example:
    """Read example 01 with pods that take a second to become ready; a node in each zone."""
    add_zones(sandbox)
    read = Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)
    return replace(read, inputs=[starting_slowly(applied_by_hand(read.source()))])


def running_source(delivery: Delivery, example: Example, folder: Path) -> str:
    """Let Flux deliver the source as it is, as it was before zonecast; return its name."""
    delivery.push(written(folder / "before", example.inputs))
    delivery.create()
    assert delivery.ready()["status"] == "True"
    (name,) = names(example.inputs)
    return name


def pushed(delivery: Delivery, example: Example, folder: Path) -> Path:
    """Render and push; return the folder that was pushed."""
    result = written(folder / "rendered", rendered(packaged(folder, example)))
    delivery.push(result)
    return result


def test_keep_then_remove_has_no_outage(
    delivery: Delivery, sandbox: Sandbox, example: Example, tmp_path: Path
) -> None:
    """Looked at every 200 ms, there are never fewer ready pods than the source had.

    The first artifact adds the copies and does not roll the source out again. The second forgets the source, which its
    annotation keeps from being pruned. Then it is deleted by hand, and Flux does not bring it back.
    """
    name = running_source(delivery, example, tmp_path)
    live = f"/apis/apps/v1/namespaces/{sandbox.namespace}/deployments/{name}"
    copies = {f"{sandbox.namespace}/Deployment/{name}-{zone}" for zone in ZONES}
    with ready_pods(sandbox) as counts:
        pushed(delivery, example.varied(fanOut={"source": "Keep"}), tmp_path / "keep")
        assert delivery.reconcile().code == 0
        sandbox.running(4)
        assert sandbox.api.get(live)["metadata"]["annotations"][REVISION] == "1"
        assert delivery.inventory() == {*copies, f"{sandbox.namespace}/Deployment/{name}"}
        folder = pushed(delivery, example.varied(fanOut={"source": "Remove"}), tmp_path / "remove")
        assert delivery.reconcile().code == 0
        assert set(delivery.applied()[-1].values()) == {"unchanged"}
        assert sandbox.api.exists(live)
        assert delivery.inventory() == copies
        sandbox.kubectl("delete", "deployment", name)
        assert delivery.reconcile().code == 0
        assert sandbox.spread(sandbox.running(2), ZONE) == dict.fromkeys(ZONES, 1)
    assert min(counts) == 2
    assert not sandbox.api.exists(live)
    assert delivery.drift(folder) == ""


def test_in_one_step_it_is_an_outage(
    delivery: Delivery, sandbox: Sandbox, example: Example, tmp_path: Path
) -> None:
    """For contrast: Flux prunes the source before it waits for the copies."""
    name = running_source(delivery, example, tmp_path)
    with ready_pods(sandbox) as counts:
        pushed(delivery, example, tmp_path / "remove")
        assert delivery.reconcile().code == 0
        sandbox.running(2)
    assert min(counts) == 0
    assert not sandbox.api.exists(f"/apis/apps/v1/namespaces/{sandbox.namespace}/deployments/{name}")
