"""The control plane, the namespaces and Kyverno of the cluster tests; Argo CD and Flux; a git repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.conftest import kyverno, plane, pytest_runtest_makereport, sandbox
from cluster.plane import ControlPlane
from cluster.sandbox import Sandbox

from .application import Application
from .argocd import ArgoCd
from .flux import Delivery, Flux
from .repository import Repository
from .sidecar import Container

__all__ = ["kyverno", "plane", "pytest_runtest_makereport", "sandbox"]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Give the test an empty git repository of its own."""
    return Repository.made(tmp_path / "repository")


@pytest.fixture(scope="session")
def argocd(plane: ControlPlane) -> Iterator[ArgoCd]:
    """Start Argo CD with our image as the sidecar of its repo-server."""
    installed = ArgoCd(plane)
    try:
        installed.start(Container(plane.folder / "cmp"))
        yield installed
    finally:
        installed.stop()


@pytest.fixture
def application(argocd: ArgoCd, sandbox: Sandbox) -> Iterator[Application]:
    """Give the test an Application; it is still to be created, and is gone before its namespace is."""
    made = Application(argocd, sandbox.namespace)
    yield made
    made.close()


@pytest.fixture(scope="session")
def flux(plane: ControlPlane) -> Flux:
    """Install Flux and start it; it ends with the control plane."""
    return Flux(plane)


@pytest.fixture
def delivery(flux: Flux, sandbox: Sandbox) -> Iterator[Delivery]:
    """Give the test something that Flux will deliver into its namespace; delete what was delivered."""
    made = Delivery(flux, "shop", sandbox.namespace)
    yield made
    made.delete()
