"""Real manifests: everything in them that can be fanned out is, everything else comes back byte for byte.

The files are not part of the repository: ``../shared/corpus`` beside the clone, or where ZONECAST_CORPUS says.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml

from krmfn import ResourceList, run
from krmfn.testing import item_texts, read_twice
from zonecast.pipeline import run as zonecast

CORPUS = Path(os.environ.get("ZONECAST_CORPUS") or Path(__file__).parents[2] / "shared" / "corpus")

CONFIG = """\
apiVersion: zonecast.dev/v1alpha1
kind: Placement
metadata:
  name: everything
spec:
  zones: [us-east-1a, us-east-1b, us-east-1c]
"""
#: Where there is no Deployment the run must say so, unless it is told that this is fine.
ANY = CONFIG + "  allowNoMatch: true\n"

NOT_MANIFESTS = ("README.md", "index.tsv")
#: Above this size the slower reader reads only the documents that are new.
LARGE = 200_000

#: What cannot be handled: file -> what the error says, and why that is right.
ERRORS: dict[str, tuple[str, str]] = {
    "kubernetes-engine-samples--vllm-llama3-8b-instruct.yaml": (
        r"line \d+: not valid YAML",
        "is no YAML upstream",
    ),
    "eks-workshop-v2--values.yaml": (r"line \d+: item 0 has no kind", "Helm values are no Kubernetes object"),
}
NO_SELECTOR = (r"spec\.selector: required: a Deployment selects its pods", "apps/v1 requires a selector")
#: What cannot be fanned out, beside other objects that can: file -> the names to exclude, the error and why it is right.
REFUSED: dict[str, tuple[str, tuple[str, str]]] = {
    "autoscaler--nginx-priority-hpa.yaml": (
        "nginx-[12]",
        (
            r"Balancer nginx .*names Deployment nginx-1, which is fanned out",
            "a Balancer names its Deployments, and would dangle",
        ),
    ),
    "kube-linter--pdb-min-available.yaml": (
        "foo|foo3",
        (
            r"Deployment bar/foo .*spec\.template: required|ScaledObject bar3/app3 .*names Deployment foo3",
            "foo makes no pods; a ScaledObject cannot be split yet",
        ),
    ),
    "kube-linter--container-with-merge.yaml": ("complex-anchors", NO_SELECTOR),
    "kube-linter--edge-cases.yaml": ("edge-cases", NO_SELECTOR),
    "kube-score--deployment-poddisruptionbudget-v1-different-namespace.yaml": (
        "statefulset-test-1",
        NO_SELECTOR,
    ),
    "kube-score--deployment-with-hpa-has-replicas.yaml": ("php-apache", NO_SELECTOR),
    "kubernetes-engine-samples--deployment-with-hpa.yaml": ("my-nginx", NO_SELECTOR),
    "metrics-server--patch.yaml": ("metrics-server", NO_SELECTOR),
}
#: What is no autoscaler and follows all the same: file -> (kind, name), and the line that it gets.
FOLLOWS = {
    # a rule for the Deployment names its copies
    "istio--metallb-native.yaml": (("Role", "controller"), "  - controller-us-east-1c\n"),
}
#: What one of the readers cannot read as it is upstream.
ONE_READER = {
    "kubernetes-engine-samples--vllm-llama3-70b.yaml": "ruamel.yaml reads no tab at the end of a line"
}

FILES = (
    sorted(path.name for path in CORPUS.iterdir() if path.name not in NOT_MANIFESTS)
    if CORPUS.is_dir()
    else []
)
every_file = pytest.mark.parametrize("name", FILES)


def read(name: str) -> str:
    """Return the text of a file, byte for byte."""
    return (CORPUS / name).read_bytes().decode()


def documents(text: str) -> list[str]:
    """Cut a stream at its markers, without the product's own cutter."""
    return [each.strip("\r\n") for each in re.split(r"(?m)^---(?=\s|$)", text)]


def check_readable(name: str, before: str, after: str) -> None:
    """Check that two independent readers read all of the output (of a large one the slower only what is new)."""
    if len(after) < LARGE and name not in ONE_READER:
        pyyaml, ruamel = read_twice(after)
        assert len(pyyaml) == len(ruamel)
        return
    old = set(documents(before))
    for document in documents(after):
        if document not in old:
            read_twice(document)
    for _ in yaml.parse(after, yaml.CSafeLoader):
        pass


@pytest.mark.skipif(not CORPUS.is_dir() and not os.environ.get("CI"), reason="the corpus is not part of a clone")
def test_corpus_is_there() -> None:
    """A corpus that is missing fails here instead of passing as an empty table."""
    assert len(FILES) > 60, f"no corpus in {CORPUS}"


