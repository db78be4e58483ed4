"""The control plane, the namespaces and Kyverno of the cluster tests, and a git repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluster.conftest import kyverno, plane, pytest_runtest_makereport, sandbox

from .repository import Repository

__all__ = ["kyverno", "plane", "pytest_runtest_makereport", "sandbox"]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Give the test an empty git repository of its own."""
    return Repository.made(tmp_path / "repository")
