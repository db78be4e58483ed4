"""What the host tests are given."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest

from .adaptors import CONFIG, HOSTS, Host
from .manifests import SCALER, SETTINGS, WEB, placement


class Shop(Protocol):
    """Write a package: its files, as text or as objects, beside a Placement over two zones."""

    def __call__(self, files: Mapping[str, object] = ..., **spec: object) -> Path:
        """Write ``files`` into a folder of the test's own and return it."""
        ...


@pytest.fixture(params=list(HOSTS.values()), ids=list(HOSTS))
def host(request: pytest.FixtureRequest) -> Host:
    """Give the test every host in turn."""
    found: Host = request.param
    return found


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """Give the test a way to write its package."""
    everything = {"web.yaml": f"{WEB}---\n{SCALER}", "settings.yaml": SETTINGS}

    def write(files: Mapping[str, object] = everything, **spec: object) -> Path:
        folder = tmp_path / "shop"
        for name, content in {CONFIG: placement(**spec), **files}.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content if isinstance(content, str) else json.dumps(content))
        return folder

    return write
