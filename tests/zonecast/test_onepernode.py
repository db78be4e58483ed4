"""One pod per node, and a rollout that can live with it."""

from __future__ import annotations

import pytest
from yamls import deployment, obj, place, pod_spec, said

from krmfn import KubeObject

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def strategy(text: str) -> KubeObject:
    """Return a Deployment with a strategy."""
    return deployment(replicas=f"replicas: 3\n  strategy: {{{text}}}")


def test_the_term_selects_its_own_labels() -> None:
    """By matchLabels, which label transformers follow, and without the zone's label: copies share no node."""
    placed = place("zones: [a, b]\nonePodPerNode: true", deployment(labels="app: web, tier: front"))
    term = {
        "labelSelector": {"matchLabels": {"app": "web", "tier": "front"}},
        "topologyKey": "kubernetes.io/hostname",
    }
    for name in ("web-a", "web-b"):
        assert pod_spec(placed, name)["affinity"]["podAntiAffinity"][REQUIRED] == [term]


def test_a_term_that_is_there_is_not_added_again() -> None:
    """Self anti-affinity on the node that the source has already, spelled in its own way."""
    term = "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}"
    text = f"affinity: {{podAntiAffinity: {{{REQUIRED}: [{term}]}}}}"
    obj_ = deployment(text, replicas="strategy: {type: Recreate}")
    place("onePodPerNode: true", obj_)
    assert text in obj_.text


@pytest.mark.parametrize(
    "text", ["", "type: RollingUpdate", "rollingUpdate: {maxSurge: 1}", "rollingUpdate: {maxUnavailable: 1}"]
)
def test_a_surging_strategy_needs_a_spare_node(text: str) -> None:
    """The default surges as well: a Warning says what a rollout needs."""
    assert (
        "a rollout needs a spare node"
        in said(place("onePodPerNode: true", strategy(text)).results, "warning")[0]
    )


@pytest.mark.parametrize(
    "text", ["type: Recreate", "rollingUpdate: {maxSurge: 0}", 'rollingUpdate: {maxSurge: "0%"}']
)
def test_a_strategy_that_makes_room_first(text: str) -> None:
    """Nothing to warn of."""
    assert not said(place("onePodPerNode: true", strategy(text)).results, "warning")


@pytest.mark.parametrize(
    "text", ["", "type: RollingUpdate", "rollingUpdate: {maxSurge: 3, maxUnavailable: 0}"]
)
def test_fix_strategy(text: str) -> None:
    """A maxSurge of 0 and a maxUnavailable of 1 take the place of what was there."""
    fixed = (
        place("onePodPerNode: {fixStrategy: true}", strategy(text)).items[0].nested_map("spec", "strategy")
    )
    assert fixed == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}


def test_fix_strategy_leaves_recreate_alone() -> None:
    """It stops the old pod first, whatever a rollout is allowed."""
    recreate = place("onePodPerNode: {fixStrategy: true}", strategy("type: Recreate")).items[0]
    assert recreate.nested_map("spec", "strategy") == {"type": "Recreate"}


def test_a_stateful_set_has_no_surge() -> None:
    """Its pods are replaced one by one, each on its name: no Warning, no strategy."""
    text = deployment(replicas="").text.replace("kind: Deployment", "kind: StatefulSet")
    placed = place("targets: [{kind: StatefulSet}]\nonePodPerNode: {fixStrategy: true}", obj(text))
    assert "strategy" not in placed.items[0].text
    assert not said(placed.results, "warning")


def test_preferred_is_a_hint() -> None:
    """Weight 100, and no word about the strategy: the scheduler may double up."""
    placed = place("onePodPerNode: {mode: Preferred}", deployment())
    preferred = pod_spec(placed, "web")["affinity"]["podAntiAffinity"][
        "preferredDuringSchedulingIgnoredDuringExecution"
    ]
    assert preferred[0]["weight"] == 100
    assert not said(placed.results, "warning")


def rollout(strategy: str) -> KubeObject:
    """Return a Rollout with a strategy."""
    text = deployment(replicas=f"strategy: {strategy}").text.replace("kind: Deployment", "kind: Rollout")
    return obj(text.replace("apps/v1", "argoproj.io/v1alpha1"))


@pytest.mark.parametrize("text", ["{canary: {}}", "{canary: {maxSurge: 3, maxUnavailable: 0}}", "{canary: {steps: []}}"])
def test_a_canary_is_fixed_as_well(text: str) -> None:
    """A Rollout holds the two figures in its canary; a Warning, where it is not to be fixed."""
    targets = "targets: [{kind: Rollout}]\nonePodPerNode: "
    canary = place(targets + "{fixStrategy: true}", rollout(text)).items[0].nested_map("spec", "strategy", "canary")
    assert (canary["maxSurge"], canary["maxUnavailable"]) == (0, 1)
    assert "needs a spare node" in said(place(targets + "true", rollout(text)).results, "warning")[0]


def test_a_canary_that_is_right_stays() -> None:
    """Nothing to change, and nothing to warn of."""
    source = rollout("{canary: {maxUnavailable: 1, maxSurge: 0}}   # by hand")
    placed = place("targets: [{kind: Rollout}]\nonePodPerNode: {fixStrategy: true}", source)
    assert "{canary: {maxUnavailable: 1, maxSurge: 0}}   # by hand" in placed.items[0].text
    assert not said(placed.results, "warning")


@pytest.mark.parametrize("text", ["{blueGreen: {activeService: web}}", "{canary: {trafficRouting: {smi: {}}}}"])
def test_two_versions_side_by_side(text: str) -> None:
    """Whatever the figures, each new pod needs a node of its own while the old ones run: a Warning, no edit."""
    placed = place("targets: [{kind: Rollout}]\nonePodPerNode: {fixStrategy: true}", rollout(text))
    assert text in placed.items[0].text
    assert "side by side" in said(placed.results, "warning")[0]
