"""A copy held in its zone by node affinity: required, or preferred as a hint to the scheduler.

Required node terms are alternatives and the expressions of one hold together (NodeSelector in the core API), so that a
zone is ANDed into each of them; a term of its own would widen the choice. Preferred terms are added up.
"""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.kubeobject import dotted

from .origin import PREFERRED, REQUIRED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject
    from krmfn.scan import Data

    Path = tuple[str, ...]

_NODE = ("affinity", "nodeAffinity")
_TERMS = (*_NODE, "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
_HINTS = (*_NODE, "preferredDuringSchedulingIgnoredDuringExecution")
_EXPRESSIONS = "matchExpressions"
#: The greatest there is: other preferences of the source are weighed against it.
_WEIGHT = 100


def pin(obj: KubeObject, pod_spec: Path, how: str, key: str, zone: str) -> None:
    """Hold ``obj`` in ``zone`` by affinity; ``how`` is a value of ``fanOut.pin``.

    Raises:
        ObjectError: every required term is empty, which matches no node.
    """
    expression = _expression(key, zone)
    if how == PREFERRED:
        obj.append_nested(*pod_spec, *_HINTS, _hint(expression))
    if how != REQUIRED:
        return
    path = (*pod_spec, *_TERMS)
    terms = obj.nested_slice(*path)
    if not terms:
        obj.append_nested(*path, {_EXPRESSIONS: [expression]})
        return
    filled = [i for i, term in enumerate(terms) if term and (term.get(_EXPRESSIONS) or term.get("matchFields"))]
    if not filled:
        raise ObjectError("holds empty terms alone: they match no node", obj, dotted(path))
    for i in filled:  # an empty term matches nothing, and would match something with the zone in it
        obj.append_nested(*path, i, _EXPRESSIONS, expression)


def unpin(obj: KubeObject, pod_spec: Path, how: str, key: str, zone: str) -> None:
    """Take away what ``pin`` added; parents that this leaves empty go, too."""
    expression = _expression(key, zone)
    if how == PREFERRED:
        path = (*pod_spec, *_HINTS)
        _remove_last(obj, path, _hint(expression))
    elif how == REQUIRED:
        path = (*pod_spec, *_TERMS)
        for i in reversed(range(len(obj.nested_slice(*path)))):
            _remove_last(obj, (*path, i, _EXPRESSIONS), expression)


def is_pinned(data: Data, pod_spec: Path, how: str, key: str, zone: str) -> bool:
    """Whether the affinity that ``pin`` gave an object is in its data; a pin by nodeSelector has none."""
    if how not in (REQUIRED, PREFERRED):
        return True
    for step in (*pod_spec, *(_TERMS if how == REQUIRED else _HINTS)):
        data = data.get(step) if isinstance(data, dict) else None
    expression = _expression(key, zone)
    if how == PREFERRED:
        return _hint(expression) in (data or ())
    terms = [term for term in data or () if term]
    return bool(terms) and all(expression in (term.get(_EXPRESSIONS) or ()) for term in terms)


def _remove_last(obj: KubeObject, path: tuple[str | int, ...], entry: Data) -> None:
    present = obj.nested_slice(*path)
    for j in reversed(range(len(present))):
        if present[j] == entry:
            obj.remove_nested(*path, j)
            return


def _expression(key: str, zone: str) -> dict[str, Data]:
    return {"key": key, "operator": "In", "values": [zone]}


def _hint(expression: dict[str, Data]) -> dict[str, Data]:
    return {"weight": _WEIGHT, "preference": {_EXPRESSIONS: [expression]}}
