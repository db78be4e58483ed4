"""Two applications under Flux that both bring the one ClusterRole."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluster.api import Json
from cluster.rendered import Example, of_kind
from cluster.sandbox import Sandbox

from .flux import Delivery, Flux, written

ROLE = "ClusterRole/zonecast:kyverno-read-nodes"
PATH = "/apis/rbac.authorization.k8s.io/v1/clusterroles/zonecast:kyverno-read-nodes"


def deliver(delivery: Delivery, objects: list[Json], folder: Path) -> None:
    """Push objects under a name of their own and wait until Flux has applied them."""
    delivery.push(written(folder / delivery.name, objects))
    delivery.create()
    assert delivery.ready()["status"] == "True"


@pytest.mark.usefixtures("kyverno")
def test_the_role_belongs_to_the_last_who_applied_it(flux: Flux, sandbox: Sandbox, tmp_path: Path) -> None:
    """Each changes it at every interval, and who goes takes it along until the other one applies it again."""
    role = of_kind("ClusterRole", Example.read("03-cloud-bursting").render())
    one, two = (Delivery(flux, name, sandbox.namespace) for name in ("one", "two"))
    try:
        deliver(one, role, tmp_path)
        deliver(two, role, tmp_path)
        for delivery in (one, two):
            assert delivery.reconcile().code == 0
            assert delivery.applied()[-1] == {ROLE: "configured"}
        two.delete()
        assert not flux.api.exists(PATH)
        assert one.reconcile().code == 0
        assert one.applied()[-1] == {ROLE: "created"}
    finally:
        two.delete()
        one.delete()


def test_one_of_them_can_do_without(sandbox: Sandbox) -> None:
    """With ``rbac: false`` the policy comes alone."""
    example = Example.read("03-cloud-bursting").placed_in(sandbox.namespace)
    kyverno = {**example.placement["spec"]["kyverno"], "rbac": False}
    rendered = example.varied(kyverno=kyverno).render()
    assert of_kind("MutatingPolicy", rendered)
    assert not of_kind("ClusterRole", rendered)
