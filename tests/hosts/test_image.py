"""The image, as the hosts run it and as the strictest of them would.

The number in a test's name is the row of the host contract that it proves.
"""

import json

import pytest

from .adaptors import container_environment, docker_run, installed, kpt, resource_list, run
from .manifests import SCALER, WEB, placement

LIST = resource_list(WEB, SCALER, config=placement())
LARGEST = 60 * 2**20
LOCKS = {
    "kustomize": ["--user=nobody", "--network=none", "--security-opt=no-new-privileges"],
    "kpt": ["--user=65534:65534", "--network=none", "--security-opt=no-new-privileges"],
    "argocd": ["--user=999:999", "--read-only", "--network=none"],
    "openshift": ["--user=1000730000:0", "--read-only", "--network=none", "--cap-drop=ALL"],
    "root": ["--user=0", "--network=none"],
}


@pytest.mark.parametrize("flags", LOCKS.values(), ids=LOCKS)
def test_row_27_runs_as_any_user_on_a_read_only_root(flags: list[str]) -> None:
    """As nobody and as a user without a name, without home, network or a writable file."""
    done = docker_run(*flags, "--env=HOME=/missing", stdin=LIST)
    assert done.code == 0, done.stderr
    assert done.stdout == run("zonecast", stdin=LIST).stdout
    assert "name: web-a" in done.stdout


def test_row_27_the_environment_cannot_change_what_runs() -> None:
    """A host passes what it likes with ``--env``; the interpreter is isolated from it."""
    hostile = {"PYTHONPATH": "/x", "PYTHONSTARTUP": "/x", "PYTHONHOME": "/x", "LC_ALL": "C"}
    done = docker_run(*(f"--env={key}={value}" for key, value in hostile.items()), stdin=LIST)
    assert done.code == 0, done.stderr


def test_row_28_help_prints_the_manual_and_reads_nothing() -> None:
    """``kpt fn doc`` runs the image with ``--help`` and shows its stdout."""
    helped = docker_run(arguments=["--help"])
    assert helped.code == 0, helped.stderr
    assert "Placement" in helped.stdout
    shown = kpt("fn", "doc", "--image", installed("image"))
    assert shown.code == 0, shown.stderr
    assert helped.stdout.strip() in shown.stdout


def test_starts_at_the_root_and_is_small() -> None:
    """No working directory to enter, no user to look up, nothing but the interpreter and us."""
    inspected = run(
        "docker", "image", "inspect", installed("image"), environment=container_environment()
    )
    (image,) = json.loads(inspected.stdout)
    assert image["Config"]["WorkingDir"] in ("", "/")
    assert image["Config"]["User"] == ""
    assert image["Size"] < LARGEST


def test_compiles_nothing_at_run_time() -> None:
    """Every module is compiled in the image; a run must not do it again, nor try to write."""
    script = (
        "import sys, pathlib, importlib._bootstrap_external as e;"
        "e.SourceFileLoader.source_to_code = lambda *a, **k: sys.exit('compiled ' + str(a[2]));"
        "sys.path.insert(0, '/opt/zonecast'); import yaml, ruamel.yaml, krmfn, zonecast.main, zonecast.pipeline"
    )
    done = run(
        *("docker", "run", "--rm", "--entrypoint=/usr/bin/python3", installed("image")),
        *("-ISc", script),
        environment=container_environment(),
    )
    assert done.code == 0, done.stderr
