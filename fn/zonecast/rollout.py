"""One zone after the other: Argo CD applies waves in order, and goes on when one is healthy."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.kubeobject import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn import KubeObject
    from krmfn.scan import Data

    from .origin import Origin

WAVE = ("metadata", "annotations", "argocd.argoproj.io/sync-wave")


def own_wave(source: KubeObject) -> dict[str, Data]:
    """Return the wave of a source, for its copies' origin; nothing where it has none."""
    wave = source.annotation(WAVE[-1])
    if not wave:
        return {}
    try:
        int(wave)
    except ValueError:
        message = f'"{wave}" is no whole number: the waves of the zones count on from it'
        raise ObjectError(message, source, dotted(WAVE)) from None
    return {"wave": wave}


def waves(origin: Origin, count: int) -> Sequence[str]:
    """Return the wave of each zone: the source's own, 0 if it has none, plus the index of the zone."""
    first = int(str(origin.settings.get("wave", "0")))
    return [str(first + i) for i in range(count)]


def undone(origin: Origin) -> dict[tuple[str, ...], Data]:
    """Return the edit that gives copies the source's own wave again."""
    return {WAVE: origin.settings.get("wave")} if "rollout" in origin.settings else {}
