"""The resource metrics API with figures that a test chooses: what metrics-server would measure.

The API server's aggregator asks it like any other, so the autoscaler sees live metrics, pod by
pod, of just the pods that the scale subresource's selector names.
"""

from __future__ import annotations

import datetime as dt
import json
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from . import toolbox
from .api import Api, Json
from .plane import HOST, ControlPlane
from .pods import Pod, View
from .waiting import eventually

Usage = Callable[[Pod], int]
GROUP = "metrics.k8s.io/v1beta1"
SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices"
SERVICE = "/api/v1/namespaces/kube-system/services"


@contextmanager
def served(plane: ControlPlane, usage: Usage) -> Iterator[None]:
    """Serve for a while, for each pod, the millicores that ``usage`` gives."""
    server = _server(plane, usage)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    api = plane.api()
    try:
        _register(api, server.server_address[1])
        eventually(lambda: api.get(f"{SERVICES}/v1beta1.metrics.k8s.io"), _is_available)
        yield
    finally:
        api.delete(f"{SERVICES}/v1beta1.metrics.k8s.io")
        api.delete(f"{SERVICE}/metrics")
        server.shutdown()
        server.server_close()


def _server(plane: ControlPlane, usage: Usage) -> ThreadingHTTPServer:
    """Prepare a TLS server on loopback."""
    certificate = _certificate(plane.folder)

    class Handler(BaseHTTPRequestHandler):
        """Answers discovery and the list of a namespace's pods."""

        def do_GET(self) -> None:
            """Answer one question."""
            parts = urlsplit(self.path)
            if "/pods" in parts.path:
                namespace = parts.path.split("/")[5]
                view = View(plane.api(), namespace)
                answer = _measured(view, usage, parts.query)
            else:
                answer = _DISCOVERY
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer((HOST, 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    return server


def _measured(view: View, usage: Usage, query: str) -> Json:
    """Give the figures of the pods that the query selects."""
    now = dt.datetime.now(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    items = view.api.items(f"{view.path}?{query}")
    pods = [(Pod.of(item), item) for item in items]
    return {
        "kind": "PodMetricsList",
        "apiVersion": GROUP,
        "metadata": {},
        "items": [
            {
                "metadata": {"name": pod.name, "namespace": view.namespace},
                "timestamp": now,
                "window": "10s",
                "containers": [
                    {"name": c["name"], "usage": {"cpu": f"{usage(pod)}m", "memory": "1Mi"}}
                    for c in item["spec"]["containers"]
                ],
            }
            for pod, item in pods
        ],
    }


def _register(api: Api, port: int) -> None:
    """Let the API server forward the group to the port."""
    spec = {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]}
    api.create(SERVICE, {"metadata": {"name": "metrics"}, "spec": spec})
    api.create(
        SERVICES,
        {
            "apiVersion": "apiregistration.k8s.io/v1",
            "kind": "APIService",
            "metadata": {"name": "v1beta1.metrics.k8s.io"},
            "spec": {
                "group": "metrics.k8s.io",
                "version": "v1beta1",
                "service": {"name": "metrics", "namespace": "kube-system", "port": port},
                "insecureSkipTLSVerify": True,
                "groupPriorityMinimum": 100,
                "versionPriority": 100,
            },
        },
    )


def _is_available(service: Json) -> bool:
    """Tell whether the aggregator reaches the service."""
    conditions = service.get("status", {}).get("conditions", [])
    return any(c["type"] == "Available" and c["status"] == "True" for c in conditions)


def _certificate(folder: Path) -> Path:
    """Make a key and a certificate in one file."""
    file, public = folder / "metrics.pem", folder / "metrics.crt"
    make = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=metrics"]
    command = [toolbox.on_path("openssl"), *make, "-keyout", str(file), "-out", str(public)]
    subprocess.run(command, check=True, capture_output=True)
    file.write_text(file.read_text() + public.read_text())
    return file


_DISCOVERY: Json = {
    "kind": "APIResourceList",
    "apiVersion": "v1",
    "groupVersion": GROUP,
    "resources": [
        {
            "name": "pods",
            "singularName": "",
            "namespaced": True,
            "kind": "PodMetrics",
            "verbs": ["get", "list"],
        }
    ],
}
