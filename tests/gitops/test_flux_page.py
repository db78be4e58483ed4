"""The guide and the ready folder of Flux, followed to the letter."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.api import Api
from cluster.rendered import names
from cluster.sandbox import Sandbox
from hosts.adaptors import REPOSITORY
from pages import section
from walkthrough import follow

from .flux import NAMESPACE, Delivery, Flux, written
from .packages import rendered
from .repository import Repository
from .test_flux import MESSAGE
from .zones import ZONES, add_zones

GUIDE = (REPOSITORY / "docs/guides/flux.md").read_text()
README = (REPOSITORY / "overlays/flux/README.md").read_text()
COPIES = [f"web-{zone}" for zone in ZONES]
SHOP = "/api/v1/namespaces/shop"
TRANSFORMERS = "transformers:\n- placement.yaml\n"


@pytest.fixture
def folder(repository: Repository, flux: Flux) -> Path:
    """Copy the overlays into a git repository, with the registry of the tests in them."""
    shutil.copytree(REPOSITORY / "overlays", repository.folder / "overlays", symlinks=True)
    folder = repository.folder / "overlays" / "flux"
    for name in ("push", "sync.yaml"):
        file = folder / name
        file.write_text(file.read_text().replace("registry.example.com", flux.registry))
    repository.commit_all()
    return folder


@pytest.fixture
def shop(flux: Flux, sandbox: Sandbox) -> Iterator[Delivery]:
    """Give the application that the commands create, and nodes for it; take away what they made."""
    add_zones(sandbox)
    made = Delivery(flux, "shop", NAMESPACE)
    yield made
    made.delete()
    flux.api.remove(SHOP)


def deployments(api: Api) -> list[str]:
    """Name what runs in the namespace of the guide."""
    return names(api.items("/apis/apps/v1/namespaces/shop/deployments"))


def test_the_commands_of_the_readme_deliver_the_shop(shop: Delivery, folder: Path) -> None:
    """From the folder as it stands to a Kustomization that is Ready."""
    follow(README, folder, shop.flux.environment)
    assert shop.ready()["status"] == "True"
    assert deployments(shop.flux.api) == COPIES


def test_the_first_delivery_of_the_guide(shop: Delivery, folder: Path) -> None:
    """Its last command finds no drift; a second push of the same input, by whoever, has the same digest."""
    *_, drift = follow(section(GUIDE, "First delivery"), folder, shop.flux.environment)
    assert drift.code == 0
    assert deployments(shop.flux.api) == COPIES
    first = shop.status()["lastAppliedRevision"]
    follow("```sh\numask 077\n./push\n```", folder, shop.flux.environment)
    assert shop.reconcile().code == 0
    assert shop.status()["lastAppliedRevision"] == first
    assert set(shop.applied()[-1].values()) == {"unchanged"}


def test_the_cut_over_of_the_guide(shop: Delivery, folder: Path, tmp_path: Path) -> None:
    """From ``web``, delivered as it is, over both steps to its copies alone."""
    kustomization = folder / "kustomization.yaml"
    text = kustomization.read_text()
    kustomization.write_text(text.replace(TRANSFORMERS, ""))
    before = rendered(folder)
    kustomization.write_text(text)
    shop.push(written(tmp_path / "before", before))
    shop.flux.api.create("/api/v1/namespaces", {"metadata": {"name": "shop"}})
    shop.flux.plane.kubectl(NAMESPACE, "apply", "--filename", str(folder / "sync.yaml"))
    assert shop.reconcile().code == 0
    assert deployments(shop.flux.api) == ["web"]
    follow(section(GUIDE, "Cut-over"), folder, shop.flux.environment)
    assert deployments(shop.flux.api) == COPIES
    assert shop.reconcile().code == 0
    assert deployments(shop.flux.api) == COPIES
    assert shop.drift(folder / "rendered") == ""


def test_the_guide_has_the_words_of_flux() -> None:
    """Whoever searches for the message finds the page."""
    assert MESSAGE in GUIDE
