"""``tools/install`` puts tools there once, whole, and says clearly when it cannot."""

import shutil
from pathlib import Path

import pytest

from .adaptors import REPOSITORY, Run, run

RECIPES = {
    "good": "version=1\nbuild() { echo built >&2; echo '#!/bin/sh' >good; }\n",
    "broken": "version=1\nbuild() { touch half; false; touch whole; }\n",
    "given": "provide() { need no-such-program 'install it by hand'; }\n",
}


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Copy the script beside recipes of the test's own."""
    (tmp_path / "recipes").mkdir()
    shutil.copy(REPOSITORY / "tools" / "install", tmp_path)
    for name, recipe in RECIPES.items():
        (tmp_path / "recipes" / f"{name}.sh").write_text(recipe)
    return tmp_path


def install(tools: Path, *arguments: str) -> Run:
    """Run the script with a cache of its own."""
    cache = {"ZONECAST_TOOLS": str(tools / "cache")}
    return run(tools / "install", *arguments, environment=cache)


def test_a_tool_is_built_once(tools: Path) -> None:
    """The folder's name holds the version, and a second run only prints it."""
    first, second = install(tools, "good"), install(tools, "good")
    assert first.stdout == second.stdout == f"{tools}/cache/good-1\n"
    assert "built in" in first.stderr
    assert "built in" not in second.stderr
    assert (tools / "cache" / "good-1" / "good").exists()


def test_a_new_version_is_built_beside_the_old_one(tools: Path) -> None:
    """A version is never changed in place."""
    install(tools, "good")
    recipe = tools / "recipes" / "good.sh"
    recipe.write_text(recipe.read_text().replace("version=1", "version=2"))
    assert install(tools, "good").stdout == f"{tools}/cache/good-2\n"
    assert (tools / "cache" / "good-1").is_dir()


def test_a_failed_build_leaves_nothing(tools: Path) -> None:
    """The first failing command ends a build; half a tool is never found."""
    done = install(tools, "broken", "good")
    assert (done.code, done.stdout) == (1, "")
    assert [path.name for path in (tools / "cache").iterdir()] == [".broken.lock"]


def test_a_missing_program_is_named_with_what_to_do(tools: Path) -> None:
    """What the script cannot install it asks for."""
    done = install(tools, "given")
    assert done.code == 1
    assert done.stderr == "tools: no-such-program is missing: install it by hand\n"


def test_an_unknown_tool_is_told_apart(tools: Path) -> None:
    """The error lists what there is."""
    done = install(tools, "kustomise")
    assert done.code == 1
    assert "no tool named 'kustomise'; there are: broken given good" in done.stderr
