"""Argo CD without a sidecar: functions in the repo-server itself, and manifests that CI rendered."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
import yaml

from cluster import toolbox
from cluster.rendered import Example
from cluster.sandbox import Sandbox
from cluster.waiting import eventually
from zonecast import __version__

from . import example as shop
from .application import Application, plugin
from .argocd import NAMED, ArgoCd
from .page import commands
from .repository import Repository
from .sidecar import docker
from .test_argocd import A, C, add_zones, by_zone

OPTION = yaml.safe_load((toolbox.REPOSITORY / "overlays/argocd-repo-server/argocd-cm.yaml").read_text())
SETTINGS = f"{NAMED}/configmaps/argocd-cm"


@pytest.fixture
def example(sandbox: Sandbox) -> Example:
    """Read example 01, moved to the test's namespace; its zones have nodes."""
    add_zones(sandbox)
    return Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)


@pytest.fixture
def with_option(argocd: ArgoCd) -> Iterator[None]:
    """Give every kustomization its functions for a while, as overlays/argocd-repo-server does."""
    api = argocd.plane.api()
    api.merge(SETTINGS, {"data": OPTION["data"]})
    yield
    api.merge(SETTINGS, {"data": dict.fromkeys(OPTION["data"])})


@pytest.mark.usefixtures("with_option")
def test_the_repo_server_runs_functions_itself(
    sandbox: Sandbox, application: Application, repository: Repository, example: Example
) -> None:
    """With the option and zonecast on its PATH; what the Application says in ``kustomize`` comes before the function."""
    revision = repository.commit(shop.files(example))
    target = example.source()["metadata"]["name"]
    application.create(repository, sandbox.namespace, kustomize={"replicas": [{"name": target, "count": 6}]})
    application.synced(revision)
    assert by_zone(sandbox, 6) == {A: 3, C: 3}


@pytest.fixture
def with_own_program(repository: Repository, example: Example) -> None:
    """Commit an application with a script of its own as its function; the script tells where it runs, and fails."""
    script = repository.folder / "own.sh"
    script.write_text("#!/bin/sh\necho run in $TMPDIR >&2\nexit 1\n")
    script.chmod(0o755)
    function = {"config.kubernetes.io/function": "exec: {path: ./own.sh}"}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "own", "annotations": function}}
    kustomization = {"resources": [shop.OBJECTS], "transformers": ["own.yaml"]}
    own = {"own.yaml": yaml.safe_dump(config), shop.KUSTOMIZATION: yaml.safe_dump(kustomization)}
    repository.commit({**shop.files(example), **own})


@pytest.mark.usefixtures("with_option", "with_own_program")
def test_then_a_repository_runs_its_own_programs_there(
    sandbox: Sandbox, application: Application, repository: Repository
) -> None:
    """Why this is a matter of trust: a script of the repository itself is run, where the repo-server's files are."""
    application.create(repository, sandbox.namespace)
    server = application.argocd.repo_servers[0]
    eventually(application.errors, lambda found: "run in" in found and server.name in found)


@pytest.mark.usefixtures("with_own_program")
def test_the_sidecar_does_not_run_a_program_of_the_repository(
    sandbox: Sandbox, application: Application, repository: Repository
) -> None:
    """Argo CD resets file modes on the way to the sidecar, so the script is not executable there."""
    application.create(repository, sandbox.namespace, plugin=plugin())
    eventually(application.errors, lambda found: "own.sh: permission denied" in found)


def test_manifests_that_ci_rendered_are_applied_as_they_are(
    sandbox: Sandbox, application: Application, repository: Repository, example: Example
) -> None:
    """The page's commands, in a checkout of the sources beside one of the branch that Argo CD follows."""
    repository.commit({"README.md": "rendered by CI\n"})
    work = repository.folder.parent / "work"
    sources = Repository.made(work / "shop")
    sources.commit(shop.files(example))
    shutil.copytree(toolbox.REPOSITORY / "overlays", work / "overlays")
    rendered = repository.cloned(work / "rendered", branch="rendered")
    commands("argocd.md", "Rendered manifests", work)
    application.create(repository, sandbox.namespace, targetRevision="rendered", path="shop")
    application.synced(rendered.head())
    assert by_zone(sandbox, 2) == {A: 1, C: 1}


def test_the_image_of_the_repo_server_has_the_command() -> None:
    """As Argo CD's user, on a read-only root."""
    flags = ("--rm", "--read-only", "--network=none", "--entrypoint=zonecast")
    done = docker("run", *flags, toolbox.printed("repo-server-image"), "version")
    assert done.stdout.strip() == __version__, done.stderr
    user = docker("inspect", "--format={{.Config.User}}", toolbox.printed("repo-server-image"))
    assert user.stdout.strip() == "999"
