"""The cut-over as docs/guides/zone-fan-out.md has it, with Argo CD pruning by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cluster.rendered import Example, applied_by_hand, starting_slowly
from cluster.sampling import ready_pods
from cluster.sandbox import Sandbox
from cluster.waiting import always, eventually

from . import example as shop
from .application import Application, plugin
from .repository import Repository
from .test_argocd import A, C, add_zones, by_zone


@pytest.fixture
def example(sandbox: Sandbox) -> Example:
    """Read example 01 as somebody keeps it in git, with pods that take their time to become ready."""
    add_zones(sandbox)
    read = Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)
    return replace(read, inputs=[starting_slowly(applied_by_hand(read.source()))])


@pytest.fixture
def before(sandbox: Sandbox, application: Application, repository: Repository, example: Example) -> Example:
    """Sync the source as it is, without zonecast, and wait for its pods."""
    revision = repository.commit(shop.unplaced(example))
    application.create(repository, sandbox.namespace, plugin=plugin())
    application.synced(revision)
    sandbox.running(2)
    return example


def test_two_commits_have_no_outage(
    sandbox: Sandbox, application: Application, repository: Repository, before: Example
) -> None:
    """``Keep`` and, when the copies are ready, ``Remove``; the source is left to be deleted by hand.

    Looked at every 200 ms, the ready pods are never fewer than the source's own figure. Until somebody deletes it, the
    source alone is out of sync, and is not pruned.
    """
    source = before.source()
    with ready_pods(sandbox) as counts:
        application.synced(commit(repository, application, before.varied(fanOut={"source": "Keep"})))
        sandbox.running(4)
        removed = commit(repository, application, before)
        kept = [f"Deployment/{source['metadata']['name']}"]
        eventually(lambda: application.status, lambda status: status["sync"]["revision"] == removed)
        always(application.out_of_sync, lambda found: found == kept, during=3)
        assert len(sandbox.pods()) == 4
        sandbox.kubectl("delete", "deployment", source["metadata"]["name"])
        application.synced(removed)
        assert by_zone(sandbox, 2) == {A: 1, C: 1}
    assert min(counts) == 2


def test_one_commit_with_prune_last_has_no_outage(
    sandbox: Sandbox, application: Application, repository: Repository, before: Example
) -> None:
    """``PruneLast=true`` on the Application: the source goes when the copies are healthy."""
    application.merge({"spec": {"syncPolicy": {"syncOptions": ["PruneLast=true"]}}})
    with ready_pods(sandbox) as counts:
        application.synced(commit(repository, application, before))
        assert by_zone(sandbox, 2) == {A: 1, C: 1}
    assert min(counts) == 2


def test_one_commit_without_it_is_an_outage(
    sandbox: Sandbox, application: Application, repository: Repository, before: Example
) -> None:
    """For contrast: the source is pruned in the same step, before a copy is ready."""
    with ready_pods(sandbox) as counts:
        application.synced(commit(repository, application, before))
        sandbox.running(2)
    assert min(counts) == 0


def commit(repository: Repository, application: Application, example: Example) -> str:
    """Commit an example that is placed, and have Argo CD look."""
    revision = repository.commit(shop.files(example))
    application.refresh()
    return revision
