#!/usr/bin/env python3
"""Pin every Deployment to one zone."""

from krmfn import ResourceList, as_main

ZONE = "topology.kubernetes.io/zone"


def pin(resources: ResourceList) -> None:
    """Set the zone nodeSelector of every Deployment from ``spec.zone`` of the config."""
    zone = resources.config.nested_string("spec", "zone")
    for deployment in resources.where(kind="Deployment"):
        deployment.set_nested("spec", "template", "spec", "nodeSelector", {ZONE: zone})
        resources.results.info(f"pinned to {zone}", deployment)


if __name__ == "__main__":
    as_main(pin)
