"""What the docs say is run, validated or looked up here, so that it cannot rot."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from examples import EXAMPLES, example, shown
from generate import sections

from krmfn import KubeObject, ResourceList, Results, run
from pages import FENCE, LINK, REPOSITORY, anchors, blocks, pages, text_of
from zonecast import __version__
from zonecast.kyverno import rbac
from zonecast.pipeline import run as place
from zonecast.placement import load, schema


@pytest.mark.parametrize("page", pages(), ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    """A relative link names a file, and a heading of it where it has a fragment."""
    for link in LINK.findall(FENCE.sub("", text_of(page))):
        if "://" in link:
            continue
        target, _, fragment = link.partition("#")
        path = (REPOSITORY / page).parent / target if target else REPOSITORY / page
        assert path.exists(), f"{page}: {link}"
        if fragment:
            assert fragment in anchors(path.resolve().relative_to(REPOSITORY)), f"{page}: {link}"


@pytest.mark.parametrize("page", pages(), ids=str)
def test_placements_are_valid(page: Path) -> None:
    """A Placement that a page shows is one that the function accepts."""
    for block in blocks(page, "yaml"):
        for document in yaml.safe_load_all(block):
            if isinstance(document, dict) and document.get("kind") == "Placement":
                load(KubeObject(block))


@pytest.mark.parametrize("page", pages(), ids=str)
def test_whole_programs_run(page: Path) -> None:
    """A Python block with imports is a program without faults."""
    for block in blocks(page, "python"):
        if "import" in block:
            done = subprocess.run(
                [sys.executable, "-c", block], input=b"", capture_output=True, check=False, timeout=60
            )
            # A function without a list says so; anything else is a fault of the page.
            assert done.returncode == 0 or b"expected a ResourceList" in done.stderr, done.stderr.decode()


def test_the_sdk_page_shows_the_example() -> None:
    """The program of docs/sdk.md is examples/04-sdk-snippet/pin.py."""
    program = (REPOSITORY / "examples/04-sdk-snippet/pin.py").read_text()
    assert program.partition("\n")[2] == blocks(Path("docs/sdk.md"), "python")[0]


def test_what_the_sdk_page_names_exists() -> None:
    """Each attribute in its tables is one of an object, of the list or of the results."""
    rows = [line.split("|")[1] for line in text_of(Path("docs/sdk.md")).splitlines() if line.startswith("| `")]
    names = {name for row in rows for name in re.findall(r"`(?:\w+\.)?(\w+)[`(]", row)}
    members = {name for each in (KubeObject, ResourceList(), Results) for name in dir(each)}
    assert len(names) > len(("reading", "editing", "lists"))
    assert sorted(names - members) == []


def test_the_first_example_is_true() -> None:
    """README: the lines with ``-`` are the input, those with ``+`` the first copy; shares are 3, 2 and 2."""
    readme = Path("README.md")
    (diff,) = blocks(readme, "diff")
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    outcome = run(place, before, blocks(readme, "yaml")[0])
    copies = outcome.stdout.split("---\n")
    assert copies[0] == after
    assert [yaml.safe_load(copy)["spec"]["replicas"] for copy in copies] == [3, 2, 2]


def test_the_first_five_minutes_are_true(tmp_path: Path) -> None:
    """README: the command, given what is shown above it, makes the copies and says what the page says."""
    readme = Path("README.md")
    lines = blocks(readme, "diff")[0].splitlines(keepends=True)
    (tmp_path / "web.yaml").write_text("".join(line[1:] for line in lines if line[0] in " -"))
    (tmp_path / "placement.yaml").write_text(blocks(readme, "yaml")[0])
    install, command = blocks(readme, "sh")[0].splitlines()
    assert install == "pip install ."
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    shell = ["bash", "-c", command]
    done = subprocess.run(shell, cwd=tmp_path, env={"PATH": path}, capture_output=True, text=True, check=True)
    assert done.stderr == blocks(readme, "text")[0]
    assert (tmp_path / "copies.yaml").read_text().count("kind: Deployment") == len(("a", "b", "c"))


def test_placements_of_a_page_are_those_of_the_examples() -> None:
    """Where a page shows the Placement of an example, it shows what the example has."""
    for folder, guide in {
        "01-fargate-zone-fanout": None,
        "02-dedicated-node-pool": "dedicated-node-pool",
        "03-cloud-bursting": "cloud-bursting",
    }.items():
        example = Path("examples") / folder
        spec = yaml.safe_load((REPOSITORY / example / "placement.yaml").read_text())["spec"]
        shown = [example / "README.md", *([Path(f"docs/guides/{guide}.md")] if guide else [])]
        for page in shown:
            assert yaml.safe_load(blocks(page, "yaml")[0])["spec"] == spec, page


def test_the_reference_is_up_to_date() -> None:
    """The tables of docs/reference.md and the JSON Schema are written by docs/generate.py."""
    command = [sys.executable, str(REPOSITORY / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def keys(each: object) -> set[str]:
    """Collect the names of all fields in a schema."""
    if isinstance(each, list):
        return set().union(*map(keys, each)) if each else set()
    if not isinstance(each, dict):
        return set()
    own = set(each.get("properties", {})) if isinstance(each.get("properties"), dict) else set()
    return own.union(*(keys(value) for value in each.values()))


def test_every_field_is_in_the_reference() -> None:
    """An option that is not documented does not exist for anybody."""
    table = text_of(Path("docs/reference.md"))
    fields = keys(schema()["properties"]["spec"])
    assert fields
    assert [name for name in sorted(fields) if f"`{name}`" not in table] == []


def test_every_section_has_an_example() -> None:
    """Each section with fields of its own is used by a config that the reference shows beside what it changes."""
    used = {path for names in EXAMPLES.values() for name in names for path in shown(example(name).data)}
    assert [path for path in sections() if path not in used] == []
    assert set(EXAMPLES) - set(sections()) == {"data"}


def test_help_is_the_marked_part_of_the_readme() -> None:
    """``--help`` prints it without reading the input; every section of a Placement is in it."""
    program = Path(sys.executable).with_name("zonecast")
    no_input = subprocess.DEVNULL
    done = subprocess.run([program, "--help"], stdin=no_input, capture_output=True, text=True, check=True)
    readme = text_of(Path("README.md"))
    assert done.stdout.strip() in readme
    sections = schema()["properties"]["spec"]["properties"].keys() - {"allowNoMatch", "onConflict"}
    assert [name for name in sorted(sections) if f"  {name}:" not in done.stdout] == []
    assert max(map(len, done.stdout.splitlines())) <= 130
    assert not LINK.search(done.stdout)


def test_markers_are_those_of_mdtogo() -> None:
    """Short and Long, each closed, in this order."""
    markers = re.findall(r"<!--mdtogo.*?-->", text_of(Path("README.md")))
    assert markers == ["<!--mdtogo:Short-->", "<!--mdtogo-->", "<!--mdtogo:Long-->", "<!--mdtogo-->"]


def test_the_version_is_in_the_changelog() -> None:
    """What is being worked on, or was released, has its entry; the image is tagged with it everywhere."""
    assert f"## [{__version__}]" in text_of(Path("CHANGELOG.md"))
    tags = {tag for page in pages() for tag in re.findall(r"zonecast/zonecast:v([\d.]+\d)", text_of(page))}
    assert tags == {__version__}


def test_overlays_are_of_this_version() -> None:
    """The plugin of Helm says it, and CI installs it."""
    overlays = REPOSITORY / "overlays"
    assert yaml.safe_load((overlays / "helm4-plugin" / "plugin.yaml").read_text())["version"] == __version__
    assert f"/zonecast@v{__version__}}}" in (overlays / "ci" / "tools").read_text()


def test_the_targets_that_the_docs_name_exist() -> None:
    """Each ``make X`` of a page is a target of the Makefile."""
    makefile = (REPOSITORY / "Makefile").read_text()
    command = re.compile(r"(?:`|^)make ([a-z]+)", re.MULTILINE)
    named = {name for page in pages() for name in command.findall(text_of(page))}
    assert {"demo", "test", "check", "bench"} <= named
    assert [name for name in sorted(named) if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
"""


