"""Fields that only a live cluster writes: ``kubectl get -o yaml`` shows them, a new object must not have them."""

from __future__ import annotations

from krmfn.hostkeys import LOCAL_CONFIG

from .origin import SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject
    from krmfn.scan import Data

FLUX_PRUNE = "kustomize.toolkit.fluxcd.io/prune"
SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
NO_PRUNE = "Prune=false"
HELM_POLICY = "helm.sh/resource-policy"
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
    "rollout.argoproj.io/revision",
    "rollout.argoproj.io/workload-generation",
    "kubectl.kubernetes.io/last-applied-configuration",
    "argocd.argoproj.io/tracking-id",
    # protection from pruning, and from being applied at all, is the original's own
    FLUX_PRUNE,
    HELM_POLICY,
    LOCAL_CONFIG,
    SOURCE,
)
#: Say which Flux Kustomization applied the original: copies are adopted by their own apply. Flux takes labels, too.
_LABELS = ("kustomize.toolkit.fluxcd.io/name", "kustomize.toolkit.fluxcd.io/namespace", FLUX_PRUNE)
_TEMPLATE = ("spec", "template", "metadata")
_WRITTEN: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = (
    (("metadata",), frozenset(_METADATA)),
    (("metadata", "annotations"), frozenset(_ANNOTATIONS)),
    (("metadata", "labels"), frozenset(_LABELS)),
    (_TEMPLATE, frozenset(("creationTimestamp",))),
    ((*_TEMPLATE, "annotations"), frozenset(("kubectl.kubernetes.io/restartedAt",))),
)
_IN_TEMPLATES = ("creationTimestamp", "restartedAt")


def server_fields(obj: KubeObject) -> dict[tuple[str, ...], Data]:
    """Return the removal of what a cluster or a GitOps controller wrote into ``obj``, a template in it included."""
    edits: dict[tuple[str, ...], Data] = {}
    if "status" in obj.keys():
        edits["status",] = None
    for path, keys in _WRITTEN if any(hint in obj.raw for hint in _IN_TEMPLATES) else _WRITTEN[:3]:
        present = obj.keys(*path)
        if not keys.isdisjoint(present):
            edits.update({(*path, key): None for key in present if key in keys})
    options = obj.annotation(SYNC_OPTIONS) if SYNC_OPTIONS in obj.raw else ""
    if NO_PRUNE in options:
        kept = ",".join(each for each in options.split(",") if each.strip() != NO_PRUNE)
        edits["metadata", "annotations", SYNC_OPTIONS] = kept or None
    return edits
