"""What a zone's patch must leave alone, and what the API server would refuse of what it makes."""

from __future__ import annotations

from krmfn import hostkeys
from krmfn.config import describe, nearest
from krmfn.shape import misfit as misfit_of

from .claims import CANARY, CLAIMS
from .origin import NODE_SELECTOR, ORIGIN, PLACEMENT, PREFERRED, SOURCE
from .patterns import matches_selector
from .pins import is_pinned
from .podfields import CONTAINERS, misspelt
from .shapes import shape_of
from .workload import ROLLOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Union

    from krmfn.scan import Data

    from .placement import FanOut

    Path = tuple[Union[str, int], ...]
    Problem = tuple[Path, str]

_TEMPLATE = ("spec", "template")
_METADATA = ("labels", "annotations")
_FIELDS: dict[Path, tuple[str, ...]] = {
    (): ("apiVersion", "kind", "metadata", "spec"),
    ("metadata",): _METADATA,
    _TEMPLATE: ("metadata", "spec"),
    (*_TEMPLATE, "metadata"): _METADATA,
}
_NOT_OF_A_PATCH = {
    ("metadata", "name"): "is made of the source's name and the zone's suffix; leave it out",
    ("metadata", "namespace"): "is that of the source; leave it out",
    ("spec", "replicas"): "is shared out among the zones: use zones[].replicas, zones[].weight or fanOut.replicas",
}
_OURS = (
    ORIGIN, PLACEMENT, SOURCE, hostkeys.LOCAL_CONFIG, hostkeys.PACKAGE_PATH, hostkeys.SEQ_INDENT,
    hostkeys.PREVIOUS_NAMES, hostkeys.PREFIXES, hostkeys.SUFFIXES, *hostkeys.ROUND_TRIP,
)  # fmt: skip
#: The fields of a Deployment's spec (k8s.io/api v0.37, apps/v1).
_DEPLOYMENT = (
    "selector", "template", "strategy", "minReadySeconds", "revisionHistoryLimit", "paused", "progressDeadlineSeconds",
)  # fmt: skip


def known_fields(patch: dict[str, Data]) -> Iterator[Problem]:
    """Yield what no patch may hold: fields that there are not, and those that the zone or the host sets."""
    if patch.get("$patch") == "replace":
        yield ("$patch",), "would take away what makes a copy the copy of its zone; patch single fields"
    for where, known in _FIELDS.items():
        for key in _mapping(patch, where):
            place = (*where, key)
            if key not in known and key[:1] != "$" and place not in _NOT_OF_A_PATCH:
                yield place, f"unknown field{nearest(key, known)} (fields: {', '.join(known)})"
    for place, message in _NOT_OF_A_PATCH.items():
        if place[-1] in _mapping(patch, place[:-1]):
            yield place, message
    for key in _mapping(patch, ("metadata", "annotations")):
        if key in _OURS:
            yield ("metadata", "annotations", key), "is set by the host or by zonecast; leave it out"


def broken_bonds(before: Data, after: Data, options: FanOut, zone: str, template: Sequence[str]) -> Iterator[Problem]:
    """Yield what holds a copy in its zone and apart from the others, and is not there after the patch."""
    label, pod_spec = options.zone_label, (*template, "spec")
    misfit = misfit_of(after, shape_of(tuple(template)))
    if misfit is not None:
        what = "a list" if isinstance(_at(after, misfit), dict) else "a mapping"
        yield misfit, f"must be {what}, got {describe(_at(after, misfit))}"
        return
    bonds: list[Path] = [
        ("apiVersion",),
        ("kind",),
        ("metadata", "labels", label),
        ("metadata", "annotations", ORIGIN),
        ("spec", "selector", "matchLabels", label),
        (*template, "metadata", "labels", label),
    ]
    if before["kind"] == ROLLOUT:
        bonds += [*CLAIMS, (*CANARY, "trafficRouting"), ("spec", "workloadRef")]
    if options.pin == NODE_SELECTOR:
        bonds.append((*pod_spec, "nodeSelector", options.topology_key))
    for path in bonds:
        old, new = _at(before, path), _at(after, path)
        if new != old:
            is_short = isinstance(old, str) and path[-1] != ORIGIN
            stays = f'must stay "{old}"' if is_short else "must stay absent" if old is None else "must stay as it is"
            yield path, f"{shown(path)} {stays}; leave it out of the patch"
    if not is_pinned(after, pod_spec, options.pin, options.topology_key, zone):
        yield (*pod_spec, "affinity"), f"the affinity that pins it to {zone} would go; leave it out of the patch"
    selector, labels = _at(after, ("spec", "selector")), _at(after, (*template, "metadata", "labels"))
    if not matches_selector(selector or {}, {key: str(value) for key, value in (labels or {}).items()}):
        yield (*template, "metadata", "labels"), "its selector would not select its own pods"
    spread = (*pod_spec, "topologySpreadConstraints")
    for each in _at(after, spread) or () if options.pin != PREFERRED else ():
        if each.get("topologyKey") == options.topology_key and each not in (_at(before, spread) or ()):
            yield spread, f"spreads over {options.topology_key}, and a copy is pinned to one zone"


