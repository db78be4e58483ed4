"""zonecast as the post-renderer of Helm 3 and Helm 4, with the chart of podinfo on a real control plane."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cluster.api import Json
from cluster.sandbox import Sandbox
from pages import blocks

from .helm import RELEASE, VERSIONS, Helm

GUIDE = Path("docs/guides/helm.md")
NAME = "shop-podinfo"
ZONE = "topology.kubernetes.io/zone"
ZONES = A, B, C = "us-east-1a", "us-east-1b", "us-east-1c"
COPIES = {f"{NAME}-{zone}" for zone in ZONES}
IN_THREE = f"{{zones: [{A}, {B}, {C}]}}"
KEEPING = f"{{zones: [{A}, {B}, {C}], fanOut: {{source: Keep}}}}"
SEVEN = {"replicaCount": 7}
# 7 replicas, as an autoscaler of 7 to 14 would have them
SCALED = {"replicaCount": 7, "hpa.enabled": True, "hpa.maxReplicas": 14}


@pytest.fixture(params=VERSIONS)
def helm(request: pytest.FixtureRequest, tmp_path: Path) -> Helm:
    """Give the test a version of Helm, and the Placement of three zones."""
    made = Helm.made(request.param, tmp_path / "home").with_plugin()
    made.place(IN_THREE)
    return made


@pytest.fixture
def live(helm: Helm, sandbox: Sandbox) -> Helm:
    """Point Helm at the test's namespace, which has nodes in three zones."""
    for zone in ZONES:
        sandbox.add_nodes(f"{sandbox.namespace}-{zone}", labels={ZONE: zone, "of": sandbox.namespace})
    return helm.in_cluster(sandbox.plane.kubeconfig, sandbox.namespace)


def deployments(sandbox: Sandbox) -> dict[str, Json]:
    """Read the Deployments of the namespace by name."""
    path = f"/apis/apps/v1/namespaces/{sandbox.namespace}/deployments"
    return {each["metadata"]["name"]: each for each in sandbox.api.items(path)}


def generations(sandbox: Sandbox) -> dict[str, int]:
    """Read how often the spec of each Deployment was changed."""
    return {name: each["metadata"]["generation"] for name, each in deployments(sandbox).items()}


def revision(helm: Helm) -> int:
    """Ask Helm for the release's revision."""
    found: int = json.loads(helm("status", RELEASE, "--output=json").stdout)["version"]
    return found


# without a cluster


def test_template_places_what_the_chart_renders(helm: Helm) -> None:
    """As a post-renderer and in a pipe the same objects come out; the autoscaler follows."""
    placed = helm.template("--skip-tests", "--no-hooks", values=SCALED)
    flags = "--set=replicaCount=7 --set=hpa.enabled=true --set=hpa.maxReplicas=14 --no-hooks"
    piped = helm.shell(f"helm template {RELEASE} ./chart {flags} | zonecast placement.yaml")
    assert placed.objects == piped.objects
    found = placed.objects
    assert {name for name in found if "/" + NAME + "-" in name} == {
        f"{kind}/{copy}" for kind in ("Deployment", "HorizontalPodAutoscaler") for copy in COPIES
    }
    assert sorted(each["spec"].get("minReplicas", 0) for each in found.values())[-3:] == [2, 2, 3]


def test_show_only_shows_every_copy(helm: Helm) -> None:
    """Each copy still says which template it is from."""
    done = helm.template("--show-only=templates/deployment.yaml")
    assert set(done.objects) == {f"Deployment/{name}" for name in COPIES}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{zones: [a], fanOot: {}}", 'spec.fanOot: unknown field; did you mean "fanOut"?'),
        ("{zones: [a], targets: [{name: other}]}", f"targets match nothing; Deployments in the list: Deployment {NAME}"),
    ],
)
def test_an_error_reaches_the_user(helm: Helm, spec: str, message: str) -> None:
    """Helm fails and prints nothing as rendered; the message is on its standard error."""
    helm.place(spec)
    done = helm.template()
    assert (done.code, done.stdout.strip()) == (1, "")
    assert message in done.stderr


def test_a_forgotten_argument_is_named(helm: Helm) -> None:
    """Without a config the message says which flag of Helm is missing."""
    done = helm("template", RELEASE, "./chart", "--post-renderer", "zonecast")
    assert done.code == 1
    assert "--post-renderer-args CONFIG" in done.stderr


def test_hooks_are_handed_over_by_helm_4_alone(helm: Helm) -> None:
    """The guide says so; a Placement that means Pods reaches the chart's test Pods there."""
    helm.place("{targets: [{kind: Pod}], podSpec: {priorityClassName: high}, allowNoMatch: true}")
    pods = [each for name, each in helm.template().objects.items() if name.startswith("Pod/")]
    assert pods
    assert all("helm.sh/hook" in each["metadata"]["annotations"] for each in pods)
    placed = {each["spec"].get("priorityClassName") for each in pods}
    assert placed == ({"high"} if helm.version == "helm4" else {None})


