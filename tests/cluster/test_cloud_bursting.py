"""Scenario 3 on a real scheduler with real Kyverno: the cloud's pods go first."""

from __future__ import annotations

import copy
from collections.abc import Iterable

import pytest

from .api import Json
from .kyverno import Kyverno
from .pods import Pod
from .rendered import Example, of_kind
from .sandbox import Sandbox
from .waiting import eventually

COMPUTE_TYPE = "eks.amazonaws.com/compute-type"
HYBRID, CLOUD = "hybrid-1", ("ec2-1", "ec2-2")
APP = "app=nginx"
STARTED_EARLY = (0, 7, 3, 5, 1, 6, 2, 4, 7, 0)
ZONE, ZONES = "topology.kubernetes.io/zone", ("us-east-1a", "us-east-1c")
# With a hash of the ReplicaSet behind it, a pod's name has no room for all of it.
LONG_NAME = "nginx-deployment-with-a-name-that-tells-the-whole-tale"
# Room for eight pods of 200m each, and not for a ninth.
ROOM_FOR_EIGHT = "1700m"


@pytest.fixture
def example(sandbox: Sandbox) -> Example:
    """Read the example; add a hybrid node with room for eight pods and two in the cloud."""
    sandbox.add_nodes(HYBRID, labels={COMPUTE_TYPE: "hybrid"}, cpu=ROOM_FOR_EIGHT)
    sandbox.add_nodes(*CLOUD, labels={COMPUTE_TYPE: "ec2"})
    return Example.read("03-cloud-bursting").placed_in(sandbox.namespace)


def start(sandbox: Sandbox, kyverno: Kyverno, rendered: list[Json], replicas: int = 0) -> str:
    """Apply policies first, then the Deployment at ``replicas``; return the Deployment's name."""
    (deployment,) = of_kind("Deployment", rendered)
    sandbox.apply(item for item in rendered if item is not deployment)
    for policy in of_kind("MutatingPolicy", rendered):
        kyverno.wait_until_ready(policy)
    sandbox.apply([with_replicas(deployment, replicas)])
    sandbox.running(replicas, APP)
    name: str = deployment["metadata"]["name"]
    return name


def with_replicas(deployment: Json, replicas: int) -> Json:
    """Set the figure of a Deployment."""
    changed = copy.deepcopy(deployment)
    changed["spec"]["replicas"] = replicas
    return changed


def where(pods: Iterable[Pod]) -> dict[str, int]:
    """Count pods on the hybrid node and in the cloud."""
    hybrid = [pod.node == HYBRID for pod in pods]
    return {"hybrid": sum(hybrid), "cloud": len(hybrid) - sum(hybrid)}


def costs(pods: Iterable[Pod], *nodes: str) -> set[str | None]:
    """Collect the deletion costs of the pods on some nodes."""
    return {pod.cost for pod in pods if pod.node in nodes}


def test_the_cloud_is_given_back_first(
    sandbox: Sandbox, kyverno: Kyverno, example: Example
) -> None:
    """3 pods: all on the hybrid node, with cost; 15: 8 there, 7 in the cloud; 3: as at first.

    Ten rounds; in each another number of the cloud's pods is older than the hybrid node's, which is
    when Kubernetes by itself would keep the cloud's.
    """
    name = start(sandbox, kyverno, example.render(), 3)
    first = sandbox.running(3, APP)
    assert where(first) == {"hybrid": 3, "cloud": 0}
    assert costs(first, HYBRID) == {"1"}
    for early in STARTED_EARLY:
        burst(sandbox, name, early)
        peak = sandbox.running(15, APP)
        assert where(peak) == {"hybrid": 8, "cloud": 7}
        assert costs(peak, HYBRID) == {"1"}
        assert costs(peak, *CLOUD) == {None}
        sandbox.scale(name, 3)
        assert where(sandbox.running(3, APP)) == {"hybrid": 3, "cloud": 0}


def test_otherwise_is_for_pods_elsewhere(
    sandbox: Sandbox, kyverno: Kyverno, example: Example
) -> None:
    """With ``otherwise`` the cloud's pods carry their own figure, a negative one here."""
    label = {"key": COMPUTE_TYPE, "value": "hybrid"}
    cost = {"nodeLabel": label, "cost": 100, "otherwise": -1}
    rendered = example.varied(kyverno={"podDeletionCost": [cost]}).render()
    start(sandbox, kyverno, rendered, 15)
    pods = sandbox.running(15, APP)
    assert where(pods) == {"hybrid": 8, "cloud": 7}
    assert costs(pods, HYBRID) == {"100"}
    assert costs(pods, *CLOUD) == {"-1"}


def test_by_itself_kubernetes_keeps_the_cloud(sandbox: Sandbox, example: Example) -> None:
    """For contrast: without the policy the crowded hybrid node is the first to lose its pods."""
    (deployment,) = of_kind("Deployment", example.render())
    name = deployment["metadata"]["name"]
    sandbox.apply([deployment])
    burst(sandbox, name, early=7)
    sandbox.running(15, APP)
    sandbox.scale(name, 3)
    assert where(sandbox.running(3, APP))["cloud"] > 0


def burst(sandbox: Sandbox, name: str, early: int) -> None:
    """Scale from 0 to 15 so that ``early`` of the cloud's pods start first."""
    sandbox.scale(name, 0)
    sandbox.running(0, APP)
    sandbox.cordon(HYBRID)
    sandbox.scale(name, early)
    sandbox.running(early, APP)
    sandbox.cordon(HYBRID, closed=False)
    sandbox.scale(name, early + 8)
    sandbox.running(early + 8, APP)
    sandbox.scale(name, 15)


