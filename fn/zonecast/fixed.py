"""Figures that zones have for themselves: they stand, and the others share what they leave.

``Split``: they are taken out of the total first. ``Each``: they take the place of the source's. ``ZoneLoss``: the other
zones hold so much that the total is still there without any zones that may be lost.
"""

from __future__ import annotations

from krmfn import ObjectError

from .origin import SPLIT
from .split import EACH, MAXIMUM, MINIMUM, REPLICAS, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krmfn import KubeObject, ResourceList, Results

    from .split import Sharing

    Figures = Sequence["int | None"]


def shares(sharing: Sharing, purpose: str, total: int, obj: KubeObject, field: str, results: Results) -> list[int]:
    """Return the shares of ``total``, which is ``field`` of ``obj``; see ``Sharing.of``."""
    fixed = sharing.fixed[purpose]
    own = [figure for figure in fixed if figure is not None]
    if len(own) == len(fixed):
        _warn_of_sum(sharing, purpose, total, obj, field, results)
        return own
    if sharing.mode == EACH:
        return [share if figure is None else figure for share, figure in zip(sharing(total), fixed)]
    if sharing.mode != SPLIT:
        least = _least_after_loss(sharing, fixed, total)
        if least is None:
            rest = sum(sorted(own)[: max(_used(sharing, fixed) - sharing.lost, 0)])
            message = f"{described(sharing, purpose)} leaves {rest} of {total} without {sharing.lost} of the zones"
            raise ObjectError(f"{message}, whatever the others get", obj, field)
        return [(least if weight else 0) if each is None else each for weight, each in zip(sharing.weights, fixed)]
    found, rest = split_around(total, sharing.weights, fixed)
    if rest < 0:
        message = f"{total} is less than what zones have for themselves: {described(sharing, purpose)}"
        raise ObjectError(message, obj, field)
    if rest:
        message = f"{described(sharing, purpose)} leaves {rest} of {total}, and the other zones have weight 0"
        raise ObjectError(message, obj, field)
    return found


def split_around(total: int, weights: Sequence[int], fixed: Figures) -> tuple[list[int], int]:
    """Share by weight what fixed figures leave of ``total``.

    Returns the shares, and what is wrong with them: below 0, how much the fixed figures are above the total; above 0,
    how much no zone is left to take.

    >>> split_around(7, [1, 1, 1], [1, None, None])
    ([1, 3, 3], 0)
    """
    rest = total - sum(figure or 0 for figure in fixed)
    free = [weight if figure is None else 0 for weight, figure in zip(weights, fixed)]
    if rest < 0 or not any(free):
        return [figure or 0 for figure in fixed], rest
    return [share if figure is None else figure for share, figure in zip(split(rest, free), fixed)], 0


def described(sharing: Sharing, purpose: str) -> str:
    """Return the figures that zones have for themselves, as they stand in the config, and their sum."""
    own = [(i, figure) for i, figure in enumerate(sharing.fixed[purpose]) if figure is not None]
    text = " + ".join(f"spec.zones[{i}].{purpose} {figure}" for i, figure in own)
    return text if len(own) == 1 else f"{text} = {sum(figure for _, figure in own)}"


def first(sharing: Sharing, purpose: str) -> str:
    """Return the path of the first figure that a zone has for itself."""
    fixed = sharing.fixed[purpose]
    return next(f"spec.zones[{i}].{purpose}" for i, figure in enumerate(fixed) if figure is not None)


def _warn_of_sum(
    sharing: Sharing, purpose: str, total: int, obj: KubeObject, field: str, results: Results
) -> None:
    """Warn where every zone has a figure of its own, and together they are not what the source asks for."""
    own = sorted(figure or 0 for figure in sharing.fixed[purpose])
    if sharing.mode == SPLIT and sum(own) != total:
        message = f"{total} is not what zones have for themselves: {described(sharing, purpose)} stands"
        results.warning(message, obj, field)
    rest = sum(own[: -sharing.lost])
    if sharing.mode not in (SPLIT, EACH) and rest < total:
        message = f"{described(sharing, purpose)} stands, and leaves {rest} of {total}"
        results.warning(f"{message} without {sharing.lost} of the zones", obj, field)


def _used(sharing: Sharing, fixed: Figures) -> int:
    return sum(1 for weight, figure in zip(sharing.weights, fixed) if weight or figure is not None)


def _least_after_loss(sharing: Sharing, fixed: Figures, total: int) -> int | None:
    """Return the least figure of each other zone with which ``total`` outlasts the loss; None where none does."""
    own = [figure for figure in fixed if figure is not None]
    free = _used(sharing, fixed) - len(own)

    def left(figure: int) -> int:
        return sum(sorted([*own, *[figure] * free])[: -sharing.lost])

    if left(total) < total:
        return None
    low, high = 0, total
    while low < high:  # what is left grows with the figure
        middle = (low + high) // 2
        low, high = (low, middle) if left(middle) >= total else (middle + 1, high)
    return low


def without_total(sharing: Sharing, obj: KubeObject, results: Results) -> None:
    """Say what becomes of zones' own replicas where the source has none to share out.

    Raises:
        ObjectError: they are a variable, which no copy would remember beside a figure of its own.
    """
    path, present = first(sharing, REPLICAS), obj.get("spec", "replicas")
    if isinstance(present, str):
        raise ObjectError(f"{present!r} is no number yet: {path} cannot stand beside it", obj, "spec.replicas")
    message = f"absent, because an autoscaler sets it: {path} has no effect; use minReplicas and maxReplicas"
    results.warning(message, obj, "spec.replicas")


def without_autoscaler(sharing: Sharing, names: Iterable[str], resources: ResourceList) -> None:
    """Warn of bounds that zones have for themselves where no autoscaler follows the sources ``names``."""
    listed = ", ".join(names)
    for purpose in (MINIMUM, MAXIMUM):
        if purpose in sharing.fixed and listed:
            message = f"has no effect on {listed}: no autoscaler follows"
            resources.results.warning(message, resources.config, first(sharing, purpose))
