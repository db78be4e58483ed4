"""The annotation by which a copy remembers what it was made from.

It holds what a fresh fan-out needs and a copy no longer shows: the source's name and its figures. A second run finds
a family by it and never fans a copy out again.
"""

from __future__ import annotations

from krmfn.emit import Style, flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject
    from krmfn.scan import Data

ORIGIN = "zonecast.dev/origin"
PLACEMENT = "zonecast.dev/placement"

_JSON = Style(json=True)


class Origin:
    """Name of the source, and its figures by their dotted path; ``figures`` lacks what the source lacked."""

    __slots__ = ("figures", "name")

    def __init__(self, name: str, figures: dict[str, Data]) -> None:
        self.name = name
        self.figures = figures

    def to_text(self) -> str:
        """Return the annotation's value: JSON on one line, keys in a fixed order."""
        return flow({"name": self.name, **self.figures}, _JSON)


def origin_of(obj: KubeObject) -> Origin | None:
    """Return the origin of a copy, None for any other object."""
    if ORIGIN not in obj.raw:
        return None
    text = obj.annotation(ORIGIN)
    if not text:
        return None
    from json import loads  # noqa: PLC0415 - a second run only

    try:
        figures = loads(text)
        name = figures.pop("name")
    except (ValueError, KeyError, AttributeError):
        from krmfn import ObjectError  # noqa: PLC0415

        raise ObjectError(f"{text!r} was not written by zonecast; remove it", obj, f"metadata.annotations[{ORIGIN}]") from None
    return Origin(str(name), figures)


def mark(obj: KubeObject, placement: str) -> None:
    """Note on an object that a Placement placed it: a pipeline can then prove that the function ran."""
    present = [name for name in obj.annotation(PLACEMENT).split(",") if name]
    if placement and placement not in present:
        obj.set_annotation(PLACEMENT, ",".join([*present, placement]))
