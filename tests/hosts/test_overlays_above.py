"""The table "Overlays above" of docs/hosts.md, row by row, with the real kustomize."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from .adaptors import FUNCTION, KUSTOMIZATION, REPOSITORY, Json, Run, kustomize
from .manifests import SETTINGS, WEB, placement

COUNT = '[{"op": "replace", "path": "/spec/replicas", "value": 9}]'
STRATEGIC = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 9}\n"
COPIES = ("web-a", "web-b")
PREFIX = {"namePrefix": "pre-"}


def built(folder: Path, overlay: Json, base: Json) -> Run:
    """Build an overlay above a base that fans ``web`` (4 replicas) out over zones a and b."""
    config = json.loads(placement())
    config["metadata"]["annotations"][FUNCTION] = "exec: {path: zonecast}"
    low = {"resources": ["web.yaml", "settings.yaml"], "transformers": ["placement.yaml"], **base}
    files = {
        "low/web.yaml": WEB,
        "low/settings.yaml": SETTINGS,
        "low/placement.yaml": json.dumps(config),
        "low/kustomization.yaml": json.dumps(KUSTOMIZATION | low),
        "top/kustomization.yaml": json.dumps(KUSTOMIZATION | {"resources": ["../low"], **overlay}),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return kustomize(folder / "top", "--enable-alpha-plugins", "--enable-exec")


def replicas(done: Run) -> dict[str, int]:
    """Return the replicas of each copy, by its name without prefix."""
    found = (item for item in done.objects.values() if item["kind"] == "Deployment")
    return {item["metadata"]["name"].removeprefix("pre-"): item["spec"]["replicas"] for item in found}


def patched(target: Json) -> Json:
    """Return an overlay that sets 9 replicas wherever ``target`` finds something."""
    return {"patches": [{"target": target, "patch": COUNT}]}


def replaced(source: str, target: str, path: str) -> Json:
    """Return an overlay with a replacement between the Deployments and the ConfigMap."""
    kinds = {"web": "Deployment", "settings": "ConfigMap"}
    fields = {"web": "metadata.name", "settings": "data.greeting"}
    origin = {"kind": kinds[source], "name": source, "fieldPath": fields[source]}
    selected = {"select": {"kind": kinds[target], "name": target}, "fieldPaths": [path]}
    return {"replacements": [{"source": origin, "targets": [selected]}]}


LABEL = "spec.template.metadata.labels.app"
REACHED: Mapping[str, tuple[Json, Json, tuple[str, ...]]] = {
    "the name of a copy": ({"replicas": [{"name": "web-a", "count": 9}]}, {}, COPIES[:1]),
    "the old name, prefixed": ({"replicas": [{"name": "web", "count": 9}]}, PREFIX, COPIES),
    "a target by the old name": (patched({"kind": "Deployment", "name": "web"}), {}, ()),
    "the same, prefixed": (patched({"kind": "Deployment", "name": "web"}), PREFIX, COPIES),
    "a target by an expression": (patched({"kind": "Deployment", "name": "web-.*"}), {}, COPIES),
    "a target by label": (patched({"labelSelector": "zonecast.dev/zone=b"}), {}, COPIES[1:]),
}


@pytest.mark.parametrize(("overlay", "base", "reached"), REACHED.values(), ids=REACHED)
def test_what_a_figure_reaches(overlay: Json, base: Json, reached: tuple[str, ...], tmp_path: Path) -> None:
    """9 replicas arrive at these copies; the others keep the 2 of their share."""
    done = built(tmp_path, overlay, base)
    assert replicas(done) == {copy: 9 if copy in reached else 2 for copy in COPIES}


ERRORS: Mapping[str, Json] = {
    "replicas by the old name": {"replicas": [{"name": "web", "count": 9}]},
    "a strategic patch of the old name": {"patches": [{"patch": STRATEGIC}]},
    "a replacement from the old name": replaced("web", "settings", "data.greeting"),
}


@pytest.mark.parametrize("overlay", ERRORS.values(), ids=ERRORS)
def test_what_is_an_error(overlay: Json, tmp_path: Path) -> None:
    """kustomize says that there is no such object."""
    done = built(tmp_path, overlay, {})
    assert done.code != 0
    assert "web" in done.stderr


@pytest.mark.parametrize(("base", "label"), [({}, "web"), (PREFIX, "hello")], ids=["plain", "prefixed"])
def test_a_replacement_to_the_old_name(base: Json, label: str, tmp_path: Path) -> None:
    """It is lost in silence, or reaches every copy where the base had a prefix."""
    done = built(tmp_path, replaced("settings", "web", LABEL), base)
    found = [item for item in done.objects.values() if item["kind"] == "Deployment"]
    assert [item["spec"]["template"]["metadata"]["labels"]["app"] for item in found] == [label, label]


def test_a_namespace_reaches_a_policy_from_below(tmp_path: Path) -> None:
    """kustomize does not know that the kind is cluster-scoped."""
    costs = [{"nodeLabel": {"key": "k", "value": "v"}, "cost": 1}]
    config = yaml.safe_load(placement(kyverno={"namespace": "shop", "podDeletionCost": costs}))
    config["metadata"]["annotations"][FUNCTION] = "exec: {path: zonecast}"
    low = {"transformers": [json.dumps(config)]}
    done = built(tmp_path, {"namespace": "prod"}, low)
    (policy,) = (item for item in done.objects.values() if item["kind"] == "MutatingPolicy")
    assert policy["metadata"]["namespace"] == "prod"


def test_the_table_has_no_other_rows() -> None:
    """A row that is added to the page gets its test here."""
    page = (REPOSITORY / "docs" / "hosts.md").read_text()
    section = page.partition("### Overlays above")[2].partition("###")[0]
    assert len(re.findall(r"^\| [^-]", section, re.MULTILINE)) == len(("header",)) + 9
