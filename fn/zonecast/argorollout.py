"""An Argo Rollout as a source: what it counts beyond a Deployment, and what of it cannot follow.

Source: Argo Rollouts 1.9 (pkg/apis/rollouts/v1alpha1/types.go, utils/replicaset). The Services that it names are in
claims.py.
"""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.kubeobject import dotted

from .claims import BLUE_GREEN, CANARY, CLAIMS, Claims, key_of
from .names import SERVICE_LIMIT, copy_name
from .shapes import check
from .split import is_percentage, scaled_down, scaled_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Union

    from krmfn import KubeObject, ResourceList, Results
    from krmfn.scan import Data

    from .fanout import Family
    from .placement import Placement, Zone
    from .workload import Workload

    Path = tuple[Union[str, int], ...]
    Columns = dict[Any, Sequence[Data]]

_ROUTING = (*CANARY, "trafficRouting")
#: A TrafficSplit is made by the controller, one for each Rollout; its root may be the stable Service.
_SMI_ROOT = (*_ROUTING, "smi", "rootService")
_SMI_SPLIT = (*_ROUTING, "smi", "trafficSplitName")
#: What a traffic router sends through objects that name the Services of one Rollout, and what those objects are.
_ROUTERS = {
    "nginx": "an Ingress",
    "alb": "an Ingress",
    "istio": "a VirtualService or DestinationRule",
    "appMesh": "a VirtualRouter",
    "ambassador": "a Mapping",
    "traefik": "a TraefikService",
    "apisix": "an ApisixRoute",
    "plugins": "the route of a plugin",
}
_PROGRESS = (*CANARY, "replicaProgressThreshold")
_PREVIEW = (*BLUE_GREEN, "previewReplicaCount")
_MOST_UNAVAILABLE = (*BLUE_GREEN, "maxUnavailable")
_STEPS = (*CANARY, "steps")
_SHAPE: dict[str, Any] = {
    "spec": {
        "strategy": {
            "canary": {
                "steps": [{"setCanaryScale": {}, "experiment": {"templates": [{}]}}],
                "pingPong": {},
                "replicaProgressThreshold": {},
                "trafficRouting": {"smi": {}},
            },
            "blueGreen": {},
        }
    }
}


def check_template(obj: KubeObject) -> None:
    """Raise ObjectError for a Rollout that has no template of its own: one beside ``workloadRef`` would be refused."""
    reference = obj.nested_map("spec", "workloadRef")
    if reference:
        named = f"{reference.get('kind')} {reference.get('name')}"
        message = f"takes its pods from {named}: there is no template to write into; move that in here"
        raise ObjectError(message, obj, "spec.workloadRef")


class Rollouts:
    """What the Rollouts of a list have beyond Deployments."""

    def __init__(self, resources: ResourceList, placement: Placement) -> None:
        self._claims = Claims(resources)
        self._results = resources.results
        self._zones: Sequence[Zone] = placement.spec.zones or ()
        self._limit = placement.spec.fan_out.max_name_length
        self._each = placement.spec.fan_out.replicas == "Each"

    def check(self, workload: Workload) -> None:
        """Raise ObjectError for a Rollout that cannot be fanned out, or whose traffic routes cannot follow."""
        obj = workload.obj
        check(obj, _SHAPE)
        for router, what in _ROUTERS.items():
            if obj.get(*_ROUTING, router):
                message = (
                    f"{what} cannot follow: it sends traffic to the Services of one Rollout, and each zone has its own;"
                    " take the route out, or exclude this Rollout"
                )
                raise ObjectError(message, obj, dotted((*_ROUTING, router)))
        root = obj.get(*_SMI_ROOT)
        if root is not None and root != obj.get(*CANARY, "stableService"):
            message = f"Service {root} cannot follow: several Rollouts would split it; name the stable Service"
            raise ObjectError(message, obj, dotted(_SMI_ROOT))

    def figures(self, source: KubeObject) -> dict[str, Data]:
        """Return the figures and names of a source that its copies will not show, by their paths below spec.

        Raises:
            ObjectError: a figure is no number, or a Service that it names cannot be one for each copy.
        """
        found: dict[str, Data] = {}
        for path in _counted(source):
            figure = source.get(*path)
            if isinstance(figure, int):
                found[key_of(path)] = figure
            elif figure is not None and not self._each and not is_percentage(figure):
                message = f"{figure!r} cannot be shared out: it is no number; set fanOut.replicas: Each"
                raise ObjectError(message, source, dotted(path))
        for named in (*CLAIMS, _SMI_ROOT):
            name = self._claims.service(source, named)
            if name is not None:
                found[key_of(named)] = name
        split = source.get(*_SMI_SPLIT)
        if split is not None:
            found[key_of(_SMI_SPLIT)] = split
        _say_what_stays(source, self._results)
        return found

    def add_columns(
        self, columns: Columns, family: Family, shares: Sequence[int] | None, total: int | None
    ) -> dict[Path, Sequence[Data]]:
        """Add what differs from copy to copy to ``columns``; return what is inside lists."""
        origin = family.origin
        for path in (*CLAIMS, _SMI_ROOT, _SMI_SPLIT):
            name = origin.figures.get(key_of(path))
            if name is not None:
                limit = self._limit if path == _SMI_SPLIT else min(self._limit, SERVICE_LIMIT)
                columns[path] = [copy_name(str(name), zone.suffix, limit) for zone in self._zones]
        in_lists: dict[Path, Sequence[Data]] = {}
        for counted in _counted(family.example):
            figure = origin.figures.get(key_of(counted))
            if isinstance(figure, int) and (shares is None or total is None):
                message = f"{figure} stays in each copy: without replicas there is no share"
                self._results.info(message, family.example, dotted(counted))
            elif isinstance(figure, int):
                scaled = scaled_down if counted == _MOST_UNAVAILABLE else scaled_up
                column = [scaled(figure, share, total or 0) for share in shares or ()]
                (in_lists if int in map(type, counted) else columns)[counted] = column
                self._report(family, counted, figure, column)
        return in_lists

    def _report(self, family: Family, path: Path, figure: int, column: Sequence[int]) -> None:
        """Say a share in one line that a person can check."""
        parts = ", ".join(f"{zone.name} {share}" for zone, share in zip(self._zones, column))
        self._results.info(f"{family.name}: {dotted(path[3:])} {figure} -> {parts}", family.example)


def _counted(obj: KubeObject) -> Iterator[Path]:
    """Yield the path of each figure that counts pods."""
    yield _PREVIEW
    yield _MOST_UNAVAILABLE
    if obj.get(*_PROGRESS, "type") == "Pods":
        yield (*_PROGRESS, "value")
    for i, step in enumerate(obj.nested_slice(*_STEPS)):
        if isinstance((step or {}).get("setCanaryScale"), dict):
            yield (*_STEPS, i, "setCanaryScale", "replicas")


def _say_what_stays(source: KubeObject, results: Results) -> None:
    if source.get(*CANARY, "minPodsPerReplicaSet") is not None:
        message = "stays: it holds for the ReplicaSets of each zone"
        results.info(message, source, dotted((*CANARY, "minPodsPerReplicaSet")))
    for i, step in enumerate(source.nested_slice(*_STEPS)):
        if (step or {}).get("experiment"):
            message = "stays: each zone runs an experiment of its own, with as many pods"
            results.info(message, source, dotted((*_STEPS, i, "experiment")))
