"""The folders under ``overlays/`` work as they stand, and their READMEs say the truth."""

import os
import re
import shutil
from pathlib import Path

import pytest
import yaml

from .adaptors import REPOSITORY, container_environment, installed, run

OVERLAYS = REPOSITORY / "overlays"
CHECK = OVERLAYS / "ci" / "check-placement"
HOSTS = ["kustomize-exec", "kustomize-container", "kubectl-legacy-plugin", "kpt-exec",
         "kpt-container", "ci"]  # fmt: skip
TOOLS = ("kustomize", "kubectl", "kpt")
SHELL_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", HOSTS)
def test_the_commands_of_a_readme_place_the_shop(name: str, tmp_path: Path) -> None:
    """Pasted into a shell in the overlay's folder, they print the shop in two zones."""
    shutil.copytree(OVERLAYS, tmp_path / "overlays")
    folder = tmp_path / "overlays" / name
    (commands,) = SHELL_BLOCK.findall((folder / "README.md").read_text())
    path = os.pathsep.join([*map(installed, TOOLS), os.environ["PATH"]])
    docker = container_environment() if name.endswith("container") else {}
    done = run(
        *("bash", "-euo", "pipefail", "-c", commands),
        cwd=folder,
        environment={"PATH": path, **docker},
    )
    assert done.code == 0, done.stderr
    found = {f"{d['kind']}/{d['metadata']['name']}" for d in yaml.safe_load_all(done.stdout)}
    placed = {
        f"{kind}/web-us-east-1{zone}"
        for kind in ("Deployment", "HorizontalPodAutoscaler")
        for zone in "ac"
    }
    assert placed | {"Service/web"} <= found
    assert not {"Deployment/web", "HorizontalPodAutoscaler/web"} & found


def deployment(name: str, metadata: str = "", template: str = "") -> str:
    """Write a Deployment as kustomize does, with annotations on it and on its pods."""
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n{metadata}  name: {name}\n"
        f"spec:\n  template:\n    metadata:\n{template}      labels: {{app: {name}}}\n"
    )


MARK = "zonecast.dev/placement: shop\n"
PLACED = deployment("web", metadata=f"  annotations:\n    {MARK}")
REFUSED = {
    "nothing": ("", "nothing in the stream is of kind Deployment"),
    "another kind": ("kind: Job\nmetadata:\n  name: x\n", "nothing in the stream is of kind"),
    "one of two": (
        f"{PLACED}---\n{deployment('api')}",
        "not placed by zonecast:\n  Deployment api",
    ),
    "pods only": (
        deployment("web", template=f"      annotations:\n        {MARK}"),
        "Deployment web",
    ),
}


@pytest.mark.parametrize(("stream", "message"), REFUSED.values(), ids=REFUSED)
def test_the_check_refuses_what_was_not_placed(stream: str, message: str) -> None:
    """Nothing comes out, so that even a pipe without ``pipefail`` applies nothing."""
    done = run(CHECK, stdin=stream)
    assert (done.code, done.stdout) == (1, "")
    assert message in done.stderr


def test_the_check_passes_on_what_was_placed() -> None:
    """The stream is unchanged; other kinds are asked for by name."""
    stream = f"{PLACED}---\nkind: Job\nmetadata:\n  name: x\n"
    assert run(CHECK, stdin=stream).stdout == stream
    assert run(CHECK, "Deployment", "Job", stdin=stream).code == 1


@pytest.mark.parametrize("name", ["kpt-exec", "kpt-container"])
def test_the_kpt_packages_hold_the_base(name: str) -> None:
    """A kpt package cannot reach outside itself: its copy must not drift."""
    shop = (OVERLAYS / "base" / "web.yaml").read_text()
    assert (OVERLAYS / name / "web.yaml").read_text() == shop


def test_the_configs_differ_only_in_how_they_are_run() -> None:
    """What is placed does not depend on the host."""
    configs = [yaml.safe_load(file.read_text()) for file in OVERLAYS.glob("k*/placement.yaml")]
    assert len(configs) == len(HOSTS) - 1
    assert all(config["spec"] == configs[0]["spec"] for config in configs)
