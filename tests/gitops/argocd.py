"""Argo CD on one control plane: redis, repo-servers with their plugin sidecars, and the controller.

Everything listens on loopback, but for the controller's metrics, for which Argo CD has no address. A repo-server and its
sidecar are a pair, as in a pod; clients reach the pairs through a balancer, as through a Service.
"""

from __future__ import annotations

import json
import os
import shutil
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.request import urlopen

from cluster import toolbox
from cluster.api import Api, Json
from cluster.plane import HOST, ControlPlane
from cluster.processes import free_ports
from cluster.sandbox import Sandbox

from .balancer import Balancer
from .page import commands
from .sidecar import Sidecar

NAMESPACE = "argocd"
NAMED = f"/api/v1/namespaces/{NAMESPACE}"
KINDS = f"/apis/argoproj.io/v1alpha1/namespaces/{NAMESPACE}"
CONTROLLER = "argocd-application-controller"
APPLICATION_SETS = "argocd-applicationset-controller"


@dataclass(frozen=True)
class RepoServer:
    """One repo-server: its name among the programs, its ports, and the sidecar that shares its socket folder."""

    name: str
    port: int
    metrics: int
    sidecar: Sidecar


class ArgoCd:
    """Argo CD as its manifests install it, with ``start`` for each program."""

    def __init__(self, plane: ControlPlane) -> None:
        """Install it as the guide says, the cluster itself, and a project that allows everything."""
        self.plane = plane
        self.api: Api = plane.api()
        self.home = toolbox.folder("argocd")
        self.balancer = Balancer()
        self.repo_servers: list[RepoServer] = []
        (self.redis,) = free_ports(1)
        self._install()
        # argocd-server would write it at its first start.
        self.api.merge(f"{NAMED}/secrets/argocd-secret", {"stringData": {"server.secretkey": "tests"}})
        self.api.create(f"{NAMED}/secrets", self._cluster())
        self.api.create(f"{KINDS}/appprojects", _EVERYTHING)

    @property
    def cluster(self) -> str:
        """The URL that an Application's destination names the cluster by."""
        return f"https://{HOST}:{self.plane.port}"

    def start(self, sidecar: Sidecar) -> None:
        """Start everything for a first pair."""
        self.plane.processes.start(
            "redis",
            toolbox.folder("redis") / "redis-server",
            *("--port", str(self.redis), "--bind", HOST, "--save", "", "--appendonly", "no"),
        )
        self._add(sidecar)
        self._start_controller()
        self._start_application_sets()

    def _add(self, sidecar: Sidecar, *flags: str) -> RepoServer:
        """Start one more repo-server, with ``flags``, and its sidecar; it serves when this returns."""
        port, metrics = free_ports(2)
        server = RepoServer(f"argocd-repo-server-{port}", port, metrics, sidecar)
        self.repo_servers.append(server)
        sidecar.start()
        self._start_repo_server(server, *flags)
        self.balancer.ports.append(port)
        return server

    def _start_repo_server(self, server: RepoServer, *flags: str) -> None:
        """Start a repo-server, with kustomize and zonecast on its PATH."""
        temporary = self.plane.folder / server.name
        temporary.mkdir(exist_ok=True)
        path = [toolbox.own_programs(), toolbox.folder("kustomize"), os.environ["PATH"]]
        self.plane.processes.start(
            server.name,
            self.home / "argocd-repo-server",
            *("--address", HOST, f"--port={server.port}", "--disable-tls"),
            *("--metrics-address", HOST, f"--metrics-port={server.metrics}"),
            f"--redis={HOST}:{self.redis}",
            *flags,
            environment={
                **_ENVIRONMENT,
                "ARGOCD_PLUGINSOCKFILEPATH": str(server.sidecar.sockets),
                "TMPDIR": str(temporary),
                "PATH": os.pathsep.join(map(str, path)),
            },
        )
        self.plane.processes.wait_until(server.name, lambda: _answers(server.metrics))

    @contextmanager
    def served_by(self, sidecars: Sequence[Sidecar], *flags: str) -> Iterator[list[RepoServer]]:
        """Serve with other pairs for a while; the repo-servers have ``flags``."""
        usual = list(self.balancer.ports)
        pairs = [self._add(sidecar, *flags) for sidecar in sidecars]
        self.balancer.ports = [pair.port for pair in pairs]
        try:
            yield pairs
        finally:
            self.balancer.ports = usual
            for pair in pairs:
                self.plane.processes.kill(pair.name)
                pair.sidecar.stop()
                self.repo_servers.remove(pair)

    def _start_controller(self) -> None:
        """Start the application controller."""
        (metrics,) = free_ports(1)
        self.plane.processes.start(
            CONTROLLER,
            self.home / CONTROLLER,
            f"--kubeconfig={self.plane.kubeconfig}",
            f"--namespace={NAMESPACE}",
            f"--redis={HOST}:{self.redis}",
            *("--repo-server", f"{HOST}:{self.balancer.port}", "--repo-server-plaintext"),
            f"--metrics-port={metrics}",
            environment=_ENVIRONMENT,
        )
        self.plane.processes.wait_until(CONTROLLER, lambda: _answers(metrics))

    def _start_application_sets(self) -> None:
        """Start the controller that makes Applications from an ApplicationSet."""
        metrics, webhook = free_ports(2)
        self.plane.processes.start(
            APPLICATION_SETS,
            self.home / APPLICATION_SETS,
            f"--kubeconfig={self.plane.kubeconfig}",
            f"--namespace={NAMESPACE}",
            *("--argocd-repo-server", f"{HOST}:{self.balancer.port}", "--repo-server-plaintext"),
            *(f"--metrics-addr={HOST}:{metrics}", "--probe-addr=0", f"--webhook-addr={HOST}:{webhook}"),
            environment={**_ENVIRONMENT, "KUBECONFIG": str(self.plane.kubeconfig)},
        )
        self.plane.processes.wait_until(APPLICATION_SETS, lambda: _answers(metrics, "metrics"))

    def stop(self) -> None:
        """End what does not end with the control plane."""
        for server in self.repo_servers:
            server.sidecar.stop()
        self.balancer.close()

    def _install(self) -> None:
        """Run the guide's commands; then take away the pods, which only look as if they ran."""
        work = self.plane.folder / "argocd"
        shutil.copytree(toolbox.REPOSITORY / "overlays", work / "overlays")
        (work / NAMESPACE).mkdir()
        shutil.copy(self.home / "install.yaml", work / NAMESPACE)
        nodes = Sandbox(self.plane, "nodes-of-argocd")
        nodes.add_nodes("argocd", labels={"kubernetes.io/os": "linux"})
        commands("argocd.md", "Install", work, self.plane.kubeconfig)
        self.plane.kubectl(NAMESPACE, "scale", "deployments,statefulsets", "--all", "--replicas=0")
        nodes.close()

    def _cluster(self) -> Json:
        """Write down the cluster as Argo CD keeps it."""
        authority = {"caData": b64encode(self.plane.authority.read_bytes()).decode()}
        config = json.dumps({"bearerToken": self.plane.token, "tlsClientConfig": authority})
        labels = {"argocd.argoproj.io/secret-type": "cluster"}
        data = {"name": "here", "server": self.cluster, "config": config}
        return {"metadata": {"name": "here", "labels": labels}, "stringData": data}


def _answers(port: int, path: str = "healthz") -> bool:
    """Tell whether a program serves."""
    try:
        with urlopen(f"http://{HOST}:{port}/{path}", timeout=5):
            return True
    except OSError:
        return False


_EVERYTHING: Json = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "AppProject",
    "metadata": {"name": "default"},
    "spec": {
        "sourceRepos": ["*"],
        "destinations": [{"server": "*", "namespace": "*"}],
        "clusterResourceWhitelist": [{"group": "*", "kind": "*"}],
    },
}
# A keyring for signed commits is not there, and nobody's kubeconfig or git settings are to be found.
_ENVIRONMENT: Mapping[str, str] = {"ARGOCD_GPG_ENABLED": "false", "KUBECONFIG": "/dev/null"}
