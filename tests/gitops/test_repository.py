"""The repository that the GitOps tests use."""

from __future__ import annotations

import subprocess
from pathlib import Path

from .repository import Repository


def test_a_clone_has_what_was_committed(repository: Repository, tmp_path: Path) -> None:
    """Files that were written are there, one that was removed is not."""
    first = repository.commit({"a/one.yaml": "one: 1\n", "two.yaml": "two: 2\n"})
    second = repository.commit({"two.yaml": None})
    assert first != second
    subprocess.run(["git", "clone", "--quiet", repository.url, tmp_path / "clone"], check=True)
    found = {str(file.relative_to(tmp_path / "clone")) for file in (tmp_path / "clone").rglob("*.yaml")}
    assert found == {"a/one.yaml"}
