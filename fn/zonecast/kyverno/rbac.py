"""The rights that the policies need beyond those of Kyverno's chart, as aggregated ClusterRoles."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn.scan import Data


def read_nodes() -> dict[str, Data]:
    """Return the ClusterRole by which the admission controller reads the node that a pod is bound to.

    ``get pods`` comes with the built-in role ``view``, which the chart binds to the admission controller.
    """
    return _role("read-nodes", "admission", "", "nodes", ["get"])


def scan_rollouts() -> dict[str, Data]:
    """Return the ClusterRole by which the reports controller looks at Rollouts that are there.

    Deployments, HPAs and Pods come with ``view``, which the chart binds to the reports controller.
    """
    return _role("scan-rollouts", "reports", "argoproj.io", "rollouts", ["get", "list", "watch"])


def _role(name: str, controller: str, group: str, resource: str, verbs: list[str]) -> dict[str, Data]:
    """Return a ClusterRole that a controller's own role takes in (aggregationRule in Kyverno's chart)."""
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {
            "name": f"zonecast:kyverno-{name}",
            "labels": {f"rbac.kyverno.io/aggregate-to-{controller}-controller": "true"},
        },
        "rules": [{"apiGroups": [group], "resources": [resource], "verbs": verbs}],
    }
