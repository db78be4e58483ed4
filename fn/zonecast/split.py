"""Whole numbers shared out: replicas, autoscaler bounds, and everything else that counts pods."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def split(total: int, weights: Sequence[int]) -> list[int]:
    """Share ``total`` among zones by weight.

    Largest remainder, ties to the earlier zone; the figures add up to ``total`` exactly.

    >>> split(7, [1, 1, 1])
    [3, 2, 2]
    >>> split(7, [3, 2, 1])
    [4, 2, 1]
    """
    whole = sum(weights)
    shares = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: (-(total * weights[i] % whole), i))
    for i in by_remainder[: total - sum(shares)]:
        shares[i] += 1
    return shares


def sharing(mode: str, weights: Sequence[int], lost: int) -> Callable[[int], list[int]]:
    """Return how a figure is shared among zones.

    ``Split``: by weight, adding up to the figure. ``Each``: the figure in every zone. ``ZoneLoss``: so much that the
    figure is still there without ``lost`` zones. A zone of weight 0 gets nothing.
    """
    if mode == "Split":
        return lambda figure: split(figure, weights)
    left = 1 if mode == "Each" else sum(1 for weight in weights if weight) - lost
    return lambda figure: [-(-figure // left) if weight else 0 for weight in weights]


def scaled_up(figure: int, share: int, total: int) -> int:
    """Return ``figure`` of ``total`` for a share of it, rounded up as Kubernetes rounds maxSurge."""
    return -(-figure * share // total) if total else figure


def scaled_down(figure: int, share: int, total: int) -> int:
    """Return ``figure`` of ``total`` for a share of it, rounded down as Kubernetes rounds maxUnavailable."""
    return figure * share // total if total else figure
