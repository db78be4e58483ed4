"""What one kind of follower says about itself; its modules are subclasses of ``Kind``."""

from __future__ import annotations

# ruff: noqa: ARG002 - what most kinds have nothing to say about
from krmfn import ObjectError

from ..workload import FANNED_OUT, is_meant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Union

    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from ..split import Sharing
    from .table import Place

    Path = tuple[Union[str, int], ...]
    Shares = dict[str, Sequence[Data]]


class Kind:
    """A kind of object of which each copy of a Deployment needs one of its own.

    A figure's key is its path below ``spec`` with dots, as the origin annotation remembers it.
    """

    #: What its modules read: other shapes are an Error, as they are for the API server.
    shape: dict[str, Any] = {}  # noqa: RUF012 - only read
    #: Where the zone label goes.
    zone_labels: tuple[tuple[str, ...], ...] = (("metadata", "labels"),)
    #: The longest name that an object of the kind can have (DNS subdomain).
    name_limit = 253
    #: Whether the original stays beside its copies.
    stays = False
    #: Whether an original that is kept for a while (``source: Keep``) needs it.
    is_kept = False
    #: Minimum and maximum, by what ``zones[]`` calls them. The line about the split joins them: ``web: 2-8 -> a 1-4``.
    bounds: dict[str, str] = {}  # noqa: RUF012 - only read

    def __init__(self, place: Place | None = None) -> None:
        self.place = place

    def targets(self, obj: KubeObject) -> Iterable[tuple[Path, str, str]]:
        """Return the paths at which ``obj`` names what can be fanned out, the kinds (empty: any), and the names.

        What selects pods names nothing, and has no place.
        """
        if self.place is None:
            return ()
        path = tuple(self.place.path.split("."))
        target = obj.nested_map(*path)
        kind = target.get("kind", self.place.default_kind)
        if kind not in FANNED_OUT or not is_meant(kind, target.get("apiVersion")):
            return ()
        return [((*path, "name"), kind, str(target.get("name")))]

    def figures(self, source: KubeObject) -> dict[str, Data]:
        """Return the figures of a source that its copies will not show any more."""
        return {}

    def path(self, key: str) -> Path:
        """Return where a figure is."""
        return path_below_spec(key)

    def shares(self, figures: dict[str, Data], share: Sharing, example: KubeObject, results: Results) -> Shares:
        """Return the figures of each copy.

        Raises:
            ObjectError: a figure is no number.
        """
        return {key: share(self.number(key, value, example)) for key, value in figures.items()}

    def names(self, figures: dict[str, Data]) -> dict[str, str]:
        """Return the figures that are names in truth: each copy needs one of its own."""
        return {}

    def dropped(self, source: KubeObject) -> Iterable[Path]:
        """Return what a copy must not have, beside what every copy loses."""
        return ()

    def check(self, source: KubeObject, results: Results) -> None:
        """Report what a person should know about a source before it is fanned out."""

    def number(self, key: str, value: Data, example: KubeObject) -> int:
        """Return a figure as a number; raises ObjectError where it is none, such as a variable."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise ObjectError(f"{value!r} cannot be shared out: it is no number", example, dotted_path(self.path(key)))
        return value


def path_below_spec(key: str) -> Path:
    """Return the path of ``fallback.replicas`` or ``triggers[0].metadata.desiredReplicas`` below ``spec``."""
    path: list[str | int] = ["spec"]
    for part in key.split("."):
        name, bracket, index = part.partition("[")
        path.append(name)
        if bracket:
            path.append(int(index.rstrip("]")))
    return tuple(path)


def dotted_path(path: Path) -> str:
    """Return a path as messages show it."""
    from krmfn.kubeobject import dotted  # noqa: PLC0415 - only where there is something to say

    return dotted(path)
