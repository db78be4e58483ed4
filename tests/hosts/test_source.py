"""``fanOut.source`` on the real hosts: a kept source in a build, a template in a package."""

from pathlib import Path

import pytest

from .adaptors import CONFIG, REPOSITORY, Host, kpt_render_exec, kustomize, kustomize_exec, run
from .conftest import Shop
from .manifests import WEB, placement

FLAGS = ("--enable-alpha-plugins", "--enable-exec")


def texts(package: Path) -> dict[str, str]:
    """Read the files of a package."""
    return {file.name: file.read_text() for file in sorted(package.glob("*.yaml"))}


def test_a_kept_source_is_in_the_build_and_protected(shop: Shop) -> None:
    """It stands beside its copies; the autoscalers are those of the copies."""
    objects = kustomize_exec(shop(fanOut={"source": "Keep"})).objects
    annotations = objects["Deployment/web"]["metadata"]["annotations"]
    assert annotations == {
        "argocd.argoproj.io/sync-options": "Prune=false",
        "helm.sh/resource-policy": "keep",
        "kustomize.toolkit.fluxcd.io/prune": "disabled",
        "zonecast.dev/source": "Keep",
    }
    scalers = [name for name in objects if name.startswith("HorizontalPodAutoscaler/")]
    assert sorted(scalers) == ["HorizontalPodAutoscaler/web-a", "HorizontalPodAutoscaler/web-b"]


def test_the_check_in_ci_knows_a_kept_source(shop: Shop) -> None:
    """Its mark proves as well that the function ran."""
    stream = kustomize_exec(shop(fanOut={"source": "Keep"})).stdout
    done = run(REPOSITORY / "overlays" / "ci" / "check-placement", stdin=stream)
    assert (done.code, done.stdout) == (0, stream)


def test_an_overlay_renames_a_kept_source_with_its_copies(shop: Shop) -> None:
    """A prefix above reaches all three, and each autoscaler still names its copy."""
    package = shop(fanOut={"source": "Keep"})
    kustomize_exec(package)
    top = package.parent / "top"
    top.mkdir()
    (top / "kustomization.yaml").write_text("resources: [../shop]\nnamePrefix: prod-\n")
    objects = kustomize(top, *FLAGS).objects
    assert {"Deployment/prod-web", "Deployment/prod-web-a", "Deployment/prod-web-b"} <= set(objects)
    for zone in "ab":
        scaler = objects[f"HorizontalPodAutoscaler/prod-web-{zone}"]
        assert scaler["spec"]["scaleTargetRef"]["name"] == f"prod-web-{zone}"


def test_a_template_is_in_no_build(host: Host, shop: Shop) -> None:
    """Every host keeps what is local-config to itself, the template's autoscaler as well."""
    objects = host(shop(fanOut={"source": "Template"})).objects
    assert {"Deployment/web-a", "Deployment/web-b"} <= set(objects)
    assert not {"Deployment/web", "HorizontalPodAutoscaler/web"} & set(objects)


def test_a_template_is_rendered_again_and_again(shop: Shop) -> None:
    """The second render changes no byte; the template keeps its file and its comments."""
    package = shop(fanOut={"source": "Template"})
    assert kpt_render_exec(package).code == 0
    first = texts(package)
    assert "name: web # the front" in first["web.yaml"]
    assert "# pinned" in first["web.yaml"]
    assert kpt_render_exec(package).code == 0
    assert texts(package) == first


def test_an_edit_of_a_template_reaches_its_copies(shop: Shop) -> None:
    """One edit, one render."""
    package = shop({"web.yaml": WEB}, fanOut={"source": "Template"})
    assert kpt_render_exec(package).code == 0
    web = package / "web.yaml"
    web.write_text(web.read_text().replace("nginx:1.29", "nginx:1.30"))
    objects = kpt_render_exec(package).objects
    images = {
        item["spec"]["template"]["spec"]["containers"][0]["image"]
        for item in objects.values()
        if item["kind"] == "Deployment"
    }
    assert images == {"nginx:1.30"}


@pytest.mark.parametrize("role", ["Keep", "Template"])
def test_a_source_that_stayed_goes_with_remove(shop: Shop, role: str) -> None:
    """The second commit of a cut-over, in place: the copies keep every byte."""
    package = shop(fanOut={"source": role})
    assert kpt_render_exec(package).code == 0
    before = texts(package)
    (package / CONFIG).write_text(placement(fanOut={"source": "Remove"}))
    assert kpt_render_exec(package).code == 0
    after = texts(package)
    assert {name: text for name, text in after.items() if name.startswith("web-")} == {
        name: text for name, text in before.items() if name.startswith("web-")
    }
    assert "web.yaml" not in after
