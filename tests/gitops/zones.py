"""The two zones of the GitOps tests, with a node in each."""

from __future__ import annotations

from cluster.sandbox import Sandbox

ZONE = "topology.kubernetes.io/zone"
ZONES = ("us-east-1a", "us-east-1c")


def add_zones(sandbox: Sandbox, **labels: str) -> None:
    """One node in each zone, with more labels if wanted."""
    for zone in ZONES:
        sandbox.add_nodes(f"{zone}-1", labels={ZONE: zone, **labels})
