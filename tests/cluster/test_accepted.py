"""What we render is what a real API server takes, field by field."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from .api import ApiError, Json
from .rendered import Example
from .sandbox import Sandbox
from .toolbox import REPOSITORY

EXAMPLES = ("01-fargate-zone-fanout", "02-dedicated-node-pool", "03-cloud-bursting")
STRICTLY = "?dryRun=All&fieldValidation=Strict"
GOLDENS = sorted(file.parent.name for file in REPOSITORY.glob("tests/golden/*/expected.yaml"))


@pytest.mark.usefixtures("kyverno")
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_accepted(sandbox: Sandbox, name: str) -> None:
    """No unknown field, no wrong type: every object passes a strict dry run on the server."""
    rendered = Example.read(name).placed_in(sandbox.namespace).render()
    assert refusals(sandbox, rendered) == []


@pytest.mark.usefixtures("kyverno")
def test_what_the_goldens_change_is_accepted(sandbox: Sandbox) -> None:
    """Every object of a golden run that is not as it came, as far as the server knows its kind."""
    refused = {name: refusals(sandbox, changed(name)) for name in GOLDENS}
    assert {name: why for name, why in refused.items() if why} == {}


def changed(golden: str) -> list[Json]:
    """Return the objects of a golden run's output that are not in its input, and hold no variable for later."""
    folder = REPOSITORY / "tests" / "golden" / golden
    before = items(folder / "input.yaml")
    return [item for item in items(folder / "expected.yaml") if item not in before and "${" not in str(item)]


def items(file: Path) -> list[Json]:
    """Read the items of a ResourceList, or the documents of a stream."""
    documents = [document for document in yaml.safe_load_all(file.read_text()) if document]
    found: list[Json] = []
    for document in documents:
        found += document["items"] if document["kind"] == "ResourceList" else [document]
    return found


def refusals(sandbox: Sandbox, objects: list[Json]) -> list[str]:
    """Try to create objects, each in the test's namespace; return what the server says against."""
    said = []
    for item in objects:
        if (path := place(sandbox, item)) is None:
            continue
        metadata = dict(item["metadata"])
        if "/namespaces/" in path:
            metadata["namespace"] = sandbox.namespace
        try:
            sandbox.api.create(path + STRICTLY, {**item, "metadata": metadata})
        except ApiError as error:
            said.append(f"{item['kind']} {item['metadata']['name']}: {error}")
    return said


def place(sandbox: Sandbox, item: Json) -> str | None:
    """Find the list that an object belongs to; ``None`` where the server does not know the kind."""
    version = item["apiVersion"]
    group = f"/apis/{version}" if "/" in version else f"/api/{version}"
    try:
        resources = sandbox.api.get(group)["resources"]
    except ApiError:
        return None
    for resource in resources:
        if resource["kind"] == item["kind"] and "/" not in resource["name"]:
            inside = f"/namespaces/{sandbox.namespace}" if resource["namespaced"] else ""
            return f"{group}{inside}/{resource['name']}"
    return None
