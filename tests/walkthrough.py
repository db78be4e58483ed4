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


def follow(
    text: str, folder: Path, environment: Mapping[str, str], within: float | None = 120
) -> list[Run]:
    """Follow a page, or a section of one, in ``folder``; each command must succeed ``within`` seconds.

    The outcome of each shell block is returned.
    """
    done = []
    for language, body in FENCE.findall(text):
        if language == "sh":
            command = ("bash", "-euo", "pipefail", "-c", body)
            outcome = run(*command, cwd=folder, environment=environment, within=within)
            assert outcome.code == 0, f"{body}\n{outcome.stdout}{outcome.stderr}"
            done.append(outcome)
        elif language == "yaml" and (name := FILE.match(body)):
            (folder / name[1]).write_text(body)
    assert done, "no commands"
    return done
