"""Pod deletion cost for releases before 1.17: a ClusterPolicy on the Binding.

Which bindings are ours is decided as in deletioncost.py: the shape of the name in the webhook, the owner here. The
first cost whose node label is there wins, so each rule asks that those before it did not.
"""

from __future__ import annotations

from .deletioncost import COST, ENDING, about, elsewhere, name_condition
from .guard import named, policy_name
from .legacy import SINCE, cluster_policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krmfn.scan import Data

    from ..policies import Kyverno, NodeLabel, PodDeletionCost

_HASH = (
    """{{ pod.metadata.labels."pod-template-hash" || pod.metadata.labels."rollouts-pod-template-hash" || '' }}"""
)
_OWNER = "{{ pod.metadata.ownerReferences[?kind == 'ReplicaSet'].name | [0] || '' }}"


def policy(name: str, deployments: Sequence[str], namespace: str, kyverno: Kyverno) -> dict[str, Data]:
    """Return the ClusterPolicy for the Deployments made of one source."""
    return cluster_policy(
        policy_name(f"{namespace}.{name}", ENDING),
        about(name, namespace, SINCE),
        # a Kyverno that is down, or a node that cannot be read, must not stop scheduling
        "Ignore",
        list(_rules(deployments, namespace, kyverno.pod_deletion_cost or ())),
        background=False,
        webhookConfiguration={
            "failurePolicy": "Ignore",
            "timeoutSeconds": 3,
            # the CLI breaks off at conditions of a webhook (1.19), and bindings of others are worth more
            "matchConditions": [{"name": "name-of-a-pod", "expression": name_condition(deployments)}],
        },
    )


def _rules(
    deployments: Sequence[str], namespace: str, costs: Sequence[PodDeletionCost]
) -> Iterator[dict[str, Data]]:
    resources = {
        "kinds": ["Pod/binding"],
        "operations": ["CREATE"],
        "namespaceSelector": named(namespace),
    }
    owners = [f"{each}-{_HASH}" for each in deployments]
    conditions: list[dict[str, Data]] = [{"key": _OWNER, "operator": "AnyIn", "value": owners}]
    otherwise = elsewhere(costs)
    choices: list[tuple[NodeLabel | None, int]] = [(each.node_label, each.cost) for each in costs]
    if otherwise is not None:
        choices.append((None, otherwise))
    for i, (label, cost) in enumerate(choices, 1):
        asked = [*conditions, _node_has(label, "Equals")] if label is not None else [*conditions]
        yield {
            "name": f"pod-deletion-cost-{i}",
            "match": {"any": [{"resources": resources}]},
            "context": [
                _call("pod", f"/api/v1/namespaces/{namespace}/pods/{{{{ request.object.metadata.name }}}}"),
                _call("node", "/api/v1/nodes/{{ request.object.target.name }}"),
            ],
            "preconditions": {"all": asked},
            "mutate": {"patchStrategicMerge": {"metadata": {"annotations": {COST: str(cost)}}}},
        }
        if label is not None:
            conditions.append(_node_has(label, "NotEquals"))


def _node_has(label: NodeLabel, operator: str) -> dict[str, Data]:
    key = f"""{{{{ node.metadata.labels."{label.key}" || '' }}}}"""
    return {"key": key, "operator": operator, "value": label.value}


def _call(name: str, path: str) -> dict[str, Data]:
    return {"name": name, "apiCall": {"method": "GET", "urlPath": path}}
