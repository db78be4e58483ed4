"""Tolerations for DaemonSets on releases before 1.17: a ClusterPolicy with one rule for each taint.

What it is about, and what it leaves alone, is said in tolerate.py.
"""

from __future__ import annotations

from krmfn.emit import Style, flow

from .guard import policy_name
from .legacy import SINCE, cluster_policy
from .tolerate import ANNOTATIONS, ENDING, LABELS, about, cases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn.scan import Data

    from ..policies import Kyverno

__all__ = ["cases", "policy"]

_TOLERATIONS = "request.object.spec.template.spec.tolerations"


def policy(placement: str, tolerations: Sequence[dict[str, Data]], kyverno: Kyverno) -> dict[str, Data]:
    """Return the ClusterPolicy."""
    resources = {
        "kinds": ["apps/v1/DaemonSet"],
        "operations": ["CREATE", "UPDATE"],
        "selector": {"matchExpressions": [{"key": key, "operator": "DoesNotExist"} for key in LABELS]},
    }
    marks = {
        "key": "{{ keys(request.object.metadata.annotations || `{}`) }}",
        "operator": "AllNotIn",
        "value": list(ANNOTATIONS),
    }
    rules = [
        {
            "name": f"tolerate-daemon-sets-{i}",
            "match": {"any": [{"resources": resources}]},
            "preconditions": {"all": [marks, {"key": _covering(each), "operator": "Equals", "value": 0}]},
            "mutate": {"patchesJson6902": _patch(each)},
        }
        for i, each in enumerate(tolerations, 1)
    ]
    del kyverno  # one text for all of these releases
    name = policy_name(placement, ENDING)
    return cluster_policy(name, about(placement, SINCE), "Ignore", rules, background=False)


def _covering(taint: dict[str, Data]) -> str:
    """Return JMESPath for how many tolerations cover a taint without a limit of time; the rule is cel.covers'."""
    key, value, effect = taint["key"], taint.get("value") or "", taint["effect"]
    limited = " && !tolerationSeconds" if effect == "NoExecute" else ""
    same = f"key == '{key}' && (value || '') == '{value}'"
    return (
        f"{{{{ length({_TOLERATIONS}[?(!effect || effect == '{effect}'){limited} && "
        f"(operator == 'Exists' && (!key || key == '{key}') || operator != 'Exists' && {same})] || `[]`) }}}}"
    )


def _patch(toleration: dict[str, Data]) -> str:
    value = flow(toleration, Style(json=True))
    return f"- {{op: add, path: /spec/template/spec/tolerations/-, value: {value}}}\n"
