"""A running control plane as its clients see it."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import toolbox
from .api import Api
from .processes import Processes

HOST = "127.0.0.1"


class KubectlError(Exception):
    """kubectl failed; the message holds what it printed."""


@dataclass(frozen=True)
class ControlPlane:
    """What a client needs to talk to the cluster, and the programs it consists of."""

    folder: Path
    port: int
    token: str
    processes: Processes

    @property
    def authority(self) -> Path:
        """The certificate that the API server made for itself."""
        return self.folder / "apiserver.crt"

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig."""
        return self.folder / "kubeconfig"

    def api(self) -> Api:
        """Open a connection as administrator."""
        return Api(self.port, self.token, self.authority)

    def kubectl(self, namespace: str, *arguments: str, given: str | None = None) -> str:
        """Run kubectl as administrator in a namespace and return what it printed."""
        done = subprocess.run(
            [
                str(toolbox.kubectl()),
                f"--kubeconfig={self.kubeconfig}",
                f"--namespace={namespace}",
                *arguments,
            ],
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            message = f"kubectl {' '.join(arguments)}: {done.stdout}{done.stderr}"
            raise KubectlError(message)
        return done.stdout

    def write_kubeconfig(self, file: Path, token: str) -> None:
        """Write the kubeconfig of the user that ``token`` stands for."""
        file.write_text(_KUBECONFIG.format(port=self.port, authority=self.authority, token=token))


_KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: zonecast
clusters:
- name: zonecast
  cluster: {{server: "https://127.0.0.1:{port}", certificate-authority: "{authority}"}}
users:
- name: zonecast
  user: {{token: "{token}"}}
contexts:
- name: zonecast
  context: {{cluster: zonecast, user: zonecast}}
"""
