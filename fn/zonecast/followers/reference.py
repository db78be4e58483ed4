"""Kinds that the user names in ``fanOut.references``: their paths hold the name of a Deployment."""

from __future__ import annotations

from krmfn import ObjectError

from ..workload import template_path
from .kind import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krmfn import KubeObject, ResourceList, Results
    from krmfn.scan import Data

    from ..placement import Reference
    from .kind import Path


class UserKind(Kind):
    """One for each copy, each path set to the copy's name. It has no figures that anybody knows of."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__()
        self.paths = paths

    def targets(self, obj: KubeObject) -> Iterable[tuple[Path, str, str]]:
        """Return the paths that lead somewhere in ``obj``, the kind where it stands beside, and the names there."""
        found = [each for path in self.paths for each in values_at(obj.get(), path.split("."), ())]
        return [(path, str(obj.get(*path[:-1], "kind") or ""), name) for path, name in found]

    def check(self, source: KubeObject, results: Results) -> None:  # noqa: ARG002 - it only raises
        """What makes pods cannot be copied so: the copies' selectors would overlap."""
        if template_path(source) is not None:
            raise ObjectError("makes pods itself: fanOut.references cannot make it one per zone", source)


def values_at(data: Data, parts: Sequence[str], path: Path) -> Iterator[tuple[Path, str]]:
    """Yield path and text of each string that ``parts`` lead to; a part that ends in ``[]`` means every entry."""
    if not parts:
        if isinstance(data, str):
            yield path, data
        return
    key = parts[0].removesuffix("[]") if isinstance(data, dict) else ""
    if not key or key not in data:
        return
    child = data[key]
    if not parts[0].endswith("[]"):
        yield from values_at(child, parts[1:], (*path, key))
        return
    for i, each in enumerate(child if isinstance(child, list) else ()):
        yield from values_at(each, parts[1:], (*path, key, i))


def user_kind(references: Iterable[Reference], group: str, kind: str) -> UserKind | None:
    """Return what the user said about a kind; without a group every group is meant."""
    paths = [each.path for each in references if each.kind == kind and each.group in (None, group)]
    return UserKind(paths) if paths else None


def check_references(resources: ResourceList, references: Sequence[Reference]) -> None:
    """Report each path that leads to nothing in the list: a reference that is misspelt would dangle."""
    for i, reference in enumerate(references):
        objects = resources.where(kind=reference.kind, group=reference.group)
        if any(True for obj in objects for _ in values_at(obj.get(), reference.path.split("."), ())):
            continue
        group = f" of {reference.group}" if reference.group else ""
        why = f"none of {len(objects)} has it" if objects else "there is none in the list"
        message = f'"{reference.path}" matches nothing: {reference.kind}{group}, {why}'
        resources.results.error(message, resources.config, f"spec.fanOut.references[{i}].path")
