"""Checklist rows about the list itself: what is read, written, and said.

The number in a test's name is the row of the host contract that it proves.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from .adaptors import (
    CONFIG,
    Host,
    Run,
    kpt,
    kpt_render_exec,
    kustomize_exec,
    resource_list,
    run,
    write_kptfile,
)
from .conftest import Shop
from .manifests import CANARY, SCALER, SETTINGS, WEB, ZONES, annotated, placement, renamed

MISSPELT = placement(zones=[{"name": "a", "weigth": 2}])
BROKEN = {
    "not YAML": "{",
    "garbage": "\tno list at all: [",
    "cut short": resource_list(WEB, config=placement())[:-40],
    "another kind": "apiVersion: v1\nkind: ConfigMapList\nitems: []\n",
    "no kind": resource_list("metadata: {name: x}\n", config=placement()),
    "no name": resource_list("apiVersion: v1\nkind: ConfigMap\n", config=placement()),
    "misspelt field": resource_list(WEB, config=MISSPELT),
    "no match": resource_list(SETTINGS, config=placement()),
    "billion laughs": "a: &a [x, x]\n"
    + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
}
# Every scalar here changes its meaning, or fails, in some parser that rewrites it.
AWKWARD = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: awkward
data:
  a: 012
  b: 0o17
  c: yes
  d: 12:30
  e: 1e3
  f: ~
  g: =
  h: 2001-12-14
  i: "on"
  j: 'it''s'
  k: |
    trailing blank\x20
  l: >-
    folded
    text
  m: {flow: [1, 2,   3]}
"""
ANCHORED = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: &labels
    app: web
spec:
  replicas: 2
  selector:
    matchLabels: *labels
  template:
    metadata:
      labels:
        !!merge <<: *labels
        tier: front
    spec:
      containers:
      - {name: web, image: nginx}
