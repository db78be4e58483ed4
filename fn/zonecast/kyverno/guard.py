"""What a guard is, whatever kind of policy it is written as.

A guard says of some objects what must hold, in CEL that the API server and Kyverno read alike. Its ``conditions`` use
nothing but the object, so that Kyverno hands them to the API server: requests that are no business of the guard never
reach Kyverno.
"""

from __future__ import annotations

from krmfn.scalar import quote

from ..origin import ORIGIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn import KubeObject
    from krmfn.scan import Data

    from ..fanout import Family
    from ..placement import Placement

#: (API group, version, kind): what a guard looks at.
Kind = tuple[str, str, str]

ANNOTATION = "policies.kyverno.io/"


class Check:
    """One expression that must be true, and what is said when it is not; ``message`` may be CEL as well."""

    def __init__(self, expression: str, message: str, *, computed: bool = False) -> None:
        self.expression = expression
        self.message = message
        self.computed = computed


class Guard:
    """One policy, before it is written for a release of Kyverno.

    ``kinds`` and ``operations`` say which requests; ``selector`` and ``namespaces`` are the objectSelector and the
    namespaceSelector; ``conditions`` and ``variables`` are (name, CEL). ``once`` are kinds that are looked at only when
    they are made. With ``admission`` off only what is in the cluster is looked at; with ``background`` off only what
    comes in.
    """

    def __init__(
        self,
        name: str,
        *,
        title: str,
        description: str,
        subject: str,
        kinds: Sequence[Kind],
        namespaces: dict[str, Data],
        checks: Sequence[Check],
    ) -> None:
        self.name = name
        self.title = title
        self.description = description
        self.subject = subject
        self.kinds = kinds
        self.namespaces = namespaces
        self.checks = checks
        self.severity = "medium"
        self.operations: tuple[str, ...] = ("CREATE", "UPDATE")
        self.once: Sequence[str] = ()
        self.selector: dict[str, Data] | None = None
        self.conditions: list[tuple[str, str]] = []
        self.variables: list[tuple[str, str]] = []
        self.admission = True
        self.background = True

    def annotations(self, minimum: str) -> dict[str, str]:
        """Return what the policy library puts on its policies; ``minimum`` is the first release that runs it."""
        return {
            f"{ANNOTATION}title": self.title,
            f"{ANNOTATION}category": "Scheduling",
            f"{ANNOTATION}severity": self.severity,
            f"{ANNOTATION}subject": self.subject,
            f"{ANNOTATION}minversion": minimum,
            f"{ANNOTATION}description": self.description,
        }


class Copies:
    """The copies of one source, as guards see them."""

    def __init__(self, family: Family, namespace: str, placement: Placement) -> None:
        spec = placement.spec
        self.source = family.name
        self.namespace = namespace
        self.names = family.current_names
        self.zones = [zone.name for zone in spec.zones or ()]
        self.topology_key = spec.fan_out.topology_key
        self.zone_label = spec.fan_out.zone_label
        self.pin = spec.fan_out.pin
        self.example: KubeObject = family.representative
        self.kind: Kind = (self.example.group, self.example.version, self.example.kind)

    def guard(self, name: str, title: str, description: str, *checks: Check) -> Guard:
        """Return a guard of these copies: objects of their kind that carry the zone label and come of their source."""
        of_source = f"{self.namespace}/{self.source}"
        guard = Guard(
            f"{self.namespace}.{self.source}-{name}",  # no namespace holds a dot: every name is one source's
            title=f"{title} of {of_source}",
            description=description,
            subject=self.kind[2],
            kinds=[self.kind],
            namespaces=named(self.namespace),
            checks=checks,
        )
        guard.selector = {"matchExpressions": [{"key": self.zone_label, "operator": "Exists"}]}
        guard.conditions = [("copy-of-the-source", self._is_a_copy())]
        return guard

    def zone_of(self, obj: str) -> str:
        """Return CEL for the zone label of ``object`` or ``oldObject``, empty where there is none."""
        return f"{obj}.metadata.?labels[?{text(self.zone_label)}].orValue('')"

    def _is_a_copy(self) -> str:
        """Return CEL that tells the copies of this source from others: by their origin, by name where it is gone."""
        origin = f"object.metadata.?annotations[?{text(ORIGIN)}].orValue('')"
        start = text(f'{{"name": {quote(self.source)}')
        by_name = f"object.metadata.name.startsWith({text(self.source + '-')})"
        return f"{origin} == '' ? {by_name} : {origin}.startsWith({start})"


def named(*namespaces: str, other: bool = False) -> dict[str, Data]:
    """Return a namespaceSelector for these namespaces, or for all ``other`` ones."""
    key = "kubernetes.io/metadata.name"
    if other:
        return {"matchExpressions": [{"key": key, "operator": "NotIn", "values": list(namespaces)}]}
    return {"matchLabels": {key: namespaces[0]}}


def text(value: str) -> str:
    """Return a CEL string."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def texts(values: Sequence[str]) -> str:
    """Return a CEL list of strings."""
    return f"[{', '.join(map(text, values))}]"


def plural(kind: str) -> str:
    """Return the name of the resource: every kind that guards know adds an s."""
    return f"{kind.lower()}s"
