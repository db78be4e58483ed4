"""How entries of a list are told apart in a strategic merge patch: the merge keys of core pod templates.

Source: the tags ``patchMergeKey`` and ``listMapKey`` of k8s.io/api v0.37, core/v1/types.go. A list without a merge key
(``args``, ``tolerations``) is one value and is replaced as a whole.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Union

    from krmfn.scan import Data

    #: What is below the keys of a mapping, as far as it leads to a list with a merge key.
    Fields = dict[str, Union["Fields", "ListKeys"]]


class Ambiguous(Exception):  # noqa: N818 - the caller knows the path and says it
    """Several entries of a list have the same merge key; the text says which key and what would tell them apart."""


class ListKeys:
    """The entries of one list: ``key`` is their merge key, ``fields`` what is below an entry.

    ``second`` tells entries with the same merge key apart. With a ``default`` it always does (a port without a protocol
    is a TCP port); without one it is asked only where the merge key alone leaves a choice.
    """

    __slots__ = ("default", "fields", "key", "second")

    def __init__(self, key: str, fields: Fields | None = None, second: str = "", default: str | None = None) -> None:
        self.key = key
        self.fields = fields or {}
        self.second = second
        self.default = default

    def find(self, entries: Sequence[Data], entry: Data) -> int | None:
        """Return which of ``entries`` a patch's ``entry`` means, None where it is none of them.

        Raises:
            Ambiguous: it could be several.
        """
        wanted = entry[self.key]
        found = [i for i, each in enumerate(entries) if isinstance(each, dict) and each.get(self.key) == wanted]
        if self.second and (self.default is not None or (len(found) > 1 and self.second in entry)):
            second = entry.get(self.second) or self.default
            found = [i for i in found if (entries[i].get(self.second) or self.default) == second]
        if len(found) > 1:
            more = f"; give {self.second}, too" if self.second and self.second not in entry else ""
            raise Ambiguous(f"{len(found)} entries have {self.key} {wanted!r}{more}")
        return found[0] if found else None

    def identity(self, entry: Data) -> Hashable:
        """Return what no two entries of a list may share; None for an entry without its merge key."""
        value = entry.get(self.key) if isinstance(entry, dict) else None
        if value is None or isinstance(value, (dict, list)):
            return None
        return value, (entry.get(self.second) or self.default) if self.default is not None else None

    def name_of(self, entry: dict[str, Data]) -> dict[str, Data]:
        """Return the part of an entry by which a patch names it."""
        return {key: entry[key] for key in (self.key, self.second) if key in entry}


_CONTAINER: Fields = {
    "env": ListKeys("name"),
    "ports": ListKeys("containerPort", second="protocol", default="TCP"),
    "volumeMounts": ListKeys("mountPath"),
    "volumeDevices": ListKeys("devicePath"),
}
POD_SPEC: Fields = {
    "containers": ListKeys("name", _CONTAINER),
    "initContainers": ListKeys("name", _CONTAINER),
    "ephemeralContainers": ListKeys("name", _CONTAINER),
    "volumes": ListKeys("name"),
    "imagePullSecrets": ListKeys("name"),
    "hostAliases": ListKeys("ip"),
    "topologySpreadConstraints": ListKeys("topologyKey", second="whenUnsatisfiable"),
    "resourceClaims": ListKeys("name"),
    "schedulingGates": ListKeys("name"),
    "evictionResponders": ListKeys("name"),
}


def of_template(path: Sequence[str]) -> Fields:
    """Return the merge keys of an object whose pod template is at ``path``: ``("spec", "template")``."""
    metadata: Fields = {"labels": {}, "annotations": {}}
    fields: Fields = {"metadata": metadata, "spec": POD_SPEC}
    for key in reversed(path):
        fields = {key: fields}
    return {"metadata": metadata, **fields}
