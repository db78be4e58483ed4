"""The recipes for CI, ``overlays/ci``: their own shell steps run in a repository like a user's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from gitops.repository import Repository

from . import schemas
from .adaptors import REPOSITORY, Run, installed, run

CI = REPOSITORY / "overlays" / "ci"
OVERLAY = "deploy/production"
TOOLS = ("kustomize", "kubeconform")
CONDITION = "github.event_name == 'pull_request'"
BASE = "${{ github.event.pull_request.base.sha }}"
WORKFLOWS = {"github-actions.yaml": "vendor.github-workflows", "gitlab-ci.yaml": "vendor.gitlab-ci"}


@dataclass
class Project:
    """A repository with the recipe, the shop and its Placement; ``base`` is what a change is made against."""

    repository: Repository
    schemas: str
    base: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The work tree."""
        return self.repository.folder

    @property
    def overlay(self) -> Path:
        """The folder of the one overlay."""
        return self.folder / OVERLAY

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace what stands once in a file of the overlay, and commit."""
        path = self.overlay / file
        text = path.read_text()
        assert text.count(old) == 1, text
        path.write_text(text.replace(old, new))
        self.repository.commit_all()

    def shell(self, commands: str, environment: Mapping[str, str]) -> Run:
        """Run a step as both systems do, with tools on the PATH as ``ci/tools`` puts them there."""
        path = os.pathsep.join([*map(installed, TOOLS), os.environ["PATH"]])
        settings = {"PATH": path, "SCHEMAS": self.schemas, **environment, **self.environment}
        command = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", commands)
        return run(*command, cwd=self.folder, environment=settings)


@pytest.fixture(scope="session")
def location(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make schemas once."""
    return schemas.written(tmp_path_factory.mktemp("schemas") / "schemas")


@pytest.fixture
def project(tmp_path: Path, location: str) -> Project:
    """Copy the recipe and the overlay of kustomize into a new repository."""
    made = Project(Repository.made(tmp_path / "project"), location)
    shutil.copytree(CI, made.folder / "ci")
    shutil.copytree(REPOSITORY / "overlays" / "kustomize-exec", made.overlay)
    shutil.copytree(REPOSITORY / "overlays" / "base", made.folder / "deploy" / "base")
    made.base = made.repository.commit_all("base")
    return made


@dataclass
class Outcome:
    """What a pipeline came to: the step that failed, if any, and what people see."""

    failed: str
    log: str
    shown: str


def github(project: Project) -> Outcome:
    """Run the steps of the workflow for a pull request; checkout and tools are there already."""
    workflow = yaml.safe_load((project.folder / "ci" / "github-actions.yaml").read_text())
    (job,) = workflow["jobs"].values()
    summary = project.folder.parent / "summary"
    summary.touch()
    log = ""
    for step in job["steps"]:
        if "run" not in step or step["name"] == "Tools":
            continue
        assert step.get("if", CONDITION) == CONDITION
        own = {key: value.replace(BASE, project.base) for key, value in step.get("env", {}).items()}
        assert "${{" not in str(own) + step["run"]
        done = project.shell(step["run"], {**workflow["env"], **own, "GITHUB_STEP_SUMMARY": str(summary)})
        log += done.stdout + done.stderr
        if done.code:
            return Outcome(step["name"], log, summary.read_text())
    return Outcome("", log, summary.read_text())


def gitlab(project: Project) -> Outcome:
    """Run the script of the job for a merge request, in one shell as GitLab does."""
    job = yaml.safe_load((project.folder / "ci" / "gitlab-ci.yaml").read_text())["manifests"]
    environment = {**job["variables"], "CI_MERGE_REQUEST_DIFF_BASE_SHA": project.base}
    shown = project.folder / job["artifacts"]["paths"][0]
    log, failed = "", ""
    for command in job["script"]:
        done = project.shell(command, environment)
        log += done.stdout + done.stderr
        if done.code:
            failed = command
            break
    return Outcome(failed, log, shown.read_text() if shown.exists() else "")


Pipeline = Callable[[Project], Outcome]
each_system = pytest.mark.parametrize("pipeline", [github, gitlab])


@each_system
def test_a_change_is_green_and_shown_as_rendered(project: Project, pipeline: Pipeline) -> None:
    """One line of the Placement; people see what becomes of the copies, the same in every run."""
    project.edit("placement.yaml", "us-east-1c", "us-east-1d")
    first = pipeline(project)
    assert not first.failed, first.log
    assert "-  name: web-us-east-1c\n" in first.shown
    assert "+  name: web-us-east-1d\n" in first.shown
    assert "Invalid: 0, Errors: 0, Skipped: 0" in first.log
    again = pipeline(project)
    assert again.shown.removeprefix(first.shown if pipeline is github else "") == first.shown


@each_system
def test_without_a_change_nothing_is_shown(project: Project, pipeline: Pipeline) -> None:
    """A change beside the manifests renders to the same bytes."""
    (project.folder / "README.md").write_text("words\n")
    project.repository.commit_all()
    done = pipeline(project)
    assert not done.failed, done.log
    assert done.shown in ("", "~~~~diff\n~~~~\n")


@each_system
def test_a_function_that_was_skipped_in_silence_is_red(project: Project, pipeline: Pipeline) -> None:
    """Without ``--enable-exec`` kustomize exits 0 and places nothing."""
    project.environment["KUSTOMIZE_FLAGS"] = "--enable-alpha-plugins"
    done = pipeline(project)
    assert "render" in done.failed.lower()
    assert "check-placement: not placed by zonecast:\n  Deployment web" in done.log


