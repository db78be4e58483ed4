"""The pods of a namespace as the tests look at them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from .api import Api, Json

DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"


@dataclass(frozen=True, order=True)
class Pod:
    """What a test wants to know of a pod.

    ``refused`` means that the scheduler looked and found no node; ``cost`` is the deletion cost,
    ``None`` without the annotation.
    """

    name: str
    node: str | None
    phase: str
    ready: bool
    refused: bool
    cost: str | None
    labels: Mapping[str, str] = field(repr=False, compare=False)

    @classmethod
    def of(cls, item: Json) -> Pod:
        """Read a pod of the API."""
        metadata, status = item["metadata"], item["status"]
        conditions = {c["type"]: c["status"] for c in status.get("conditions", [])}
        return cls(
            name=metadata["name"],
            node=item["spec"].get("nodeName"),
            phase=status.get("phase", "Pending"),
            ready=conditions.get("Ready") == "True",
            refused=conditions.get("PodScheduled") == "False",
            cost=metadata.get("annotations", {}).get(DELETION_COST),
            labels=metadata.get("labels", {}),
        )


@dataclass(frozen=True)
class View:
    """Reads the pods of one namespace through one connection; each thread needs its own."""

    api: Api
    namespace: str

    @property
    def path(self) -> str:
        """The path of the namespace's pods."""
        return f"/api/v1/namespaces/{self.namespace}/pods"

    def pods(self, selector: str = "") -> list[Pod]:
        """Read the pods that a label selector matches and that are not on their way out."""
        items = self.api.items(f"{self.path}?labelSelector={quote(selector)}")
        return sorted(Pod.of(i) for i in items if "deletionTimestamp" not in i["metadata"])

    def another(self) -> View:
        """Look through a second connection."""
        return View(self.api.another(), self.namespace)
