"""The sidecar's image does by itself what Argo CD asks of it, locked as the overlay locks it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from cluster import toolbox
from cluster.api import Json
from cluster.rendered import Example, names, of_kind
from zonecast.cli.parameters import GIVEN

from . import example as shop
from .sidecar import CONFIG, LOCKS, docker

PLUGIN = yaml.safe_load((CONFIG / "plugin.yaml").read_text())
TARGET = "aws-load-balancer-controller"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Write example 01 into a checkout that another user may change, as the plugin server does."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    write(folder, shop.files(Example.read("01-fargate-zone-fanout")))
    folder.chmod(0o777)
    return folder


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files that anybody may change."""
    for name, text in files.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o666)


def asked(checkout: Path, command: list[str], *parameters: Json) -> subprocess.CompletedProcess[str]:
    """Run what plugin.yaml names, in the checkout."""
    return docker(
        *("run", "--rm", *LOCKS, f"--volume={checkout}:/checkout", "--workdir=/checkout"),
        f"--env={GIVEN}={json.dumps(parameters)}",
        f"--entrypoint={command[0]}",
        *(toolbox.printed("cmp-image"), *command[1:]),
    )


def generated(checkout: Path, *parameters: Json) -> subprocess.CompletedProcess[str]:
    """Run the plugin's ``generate``."""
    return asked(checkout, PLUGIN["spec"]["generate"]["command"], *parameters)


def deployments(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Name the Deployments that were generated."""
    assert done.returncode == 0, done.stderr
    return names(of_kind("Deployment", yaml.safe_load_all(done.stdout)))


def test_generates_the_copies(checkout: Path) -> None:
    """Without a shell, without network, on a read-only root and as a user without a name."""
    assert deployments(generated(checkout)) == [f"{TARGET}-us-east-1a", f"{TARGET}-us-east-1c"]


def test_parameters_are_announced_and_used(checkout: Path) -> None:
    """What is announced is what holds; given zones replace it."""
    announced = asked(checkout, PLUGIN["spec"]["parameters"]["dynamic"]["command"])
    assert announced.returncode == 0, announced.stderr
    found = {each["name"]: each for each in json.loads(announced.stdout)}
    assert found["zones"]["array"] == ["us-east-1a", "us-east-1c"]
    zones = {"name": "zones", "array": ["us-east-1b"]}
    assert deployments(generated(checkout, zones)) == [f"{TARGET}-us-east-1b"]


def test_a_placement_that_is_named_is_applied(checkout: Path) -> None:
    """The kustomization does not know of it."""
    write(checkout, shop.unplaced(Example.read("01-fargate-zone-fanout")))
    assert deployments(generated(checkout)) == [TARGET]
    placement = {"name": "placement", "string": shop.PLACEMENT}
    assert deployments(generated(checkout, placement)) == [f"{TARGET}-us-east-1a", f"{TARGET}-us-east-1c"]


BROKEN = {
    "config": ({shop.PLACEMENT: "{{kind}}"}, 'spec.zone: unknown field; did you mean "zones"?'),
    "kustomization": ({shop.KUSTOMIZATION: "resources: [none.yaml]\n"}, "none.yaml"),
    "nothing": ({shop.KUSTOMIZATION: "resources: []\n"}, "no object is left"),
    "container": ({shop.PLACEMENT: "{{exec}}"}, "docker"),
}


@pytest.mark.parametrize(("change", "message"), BROKEN.values(), ids=BROKEN)
def test_what_fails_prints_nothing_and_says_why(checkout: Path, change: dict[str, str], message: str) -> None:
    """Argo CD deletes what is missing in an output: so there is none, and the exit status is 1."""
    placement = (checkout / shop.PLACEMENT).read_text()
    edits = {
        "{{kind}}": placement.replace('"zones"', '"zone"'),
        "{{exec}}": placement.replace("exec: {path: zonecast}", "container: {image: zonecast}"),
    }
    write(checkout, {name: edits.get(text, text) for name, text in change.items()})
    done = generated(checkout)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
