"""DaemonSets that do not come from Git get the pool's tolerations at admission: agents must run on every node.

What comes from Git is for ``spec.daemonSets``, at render time: a GitOps tool would take what admission added for a
difference, and undo it. Flux is known by its labels, Argo CD and kpt by the annotations with which they track objects,
and what this function placed by its own.
"""

from __future__ import annotations

from . import samples
from .cel import covers, text, texts
from .guard import described, expressions, policy_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn.scan import Data

    from ..policies import Kyverno
    from .samples import Case

    Tolerations = Sequence[dict[str, Data]]

#: Labels of Flux (kustomize-controller and helm-controller), and Argo CD's where it does not use a chart's label.
LABELS = ("kustomize.toolkit.fluxcd.io/name", "helm.toolkit.fluxcd.io/name", "argocd.argoproj.io/instance")
#: Annotations of Argo CD, of kpt live and of this function.
ANNOTATIONS = ("argocd.argoproj.io/tracking-id", "config.k8s.io/owning-inventory", "zonecast.dev/placement")
#: How the policy's name ends.
ENDING = "tolerate-daemon-sets"
_PATH = "/spec/template/spec/tolerations"
_PRESENT = "object.spec.template.spec.?tolerations.orValue([])"


def policy(placement: str, tolerations: Tolerations, kyverno: Kyverno) -> dict[str, Data]:
    """Return the MutatingPolicy, for all namespaces that Kyverno sees."""
    return {
        "apiVersion": kyverno.api_version,
        "kind": "MutatingPolicy",
        "metadata": {"name": policy_name(placement, ENDING), "annotations": about(placement, kyverno.since)},
        "spec": {
            # an agent without the toleration is better than none at all
            "failurePolicy": "Ignore",
            # without this the policy would ask for rights to look at what is there, and it changes only what comes in
            "evaluation": {"background": {"enabled": False}},
            "matchConstraints": {
                "resourceRules": [
                    {
                        "apiGroups": ["apps"],
                        "apiVersions": ["v1"],
                        "operations": ["CREATE", "UPDATE"],
                        "resources": ["daemonsets"],
                    }
                ],
            },
            "matchConditions": expressions([
                ("not-from-git", f"!({_has('labels', LABELS)} || {_has('annotations', ANNOTATIONS)})"),
                ("lacks-a-toleration", " || ".join(f"!({_is_there(each)})" for each in tolerations)),
            ]),
            "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": _patches(tolerations)}}],
        },
    }


def about(placement: str, since: str) -> dict[str, str]:
    """Return what the policy says of itself."""
    return described(
        f"DaemonSets on the pool of {placement}",
        "Gives DaemonSets that do not come from Git the tolerations of a dedicated pool, so that agents run on its "
        "nodes as well. Kyverno does not see kube-system.",
        "medium",
        "DaemonSet",
        since,
    )


def _has(kind: str, keys: Sequence[str]) -> str:
    return f"object.metadata.?{kind}.orValue({{}}).exists(key, key in {texts(keys)})"


def _is_there(toleration: dict[str, Data]) -> str:
    return f"{_PRESENT}.exists(t, {covers(toleration, always=True)})"


def _patches(tolerations: Tolerations) -> str:
    """Return CEL for the patches: the list where there is none, else what is missing at its end."""
    whole = ", ".join(map(_value, tolerations))
    parts = [
        f"({_is_there(each)} ? [] : [JSONPatch{{op: 'add', path: '{_PATH}/-', value: {_value(each)}}}])"
        for each in tolerations
    ]
    first = f"[JSONPatch{{op: 'add', path: '{_PATH}', value: [{whole}]}}]"
    return f"{_PRESENT} == [] ? {first} : {' + '.join(parts)}"


def _value(toleration: dict[str, Data]) -> str:
    return f"{{{', '.join(f'{text(key)}: {text(str(value))}' for key, value in toleration.items())}}}"


def cases(tolerations: Tolerations) -> list[Case]:
    """Return DaemonSets with no tolerations and with another one, and some that are left alone."""
    other = {"key": "example.com/other", "operator": "Exists"}
    found = [
        samples.Sample(_agent("bare", []), "pass"),
        samples.Sample(_agent("other", [other]), "pass"),
        samples.Sample(_agent("pool", tolerations), "skip"),
        samples.Sample(_agent("everywhere", [{"operator": "Exists"}]), "skip"),
        samples.Sample(_agent("from-git", [], labels={LABELS[0]: "apps"}), "skip"),
    ]
    return [samples.Case(found)]


def _agent(name: str, tolerations: Tolerations, labels: dict[str, str] | None = None) -> dict[str, Data]:
    pod_spec: dict[str, Data] = {"containers": samples.CONTAINERS}
    if tolerations:
        pod_spec["tolerations"] = [dict(each) for each in tolerations]
    own = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": f"agent-{name}", "namespace": "agents", **({"labels": labels} if labels else {})},
        "spec": {"selector": {"matchLabels": own}, "template": {"metadata": {"labels": own}, "spec": pod_spec}},
    }
