"""Rendered in CI, pushed as an artifact, applied by Flux."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cluster import metrics
from cluster.api import Json
from cluster.rendered import Example
from cluster.sandbox import Sandbox
from cluster.waiting import always

from .flux import Delivery, written
from .packages import packaged, rendered
from .zones import ZONE, ZONES, add_zones

COMPUTE_TYPE, HOSTNAME = "eks.amazonaws.com/compute-type", "kubernetes.io/hostname"
BUSY, IDLE = 1000, 1
POOL = {"nodeGroupName": "ec2-node-group"}
TAINT = {"key": "runOnEc2Node", "value": "true", "effect": "NoSchedule"}
MESSAGE = "external plugins disabled; unable to load external plugin 'Placement'"


def pool(sandbox: Sandbox) -> None:
    """Three nodes of the pool and two others."""
    sandbox.add_nodes("pool-1", "pool-2", "pool-3", labels=POOL, taints=[TAINT])
    sandbox.add_nodes("other-1", "other-2", labels={})


def hybrid(sandbox: Sandbox) -> None:
    """A hybrid node with room for all, and one in the cloud."""
    sandbox.add_nodes("hybrid-1", labels={COMPUTE_TYPE: "hybrid"})
    sandbox.add_nodes("ec2-1", labels={COMPUTE_TYPE: "ec2"})


EXAMPLES: dict[str, tuple[Callable[[Sandbox], None], str, dict[str, int]]] = {
    "01-fargate-zone-fanout": (add_zones, ZONE, dict.fromkeys(ZONES, 1)),
    "02-dedicated-node-pool": (
        pool,
        HOSTNAME,
        # A pod of the application and one of the DaemonSet on each node of the pool.
        {**dict.fromkeys(["pool-1", "pool-2", "pool-3"], 2), **dict.fromkeys(["other-1", "other-2"], 1)},
    ),
    "03-cloud-bursting": (hybrid, COMPUTE_TYPE, {"hybrid": 3}),
}


@pytest.mark.usefixtures("kyverno")
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_delivered(name: str, delivery: Delivery, sandbox: Sandbox, tmp_path: Path) -> None:
    """The Kustomization is Ready, the pods are where they belong; there is no drift, and a second time nothing changes.

    What Flux says that it did, and its dry run on the server, are asked for.
    """
    add_nodes, label, spread = EXAMPLES[name]
    add_nodes(sandbox)
    package = packaged(tmp_path / "package", Example.read(name).placed_in(sandbox.namespace))
    folder = written(tmp_path / "rendered", rendered(package))
    delivery.push(folder)
    delivery.create()
    ready = delivery.ready()
    assert ready["status"] == "True", ready
    assert sandbox.spread(sandbox.running(sum(spread.values())), label) == spread
    assert delivery.drift(folder) == ""
    assert delivery.reconcile().code == 0
    first, *later = delivery.applied()
    assert set(first.values()) == {"created"}
    assert {action for each in later for action in each.values()} == {"unchanged"}
    assert all(first.keys() == each.keys() for each in later)


def test_a_change_by_hand_is_drift(delivery: Delivery, sandbox: Sandbox, tmp_path: Path) -> None:
    """Flux's dry run names what was changed, and the next reconciliation takes it back."""
    add_zones(sandbox)
    example = Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)
    folder = written(tmp_path / "rendered", rendered(packaged(tmp_path / "package", example)))
    delivery.push(folder)
    delivery.create()
    assert delivery.ready()["status"] == "True"
    name = f"aws-load-balancer-controller-{ZONES[0]}"
    sandbox.scale(name, 3)
    drift = delivery.drift(folder)
    assert f"Deployment/{sandbox.namespace}/{name} drifted" in drift
    assert "spec.replicas" in drift
    assert delivery.reconcile().code == 0
    assert delivery.drift(folder) == ""


def test_the_digest_is_the_same_in_each_push(delivery: Delivery, tmp_path: Path) -> None:
    """Rendered twice and pushed twice as a folder: one digest, so that Flux has nothing to do.

    Through a pipe it would be another one each time: the CLI gives the file a random name.
    """
    example = Example.read("03-cloud-bursting")
    texts = [rendered(packaged(tmp_path / name, example)) for name in ("one", "two")]
    folders = [written(tmp_path / "rendered" / str(i), text) for i, text in enumerate(texts)]
    assert texts[0] == texts[1]
    assert delivery.push(folders[0]) == delivery.push(folders[1])
    piped = [delivery.push(Path("-"), stdin=text) for text in texts]
    assert piped[0] != piped[1]


def test_flux_does_not_run_the_function(delivery: Delivery, tmp_path: Path) -> None:
    """A folder that still holds the transformer fails, and nothing is applied; the guide has the very words."""
    example = Example.read("01-fargate-zone-fanout").placed_in(delivery.namespace)
    package = packaged(tmp_path / "package", example)
    delivery.push(package)
    delivery.create()
    ready = delivery.ready()
    assert (ready["status"], ready["reason"]) == ("False", "BuildFailed")
    assert MESSAGE in ready["message"]
    assert delivery.inventory() == set()


def test_figures_of_an_autoscaler_do_not_flap(delivery: Delivery, sandbox: Sandbox, tmp_path: Path) -> None:
    """A source without ``replicas`` has copies without: Flux leaves to the autoscalers what they decide."""
    add_zones(sandbox)
    example = Example.read("01-fargate-zone-fanout").varied(targets=[{"kind": "Deployment"}])
    package = packaged(tmp_path / "package", replace(example, inputs=autoscaled(sandbox.namespace)))
    folder = written(tmp_path / "rendered", rendered(package))
    delivery.push(folder)
    delivery.create()
    assert delivery.ready()["status"] == "True"
    assert sandbox.spread(sandbox.running(4), ZONE) == dict.fromkeys(ZONES, 2)
    with metrics.served(sandbox.plane, lambda pod: BUSY if ZONES[0] in pod.name else IDLE):
        assert sandbox.spread(sandbox.running(6), ZONE) == {ZONES[0]: 4, ZONES[1]: 2}
        assert delivery.reconcile().code == 0
        assert set(delivery.applied()[-1].values()) == {"unchanged"}
        always(sandbox.pods, lambda pods: len(pods) == 6, during=3)
    assert delivery.drift(folder) == ""


def autoscaled(namespace: str) -> list[Json]:
    """A Deployment without a figure of its own, and its autoscaler of 4 to 8."""
    labels, metadata = {"app": "web"}, {"name": "web", "namespace": namespace}
    container = {"name": "web", "image": "none", "resources": {"requests": {"cpu": "100m"}}}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    cpu = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}}
    return [
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": metadata,
            "spec": {"selector": {"matchLabels": labels}, "template": pod},
        },
        {
            "apiVersion": "autoscaling/v2",
            "kind": "HorizontalPodAutoscaler",
            "metadata": metadata,
            "spec": {
                "scaleTargetRef": target,
                "minReplicas": 4,
                "maxReplicas": 8,
                "metrics": [{"type": "Resource", "resource": cpu}],
            },
        },
    ]
