"""What would fight a zone pin: spread and self anti-affinity over the zones, which a pinned copy cannot fulfil."""

from __future__ import annotations

from krmfn.kubeobject import dotted

from .patterns import matches_selector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import Results
    from krmfn.scan import Data

    from .workload import Workload

_SPREAD = "topologySpreadConstraints"
_ANTI = ("affinity", "podAntiAffinity")


def drop_conflicts(workload: Workload, topology_key: str, results: Results) -> None:
    """Drop spread constraints on the topology key (minDomains go with them) and self anti-affinity on it.

    Constraints and terms on other keys, and terms about other applications, stay.
    """
    constraints = workload.get(_SPREAD) or []
    _remove(workload, (_SPREAD,), [c.get("topologyKey") == topology_key for c in constraints], topology_key, results)
    labels = workload.pod_labels
    namespace = workload.obj.namespace
    anti = workload.get(*_ANTI) or {}
    for when, terms in anti.items():
        selves = [_is_about_self(term, topology_key, labels, namespace) for term in terms or ()]
        _remove(workload, (*_ANTI, when), selves, topology_key, results)


def _is_about_self(term: Data, topology_key: str, labels: dict[str, str], namespace: str) -> bool:
    term = term.get("podAffinityTerm", term)
    selector = term.get("labelSelector")
    namespaces = term.get("namespaces") or []
    return (
        term.get("topologyKey") == topology_key
        and selector is not None  # without a selector a term matches no pod
        and (not namespaces or namespace in namespaces)
        and matches_selector(selector, labels)
    )


def _remove(workload: Workload, path: tuple[str, ...], gone: list[bool], topology_key: str, results: Results) -> None:
    where = (*workload.pod_spec, *path)
    for i in reversed([i for i, each in enumerate(gone) if each]):
        workload.obj.remove_nested(*where, i)
    if any(gone):
        message = f"dropped {sum(gone)} on {topology_key}: a copy is pinned to one zone"
        results.info(message, workload.obj, dotted(where))
