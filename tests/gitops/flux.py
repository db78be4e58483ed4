"""Flux for real: its source-controller and kustomize-controller, a registry for its artifacts, and its CLI."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import yaml

from cluster import toolbox
from cluster.api import Api, Json
from cluster.plane import HOST, ControlPlane
from cluster.processes import free_ports
from cluster.waiting import eventually
from hosts.adaptors import Run, run

NAMESPACE = "flux-system"
KUSTOMIZATIONS = "kustomize.toolkit.fluxcd.io/v1"
SOURCES = "source.toolkit.fluxcd.io/v1"
#: What an artifact says it was made from: the same in each push, unless a test says otherwise.
REVISION = f"main@sha1:{'0' * 40}"


class Flux:
    """Flux beside one control plane, as its administrator; it ends with the control plane."""

    def __init__(self, plane: ControlPlane) -> None:
        """Install the CRDs, start everything, and wait until it serves."""
        self.plane = plane
        self.api: Api = plane.api()
        self._home = toolbox.folder("flux-controllers")
        plane.kubectl(NAMESPACE, "apply", "--server-side", "--filename", str(self._home / "crds"))
        plane.kubectl(NAMESPACE, "wait", "--for=condition=Established", "--all", "crd", "--timeout=30s")
        self.api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        self.registry = self._start_registry()
        (port,) = free_ports(1)
        storage = plane.folder / "artifacts"
        storage.mkdir()
        self._start_controller("kustomize-controller")
        self._start_controller(
            "source-controller",
            f"--storage-path={storage}",
            f"--storage-addr={HOST}:{port}",
            f"--storage-adv-addr={HOST}:{port}",
        )

    def _start_registry(self) -> str:
        """Start an empty registry and return where it is."""
        (port,) = free_ports(1)
        config = self.plane.folder / "registry.yaml"
        storage = {"filesystem": {"rootdirectory": str(self.plane.folder / "registry")}}
        config.write_text(json.dumps({"version": 0.1, "storage": storage, "http": {"addr": f"{HOST}:{port}"}}))
        program = toolbox.folder("registry") / "registry"
        self.plane.processes.start("registry", program, "serve", config, environment={"OTEL_TRACES_EXPORTER": "none"})
        self.plane.processes.wait_until("registry", lambda: _answers(f"{HOST}:{port}/v2/"))
        return f"{HOST}:{port}"

    def _start_controller(self, name: str, *flags: str) -> None:
        """Start one of Flux's controllers and wait until it says that it is ready."""
        metrics, health = free_ports(2)
        self.plane.processes.start(
            name,
            self._home / name,
            *flags,
            f"--metrics-addr={HOST}:{metrics}",
            f"--health-addr={HOST}:{health}",
            "--events-addr=",
            environment={"KUBECONFIG": str(self.plane.kubeconfig), "RUNTIME_NAMESPACE": NAMESPACE},
        )
        self.plane.processes.wait_until(name, lambda: _answers(f"{HOST}:{health}/readyz"))

    @property
    def environment(self) -> dict[str, str]:
        """What a shell needs: the programs that the docs name, and the cluster."""
        folders = [toolbox.folder(tool) for tool in ("flux", "kustomize", "kubectl")]
        path = os.pathsep.join([*map(str, folders), os.environ["PATH"]])
        return {"PATH": path, "KUBECONFIG": str(self.plane.kubeconfig)}

    def command(self, *arguments: str | Path, stdin: str = "") -> Run:
        """Run ``flux``."""
        return run(toolbox.folder("flux") / "flux", *arguments, stdin=stdin, environment=self.environment)