@every_file
def test_as_a_stream(name: str) -> None:
    """Fanned out as a document stream, as Helm or kubectl pass it on."""
    text = read(name)
    outcome = run(zonecast, text, ANY, "zonecast")
    assert "this is a bug" not in outcome.stderr
    if name in ERRORS:
        assert (outcome.code, outcome.stdout) == (1, "")
        assert re.search(ERRORS[name][0], outcome.stderr), outcome.stderr
        return
    excluded = ""
    if name in REFUSED:
        excluded, (message, _) = REFUSED[name]
        assert (outcome.code, outcome.stdout) == (1, "")
        assert re.search(message, outcome.stderr), outcome.stderr
        outcome = run(zonecast, text, without(excluded), "zonecast")
    assert outcome.code == 0, outcome.stderr
    check_readable(name, text, outcome.stdout)
    check_untouched(name, text, outcome.stdout, excluded)
    again = run(zonecast, outcome.stdout, without(excluded), "zonecast")
    assert again.stdout == outcome.stdout


def without(names: str) -> str:
    """Return the config with an exclusion."""
    return ANY + (f'  exclude: [{{name: "{names}"}}]\n' if names else "")


def untouched_in(resources: ResourceList, name: str) -> list[str]:
    """Return the texts of what must not change."""
    follower = FOLLOWS.get(name, (None, ""))[0]
    kinds = ("Deployment", "HorizontalPodAutoscaler")
    return [obj.text for obj in resources if obj.kind not in kinds and (obj.kind, obj.name) != follower]


def check_untouched(name: str, before: str, after: str, excluded: str) -> None:
    """Check that what was no target is the same bytes, in order, and that no Deployment is left unplaced."""
    new = ResourceList.read_stream(after)
    untouched = untouched_in(ResourceList.read_stream(before), name)
    assert untouched_in(new, name) == untouched
    assert name not in FOLLOWS or FOLLOWS[name][1] in after
    position = 0
    for text in untouched:
        if text in before:  # a member of a List is seen at another indentation than it has
            position = after.index(text, position) + len(text)
    for obj in new:
        excepted = obj.is_local_config or re.fullmatch(excluded, obj.name)
        if obj.is_group_kind("apps", "Deployment") and not excepted:
            assert obj.annotation("zonecast.dev/placement") == "everything"


def as_list(text: str) -> str:
    """Return the objects of a stream as the items of a ResourceList, as a host would send them."""
    items = []
    for document in documents(text):
        lines = [line for line in document.split("\n") if not line.startswith("%")]
        content = [
            line
            for line in lines
            if line.strip() and not line.lstrip().startswith("#") and line.strip() != "..."
        ]
        if not content:
            continue
        first = lines.index(content[0])
        kept = [line for line in lines[first:] if line.strip() != "..."]
        items.append(
            "- "
            + "\n".join("  " + line if i and line.strip() else line for i, line in enumerate(kept)).rstrip()
            + "\n"
        )
    indented = "".join(f"  {line}\n" for line in ANY.splitlines())
    head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:"
    return head + ("\n" + "".join(items) if items else " []\n") + "functionConfig:\n" + indented


@every_file
def test_as_a_list(name: str) -> None:
    """Fanned out as the items of a ResourceList: the same verdict, and what is no target is the same bytes."""
    text = as_list(read(name))
    outcome = run(zonecast, text, None, "zonecast")
    assert "this is a bug" not in outcome.stderr
    if name in ERRORS:
        assert outcome.code == 1
        assert re.search(ERRORS[name][0], outcome.stderr), outcome.stderr
        return
    if name in REFUSED:
        assert outcome.code == 1
        assert re.search(REFUSED[name][1][0], outcome.stderr), outcome.stderr
        assert outcome.stdout.startswith(text)
        assert item_texts(outcome.stdout) == item_texts(text)
        return
    assert outcome.code == 0, outcome.stderr
    if len(text) < LARGE and name not in ONE_READER:
        pyyaml, ruamel = read_twice(outcome.stdout)
        assert len(pyyaml) == len(ruamel) == 1
    before, after = (untouched_in(ResourceList.read(each), name) for each in (text, outcome.stdout))
    assert after == before
    again = run(zonecast, outcome.stdout, None, "zonecast")
    assert item_texts(again.stdout) == item_texts(outcome.stdout)


@pytest.mark.parametrize("name", [name for name in FILES if name not in ERRORS])
def test_nothing_to_do(name: str) -> None:
    """A Placement that matches nothing gives every file back byte for byte."""
    text = read(name)
    config = CONFIG + '  allowNoMatch: true\n  targets: [{name: "no such name"}]\n'
    outcome = run(zonecast, text, config, "zonecast")
    assert (outcome.code, outcome.stdout) == (0, text)
