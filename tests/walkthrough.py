"""A page followed as a person would: its files are written and its commands run, in the order in which they stand.

A ``yaml`` block whose first line is ``# NAME.yaml`` is a file of that name; a ``sh`` block is pasted into a shell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from hosts.adaptors import Run, run
from pages import FENCE

FILE = re.compile(r"# ([\w./-]+\.yaml)\n")


def section(text: str, heading: str) -> str:
    """Return what stands under a heading of the second level, up to the next one."""
    _, found, rest = text.partition(f"\n## {heading}\n")
    assert found, f"no heading {heading!r}"
    return rest.partition("\n## ")[0]


def follow(
    text: str, folder: Path, environment: Mapping[str, str], replaced: Mapping[str, str] | None = None
) -> list[Run]:
    """Follow a page, or a section of one, in ``folder``; each command must succeed.

    ``replaced`` are words of the page that are others here, such as the address of a registry. The outcome of each shell
    block is returned.
    """
    done = []
    for language, body in FENCE.findall(text):
        for word, here in (replaced or {}).items():
            body = body.replace(word, here)
        if language == "sh":
            outcome = run("bash", "-euo", "pipefail", "-c", body, cwd=folder, environment=environment)
            assert outcome.code == 0, f"{body}\n{outcome.stdout}{outcome.stderr}"
            done.append(outcome)
        elif language == "yaml" and (name := FILE.match(body)):
            (folder / name[1]).write_text(body)
    assert done, "no commands"
    return done
