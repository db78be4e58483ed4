"""The commands of a guide, run as somebody who follows it would."""

from __future__ import annotations

import os
from pathlib import Path

import yaml

from cluster import toolbox
from cluster.api import Json
from pages import blocks_in, section, text_of
from walkthrough import follow

from .repository import NOBODY

GUIDES = Path("docs", "guides")
TOOLS = ("kustomize", "kubectl")


def commands(guide: str, heading: str, folder: Path, kubeconfig: Path | None = None) -> None:
    """Run the shell blocks under a heading, one after the other, in ``folder``."""
    path = [*map(toolbox.folder, TOOLS), os.environ["PATH"]]
    environment = {
        **NOBODY,
        "PATH": os.pathsep.join(map(str, path)),
        "DOCKER_HOST": toolbox.printed("docker"),
        "KUBECONFIG": str(kubeconfig or os.devnull),
    }
    follow(section(text_of(GUIDES / guide), heading), folder, environment, within=None)


def shown(guide: str, heading: str) -> Json:
    """Return the one piece of YAML that stands under a heading."""
    (block,) = blocks_in(section(text_of(GUIDES / guide), heading), "yaml")
    content: Json = yaml.safe_load(block)
    return content
