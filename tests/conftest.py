"""What tests of every kind are given."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Callable, Optional

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run, so that a failure is about the change that was made. To search for new ones:
# pytest --hypothesis-profile=soak tests/property tests/krmfn
settings.register_profile("same", deadline=None, derandomize=True, max_examples=150)
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=5000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
# make check: a minute for everything
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=25)
settings.load_profile("same")

REPOSITORY = Path(__file__).parents[1]

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the root of the repository."""
    return REPOSITORY


@pytest.fixture(scope="session")
def python() -> Run:
    """Run a Python program of a few lines, or a file, with bytes on standard input."""

    def run(
        program: str | Path, *arguments: str, stdin: bytes = b"", env: Optional[dict[str, str]] = None
    ) -> subprocess.CompletedProcess[bytes]:
        source = [str(program)] if isinstance(program, Path) else ["-c", program]
        command = [sys.executable, *source, *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120, env=env)

    return run


@pytest.fixture(scope="session")
def zonecast() -> Run:
    """Run the installed console script ``zonecast`` with bytes on standard input."""
    script = Path(sys.executable).parent / "zonecast"

    def run(
        stdin: bytes, *arguments: str, env: Optional[dict[str, str]] = None
    ) -> subprocess.CompletedProcess[bytes]:
        command = [str(script), *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120, env=env)

    return run
