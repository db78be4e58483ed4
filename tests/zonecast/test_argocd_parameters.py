"""The parameters that an Argo CD Application gives the plugin."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from krmfn import ConfigError
from zonecast.cli import parameters

PLACEMENT = """\
apiVersion: zonecast.dev/v1alpha1
kind: Placement
metadata:
  name: shop # the shop's
spec:
  zones:
  - a
  - {name: c, weight: 2} # the larger one
"""
OTHER = PLACEMENT.replace("- a\n", "- x\n")


def environment(**given: str | list[str] | dict[str, str]) -> Mapping[str, str]:
    """Write parameters as Argo CD does."""
    forms = {str: "string", list: "array", dict: "map"}
    return {parameters.GIVEN: json.dumps([{"name": k, forms[type(v)]: v} for k, v in given.items()])}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make an application's folder with a Placement, in a checkout with another one at its top."""
    (tmp_path / "other.yaml").write_text(OTHER)
    made = tmp_path / "apps" / "shop"
    made.mkdir(parents=True)
    (made / "placement.yaml").write_text(PLACEMENT)
    (made / "kustomization.yaml").write_text("resources: []\n")
    return made


def apply(folder: Path, **given: str | list[str]) -> Path | None:
    """Apply parameters as the plugin does."""
    told = {**environment(**given), parameters.PATH: "apps/shop"}
    return parameters.apply(parameters.read(told), folder, told)


def test_without_parameters_nothing_is_touched(folder: Path) -> None:
    """An Application need not give any: not even the variable is there."""
    assert parameters.apply(parameters.read({}), folder, {}) is None
    assert (folder / "placement.yaml").read_text() == PLACEMENT


def test_zones_are_written_into_the_only_placement(folder: Path) -> None:
    """A zone that the Placement knows keeps what is said of it there; the rest of the file keeps its bytes."""
    assert apply(folder, zones=["c", "b"]) is None
    written = (folder / "placement.yaml").read_text()
    head, _, zones = written.partition("  zones:\n")
    assert head == PLACEMENT.partition("  zones:\n")[0]
    assert [line.strip() for line in zones.splitlines()] == ["- name: c", "weight: 2", "- b"]


def test_zones_go_to_the_placement_that_is_named(folder: Path) -> None:
    """With both parameters the file that ``placement`` names has the zones; it may be anywhere in the repository."""
    file = apply(folder, placement="../../other.yaml", zones=["q"])
    assert file == folder.parents[1] / "other.yaml"
    assert file.read_text().endswith("zones:\n  - q\n")
    assert (folder / "placement.yaml").read_text() == PLACEMENT


def test_a_number_among_the_zones_is_a_name(folder: Path) -> None:
    """Zones 1 and 2 (Azure) are strings, quoted where that is needed."""
    apply(folder, zones=["1", "2"])
    assert (folder / "placement.yaml").read_text().endswith('  - "1"\n  - "2"\n')


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"zone": ["a"]}, 'parameters.zone: unknown field; did you mean "zones"?'),
        ({"zones": "a"}, 'parameters.zones: must be a list, got "a"'),
        ({"zones": [""]}, "parameters.zones[0]: must not be empty"),
        ({"placement": ["a"]}, "parameters.placement: must be a string, got a list"),
        ({"placement": "none.yaml"}, 'parameters.placement: there is no file "none.yaml"'),
        ({"placement": "../../../out.yaml"}, '"../../../out.yaml" is not in the repository'),
        ({"placement": "/etc/passwd"}, '"/etc/passwd" is not in the repository'),
        ({"placement": "kustomization.yaml"}, "kustomization.yaml does not hold one Placement"),
    ],
)
def test_what_cannot_be_is_said(folder: Path, given: dict[str, str | list[str]], message: str) -> None:
    """The message names the parameter, what was found and what is allowed."""
    with pytest.raises(ConfigError) as caught:
        apply(folder, **given)
    assert message in str(caught.value)


def test_a_link_out_of_the_checkout_is_refused(folder: Path, tmp_path: Path) -> None:
    """What counts is where a file really is: those of other applications are on the same disk."""
    outside = tmp_path.parent / f"{tmp_path.name}-outside.yaml"
    outside.write_text(PLACEMENT)
    (folder / "link.yaml").symlink_to(outside)
    with pytest.raises(ConfigError, match="not in the repository"):
        apply(folder, placement="link.yaml")


def test_zones_for_one_of_two_placements_need_a_name(folder: Path) -> None:
    """Nobody has to guess which one is meant."""
    (folder / "second.yaml").write_text(OTHER)
    with pytest.raises(ConfigError, match=r"for which Placement\? Files here: placement.yaml, second.yaml"):
        apply(folder, zones=["a"])


def test_a_parameter_given_twice_is_refused() -> None:
    """Argo CD's merge of an ApplicationSet can leave two of one name."""
    twice = {parameters.GIVEN: json.dumps([{"name": "zones", "array": ["a"]}, {"name": "zones", "array": ["b"]}])}
    with pytest.raises(ConfigError, match=r"parameters\.zones: given twice"):
        parameters.read(twice)


def test_announced_are_the_zones_of_the_files(folder: Path) -> None:
    """A form shows what holds as long as nothing is given: the names of the Placement's zones."""
    placement, zones = json.loads(parameters.announced(folder, {}))
    assert (placement["name"], placement["string"]) == ("placement", "")
    assert (zones["name"], zones["collectionType"], zones["array"]) == ("zones", "array", ["a", "c"])
    told = {**environment(placement="../../other.yaml"), parameters.PATH: "apps/shop"}
    assert json.loads(parameters.announced(folder, told))[1]["array"] == ["x", "c"]


def test_announced_without_a_placement_is_an_empty_list(tmp_path: Path) -> None:
    """The plugin may be asked about any folder."""
    assert json.loads(parameters.announced(tmp_path, {}))[1]["array"] == []
