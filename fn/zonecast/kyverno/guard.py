"""What a guard is, whatever kind of policy it is written as.

A guard says of some objects what must hold, in CEL that the API server and Kyverno read alike. Its ``conditions`` use
nothing but the object, so that Kyverno hands them to the API server: requests that are no business of the guard never
reach Kyverno.
"""

from __future__ import annotations

from krmfn.scalar import quote

from ..names import copy_name
from ..origin import ORIGIN
from .cel import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krmfn.scan import Data

    from ..fanout import Family
    from ..placement import Placement

#: (API group, version, kind): what a guard looks at.
Kind = tuple[str, str, str]

_ANNOTATION = "policies.kyverno.io/"
#: Kyverno names policies in labels of its reports, and refuses a ClusterPolicy, or a rule, with a longer name.
NAME_LIMIT = 63


class Check:
    """One expression that must be true, and what is said when it is not; ``message`` may be CEL as well.

    A check that asks the namespace for a label says so a second time: what of the expression is left ``outside`` of
    the namespaces that have it, and how a selector finds these.
    """

    def __init__(
        self,
        expression: str,
        message: str,
        *,
        computed: bool = False,
        outside: tuple[str, dict[str, Data]] | None = None,
    ) -> None:
        self.expression = expression
        self.message = message
        self.computed = computed
        self.outside = outside


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
        #: What must all be there, where the checks look it up.
        self.listing: Listing | None = None

    def annotations(self, since: str) -> dict[str, str]:
        """Return what the policy says of itself; ``since`` is the first release that runs it."""
        return described(self.title, self.description, self.severity, self.subject, since)


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
        #: How the origin of every copy starts; what follows is figures.
        self.origin = f'{{"name": {quote(self.source)}}}'
        example = family.representative
        self.kind: Kind = (example.group, example.version, example.kind)

    def guard(self, name: str, title: str, description: str, *checks: Check) -> Guard:
        """Return a guard of these copies: objects of their kind that carry the zone label and come of their source."""
        of_source = f"{self.namespace}/{self.source}"
        guard = Guard(
            policy_name(f"{self.namespace}.{self.source}", name),
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
        start = text(self.origin.removesuffix("}"))
        by_name = f"object.metadata.name.startsWith({text(self.source + '-')})"
        return f"{origin} == '' ? {by_name} : {origin}.startsWith({start})"


class Listing:
    """Objects that must all be there: the copies of one source, which carry this start of an origin."""

    def __init__(self, copies: Copies) -> None:
        self.names = copies.names
        self.path = list_path(copies.kind, copies.namespace)
        self.origin = copies.origin.removesuffix("}")


def described(title: str, description: str, severity: str, subject: str, since: str) -> dict[str, str]:
    """Return the annotations that the policy library has on its policies."""
    return {
        f"{_ANNOTATION}title": title,
        f"{_ANNOTATION}category": "Scheduling",
        f"{_ANNOTATION}severity": severity,
        f"{_ANNOTATION}subject": subject,
        f"{_ANNOTATION}minversion": since,
        f"{_ANNOTATION}description": description,
    }


def policy_name(of: str, what: str) -> str:
    """Return the name of a policy ``of`` a Placement, or of ``<namespace>.<source>``: no namespace holds a dot."""
    return copy_name(of, what, NAME_LIMIT)


def named(*namespaces: str, other: bool = False) -> dict[str, Data]:
    """Return a namespaceSelector for these namespaces, or for all ``other`` ones."""
    key = "kubernetes.io/metadata.name"
    if other:
        return {"matchExpressions": [{"key": key, "operator": "NotIn", "values": list(namespaces)}]}
    return {"matchLabels": {key: namespaces[0]}}


def plural(kind: str) -> str:
    """Return the name of the resource: every kind that guards know adds an s."""
    return f"{kind.lower()}s"


def list_path(kind: Kind, namespace: str) -> str:
    """Return the path under which the API server lists the objects of a kind in a namespace."""
    group, version, name = kind
    return f"/apis/{group}/{version}/namespaces/{namespace}/{plural(name)}"


def expressions(pairs: Iterable[tuple[str, str]]) -> list[dict[str, Data]]:
    """Return (name, CEL) as policies spell it."""
    return [{"name": name, "expression": expression} for name, expression in pairs]
