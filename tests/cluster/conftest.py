"""One control plane for the session, one namespace with its own nodes for each test."""

from __future__ import annotations

import re
import secrets
from collections.abc import Generator, Iterator

import pytest

from . import controlplane, toolbox
from .guarded import TAINT, Guarded
from .kyverno import Kyverno
from .plane import ControlPlane
from .sandbox import Sandbox

LONGEST_NAME = 40
OTHERS = ("keda", "vpa", "rollouts", "argocd", "flux")
# The values that we tell people to install Kyverno with: the tests prove this very file.
KYVERNO_VALUES = toolbox.REPOSITORY / "overlays" / "kyverno" / "values.yaml"


@pytest.fixture(scope="session")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """Start the control plane, and take it down whatever happens."""
    started = controlplane.up(tmp_path_factory.mktemp("plane"))
    yield started
    started.processes.stop()


@pytest.fixture(scope="session")
def kyverno(plane: ControlPlane) -> Kyverno:
    """Install Kyverno with our values and start it; it ends with the control plane."""
    installed = Kyverno(plane, [KYVERNO_VALUES])
    installed.start()
    return installed


@pytest.fixture(scope="session")
def crds(plane: ControlPlane) -> None:
    """Give the API server the kinds of others that our renderings hold: KEDA, VPA, Argo Rollouts, Argo CD, Flux."""
    folders = [str(toolbox.folder("crds") / name) for name in OTHERS]
    plane.kubectl("default", "apply", "--server-side", "--filename", ",".join(folders))
    plane.kubectl("default", "wait", "crds", "--all", "--for=condition=Established", "--timeout=60s")


@pytest.fixture
def sandbox(plane: ControlPlane, request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """Give the test a namespace; take away everything that it brought to the cluster."""
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.removeprefix("test_").lower())
    made = Sandbox(plane, f"{name[:LONGEST_NAME].strip('-')}-{secrets.token_hex(2)}")
    yield made
    made.close()


@pytest.fixture
def guarded(sandbox: Sandbox, kyverno: Kyverno) -> Iterator[Guarded]:
    """Add two namespaces to the test's own: one without the label of the pool, one with it."""
    other, labelled = (Sandbox(sandbox.plane, f"{sandbox.namespace}-{name}") for name in ("other", "labelled"))
    labels = {TAINT["key"]: TAINT["value"]}
    sandbox.api.merge(f"/api/v1/namespaces/{labelled.namespace}", {"metadata": {"labels": labels}})
    yield Guarded(sandbox, other, labelled, kyverno)
    kyverno.remove_policies()
    other.close()
    labelled.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say in the report of a failed test where its pods were and what the scheduler said."""
    report = yield
    sandbox = getattr(item, "funcargs", {}).get("sandbox")
    if report.when == "call" and report.failed and isinstance(sandbox, Sandbox):
        report.sections.append(("what the cluster said", sandbox.explain()))
    return report
