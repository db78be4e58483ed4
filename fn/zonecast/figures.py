"""Every figure that counts a Deployment's replicas is shared out with them.

The fields: ``spec.replicas``, and ``maxSurge`` and ``maxUnavailable`` where they are absolute. Autoscaler bounds are in
followers/. Percentages need nothing: they hold for the share as for the whole.
"""

from __future__ import annotations

from krmfn import ObjectError

from .split import REPLICAS, scaled_down, scaled_up
from .workload import DEPLOYMENT, ROLLOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krmfn import KubeObject, Results
    from krmfn.scan import Data

    from .origin import Origin
    from .placement import Zone

#: Where a kind holds maxSurge and maxUnavailable; they mean the same.
ROLLING = {DEPLOYMENT: ("spec", "strategy", "rollingUpdate"), ROLLOUT: ("spec", "strategy", "canary")}
_SURGE, _UNAVAILABLE = "maxSurge", "maxUnavailable"
_DEFAULT = "25%"
_NONE = (0, "0", "0%")


def of_source(source: KubeObject) -> dict[str, Data]:
    """Return the figures of a source that its copies will not show any more."""
    found: dict[str, Data] = {}
    replicas = source.get("spec", "replicas")
    if replicas is not None:
        found[REPLICAS] = replicas
    rolling = source.get(*ROLLING[source.kind]) or {}
    for key in (_SURGE, _UNAVAILABLE):
        if isinstance(rolling.get(key), int):
            found[key] = rolling[key]
    return found


def total(origin: Origin, obj: KubeObject, results: Results, *, has_autoscaler: bool, each: bool) -> int | None:
    """Return how many replicas there are to share out; None where the copies are to be like the source.

    With ``each`` a variable, to be substituted later, is as good as a number: every copy has it.

    Raises:
        ObjectError: the figure is no number.
    """
    replicas = origin.figures.get(REPLICAS)
    if each and (isinstance(replicas, str) or (replicas is None and isinstance(obj.get("spec", REPLICAS), str))):
        return None
    if replicas is None:
        if has_autoscaler:
            results.info("no replicas, like the source: each copy starts with 1 pod until it is scaled", obj)
            for key in (_SURGE, _UNAVAILABLE):
                if key in origin.figures:
                    message = f"{key} {origin.figures[key]} stays in each copy: without replicas there is no share"
                    results.info(message, obj, ".".join((*ROLLING[obj.kind], key)))
            return None
        results.warning("no replicas and no autoscaler: counted as 1", obj, "spec.replicas")
        return 1
    if isinstance(replicas, bool) or not isinstance(replicas, int) or replicas < 0:
        advice = "set fanOut.replicas: Each, or substitute it before"
        message = f"{replicas!r} cannot be shared out: it is no number yet; {advice}"
        raise ObjectError(message, obj, "spec.replicas")
    if has_autoscaler:
        results.warning("has replicas and an autoscaler: each apply resets what was scaled", obj, "spec.replicas")
    return replicas


def warn_of_edit(
    total: Data, present: Sequence[Data], obj: KubeObject, field: str, results: Results, *, complete: bool
) -> None:
    """Warn where the copies' figures do not add up to the source's: one was set by hand and is set again.

    ``complete`` says that no copy is missing: otherwise less than the total says nothing.
    """
    if not isinstance(total, int) or not all(isinstance(each, int) for each in present):
        return
    whole = sum(present)
    if whole > total or (complete and whole < total):
        shown = " + ".join(map(str, present))
        results.warning(f"{shown} is not the {total} of the source: set to its shares again", obj, field)


def strategy(origin: Origin, example: KubeObject, share: int, whole: int) -> dict[tuple[str, ...], Data]:
    """Return absolute maxSurge and maxUnavailable for a share: 2 of 6 must not become 2 of 2 in each zone."""
    figures = origin.figures
    if _SURGE not in figures and _UNAVAILABLE not in figures:
        return {}
    path = ROLLING[example.kind]
    rolling = example.get(*path) or {}
    # An absent maxSurge or maxUnavailable is 25 %.
    surge, unavailable = rolling.get(_SURGE, _DEFAULT), rolling.get(_UNAVAILABLE, _DEFAULT)
    edits: dict[tuple[str, ...], Data] = {}
    if _SURGE in figures:
        surge = scaled_up(figures[_SURGE], share, whole)
    if _UNAVAILABLE in figures:
        unavailable = scaled_down(figures[_UNAVAILABLE], share, whole)
    if surge in _NONE and unavailable in _NONE:  # no rollout could ever proceed
        if _UNAVAILABLE in figures:
            unavailable = 1
        else:
            surge = 1
    if _SURGE in figures:
        edits[(*path, _SURGE)] = surge
    if _UNAVAILABLE in figures:
        edits[(*path, _UNAVAILABLE)] = unavailable
    return edits


def report(
    origin: Origin, zones: Sequence[Zone], shares: Sequence[int] | None, copy: KubeObject, results: Results
) -> None:
    """Say how replicas are shared in one line that a person can check."""
    if shares is None:
        results.info(f"{origin.name} -> {', '.join(zone.name for zone in zones)}", copy)
        return
    own = [" (fixed)" if zone.replicas is not None else "" for zone in zones]
    parts = ", ".join(f"{zone.name} {share}{fixed}" for zone, share, fixed in zip(zones, shares, own))
    whole = origin.figures.get(REPLICAS, 1)
    sum_up = "" if origin.adds_up else f", {sum(shares)} in all"
    results.info(f"{origin.name}: {whole} -> {parts}{sum_up}", copy)
    empty = [zone.name for zone, share in zip(zones, shares) if not share and zone.weight and zone.replicas is None]
    if empty and sum(shares):
        results.warning(f"{origin.name}: fewer replicas than zones, none in {', '.join(empty)}", copy, "spec.replicas")


def autoscaled(candidates: Iterable[KubeObject]) -> set[tuple[str, str, str]]:
    """Return (kind, namespace, name) of each target of an autoscaler."""
    found = set()
    for obj in candidates:
        if obj.kind in ("HorizontalPodAutoscaler", "ScaledObject"):
            target = obj.nested_map("spec", "scaleTargetRef")
            found.add((str(target.get("kind", DEPLOYMENT)), obj.namespace, str(target.get("name", ""))))
    return found
