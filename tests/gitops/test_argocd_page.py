"""docs/guides/argocd.md, followed to the letter: the fixture ``argocd`` has run its commands under Install."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from cluster import toolbox
from cluster.api import ApiError, Json
from cluster.plane import ControlPlane
from cluster.pods import View
from cluster.rendered import Example
from cluster.sandbox import Sandbox
from zonecast.cli.parameters import GIVEN, read

from . import example as shop
from .application import Application, plugin
from .argocd import NAMESPACE, ArgoCd
from .page import commands, shown
from .repository import Repository
from .sidecar import CONFIG, NAME, Process
from .test_argocd import ZONE, A, C, add_zones, by_zone

PAGE = "argocd.md"
RESTRICTED = {"pod-security.kubernetes.io/enforce": "restricted"}


@pytest.mark.usefixtures("argocd")
def test_the_sidecar_is_allowed_where_pods_are_restricted(sandbox: Sandbox) -> None:
    """The repo-server that the page installs passes the strictest of the pod security standards."""
    installed = sandbox.api.get(f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/argocd-repo-server")
    template = installed["spec"]["template"]
    assert {each["name"] for each in template["spec"]["containers"]} == {"argocd-repo-server", NAME}
    sandbox.api.merge(f"/api/v1/namespaces/{sandbox.namespace}", {"metadata": {"labels": RESTRICTED}})
    pod = {"metadata": {"name": "repo-server"}, "spec": template["spec"]}
    sandbox.api.create(f"{sandbox.view.path}?dryRun=All", pod)
    pod["spec"]["containers"][0].pop("securityContext")
    with pytest.raises(ApiError, match="restricted"):
        sandbox.api.create(f"{sandbox.view.path}?dryRun=All", pod)


@pytest.fixture
def namespace_of_the_page(argocd: ArgoCd, plane: ControlPlane) -> Iterator[str]:
    """Give the namespace of the page's Application, and take both away."""
    name = "shop"
    yield name
    Application(argocd, name).close()
    plane.api().remove(f"/api/v1/namespaces/{name}")


def test_the_application_of_the_page_is_synced_and_healthy(
    argocd: ArgoCd, sandbox: Sandbox, repository: Repository, namespace_of_the_page: str, tmp_path: Path
) -> None:
    """Its commands, once repository and destination in application.yaml are one's own."""
    add_zones(sandbox)
    repository.commit(shop.files(Example.read("01-fargate-zone-fanout").placed_in(namespace_of_the_page)))
    shutil.copytree(toolbox.REPOSITORY / "overlays", tmp_path / "overlays")
    file = tmp_path / "overlays" / "argocd-cmp" / "application.yaml"
    application = yaml.safe_load(file.read_text())
    assert application["spec"]["source"].items() >= {"path": ".", "targetRevision": "main"}.items()
    application["spec"]["source"]["repoURL"] = repository.url
    application["spec"]["destination"]["server"] = argocd.cluster
    file.write_text(yaml.safe_dump(application))
    commands(PAGE, "The Application", tmp_path, argocd.plane.kubeconfig)
    pods = View(sandbox.api, namespace_of_the_page).pods()
    assert sandbox.spread(pods, ZONE) == {A: 1, C: 1}


def test_what_the_page_shows_of_an_application_is_valid() -> None:
    """The plugin's parameters as the page writes them are ones that the plugin takes."""
    source = shown(PAGE, "The Application")["source"]
    assert source["plugin"] == {"name": NAME}
    parameters = shown(PAGE, "Parameters")["plugin"]["parameters"]
    given = read({GIVEN: json.dumps(parameters)})
    assert (given.placement, given.zones) == ("placement.yaml", ["eu-central-1a", "eu-central-1b"])


@pytest.fixture
def discovering(argocd: ArgoCd, plane: ControlPlane, tmp_path: Path) -> Iterator[None]:
    """Serve with a sidecar whose plugin.yaml has the page's marker."""
    plugin: Json = yaml.safe_load((CONFIG / "plugin.yaml").read_text())
    plugin["spec"] |= shown(PAGE, "Discovery")["spec"]
    (tmp_path / "plugin.yaml").write_text(yaml.safe_dump(plugin))
    with argocd.served_by([Process(plane.processes, plane.folder / "discovering", tmp_path)]):
        yield


@pytest.mark.usefixtures("discovering")
def test_a_marker_brings_an_application_to_the_plugin(
    sandbox: Sandbox, application: Application, repository: Repository
) -> None:
    """An Application that names no plugin: with the marker file it is rendered by ours."""
    add_zones(sandbox)
    example = Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)
    revision = repository.commit({**shop.files(example), ".zonecast": ""})
    application.create(repository, sandbox.namespace)
    application.synced(revision)
    assert by_zone(sandbox, 2) == {A: 1, C: 1}
    assert application.status["sourceType"] == "Plugin"


@pytest.fixture
def sending_less(argocd: ArgoCd, plane: ControlPlane) -> Iterator[None]:
    """Serve with a repo-server that packs only the folders which an Application names."""
    sidecar = Process(plane.processes, plane.folder / "sending-less")
    with argocd.served_by([sidecar], "--plugin-use-manifest-generate-paths"):
        yield


@pytest.mark.usefixtures("sending_less")
def test_only_the_folders_that_are_named_are_sent(
    sandbox: Sandbox, application: Application, repository: Repository
) -> None:
    """With a Placement in another folder that is named too, the checkout of the plugin begins above both."""
    add_zones(sandbox)
    example = shop.unplaced(Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace))
    placement = example.pop(shop.PLACEMENT)
    files = {f"teams/shop/{name}": text for name, text in example.items()}
    revision = repository.commit({**files, "teams/common/placement.yaml": placement, "large/file": "x" * (1 << 20)})
    application.create(
        repository,
        sandbox.namespace,
        annotations={"argocd.argoproj.io/manifest-generate-paths": ".;../common"},
        path="teams/shop",
        plugin=plugin(placement="../common/placement.yaml"),
    )
    application.synced(revision)
    assert by_zone(sandbox, 2) == {A: 1, C: 1}
