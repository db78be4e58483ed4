"""An example of the project as the files of an application in git."""

from __future__ import annotations

import json
from collections.abc import Iterable

from cluster.api import Json
from cluster.rendered import Example

KUSTOMIZATION = "kustomization.yaml"
PLACEMENT = "placement.yaml"
OBJECTS = "objects.json"


def files(example: Example) -> dict[str, str]:
    """Write an example with its Placement as a transformer of the kustomization."""
    return {**unplaced(example), KUSTOMIZATION: kustomization(placed=True)}


def unplaced(example: Example) -> dict[str, str]:
    """Write an example whose kustomization does not know of its Placement."""
    return {
        OBJECTS: listed(example.inputs),
        PLACEMENT: json.dumps(example.placement, indent=2),
        KUSTOMIZATION: kustomization(placed=False),
    }


def kustomization(*, placed: bool) -> str:
    """Write a kustomization over the objects."""
    return f"resources: [{OBJECTS}]\n" + (f"transformers: [{PLACEMENT}]\n" if placed else "")


def listed(objects: Iterable[Json]) -> str:
    """Write objects into one file."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}, indent=2)
