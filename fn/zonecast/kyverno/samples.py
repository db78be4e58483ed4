"""Objects on which a policy is tried by ``kyverno test``: what must pass, and what must not."""

from __future__ import annotations

from krmfn import KubeObject

from .. import pins
from ..origin import NODE_SELECTOR, ORIGIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from krmfn.scan import Data

    from .guard import Copies

#: A zone that no Placement names.
NOWHERE = "nowhere"
CONTAINERS = [{"name": "main", "image": "example.com/main:1"}]


class Sample:
    """An object and what comes of it: ``pass``, ``fail`` or ``skip``; ``operation`` is CREATE where it is not given.

    What a mutation makes of it is not said: it would be a second object of one name, which no list may hold.
    """

    def __init__(self, obj: dict[str, Data], result: str, *, operation: str = "") -> None:
        self.obj = obj
        self.result = result
        self.operation = operation


class Case:
    """Samples that are tried together.

    ``context`` is what else is in the cluster; ``responses`` say the same as answers of the API server by path, for
    policies without CEL. ``namespaces`` have these labels.
    """

    def __init__(
        self,
        samples: Sequence[Sample],
        *,
        name: str = "",
        context: Sequence[dict[str, Data]] = (),
        responses: Mapping[str, dict[str, Data]] | None = None,
        namespaces: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.samples = samples
        self.name = name
        self.context = context
        self.responses = responses or {}
        self.namespaces = namespaces or {}


def copy(
    copies: Copies, name: str, *, zone: str = "", pinned_to: str = "", selects: bool = True
) -> dict[str, Data]:
    """Return a copy as the function writes it, of the first zone; or one that differs as the arguments say."""
    zone = zone or copies.zones[0]
    group, version, kind = copies.kind
    labels = {"app": name, **({copies.zone_label: zone} if selects else {})}
    obj = KubeObject.from_data({
        "apiVersion": f"{group}/{version}",
        "kind": kind,
        "metadata": {
            "name": f"{copies.source}-{name}",
            "namespace": copies.namespace,
            "labels": {copies.zone_label: zone},
            "annotations": {ORIGIN: copies.origin},
        },
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": CONTAINERS}},
        },
    })
    pod_spec = ("spec", "template", "spec")
    if copies.pin == NODE_SELECTOR:
        obj.set_nested(*pod_spec, "nodeSelector", {copies.topology_key: pinned_to or zone})
    else:
        pins.pin(obj, pod_spec, copies.pin, copies.topology_key, pinned_to or zone)
    made: dict[str, Data] = obj.get()
    return made


def autoscaler(copies: Copies, name: str, target: str) -> dict[str, Data]:
    """Return an HPA as the function writes it for a copy."""
    group, version, kind = copies.kind
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {
            "name": f"{copies.source}-{name}",
            "namespace": copies.namespace,
            "labels": {copies.zone_label: copies.zones[0]},
            "annotations": {ORIGIN: copies.origin},
        },
        "spec": {
            "scaleTargetRef": {"apiVersion": f"{group}/{version}", "kind": kind, "name": target},
            "minReplicas": 1,
            "maxReplicas": 2,
        },
    }
