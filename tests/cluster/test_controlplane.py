"""The control plane itself: it leaves nothing behind, and says what it lacks."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from . import conftest, controlplane, toolbox
from .sandbox import Sandbox
from .waiting import eventually

DIES = """
import os, signal, sys
from pathlib import Path
from tests.cluster import controlplane
controlplane.up(Path(sys.argv[1]))
os.kill(os.getpid(), signal.SIGKILL)
"""
# SIGINT as Python has it by default: it is ignored in what a shell starts in the background.
DIES_OF = """
import os, signal, sys
from pathlib import Path
from tests.cluster.processes import Processes
signal.signal(signal.SIGINT, signal.default_int_handler)
Processes(Path(sys.argv[1])).start("sleep", "sleep", "600")
os.kill(os.getpid(), int(sys.argv[2]))
"""
PROGRAMS = {"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"}


def test_nothing_outlives_a_killed_test_run(tmp_path: Path) -> None:
    """When the tests' own process is killed, the whole control plane ends with it."""
    command = [sys.executable, "-c", DIES, str(tmp_path)]
    died = subprocess.run(command, check=False, cwd=toolbox.REPOSITORY)
    assert died.returncode == -9
    assert {file.stem for file in tmp_path.glob("*.pid")} == PROGRAMS
    eventually(lambda: left(tmp_path), lambda names: not names)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_program_ends_with_the_tests_whatever_ends_them(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C, a CI job that is cancelled, a crash."""
    command = [sys.executable, "-c", DIES_OF, str(tmp_path), str(int(number))]
    died = subprocess.run(command, check=False, cwd=toolbox.REPOSITORY, stderr=subprocess.DEVNULL)
    assert died.returncode == -number
    eventually(lambda: left(tmp_path), lambda names: not names)


def test_a_start_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the API server does not come up, the store that was started before it is ended."""

    def fails(*_: object) -> None:
        assert left(tmp_path) == ["etcd"]
        raise TimeoutError

    monkeypatch.setattr(controlplane, "_start_api_server", fails)
    with pytest.raises(TimeoutError):
        controlplane.up(tmp_path)
    assert left(tmp_path) == []


def test_a_failed_test_says_what_the_scheduler_said(sandbox: Sandbox) -> None:
    """The report of a failure has a section with each pod, and why it is Pending."""
    spec = {"containers": [{"name": "app", "image": "none"}], "nodeSelector": {"room": "none"}}
    sandbox.add_nodes("node-1", labels={})
    sandbox.apply([{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "lonely"}, "spec": spec}])
    eventually(sandbox.explain, lambda said: "FailedScheduling" in said)
    report = SimpleNamespace(when="call", failed=True, sections=[])
    reporting = conftest.pytest_runtest_makereport(SimpleNamespace(funcargs={"sandbox": sandbox}))  # type: ignore[arg-type]
    next(reporting)
    with pytest.raises(StopIteration):
        reporting.send(report)  # type: ignore[arg-type]
    ((title, said),) = report.sections
    assert title == "what the cluster said"
    assert "lonely  Pending" in said
    assert "FailedScheduling  lonely: 0/1 nodes are available" in said


def left(folder: Path) -> list[str]:
    """Name the programs with a process id in the folder that still run."""
    return [file.stem for file in folder.glob("*.pid") if Path("/proc", file.read_text()).exists()]


def test_a_missing_tool_is_an_error_that_helps() -> None:
    """A tool that cannot be had fails the test, and says which command failed and why."""
    with pytest.raises(
        toolbox.MissingToolError, match=r"tools/install no-such-tool.*no tool named"
    ):
        toolbox.folder("no-such-tool")
