"""The plugin sidecar of a repo-server: as a container of our image, or as a process to be measured."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
from pathlib import Path
from typing import Protocol

from cluster import toolbox
from cluster.processes import Processes
from cluster.waiting import eventually
from zonecast.cli.turns import LIMIT

from .metering import children

NAME = "zonecast"
CONFIG = toolbox.REPOSITORY / "overlays" / "argocd-cmp"


class Sidecar(Protocol):
    """What a repo-server shares with its sidecar is the folder of sockets."""

    sockets: Path

    def start(self) -> None:
        """Start it; it serves when this returns."""

    def stop(self) -> None:
        """End it at once."""


class Container:
    """The image, locked as overlays/argocd-cmp locks it: another user, read-only, without network."""

    def __init__(self, folder: Path) -> None:
        """Prepare to share ``folder/sockets``."""
        self.sockets = _sockets(folder)
        self.name = f"zonecast-cmp-{os.getpid()}-{secrets.token_hex(2)}"

    def start(self) -> None:
        """Run the image with what the repo-server's pod mounts into it."""
        binary = toolbox.folder("argocd") / "argocd"
        mounts = [
            f"--volume={binary}:/var/run/argocd/argocd-cmp-server:ro",
            f"--volume={self.sockets}:/home/argocd/cmp-server/plugins",
            "--tmpfs=/tmp:rw,noexec,nosuid,mode=1777",
        ]
        self._docker("run", "--detach", f"--name={self.name}", *LOCKS, *mounts, toolbox.printed("cmp-image"))
        eventually(self._is_up, bool)

    def stop(self) -> None:
        """Remove the container."""
        self._docker("rm", "--force", self.name)

    def logs(self) -> str:
        """Return what it wrote."""
        return self._docker("logs", self.name)

    def _is_up(self) -> bool:
        """Tell whether it listens; one that ended is an error."""
        assert self._docker("inspect", "--format={{.State.Running}}", self.name).strip() == "true", self.logs()
        return (self.sockets / f"{NAME}.sock").exists()

    @staticmethod
    def _docker(*arguments: str) -> str:
        """Run docker on our engine."""
        done = docker(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr


# What the securityContext of the sidecar says, in the words of docker.
LOCKS = ("--user=999:999", "--read-only", "--network=none", "--cap-drop=ALL", "--security-opt=no-new-privileges")


def docker(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run docker on our engine."""
    environment = {**os.environ, "DOCKER_HOST": toolbox.printed("docker")}
    command = [toolbox.on_path("docker"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


class Process:
    """The same server as a process of this machine, where memory and time can be looked at."""

    def __init__(self, processes: Processes, folder: Path, config: Path = CONFIG, parallel: int = 0) -> None:
        """Prepare to share ``folder/sockets``, to read plugin.yaml in ``config`` and to run ``parallel`` renders."""
        self.sockets = _sockets(folder)
        self.pid = 0
        self._processes, self._folder, self._config, self._parallel = processes, folder, config, parallel
        self.name = f"argocd-cmp-server-{folder.name}"

    def start(self) -> None:
        """Start it, with kustomize and the function on its PATH."""
        own, kustomize = toolbox.own_programs(), toolbox.folder("kustomize")
        self._processes.start(
            self.name,
            toolbox.folder("argocd") / "argocd-cmp-server",
            f"--config-dir-path={self._config}",
            environment={
                "ARGOCD_PLUGINSOCKFILEPATH": str(self.sockets),
                "TMPDIR": str(self._folder),
                LIMIT: str(self._parallel),
                "PATH": os.pathsep.join([str(own), str(kustomize), os.environ["PATH"]]),
            },
        )
        self._processes.wait_until(self.name, lambda: any(self.sockets.glob("*.sock")))
        self.pid = self._processes.id_of(self.name)

    def stop(self) -> None:
        """End it and what it has started, as the kubelet ends a container."""
        groups = children(self.pid)
        self._processes.kill(self.name)
        for group in groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        for socket in self.sockets.iterdir():
            socket.unlink()


def _sockets(folder: Path) -> Path:
    """Make the folder that both share; the sidecar is another user."""
    sockets = folder / "sockets"
    sockets.mkdir(parents=True)
    sockets.chmod(0o777)
    return sockets
