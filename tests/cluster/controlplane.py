"""A real control plane on loopback, ready in seconds: no kubelet, kwok plays the nodes.

By hand: ``python -m tests.cluster.controlplane up`` leaves one running and prints its kubeconfig,
``down`` ends it.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import toolbox
from .api import Api, ApiError, Json
from .plane import HOST, ControlPlane
from .processes import Processes, end_by_files, free_ports

BY_HAND = Path(tempfile.gettempdir()) / "zonecast-cluster"
PODS = Path(__file__).with_name("pods-of-kwok.yaml")


def up(folder: Path, *, outlive: bool = False) -> ControlPlane:
    """Start everything in the empty ``folder``; returns when pods can be scheduled."""
    kubernetes, etcd, kwok = map(toolbox.folder, ["kubernetes", "etcd", "kwok"])
    processes = Processes(folder, outlive=outlive)
    store, peer, port, manager, scheduler = free_ports(5)
    plane = ControlPlane(folder, port, secrets.token_hex(16), processes)
    try:
        _start_store(processes, etcd / "etcd", store, peer)
        _start_api_server(plane, store, kubernetes / "kube-apiserver")
        as_admin = (f"--kubeconfig={plane.kubeconfig}", "--leader-elect=false")
        processes.start(
            "kube-controller-manager",
            kubernetes / "kube-controller-manager",
            *as_admin,
            *_MANAGER,
            f"--secure-port={manager}",
            f"--service-account-private-key-file={folder / 'service-account.key'}",
        )
        processes.start(
            "kube-scheduler",
            kubernetes / "kube-scheduler",
            *as_admin,
            f"--bind-address={HOST}",
            f"--secure-port={scheduler}",
        )
        processes.start(
            "kwok",
            kwok / "kwok",
            f"--kubeconfig={plane.kubeconfig}",
            f"--config={PODS}",
            "--manage-all-nodes=true",
            "--node-lease-duration-seconds=40",
        )
        _wait_for_a_running_pod(plane)
    except BaseException:
        processes.stop()
        raise
    return plane


# Faster than the defaults in one respect only: an autoscaler looks every 2 s, not every 15 s, and
# believes the metrics of a pod as soon as it runs.
_MANAGER = (
    f"--bind-address={HOST}",
    "--use-service-account-credentials=false",
    "--kube-api-qps=200",
    "--kube-api-burst=400",
    "--horizontal-pod-autoscaler-sync-period=2s",
    "--horizontal-pod-autoscaler-cpu-initialization-period=1s",
    "--horizontal-pod-autoscaler-initial-readiness-delay=1s",
)


def _start_store(processes: Processes, program: Path, port: int, peer: int) -> None:
    """Start etcd; nothing in it has to outlive the machine."""
    url, peer_url = f"http://{HOST}:{port}", f"http://{HOST}:{peer}"
    processes.start(
        "etcd",
        program,
        f"--data-dir={processes.folder / 'etcd'}",
        "--unsafe-no-fsync",
        "--log-level=warn",
        f"--listen-client-urls={url}",
        f"--advertise-client-urls={url}",
        f"--listen-peer-urls={peer_url}",
        f"--initial-advertise-peer-urls={peer_url}",
        f"--initial-cluster=default={peer_url}",
    )


def _start_api_server(plane: ControlPlane, store: int, program: Path) -> None:
    """Start the API server with RBAC and one administrator, and wait until it is ready."""
    key = plane.folder / "service-account.key"
    _openssl("genrsa", "-out", str(key), "2048")
    tokens = plane.folder / "tokens.csv"
    tokens.write_text(f'{plane.token},admin,admin,"system:masters"\n')
    plane.write_kubeconfig(plane.kubeconfig, plane.token)
    plane.processes.start(
        "kube-apiserver",
        program,
        f"--etcd-servers=http://{HOST}:{store}",
        f"--bind-address={HOST}",
        f"--advertise-address={HOST}",
        f"--secure-port={plane.port}",
        f"--cert-dir={plane.folder}",
        f"--token-auth-file={tokens}",
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://zonecast.invalid",
        f"--service-account-key-file={key}",
        f"--service-account-signing-key-file={key}",
        "--service-cluster-ip-range=10.96.0.0/16",
        "--allow-privileged",
        "--disable-admission-plugins=ServiceAccount",
    )
    plane.processes.wait_until("kube-apiserver", lambda: _is_ready(plane))


def _is_ready(plane: ControlPlane) -> bool:
    """Ask the API server whether it serves; before that there is no certificate either."""
    try:
        plane.api().get("/readyz")
    except (OSError, ApiError):
        return False
    return True


def _wait_for_a_running_pod(plane: ControlPlane) -> None:
    """Wait until scheduler and kwok work: one pod, on one node, runs."""
    api, node, pod = plane.api(), "/api/v1/nodes/first", "/api/v1/namespaces/default/pods/first"
    api.create(
        "/api/v1/nodes",
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": "first"},
            "status": {"allocatable": {"cpu": "1", "memory": "1Gi", "pods": "2"}},
        },
    )
    first: Json = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "first"},
        "spec": {
            "tolerations": [{"operator": "Exists"}],
            "containers": [{"name": "first", "image": "none"}],
        },
    }
    plane.processes.wait_until("kube-apiserver", lambda: _created(api, first))
    plane.processes.wait_until(
        "kube-scheduler", lambda: api.get(pod)["status"]["phase"] == "Running"
    )
    api.delete(pod, at_once=True)
    api.delete(node)


def _created(api: Api, pod: Json) -> bool:
    """Create a pod as soon as its namespace is there."""
    try:
        api.create("/api/v1/namespaces/default/pods", pod)
    except ApiError:
        return False
    return True


def _openssl(*arguments: str) -> None:
    """Run openssl quietly."""
    subprocess.run([toolbox.on_path("openssl"), *arguments], check=True, capture_output=True)


def main() -> None:
    """Bring one cluster up for a person, or down again."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("action", choices=["up", "down"])
    action = parser.parse_args().action
    ended = end_by_files(BY_HAND) if BY_HAND.is_dir() else []
    shutil.rmtree(BY_HAND, ignore_errors=True)
    if action == "down":
        sys.stderr.write(f"ended: {' '.join(ended) or 'nothing was running'}\n")
        return
    BY_HAND.mkdir(mode=0o700)
    plane = up(BY_HAND, outlive=True)
    sys.stdout.write(f"{plane.kubeconfig}\n")
    sys.stderr.write(f"try: KUBECONFIG={plane.kubeconfig} kubectl get nodes{os.linesep}")


if __name__ == "__main__":
    main()
