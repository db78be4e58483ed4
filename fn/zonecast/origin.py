"""The annotation by which a copy remembers what it was made from.

It holds what a fresh fan-out needs and a copy no longer shows: the source's name and its figures. A second run finds
a family by it and never fans a copy out again.
"""

from __future__ import annotations

from krmfn.emit import Style, flow
from krmfn.scalar import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn import KubeObject
    from krmfn.scan import Data

ORIGIN = "zonecast.dev/origin"
PLACEMENT = "zonecast.dev/placement"
#: On an object that stays itself and was edited: what the edit took the place of, as JSON, to put it back some day.
REPLACED = "zonecast.dev/replaced"

#: What becomes of a source: ``fanOut.source``. One that stays says in an annotation as what.
REMOVE, KEEP, TEMPLATE = "Remove", "Keep", "Template"
SOURCE = "zonecast.dev/source"

TOPOLOGY_KEY = "topology.kubernetes.io/zone"
ZONE_LABEL = "zonecast.dev/zone"
SPLIT = "Split"
#: How copies are held in their zones: ``fanOut.pin``. All but the preference are hard.
NODE_SELECTOR, REQUIRED, PREFERRED = "NodeSelector", "RequiredAffinity", "PreferredAffinity"
_SETTINGS = ("topologyKey", "zoneLabel", "sharing", "pin", "rollout", "wave", "placement")
_ADDED = "added"
#: Among what was added: the patch of the copy's zone.
PATCH = "patch"

_JSON = Style(json=True)


class Origin:
    """What a copy was made from and how.

    ``name`` is the source's. ``figures`` are its figures by field; what the source lacked is not among them.
    ``settings`` say how copies are held in their zones, where that is not the default. ``added`` is what one
    zone's copy got beyond that, with what it took the place of.
    """

    __slots__ = ("added", "figures", "name", "settings")

    def __init__(self, name: str, figures: dict[str, Data], settings: dict[str, Data] | None = None) -> None:
        self.name = name
        self.figures = figures
        self.settings = settings or {}
        self.added: dict[str, Data] = {}

    @property
    def pin(self) -> str:
        """How copies were pinned."""
        return str(self.settings.get("pin", NODE_SELECTOR))

    @property
    def is_zonal(self) -> bool:
        """Whether the copy differs from others in more than scalars."""
        return bool(self.added) or self.pin != NODE_SELECTOR

    @property
    def zone_label(self) -> str:
        """The label that holds a copy's zone."""
        return str(self.settings.get("zoneLabel", ZONE_LABEL))

    @property
    def topology_key(self) -> str:
        """The node label that copies are pinned by."""
        return str(self.settings.get("topologyKey", TOPOLOGY_KEY))

    @property
    def adds_up(self) -> bool:
        """Whether the copies' figures add up to the source's."""
        return bool(self.settings.get("sharing", SPLIT) == SPLIT)

    def to_text(self) -> str:
        """Return the annotation's value: JSON on one line, keys in a fixed order.

        A variable is not among the figures: whoever substitutes it later must find it once.
        """
        parts = [f'"name": {quote(self.name)}']
        for key, value in self.figures.items():
            if isinstance(value, int):  # nearly every figure, and nearly every origin has nothing else
                parts.append(f'"{key}": {value:d}')
            elif "${" not in str(value):
                parts.append(f"{quote(key)}: {flow(value, _JSON)}")
        parts += [f"{quote(key)}: {flow(value, _JSON)}" for key, value in self.settings.items()]
        if self.added:
            # A variable in it is spelled so that nobody finds it: what it becomes need not fit into JSON.
            parts.append(f'"{_ADDED}": {flow(self.added, _JSON)}'.replace("${", "$\\u007b"))
        return "{" + ", ".join(parts) + "}"


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
    except (ValueError, KeyError, AttributeError, TypeError):
        from krmfn import ObjectError  # noqa: PLC0415

        field = f"metadata.annotations[{ORIGIN}]"
        raise ObjectError(f"{text!r} was not written by zonecast; remove it", obj, field) from None
    settings = {key: figures.pop(key) for key in _SETTINGS if key in figures}
    added = figures.pop(_ADDED, None)
    origin = Origin(str(name), figures, settings)
    if isinstance(added, dict):
        origin.added = added
    return origin


def role_of(obj: KubeObject) -> str:
    """Return what a run made of a source that stays, ``Keep`` or ``Template``; nothing for any other object."""
    return obj.annotation(SOURCE) if SOURCE in obj.raw else ""


def is_for_tools(obj: KubeObject) -> bool:
    """Whether an object is marked local-config, and not because it is the template of its copies."""
    return obj.is_local_config and role_of(obj) != TEMPLATE


def marked(obj: KubeObject, placement: str) -> dict[tuple[str, ...], Data]:
    """Return the edit that notes on an object that a Placement placed it, so that a pipeline can prove it."""
    present = [name for name in obj.annotation(PLACEMENT).split(",") if name]
    if not placement or placement in present:
        return {}
    return {("metadata", "annotations", PLACEMENT): ",".join([*present, placement])}


def mark(obj: KubeObject, placement: str) -> None:
    """Note on an object that a Placement placed it."""
    obj.merge_nested(marked(obj, placement))


def maker_of(copy: KubeObject, origin: Origin) -> str:
    """Return the name of the Placement that fanned a copy out, nothing where its annotations do not say.

    It is the first that placed it, unless the origin says another one: others may have placed its source before.
    """
    names = [name for name in copy.annotation(PLACEMENT).split(",") if name]
    own = origin.settings.get("placement")
    return str(own) if own in names else names[0] if names else ""


def making(example: KubeObject, placement: str) -> dict[str, Data]:
    """Return what an origin must say about its maker; nothing where the Placement is the first that places it."""
    first = example.annotation(PLACEMENT).split(",")[0] if PLACEMENT in example.raw else ""
    return {"placement": placement} if placement and first not in ("", placement) else {}


def unmarked(obj: KubeObject, placement: str) -> dict[tuple[str, ...], Data]:
    """Return the edit that takes the note of one Placement away again; those of others stay."""
    others = [name for name in obj.annotation(PLACEMENT).split(",") if name and name != placement]
    return {("metadata", "annotations", PLACEMENT): ",".join(others) or None}
