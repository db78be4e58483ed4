"""Many Applications from one ApplicationSet, rendered by repo-servers each with its sidecar."""

from __future__ import annotations

import json
import time
from collections import Counter

from cluster.api import Json
from cluster.waiting import eventually

from .application import PRUNING, REFRESH
from .argocd import KINDS, ArgoCd
from .example import listed
from .repository import Repository

APPLICATIONS = f"{KINDS}/applications"
LONG, PACE = 600.0, 2.0
_PLACEMENT = {
    "apiVersion": "zonecast.dev/v1alpha1",
    "kind": "Placement",
    "metadata": {
        "name": "shop",
        "annotations": {
            "config.kubernetes.io/local-config": "true",
            "config.kubernetes.io/function": "exec: {path: zonecast}",
        },
    },
    "spec": {"zones": ["us-east-1a", "us-east-1c"]},
}


def files(count: int, *, placed: bool) -> dict[str, str]:
    """Write ``count`` applications, each in its folder, with the function among the transformers or without."""
    transformers = ["placement.yaml"] if placed else []
    written: dict[str, str] = {}
    for i in range(count):
        folder = f"apps/web-{i:03}"
        written[f"{folder}/web.json"] = listed(_web(f"web-{i:03}"))
        written[f"{folder}/placement.yaml"] = json.dumps(_PLACEMENT)
        written[f"{folder}/kustomization.yaml"] = json.dumps({"resources": ["web.json"], "transformers": transformers})
    return written


def _web(name: str) -> list[Json]:
    """Make a Deployment without pods, as what is measured is rendering, and its Service."""
    labels, metadata = {"app": name}, {"name": name}
    containers = [{"name": "web", "image": "registry.example.com/web:1"}]
    template = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
    spec = {"replicas": 0, "selector": {"matchLabels": labels}, "template": template}
    service = {"selector": labels, "ports": [{"port": 80, "targetPort": 8080}]}
    return [
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec},
        {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": service},
    ]


class Many:
    """The Applications of one ApplicationSet, all in one namespace."""

    def __init__(self, argocd: ArgoCd, namespace: str) -> None:
        """Name the set after its namespace."""
        self.argocd, self.namespace = argocd, namespace
        self.api = argocd.plane.api()
        self._path = f"{KINDS}/applicationsets/{namespace}"

    def create(self, repository: Repository, **source: object) -> None:
        """Make one Application of each folder in ``apps``, synced and pruned automatically."""
        where = {"repoURL": repository.url, "revision": "main"}
        template = {
            "metadata": {
                "name": f"{self.namespace}-{{{{.path.basename}}}}",
                "labels": {"set": self.namespace},
            },
            "spec": {
                "project": "default",
                "source": {"repoURL": repository.url, "targetRevision": "main", "path": "{{.path.path}}", **source},
                "destination": {"server": self.argocd.cluster, "namespace": self.namespace},
                "syncPolicy": PRUNING,
            },
        }
        generators = [{"git": {**where, "directories": [{"path": "apps/*"}]}}]
        self.api.create(
            f"{KINDS}/applicationsets",
            {
                "apiVersion": "argoproj.io/v1alpha1",
                "kind": "ApplicationSet",
                "metadata": {"name": self.namespace},
                "spec": {"goTemplate": True, "generators": generators, "template": template},
            },
        )

    def close(self) -> None:
        """Delete the set and its Applications; what they applied goes with its namespace."""
        self.api.delete(self._path)
        eventually(self.applications, lambda left: not left, LONG)

    def applications(self) -> list[Json]:
        """Read the Applications, not more often than every two seconds: they are a lot to read."""
        time.sleep(PACE)
        return self.api.items(f"{APPLICATIONS}?labelSelector=set={self.namespace}")

    def synced(self, count: int, revision: str) -> list[Json]:
        """Wait until so many Applications are Synced to a commit, and return them."""
        return eventually(self.applications, lambda found: _count(found, revision) == count, LONG)

    def refresh(self) -> None:
        """Have all of them rendered anew, without the cache, and wait until that is done."""
        selected = f"--selector=set={self.namespace}"
        self.argocd.plane.kubectl("argocd", "annotate", "applications", selected, f"{REFRESH}=hard")
        eventually(self.applications, lambda found: not any(map(_waits, found)), LONG)


def _waits(application: Json) -> bool:
    """Tell whether a refresh was asked for and has not been."""
    return REFRESH in application["metadata"].get("annotations", {})


def _count(applications: list[Json], revision: str) -> int:
    """Count what is Synced to a commit."""
    syncs = [each.get("status", {}).get("sync", {}) for each in applications]
    return sum((sync.get("status"), sync.get("revision")) == ("Synced", revision) for sync in syncs)


def errors(applications: list[Json]) -> Counter[str]:
    """Count the messages of conditions that are errors."""
    conditions = [c for each in applications for c in each.get("status", {}).get("conditions", ())]
    return Counter(c["message"] for c in conditions if c["type"].endswith("Error"))
