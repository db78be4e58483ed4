"""Families by every name that another object may call them by."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.hostkeys import PREFIXES, PREVIOUS_NAMES, SUFFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn import KubeObject

    from .fanout import Family


class FamilyIndex:
    """Finds the family that a name in a reference means.

    kustomize runs a function after it renamed objects and before it mended references: a reference may still say the
    name from before the prefix. As api/filters/nameref does, candidates are told apart by their prefixes and suffixes.
    """

    def __init__(self, families: Iterable[Family]) -> None:
        self._families: dict[tuple[str, str], list[Family]] = {}
        for family in families:
            names = {family.origin.name, *(copy.name for copy in family.copies.values())}
            names.update(name for name in family.example.annotation(PREVIOUS_NAMES).split(",") if name)
            for name in names:
                self._families.setdefault((family.namespace, name), []).append(family)

    def __bool__(self) -> bool:
        """Whether there is any family."""
        return bool(self._families)

    def find(self, referrer: KubeObject, name: str, namespace: str | None = None, field: str = "") -> Family | None:
        """Return the family that ``referrer`` means by ``name``, None where it means something else.

        Raises:
            ObjectError: it could be more than one.
        """
        found = self._families.get((referrer.namespace if namespace is None else namespace, name), [])
        if len(found) > 1:
            mine = _affixes(referrer)
            found = [family for family in found if _affixes(family.example) == mine]
            if len(found) != 1:
                raise ObjectError(f'"{name}" could be any of several Deployments that were named so', referrer, field)
        return found[0] if found else None


def _affixes(obj: KubeObject) -> tuple[str, str]:
    return obj.annotation(PREFIXES), obj.annotation(SUFFIXES)
