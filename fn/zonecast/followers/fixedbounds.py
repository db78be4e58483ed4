"""The bounds of an autoscaler around what zones have for themselves.

Shares give way, figures of the zones do not: a share of the minimum above the zone's own maximum is cut to it, and the
other zones take the rest; a share of the maximum below the minimum is raised, and the other zones have less.
"""

from __future__ import annotations

from krmfn import ObjectError

from ..fixed import described, first, split_around
from ..origin import SPLIT
from ..split import MAXIMUM, MINIMUM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from krmfn import KubeObject, Results

    from ..split import Sharing


def nested_around(
    keys: tuple[str, str], totals: Mapping[str, int], share: Sharing, example: KubeObject, results: Results
) -> tuple[list[int] | None, list[int] | None]:
    """Return the shares of minimum and maximum (``keys``); in no zone is the maximum below the minimum.

    Raises:
        ObjectError: that cannot be, or a bound is absent of which a zone has one for itself.
    """
    found: list[list[int] | None] = []
    for key, purpose in zip(keys, (MINIMUM, MAXIMUM)):
        total = totals.get(key)
        if total is None and purpose in share.fixed:
            message = f"absent, and {first(share, purpose)} is a part of it: give it a figure"
            raise ObjectError(message, example, f"spec.{key}")
        found.append(None if total is None else share.of(purpose, total, example, f"spec.{key}", results))
    lows, highs = found
    if lows is None or highs is None or totals[keys[0]] > totals[keys[1]]:
        return lows, highs
    if share.mode == SPLIT:
        lows = _below_own_maxima(lows, totals[keys[0]], share, example, f"spec.{keys[0]}")
        highs = _above_minima(highs, lows, totals[keys[1]], share, example, f"spec.{keys[1]}")
    for i, (low, high) in enumerate(zip(lows, highs)):
        if high < low:
            missing = MAXIMUM if _own(share, MINIMUM)[i] is not None else MINIMUM
            message = f"spec.zones[{i}] would have {low} to {high}: give spec.zones[{i}].{missing} as well"
            raise ObjectError(message, example, f"spec.{keys[0]}")
    return lows, highs


def _own(share: Sharing, purpose: str) -> Sequence[int | None]:
    return share.fixed.get(purpose) or [None] * len(share.weights)


def _below_own_maxima(
    lows: list[int], total: int, share: Sharing, example: KubeObject, field: str
) -> list[int]:
    """Cut shares of the minimum to the maximum that their zone has for itself; the others take the rest."""
    fixed, most = list(_own(share, MINIMUM)), _own(share, MAXIMUM)
    while True:
        over = [i for i, low in enumerate(lows) if fixed[i] is None and low > _or(most[i], low)]
        if not over:
            return lows
        for i in over:
            fixed[i] = most[i]
        lows, rest = split_around(total, share.weights, fixed)
        if rest:
            message = f"{total} is {rest} more than the zones may hold: {described(share, MAXIMUM)}"
            raise ObjectError(message, example, field)


def _above_minima(
    highs: list[int], lows: list[int], total: int, share: Sharing, example: KubeObject, field: str
) -> list[int]:
    """Give each zone its minimum and a share of what the maximum leaves above it."""
    if all(low <= high for low, high in zip(lows, highs)):
        return highs
    most = _own(share, MAXIMUM)
    floor = [low if figure is None else figure for low, figure in zip(lows, most)]
    above, rest = split_around(total - sum(floor), share.weights, [None if figure is None else 0 for figure in most])
    if rest:
        need = sum(low for low, figure in zip(lows, most) if figure is None)
        own = "; ".join(described(share, purpose) for purpose in (MINIMUM, MAXIMUM) if purpose in share.fixed)
        message = f"{total} leaves {need + rest} for zones whose minima add up to {need}: {own}"
        raise ObjectError(message, example, field)
    return [least + more for least, more in zip(floor, above)]


def _or(figure: int | None, other: int) -> int:
    return other if figure is None else figure
