"""An Argo CD Application as a test looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cluster.api import Json
from cluster.waiting import eventually

from .argocd import KINDS, ArgoCd
from .repository import Repository

Parameters = Mapping[str, "str | list[str]"]
REFRESH = "argocd.argoproj.io/refresh"
PRUNING = {"automated": {"prune": True, "selfHeal": True}}
LONG = 90.0


class Application:
    """One Application; ``close`` takes what it applied with it."""

    def __init__(self, argocd: ArgoCd, name: str) -> None:
        """Name it; ``create`` makes it."""
        self.argocd, self.name = argocd, name
        self.api = argocd.plane.api()
        self._path = f"{KINDS}/applications/{name}"

    def create(
        self,
        repository: Repository,
        namespace: str,
        *,
        annotations: Mapping[str, str] | None = None,
        spec: Mapping[str, Any] | None = None,
        **source: Any,
    ) -> None:
        """Make it, to be synced and pruned automatically.

        ``source`` are more fields of its source, ``spec`` more of the Application itself; sync options are added.
        """
        more = dict(spec or {})
        policy = {**PRUNING, **more.pop("syncPolicy", {})}
        finalizers = ["resources-finalizer.argocd.argoproj.io"]
        self.api.create(
            f"{KINDS}/applications",
            {
                "apiVersion": "argoproj.io/v1alpha1",
                "kind": "Application",
                "metadata": {"name": self.name, "finalizers": finalizers, "annotations": annotations},
                "spec": {
                    "project": "default",
                    "source": {"repoURL": repository.url, "path": ".", "targetRevision": "main", **source},
                    "destination": {"server": self.argocd.cluster, "namespace": namespace},
                    "syncPolicy": policy,
                    **more,
                },
            },
        )

    def close(self) -> None:
        """Delete it and wait until its objects are gone too."""
        self.api.delete(self._path)
        eventually(lambda: self.api.exists(self._path), lambda there: not there)

    @property
    def live(self) -> Json:
        """The Application as the API server has it."""
        return self.api.get(self._path)

    @property
    def status(self) -> Json:
        """Its status, empty at first."""
        status: Json = self.live.get("status", {})
        return status

    def merge(self, change: Json) -> None:
        """Change some of its fields."""
        self.api.merge(self._path, change)

    def refresh(self, how: str = "normal") -> None:
        """Have it compared with the newest commit, ``hard`` without the cache, and wait until that is done."""
        self.ask(how)
        self.refreshed()

    def ask(self, how: str = "normal") -> None:
        """Ask for a comparison."""
        self.merge({"metadata": {"annotations": {REFRESH: how}}})

    def refreshed(self) -> None:
        """Wait until the comparison that was asked for is done."""
        eventually(lambda: self.live["metadata"].get("annotations", {}), lambda left: REFRESH not in left, LONG)

    def synced(self, revision: str) -> Json:
        """Wait until it is Synced to a commit and Healthy, and return its status."""
        return eventually(lambda: self.status, lambda status: is_settled(status, revision), LONG)

    def applied(self, revision: str) -> None:
        """Wait until it is Synced to a commit, healthy or not."""
        eventually(lambda: self.status, lambda status: is_applied(status, revision), LONG)

    def errors(self) -> str:
        """Return the messages of its conditions that are errors."""
        found = self.status.get("conditions", [])
        return "\n".join(each["message"] for each in found if each["type"].endswith("Error"))

    def out_of_sync(self) -> list[str]:
        """Name the objects that differ from what was rendered."""
        found = self.status.get("resources", [])
        return [f"{each['kind']}/{each['name']}" for each in found if each.get("status") != "Synced"]


def is_settled(status: Json, revision: str) -> bool:
    """Tell whether a status says Synced to ``revision`` and Healthy."""
    return is_applied(status, revision) and status.get("health", {}).get("status") == "Healthy"


def is_applied(status: Json, revision: str) -> bool:
    """Tell whether a status says Synced to ``revision`` and that no operation runs."""
    sync, operation = status.get("sync", {}), status.get("operationState", {})
    return (sync.get("status"), sync.get("revision"), operation.get("phase")) == ("Synced", revision, "Succeeded")


def plugin(**parameters: str | list[str]) -> Json:
    """Write a source's ``plugin``: ours, with parameters."""
    forms = {str: "string", list: "array"}
    given = [{"name": name, forms[type(value)]: value} for name, value in parameters.items()]
    return {"name": "zonecast", **({"parameters": given} if given else {})}
