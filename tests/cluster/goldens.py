"""What the golden runs would send to a server: the objects in their output that we wrote or changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from .api import Json
from .rendered import is_local
from .toolbox import REPOSITORY

FOLDER = REPOSITORY / "tests" / "golden"
GOLDENS = sorted(file.parent.name for file in FOLDER.glob("*/expected.yaml"))
# Kinds of our own invention, that stand for whatever a user may have: no server knows them.
INVENTED = frozenset(
    {
        "example.com/v1 Bundle",
        "example.com/v1 Report",
        "example.com/v1 Worker",
        "other.example.com/v1 Report",
    }
)
# Goldens with objects that are none yet: Flux puts a value for the variable before they reach a server.
WITH_VARIABLES = frozenset({"replicas-each-of-a-variable", "zone-patch-of-a-variable"})


def checked(golden: str) -> list[Json]:
    """Return the objects of a golden run's output that are not in its input, and that a server can know."""
    return [item for item in changed(golden) if kind(item) not in INVENTED and not has_variable(item)]


def with_every_field() -> list[Json]:
    """Return of all that the goldens' runs write just so many objects that each field of each kind is in one.

    A dump of a live object that is kept is none of them: a warning says what to take out before it is applied.
    """
    seen: set[str] = set()
    chosen = []
    for item in (item for golden in GOLDENS for item in checked(golden) if "uid" not in item["metadata"]):
        fields = {f"{kind(item)}{path}" for path in _paths(item)}
        if not fields <= seen:
            chosen.append(item)
        seen |= fields
    return chosen


def changed(golden: str) -> list[Json]:
    """Return the objects of a golden run's output that are not in its input, as a host sends them to a server."""
    before = _items(FOLDER / golden / "input.yaml")
    after = _items(FOLDER / golden / "expected.yaml")
    return [item for item in after if item not in before and not is_local(item)]


def has_variable(item: Json) -> bool:
    """Tell whether an object waits for a substitution."""
    return "${" in str(item)


def kind(item: Json) -> str:
    """Name an object's kind with its group and version."""
    return f"{item['apiVersion']} {item['kind']}"


def _paths(value: object, above: str = "") -> Iterator[str]:
    """Name the fields of a value, with those of the values in them; places in lists count as one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{above}.{key}"
            yield from _paths(inner, f"{above}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from _paths(inner, f"{above}[]")


def _items(file: Path) -> list[Json]:
    """Read the items of a ResourceList, or the documents of a stream; the members of a list as kubectl does."""
    found: list[Json] = []
    for document in yaml.load_all(file.read_text(), yaml.CSafeLoader):
        if document:
            found += document["items"] if document["kind"] == "ResourceList" else [document]
    return [each for item in found for each in _members(item)]


def _members(item: Json) -> list[Json]:
    """Return the members of a list, or the item itself; a list of one kind does not repeat it in its members."""
    if not item["kind"].endswith("List"):
        return [item]
    kinds = {"apiVersion": item["apiVersion"], "kind": item["kind"].removesuffix("List")}
    return [{**kinds, **member} for member in item["items"] if isinstance(member, dict)]
