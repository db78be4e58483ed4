"""Schemas for kubeconform, from the OpenAPI document of Kubernetes: a CI without internet makes them so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .adaptors import installed

Json = dict[str, Any]

_REF = "#/definitions/"
_GVKS = "x-kubernetes-group-version-kind"
# In JSON both are more than what OpenAPI v2 can say.
_WIDER: Json = {
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": ["string", "integer"]},
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": ["string", "number"]},
}


def written(folder: Path) -> str:
    """Write one strict schema per kind into a new folder; return the location to give to kubeconform."""
    folder.mkdir()
    definitions = json.loads((Path(installed("openapi")) / "swagger.json").read_text())["definitions"]
    strict = {name: _strict(each) for name, each in definitions.items()} | _WIDER
    for name, each in definitions.items():
        for gvk in each.get(_GVKS, ()):
            group = gvk["group"].split(".")[0]
            file = "-".join(filter(None, [gvk["kind"].lower(), group, gvk["version"]])) + ".json"
            needed = {each: strict[each] for each in _needed(name, strict)}
            (folder / file).write_text(json.dumps({"$ref": _REF + name, "definitions": needed}))
    return f"{folder}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"


def _strict(each: Json) -> Json:
    """Refuse unknown fields; let every field be null, as an API server does."""
    if "properties" not in each:
        return each
    nullable = {key: {"anyOf": [value, {"type": "null"}]} for key, value in each["properties"].items()}
    return {"additionalProperties": False, **each, "properties": nullable}


def _needed(name: str, definitions: Json) -> set[str]:
    """Follow references from one definition."""
    found, new = set(), {name}
    while new:
        each = new.pop()
        found.add(each)
        parts = json.dumps(definitions[each]).split(f'"{_REF}')[1:]
        new |= {part.partition('"')[0] for part in parts} - found
    return found
