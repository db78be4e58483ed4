"""A VerticalPodAutoscaler (autoscaling.k8s.io): one for each copy, which then gets requests of its own."""

from __future__ import annotations

from .kind import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:

    from krmfn import KubeObject, Results



class VerticalPodAutoscaler(Kind):
    """It has no figure to share out: recommendations are per pod."""

    shape = {"spec": {"updatePolicy": {}}}  # noqa: RUF012

    def check(self, source: KubeObject, results: Results) -> None:
        """Say that ``updatePolicy.minReplicas`` is a threshold for the pods of one copy from now on."""
        least = source.get("spec", "updatePolicy", "minReplicas")
        if least is not None:
            message = f"minReplicas {least} stays: it evicts pods of a copy only while that copy has as many"
            results.info(message, source, "spec.updatePolicy.minReplicas")
