"""Queries that ask for a workload by its name: they find nothing after the fan-out, which nobody notices.

Source of the labels: kube-state-metrics (``deployment``) and the mixins of its dashboards (``workload``).
"""

from __future__ import annotations

from krmfn.kubeobject import dotted

from .reference import values_at
from .table import ASKS, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krmfn import KubeObject, Results

    from ..index import FamilyIndex

_LABELS = ("deployment", "workload", "rollout")
_OPERATORS = ("=~", "!~", "!=", "=")


def warn(candidates: Iterable[KubeObject], index: FamilyIndex, results: Results) -> None:
    """Warn of each query whose label matcher asks for a source that goes."""
    for obj in candidates:
        place = place_of(obj.group, obj.kind)
        if place is None or place.how != ASKS:
            continue
        for path, text in values_at(obj.get(), place.path.split("."), ()):
            for label, name in _asked(text):
                family = index.find_anywhere(obj, name)
                if family is None or not family.placed or any(copy.name == name for _, copy in family.placed):
                    continue
                copies = ", ".join(copy.name for _, copy in family.placed)
                message = f'asks for {label} "{name}", which is fanned out into {copies}: name those'
                results.warning(message, obj, dotted(path))


def _asked(text: str) -> Iterator[tuple[str, str]]:
    """Yield label and name of each matcher; the alternatives of a regular expression one by one."""
    for label in _LABELS:
        at = -1
        while (at := text.find(label, at + 1)) >= 0:
            if at and (text[at - 1].isalnum() or text[at - 1] == "_"):
                continue
            rest = text[at + len(label) :].lstrip()
            operator = next((each for each in _OPERATORS if rest.startswith(each)), None)
            value = rest[len(operator) :].lstrip() if operator else ""
            quote = value[:1]
            if quote in ("'", '"', "`") and quote in value[1:]:
                value = value[1 : value.index(quote, 1)]
                for name in value.split("|") if operator in ("=~", "!~") else (value,):
                    yield label, name.strip("()^$")
