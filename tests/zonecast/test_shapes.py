"""An object that the API server would refuse is an Error about that object, never "this is a bug"."""

from __future__ import annotations

import pytest
from yamls import deployment, place

from krmfn import KubeObject
from krmfn.main import run
from zonecast.pipeline import run as zonecast

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
KEY = "topologyKey: topology.kubernetes.io/zone"
SPEC = """
zones: [a, b]
podSpec:
  tolerations: [{key: dedicated, operator: Exists}]
  nodeSelector: {disk: ssd}
  topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway}]
"""


def anti(term: str) -> str:
    """Return required anti-affinity with one term."""
    return f"affinity: {{podAntiAffinity: {{{REQUIRED}: [{term}]}}}}"


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"{field}: [x]"
            for field in ("tolerations", "volumes", "topologySpreadConstraints", "nodeSelector")
        ),
        *(f"{field}: {{a: b}}" for field in ("tolerations", "volumes", "topologySpreadConstraints")),
        *(f"{field}: x" for field in ("tolerations", "volumes", "topologySpreadConstraints", "nodeSelector")),
        anti("x"),
        anti(f"{{{KEY}, labelSelector: x}}"),
        anti(f"{{{KEY}, labelSelector: {{matchExpressions: [{{key: a, operator: In, values: 3}}]}}}}"),
        f"affinity: {{podAntiAffinity: {{{REQUIRED}: 3}}}}",
        f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [x]}}}}}}",
        f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: 3}}}}}}",
        f"affinity: {{nodeAffinity: {{{REQUIRED}: [x]}}}}",
    ],
)
def test_pod_specs_of_another_shape(text: str) -> None:
    """A string or a list where a mapping should be, and the other way round."""
    check(deployment(text))


@pytest.mark.parametrize(
    "old",
    ["matchLabels: {app: web}", "labels: {app: web}", "selector:\n    matchLabels: {app: web}"],
)
@pytest.mark.parametrize("new", ["[x]", "x", "3"])
def test_labels_of_another_shape(old: str, new: str) -> None:
    """Labels and selectors that are no mappings."""
    text = deployment().text
    assert old in text
    check(KubeObject(text.replace(old, f"{old.partition(':')[0]}: {new}")))


@pytest.mark.parametrize("strategy", ["x", "[x]", "{rollingUpdate: x}", "{rollingUpdate: [1]}"])
def test_strategies_of_another_shape(strategy: str) -> None:
    """Strategies that are no mappings."""
    check(deployment(replicas=f"replicas: 2\n  strategy: {strategy}"))


def check(obj: KubeObject) -> None:
    """Run on one object: it ends well, or with an Error that names the object."""
    lines = "".join(f"  {line}\n" if line.strip() else "" for line in obj.text.split("\n"))
    spec = "".join(f"    {line}\n" for line in SPEC.strip().split("\n"))
    outcome = run(
        zonecast,
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- "
        + lines[2:]
        + "functionConfig:\n"
        "  apiVersion: zonecast.dev/v1alpha1\n  kind: Placement\n  metadata: {name: shop}\n  spec:\n" + spec,
    )
    assert "this is a bug" not in outcome.stderr
    assert not outcome.code or "Deployment shop/web (item 0)" in outcome.stderr


def test_the_shape_that_is_right() -> None:
    """The Deployment that these are made of is fine."""
    assert len(place(SPEC, deployment())) == 2
