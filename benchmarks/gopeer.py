"""Builds the Go function of ``benchmarks/peer``, once for each state of its sources."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from measure import BenchError

_SOURCES = Path(__file__).with_name("peer")


def build() -> Path:
    """Return the peer's program, built into the tools folder unless it is there already."""
    home = os.environ.get("ZONECAST_TOOLS") or Path.home() / ".cache" / "zonecast" / "tools"
    program = Path(home) / f"peer-{_digest()}" / "peer"
    if not program.exists():
        sys.stderr.write("building the Go peer\n")
        _go_build(program)
    return program


def _digest() -> str:
    digest = hashlib.sha256()
    for source in sorted(_SOURCES.glob("*")):
        digest.update(f"{source.name}\n".encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def _go_build(program: Path) -> None:
    program.parent.mkdir(parents=True, exist_ok=True)
    # Built beside its place and moved: a build that is stopped half-way leaves no program.
    unfinished = program.with_name(f"peer.{os.getpid()}")
    command = ["go", "build", "-trimpath", "-buildvcs=false", "-o", str(unfinished), "."]
    try:
        subprocess.run(command, cwd=_SOURCES, check=True)  # noqa: S603 - no foreign input
    except (OSError, subprocess.CalledProcessError) as error:
        message = f"the Go peer cannot be built: {error}"
        raise BenchError(message) from error
    unfinished.replace(program)
