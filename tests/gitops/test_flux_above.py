"""What a Kustomization of Flux adds above our output: the table of docs/guides/flux.md, row by row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cluster.api import Json
from cluster.kyverno import LISTS, Kyverno
from cluster.rendered import Example, names
from cluster.sandbox import Sandbox
from hosts.adaptors import REPOSITORY

from .flux import Delivery, written
from .packages import packaged, rendered
from .zones import ZONES, add_zones

LABEL = "eks.amazonaws.com/compute-type"
NAME = "nginx-deployment"
COPIES = [f"{NAME}-{zone}" for zone in ZONES]
COUNT = '[{"op": "replace", "path": "/spec/replicas", "value": 4}]'


@pytest.fixture
def example(sandbox: Sandbox) -> Example:
    """Read example 03 over two zones, each with a hybrid node: its policy names the namespace and the Deployment."""
    add_zones(sandbox, **{LABEL: "hybrid"})
    return Example.read("03-cloud-bursting").varied(zones=list(ZONES))


def delivered(delivery: Delivery, example: Example, folder: Path, **spec: object) -> list[Json]:
    """Let Flux apply what an example becomes, twice; return the live Deployments. The second time changes nothing."""
    delivery.push(written(folder / "rendered", rendered(packaged(folder / "package", example))))
    delivery.create(**spec)
    ready = delivery.ready()
    assert ready["status"] == "True", ready
    assert delivery.reconcile().code == 0
    assert set(delivery.applied()[-1].values()) == {"unchanged"}
    return delivery.flux.api.items(f"/apis/apps/v1/namespaces/{delivery.namespace}/deployments")


def costs(delivery: Delivery, sandbox: Sandbox, kyverno: Kyverno) -> set[str | None]:
    """Start all pods anew when the one policy that Flux applied is ready, and return what they cost."""
    (policy,) = (entry for entry in delivery.inventory() if entry.startswith("MutatingPolicy/"))
    policies, _ = LISTS["MutatingPolicy"]
    live = sandbox.api.get(f"{policies}/{policy.partition('/')[2]}")
    assert "namespace" not in live["metadata"]
    kyverno.wait_until_ready(live)
    sandbox.kubectl("delete", "pods", "--all", "--now")
    return {pod.cost for pod in sandbox.running(3)}


def test_a_policy_acts_where_it_was_written_for(
    delivery: Delivery, sandbox: Sandbox, kyverno: Kyverno, example: Example, tmp_path: Path
) -> None:
    """For contrast: with the namespace and the names in the artifact, every pod has its cost."""
    delivered(delivery, example.placed_in(sandbox.namespace), tmp_path)
    assert costs(delivery, sandbox, kyverno) == {"1"}


def test_a_target_namespace_moves_everything_but_what_a_policy_says(
    delivery: Delivery, sandbox: Sandbox, kyverno: Kyverno, example: Example, tmp_path: Path
) -> None:
    """The copies move. The policy is cluster-scoped and stays so, is applied, and never acts: it watches ``web``."""
    assert names(delivered(delivery, example, tmp_path, targetNamespace=sandbox.namespace)) == COPIES
    assert costs(delivery, sandbox, kyverno) == {None}


def test_a_prefix_renames_everything_but_what_a_policy_says(
    delivery: Delivery, sandbox: Sandbox, kyverno: Kyverno, example: Example, tmp_path: Path
) -> None:
    """Copies and policy get it. The policy never acts: it looks for pods of the name without the prefix."""
    moved = example.placed_in(sandbox.namespace)
    assert names(delivered(delivery, moved, tmp_path, namePrefix="pre-")) == [f"pre-{copy}" for copy in COPIES]
    assert costs(delivery, sandbox, kyverno) == {None}


@pytest.mark.usefixtures("kyverno")
def test_images_reach_every_copy(
    delivery: Delivery, sandbox: Sandbox, example: Example, tmp_path: Path
) -> None:
    """An image is what it is in every zone."""
    images = [{"name": "nginx", "newTag": "tested"}]
    found = delivered(delivery, example.placed_in(sandbox.namespace), tmp_path, images=images)
    assert {each["spec"]["template"]["spec"]["containers"][0]["image"] for each in found} == {"nginx:tested"}


@pytest.mark.usefixtures("kyverno")
@pytest.mark.parametrize(
    ("name", "replicas"), [(NAME, [2, 1]), (f"{NAME}-.*", [4, 4]), (COPIES[1], [2, 4])], ids=["old", "all", "one"]
)
def test_a_patch_finds_current_names(
    delivery: Delivery, sandbox: Sandbox, example: Example, tmp_path: Path, name: str, replicas: list[int]
) -> None:
    """By the name of the original it finds nothing, and Flux says nothing; by an expression, or one copy, it does."""
    patches = [{"target": {"kind": "Deployment", "name": name}, "patch": COUNT}]
    found = delivered(delivery, example.placed_in(sandbox.namespace), tmp_path, patches=patches)
    assert [each["spec"]["replicas"] for each in found] == replicas


@pytest.mark.usefixtures("kyverno")
def test_a_health_check_by_the_old_name_fails(
    delivery: Delivery, sandbox: Sandbox, example: Example, tmp_path: Path
) -> None:
    """There is no such object any more: the Kustomization is not Ready, and says which one it looked for."""
    moved = example.placed_in(sandbox.namespace)
    delivery.push(written(tmp_path / "rendered", rendered(packaged(tmp_path / "package", moved))))
    check = {"apiVersion": "apps/v1", "kind": "Deployment", "name": NAME, "namespace": sandbox.namespace}
    delivery.create(wait=False, healthChecks=[check], timeout="30s")  # Flux waits no shorter
    ready = delivery.ready()
    assert (ready["status"], ready["reason"]) == ("False", "HealthCheckFailed")
    assert f"/{NAME} status: 'NotFound'" in ready["message"]


def test_the_table_has_no_other_rows() -> None:
    """A row that is added to the page gets its test here."""
    page = (REPOSITORY / "docs" / "guides" / "flux.md").read_text()
    section = page.partition("## What Flux adds itself")[2].partition("\n## ")[0]
    assert len(re.findall(r"^\| [^-]", section, re.MULTILINE)) == len(("header",)) + 6
