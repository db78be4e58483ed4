"""A guard as a ValidatingPolicy of policies.kyverno.io."""

from __future__ import annotations

from .guard import expressions, plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn.scan import Data

    from ..policies import Kyverno
    from .guard import Check, Guard


def policy(guard: Guard, action: str, kyverno: Kyverno) -> dict[str, Data]:
    """Return the policy; ``action`` is what happens to a request that the guard does not let pass.

    ``evaluation`` is written only where it differs from its default: any part of it makes the API server add the rest.
    """
    constraints: dict[str, Data] = {"namespaceSelector": guard.namespaces}
    if guard.selector is not None:
        constraints["objectSelector"] = guard.selector
    constraints["resourceRules"] = list(_rules(guard))
    spec: dict[str, Data] = {
        "validationActions": [action],
        # What is only reported must never be what stops a request.
        "failurePolicy": "Fail" if action == "Deny" else "Ignore",
    }
    if not guard.background:
        spec["evaluation"] = {"background": {"enabled": False}}
    elif not guard.admission:
        spec["evaluation"] = {"admission": {"enabled": False}}
    spec["matchConstraints"] = constraints
    spec["matchConditions"] = expressions(guard.conditions)
    if guard.variables:
        spec["variables"] = expressions(guard.variables)
    spec["validations"] = [_validation(check) for check in guard.checks]
    return {
        "apiVersion": kyverno.api_version,
        "kind": "ValidatingPolicy",
        "metadata": {"name": guard.name, "annotations": guard.annotations(kyverno.since)},
        "spec": spec,
    }


def _rules(guard: Guard) -> Iterable[dict[str, Data]]:
    """Yield a rule for the kinds that have group, versions and operations in common."""
    versions: dict[tuple[str, str], list[str]] = {}
    for group, version, kind in guard.kinds:
        versions.setdefault((group, kind), []).append(version)
    rules: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for (group, kind), served in versions.items():
        operations = ("CREATE",) if kind in guard.once else guard.operations
        rules.setdefault((group, tuple(served), operations), []).append(plural(kind))
    for (group, served_by_all, operations), resources in rules.items():
        yield {
            "apiGroups": [group],
            "apiVersions": list(served_by_all),
            "operations": list(operations),
            "resources": resources,
        }


def _validation(check: Check) -> dict[str, Data]:
    return {"expression": check.expression, "messageExpression" if check.computed else "message": check.message}
