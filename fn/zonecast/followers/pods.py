"""Which families' pods a selector selects."""

from __future__ import annotations

from ..origin import is_for_tools
from ..patterns import matches_selector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from ..fanout import Family

    Labels = dict[str, str]


class Pods:
    """The pod labels of families, by namespace and label: a list has thousands of Services and of families.

    The zone label is not among them: what selects the pods of a family in one zone is asked for without it.
    """

    def __init__(self, families: Iterable[Family], zone_label: str) -> None:
        self._all: dict[str, list[tuple[Family, Labels]]] = {}
        self._by_label: dict[tuple[str, str, str], list[tuple[Family, Labels]]] = {}
        for family in families:
            labels = family.placed[0][1].nested_string_map(*family.workload.template, "metadata", "labels")
            labels.pop(zone_label, None)
            self._all.setdefault(family.namespace, []).append((family, labels))
            for key, value in labels.items():
                self._by_label.setdefault((family.namespace, key, value), []).append((family, labels))

    def selected(self, namespace: str, selector: dict[str, Data]) -> list[Family]:
        """Return the families whose pods a LabelSelector selects."""
        wanted: Labels = {key: str(value) for key, value in (selector.get("matchLabels") or {}).items()}
        lists = [self._by_label.get((namespace, key, value), []) for key, value in wanted.items()]
        candidates = min(lists, key=len) if lists else self._all.get(namespace, [])
        selector = {**selector, "matchLabels": wanted}
        return [family for family, labels in candidates if matches_selector(selector, labels)]


def without_zone(selector: dict[str, Data], zone_label: str) -> dict[str, Data]:
    """Return a LabelSelector without the zone label that a copy has in it."""
    labels = selector.get("matchLabels") or {}
    return {**selector, "matchLabels": {key: value for key, value in labels.items() if key != zone_label}}


def objects_of(resources: ResourceList, group: str, kind: str) -> list[KubeObject]:
    """Return the objects of a kind that reach the cluster."""
    return [obj for obj in resources.where(kind=kind, group=group) if not is_for_tools(obj)]
