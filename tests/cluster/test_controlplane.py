"""The control plane itself: it leaves nothing behind, and says what it lacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from . import toolbox
from .waiting import eventually

DIES = """
import os, signal, sys
from pathlib import Path
from tests.cluster import controlplane
controlplane.up(Path(sys.argv[1]))
os.kill(os.getpid(), signal.SIGKILL)
"""
PROGRAMS = {"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"}


def test_nothing_outlives_a_killed_test_run(tmp_path: Path) -> None:
    """When the tests' own process is killed, the whole control plane ends with it."""
    command = [sys.executable, "-c", DIES, str(tmp_path)]
    died = subprocess.run(command, check=False, cwd=toolbox.REPOSITORY)
    assert died.returncode == -9
    processes = {file.stem: Path("/proc", file.read_text()) for file in tmp_path.glob("*.pid")}
    assert set(processes) == PROGRAMS
    eventually(lambda: [name for name, path in processes.items() if path.exists()], is_empty)


def is_empty(names: list[str]) -> bool:
    """Tell whether none is left."""
    return not names


def test_a_missing_tool_is_an_error_that_helps() -> None:
    """A tool that cannot be had fails the test, and says which command failed and why."""
    with pytest.raises(
        toolbox.MissingToolError, match=r"tools/install no-such-tool.*no tool named"
    ):
        toolbox.folder("no-such-tool")
