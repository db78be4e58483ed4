"""Whole numbers shared out: replicas, autoscaler bounds, and everything else that counts pods."""

from __future__ import annotations

from .origin import SPLIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from krmfn import KubeObject, Results
    from krmfn.scan import Data

#: What a zone may have a figure of its own for, as ``zones[]`` spells it.
REPLICAS, MINIMUM, MAXIMUM = "replicas", "minReplicas", "maxReplicas"
EACH, ZONE_LOSS = "Each", "ZoneLoss"
#: What origins remember in place of a mode where zones' own figures need not add up to the source's.
FIXED = "Fixed"


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


class Sharing:
    """How figures that count pods are shared among zones.

    ``Split``: by weight, adding up to the figure. ``Each``: the figure in every zone. ``ZoneLoss``: so much that the
    figure is still there without ``lost`` zones. A zone of weight 0 gets nothing.

    ``fixed`` holds what zones have for themselves, by REPLICAS, MINIMUM and MAXIMUM: an entry for each zone, None where
    it has nothing. Without any figure of its own for a purpose, that purpose is not among them.
    """

    __slots__ = ("fixed", "lost", "memory", "mode", "weights")

    def __init__(
        self, mode: str, weights: Sequence[int], lost: int, fixed: Mapping[str, Sequence[int | None]] | None = None
    ) -> None:
        self.mode = mode
        self.weights = weights
        self.lost = lost
        self.fixed = fixed or {}
        #: What origins remember of it.
        self.memory = FIXED if mode == SPLIT and any(None not in own for own in self.fixed.values()) else mode

    def __call__(self, figure: int) -> list[int]:
        """Return the shares of a figure that no zone has one of its own for."""
        if self.mode == SPLIT:
            return split(figure, self.weights)
        left = 1 if self.mode == EACH else sum(1 for weight in self.weights if weight) - self.lost
        return [-(-figure // left) if weight else 0 for weight in self.weights]

    def of(self, purpose: str, figure: int, obj: KubeObject, field: str, results: Results) -> list[int]:
        """Return the shares of a figure around what zones have for themselves; ``field`` of ``obj`` is where it is.

        Raises:
            ObjectError: it cannot be shared out so.
        """
        if purpose not in self.fixed:
            return self(figure)
        from .fixed import shares  # noqa: PLC0415 - few Placements fix a figure

        return shares(self, purpose, figure, obj, field, results)

    def like(self, figure: int, shares: Sequence[int]) -> list[int]:
        """Return the shares of a figure that counts some of the pods, where ``shares`` are all of them.

        Weights say the same, unless a zone has a figure of its own.
        """
        return split(figure, shares) if self.fixed and self.mode == SPLIT and any(shares) else self(figure)


def scaled_up(figure: int, share: int, total: int) -> int:
    """Return ``figure`` of ``total`` for a share of it, rounded up as Kubernetes rounds maxSurge."""
    return -(-figure * share // total) if total else figure


def scaled_down(figure: int, share: int, total: int) -> int:
    """Return ``figure`` of ``total`` for a share of it, rounded down as Kubernetes rounds maxUnavailable."""
    return figure * share // total if total else figure


def is_percentage(value: Data) -> bool:
    """Whether an IntOrString is a percentage."""
    return isinstance(value, str) and value.endswith("%") and value[:-1].isdigit()
