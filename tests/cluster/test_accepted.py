"""What we render is what a real API server takes, field by field."""

from __future__ import annotations

import json

import pytest

from .rendered import Example
from .sandbox import Sandbox

EXAMPLES = ("01-fargate-zone-fanout", "02-dedicated-node-pool", "03-cloud-bursting")
STRICTLY = ("apply", "--dry-run=server", "--validate=strict", "--filename=-")


@pytest.mark.usefixtures("kyverno")
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_accepted(sandbox: Sandbox, name: str) -> None:
    """No unknown field, no wrong type, no immutable surprise: a strict dry run on the server."""
    rendered = Example.read(name).placed_in(sandbox.namespace).render()
    listed = json.dumps({"apiVersion": "v1", "kind": "List", "items": rendered})
    said = sandbox.kubectl(*STRICTLY, given=listed).splitlines()
    assert len(said) == len(rendered)
    assert all("created (server dry run)" in line for line in said)
