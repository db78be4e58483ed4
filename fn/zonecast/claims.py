"""The Services that Argo Rollouts claim.

The controller writes the hash of a ReplicaSet into the selectors of the Services that a Rollout names, and refuses one
that another Rollout manages (Argo Rollouts 1.9: rollout/service.go, validation_references.go). So each copy needs
Services of its own, and fields that name them; followers/claimed.py makes them.
"""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.hostkeys import PREFIXES, PREVIOUS_NAMES, SUFFIXES
from krmfn.kubeobject import dotted

from .origin import origin_of
from .workload import ROLLOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krmfn import KubeObject, ResourceList

    from .origin import Origin

CANARY = ("spec", "strategy", "canary")
BLUE_GREEN = ("spec", "strategy", "blueGreen")
#: The fields that name a Service. The controller rewrites its selector, so no two Rollouts can share one.
CLAIMS: tuple[tuple[str, ...], ...] = (
    (*CANARY, "stableService"),
    (*CANARY, "canaryService"),
    (*CANARY, "pingPong", "pingService"),
    (*CANARY, "pingPong", "pongService"),
    (*BLUE_GREEN, "activeService"),
    (*BLUE_GREEN, "previewService"),
)


class Claims:
    """The Services of a list, by every name that a Rollout can call them by, and who claims which."""

    def __init__(self, resources: ResourceList) -> None:
        self._services: dict[tuple[str, str], list[KubeObject]] = {}
        for obj in resources.where(kind="Service", group=""):
            for name in _names_of(obj):
                self._services.setdefault((obj.namespace, name), []).append(obj)
        self._claimed: dict[tuple[str, str], list[str]] = {}
        for obj in resources.where(kind=ROLLOUT, group="argoproj.io"):
            self._claim(obj)

    def service(self, rollout: KubeObject, path: tuple[str, ...]) -> str | None:
        """Return the current name of the Service that a source names at ``path``; None where it names none.

        Raises:
            ObjectError: the Service is not in the list, or another Rollout claims it as well.
        """
        name = rollout.get(*path)
        if name is None:
            return None
        found = self._find(rollout, str(name))
        if found is None:
            message = f"names Service {name}, which is not in the list: each copy needs one of its own; add it"
            raise ObjectError(message, rollout, dotted(path))
        others = [each for each in self._claimed[found.namespace, found.name] if each != rollout.name]
        if others:
            message = f"Service {name} is claimed by Rollout {others[0]} as well; give each one of its own"
            raise ObjectError(message, rollout, dotted(path))
        return found.name

    def _claim(self, rollout: KubeObject) -> None:
        if origin_of(rollout) is not None:
            return  # its Services are its own already
        for path in CLAIMS:
            name = rollout.get(*path)
            found = self._find(rollout, str(name)) if name is not None else None
            if found is not None:
                self._claimed.setdefault((found.namespace, found.name), []).append(rollout.name)

    def _find(self, rollout: KubeObject, name: str) -> KubeObject | None:
        """Return the Service that a Rollout means: kustomize renames objects before it mends what names them."""
        found = self._services.get((rollout.namespace, name), [])
        if len(found) > 1:
            mine = rollout.annotation(PREFIXES), rollout.annotation(SUFFIXES)
            found = [each for each in found if (each.annotation(PREFIXES), each.annotation(SUFFIXES)) == mine]
        return found[0] if len(found) == 1 else None


def _names_of(service: KubeObject) -> set[str]:
    previous = service.annotation(PREVIOUS_NAMES).split(",") if PREVIOUS_NAMES in service.raw else []
    return {service.name, *previous}


def claimed(origin: Origin) -> Iterator[str]:
    """Yield the name of each Service that a source claimed."""
    for path in CLAIMS:
        name = origin.figures.get(key_of(path))
        if name is not None:
            yield str(name)


def key_of(path: tuple[str | int, ...]) -> str:
    """Return the key of a figure or name in the origin: its path below spec, as followers write theirs."""
    return dotted(path[1:])