@pytest.mark.parametrize("name", ["nginx-deployment", LONG_NAME], ids=["short", "long"])
def test_one_policy_serves_all_copies(
    sandbox: Sandbox, kyverno: Kyverno, example: Example, name: str
) -> None:
    """Fanned out, there is one policy for the copies, however their pods' names are cut."""
    for zone in ZONES:
        sandbox.add_nodes(f"hybrid-{zone}", labels={ZONE: zone, COMPUTE_TYPE: "hybrid"})
    rendered = example.renamed(name).varied(zones=list(ZONES)).scaled(4).render()
    copies = of_kind("Deployment", rendered)
    (policy,) = of_kind("MutatingPolicy", rendered)
    assert len(copies) == len(ZONES)
    sandbox.apply(item for item in rendered if item not in copies)
    kyverno.wait_until_ready(policy)
    sandbox.apply([*copies, renamed(example.source(), f"{name[:50]}-extra")])
    assert [pod.cost for pod in sandbox.running(4, APP)] == ["1"] * 4
    assert {pod.cost for pod in sandbox.running(3, "app!=nginx")} == {None}


@pytest.mark.parametrize("other", ["web", "nginx-deployment-extra", "nginx"])
def test_other_applications_are_left_alone(
    sandbox: Sandbox, kyverno: Kyverno, example: Example, other: str
) -> None:
    """A Deployment beside it gets no cost on the hybrid node, also when its name looks alike."""
    start(sandbox, kyverno, example.render(), 1)
    sandbox.apply([renamed(example.source(), other)])
    assert costs(sandbox.running(3, f"app={other}-app"), HYBRID) == {None}
    assert costs(sandbox.running(1, APP), HYBRID) == {"1"}


def test_a_daemon_set_with_a_name_like_a_copy_is_left_alone(
    sandbox: Sandbox, kyverno: Kyverno, example: Example
) -> None:
    """``nginx-deployment-db`` as a DaemonSet has pods with the very shape of the target's."""
    start(sandbox, kyverno, example.render(), 1)
    agent = renamed(example.source(), "nginx-deployment-db")
    for field in ("replicas", "strategy"):
        agent["spec"].pop(field, None)
    agent["kind"] = "DaemonSet"
    sandbox.apply([agent])
    assert costs(sandbox.running(1, "app=nginx-deployment-db-app"), HYBRID) == {None}
    assert costs(sandbox.running(1, APP), HYBRID) == {"1"}


def test_pods_bind_without_our_role(sandbox: Sandbox, kyverno: Kyverno, example: Example) -> None:
    """Without the ClusterRole Kyverno cannot read nodes: no annotation, and pods still bind.

    The role is all it lacks: with it, the next pod is annotated.
    """
    rendered = example.render()
    role = of_kind("ClusterRole", rendered)
    name = start(sandbox, kyverno, [item for item in rendered if item not in role], 3)
    assert costs(sandbox.running(3, APP), HYBRID) == {None}
    sandbox.apply(role)
    assert eventually(lambda: costs(another_pod(sandbox, name), HYBRID), lambda seen: "1" in seen)


def test_pods_bind_while_kyverno_is_down(
    sandbox: Sandbox, kyverno: Kyverno, example: Example
) -> None:
    """Kyverno dead, its webhook configuration still there: pods bind, without the annotation."""
    name = start(sandbox, kyverno, example.render())
    kyverno.kill()
    try:
        assert kyverno.webhooks()
        sandbox.scale(name, 3)
        assert costs(sandbox.running(3, APP), HYBRID) == {None}
    finally:
        kyverno.start()


def test_the_chart_hides_bindings_by_default(
    sandbox: Sandbox, kyverno: Kyverno, example: Example
) -> None:
    """With the chart's own filters, which hold ``Pod/binding``, nothing is annotated.

    The policy is as READY as ever: this is what the guide warns of. Our values are the cure.
    """
    with kyverno.as_installed_by_default():
        name = start(sandbox, kyverno, example.render(), 3)
        assert costs(sandbox.running(3, APP), HYBRID) == {None}
    assert eventually(lambda: costs(another_pod(sandbox, name), HYBRID), lambda seen: "1" in seen)


def another_pod(sandbox: Sandbox, deployment: str) -> list[Pod]:
    """Scale to nothing and to one, so that one more pod is bound."""
    sandbox.scale(deployment, 0)
    sandbox.running(0, APP)
    sandbox.scale(deployment, 1)
    return sandbox.running(1, APP)


def test_the_policy_is_ready_and_keeps_its_text(
    sandbox: Sandbox, kyverno: Kyverno, example: Example
) -> None:
    """READY is true, a second apply says ``unchanged`` of everything, and the diff is empty."""
    rendered = example.render()
    start(sandbox, kyverno, rendered, 3)
    sandbox.apply(rendered)
    again = sandbox.apply(rendered).splitlines()
    assert {line.rpartition(" ")[2] for line in again} == {"unchanged"}
    assert not sandbox.differences(rendered)


def renamed(deployment: Json, name: str) -> Json:
    """Make another application of a Deployment: its own name and labels."""
    other = copy.deepcopy(deployment)
    labels = {"app": f"{name}-app"}
    other["metadata"]["name"] = name
    other["spec"]["replicas"] = 3
    other["spec"]["selector"] = {"matchLabels": labels}
    other["spec"]["template"]["metadata"] = {"labels": labels}
    other["spec"]["template"]["spec"]["nodeSelector"] = {COMPUTE_TYPE: "hybrid"}
    return other
