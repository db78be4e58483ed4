"""Every figure that counts a Deployment's replicas is shared out with them.

The fields: ``spec.replicas``, and ``maxSurge`` and ``maxUnavailable`` where they are absolute. Autoscaler bounds are in
followers.py. Percentages need nothing: they hold for the share as for the whole.
"""

from __future__ import annotations

from krmfn import ObjectError

from .split import scaled_down, scaled_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn import KubeObject, ResourceList, Results
    from krmfn.scan import Data

    from .origin import Origin
    from .placement import Zone

REPLICAS = "replicas"
_ROLLING = ("spec", "strategy", "rollingUpdate")
_SURGE, _UNAVAILABLE = "maxSurge", "maxUnavailable"


def of_deployment(source: KubeObject) -> dict[str, Data]:
    """Return the figures of a source that its copies will not show any more."""
    found: dict[str, Data] = {}
    replicas = source.get("spec", "replicas")
    if replicas is not None:
        found[REPLICAS] = replicas
    rolling = source.get(*_ROLLING) or {}
    for key in (_SURGE, _UNAVAILABLE):
        if isinstance(rolling.get(key), int):
            found[key] = rolling[key]
    return found


def total(origin: Origin, obj: KubeObject, results: Results, *, has_autoscaler: bool) -> int | None:
    """Return how many replicas there are to share out; None where the copies are to have no figure, like the source.

    Raises:
        ObjectError: the figure is no number.
    """
    replicas = origin.figures.get(REPLICAS)
    if replicas is None:
        if has_autoscaler:
            results.info("no replicas, like the source: each copy starts with 1 pod until it is scaled", obj)
            return None
        results.warning("no replicas and no autoscaler: counted as 1", obj, "spec.replicas")
        return 1
    if isinstance(replicas, bool) or not isinstance(replicas, int) or replicas < 0:
        message = f"{replicas!r} cannot be shared out: it is no number yet; put the function after the substitution"
        raise ObjectError(message, obj, "spec.replicas")
    if has_autoscaler:
        results.warning("has replicas and an autoscaler: each apply resets what was scaled", obj, "spec.replicas")
    return replicas


def scale_strategy(copy: KubeObject, origin: Origin, share: int, whole: int) -> None:
    """Scale absolute maxSurge and maxUnavailable to a copy's share: 2 of 6 must not become 2 of 2 in each zone."""
    surge, unavailable = origin.figures.get(_SURGE), origin.figures.get(_UNAVAILABLE)
    rolling: dict[str, Data] = copy.get(*_ROLLING) or {}
    new = dict(rolling)
    if surge is not None:
        new[_SURGE] = scaled_up(surge, share, whole)
    if unavailable is not None:
        new[_UNAVAILABLE] = scaled_down(unavailable, share, whole)
        if not new[_UNAVAILABLE] and new.get(_SURGE, 1) in (0, "0", "0%"):
            new[_UNAVAILABLE] = 1  # with both 0 no rollout could ever proceed
    for key, value in new.items():
        if value != rolling.get(key):
            copy.set_nested(*_ROLLING, key, value)


def report(
    origin: Origin, zones: Sequence[Zone], shares: Sequence[int | None], copy: KubeObject, results: Results
) -> None:
    """Say the split in one line that a person can check."""
    if any(share is None for share in shares):
        results.info(f"{origin.name} -> {', '.join(zone.name for zone in zones)}", copy)
        return
    figures = [share or 0 for share in shares]
    parts = ", ".join(f"{zone.name} {share}" for zone, share in zip(zones, figures))
    results.info(f"{origin.name}: {sum(figures)} -> {parts}", copy)
    empty = [zone.name for zone, share in zip(zones, figures) if not share and zone.weight]
    if empty and sum(figures):
        results.warning(f"{origin.name}: fewer replicas than zones, none in {', '.join(empty)}", copy, "spec.replicas")


def autoscaled(resources: ResourceList) -> set[tuple[str, str]]:
    """Return (namespace, name) of each target of an autoscaler, in one pass over the list."""
    found = set()
    for obj in resources:
        if obj.kind == "HorizontalPodAutoscaler":
            found.add((obj.namespace, str((obj.get("spec", "scaleTargetRef") or {}).get("name", ""))))
    return found


def is_autoscaled(obj: KubeObject, found: set[tuple[str, str]]) -> bool:
    """Whether an autoscaler targets ``obj`` under any of the names it goes by."""
    from .select import names_of  # noqa: PLC0415 - select reads origins, which figures are part of

    return any((obj.namespace, name) in found for name in names_of(obj))
