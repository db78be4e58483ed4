"""What would fight a zone pin: spread and affinity to itself over the zones, which a pinned copy cannot fulfil."""

from __future__ import annotations

from krmfn.kubeobject import dotted

from .patterns import matches_selector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn import Results
    from krmfn.scan import Data

    from .workload import Workload

_SPREAD = "topologySpreadConstraints"


def drop_conflicts(workload: Workload, topology_key: str, results: Results, *, hard: bool = True) -> None:
    """Drop spread constraints on the topology key (minDomains go with them) and (anti-)affinity to itself on it.

    Constraints and terms on other keys, and terms about other applications, stay. A pin that is not ``hard`` yields to
    them: all of them stay, for they hold over the pods of all copies, and that is said.
    """
    fields = workload.keys()
    if _SPREAD not in fields and "affinity" not in fields:
        return
    constraints = workload.get(_SPREAD) or []
    remove = _remove if hard else _say_what_stays
    remove(workload, (_SPREAD,), [c.get("topologyKey") == topology_key for c in constraints], topology_key, results)
    labels = workload.pod_labels
    namespace = workload.obj.namespace
    for kind in ("podAntiAffinity", "podAffinity"):
        for when, terms in (workload.get("affinity", kind) or {}).items():
            selves = [_is_about_self(term, topology_key, labels, namespace) for term in terms or ()]
            remove(workload, ("affinity", kind, when), selves, topology_key, results)
            if kind == "podAffinity" and not when.startswith("preferred"):
                _warn_of_others(workload, ("affinity", kind, when), terms or (), selves, topology_key, results)


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


def _warn_of_others(
    workload: Workload,
    path: tuple[str, ...],
    terms: Sequence[Data],
    selves: Sequence[bool],
    topology_key: str,
    results: Results,
) -> None:
    """Required affinity to another application on the topology key stays, and holds only where that one runs."""
    for term, own in zip(terms, selves):
        if not own and term.get("topologyKey") == topology_key:
            message = f"a copy is scheduled only in zones ({topology_key}) where a pod that this term selects runs"
            results.warning(message, workload.obj, dotted((*workload.pod_spec, *path)))


def _remove(workload: Workload, path: tuple[str, ...], gone: list[bool], topology_key: str, results: Results) -> None:
    where = (*workload.pod_spec, *path)
    for i in reversed([i for i, each in enumerate(gone) if each]):
        workload.obj.remove_nested(*where, i)
    if any(gone):
        message = f"dropped {sum(gone)} on {topology_key}: a copy is pinned to one zone"
        results.info(message, workload.obj, dotted(where))


def _say_what_stays(
    workload: Workload, path: tuple[str, ...], kept: list[bool], topology_key: str, results: Results
) -> None:
    if not any(kept):
        return
    where = dotted((*workload.pod_spec, *path))
    if path[1:2] == ("podAffinity",):
        why = "they draw the pods of all copies into one zone, whatever the pin prefers"
        message = f"{sum(kept)} on {topology_key} stay: {why}"
        results.warning(message, workload.obj, where)
    else:
        message = f"{sum(kept)} on {topology_key} stay: they spread the pods of all copies, and the pin is a preference"
        results.info(message, workload.obj, where)
