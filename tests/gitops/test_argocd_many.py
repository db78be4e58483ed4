"""Two hundred Applications over two repo-servers, and a sidecar that is killed while it works."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cluster.api import Json
from cluster.plane import ControlPlane
from cluster.sandbox import Sandbox
from cluster.waiting import eventually

from .application import Application, plugin
from .argocd import ArgoCd
from .many import Many, errors, files
from .metering import children, metered
from .repository import Repository
from .sidecar import Process

COUNT, PARALLEL = 200, 4


@pytest.fixture(scope="module")
def two(argocd: ArgoCd, plane: ControlPlane) -> Iterator[list[Process]]:
    """Put two pairs of repo-server and sidecar in the place of the one, for a while."""
    sidecars = [Process(plane.processes, plane.folder / f"pair-{i}", parallel=PARALLEL) for i in range(2)]
    with argocd.served_by(sidecars):
        yield sidecars


@pytest.fixture
def many(argocd: ArgoCd, sandbox: Sandbox) -> Iterator[Many]:
    """Give the test a set of Applications."""
    made = Many(argocd, sandbox.namespace)
    yield made
    made.close()


def deployments(sandbox: Sandbox) -> dict[str, str]:
    """Read the Deployments with their identities: one that was deleted and made anew has another."""
    items: list[Json] = sandbox.api.items(f"/apis/apps/v1/namespaces/{sandbox.namespace}/deployments")
    return {item["metadata"]["name"]: item["metadata"]["uid"] for item in items}


def test_two_hundred_applications_none_fails_and_none_prunes(
    sandbox: Sandbox, many: Many, repository: Repository, two: list[Process]
) -> None:
    """Each is Synced with its two copies; all rendered anew at once, without cache, the same objects stand.

    Both sidecars have their part of it, and neither renders more at once than it is allowed to.
    """
    revision = repository.commit(files(COUNT, placed=True))
    many.create(repository, plugin=plugin())
    assert errors(many.synced(COUNT, revision)) == {}
    before = deployments(sandbox)
    assert len(before) == 2 * COUNT
    with metered(*(each.pid for each in two)) as taken:
        many.refresh()
    assert all(0 < each.builds <= PARALLEL for each in taken), taken
    assert errors(many.synced(COUNT, revision)) == {}
    assert deployments(sandbox) == before


def test_a_sidecar_killed_in_mid_render_loses_nothing(
    sandbox: Sandbox, application: Application, repository: Repository, two: list[Process]
) -> None:
    """The kill is an error of the Application, not an empty output; the next look at it finds a new sidecar."""
    revision = repository.commit(files(1, placed=True))
    application.create(repository, sandbox.namespace, path="apps/web-000", plugin=plugin())
    application.synced(revision)
    before = deployments(sandbox)
    application.ask("hard")
    (hit,) = eventually(lambda: [each for each in two if children(each.pid)], bool)
    hit.stop()
    application.refreshed()
    assert application.errors()
    assert deployments(sandbox) == before
    hit.start()
    application.refresh()
    assert application.errors() == ""
    application.synced(revision)
    assert deployments(sandbox) == before