@each_system
def test_a_placement_among_the_resources_is_red(project: Project, pipeline: Pipeline) -> None:
    """The other way to lose the function: the config comes out as an object, and nothing is placed."""
    (project.overlay / "kustomization.yaml").write_text("resources: [../base, placement.yaml]\n")
    project.repository.commit_all()
    done = pipeline(project)
    assert "render" in done.failed.lower()
    assert "check-placement: not placed by zonecast:\n  Deployment web" in done.log


@each_system
def test_an_invalid_manifest_is_red_and_still_shown(project: Project, pipeline: Pipeline) -> None:
    """A misspelt field is no field of the kind; the difference was shown before."""
    base = project.folder / "deploy" / "base" / "web.yaml"
    base.write_text(base.read_text().replace("  selector:\n", "  pausd: true\n  selector:\n", 1))
    project.repository.commit_all()
    done = pipeline(project)
    assert "validate" in done.failed.lower(), done.log
    assert "additional properties 'pausd' not allowed" in done.log
    assert "+  pausd: true\n" in done.shown


@each_system
def test_an_error_of_zonecast_is_red(project: Project, pipeline: Pipeline) -> None:
    """Its message is in the log."""
    project.edit("placement.yaml", "zones:", "zonen:")
    done = pipeline(project)
    assert "render" in done.failed.lower()
    assert 'did you mean "zones"?' in done.log


@each_system
def test_a_new_overlay_is_all_new(project: Project, pipeline: Pipeline) -> None:
    """What cannot be rendered at the base is no reason to stop: it may be from the time before zonecast."""
    shutil.copytree(project.overlay, project.folder / "deploy" / "next")
    project.repository.commit_all()
    project.environment["OVERLAYS"] = f"{OVERLAY} deploy/next"
    done = pipeline(project)
    assert not done.failed, done.log
    assert "deploy/next cannot be rendered at" in done.log
    assert "+++ b/rendered/head/deploy/next.yaml" in done.shown
    assert "production" not in done.shown


def test_a_push_has_nothing_to_compare_with(project: Project) -> None:
    """GitLab runs the job for the default branch, too: there is no base, and no difference."""
    project.base = ""
    done = gitlab(project)
    assert (done.failed, done.shown) == ("", "")


def test_a_kustomization_at_the_top(project: Project) -> None:
    """``OVERLAYS: .`` is the repository itself."""
    shutil.copy(project.overlay / "placement.yaml", project.folder)
    kustomization = "resources: [deploy/base]\ntransformers: [placement.yaml]\n"
    (project.folder / "kustomization.yaml").write_text(kustomization)
    done = project.shell("ci/manifests render && ci/manifests validate", {"OVERLAYS": "."})
    assert done.code == 0, done.stderr
    assert "name: web-us-east-1c" in (project.folder / "rendered/head/root.yaml").read_text()


def test_some_deployments_may_stay_as_they_are(project: Project) -> None:
    """``CHECK: --any`` is for a Placement with ``targets``: one placed Deployment is the proof."""
    base = project.folder / "deploy" / "base" / "web.yaml"
    other = base.read_text().split("---\n")[0].replace("web", "other")
    base.write_text(base.read_text() + "---\n" + other)

    def render(**settings: str) -> Run:
        return project.shell("ci/manifests render", {"OVERLAYS": OVERLAY, **settings})

    assert render().stderr.endswith("not placed by zonecast:\n  Deployment other\n")
    assert render(CHECK="--any").code == 0
    skipped = render(CHECK="--any", KUSTOMIZE_FLAGS="--enable-alpha-plugins")
    assert skipped.stderr.endswith("not placed by zonecast:\n  Deployment other\n  Deployment web\n")


def test_the_tools_are_put_where_they_are_looked_for(project: Project) -> None:
    """``ci/tools`` brings all three; here zonecast comes from this checkout."""
    environment = {"ZONECAST": str(REPOSITORY), "RUNNER_TEMP": str(project.folder.parent)}
    path = project.folder.parent / "path"
    workflow = yaml.safe_load((CI / "github-actions.yaml").read_text())
    (commands,) = [each["run"] for each in workflow["jobs"]["manifests"]["steps"] if each.get("name") == "Tools"]
    done = project.shell(commands, {**environment, "GITHUB_PATH": str(path)})
    assert done.code == 0, done.stderr
    tools = Path(path.read_text().strip())
    for tool, arguments in {"kustomize": ["version"], "kubeconform": ["-v"], "zonecast": ["version"]}.items():
        assert run(tools / tool, *arguments).code == 0


@pytest.mark.parametrize(("file", "schema"), WORKFLOWS.items())
def test_a_workflow_has_the_syntax_of_its_system(file: str, schema: str) -> None:
    """The published schema of each system accepts it."""
    program = Path(sys.executable).with_name("check-jsonschema")
    done = subprocess.run(
        [program, f"--builtin-schema={schema}", CI / file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_both_systems_run_the_same_commands() -> None:
    """What one of them does, the other does."""
    texts = [(CI / name).read_text() for name in WORKFLOWS]
    for command in ("ci/tools ", "ci/manifests render", "ci/manifests changes ", "ci/manifests validate"):
        assert [text.count(command) for text in texts] == [1, 1]


def test_the_scripts_name_the_tools_of_the_tests() -> None:
    """The versions that the recipe installs are those that are tested here."""
    text = (CI / "tools").read_text()
    for tool in TOOLS:
        recipe = (REPOSITORY / "tools" / "recipes" / f"{tool}.sh").read_text()
        (version,) = re.findall(r"^version=(.*)$", recipe, re.MULTILINE)
        assert f"@{version}\n" in text
