"""What the function writes for Kyverno, against Kyverno's own schemas and its own CLI."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from .adaptors import REPOSITORY, Json, installed

GOLDEN = REPOSITORY / "tests" / "golden"
SCHEMA_OF_THE_REST = {"type": "object"}


def kyverno() -> Path:
    """Return the folder of Kyverno's programs and CRDs."""
    return Path(installed("kyverno"))


@cache
def schemas() -> dict[tuple[str, str], Json]:
    """Read the schema of every kind of Kyverno, by apiVersion and kind; fields that it does not know are errors."""
    found = {}
    for path in (kyverno() / "crds").rglob("*.yaml"):
        spec = yaml.safe_load(path.read_text())["spec"]
        for version in spec["versions"]:
            key = (f"{spec['group']}/{version['name']}", spec["names"]["kind"])
            found[key] = strict(version["schema"]["openAPIV3Schema"])
    return found


def strict(schema: Json) -> Json:
    """Return a schema whose objects have the fields that it names and no others, as ``kubectl apply`` reads it."""
    closed = {key: strict(value) if isinstance(value, dict) else value for key, value in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        known = schema["properties"].keys() - {"metadata"}
        closed["properties"] = {key: strict(schema["properties"][key]) for key in known}
        if "x-kubernetes-preserve-unknown-fields" not in schema:
            closed["properties"].setdefault("metadata", SCHEMA_OF_THE_REST)
            closed["additionalProperties"] = False
    return closed


def policies(path: Path) -> Iterator[Json]:
    """Yield the policies of a list that was written."""
    for item in yaml.safe_load(path.read_text())["items"]:
        if item["apiVersion"].partition("/")[0].endswith("kyverno.io"):
            yield item


WITH_POLICIES = [path for path in sorted(GOLDEN.glob("*/expected.yaml")) if "kyverno.io/" in path.read_text()]


def test_there_are_policies_to_look_at() -> None:
    """A renamed folder must not make the tests below pass by looking at nothing."""
    kinds = {policy["kind"] for path in WITH_POLICIES for policy in policies(path)}
    assert {"ValidatingPolicy", "MutatingPolicy"} <= kinds


@pytest.mark.parametrize("path", WITH_POLICIES, ids=lambda path: path.parent.name)
def test_policies_fit_kyvernos_schemas(path: Path) -> None:
    """Every field is one that the CRD of that version has, with a value that it allows."""
    for policy in policies(path):
        schema = schemas()[policy["apiVersion"], policy["kind"]]
        errors = [error.message for error in Draft202012Validator(schema).iter_errors(policy)]
        assert not errors, policy["metadata"]["name"]
