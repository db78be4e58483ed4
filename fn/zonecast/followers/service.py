"""A Service under ``fanOut.services: PerZone``: one for each zone beside the shared one, which stays as it is."""

from __future__ import annotations

from .kind import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn import KubeObject, Results

    from .kind import Path

#: Addresses and ports that the cluster gave the original, or that only one Service can have.
_DROPPED = ("healthCheckNodePort", "loadBalancerIP")


class Service(Kind):
    """Its selector gets the zone label."""

    shape = {"spec": {"ports": [{}]}}  # noqa: RUF012
    zone_labels = (("metadata", "labels"), ("spec", "selector"))
    stays = True
    name_limit = 63  # a DNS label

    def dropped(self, source: KubeObject) -> Iterable[Path]:
        """Return the addresses and ports of the original; ``clusterIP: None`` (headless) stays."""
        keys = source.keys("spec")
        for key in _DROPPED if is_headless(source) else ("clusterIP", "clusterIPs", *_DROPPED):
            if key in keys:
                yield "spec", key
        for i, port in enumerate(source.nested_slice("spec", "ports")):
            if isinstance(port, dict) and "nodePort" in port:
                yield "spec", "ports", i, "nodePort"

    def check(self, source: KubeObject, results: Results) -> None:
        """Say that a load balancer is made for each zone."""
        if source.get("spec", "type") == "LoadBalancer":
            results.info("each zone gets a load balancer of its own", source, "spec.type")


def is_headless(service: KubeObject) -> bool:
    """Whether clients get the pods' addresses instead of one of the Service."""
    return bool(service.get("spec", "clusterIP") == "None")


def prefer_same_zone(service: KubeObject, results: Results) -> bool:
    """Set ``trafficDistribution: PreferSameZone`` (Kubernetes 1.34 and later); return whether it has an effect."""
    field = "spec.trafficDistribution"
    if is_headless(service):
        results.info("headless: clients choose a pod themselves, in whatever zone", service, field)
        return False
    present = service.get("spec", "trafficDistribution")
    if present not in (None, "PreferSameZone"):
        results.warning(f"was {present}: replaced by PreferSameZone", service, field)
    if "service.kubernetes.io/topology-mode" in service.keys("metadata", "annotations"):
        message = "the annotation service.kubernetes.io/topology-mode wins over it: remove that"
        results.warning(message, service, field)
    service.set_nested("spec", "trafficDistribution", "PreferSameZone")
    return True
