"""Families by every name that another object may call them by."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.hostkeys import PREFIXES, SUFFIXES

from .origin import is_for_tools as is_marked_so
from .placement import API_VERSION, KIND
from .workload import FANNED_OUT, ROLLOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from krmfn import KubeObject, ResourceList

    from .fanout import Family

_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789-."
#: Everything that cannot be part of a name separates names.
_SEPARATE = str.maketrans({chr(code): " " for code in range(128) if chr(code) not in _NAME_CHARACTERS})


class FamilyIndex:
    """Finds the family that a name in a reference means.

    kustomize runs a function after it renamed objects and before it mended references: a reference may still say the
    name from before the prefix. As api/filters/nameref does, candidates are told apart by their prefixes and suffixes.
    """

    def __init__(self, families: Iterable[Family]) -> None:
        self.families = list(families)
        #: The kinds that can be named, those that are fanned out.
        self.kinds = tuple(kind for kind in FANNED_OUT if any(family.kind == kind for family in self.families))
        self._families: dict[tuple[str, str], list[Family]] = {}
        #: The namespaces of each name, once somebody asks.
        self._namespaces: dict[str, list[str]] | None = None
        names = set()
        for family in self.families:
            names |= family.names
            for name in family.names:
                self._families.setdefault((family.namespace, name), []).append(family)
        self._names = frozenset(names)

    def find(
        self, referrer: KubeObject, name: str, namespace: str | None = None, field: str = "", kind: str = ""
    ) -> Family | None:
        """Return the family of a kind (any, if it is empty) that ``referrer`` means by ``name``.

        None where it means something else.

        Raises:
            ObjectError: it could be more than one.
        """
        found = self._families.get((referrer.namespace if namespace is None else namespace, name), [])
        if kind and found:
            found = [family for family in found if family.kind == kind]
        if len(found) > 1:
            mine = referrer.annotation(PREFIXES), referrer.annotation(SUFFIXES)
            found = [family for family in found if family.affixes == mine]
            if len(found) != 1:
                raise ObjectError(f'"{name}" could be any of several workloads that were named so', referrer, field)
        return found[0] if found else None

    def find_anywhere(self, referrer: KubeObject, name: str, kind: str = "") -> Family | None:
        """Return the family that is meant by a reference which says no namespace and whose own does not count.

        Of several in different namespaces the first speaks for all: their copies are called the same.
        """
        if self._namespaces is None:
            self._namespaces = {}
            for namespace, each in self._families:
                self._namespaces.setdefault(each, []).append(namespace)
        for namespace in self._namespaces.get(name, ()):
            family = self.find(referrer, name, namespace, kind=kind)
            if family is not None:
                return family
        return None

    def mentions(self, obj: KubeObject) -> bool:
        """Whether a family's name stands anywhere in an object's text: where it does not, nothing need be read."""
        return not self._names.isdisjoint(words(obj.raw))


def words(text: str) -> list[str]:
    """Return everything in a text that could be a name; the parts of a DNS name stay together."""
    return text.translate(_SEPARATE).split()


def referrers(resources: ResourceList, index: FamilyIndex, kinds: Collection[str] = ()) -> list[KubeObject]:
    """Return the objects that may name a Deployment of a family; those of ``kinds`` need not say that they do.

    What configures tools, such as the Placement itself, refers to nothing in the cluster.
    """
    rollouts = ROLLOUT in index.kinds
    return [
        obj
        for obj in resources
        if (may_refer(obj) or obj.kind in kinds or (rollouts and may_refer_to_rollout(obj)))
        and index.mentions(obj)
        and not is_for_tools(obj)
    ]


def is_for_tools(obj: KubeObject) -> bool:
    """Whether an object never reaches the cluster: it is marked so, or is a Placement.

    The template of copies is marked so and still read.
    """
    return is_marked_so(obj) or (obj.kind == KIND and obj.api_version == API_VERSION)


def may_refer(obj: KubeObject) -> bool:
    """Whether an object can name a Deployment, by a look at its text.

    A Deployment says its own kind, and can depend on another one. A ScaledObject need not say the kind.
    """
    raw = obj.raw
    if obj.kind == "Deployment":
        return "/Deployment/" in raw
    return "Deployment" in raw or "scaleTargetRef" in raw


def may_refer_to_rollout(obj: KubeObject) -> bool:
    """Whether an object can name a Rollout; one can do so itself in what it depends on alone."""
    return ("/Rollout/" if obj.kind == ROLLOUT else ROLLOUT) in obj.raw