@dataclass
class Delivery:
    """One application that Flux delivers: an artifact in the registry, its source and its Kustomization."""

    flux: Flux
    name: str
    namespace: str

    def push(self, what: Path, revision: str = REVISION, stdin: str = "") -> str:
        """Push a folder, or a stream where ``what`` is ``-``; return the digest of the artifact."""
        address = f"oci://{self.flux.registry}/{self.name}:latest"
        origin = (f"--source=https://git.example.com/{self.name}", f"--revision={revision}", "--reproducible")
        done = self.flux.command("push", "artifact", address, f"--path={what}", *origin, "--output=json", stdin=stdin)
        assert done.code == 0, done.stderr
        digest: str = json.loads(done.stdout)["digest"]
        return digest

    def create(self, **spec: object) -> None:
        """Create the source, wait until Flux has fetched it, and create the Kustomization with fields of its ``spec``."""
        metadata = {"name": self.name, "namespace": self.namespace}
        source = {"url": f"oci://{self.flux.registry}/{self.name}", "interval": "1h", "insecure": True}
        self.flux.api.create(
            self._path(SOURCES, "ocirepositories"),
            {
                "apiVersion": SOURCES,
                "kind": "OCIRepository",
                "metadata": metadata,
                "spec": {**source, "ref": {"tag": "latest"}},
            },
        )
        eventually(lambda: condition(self._read(SOURCES, "ocirepositories")), lambda found: found.get("status") == "True")
        fields = {"interval": "1h", "timeout": "50s", "path": "./", "prune": True, "wait": True, **spec}
        self.flux.api.create(
            self._path(KUSTOMIZATIONS, "kustomizations"),
            {
                "apiVersion": KUSTOMIZATIONS,
                "kind": "Kustomization",
                "metadata": metadata,
                "spec": {**fields, "sourceRef": {"kind": "OCIRepository", "name": self.name}},
            },
        )

    def reconcile(self) -> Run:
        """Let Flux fetch the artifact and apply it, and wait until it is done, as a person would."""
        where = (f"--namespace={self.namespace}", "--timeout=60s")
        return self.flux.command("reconcile", "kustomization", self.name, "--with-source", *where)

    def status(self) -> Json:
        """Read the status of the Kustomization."""
        return self._read(KUSTOMIZATIONS, "kustomizations")

    def ready(self) -> Json:
        """Wait until Flux has judged the newest artifact, and return its condition Ready."""
        return eventually(lambda: condition(self.status()), lambda found: found.get("status") in {"True", "False"})

    def inventory(self) -> set[str]:
        """Name what Flux holds for applied: ``KIND/NAME``, with the namespace before it where there is one."""
        entries = self.status().get("inventory", {}).get("entries", [])
        return {_entry(each["id"]) for each in entries}

    def applied(self) -> list[Json]:
        """Return what Flux says that it did, for each time it applied: ``created``, ``unchanged`` and so on by object."""
        log = (self.flux.plane.folder / "kustomize-controller.log").read_text()
        lines = (json.loads(line) for line in log.splitlines() if "server-side apply completed" in line)
        return [line["output"] for line in lines if (line["namespace"], line["name"]) == (self.namespace, self.name)]

    def drift(self, what: Path) -> str:
        """Return what Flux, by a dry run on the server, finds to be other than in a folder: nothing is good."""
        options = (f"--namespace={self.namespace}", f"--path={what}", "--progress-bar=false")
        done = self.flux.command("diff", "kustomization", self.name, *options)
        assert done.code in {0, 1}, done.stderr
        return "" if done.code == 0 else done.stdout + done.stderr

    def delete(self) -> None:
        """Delete everything: Flux prunes what it applied, and that is waited for."""
        path = f"{self._path(KUSTOMIZATIONS, 'kustomizations')}/{self.name}"
        self.flux.api.delete(path)
        eventually(lambda: self.flux.api.exists(path), lambda there: not there)
        self.flux.api.delete(f"{self._path(SOURCES, 'ocirepositories')}/{self.name}")

    def _read(self, version: str, kind: str) -> Json:
        """Read the status of one of the two objects."""
        status: Json = self.flux.api.get(f"{self._path(version, kind)}/{self.name}").get("status", {})
        return status

    def _path(self, version: str, kind: str) -> str:
        """Return the path of a list of the API."""
        return f"/apis/{version}/namespaces/{self.namespace}/{kind}"


def condition(status: Mapping[str, object], kind: str = "Ready") -> Json:
    """Pick a condition of a status; an empty one where it is not there, or is not of the newest generation."""
    conditions = status.get("conditions", [])
    assert isinstance(conditions, list)
    return next((each for each in conditions if each["type"] == kind), {})


def _entry(identifier: str) -> str:
    """Read an entry of an inventory, ``NAMESPACE_NAME_GROUP_KIND``, in which ``__`` stands for a colon of a name."""
    namespace, _, rest = identifier.partition("_")
    name, _, kind = rest.rsplit("_", 2)
    return "/".join(filter(None, (namespace, kind, name.replace("__", ":"))))


def written(folder: Path, objects: Iterable[Json] | str) -> Path:
    """Write manifests into a folder of their own, as CI does before it pushes."""
    folder.mkdir(parents=True, exist_ok=True)
    text = objects if isinstance(objects, str) else yaml.safe_dump_all(list(objects))
    (folder / "rendered.yaml").write_text(text)
    return folder


def _answers(address: str) -> bool:
    """Tell whether a server answers, and does not say no."""
    try:
        with urlopen(f"http://{address}"):
            return True
    except OSError:
        return False
