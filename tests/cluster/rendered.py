"""What zonecast makes of an example: the one place where the cluster tests run it."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from .api import Json
from .toolbox import REPOSITORY

LOCAL = "config.kubernetes.io/local-config"
FUNCTION = Path(sys.executable).with_name("zonecast")
# pods-of-kwok.yaml looks at it.
STARTS_IN = "tests.zonecast.dev/starts-in"
NOT_RESOURCES = frozenset({"Kustomization", "Kptfile"})


@dataclass(frozen=True)
class Example:
    """An example's inputs and its Placement, to be varied by a test before it is rendered."""

    inputs: list[Json]
    placement: Json

    @classmethod
    def read(cls, name: str) -> Example:
        """Read the manifests at the top of ``examples/NAME``."""
        found = [d for file in _manifests(name) for d in yaml.safe_load_all(file.read_text()) if d]
        placements = [document for document in found if document["kind"] == "Placement"]
        if len(placements) != 1:
            message = f"examples/{name} has {len(placements)} Placements, not one"
            raise ValueError(message)
        kinds = NOT_RESOURCES | {"Placement"}
        return cls([document for document in found if document["kind"] not in kinds], placements[0])

    def placed_in(self, namespace: str) -> Example:
        """Move the inputs to another namespace, and what the Placement says about it."""
        inputs, placement = copy.deepcopy(self.inputs), copy.deepcopy(self.placement)
        for item in inputs:
            item["metadata"]["namespace"] = namespace
        spec = placement["spec"]
        for part in [*spec.get("targets", []), spec.get("kyverno", {})]:
            if "namespace" in part:
                part["namespace"] = namespace
        return replace(self, inputs=inputs, placement=placement)

    def varied(self, **fields: object) -> Example:
        """Set fields of the Placement's ``spec``; ``fanOut`` is merged, not replaced."""
        placement = copy.deepcopy(self.placement)
        spec = placement["spec"]
        if isinstance(fan_out := fields.pop("fanOut", None), dict):
            spec["fanOut"] = {**spec.get("fanOut", {}), **fan_out}
        spec.update(fields)
        return replace(self, placement=placement)

    def renamed(self, name: str) -> Example:
        """Rename the Deployment of the input, and the target that means it."""
        inputs, placement = copy.deepcopy(self.inputs), copy.deepcopy(self.placement)
        (deployment,) = of_kind("Deployment", inputs)
        for target in placement["spec"].get("targets", []):
            if target.get("name") == deployment["metadata"]["name"]:
                target["name"] = name
        deployment["metadata"]["name"] = name
        return replace(self, inputs=inputs, placement=placement)

    def scaled(self, replicas: int) -> Example:
        """Give every Deployment of the input so many replicas."""
        inputs = copy.deepcopy(self.inputs)
        for item in inputs:
            if item["kind"] == "Deployment":
                item["spec"]["replicas"] = replicas
        return replace(self, inputs=inputs)

    def joined(self, *more: Json) -> Example:
        """Add objects to the input."""
        return replace(self, inputs=[*self.inputs, *more])

    def render(self) -> list[Json]:
        """Run zonecast and return what goes to the cluster."""
        return render(self.inputs, self.placement)

    def source(self, kind: str = "Deployment") -> Json:
        """Return the first input of a kind, as somebody may have applied it before zonecast."""
        return copy.deepcopy(next(item for item in self.inputs if item["kind"] == kind))


def render(inputs: Iterable[Json], placement: Json) -> list[Json]:
    """Run zonecast as a host runs it; what is local configuration is left out, as by a host."""
    resources = {
        "apiVersion": "config.kubernetes.io/v1",
        "kind": "ResourceList",
        "items": list(inputs),
        "functionConfig": placement,
    }
    done = subprocess.run(
        [FUNCTION], input=json.dumps(resources), capture_output=True, text=True, check=False
    )
    if done.returncode:
        message = f"zonecast failed: {done.stderr}"
        raise AssertionError(message)
    items: list[Json] = yaml.safe_load(done.stdout)["items"]
    return [item for item in items if not is_local(item)]


def of_kind(kind: str, items: Iterable[Json]) -> list[Json]:
    """Pick the objects of a kind."""
    return [item for item in items if item["kind"] == kind]


def names(items: Iterable[Json]) -> list[str]:
    """Name objects."""
    return [item["metadata"]["name"] for item in items]


def applied_by_hand(dump: Json) -> Json:
    """Strip what only a live cluster writes, as one must before a dump can be applied."""
    stripped = copy.deepcopy(dump)
    stripped.pop("status", None)
    metadata = stripped["metadata"]
    kept = {"name", "namespace", "labels"} & metadata.keys()
    stripped["metadata"] = {key: metadata[key] for key in kept}
    return stripped


def starting_slowly(deployment: Json) -> Json:
    """Let the pods of a Deployment take a second to become ready."""
    slow = copy.deepcopy(deployment)
    metadata = slow["spec"]["template"].setdefault("metadata", {})
    metadata.setdefault("annotations", {})[STARTS_IN] = "1s"
    return slow


def autoscaler(deployment: Json) -> Json:
    """Make an autoscaler over the source: 2 to 6 replicas, of 100 millicores each."""
    metadata = {key: deployment["metadata"][key] for key in ("name", "namespace")}
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": metadata["name"]}
    cpu = {"name": "cpu", "target": {"type": "AverageValue", "averageValue": "100m"}}
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": metadata,
        "spec": {
            "scaleTargetRef": target,
            "minReplicas": 2,
            "maxReplicas": 6,
            "metrics": [{"type": "Resource", "resource": cpu}],
        },
    }


def is_local(item: Json) -> bool:
    """Tell whether a host would keep an object to itself."""
    return bool(item["metadata"].get("annotations", {}).get(LOCAL) == "true")


def _manifests(name: str) -> list[Path]:
    """List an example's manifests."""
    return sorted((REPOSITORY / "examples" / name).glob("*.yaml"))
