"""The bounds of an autoscaler, shared out so that the API server takes each copy."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from krmfn import KubeObject, Results

    from ..split import Sharing


def nested(
    keys: tuple[str, str], totals: Mapping[str, int], share: Sharing, example: KubeObject, results: Results
) -> tuple[list[int] | None, list[int] | None]:
    """Share a minimum and a maximum (``keys`` below spec) out, so that in no zone the maximum is below the minimum.

    Largest remainders of two totals need not be nested; those of the smaller and of the difference are.
    """
    if share.fixed:
        from .fixedbounds import nested_around  # noqa: PLC0415 - few Placements fix a figure

        return nested_around(keys, totals, share, example, results)
    low, high = (totals.get(key) for key in keys)
    lows = share(low) if low is not None else None
    highs = share(high) if high is not None else None
    if low is None or high is None or lows is None or highs is None or high < low:
        return lows, highs
    if any(most < least for least, most in zip(lows, highs)):
        highs = [least + more for least, more in zip(lows, share(high - low))]
    return lows, highs


def at_least_1(shares: list[int], total: int, field: str, example: KubeObject, results: Results) -> list[int]:
    """Return the shares, those of 0 raised to 1 where 0 is not allowed; a Warning gives the new total."""
    if min(shares) >= 1:
        return shares
    raised = [max(figure, 1) for figure in shares]
    message = f"{total} in {len(raised)} zones: at least 1 in each, {sum(raised)} in all"
    results.warning(message, example, field)
    return raised
