"""Policies for older Kyvernos: on a running Kyverno 1.13.4, and against the CRDs of a release between it and ours.

A control plane of its own: two Kyvernos would fight over their CRDs.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from . import controlplane, toolbox
from .conftest import KYVERNO_VALUES
from .goldens import checked
from .guarded import OUTCOMES, Guarded, check_daemon_sets, check_what_is_changed, check_what_is_made
from .kyverno import LEGACY, Kyverno
from .plane import ControlPlane
from .rendered import Example, of_kind
from .sandbox import Sandbox
from .test_accepted import refusals

COMPUTE_TYPE = "eks.amazonaws.com/compute-type"


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """Start a second control plane."""
    started = controlplane.up(tmp_path_factory.mktemp("old-plane"))
    yield started
    started.processes.stop()


@pytest.fixture(scope="module")
def kyverno(plane: ControlPlane) -> Kyverno:
    """Install Kyverno 1.13 with our values and start it."""
    installed = Kyverno(plane, [KYVERNO_VALUES], LEGACY)
    installed.start()
    return installed


def test_a_cluster_policy_sets_the_cost(sandbox: Sandbox, kyverno: Kyverno) -> None:
    """Pods on the hybrid node get the cost, the others none; a second apply changes nothing."""
    sandbox.add_nodes("hybrid-1", labels={COMPUTE_TYPE: "hybrid"}, cpu="1700m")
    sandbox.add_nodes("ec2-1", labels={COMPUTE_TYPE: "ec2"})
    example = Example.read("03-cloud-bursting").placed_in(sandbox.namespace).scaled(10)
    rendered = example.varied(kyverno={**example.placement["spec"]["kyverno"], "version": "1.13"}).render()
    (policy,), (deployment,) = of_kind("ClusterPolicy", rendered), of_kind("Deployment", rendered)
    sandbox.apply(item for item in rendered if item is not deployment)
    kyverno.wait_until_ready(policy)
    sandbox.apply([deployment])
    pods = sandbox.running(10)
    assert {(pod.node, pod.cost) for pod in pods} == {("hybrid-1", "1"), ("ec2-1", None)}
    assert {line.rpartition(" ")[2] for line in sandbox.apply(rendered).splitlines()} == {"unchanged"}
    assert sandbox.differences(rendered) == sandbox.differences(rendered, "--server-side") == ""


@pytest.mark.parametrize("action", OUTCOMES)
def test_a_guard_acts_on_what_is_made(guarded: Guarded, action: str) -> None:
    """A guard as a ClusterPolicy does what it does as a ValidatingPolicy."""
    check_what_is_made(guarded, action)


@pytest.mark.parametrize("action", OUTCOMES)
def test_a_guard_acts_on_a_change(guarded: Guarded, action: str) -> None:
    """A copy may change, but not its zone."""
    check_what_is_changed(guarded, action)


def test_a_daemon_set_gets_what_it_lacks(guarded: Guarded) -> None:
    """The same DaemonSets get the same tolerations as from a MutatingPolicy."""
    check_daemon_sets(guarded)


@pytest.mark.usefixtures("kyverno")
def test_the_first_form_of_the_new_kinds_is_accepted(sandbox: Sandbox) -> None:
    """``v1beta1`` passes a strict dry run with the CRDs of Kyverno 1.18, which has it beside v1."""
    sandbox.kubectl("apply", "--server-side", f"--filename={toolbox.folder('crds') / 'kyverno-1.18'}")
    sandbox.kubectl("wait", "crds", "--all", "--for=condition=Established", "--timeout=60s")
    objects = checked("kyverno-version-1.16")
    assert "policies.kyverno.io/v1beta1" in {item["apiVersion"] for item in objects}
    assert refusals(sandbox, objects) == []
