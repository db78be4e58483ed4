"""Pods that are bound to marked nodes get a deletion cost, so that scaling in takes the others first.

The policy mutates the Binding: the API server copies its annotations to the pod (pkg/registry/core/pod/storage,
setPodNodeAndMetadata). Which bindings are ours is decided twice. The shape of the pod's name is a match condition in
plain CEL, which Kyverno hands to the API server: bindings of other applications never reach Kyverno. The pod's owner
decides exactly, at the price of one more read, for pods whose names only look alike.
"""

from __future__ import annotations

from .guard import described, named, policy_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn.scan import Data

    from ..policies import Kyverno, PodDeletionCost

#: How the policy's name ends.
ENDING = "pod-deletion-cost"
COST = "controller.kubernetes.io/pod-deletion-cost"
#: A pod's name is its ReplicaSet's and a dash, cut to this length, and five characters (apiserver, names/generate.go).
_CUT = 58
#: Up to this length nothing is cut: room for a dash, ten characters of hash and another dash.
_UNCUT = _CUT - 12


def policy(name: str, deployments: Sequence[str], namespace: str, kyverno: Kyverno) -> dict[str, Data]:
    """Return the MutatingPolicy for the Deployments made of one source."""
    choice = _choice(kyverno.pod_deletion_cost or ())
    return {
        "apiVersion": kyverno.api_version,
        "kind": "MutatingPolicy",
        "metadata": {
            "name": policy_name(f"{namespace}.{name}", ENDING),
            "annotations": about(name, namespace, kyverno.since),
        },
        "spec": {
            # a Kyverno that is down, or a node that cannot be read, must not stop scheduling
            "failurePolicy": "Ignore",
            # without this the policy is never ready: its status asks for rights to watch bindings
            "evaluation": {"background": {"enabled": False}},
            "webhookConfiguration": {"timeoutSeconds": 3},
            "matchConstraints": {
                "namespaceSelector": named(namespace),
                "resourceRules": [
                    {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods/binding"]}
                ],
            },
            "matchConditions": [{"name": "name-of-a-pod", "expression": name_condition(deployments)}],
            "variables": [
                {
                    "name": "pod",
                    "expression": 'resource.Get("v1", "pods", request.namespace, object.metadata.name)',
                },
                {
                    "name": "hash",
                    "expression": (
                        'variables.pod.metadata.?labels[?"pod-template-hash"]'
                        '.or(variables.pod.metadata.?labels[?"rollouts-pod-template-hash"]).orValue("")'
                    ),
                },
                {"name": "ours", "expression": _ownership(deployments)},
                {"name": "node", "expression": 'resource.Get("v1", "nodes", "", object.target.name)'},
                {"name": "labels", "expression": "variables.node.metadata.?labels.orValue({})"},
            ],
            "mutations": [
                {
                    "patchType": "ApplyConfiguration",
                    "applyConfiguration": {"expression": f"variables.ours ? {choice} : Object{{}}"},
                }
            ],
        },
    }


def about(name: str, namespace: str, since: str) -> dict[str, str]:
    """Return what the policy says of itself."""
    return described(
        f"Pod deletion cost of {namespace}/{name}",
        "Gives a pod that is bound to a marked node a deletion cost, so that scaling in removes the pods "
        "on other nodes first. Needs Kyverno not to filter Pod/binding.",
        "low",
        "Pod",
        since,
    )


def name_condition(deployments: Sequence[str]) -> str:
    """Return CEL that holds for every name a pod of the Deployments can have, and few others."""
    uncut = [name.replace(".", "[.]") for name in deployments if len(name) <= _UNCUT]
    parts = []
    if uncut:
        parts.append(f"object.metadata.name.matches('^({'|'.join(uncut)})-[a-z0-9]{{1,10}}-[a-z0-9]{{5}}$')")
    cut = [f"{name}-"[:_CUT] for name in deployments if len(name) > _UNCUT]
    parts.extend(f"object.metadata.name.startsWith('{start}')" for start in cut)
    return " || ".join(parts)


def _ownership(deployments: Sequence[str]) -> str:
    """Return CEL that holds for pods of the Deployments' ReplicaSets, whose names are never cut."""
    names = ", ".join(f'"{name}"' for name in deployments)
    return (
        'variables.pod.metadata.?ownerReferences.orValue([]).exists(owner, owner.kind == "ReplicaSet" && '
        f'[{names}].exists(name, owner.name == name + "-" + variables.hash))'
    )


def elsewhere(costs: Sequence[PodDeletionCost]) -> int | None:
    """Return the cost of pods on nodes with none of the labels: the first ``otherwise``, None for no annotation."""
    return next((each.otherwise for each in costs if each.otherwise is not None), None)


def _choice(costs: Sequence[PodDeletionCost]) -> str:
    """Return CEL for the patch: the first cost whose node label is there, else the first ``otherwise``."""
    otherwise = elsewhere(costs)
    choice = "Object{}" if otherwise is None else _annotated(otherwise)
    for each in reversed(costs):
        label = f'variables.labels[?"{each.node_label.key}"].orValue("") == "{each.node_label.value}"'
        choice = f"({label} ? {_annotated(each.cost)} : {choice})"
    return choice


def _annotated(cost: int) -> str:
    return f'Object{{metadata: Object.metadata{{annotations: {{"{COST}": "{cost}"}}}}}}'
