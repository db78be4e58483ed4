"""Which kinds name a workload, where, and what becomes of them: the one table of it.

Beyond the table a name is found by its shape, ``{kind: Deployment, name: web}``, in whatever object: an Error, as
nobody knows how it should follow (references.py). ``config.kubernetes.io/depends-on`` is read on every object
(dependson.py), and users name kinds of their own in ``fanOut.references`` (reference.py).
"""

from __future__ import annotations

#: One for each copy, with its share of the figures; a module for each.
FOLLOWS = "follows"
#: The object stays one; a list of it gets an element for each copy: ``{kind, name}``, or a name alone (RBAC).
LISTS = "lists"
#: Text of a query language: a Warning shows the place.
ASKS = "asks"


class Place:
    """A place at which objects of a kind hold a workload's name; ``[]`` in a path means every entry."""

    __slots__ = ("anywhere", "default_kind", "group", "how", "kind", "path")

    def __init__(
        self, group: str, kind: str, path: str, how: str, *, default_kind: str = "", anywhere: bool = False
    ) -> None:
        self.group = group
        self.kind = kind
        self.path = path
        self.how = how
        #: What is meant where the reference says no kind.
        self.default_kind = default_kind
        #: Whether a reference without a namespace means one in whatever namespace, not in the object's own.
        self.anywhere = anywhere


_RULES = "rules[].resourceNames"
_DIFFERENCES = "ignoreDifferences"
PLACES = (
    Place("autoscaling", "HorizontalPodAutoscaler", "spec.scaleTargetRef", FOLLOWS),
    Place("keda.sh", "ScaledObject", "spec.scaleTargetRef", FOLLOWS, default_kind="Deployment"),
    Place("autoscaling.k8s.io", "VerticalPodAutoscaler", "spec.targetRef", FOLLOWS),
    Place("kustomize.toolkit.fluxcd.io", "Kustomization", "spec.healthChecks", LISTS),
    Place("argoproj.io", "Application", f"spec.{_DIFFERENCES}", LISTS, anywhere=True),
    Place("argoproj.io", "ApplicationSet", f"spec.template.spec.{_DIFFERENCES}", LISTS, anywhere=True),
    Place("rbac.authorization.k8s.io", "Role", _RULES, LISTS),
    Place("rbac.authorization.k8s.io", "ClusterRole", _RULES, LISTS, anywhere=True),
    Place("monitoring.coreos.com", "PrometheusRule", "spec.groups[].rules[].expr", ASKS, anywhere=True),
)
#: Kinds whose text need not hold the word Deployment.
KINDS = frozenset(place.kind for place in PLACES if place.how != FOLLOWS)


def place_of(group: str, kind: str) -> Place | None:
    """Return the entry of a kind; there is one at most."""
    return next((place for place in PLACES if place.kind == kind and place.group == group), None)
