"""What becomes of a source whose copies stand in the list: it goes, it is kept for a while, or it is their template.

``Keep`` is the first step of a cut-over. Argo CD (gitops-engine, pkg/sync/sync_context.go, pruneObject), Flux
(kustomize-controller, garbage collection) and Helm (pkg/kube/client.go, Update) look for the protection on the live
object, so it still holds in the commit that takes the source out of Git: the source goes when a person deletes it,
never in the sync that brings its copies.
``Template`` is for packages that are rendered in place: the source is for tools alone, and every run reads it again.
"""

from __future__ import annotations

from krmfn.hostkeys import LOCAL_CONFIG

from .origin import KEEP, REMOVE, SOURCE, TEMPLATE, role_of
from .serverfields import FLUX_PRUNE, HELM_POLICY, NO_PRUNE, SYNC_OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from .fanout import Family

#: What nothing can be applied with, or what only the live object has.
_OF_A_DUMP = ("resourceVersion", "uid", "managedFields")


def staying(source: KubeObject, role: str) -> KubeObject:
    """Return a source as it stays beside its copies: as the list came with it, but for what its role asks for."""
    twin = source.twin()
    wanted: dict[str, Data] = {SOURCE: role}
    if role == TEMPLATE:
        wanted[LOCAL_CONFIG] = "true"
    else:
        if role_of(source) == TEMPLATE:
            wanted[LOCAL_CONFIG] = None
        wanted[FLUX_PRUNE] = "disabled"
        wanted[HELM_POLICY] = "keep"
        options = source.annotation(SYNC_OPTIONS)
        if NO_PRUNE not in [each.strip() for each in options.split(",")]:
            wanted[SYNC_OPTIONS] = f"{options},{NO_PRUNE}" if options else NO_PRUNE
    twin.merge_nested({("metadata", "annotations", key): value for key, value in wanted.items()})
    twin.settle()
    return twin


def delete_command(obj: KubeObject) -> str:
    """Return what a person types to delete an object."""
    return f"kubectl delete {obj.kind.lower()} {obj.name}" + (f" -n {obj.namespace}" if obj.namespace else "")


def report(family: Family, wanted: str, results: Results) -> None:
    """Say what to do next about the source of a family: a cut-over is two commits, and a deletion."""
    stays, source = family.stays, family.source
    if source is None:
        if wanted != REMOVE:
            message = f"source: {wanted}, but {family.name} is not in the list: only its copies are"
            results.warning(message, family.representative)
        return
    command = delete_command(source)
    if stays is None:
        if role_of(source) == KEEP:
            results.info(f"goes, and nothing prunes it: when the copies are ready, {command}", source)
    elif wanted == TEMPLATE:
        results.info("stays as the template of its copies, for tools alone: edit it, and run again", stays)
    else:
        message = (
            "stays beside its copies, protected from pruning; when they are ready, set fanOut.source: Remove in the"
            f" next commit, and then delete it: {command}"
        )
        results.info(message, stays)
        found = [key for key in _OF_A_DUMP if key in stays.keys("metadata")]
        if found:
            message = f"is the dump of a live object: take out {', '.join(found)} before it is applied"
            results.warning(message, stays, "metadata")
