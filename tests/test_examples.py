"""Every example under every host, twice; what must come out is recorded in its ``.expected``."""

from __future__ import annotations

import difflib
import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from hosts.adaptors import HOSTS, REPOSITORY, Host, Run, container_environment, installed, manifests, run

EXAMPLES = REPOSITORY / "examples"
#: Placements, which every host can run; 04 is a function of its own.
PLACED = ("01-fargate-zone-fanout", "02-dedicated-node-pool", "03-cloud-bursting")
SNIPPET = "04-sdk-snippet"
EVERY = [*PLACED, SNIPPET]
DIFF, SAID = ".expected/diff.patch", ".expected/stderr.txt"
TOOLS = ("kustomize", "kubectl", "kpt")
SHELL_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DIFF_BLOCK = re.compile(r"^```diff\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Plain(NamedTuple):
    """An example's manifests as one stream, and what the command makes of it without any host."""

    before: str
    done: Run

    @property
    def diff(self) -> str:
        """What changed, as a person reads it."""
        old, new = self.before.splitlines(keepends=True), self.done.stdout.splitlines(keepends=True)
        return "".join(difflib.unified_diff(old, new, "before", "after"))


def copied(name: str, folder: Path) -> Path:
    """Copy an example, as hosts change what they are given; what is expected of it stays behind."""
    return shutil.copytree(EXAMPLES / name, folder / name, ignore=shutil.ignore_patterns(".expected"))


def plain(package: Path) -> Plain:
    """Run an example by the command alone."""
    files = [file for file in manifests(package) if file.name != "config.yaml"]
    before = "---\n".join(file.read_text() for file in files)
    return Plain(before, piped(package, before))


def piped(package: Path, text: str) -> Run:
    """Pipe a stream of manifests through an example's function."""
    command = ("./pin.py", "config.yaml") if package.name == SNIPPET else ("zonecast", "placement.yaml")
    return run(*command, cwd=package, stdin=text)


def files_of(package: Path) -> dict[str, str]:
    """Read everything in a package."""
    return {str(file.relative_to(package)): file.read_text() for file in package.rglob("*") if file.is_file()}


@pytest.mark.parametrize("name", EVERY)
def test_an_example_does_what_is_recorded(name: str) -> None:
    """The diff and the lines on standard error are the example's documentation: to the byte."""
    example = plain(EXAMPLES / name)
    assert example.done.code == 0, example.done.stderr
    found = {DIFF: example.diff, SAID: example.done.stderr}
    for file, text in found.items():
        path = EXAMPLES / name / file
        if os.environ.get("KRMFN_UPDATE"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        assert text == path.read_text(), f"{name}, {file}: if this is right, run with KRMFN_UPDATE=1"


@pytest.mark.parametrize("name", EVERY)
def test_a_second_run_changes_no_byte(name: str) -> None:
    """The output of a run is an input of the next."""
    first = plain(EXAMPLES / name).done
    again = piped(EXAMPLES / name, first.stdout)
    assert (again.code, again.stdout) == (0, first.stdout)


@pytest.mark.parametrize("host", list(HOSTS.values()), ids=list(HOSTS))
@pytest.mark.parametrize("name", PLACED)
def test_every_host_comes_to_the_same(name: str, host: Host, tmp_path: Path) -> None:
    """A cluster gets the same objects from each host, also when it runs a second time.

    A host that writes into the package leaves every file as it is in the second run.
    """
    expected = plain(EXAMPLES / name).done.objects
    package = copied(name, tmp_path)
    assert host(package).objects == expected
    after_the_first = files_of(package)
    assert host(package).objects == expected
    assert files_of(package) == after_the_first


@pytest.mark.parametrize("name", EVERY)
def test_the_commands_of_a_readme_come_to_the_same(name: str, tmp_path: Path) -> None:
    """Pasted into a shell in the example's folder, each block prints the objects."""
    expected = plain(EXAMPLES / name).done.objects
    shutil.copytree(REPOSITORY / "overlays", tmp_path / "overlays")
    path = os.pathsep.join([*map(installed, TOOLS), os.environ["PATH"]])
    blocks = SHELL_BLOCK.findall((EXAMPLES / name / "README.md").read_text())
    assert len(blocks) >= len(("plain", "kustomize", "kpt"))
    for i, commands in enumerate(blocks):
        package = copied(name, tmp_path / "examples" / str(i)).rename(tmp_path / "examples" / f"{name}-{i}")
        environment = {"PATH": path, **container_environment()}
        done = run("bash", "-euo", "pipefail", "-c", commands, cwd=package, environment=environment)
        assert done.code == 0, done.stderr
        assert done.objects == expected, commands


@pytest.mark.parametrize("name", EVERY)
def test_the_diff_of_a_readme_is_a_part_of_the_recorded_one(name: str) -> None:
    """What a README shows as changed is shown so by the example, line by line and in this order."""
    recorded = iter((EXAMPLES / name / DIFF).read_text().splitlines())
    (shown,) = DIFF_BLOCK.findall((EXAMPLES / name / "README.md").read_text())
    lines = [line for line in shown.splitlines() if not line.startswith("@@")]
    assert [line for line in lines if line not in recorded] == []


def test_the_zone_is_all_that_differs_between_two_copies() -> None:
    """Example 01: replace the one zone by the other, and one copy is the other."""
    first, second = plain(EXAMPLES / PLACED[0]).done.stdout.split("---\n")
    assert first.replace("us-east-1a", "us-east-1c") == second
    assert not re.search("resourceVersion|uid:|status:|managedFields", first)


def test_every_folder_is_tested() -> None:
    """An example that no test runs would rot."""
    assert sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()) == EVERY