"""


def function(*items: str, config: str = "", **flags: str) -> Run:
    """Run the function on items over plain stdin."""
    return run("zonecast", stdin=resource_list(*items, config=config), environment=flags)


def results(done: Run) -> list[dict[str, Any]]:
    """Read the results of a list."""
    found: list[dict[str, Any]] = yaml.safe_load(done.stdout).get("results", [])
    return found


@pytest.mark.parametrize("version", ["v1", "v1beta1", "v1alpha1"])
def test_row_01_reads_every_list_version_and_writes_one_document(version: str) -> None:
    """Each version is echoed as it came; a trailing ``---`` would make kpt lose the list."""
    version = f"config.kubernetes.io/{version}"
    stream = resource_list(WEB, config=placement(), version=version)
    done = run("zonecast", stdin=stream)
    assert done.code == 0, done.stderr
    (document,) = yaml.safe_load_all(done.stdout)
    assert (document["apiVersion"], document["kind"]) == (version, "ResourceList")
    assert not done.stdout.rstrip().endswith("---")


@pytest.mark.parametrize("stream", BROKEN.values(), ids=BROKEN)
def test_row_02_input_that_cannot_be_placed_never_exits_0(stream: str) -> None:
    """Every host deletes what a function that exits 0 does not return."""
    done = run("zonecast", stdin=stream)
    assert done.code != 0
    assert "Traceback" not in done.stderr
    assert not done.stdout or yaml.safe_load(done.stdout)["items"], "half a list"


def test_row_02_never_exits_0_without_all_items(host: Host, shop: Shop) -> None:
    """What was no target is still there after every host."""
    before = {"ConfigMap/settings", "Service/web"}
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {clusterIP: None}\n"
    package = shop({"web.yaml": f"{WEB}---\n{service}", "settings.yaml": SETTINGS})
    assert set(host(package).objects) == {"Deployment/web-a", "Deployment/web-b"} | before


def test_row_02_a_failed_run_leaves_the_package_alone(host: Host, shop: Shop) -> None:
    """A host must see the failure, or it would take the missing items for deleted ones."""
    package = shop({"web.yaml": WEB, CONFIG: MISSPELT})
    assert host(package).code != 0
    assert (package / "web.yaml").read_text() == WEB


def test_row_03_an_error_result_exits_with_failure(host: Host, shop: Shop) -> None:
    """No host fails on results alone, not even kpt."""
    assert host(shop({"web.yaml": WEB, "canary.yaml": CANARY})).code != 0
    done = function(WEB, CANARY, config=placement())
    assert done.code != 0
    assert [r for r in results(done) if r["severity"] == "error"]


def test_row_04_findings_are_on_stderr_with_the_point_first(shop: Shop) -> None:
    """Kustomize shows no results at all: where, what and what to do are on the first line."""
    first = kustomize_exec(shop({"web.yaml": WEB, CONFIG: MISSPELT})).stderr.splitlines()[0]
    assert first.startswith("zonecast: ")
    assert "spec.zones[0].weigth" in first
    assert "weight" in first.partition("weigth")[2], "the nearest name is suggested"


def test_row_04_kpt_shows_the_point(shop: Shop) -> None:
    """Kpt shows the first four lines of stderr."""
    shown = kpt_render_exec(shop({"web.yaml": WEB, CONFIG: MISSPELT})).stderr
    assert "weigth" in "".join(shown.partition("Stderr:")[2].splitlines()[:4])


def test_row_05_results_have_severity_and_reference() -> None:
    """kpt shows a result without severity as info, whatever it was meant to be."""
    found = results(function(WEB, SCALER, config=placement()))
    assert {result["severity"] for result in found} <= {"error", "warning", "info"}
    references = [result["resourceRef"] for result in found if "resourceRef" in result]
    assert references
    assert all({"apiVersion", "kind", "name"} <= set(reference) for reference in references)
    tags = [tag for result in found for tag in result.get("tags", {}).values()]
    assert all(isinstance(tag, str) for tag in tags)


def test_row_06_writes_no_anchors_of_its_own() -> None:
    """kustomize and kpt fail on an alias that their input did not have."""
    tolerations = [{"key": "pool", "operator": "Exists"}]
    config = placement(podSpec={"tolerations": tolerations}, onePodPerNode=True)
    done = function(WEB, renamed(WEB, "api"), config=config)
    assert done.stdout.count("key: pool") == len(ZONES) * 2
    tokens = {type(token) for token in yaml.scan(done.stdout)}
    assert not tokens & {yaml.AnchorToken, yaml.AliasToken}


def test_row_07_reads_awkward_text_and_leaves_it_alone() -> None:
    """What is not placed comes back byte for byte, however a parser would read it."""
    stream = resource_list(WEB, AWKWARD, config=placement())
    awkward = stream[stream.index("- apiVersion: v1\n") : stream.index("functionConfig:")]
    done = run("zonecast", stdin=stream)
    assert done.code == 0, done.stderr
    assert awkward in done.stdout


def test_row_07_reads_anchors_as_kpt_sends_them(shop: Shop) -> None:
    """kpt sends one anchor twice in a stream, and ``!!merge <<``."""
    package = shop({"web.yaml": ANCHORED, "api.yaml": renamed(ANCHORED, "api")})
    placed = kpt_render_exec(package).objects
    assert set(placed) == {f"Deployment/{name}-{zone}" for name in ("web", "api") for zone in "ab"}
    labels = placed["Deployment/api-b"]["spec"]["template"]["metadata"]["labels"]
    assert labels == {"app": "api", "tier": "front", "zonecast.dev/zone": "b"}


def test_row_07_reads_a_plain_equals_sign_as_kustomize_sends_it(shop: Shop) -> None:
    """kustomize writes the string ``=`` without quotes, which PyYAML's loaders refuse."""
    done = kustomize_exec(shop({"web.yaml": annotated(WEB, {"r": "="})}))
    assert done.objects["Deployment/web-a"]["metadata"]["annotations"]["r"] == "="


def test_row_08_keeps_comments_and_quotes_and_is_silent(shop: Shop) -> None:
    """kpt restores the order of fields but no style; parser warnings would fill its stderr."""
    package = shop({"web.yaml": WEB, "api.yaml": renamed(ANCHORED, "api")})
    done = kpt_render_exec(package)
    assert done.stdout.count('image: "nginx:1.29" # pinned') == len("ab")
    assert done.stdout.count("matchLabels: {app: web") == len("ab")
    assert "Warning:" not in done.stderr


