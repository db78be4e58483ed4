"""Lists that name workloads: an element for each copy in place of that of the source.

A health check of Flux, what Argo CD does not compare, the names of an RBAC rule. The first copies take the places of
what is there, others stand at the end: so a later run, with other zones, comes to the same list as a first one.
"""

from __future__ import annotations

from krmfn.kubeobject import dotted

from ..origin import KEEP, role_of
from ..workload import DEPLOYMENT, FANNED_OUT, ROLLOUT, is_meant
from .table import LISTS, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from ..fanout import Family
    from ..index import FamilyIndex
    from .kind import Path
    from .table import Place

#: The resources by which RBAC calls what can be fanned out.
_RESOURCES = {"deployments": DEPLOYMENT, "rollouts": ROLLOUT}


def rewrite(candidates: Iterable[KubeObject], index: FamilyIndex, results: Results) -> None:
    """Name every copy in the lists that name a source."""
    for obj in candidates:
        place = place_of(obj.group, obj.kind)
        if place is not None and place.how == LISTS:
            for path in _lists(obj.get(), place.path.split("."), ()):
                _rewrite(obj, path, place, index, results)
            obj.settle()


def _lists(data: Data, parts: Sequence[str], path: Path) -> Iterator[Path]:
    """Yield the path of each list that ``parts`` lead to."""
    key = parts[0].removesuffix("[]")
    child = data.get(key) if isinstance(data, dict) else None
    if not isinstance(child, list):
        if isinstance(child, dict) and len(parts) > 1:
            yield from _lists(child, parts[1:], (*path, key))
    elif len(parts) == 1:
        yield (*path, key)
    else:
        for i, each in enumerate(child):
            yield from _lists(each, parts[1:], (*path, key, i))


def _rewrite(obj: KubeObject, path: Path, place: Place, index: FamilyIndex, results: Results) -> None:
    """Rewrite one list: elements that differ in their names alone are about one family."""
    rule = obj.get(*path[:-1])
    groups: dict[tuple[int, str], tuple[Family, list[int]]] = {}
    elements = obj.get(*path)
    for i, element in enumerate(elements):
        family = _family(obj, element, rule, place, index)
        if family is not None and family.placed:
            rest = "" if isinstance(element, str) else str({k: v for k, v in element.items() if k != "name"})
            groups.setdefault((id(family), rest), (family, []))[1].append(i)
    gone: list[int] = []
    for family, at in groups.values():
        present = [_name(elements[i]) for i in at]
        copies = {copy.name for copy in family.copies.values()}
        keeps = family.stays is not None and role_of(family.stays) == KEEP
        keeps = keeps or (isinstance(elements[at[0]], str) and not _is_about(rule, family.kind))
        some = not copies.isdisjoint(present) and not copies <= set(present)
        if some and (keeps or copies.issuperset(present)):
            # It names some copies of several: on purpose. What has its own namespace is seen by references.py, too.
            lost = copies.intersection(present).difference(_placed(family))
            if lost and (place.anywhere or isinstance(elements[at[0]], str)):
                message = f"names {family.kind} {min(lost)}, which goes; name one of {', '.join(_placed(family))}"
                results.error(message, obj, dotted((*path, at[0])))
            continue
        wanted = [*([family.name] if keeps else []), *_placed(family)]
        if present == wanted:
            continue
        for i, name in zip(at, wanted):
            obj.set_nested(*path, i, *(() if isinstance(elements[i], str) else ("name",)), name)
        for name in wanted[len(at) :]:
            first = elements[at[0]]
            obj.append_nested(*path, name if isinstance(first, str) else {**first, "name": name})
        gone += at[len(wanted) :]
    for i in sorted(gone, reverse=True):
        obj.remove_nested(*path, i)


def _family(obj: KubeObject, element: Data, rule: Data, place: Place, index: FamilyIndex) -> Family | None:
    """Return the family that an element names."""
    namespace = None
    kind: Data
    if isinstance(element, str):
        kind = next((each for each in FANNED_OUT if _allows(rule, each)), "")
    elif isinstance(element, dict) and isinstance(element.get("name"), str):
        kind, namespace = element.get("kind"), element.get("namespace")
        if not isinstance(kind, str) or not is_meant(kind, element.get("apiVersion", element.get("group"))):
            return None
    else:
        return None
    if kind not in FANNED_OUT or not isinstance(namespace, (str, type(None))):
        return None
    name = _name(element)
    if namespace is None and place.anywhere:
        return index.find_anywhere(obj, name, kind)
    return index.find(obj, name, namespace, kind=kind)


def _placed(family: Family) -> list[str]:
    return [copy.name for _, copy in family.placed]


def _name(element: Data) -> str:
    return str(element if isinstance(element, str) else element["name"])


def _allows(rule: Data, kind: str) -> bool:
    """Whether an RBAC rule is about a kind, other resources beside it or not."""
    groups = _entries(rule, "apiGroups")
    return kind in _kinds(rule) and ("*" in groups or any(group in groups for group in FANNED_OUT[kind]))


def _is_about(rule: Data, kind: str) -> bool:
    """Whether every resource of an RBAC rule is one kind: otherwise the source's name may be another resource's too."""
    return all(each == kind for each in _kinds(rule))


def _kinds(rule: Data) -> list[str]:
    """Return the kind of each resource of an RBAC rule, empty for what cannot be fanned out."""
    return [_RESOURCES.get(str(each).partition("/")[0], "") for each in _entries(rule, "resources")]


def _entries(rule: Data, key: str) -> list[Data]:
    value = rule.get(key) if isinstance(rule, dict) else None
    return value if isinstance(value, list) else []