def incomplete(patch: Data, before: Data, after: Data, template: Sequence[str]) -> Iterator[Problem]:
    """Yield what the API server would refuse: a container without an image, two values for one thing."""
    pod_spec = (*template, "spec")
    if before.get("kind") == "Deployment":
        for key in _mapping(patch, ("spec",)):
            if key not in _DEPLOYMENT and key[:1] != "$":
                yield ("spec", key), f"unknown field{nearest(key, _DEPLOYMENT)} (fields: {', '.join(_DEPLOYMENT)})"
    for kind in CONTAINERS:
        path = (*pod_spec, kind)
        present, result = _by_name(before, path), _by_name(after, path)
        for i, entry in _entries(patch, path):
            name = str(entry["name"])
            if name in result and name not in present and not result[name].get("image"):
                known = f"; there are {', '.join(present)}" if present else ""
                near = nearest(name, present) if present else ""
                yield (*path, i), f'there is no "{name}" to patch, and a new one needs an image{near}{known}'
            variables = _by_name(result.get(name), ("env",))
            for j, variable in _entries(entry, ("env",)):
                both = variables.get(variable["name"], {})
                if both.get("value") not in (None, "") and both.get("valueFrom"):
                    yield (*path, i, "env", j), "would have value and valueFrom: give null for the one that is to go"
    volumes = _by_name(after, (*pod_spec, "volumes"))
    for i, entry in _entries(patch, (*pod_spec, "volumes")):
        sources = [key for key, each in volumes.get(entry["name"], {}).items() if key != "name" and each is not None]
        if len(sources) > 1:
            message = f"would have {' and '.join(sources)}: give null for the one that is to go"
            yield (*pod_spec, "volumes", i), message


def without_effect(patch: Data, before: Data, template: Sequence[str]) -> Iterator[Problem]:
    """Yield what a patch does in vain: containers deleted that are not there, and fields that nobody knows."""
    pod_spec = (*template, "spec")
    yield from misspelt(_mapping(patch, pod_spec), pod_spec)
    for kind in CONTAINERS:
        path = (*pod_spec, kind)
        present = _by_name(before, path)
        for i, entry in _entries(patch, path):
            name = str(entry["name"])
            if entry.get("$patch") == "delete" and name not in present:
                yield (*path, i), f'there is no "{name}" to delete{nearest(name, present)}'


def touched(patch: Data, path: Path) -> Path:
    """Return how far a patch goes along a path: the place in it that concerns what is there."""
    for i, key in enumerate(path):
        if isinstance(patch, dict) and key not in patch:
            return path[:i]
        if not isinstance(patch, (dict, list)):
            return path[:i]
        patch = patch[key]  # type: ignore[index]
    return path


def _entries(data: Data, path: Path) -> list[tuple[int, dict[str, Data]]]:
    """Return the entries of a patch's list that have a name, with their numbers."""
    return [(i, each) for i, each in enumerate(_at(data, path) or ()) if "name" in each]


def _by_name(data: Data, path: Path) -> dict[str, Data]:
    found = _at(data, path) or ()
    return {each["name"]: each for each in found if isinstance(each, dict) and isinstance(each.get("name"), str)}


def _mapping(data: Data, path: Path) -> dict[str, Data]:
    found = _at(data, path)
    return found if isinstance(found, dict) else {}


def _at(data: Data, path: Path) -> Data:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def shown(path: Path) -> str:
    """Return a path as text; a key with dots of its own, such as a label's, is in brackets."""
    parts = [f".{key}" if isinstance(key, str) and "/" not in key and "." not in key else f"[{key}]" for key in path]
    return "".join(parts).removeprefix(".")
