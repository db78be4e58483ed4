"""Scenario 2 on a real scheduler: a node of the pool is one pod of the application."""

from __future__ import annotations

import copy

import pytest

from .api import Json
from .rendered import Example, names, of_kind
from .sandbox import Sandbox
from .waiting import always

POOL_LABEL = "nodeGroupName"
POOL = "ec2-node-group"
TAINT = {"key": "runOnEc2Node", "value": "true", "effect": "NoSchedule"}
POOL_NODES = ("pool-1", "pool-2", "pool-3")
OTHER_NODES = ("other-1", "other-2")
APP = "app=PodA"
HOSTNAME = "kubernetes.io/hostname"


@pytest.fixture
def example(sandbox: Sandbox) -> Example:
    """Read the example and add its nodes: three of the pool and two ordinary ones."""
    sandbox.add_nodes(*POOL_NODES, labels={POOL_LABEL: POOL}, taints=[TAINT])
    sandbox.add_nodes(*OTHER_NODES, labels={})
    return Example.read("02-dedicated-node-pool").placed_in(sandbox.namespace).scaled(3)


def the_deployment(items: list[Json]) -> str:
    """Name the one Deployment of the example."""
    (name,) = names(of_kind("Deployment", items))
    return name


def test_each_pool_node_runs_one_pod(sandbox: Sandbox, example: Example) -> None:
    """Three replicas: exactly one on each pool node and none elsewhere."""
    sandbox.apply(example.render())
    pods = sandbox.running(3, APP)
    assert sandbox.spread(pods, HOSTNAME) == dict.fromkeys(POOL_NODES, 1)


def test_a_fourth_replica_waits(sandbox: Sandbox, example: Example) -> None:
    """Four replicas on three pool nodes leave exactly one Pending; it goes nowhere else."""
    rendered = example.render()
    sandbox.apply(rendered)
    sandbox.running(3, APP)
    sandbox.scale(the_deployment(rendered), 4)
    pods = sandbox.settled(4, APP)
    assert sandbox.spread(pods, HOSTNAME) == {**dict.fromkeys(POOL_NODES, 1), "Pending": 1}


def test_an_intruder_stays_out(sandbox: Sandbox, example: Example) -> None:
    """A Deployment without the toleration never lands on the pool, however many replicas."""
    sandbox.apply([*example.render(), intruder(sandbox.namespace)])
    pods = sandbox.running(12, "app=intruder")
    assert set(sandbox.spread(pods, HOSTNAME)) == set(OTHER_NODES)


@pytest.mark.parametrize("tolerate", ["All", "NodePool"])
def test_the_daemon_set_runs_on_all_nodes(
    sandbox: Sandbox, example: Example, tolerate: str
) -> None:
    """The agents follow onto the tainted pool, in either way: five nodes, five pods."""
    rendered = example.varied(daemonSets={"tolerate": tolerate}).render()
    (agent,) = of_kind("DaemonSet", rendered)
    sandbox.apply(rendered)
    (key, value), *_ = agent["spec"]["selector"]["matchLabels"].items()
    pods = sandbox.running(5, f"{key}={value}")
    assert sandbox.spread(pods, HOSTNAME) == dict.fromkeys([*POOL_NODES, *OTHER_NODES], 1)


def test_without_our_toleration_the_agents_stay_out(sandbox: Sandbox, example: Example) -> None:
    """For contrast: the DaemonSet as it came runs on the two ordinary nodes only."""
    agent = example.source("DaemonSet")
    sandbox.apply([agent])
    (key, value), *_ = agent["spec"]["selector"]["matchLabels"].items()
    pods = sandbox.running(2, f"{key}={value}")
    assert sandbox.spread(pods, HOSTNAME) == dict.fromkeys(OTHER_NODES, 1)


def test_a_rollout_needs_no_spare_node(sandbox: Sandbox, example: Example) -> None:
    """With ``fixStrategy`` a rolling update of three pods on three nodes completes."""
    rendered = example.varied(onePodPerNode={"fixStrategy": True}).render()
    sandbox.apply(rendered)
    before = sandbox.running(3, APP)
    sandbox.restart(the_deployment(rendered))
    after = sandbox.running(3, APP)
    assert not {pod.name for pod in before} & {pod.name for pod in after}
    assert sandbox.spread(after, HOSTNAME) == dict.fromkeys(POOL_NODES, 1)


def test_without_a_fixed_strategy_a_rollout_hangs(sandbox: Sandbox, example: Example) -> None:
    """Without ``fixStrategy`` the surging pod finds no node, and no old pod makes room for it."""
    rendered = example.varied(onePodPerNode=True).render()
    sandbox.apply(rendered)
    before = sandbox.running(3, APP)
    sandbox.kubectl("rollout", "restart", f"deployment/{the_deployment(rendered)}")
    sandbox.settled(4, APP)
    always(lambda: sandbox.pods(APP), lambda pods: set(before) < set(pods), during=3)


def intruder(namespace: str) -> Json:
    """Another team's Deployment that knows nothing of the pool."""
    labels = {"app": "intruder"}
    container = {"name": "app", "image": "none", "resources": {"requests": {"cpu": "10m"}}}
    return copy.deepcopy(
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "intruder", "namespace": namespace},
            "spec": {
                "replicas": 12,
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            },
        }
    )
