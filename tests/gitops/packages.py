"""Folders that CI renders with the real kustomize before a GitOps tool sees anything."""

from __future__ import annotations

from pathlib import Path

from cluster.rendered import Example
from hosts.adaptors import Run, kustomize

from .example import files


def packaged(folder: Path, example: Example) -> Path:
    """Write an example, its Placement as the last transformer, into a folder of its own."""
    folder.mkdir(parents=True)
    for name, text in files(example).items():
        (folder / name).write_text(text)
    return folder


def built(package: Path) -> Run:
    """Render a package with kustomize and the function as a command."""
    return kustomize(package, "--enable-alpha-plugins", "--enable-exec")


def rendered(package: Path) -> str:
    """Render a package; it must succeed."""
    done = built(package)
    assert done.code == 0, done.stderr
    return done.stdout
