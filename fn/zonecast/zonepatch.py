"""``zones[].patch``: a strategic merge patch for the copy of one zone, and for nothing else.

It is made last, and remembered in the copy's origin as ``given``, with the patch that undoes it as ``was``.
"""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.errors import PatchError
from krmfn.strategic import ListKeys, adopt, difference, merge, of_template, problems

from . import patchchecks
from .origin import ORIGIN, PATCH
from .select import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krmfn import KubeObject, ResourceList
    from krmfn.config import Findings
    from krmfn.scan import Data
    from krmfn.strategic.keys import Fields

    from .placement import Spec

#: What a copy's origin remembers of a patch.
_GIVEN, _WAS = "given", "was"
_TEMPLATE = ("spec", "template")


def check(patch: dict[str, Data], path: str, findings: Findings) -> None:
    """Report what is wrong with a patch, whatever it is merged into."""
    found = [*patchchecks.known_fields(patch), *problems(patch, of_template(_TEMPLATE))]
    findings.extend((f"{path}.{patchchecks.shown(where)}", message) for where, message in found)


class Patches:
    """The patches of a Placement's zones, for the copies of one family."""

    def __init__(self, resources: ResourceList, spec: Spec, template: Sequence[str]) -> None:
        self.config = resources.config
        self.results = resources.results
        self.spec = spec
        self.template = tuple(template)
        self.fields = of_template(template)
        #: For each copy that had a patch: the fields edited by hand where it holds, and the content with them.
        self._edited: dict[KubeObject, tuple[list[str], dict[str, Data]]] = {}

    def apply(self, copy: KubeObject, patch: dict[str, Data], i: int, zone: str) -> dict[str, Data]:
        """Patch the copy of zone ``i``; return what its origin has to remember. What is wrong is reported."""
        path = f"spec.zones[{i}].patch"
        before = copy.get()
        try:
            after = merge(before, patch, self.fields)
        except PatchError as error:
            self.results.error(f"{copy.name}: {error}", self.config, f"{path}.{patchchecks.shown(error.path)}")
            return {}
        wrong = [
            *patchchecks.broken_bonds(before, after, self.spec.fan_out, zone, self.template),
            *patchchecks.incomplete(patch, before, after, self.template),
        ]
        for where, message in wrong:
            field = patchchecks.shown(patchchecks.touched(patch, where))
            self.results.error(f"{copy.name}: {message}", self.config, f"{path}.{field}")
        if wrong:
            return {}
        for where, message in patchchecks.without_effect(patch, before, self.template):
            self.results.warning(f"{copy.name}: {message}", self.config, f"{path}.{patchchecks.shown(where)}")
        copy.drops_setters = True
        was_target = self._is_target(copy)
        adopt(copy, after, self.fields)
        if was_target and not self._is_target(copy):
            message = "targets and exclude would not match the copy in a second run; leave the labels that they ask for"
            self.results.error(f"{copy.name}: {message}", self.config, f"{path}.metadata")
        return {PATCH: {_GIVEN: patch, _WAS: difference(after, before, self.fields)}}

    def undo(self, copy: KubeObject, remembered: Data) -> None:
        """Take the patch of an earlier run from a copy.

        Raises:
            ObjectError: what the origin remembers is no patch, or does not fit the copy any more.
        """
        given, was = self._patches(remembered)
        if given is None or was is None:
            field = f"metadata.annotations[{ORIGIN}]"
            raise ObjectError("its patch was not written by zonecast; remove it", copy, field)
        now = copy.get()
        try:
            back = merge(now, was, self.fields)
            again = merge(back, given, self.fields)
            edits = difference(again, now, self.fields)
            if edits:  # those that the patch would not undo stay: what stands beside that which it set
                with_edits = merge(merge(back, edits, self.fields), given, self.fields)
                back = merge(back, difference(again, with_edits, self.fields), self.fields)
        except PatchError as error:
            raise _stuck(copy, error.path, str(error)) from None
        for where, message in patchchecks.incomplete(was, now, back, self.template):
            raise _stuck(copy, where, message)
        adopt(copy, back, self.fields)
        self._edited[copy] = list(_named(edits, self.fields, "")), now

    def undid(self, copy: KubeObject) -> bool:
        """Whether a patch was taken from a copy."""
        return copy in self._edited

    def report_edits(self, old: KubeObject, copy: KubeObject) -> None:
        """Say which edits of ``old`` by hand are not in ``copy``: what a patch holds is edited in the Placement."""
        fields, edited = self._edited.get(old, ((), {}))
        lost = set(_named(difference(copy.get(), edited, self.fields), self.fields, "")) if fields else ()
        gone = [field for field in fields if field in lost]
        if gone:
            why = "edited by hand where the zone's patch holds, and lost; put it into zones[].patch instead"
            self.results.warning(f"{', '.join(gone)}: {why}", copy)

    def _is_target(self, copy: KubeObject) -> bool:
        return bool(select((copy,), self.spec.targets, self.spec.exclude or ()))

    def _patches(self, remembered: Data) -> tuple[Data, Data]:
        """Return the patch given and the one that undoes it; None for what is no patch."""
        found = [remembered.get(key) if isinstance(remembered, dict) else None for key in (_GIVEN, _WAS)]
        given, was = (
            each if isinstance(each, dict) and not any(problems(each, self.fields)) else None for each in found
        )
        return given, was


def _stuck(copy: KubeObject, path: tuple[str | int, ...], why: str) -> ObjectError:
    message = f"was edited by hand, and its zone's patch cannot be taken back: {why}; undo the edit"
    return ObjectError(message, copy, patchchecks.shown(path))


def _named(patch: dict[str, Data], fields: Fields, path: str) -> Iterator[str]:
    """Yield the fields that a patch changes, entries of lists by their merge keys; their order is no change."""
    for key, value in patch.items():
        if key[:1] == "$":
            continue
        where, below = f"{path}.{key}" if path else key, fields.get(key)
        if isinstance(value, dict) and value:
            yield from _named(value, below if isinstance(below, dict) else {}, where)
        elif isinstance(value, list) and isinstance(below, ListKeys) and all(below.key in each for each in value):
            for each in value:
                rest = {key: field for key, field in each.items() if key not in (below.key, below.second)}
                named = f"{where}[{each[below.key]}]"
                yield from _named(rest, below.fields, named) if _only_fields(rest) else (named,)
        else:
            yield where


def _only_fields(entry: dict[str, Data]) -> bool:
    return bool(entry) and not any(key[:1] == "$" for key in entry)
