"""Merge PodSpec fields into a pod template by meaning.

Nothing of the user's is removed or reordered: what is absent is appended, what is there already (compared as parsed
values) stays as it is, null and empty count as absent.
"""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.kubeobject import dotted

from .tolerations import cut_short, missing, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn import Results
    from krmfn.scan import Data

    from .placement import PodSpec
    from .workload import Workload

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


class Merger:
    """Merges into one workload. ``replace`` lets a conflicting value be replaced; otherwise it is an error."""

    def __init__(self, workload: Workload, results: Results, *, replace: bool) -> None:
        self.workload = workload
        self.obj = workload.obj
        self.results = results
        self.replace = replace

    def merge(self, wanted: PodSpec) -> None:
        """Merge every field that ``wanted`` gives."""
        self.node_selector(wanted.node_selector or {})
        self.tolerations(wanted.tolerations or [])
        self.affinity(wanted.affinity or {})
        self.append_absent(wanted.topology_spread_constraints or [], "topologySpreadConstraints")
        self.scalar("priorityClassName", wanted.priority_class_name)
        self.scalar("runtimeClassName", wanted.runtime_class_name)
        self.scalar("schedulerName", wanted.scheduler_name)

    def node_selector(self, labels: dict[str, str]) -> None:
        """Add labels to the nodeSelector."""
        present = self.obj.nested_string_map(*self.workload.pod_spec, "nodeSelector")
        for key, value in labels.items():
            if key not in present:
                self._added(f"{key}={value}", "nodeSelector")
            elif present[key] != value:
                self._conflict(("nodeSelector", key), present[key], value)
            self._set(value, "nodeSelector", key)

    def scalar(self, key: str, value: str | None) -> None:
        """Set a field that has one value."""
        if value is None:
            return
        present = self.workload.get(key)
        if present in (None, ""):
            self._added(value, key)
        elif present != value:
            self._conflict((key,), present, value)
        self._set(value, key)

    def tolerations(self, wanted: Iterable[dict[str, Data]]) -> None:
        """Add tolerations for taints that none covers yet."""
        present = self._list("tolerations")
        wanted = list(wanted)
        added = missing(present, wanted)
        for each in wanted:
            limit = cut_short(present, each)
            if limit is not None and each.get("tolerationSeconds") is None:
                message = (
                    f"an existing toleration of {limit.get('key') or 'every taint'} ends after"
                    f" {limit['tolerationSeconds']} s, and the first match decides: it still does"
                )
                self.results.warning(message, self.obj, self._path("tolerations"))
        for each in added:
            self._append(each, "tolerations")
            self._added(shown(each), "tolerations")
        if wanted and not added:
            self.results.info("covered already", self.obj, self._path("tolerations"))

    def affinity(self, wanted: dict[str, Data]) -> None:
        """Add affinity terms: required node terms are ANDed into each existing one, all others appended."""
        node = wanted.get("nodeAffinity") or {}
        required = (node.get(_REQUIRED) or {}).get("nodeSelectorTerms") or []
        if required:
            self._required_node_terms(required)
        self.append_absent(node.get(_PREFERRED) or [], "affinity", "nodeAffinity", _PREFERRED)
        for kind in ("podAffinity", "podAntiAffinity"):
            for when in (_REQUIRED, _PREFERRED):
                self.append_absent((wanted.get(kind) or {}).get(when) or [], "affinity", kind, when)

    def append_absent(self, wanted: Iterable[Data], *path: str) -> None:
        """Append the entries that are not in a list yet."""
        present = self._list(*path)
        for each in wanted:
            if each not in present:
                self._append(each, *path)
                self._added("1 entry", *path)
                present = [*present, each]

    def _required_node_terms(self, wanted: list[dict[str, Data]]) -> None:
        """AND ``wanted`` into the existing terms: a further ORed term would widen the choice of nodes.

        Terms are alternatives, the expressions within one hold together (NodeSelector in the core API).
        """
        path = ("affinity", "nodeAffinity", _REQUIRED, "nodeSelectorTerms")
        present = self._list(*path)
        if not present:
            self.append_absent(wanted, *path)
            return
        if len(wanted) > 1:
            if all(term in present for term in wanted):
                return
            message = "two required node terms cannot be combined with those that are there"
            raise ObjectError(message, self.obj, self._path(*path))
        for i, term in enumerate(present):
            for key in ("matchExpressions", "matchFields"):
                have = term.get(key) or []
                for expression in wanted[0].get(key) or []:
                    if expression not in have:
                        self._added(f"{expression.get('key')} in term {i}", *path)
                        self.obj.append_nested(*self.workload.pod_spec, *path, i, key, expression)

    def _conflict(self, path: tuple[str, ...], present: Data, wanted: Data) -> None:
        message = f'is already "{present}", wanted "{wanted}"'
        if self.replace:
            self.results.warning(f"{message}: replaced", self.obj, self._path(*path))
        else:
            self.results.error(f"{message}; set onConflict: Replace, or exclude it", self.obj, self._path(*path))

    def _list(self, *path: str) -> list[Data]:
        return self.obj.nested_slice(*self.workload.pod_spec, *path)

    def _set(self, value: Data, *path: str) -> None:
        self.obj.set_nested(*self.workload.pod_spec, *path, value)

    def _append(self, value: Data, *path: str) -> None:
        self.obj.append_nested(*self.workload.pod_spec, *path, value)

    def _added(self, what: str, *path: str) -> None:
        self.results.info(f"added {what}", self.obj, self._path(*path))

    def _path(self, *path: str) -> str:
        return dotted((*self.workload.pod_spec, *path))
