"""The rights that the policies need beyond those of Kyverno's chart, as aggregated ClusterRoles."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn.scan import Data


def read_nodes() -> dict[str, Data]:
    """Return the ClusterRole by which the admission controller reads the node that a pod is bound to.

    ``get pods`` comes with the built-in role ``view``, which the chart binds to the admission controller.
    """
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {
            "name": "zonecast:kyverno-read-nodes",
            "labels": {"rbac.kyverno.io/aggregate-to-admission-controller": "true"},
        },
        "rules": [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get"]}],
    }
