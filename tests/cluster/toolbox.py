"""Where the programs of the cluster are; a missing one is an error that says what to run."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


class MissingToolError(Exception):
    """A program that the cluster needs is neither here nor to be had."""


@cache
def folder(tool: str) -> Path:
    """Return the folder where ``tools/install`` keeps a tool; it builds what is missing, once."""
    command = [str(REPOSITORY / "tools" / "install"), tool]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        message = f"the cluster needs {tool}, and `tools/install {tool}` failed: {done.stderr}"
        raise MissingToolError(message)
    return Path(done.stdout.strip())


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
