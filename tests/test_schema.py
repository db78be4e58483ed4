"""The published JSON Schema, by a validator that is not ours, against every Placement of the project."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pages import REPOSITORY, blocks, pages

SCHEMA = REPOSITORY / "docs" / "placement.schema.json"
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text()))
GOLDEN = REPOSITORY / "tests" / "golden"
# What the shape of a document says; the rest takes the other fields, or the list. In podSpec and in patches the API of
# Kubernetes begins.
KNOWABLE = re.compile(
    r": spec(?!\.podSpec\.|\.zones\[\d+\]\.patch)\S*: "
    r"(unknown field|must be (a |an |one of|true or false|[<>]=)|required:)"
)
EDITORS = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")

Json = dict[str, Any]


def configs(text: str) -> Iterator[Json]:
    """Yield the Placements among the documents of a text, as functionConfig too."""
    for document in yaml.load_all(text, yaml.CSafeLoader):
        found = document.get("functionConfig", document) if isinstance(document, dict) else None
        if isinstance(found, dict) and found.get("kind") == "Placement":
            yield found


def sources() -> Iterator[tuple[str, str]]:
    """Yield name and text of each file or block that may hold one and is right."""
    for folder in ("examples", "overlays"):
        for path in sorted((REPOSITORY / folder).rglob("*.yaml")):
            if "kind: Placement" in path.read_text():
                yield str(path.relative_to(REPOSITORY)), path.read_text()
    for page in pages():
        for i, block in enumerate(blocks(page, "yaml")):
            if "kind: Placement" in block:
                yield f"{page}-{i}", block


def goldens(*, right: bool) -> Iterator[tuple[str, str]]:
    """Yield name and config of each golden folder that is placed, or that is an error."""
    for folder in sorted(GOLDEN.iterdir()):
        own = folder / "config.yaml"
        if (folder / "error.txt").exists() is not right:
            yield folder.name, (own if own.exists() else folder / "input.yaml").read_text()


RIGHT = dict([*sources(), *goldens(right=True)])
WRONG = {
    name: text
    for name, text in goldens(right=False)
    if KNOWABLE.search((GOLDEN / name / "error.txt").read_text())
}


@pytest.mark.parametrize("name", RIGHT)
def test_every_placement_of_the_project_is_valid(name: str) -> None:
    """Examples, overlays, pages, and what the golden folders place."""
    for config in configs(RIGHT[name]):
        assert [f"{each.json_path}: {each.message}" for each in VALIDATOR.iter_errors(config)] == []


@pytest.mark.parametrize("name", WRONG)
def test_what_the_shape_tells_is_invalid(name: str) -> None:
    """An editor marks what the function refuses: unknown fields, types, choices, what is missing."""
    (config,) = configs(WRONG[name])
    assert not VALIDATOR.is_valid(config)


def test_the_project_has_placements_of_every_kind() -> None:
    """Nothing above is empty by accident."""
    for start in ("examples/", "overlays/", "docs/", "README.md", "t02-"):
        assert any(name.startswith(start) and list(configs(text)) for name, text in RIGHT.items()), start
    assert {"unknown-fields", "azure-zones-unquoted", "t15-version"} <= set(WRONG)


@pytest.mark.parametrize("path", sorted((REPOSITORY / "examples").glob("*/placement.yaml")), ids=lambda path: path.parent.name)
def test_an_example_tells_editors_its_schema(path: Path) -> None:
    """The first line is for the YAML language server, and leads to the published schema."""
    line = EDITORS.match(path.read_text())
    assert line
    assert (path.parent / line.group(1)).resolve() == SCHEMA
