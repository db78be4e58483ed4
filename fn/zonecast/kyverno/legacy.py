"""Policies for releases before 1.16, and mutations for 1.16: ``kyverno.io/v1 ClusterPolicy``.

Every default of the CRD is written out: the API server fills them in, and a GitOps tool that compares texts would show
a difference for ever (CRD of v1.13.4; ``cel.generate`` came with 1.14).
"""

from __future__ import annotations

from ..names import copy_name
from ..origin import ORIGIN
from .guard import NAME_LIMIT, expressions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krmfn.scan import Data

    from ..policies import Kyverno
    from .guard import Guard, Listing

#: The oldest release that is written for.
SINCE = "1.13.0"
#: An action is Enforce or not; a warning is for the whole policy.
_ENFORCE, _AUDIT = "Enforce", "Audit"


def cluster_policy(
    name: str, annotations: dict[str, str], failure_policy: str, rules: list[dict[str, Data]], **settings: Data
) -> dict[str, Data]:
    """Return a ClusterPolicy of these rules; ``settings`` are fields of its spec that differ from their defaults."""
    return {
        "apiVersion": "kyverno.io/v1",
        "kind": "ClusterPolicy",
        "metadata": {
            "name": name,
            # The kinds are listed in full: Kyverno is to add none.
            "annotations": {**annotations, "pod-policies.kyverno.io/autogen-controllers": "none"},
        },
        "spec": {
            "validationFailureAction": _AUDIT,
            "admission": True,
            "background": True,
            "emitWarning": False,
            "webhookConfiguration": {"failurePolicy": failure_policy},
            **settings,
            "rules": [{"skipBackgroundRequests": True, **rule} for rule in rules],
        },
    }


def validating(guard: Guard, action: str, kyverno: Kyverno) -> dict[str, Data]:
    """Return a guard as a ClusterPolicy; its rules are called as the guard is."""
    enforced = _ENFORCE if action == "Deny" else _AUDIT
    enforce: dict[str, Data] = {"failureAction": enforced, "allowExistingViolations": True}
    name = guard.name.rpartition(".")[2]
    if guard.listing is not None:
        rules: list[dict[str, Data]] = [
            {
                "name": name,
                "match": {"any": list(_resources(guard, guard.namespaces))},
                "context": [_present(guard.listing)],
                "validate": {**enforce, **_complete(guard.listing.names)},
            }
        ]
    else:
        parts = list(_parts(guard))
        rules = [
            {
                "name": name if len(parts) == 1 else copy_name(name, str(i), NAME_LIMIT),
                "match": {"any": list(_resources(guard, namespaces))},
                "celPreconditions": expressions(guard.conditions),
                "validate": {**enforce, "cel": _cel(guard, checked, kyverno)},
            }
            for i, (namespaces, checked) in enumerate(parts, 1)
        ]
    return cluster_policy(
        guard.name,
        guard.annotations(SINCE),
        "Fail" if action == "Deny" else "Ignore",
        rules,
        admission=guard.admission,
        background=guard.background,
        emitWarning=action == "Warn",
    )


def _parts(guard: Guard) -> Iterator[tuple[dict[str, Data], list[dict[str, Data]]]]:
    """Yield (namespaceSelector, expressions): the checks that ask for no namespace together, each other by itself.

    A selector does what ``namespaceObject`` would, without a request for each object.
    """
    plain = [{"expression": each.expression, "message": each.message} for each in guard.checks if not each.outside]
    if plain:
        yield guard.namespaces, plain
    for check in guard.checks:
        if check.outside is not None:
            expression, others = check.outside
            known = guard.namespaces.get("matchExpressions", [])
            selector = {**guard.namespaces, "matchExpressions": [*known, others]}
            yield selector, [{"expression": expression, "message": check.message}]


def _resources(guard: Guard, namespaces: dict[str, Data]) -> Iterator[dict[str, Data]]:
    """Yield what matches, once for the kinds that have their operations in common."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for group, version, kind in guard.kinds:
        operations = ("CREATE",) if kind in guard.once else guard.operations
        kinds.setdefault(operations, []).append(f"{group}/{version}/{kind}" if group else f"{version}/{kind}")
    for operations, found in kinds.items():
        resources: dict[str, Data] = {"kinds": found, "operations": list(operations)}
        if guard.listing is not None:
            resources["annotations"] = {ORIGIN: f"{guard.listing.origin}*"}
        resources["namespaceSelector"] = namespaces
        if guard.selector is not None:
            resources["selector"] = guard.selector
        yield {"resources": resources}


def _cel(guard: Guard, checked: list[dict[str, Data]], kyverno: Kyverno) -> dict[str, Data]:
    cel: dict[str, Data] = {"generate": False} if kyverno.knows_generate else {}
    if guard.variables:
        cel["variables"] = expressions(guard.variables)
    cel["expressions"] = checked
    return cel


def _present(listing: Listing) -> dict[str, Data]:
    """Return the variable ``present``: the names that there are. CEL of these releases cannot look them up."""
    call = {"method": "GET", "urlPath": listing.path, "jmesPath": "items[].metadata.name"}
    return {"name": "present", "apiCall": call}


def _complete(names: Sequence[str]) -> dict[str, Data]:
    missing = {"key": list(names), "operator": "AnyNotIn", "value": "{{ present }}"}
    return {
        "message": f"copies are missing: there should be {', '.join(names)}",
        "deny": {"conditions": {"any": [missing]}},
    }
