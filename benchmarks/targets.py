"""What the project promises about speed, and whether a set of measured cases keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from measure import Case

    Cases = Mapping[str, Case]


@dataclass(frozen=True)
class Target:
    """One promise: ``value`` of the measured cases is at most ``limit``."""

    what: str
    unit: str
    limit: float
    needs: tuple[str, ...]
    value: Callable[[Cases], float]
    #: The same of the fastest runs, where ``value`` is of typical ones: shown beside it.
    fastest: Callable[[Cases], float] | None = None

    def is_measured(self, cases: Cases) -> bool:
        """Tell whether this run has the cases that the promise is about (--quick lacks some)."""
        return all(key in cases for key in self.needs)


def _ratio(what: str, case: str, base: str, limit: float, unit: str = "x the Go peer") -> Target:
    def value(cases: Cases) -> float:
        return cases[case].median / cases[base].median

    def fastest(cases: Cases) -> float:
        return cases[case].seconds / cases[base].seconds

    return Target(what, unit, limit, (case, base), value, fastest)


def _linear(variant: str, limit: float) -> Target:
    one, small, large = f"all/{1}", f"{variant}/{1000}", f"{variant}/{10000}"

    def value(cases: Cases) -> float:
        # Without the start-up, which would flatter the larger list.
        per_item = {
            key: (cases[key].seconds - cases[one].seconds) / cases[key].size
            for key in (small, large)
        }
        return per_item[large] / per_item[small]

    what = f"cost of an item, 10,000 against 1,000 ({variant})"
    return Target(what, "x", limit, (one, small, large), value)


def _memory(case: str, limit: float) -> Target:
    def value(cases: Cases) -> float:
        return (cases[case].peak - cases["yaml"].peak) / cases[case].input_size

    what = f"peak memory above the interpreter's ({case})"
    return Target(what, "x the input", limit, ("yaml", case), value)


TARGETS = (
    _ratio("one Deployment", "all/1", "bare", 5.0, "x the bare interpreter"),
    _ratio("1,000 items, a third fanned out", "all/1000", "peer/1000", 0.6),
    _ratio("10,000 items, a third fanned out", "all/10000", "peer/10000", 0.4),
    _ratio("1,000 items, 1 % touched", "rare/1000", "peer/1000", 0.3),
    _ratio("10,000 items, 1 % touched", "rare/10000", "peer/10000", 0.1),
    _linear("all", 1.3),
    _linear("rare", 1.3),
    _memory("all/1000", 12.0),
    _memory("all/10000", 12.0),
    _memory("rare/10000", 12.0),
)
