"""Edits of one zone's copy that are no scalars: its pin by affinity, and what its zone adds.

They are made on the copy after it is there, and remembered in its origin. A later run takes them away and makes them
again, so that it comes to the same as a first one.
"""

from __future__ import annotations

from . import extras, pins
from .origin import ORIGIN, origin_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn import KubeObject
    from krmfn.scan import Data

    from .placement import Spec, Zone


class Zonal:
    """The edits of one family."""

    def __init__(self, spec: Spec, pod_spec: tuple[str, ...]) -> None:
        self.options = spec.fan_out
        self.pod_spec = pod_spec
        self.zones: Sequence[Zone] = spec.zones or ()
        self.replace = spec.on_conflict == "Replace"
        #: Text and content of the copies that the list came with.
        self._before: dict[KubeObject, tuple[str, Data]] = {}

    def apply(self, copies: Sequence[KubeObject]) -> None:
        """Make the edits on the copies of all zones; one that is what it was before gets its very text again."""
        for zone, copy in zip(self.zones, copies):
            self._apply(copy, zone)
            copy.settle()
            before = self._before.get(copy)
            if before is not None and copy.get() == before[1]:
                copy.put_back(before[0])

    def _apply(self, obj: KubeObject, zone: Zone) -> None:
        options = self.options
        pins.pin(obj, self.pod_spec, options.pin, options.topology_key, zone.name)
        added: dict[str, Data] = {}
        if zone.node_selector:
            added.update(extras.add_node_selector(obj, self.pod_spec, zone.node_selector, replace=self.replace))
        if zone.tolerations:
            added.update(extras.add_tolerations(obj, self.pod_spec, zone.tolerations))
        if options.zone_env:
            added.update(extras.add_env(obj, self.pod_spec, options.zone_env, zone.name))
        self._remember(obj, added)

    def undo(self, obj: KubeObject) -> None:
        """Take the edits of an earlier run from a copy, so that whatever comes next is as in a first run."""
        origin = origin_of(obj)
        if origin is None:
            return
        self._before[obj] = obj.text, obj.get()
        zone = obj.labels.get(origin.zone_label, "")
        extras.take_away(obj, self.pod_spec, origin.added, zone)
        pins.unpin(obj, self.pod_spec, origin.pin, origin.topology_key, zone)
        self._remember(obj, {})
        obj.settle()

    @staticmethod
    def _remember(obj: KubeObject, added: dict[str, Data]) -> None:
        origin = origin_of(obj)
        if origin is not None and origin.added != added:
            origin.added = added
            obj.set_nested("metadata", "annotations", ORIGIN, origin.to_text())
