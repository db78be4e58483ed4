"""Whether a run did its work: a fast function that drops Deployments is no function.

The outputs are read with regular expressions that know the layout of ``inputs``, so that nothing
that is measured here also judges itself.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inputs import ZONES

if TYPE_CHECKING:
    from collections.abc import Callable

_KIND = re.compile(r"^(?:  |- )kind: (\S+)$", re.MULTILINE)
_NAME = re.compile(r"^    name: (\S+)$", re.MULTILINE)
_FIGURE = re.compile(r"^    (replicas|minReplicas|maxReplicas): (\d+)$", re.MULTILINE)
_PIN = re.compile(r"""^ +topology\.kubernetes\.io/zone: ["']?([\w-]+)["']?$""", re.MULTILINE)
_AFTER_ITEMS = re.compile(r"^(?:functionConfig|results):", re.MULTILINE)
_FANNED_OUT = ("Deployment", "HorizontalPodAutoscaler")


@dataclass
class Totals:
    """What can be counted in a list: items by kind, sums of the figures, pins by zone."""

    kinds: Counter[str]
    figures: Counter[str]
    pins: Counter[str]

    def difference(self, other: Totals) -> str | None:
        """Say in one line where ``other`` differs, or None."""
        for name, mine in vars(self).items():
            theirs = vars(other)[name]
            if mine != theirs:
                return f"{name} should be {dict(mine)}, are {dict(theirs)}"
        return None


def cut(text: str) -> list[str]:
    """Return the items of a list in this layout, each with its closing line break."""
    body = _AFTER_ITEMS.split(text, maxsplit=1)[0]
    return [f"- {item}\n" for item in body.rstrip("\n").split("\n- ")[1:]]


def count(items: list[str]) -> Totals:
    """Count what is in ``items``."""
    text = "".join(items)
    figures: Counter[str] = Counter()
    for name, figure in _FIGURE.findall(text):
        figures[name] += int(figure)
    return Totals(Counter(_KIND.findall(text)), figures, Counter(_PIN.findall(text)))


def placed(items: list[str], names: str) -> Callable[[str], str | None]:
    """Return the check of zonecast's output for ``items`` and the target ``names``.

    Totals stay, each touched Deployment and its autoscaler is there once per zone, and every other
    item is the same bytes in the same order.
    """
    touched = [item for item in items if _is_touched(item, names)]
    others = [item for item in items if not _is_touched(item, names)]
    expected = count(items)
    kinds = count(touched).kinds
    for kind, number in kinds.items():
        expected.kinds[kind] += number * (len(ZONES) - 1)
    if kinds["Deployment"]:
        expected.pins.update(dict.fromkeys(ZONES, kinds["Deployment"]))

    def check(text: str) -> str | None:
        written = cut(text)
        return expected.difference(count(written)) or _missing(others, written)

    return check


def pinned(items: list[str]) -> Callable[[str], str | None]:
    """Return the check of the peer's output: every Deployment in the first zone, nothing else."""
    expected = count(items)
    expected.pins[ZONES[0]] = expected.kinds["Deployment"]

    def check(text: str) -> str | None:
        return expected.difference(count(cut(text)))

    return check


def _is_touched(item: str, names: str) -> bool:
    kind, name = _KIND.search(item), _NAME.search(item)
    if not kind or not name or kind[1] not in _FANNED_OUT:
        return False
    return re.fullmatch(names, name[1]) is not None


def _missing(others: list[str], written: list[str]) -> str | None:
    """Return which of ``others`` is not in ``written``, in this order."""
    rest = iter(written)
    for item in others:
        if item not in rest:
            return f"an item that is no target was changed or moved:\n{item}"
    return None
