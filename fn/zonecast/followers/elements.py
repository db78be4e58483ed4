"""Lists that name workloads: an element for each copy in place of that of the source.

A health check of Flux, what Argo CD does not compare, the names of an RBAC rule. The first copies take the places of
what is there, others stand at the end: so a later run, with other zones, comes to the same list as a first one.
"""

from __future__ import annotations

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


class _Group:
    """The elements of a list that differ in their names alone: they are about one family."""

    def __init__(self, family: Family, first: Data) -> None:
        self.family = family
        self.first = first
        self.names: list[str] = []

    @property
    def is_chosen(self) -> bool:
        """Whether some copies of several are named, and nothing that stands for all: on purpose."""
        copies = self.family.copy_names
        return not copies.isdisjoint(self.names) and not copies <= set(self.names)

    def wanted(self, rule: Data) -> list[str]:
        """Return the names that are to be there; that of the source where it stays, or may be another resource's."""
        keeps = self.family.stays is not None and role_of(self.family.stays) == KEEP
        keeps = keeps or (isinstance(self.first, str) and not _is_about(rule, self.family.kind))
        if self.is_chosen and (keeps or self.family.name not in self.names):
            return self.names
        return [*([self.family.name] if keeps else []), *_placed(self.family)]


def _rewrite(obj: KubeObject, path: Path, place: Place, index: FamilyIndex, results: Results) -> None:
    """Rewrite one list: the first name of a group stands where it stood, the others at the end, group by group."""
    rule, elements = obj.get(*path[:-1]), obj.get(*path)
    groups: dict[tuple[int, str], _Group] = {}
    wanted: list[Data | _Group] = []
    for element in elements:
        family = _family(obj, element, rule, place, index)
        if family is None or not family.placed:
            wanted.append(element)
            continue
        rest = "" if isinstance(element, str) else str({k: v for k, v in element.items() if k != "name"})
        group = groups.setdefault((id(family), rest), _Group(family, element))
        if not group.names:
            wanted.append(group)
        group.names.append(_name(element))
    names = {group: group.wanted(rule) for group in groups.values()}
    for group in groups.values():
        _check(obj, group, names[group], place, results)
    if all(group.names == names[group] for group in groups.values()):
        return
    listed = [_named(each.first, names[each][0]) if isinstance(each, _Group) else each for each in wanted]
    listed += [_named(group.first, name) for group in groups.values() for name in names[group][1:]]
    _set(obj, path, elements, listed)


def _check(obj: KubeObject, group: _Group, names: list[str], place: Place, results: Results) -> None:
    """Report a copy that was named on purpose and goes; what has its own namespace is seen by references.py."""
    lost = group.family.copy_names.intersection(names).difference(_placed(group.family))
    if lost and (place.anywhere or isinstance(group.first, str)):
        kept = ", ".join(_placed(group.family))
        results.error(f"names {group.family.kind} {min(lost)}, which goes; name one of {kept}", obj, place.path)


def _set(obj: KubeObject, path: Path, before: Sequence[Data], after: Sequence[Data]) -> None:
    """Make one list the other, with as few edits as that takes."""
    for i, (old, new) in enumerate(zip(before, after)):
        if old == new:
            continue
        both = isinstance(old, dict) and isinstance(new, dict) and "name" in old and "name" in new
        if both and _named(old, "") == _named(new, ""):
            obj.set_nested(*path, i, "name", new["name"])
        else:
            obj.set_nested(*path, i, new)
    for element in after[len(before) :]:
        obj.append_nested(*path, element)
    for i in reversed(range(len(after), len(before))):
        obj.remove_nested(*path, i)


def _named(element: Data, name: str) -> Data:
    return name if isinstance(element, str) else {**element, "name": name}


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
