"""Fields that only a live cluster writes: ``kubectl get -o yaml`` shows them, a new object must not have them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject

_METADATA = (
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "managedFields",
    "selfLink",
    "finalizers",
    "ownerReferences",
)
_ANNOTATIONS = (
    "deployment.kubernetes.io/revision",
    "kubectl.kubernetes.io/last-applied-configuration",
    "argocd.argoproj.io/tracking-id",
    # protection from pruning, and from being applied at all, is the original's own
    "kustomize.toolkit.fluxcd.io/prune",
    "config.kubernetes.io/local-config",
)
#: Say which Flux Kustomization applied the original: copies are adopted by their own apply.
_LABELS = ("kustomize.toolkit.fluxcd.io/name", "kustomize.toolkit.fluxcd.io/namespace")
_SYNC_OPTIONS = "argocd.argoproj.io/sync-options"


def drop_server_fields(obj: KubeObject) -> None:
    """Drop what a cluster or a GitOps controller wrote into ``obj``, from a template in it too."""
    metadata = obj.nested_map("metadata")
    obj.remove_nested("status")
    gone = {key: None for key in _METADATA if key in metadata}
    if gone:
        obj.update_nested("metadata", gone)
    annotations = metadata.get("annotations") or {}
    changes: dict[str, str | None] = {key: None for key in _ANNOTATIONS if key in annotations}
    if _SYNC_OPTIONS in annotations:
        options = [each for each in str(annotations[_SYNC_OPTIONS]).split(",") if each.strip() != "Prune=false"]
        changes[_SYNC_OPTIONS] = ",".join(options) or None
    if changes:
        obj.update_nested("metadata", "annotations", changes)
    labels = {key: None for key in _LABELS if key in (metadata.get("labels") or {})}
    if labels:
        obj.update_nested("metadata", "labels", labels)
    template = obj.get("spec", "template", "metadata") or {}
    if "creationTimestamp" in template:
        obj.remove_nested("spec", "template", "metadata", "creationTimestamp")
    if "kubectl.kubernetes.io/restartedAt" in (template.get("annotations") or {}):
        obj.remove_nested("spec", "template", "metadata", "annotations", "kubectl.kubernetes.io/restartedAt")
