"""Where the programs of the cluster are; a missing one is an error that says what to run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


class MissingToolError(Exception):
    """A program that the cluster needs is neither here nor to be had."""


def folder(tool: str) -> Path:
    """Return the folder where ``tools/install`` keeps a tool."""
    return Path(printed(tool))


@cache
def printed(tool: str) -> str:
    """Return what ``tools/install`` prints for a tool, a folder or a name; it builds what is missing, once."""
    command = [str(REPOSITORY / "tools" / "install"), tool]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        message = f"the cluster needs {tool}, and `tools/install {tool}` failed: {done.stderr}"
        raise MissingToolError(message)
    return done.stdout.strip()


def on_path(program: str) -> str:
    """Return where a program of the system is."""
    found = shutil.which(program)
    if found is None:
        message = f"the cluster needs {program}: install it and put it on PATH"
        raise MissingToolError(message)
    return found


def kubectl() -> Path:
    """Return the kubectl that the tools hold."""
    return folder("kubectl") / "kubectl"


def own_programs() -> Path:
    """Return the folder of the project's own commands: ``zonecast`` is there."""
    return Path(sys.executable).parent
