"""A config is read whole: every finding with its path, and the JSON Schema says the same as the reader."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from krmfn import ConfigError, KubeObject
from krmfn.config import (
    Anything,
    Boolean,
    Integer,
    ListOf,
    MapOf,
    Model,
    ObjectOf,
    String,
    field,
    model_schema,
    nearest,
    parse,
)
from zonecast.placement import load, schema


class Zone(Model):
    """A zone."""

    name: str = field(String(), required=True, doc="its name")
    weight: int = field(Integer(minimum=0), default=1, doc="its share")


class Spec(Model):
    """A config with a field of every type."""

    zones: list[Zone] = field(ListOf(ObjectOf(Zone, short=String(), short_key="name")), doc="zones")
    mode: str = field(String(("Split", "Each")), default="Split", doc="how")
    dry_run: bool = field(Boolean(), default=False, doc="look only")
    labels: dict[str, str] = field(MapOf(String(allow_empty=True)), doc="labels")
    affinity: Any = field(Anything("object"), doc="a mapping")
    extra: Any = field(Anything("array"), doc="a list")
    main: Zone = field(ObjectOf(Zone), doc="one zone")
    max_name_length: int = field(Integer(), default=63, doc="a length")

    def check(self, path: str, findings: list[tuple[str, str]]) -> None:
        """Two zones of one name cannot be."""
        names = [zone.name for zone in self.zones or ()]
        if len(names) != len(set(names)):
            findings.append((f"{path}.zones", "a zone twice"))


def findings(data: dict[str, Any]) -> list[str]:
    """Return what is wrong with a config, one line each."""
    try:
        parse(Spec, data, "spec")
    except ConfigError as error:
        return [f"{path}: {message}" for path, message in error.findings]
    return []


def test_values_and_defaults() -> None:
    """What is given is typed, what is absent or null has its default, the short form is the long one."""
    spec = parse(
        Spec, {"zones": ["a", {"name": "b", "weight": 2}], "dryRun": True, "mode": None, "labels": {"k": ""}}
    )
    assert [(zone.name, zone.weight) for zone in spec.zones] == [("a", 1), ("b", 2)]
    assert (spec.dry_run, spec.mode, spec.max_name_length) == (True, "Split", 63)
    assert spec.labels == {"k": ""}
    assert spec.affinity is None
    assert spec.fields["main"].default is spec.main


CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "right": ({"zones": [{"name": "a", "weight": 0}], "affinity": {"x": [1]}, "extra": [1, "a"]}, []),
    "empty": ({}, []),
    "unknown": (
        {"zone": ["a"]},
        [
            'spec.zone: unknown field; did you mean "zones"? (fields: zones, mode, dryRun, labels, affinity, extra, main, maxNameLength)'
        ],
    ),
    "unknown-case": (
        {"dryrun": True},
        [
            'spec.dryrun: unknown field; did you mean "dryRun"? (fields: zones, mode, dryRun, labels, affinity, extra, main, maxNameLength)'
        ],
    ),
    "unknown-like-nothing": (
        {"qqqqqq": True},
        [
            "spec.qqqqqq: unknown field (fields: zones, mode, dryRun, labels, affinity, extra, main, maxNameLength)"
        ],
    ),
    "attribute-is-no-key": (
        {"dry_run": True},
        [
            'spec.dry_run: unknown field; did you mean "dryRun"? (fields: zones, mode, dryRun, labels, affinity, extra, main, maxNameLength)'
        ],
    ),
    "nested-unknown": (
        {"zones": ["a", {"name": "b", "weigth": 2}]},
        ['spec.zones[1].weigth: unknown field; did you mean "weight"? (fields: name, weight)'],
    ),
    "required": ({"zones": [{"weight": 2}]}, ["spec.zones[0].name: required: its name"]),
    "required-null": ({"main": {"name": None}}, ["spec.main.name: required: its name"]),
    "minimum": ({"zones": [{"name": "a", "weight": -1}]}, ["spec.zones[0].weight: must be >= 0, got -1"]),
    "string-number": ({"mode": 1}, ['spec.mode: must be a string, got 1; write it in quotes: "1"']),
    "string-bool": (
        {"zones": [True]},
        ['spec.zones[0]: must be a string, got true; write it in quotes: "true"'],
    ),
    "string-map": ({"mode": {}}, ["spec.mode: must be a string, got a mapping"]),
    "string-empty": ({"zones": [""]}, ["spec.zones[0]: must not be empty"]),
    "choice": (
        {"mode": "split"},
        ['spec.mode: must be one of Split, Each, got "split"; did you mean "Split"?'],
    ),
    "integer-string": ({"maxNameLength": "63"}, ['spec.maxNameLength: must be an integer, got "63"']),
    "integer-float": ({"maxNameLength": 1.5}, ["spec.maxNameLength: must be an integer, got 1.5"]),
    "integer-bool": ({"maxNameLength": True}, ["spec.maxNameLength: must be an integer, got true"]),
    "boolean-string": ({"dryRun": "yes"}, ['spec.dryRun: must be true or false, got "yes"']),
    "boolean-integer": ({"dryRun": 1}, ["spec.dryRun: must be true or false, got 1"]),
    "list-string": ({"zones": "a,b"}, ['spec.zones: must be a list, got "a,b"']),
    "list-map": ({"extra": {}}, ["spec.extra: must be a list, got a mapping"]),
    "map-list": ({"labels": []}, ["spec.labels: must be a mapping, got a list"]),
    "map-value": ({"labels": {"k": 1}}, ['spec.labels[k]: must be a string, got 1; write it in quotes: "1"']),
    "object-string": ({"main": "a"}, ['spec.main: must be a mapping, got "a"']),
    "short-list": ({"zones": [["a"]]}, ["spec.zones[0]: must be a string, got a list"]),
    "combination": ({"zones": ["a", "a"]}, ["spec.zones: a zone twice"]),
    "all-at-once": (
        {"zones": [{"weight": -1}, 3], "mode": "x", "dryRun": 2},
        [
            "spec.zones[0].weight: must be >= 0, got -1",
            "spec.zones[0].name: required: its name",
            'spec.zones[1]: must be a string, got 3; write it in quotes: "3"',
            'spec.mode: must be one of Split, Each, got "x"',
            "spec.dryRun: must be true or false, got 2",
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_findings(case: tuple[dict[str, Any], list[str]]) -> None:
    """Each finding says where, what, and what to do; all of them at once."""
    data, expected = case
    assert findings(data) == expected


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("combination", "required-null")])
def test_schema_agrees(name: str) -> None:
    """The JSON Schema accepts what the reader accepts, and nothing else (combinations aside)."""
    data, expected = CASES[name]
    assert Draft202012Validator(model_schema(Spec)).is_valid(data) == (not expected)


def test_schema_is_one() -> None:
    """The schema is valid and carries the documentation, the defaults and the choices of the fields."""
    schema = model_schema(Spec)
    Draft202012Validator.check_schema(schema)
    assert schema["properties"]["mode"] == {
        "description": "how",
        "type": "string",
        "enum": ["Split", "Each"],
        "default": "Split",
    }
    assert schema["properties"]["dryRun"]["default"] is False
    assert schema["additionalProperties"] is False
    assert model_schema(Zone)["required"] == ["name"]


values = st.recursive(
    st.one_of(st.sampled_from(["a", "", "Split", "b"]), st.integers(-2, 70), st.booleans(), st.just(1.5)),
    lambda children: st.one_of(
        st.lists(children, max_size=3),
        st.dictionaries(st.sampled_from(["name", "weight", "zones", "mode", "x"]), children, max_size=3),
    ),
    max_leaves=6,
)
KEYS = ["zones", "mode", "dryRun", "labels", "affinity", "extra", "main", "maxNameLength", "other"]


@given(st.dictionaries(st.sampled_from(KEYS), values, max_size=4))
def test_schema_agrees_on_anything(data: dict[str, Any]) -> None:
    """For any config without nulls the reader and the schema give the same verdict."""
    found = findings(data)
    if found != ["spec.zones: a zone twice"]:
        assert Draft202012Validator(model_schema(Spec)).is_valid(data) == (not found)
    for line in found:
        assert line.startswith("spec.")


def test_subclasses_inherit_fields() -> None:
    """A model that extends another has the fields of both, and leaves the other alone."""

    class More(Zone):
        colour: str = field(String(), doc="a colour")

    assert list(More.fields) == ["name", "weight", "colour"]
    assert list(Zone.fields) == ["name", "weight"]


@pytest.mark.parametrize(
    ("word", "known"), [("weigth", "weight"), ("WEIGHT", "weight"), ("colour", ""), ("", "")]
)
def test_nearest(word: str, known: str) -> None:
    """A suggestion is made where a word is near enough."""
    assert nearest(word, ["weight", "name"]) == (f'; did you mean "{known}"?' if known else "")


def test_placement_schema_agrees() -> None:
    """The published schema of a Placement is valid and judges examples as the function does."""
    Draft202012Validator.check_schema(schema())
    validator = Draft202012Validator(schema())
    for spec, right in (
        ({"zones": ["a", {"name": "b", "weight": 2}]}, True),
        ({"onePodPerNode": True}, True),
        ({"onePodPerNode": {"mode": "Preferred"}}, True),
        ({"zones": "a"}, False),
        ({"zones": [{"weight": 1}]}, False),
        ({"fanOut": {"pin": "Nowhere"}}, False),
        ({"nodePool": {"taints": [{"key": "k", "effect": "No"}]}}, False),
        ({"unknown": 1}, False),
    ):
        data = {
            "apiVersion": "zonecast.dev/v1alpha1",
            "kind": "Placement",
            "metadata": {"name": "p"},
            "spec": spec,
        }
        assert validator.is_valid(data) == right
        if right:
            load(KubeObject.from_data(data))
        else:
            with pytest.raises(ConfigError):
                load(KubeObject.from_data(data))
