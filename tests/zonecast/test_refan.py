"""A second run: a re-fan equals a fresh fan-out, for every list and every change of the zones."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from krmfn.main import run
from krmfn.testing import item_texts
from zonecast.pipeline import run as zonecast

HPA = """\
- apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata: {name: scaler, namespace: shop}   # of web
  spec:
    minReplicas: 3
    maxReplicas: 11
    scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
"""
SCALED_OBJECT = """\
- apiVersion: keda.sh/v1alpha1
  kind: ScaledObject
  metadata: {name: scaler, namespace: shop}
  spec:
    scaleTargetRef: {name: web}
    idleReplicaCount: 0
    minReplicaCount: 4
    maxReplicaCount: 12   # in all
    fallback: {failureThreshold: 3, replicas: 5}
    triggers:
    - {type: cron, metadata: {desiredReplicas: "7"}}
"""
OTHER = """\
- apiVersion: v1
  kind: Service
  metadata: {name: web, namespace: shop}
  spec: {selector: {app: web}}
"""
BUDGETS = [
    "",
    *(
        f"- apiVersion: policy/v1\n  kind: PodDisruptionBudget\n  metadata: {{name: web, namespace: shop}}   # one\n"
        f"  spec:\n    {figure}\n    selector: {{matchLabels: {{app: web}}}}\n"
        for figure in ("minAvailable: 3", "maxUnavailable: 2", "maxUnavailable: 25%")
    ),
]
TRAFFIC = [
    "{selector: {app: web}}",
    "{selector: {app: web}, clusterIP: None}",
    "{selector: {app: web}, trafficDistribution: PreferClose}   # by hand",
    "{selector: {app: web}, trafficDistribution: PreferSameZone}",
]
CONSTRAINT = "{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}"
SPREAD = f"        topologySpreadConstraints: [{CONSTRAINT}]\n"
TOLERANT = "        tolerations: [{operator: Exists}]   # everywhere\n"
WAVE = "    annotations: {argocd.argoproj.io/sync-wave: '3'}\n"
NODE = "        affinity:\n          nodeAffinity:\n"
EXPRESSIONS = "matchExpressions: [{key: disk, operator: In, values: [ssd]}]"
AFFINITY = f"""{NODE}            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - {EXPRESSIONS}
              - matchFields: [{{key: metadata.name, operator: In, values: [n1]}}]   # by name
"""
HINT = f"""{NODE}            preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 1
              preference:
                {EXPRESSIONS}
"""
CONTAINERS = [
    "        containers: [{name: web, image: example.com/web}]\n",
    (
        "        containers:\n        - name: web\n          env:\n          - name: ZONE\n            value: none   # yet\n"
        "        initContainers:\n        - name: init\n          image: example.com/web\n"
    ),
    "        containers:\n        - name: web\n          env: [{name: LANG, value: C}]\n          image: example.com/web\n",
    (
        "        containers:\n        - name: web\n          env: [{name: ZONE, value: none}]\n        - name: side\n"
        "          env:\n          - valueFrom:   # of the node\n              fieldRef: {fieldPath: 'spec.nodeName'}\n"
        "            name: ZONE\n"
    ),
]


@st.composite
def sources(draw: st.DrawFn) -> str:
    """Draw the items of a list: a Deployment with this and that, perhaps an autoscaler and others around."""
    surge, unavailable = draw(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any))
    rolling = f"      rollingUpdate: {{maxSurge: {surge}, maxUnavailable: {unavailable}}}\n"
    text = (
        "- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: web\n    namespace: shop\n"
        + draw(
            st.sampled_from(
                ["", "    labels: {app: web}\n", "    annotations:\n      note: 'kept'   # by hand\n", WAVE]
            )
        )
        + "  spec:\n"
        + draw(st.sampled_from(["", *(f"    replicas: {n}\n" for n in (0, 1, 2, 5, 7, 12))]))
        + draw(st.sampled_from(["", "    strategy: {type: Recreate}\n", "    strategy:\n" + rolling]))
        + draw(
            st.sampled_from(
                [
                    "    selector: {matchLabels: {app: web}}\n",
                    "    selector: {matchExpressions: [{key: app, operator: Exists}]}\n",
                ]
            )
        )
        + "    template:\n      metadata: {labels: {app: web}}\n      spec:\n"
        + draw(st.sampled_from(["", "        nodeSelector: {disk: ssd}\n", SPREAD, TOLERANT, AFFINITY, HINT]))
        + draw(st.sampled_from(CONTAINERS))
    )
    before, after = draw(st.booleans()), draw(st.booleans())
    service = OTHER.replace("{selector: {app: web}}", draw(st.sampled_from(TRAFFIC)))
    text = service * before + text + draw(st.sampled_from(["", HPA, SCALED_OBJECT])) + draw(st.sampled_from(BUDGETS))
    return text + OTHER.replace("name: web", "name: api") * after


TOLERATION = {"key": "spot", "operator": "Exists", "effect": "NoSchedule"}
FIGURES: dict[str, st.SearchStrategy[Any]] = {
    "replicas": st.integers(0, 3),
    "minReplicas": st.integers(0, 2),
    "maxReplicas": st.integers(2, 5),
}
OWN: dict[str, st.SearchStrategy[Any]] = {
    "nodeSelector": st.sampled_from([{"disk": "nvme"}, {"pool": "a"}, {"pool": "b", "arch": "arm64"}]),
    "tolerations": st.sampled_from([[TOLERATION], [TOLERATION, {"key": "gpu", "operator": "Exists"}]]),
}


@st.composite
def zones(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw zones in any order, with weights and suffixes."""
    names = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True))
    found: list[dict[str, Any]] = [{"name": name, "weight": draw(st.integers(0, 3))} for name in names]
    assume(any(zone["weight"] for zone in found))
    for zone in found:
        if draw(st.booleans()):
            zone["suffix"] = f"{zone['name']}{draw(st.integers(1, 2))}"
        zone.update(draw(st.fixed_dictionaries({}, optional=OWN)))
        if draw(st.integers(0, 2)) == 2:
            zone.update(draw(st.fixed_dictionaries({}, optional=FIGURES)))
    return found


