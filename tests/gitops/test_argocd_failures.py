"""What goes wrong in git does not reach what runs: it is said in the Application, and nothing is pruned."""

from __future__ import annotations

import pytest

from cluster.pods import Pod
from cluster.rendered import Example
from cluster.sandbox import Sandbox
from cluster.waiting import always, eventually

from . import example as shop
from .application import Application, plugin
from .repository import Repository
from .test_argocd import A, C, add_zones, by_zone

A_WHILE = 5.0


@pytest.fixture
def running(sandbox: Sandbox, application: Application, repository: Repository) -> list[Pod]:
    """Sync example 01 and return its pods."""
    add_zones(sandbox)
    revision = repository.commit(shop.files(example(sandbox)))
    application.create(repository, sandbox.namespace, plugin=plugin())
    application.synced(revision)
    assert by_zone(sandbox, 2) == {A: 1, C: 1}
    return sandbox.pods()


def example(sandbox: Sandbox) -> Example:
    """Read example 01, moved to the test's namespace."""
    return Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)


BROKEN = {
    "config": ({shop.PLACEMENT: ('"zones"', '"zone"')}, 'spec.zone: unknown field; did you mean "zones"?'),
    "target": ({shop.PLACEMENT: ("aws-load-balancer", "aws-lod-balancer")}, "aws-lod-balancer-controller"),
    "nothing": ({shop.KUSTOMIZATION: (f"[{shop.OBJECTS}]", "[]")}, "no object is left"),
}


@pytest.mark.parametrize(("edits", "message"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_said_and_prunes_nothing(
    sandbox: Sandbox,
    application: Application,
    repository: Repository,
    running: list[Pod],
    edits: dict[str, tuple[str, str]],
    message: str,
) -> None:
    """The message of the function is the Application's condition; the pods run on; the next good commit is synced."""
    good = shop.files(example(sandbox))
    repository.commit({name: good[name].replace(*edit) for name, edit in edits.items()})
    application.refresh()
    eventually(application.errors, lambda found: message in found)
    always(sandbox.pods, lambda pods: pods == running, during=A_WHILE)
    revision = repository.commit({**good, "README.md": "repaired\n"})
    application.refresh()
    application.synced(revision)
    assert sandbox.pods() == running
    assert application.errors() == ""


def test_an_unknown_parameter_is_said(sandbox: Sandbox, application: Application, running: list[Pod]) -> None:
    """A typing error in the Application does not quietly fall back to the file."""
    application.merge({"spec": {"source": {"plugin": plugin(zone=["us-east-1b"])}}})
    eventually(application.errors, lambda found: 'did you mean "zones"' in found)
    always(sandbox.pods, lambda pods: pods == running, during=A_WHILE)
