"""Argo CD with our image as its plugin sidecar: scenario 1 from a commit to pods in their zones."""

from __future__ import annotations

import pytest

from cluster.rendered import Example
from cluster.sandbox import Sandbox

from . import example as shop
from .application import Application, plugin
from .repository import Repository

ZONE = "topology.kubernetes.io/zone"
A, B, C = "us-east-1a", "us-east-1b", "us-east-1c"


@pytest.fixture
def example(sandbox: Sandbox) -> Example:
    """Read example 01, moved to the test's namespace; nodes in three zones are there."""
    add_zones(sandbox)
    return Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)


def add_zones(sandbox: Sandbox) -> None:
    """Add a node in each of three zones."""
    for zone in (A, B, C):
        sandbox.add_nodes(f"{zone}-{sandbox.namespace}", labels={ZONE: zone})


def by_zone(sandbox: Sandbox, count: int) -> dict[str, int]:
    """Wait until so many pods are ready, and count them by the zone they run in."""
    return sandbox.spread(sandbox.running(count), ZONE)


def test_an_application_is_synced_and_its_pods_are_in_their_zones(
    sandbox: Sandbox, application: Application, repository: Repository, example: Example
) -> None:
    """An Application that names the plugin: Synced, Healthy, one pod in each zone of the Placement."""
    revision = repository.commit(shop.files(example))
    application.create(repository, sandbox.namespace, plugin=plugin())
    application.synced(revision)
    assert by_zone(sandbox, 2) == {A: 1, C: 1}


def test_zones_of_the_application_replace_those_of_the_placement(
    sandbox: Sandbox, application: Application, repository: Repository, example: Example
) -> None:
    """The parameter ``zones``: one repository for clusters in other regions; a change of it is a sync."""
    revision = repository.commit(shop.files(example.scaled(7)))
    application.create(repository, sandbox.namespace, plugin=plugin(zones=[B, A, C]))
    application.synced(revision)
    assert by_zone(sandbox, 7) == {B: 3, A: 2, C: 2}


def test_a_placement_of_the_application_is_applied_to_a_plain_kustomization(
    sandbox: Sandbox, application: Application, repository: Repository, example: Example
) -> None:
    """The parameter ``placement``: the kustomization itself needs no function and stays usable without one."""
    revision = repository.commit(shop.unplaced(example))
    application.create(repository, sandbox.namespace, plugin=plugin(placement=shop.PLACEMENT))
    application.synced(revision)
    assert by_zone(sandbox, 2) == {A: 1, C: 1}
