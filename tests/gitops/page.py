"""The commands of a guide, run as somebody who follows it would."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import yaml

from cluster import toolbox
from cluster.api import Json

from .repository import NOBODY

GUIDES = toolbox.REPOSITORY / "docs" / "guides"
_SECTION = re.compile(r"^#+ ([^\n]*)\n(.*?)(?=^#|\Z)", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TOOLS = ("kustomize", "kubectl")


def commands(guide: str, section: str, folder: Path, kubeconfig: Path | None = None) -> str:
    """Run the shell blocks of a section, one after the other, in ``folder``; return what they printed."""
    blocks = blocks_of(guide, section)
    assert blocks, f"{guide} has no commands under {section}"
    path = [toolbox.own_programs(), *map(toolbox.folder, TOOLS), os.environ["PATH"]]
    environment = {
        **os.environ,
        **NOBODY,
        "PATH": os.pathsep.join(map(str, path)),
        "DOCKER_HOST": toolbox.printed("docker"),
        "KUBECONFIG": str(kubeconfig or os.devnull),
    }
    done = [_run(block, folder, environment) for block in blocks]
    return "".join(done)


def blocks_of(guide: str, section: str, language: str = "sh") -> list[str]:
    """Return the blocks of a language that stand under a heading, down to the next one."""
    sections = dict(_SECTION.findall(_without_comments((GUIDES / guide).read_text())))
    blocks = _BLOCK.findall(sections[section].replace(_HASH, "#"))
    return [text for name, text in blocks if name == language]


def shown(guide: str, section: str) -> Json:
    """Return the one piece of YAML that stands under a heading."""
    (block,) = blocks_of(guide, section, "yaml")
    content: Json = yaml.safe_load(block)
    return content


# A comment in a block is no heading.
_HASH = "\0"


def _without_comments(page: str) -> str:
    """Hide the comments of the blocks."""
    return re.sub(r"^```.*?^```", lambda found: found[0].replace("#", _HASH), page, flags=re.DOTALL | re.MULTILINE)


def _run(block: str, folder: Path, environment: dict[str, str]) -> str:
    """Run one block as a shell would that stops at the first failure."""
    command = ["bash", "-euc", block]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
    return done.stdout