def column(page: Path, heading: str) -> list[str]:
    """Return the first column of the table that has such a heading, without its backquotes."""
    _, _, table = text_of(page).partition(f"| {heading} |")
    rows = table.partition("\n\n")[0].splitlines()[2:]
    return [row.split("|")[1].strip().strip("`") for row in rows]


def test_the_guide_to_policies_is_true() -> None:
    """Its Placement writes the policies of its table, in that order, and the roles are those that exist."""
    page = Path("docs/guides/policies.md")
    outcome = run(place, WEB, blocks(page, "yaml")[0])
    assert outcome.code == 0, outcome.stderr
    written = [each for each in yaml.safe_load_all(outcome.stdout) if "Policy" in each["kind"]]
    assert [each["metadata"]["name"] for each in written] == column(page, "policy")
    roles = [rbac.read_nodes(), rbac.scan_rollouts()]
    assert [each["metadata"]["name"] for each in roles] == column(page, "ClusterRole")
    for role in roles:
        row = next(line for line in text_of(page).splitlines() if role["metadata"]["name"] in line)
        assert all(f"`{verb}`" in row for verb in role["rules"][0]["verbs"])
        assert role["rules"][0]["resources"][0] in row


def test_the_command_prints_the_values_for_kyverno() -> None:
    """``zonecast kyverno-values`` is overlays/kyverno/values.yaml, byte for byte."""
    program = Path(sys.executable).with_name("zonecast")
    done = subprocess.run([program, "kyverno-values"], capture_output=True, text=True, check=True)
    assert done.stdout == (REPOSITORY / "overlays/kyverno/values.yaml").read_text()