def test_row_22_output_is_the_same_bytes_everywhere(tmp_path: Path) -> None:
    """Flux digests and Argo CD's hydrator commits change with every byte."""
    flags = [
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "TZ": "UTC", "LC_ALL": "C.UTF-8"},
        {"HOME": "/nonexistent", "TMPDIR": str(tmp_path)},
    ]
    once, *again = [function(WEB, SCALER, config=placement(), **flag) for flag in flags]
    assert "name: web-a" in once.stdout
    assert [done.stdout for done in again] == [once.stdout] * len(again)


def test_row_24_an_absent_config_echoes_with_a_warning(shop: Shop) -> None:
    """``kpt fn render`` without a configPath sends no functionConfig at all."""
    done = function(WEB, SETTINGS)
    assert done.code == 0, done.stderr
    assert resource_list(WEB, SETTINGS) in done.stdout + "\n"
    assert [result["severity"] for result in results(done)] == ["warning"]
    package = shop({"web.yaml": WEB})
    write_kptfile(package, {"exec": "zonecast"}, config=None)
    assert kpt("fn", "render", package, "--allow-exec").code == 0
    assert (package / "web.yaml").read_text() == WEB


def test_row_24_an_empty_config_map_echoes(shop: Shop) -> None:
    """``kpt fn eval`` without a config sends a ConfigMap with ``data: {}``."""
    package = shop({"web.yaml": WEB})
    done = kpt("fn", "eval", package, "--exec", "zonecast")
    assert done.code == 0, done.stderr
    assert (package / "web.yaml").read_text() == WEB


def test_row_24_a_config_map_gives_the_simple_keys(shop: Shop) -> None:
    """``kpt fn eval -- zones=a,b`` sends strings in a ConfigMap."""
    package = shop({"web.yaml": WEB})
    (package / CONFIG).unlink()
    done = kpt("fn", "eval", package, "--exec", "zonecast", "--", "zones=a,b")
    assert done.code == 0, done.stderr
    text = "".join(file.read_text() for file in package.glob("*.yaml"))
    assert "name: web-a" in text
    assert "name: web-b" in text


def test_row_24_config_metadata_may_hold_anything() -> None:
    """A config that was itself kustomized carries a prefix, a namespace, and annotations."""
    config = json.loads(placement())
    config["metadata"] |= {"namespace": "shop", "labels": {"a": "b"}, "name": "prod-shop"}
    internal = "internal.config.kubernetes.io"
    config["metadata"]["annotations"] |= {
        f"{internal}/previousNames": "shop",
        f"{internal}/prefixes": "prod-",
        "config.kubernetes.io/index": "0",
    }
    done = function(WEB, config=json.dumps(config))
    assert done.code == 0, done.stderr


def test_row_36_appends_to_lists(shop: Shop) -> None:
    """kpt puts comments back by index: a prepended entry would take the first one's comment."""
    own = "tolerations:\n      - key: mine # keep\n        operator: Exists\n      containers:"
    package = shop(
        {"web.yaml": WEB.replace("containers:", own)},
        podSpec={"tolerations": [{"key": "pool", "operator": "Exists"}]},
    )
    done = kpt_render_exec(package)
    for zone in "ab":
        spec = done.objects[f"Deployment/web-{zone}"]["spec"]["template"]["spec"]
        assert [toleration["key"] for toleration in spec["tolerations"]] == ["mine", "pool"]
    assert done.stdout.count("key: mine # keep") == len("ab")


def test_row_37_leaves_no_internal_annotation_of_its_own(shop: Shop) -> None:
    """An unknown internal key survives kustomize and reaches the cluster."""
    internal = "internal.config.kubernetes.io/"
    done = function(annotated(WEB, {f"{internal}index": "0"}), config=placement())
    assert "name: web-a" in done.stdout
    assert done.stdout.count(internal) == done.stdout.count(f"{internal}index")
    assert internal not in kustomize_exec(shop()).stdout
