"""What fights a pin is dropped, nothing else."""

from __future__ import annotations

import pytest
from yamls import said, workload

from krmfn import Results
from zonecast.conflicts import drop_conflicts

ZONE = "topology.kubernetes.io/zone"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def spread(key: str, rest: str) -> str:
    """Return one spread constraint."""
    return f"topologySpreadConstraints: [{{maxSkew: 1, topologyKey: {key}, whenUnsatisfiable: {rest}}}]"


def preferred(selector: str) -> str:
    """Return preferred anti-affinity over zones, of one term."""
    term = f"{{topologyKey: {ZONE}, labelSelector: {selector}}}"
    return f"affinity: {{podAntiAffinity: {{{PREFERRED}: [{{weight: 1, podAffinityTerm: {term}}}]}}}}"


def after(text: str, labels: str = "app: web") -> tuple[str, list[str]]:
    """Return the text of a Deployment without its conflicts, and what was said."""
    target, results = workload(text, labels=labels), Results()
    drop_conflicts(target, ZONE, results)
    return target.obj.text, said(results, "info")


def anti(selector: str, key: str = ZONE, more: str = "") -> str:
    """Return required anti-affinity of one term."""
    return f"affinity: {{podAntiAffinity: {{{REQUIRED}: [{{topologyKey: {key}{selector}{more}}}]}}}}"


@pytest.mark.parametrize(
    "text",
    [
        spread(ZONE, "DoNotSchedule, minDomains: 3"),
        spread(ZONE, "ScheduleAnyway"),
        anti(", labelSelector: {matchLabels: {app: web}}"),
        anti(", labelSelector: {matchExpressions: [{key: app, operator: In, values: [web, api]}]}"),
        anti(", labelSelector: {}"),
        anti(", labelSelector: {matchLabels: {app: web}}", more=", namespaces: [shop, other]"),
        anti(", labelSelector: {matchLabels: {app: web}}", more=", namespaceSelector: {}"),
        preferred("{matchLabels: {app: web}}"),
    ],
)
def test_what_fights_the_pin_goes(text: str) -> None:
    """Spread over zones, and anti-affinity to its own pods over zones, leave no trace but an Info."""
    left, told = after(text)
    assert left == workload().obj.text
    assert len(told) == 1
    assert f"dropped 1 on {ZONE}" in told[0]


@pytest.mark.parametrize(
    "text",
    [
        spread("kubernetes.io/hostname", "DoNotSchedule"),
        preferred("{matchLabels: {app: api}}"),
        anti(", labelSelector: {matchLabels: {app: web}}", "kubernetes.io/hostname"),
        anti(", labelSelector: {matchLabels: {app: api}}"),
        anti(", labelSelector: {matchExpressions: [{key: app, operator: NotIn, values: [web]}]}"),
        anti(", labelSelector: {matchLabels: {app: web}}", more=", namespaces: [other]"),
        anti(""),
    ],
)
def test_everything_else_stays(text: str) -> None:
    """Other keys, applications and namespaces; a term without a selector matches no pod at all."""
    assert after(text) == (workload(text).obj.text, [])


def test_neighbours_keep_their_text() -> None:
    """Only the entry goes: comments and spelling of those beside it are the same."""
    left, _ = after(
        f"""
        topologySpreadConstraints:
        - {{maxSkew: 1, topologyKey: {ZONE}, whenUnsatisfiable: DoNotSchedule}}
        # about nodes
        - {{maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: ScheduleAnyway}}   # stays
        """
    )
    assert ZONE not in left
    assert "# about nodes\n" in left
    assert (
        "- {maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: ScheduleAnyway}   # stays\n"
        in left
    )