@st.composite
def specs(draw: st.DrawFn) -> dict[str, Any]:
    """Draw zones and how they are fanned out."""
    options = {
        "topologyKey": st.sampled_from(["topology.kubernetes.io/zone", "example.com/rack"]),
        "zoneLabel": st.sampled_from(["zonecast.dev/zone", "example.com/zone"]),
        "maxNameLength": st.sampled_from([20, 63]),
        "replicas": st.sampled_from(["Split", "Each", "ZoneLoss"]),
        "pin": st.sampled_from(["NodeSelector", "RequiredAffinity", "PreferredAffinity"]),
        "zoneEnv": st.sampled_from(["ZONE", "RACK"]),
        "rollout": st.just("ZoneByZone"),
        "services": st.sampled_from(["Shared", "SharedPreferSameZone", "PerZone"]),
        "disruptionBudgets": st.sampled_from(["Shared", "PerZone"]),
        "autoscalers": st.sampled_from(["Split", "Copy"]),
    }
    drawn: dict[str, Any] = {"zones": draw(zones()), "fanOut": draw(st.fixed_dictionaries({}, optional=options))}
    drawn["onConflict"] = "Replace"
    # A zone can be lost only where another holds the rest.
    assume(drawn["fanOut"].get("replicas") != "ZoneLoss" or sum(1 for zone in drawn["zones"] if zone["weight"]) > 1)
    return drawn


def listed(items: str, spec: dict[str, Any]) -> str:
    """Return the text of a list."""
    head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
    config = "  apiVersion: zonecast.dev/v1alpha1\n  kind: Placement\n  metadata: {name: shop}\n"
    return f"{head}{items}functionConfig:\n{config}  spec: {json.dumps(spec)}\n"


REFUSED = "refused"


def fan_out(items: str, spec: dict[str, Any]) -> str:
    """Return the text of the items that come of a run; only a figure that a zone has for itself may not fit."""
    outcome = run(zonecast, listed(items, spec), name="zonecast")
    if outcome.code and any(FIGURES.keys() & zone.keys() for zone in spec["zones"]):
        assert "spec.zones[" in outcome.stderr
        assert "this is a bug" not in outcome.stderr
        return REFUSED
    assert outcome.code == 0, outcome.stderr
    return "".join(item_texts(outcome.stdout))


def fanned_out(items: str, spec: dict[str, Any]) -> str:
    """Return the text of the items of a run that is not refused."""
    found = fan_out(items, spec)
    assume(found != REFUSED)
    return found


def forgets(source: str, *specs: dict[str, Any]) -> bool:
    """Whether what an earlier run dropped for a hard pin on its topology key would be there today."""
    zone = "topology.kubernetes.io/zone"
    fans = [spec["fanOut"] for spec in specs]
    dropped = [fan.get("topologyKey", zone) == zone and fan.get("pin") != "PreferredAffinity" for fan in fans]
    return SPREAD in source and any(dropped[:-1]) and not all(dropped)


@settings(max_examples=40, deadline=None)
@given(sources(), specs())
def test_its_own_output_is_a_fixed_point(source: str, spec: dict[str, Any]) -> None:
    """A second run over its own output changes no byte of an item."""
    once = fanned_out(source, spec)
    assert fan_out(once, spec) == once


@settings(max_examples=100, deadline=None)
@given(sources(), specs(), specs())
def test_a_re_fan_equals_a_fresh_fan_out(source: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Zones added, removed, reordered, weighted, renamed: the items are those of a first run."""
    assume(not forgets(source, before, after))
    assert fan_out(fanned_out(source, before), after) == fan_out(source, after)


@settings(max_examples=100, deadline=None)
@given(sources(), st.lists(specs(), min_size=2, max_size=5))
def test_nothing_is_lost_on_the_way(source: str, way: list[dict[str, Any]]) -> None:
    """Any number of changes later, the totals are still the source's and nothing has nested."""
    assume(not forgets(source, *way))
    items = source
    for spec in way:
        items = fanned_out(items, spec)
    assert items == fan_out(source, way[-1])


def staying(spec: dict[str, Any], source: str) -> dict[str, Any]:
    """Return a spec whose sources stay beside their copies."""
    return {**spec, "fanOut": {**spec["fanOut"], "source": source}}


@settings(max_examples=100, deadline=None)
@given(sources(), specs(), specs(), st.sampled_from(["Keep", "Template"]))
def test_a_source_that_stays_is_fanned_out_afresh(
    source: str, before: dict[str, Any], after: dict[str, Any], role: str
) -> None:
    """With the source in the list nothing is forgotten: any change of the Placement equals a first run."""
    once = fanned_out(source, staying(before, role))
    assert fan_out(once, staying(before, role)) == once
    again = fanned_out(once, staying(after, role))
    assert fan_out(again, staying(after, role)) == again
    if before["fanOut"] == after["fanOut"]:
        assert again == fan_out(source, staying(after, role))


@settings(max_examples=60, deadline=None)
@given(sources(), specs(), st.sampled_from(["Keep", "Template"]))
def test_a_cut_over_changes_no_copy(source: str, spec: dict[str, Any], role: str) -> None:
    """The commit that removes a source leaves the copies as they were: nothing is rolled out again."""
    assert fan_out(fanned_out(source, staying(spec, role)), spec) == fan_out(source, spec)
