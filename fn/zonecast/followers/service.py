"""A Service under ``fanOut.services: PerZone``: one for each zone beside the shared one, which stays as it is."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.scalar import quote

from ..names import SERVICE_LIMIT
from ..origin import REPLACED, marked, unmarked
from .kind import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from .kind import Path

_DISTRIBUTION, _SAME_ZONE = "trafficDistribution", "PreferSameZone"
#: Addresses and ports that the cluster gave the original, or that only one Service can have.
_DROPPED = ("healthCheckNodePort", "loadBalancerIP")


class Service(Kind):
    """Its selector gets the zone label."""

    shape = {"spec": {"ports": [{}]}}  # noqa: RUF012
    zone_labels = (("metadata", "labels"), ("spec", "selector"))
    stays = True
    name_limit = SERVICE_LIMIT

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


def prefer_same_zone(service: KubeObject, placement: str, results: Results) -> None:
    """Set ``trafficDistribution: PreferSameZone`` (Kubernetes 1.34 and later), and remember what it replaced."""
    field = "spec.trafficDistribution"
    if is_headless(service):
        results.info("headless: clients choose a pod themselves, in whatever zone", service, field)
        return
    present = service.get("spec", _DISTRIBUTION)
    if present not in (None, _SAME_ZONE):
        results.warning(f"was {present}: replaced by PreferSameZone", service, field)
    if "service.kubernetes.io/topology-mode" in service.keys("metadata", "annotations"):
        message = "the annotation service.kubernetes.io/topology-mode wins over it: remove that"
        results.warning(message, service, field)
    edits: dict[tuple[str, ...], Data] = {("spec", _DISTRIBUTION): _SAME_ZONE}
    if not service.annotation(REPLACED):
        old = "null" if present is None else quote(str(present))
        edits["metadata", "annotations", REPLACED] = f'{{"{_DISTRIBUTION}": {old}}}'
    service.merge_nested({**edits, **marked(service, placement)})


def prefer_no_zone(service: KubeObject, placement: str) -> None:
    """Put back what ``prefer_same_zone`` replaced in an earlier run."""
    text = service.annotation(REPLACED) if REPLACED in service.raw else ""
    if not text:
        return
    from json import loads  # noqa: PLC0415 - a second run only

    try:
        old = loads(text)[_DISTRIBUTION]
    except (ValueError, KeyError, TypeError):
        field = f"metadata.annotations[{REPLACED}]"
        raise ObjectError(f"{text!r} was not written by zonecast; remove it", service, field) from None
    edits: dict[tuple[str, ...], Data] = {("metadata", "annotations", REPLACED): None}
    if service.get("spec", _DISTRIBUTION) == _SAME_ZONE:  # otherwise edited by hand since
        edits["spec", _DISTRIBUTION] = old
    service.merge_nested({**edits, **unmarked(service, placement)})
