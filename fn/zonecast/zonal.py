"""Edits of one zone's copy that are no scalars: its pin by affinity, what its zone adds, and its zone's patch.

They are made on the copy after it is there, and remembered in its origin. A later run takes them away and makes them
again, so that it comes to the same as a first one.
"""

from __future__ import annotations

from . import extras, pins
from .origin import ORIGIN, PATCH, origin_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from .placement import Spec, Zone
    from .zonepatch import Patches


class Zonal:
    """The edits of one family, whose pod template is at ``template``."""

    def __init__(self, resources: ResourceList, spec: Spec, template: tuple[str, ...]) -> None:
        self.resources = resources
        self.spec = spec
        self.options = spec.fan_out
        self.template = template
        self.pod_spec = (*template, "spec")
        self.zones: Sequence[Zone] = spec.zones or ()
        self.replace = spec.on_conflict == "Replace"
        #: Text and content of the copies that the list came with, and the copy made anew in place of one.
        self._before: dict[KubeObject, tuple[str, Data]] = {}
        self._renewed: dict[KubeObject, KubeObject] = {}
        self._known_patches: Patches | None = None

    def apply(self, copies: Sequence[KubeObject]) -> list[KubeObject]:
        """Make the edits on the copies of all zones; return them.

        One that comes to what it was before is the object that the list came with, with its very text.
        """
        made = []
        for i, (zone, copy) in enumerate(zip(self.zones, copies)):
            self._apply(copy, i, zone)
            copy.settle()
            old = self._renewed.get(copy, copy)
            text, content = self._before.get(old, ("", None))
            if self._known_patches is not None:
                self._known_patches.report_edits(old, copy)
            if content is not None and copy.get() == content:
                old.put_back(text)
                copy = old
            made.append(copy)
        return made

    def _apply(self, obj: KubeObject, i: int, zone: Zone) -> None:
        options = self.options
        pins.pin(obj, self.pod_spec, options.pin, options.topology_key, zone.name)
        added: dict[str, Data] = {}
        if zone.node_selector:
            added.update(extras.add_node_selector(obj, self.pod_spec, zone.node_selector, replace=self.replace))
        if zone.tolerations:
            added.update(extras.add_tolerations(obj, self.pod_spec, zone.tolerations))
        if options.zone_env:
            added.update(extras.add_env(obj, self.pod_spec, options.zone_env, zone.name))
        if zone.patch:
            added.update(self._patches.apply(obj, zone.patch, i, zone.name))
        if added:  # until here the origin of every copy is that of its source
            self._remember(obj, added)

    def undo(self, obj: KubeObject) -> None:
        """Take the edits of an earlier run from a copy, so that whatever comes next is as in a first run."""
        origin = origin_of(obj)
        if origin is None:
            return
        self._before[obj] = obj.text, obj.get()
        zone = obj.labels.get(origin.zone_label, "")
        if PATCH in origin.added:
            self._patches.undo(obj, origin.added[PATCH])
        extras.take_away(obj, self.pod_spec, origin.added, zone)
        pins.unpin(obj, self.pod_spec, origin.pin, origin.topology_key, zone)
        self._remember(obj, {})
        obj.settle()

    def had_patch(self, old: KubeObject) -> bool:
        """Whether a copy of the list had a patch: without it the copy has its source's content, not its layout."""
        return self._known_patches is not None and self._known_patches.undid(old)

    def renewed(self, old: KubeObject, new: KubeObject) -> None:
        """Note that a copy is made anew in place of one that the list came with."""
        self._renewed[new] = old

    @property
    def _patches(self) -> Patches:
        if self._known_patches is None:
            from .zonepatch import Patches  # noqa: PLC0415 - few zones have a patch

            self._known_patches = Patches(self.resources, self.spec, self.template)
        return self._known_patches

    @staticmethod
    def _remember(obj: KubeObject, added: dict[str, Data]) -> None:
        origin = origin_of(obj)
        if origin is not None and origin.added != added:
            origin.added = added
            obj.set_nested("metadata", "annotations", ORIGIN, origin.to_text())
