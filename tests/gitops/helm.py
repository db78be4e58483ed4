"""Helm 3 and Helm 4, each with a home of its own, and a chart that is not ours."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cluster.toolbox import REPOSITORY, folder
from hosts.adaptors import Run, run

#: What a user types for each of them; Helm 4 finds the plugin of this name.
POST_RENDERER = ("--post-renderer", "zonecast", "--post-renderer-args", "placement.yaml")
VERSIONS = {"helm3": "helm", "helm4": "helm4"}
RELEASE = "shop"


@dataclass
class Helm:
    """One version of Helm in a folder that holds ``chart``, ``overlays`` and ``placement.yaml``."""

    version: str
    home: Path
    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    def made(cls, version: str, home: Path) -> Helm:
        """Put the chart and the overlays into a new folder; Helm 4 gets the plugin."""
        home.mkdir(parents=True)
        shutil.copytree(folder("podinfo") / "chart", home / "chart")
        shutil.copytree(REPOSITORY / "overlays", home / "overlays")
        path = os.pathsep.join([str(folder(VERSIONS[version])), str(folder("kubectl")), os.environ["PATH"]])
        homes = {f"HELM_{each}_HOME": str(home / each.lower()) for each in ("CACHE", "CONFIG", "DATA")}
        return cls(version, home, {"PATH": path, **homes})

    def with_plugin(self) -> Helm:
        """Install the plugin that Helm 4 needs, as the guide says."""
        if self.version == "helm4":
            done = self("plugin", "install", "overlays/helm4-plugin")
            assert done.code == 0, done.stderr
        return self

    def in_cluster(self, kubeconfig: Path, namespace: str) -> Helm:
        """Point it at a namespace of a cluster."""
        self.environment |= {"KUBECONFIG": str(kubeconfig), "HELM_NAMESPACE": namespace}
        return self

    def place(self, spec: str, name: str = "shop") -> None:
        """Write ``placement.yaml``; ``spec`` is in flow style."""
        head = "apiVersion: zonecast.dev/v1alpha1\nkind: Placement\n"
        (self.home / "placement.yaml").write_text(f"{head}metadata: {{name: {name}}}\nspec: {spec}\n")

    def __call__(self, *arguments: str) -> Run:
        """Run Helm."""
        return run(folder(VERSIONS[self.version]) / "helm", *arguments, cwd=self.home, environment=self.environment)

    def shell(self, commands: str) -> Run:
        """Run commands as a user pastes them into a shell."""
        return run("bash", "-euo", "pipefail", "-c", commands, cwd=self.home, environment=self.environment)

    def template(self, *more: str, values: Mapping[str, object] | None = None, placed: bool = True) -> Run:
        """Render the chart."""
        flags = POST_RENDERER if placed else ()
        return self("template", RELEASE, "./chart", *settings(values or {}), *flags, *more)

    def upgrade(self, *more: str, values: Mapping[str, object] | None = None, placed: bool = True) -> Run:
        """Install or upgrade the release."""
        flags = POST_RENDERER if placed else ()
        return self("upgrade", "--install", RELEASE, "./chart", *settings(values or {}), *flags, *more)


def settings(values: Mapping[str, object]) -> list[str]:
    """Write values as flags."""
    return [f"--set={name}={value}" for name, value in values.items()]