def test_files_are_placed_by_helm_4_alone(helm: Helm) -> None:
    """Helm 3 writes them before it asks: the post-renderer gets an empty stream, and nobody takes that for success."""
    done = helm.template("--output-dir=out")
    file = helm.home / "out" / "podinfo" / "templates" / "deployment.yaml"
    if helm.version == "helm4":
        assert done.code == 0, done.stderr
        assert file.read_text().count("kind: Deployment") == len(COPIES)
    else:
        assert done.code == 1
        assert "targets match nothing; the list has no Deployment" in done.stderr


# on the control plane


def test_install_runs_pods_where_they_belong(live: Helm, sandbox: Sandbox) -> None:
    """7 replicas over three zones are 3, 2, 2; every copy belongs to the release."""
    done = live.upgrade(values=SEVEN)
    assert done.code == 0, done.stderr
    assert sandbox.spread(sandbox.running(7), ZONE) == {A: 3, B: 2, C: 2}
    found = deployments(sandbox)
    assert set(found) == COPIES
    for each in found.values():
        assert each["metadata"]["annotations"]["meta.helm.sh/release-name"] == RELEASE
        assert each["metadata"]["labels"]["app.kubernetes.io/managed-by"] == "Helm"


def test_an_upgrade_changes_copies_and_takes_a_zone_out(live: Helm, sandbox: Sandbox) -> None:
    """Copies that stay are the same objects, those of a zone that is gone are deleted; a rollback brings them back."""
    live.upgrade(values=SEVEN)
    before = deployments(sandbox)
    live.place(f"{{zones: [{A}, {B}]}}")
    done = live.upgrade(values={"replicaCount": 5})
    assert done.code == 0, done.stderr
    after = deployments(sandbox)
    assert set(after) == COPIES - {f"{NAME}-{C}"}
    assert {name: after[name]["metadata"]["uid"] for name in after} == {
        name: before[name]["metadata"]["uid"] for name in after
    }
    assert sandbox.spread(sandbox.running(5), ZONE) == {A: 3, B: 2}
    assert live("rollback", RELEASE, "1").code == 0
    assert sandbox.spread(sandbox.running(7), ZONE) == {A: 3, B: 2, C: 2}


def test_a_release_that_runs_is_cut_over_without_a_gap(live: Helm, sandbox: Sandbox) -> None:
    """Keep, then Remove: Helm leaves the original alone in both upgrades, and it goes when a person deletes it."""
    assert live.upgrade(values=SEVEN, placed=False).code == 0
    originals = {pod.name for pod in sandbox.running(7)}
    live.place(KEEPING)
    assert live.upgrade(values=SEVEN).code == 0
    assert originals <= {pod.name for pod in sandbox.running(14)}
    live.place(IN_THREE)
    done = live.upgrade(values=SEVEN)
    assert done.code == 0, done.stderr
    assert set(deployments(sandbox)) == {NAME, *COPIES}
    assert originals <= {pod.name for pod in sandbox.running(14)}
    sandbox.kubectl("delete", "deployment", NAME)
    assert sandbox.spread(sandbox.running(7), ZONE) == {A: 3, B: 2, C: 2}
    assert live("uninstall", RELEASE, "--wait").code == 0
    assert deployments(sandbox) == {}


def test_without_keep_the_original_goes_at_once(live: Helm, sandbox: Sandbox) -> None:
    """What ``Keep`` protects from: without it the same upgrade deletes the original."""
    assert live.upgrade(values=SEVEN, placed=False).code == 0
    assert live.upgrade(values=SEVEN).code == 0
    assert set(deployments(sandbox)) == COPIES


def test_an_error_leaves_the_release_alone(live: Helm, sandbox: Sandbox) -> None:
    """Revision, objects and pods are those of before."""
    live.upgrade(values=SEVEN)
    before = generations(sandbox)
    live.place("{zones: [a, a]}")
    done = live.upgrade(values={"replicaCount": 9})
    assert done.code != 0
    assert "spec.zones[1]" in done.stderr
    assert revision(live) == 1
    assert generations(sandbox) == before


@pytest.mark.parametrize("version", VERSIONS)
def test_the_commands_of_the_guide(version: str, sandbox: Sandbox, tmp_path: Path) -> None:
    """Pasted one after the other they install the chart in three zones; Helm 3 needs no plugin."""
    for zone in ZONES:
        sandbox.add_nodes(f"{sandbox.namespace}-{zone}", labels={ZONE: zone})
    helm = Helm.made(version, tmp_path / "home").in_cluster(sandbox.plane.kubeconfig, sandbox.namespace)
    (placement,) = blocks(GUIDE, "yaml")
    (helm.home / "placement.yaml").write_text(placement)
    *commands, delete = blocks(GUIDE, "sh")
    assert delete == f"kubectl delete deployment {NAME}\n"
    for command in commands:
        if version == "helm4" or "plugin install" not in command:
            done = helm.shell(command)
            assert done.code == 0, done.stderr
    assert set(deployments(sandbox)) == COPIES
