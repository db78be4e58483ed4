"""DaemonSets that must run on a tainted pool too."""

from __future__ import annotations

from typing import Any

import pytest
from yamls import deployment, obj, place, said

from krmfn import KubeObject, ResourceList

POOL = "nodePool: {labels: {pool: web}, taints: [{key: dedicated, value: web, effect: NoSchedule}]}\n"
WEB = {"key": "dedicated", "operator": "Equal", "value": "web", "effect": "NoSchedule"}


def daemon(name: str, pod_spec: str = "", labels: str = "") -> KubeObject:
    """Return a DaemonSet."""
    return obj(
        f"""
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {{name: {name}, namespace: shop, labels: {{{labels}}}}}
        spec:
          selector: {{matchLabels: {{app: {name}}}}}
          template:
            metadata: {{labels: {{app: {name}}}}}
            spec: {{containers: [{{name: x, image: x}}]{pod_spec}}}
        """
    )


def tolerations(resources: ResourceList) -> dict[str, list[Any]]:
    """Return the tolerations of each DaemonSet."""
    found = resources.where(kind="DaemonSet")
    return {each.name: each.nested_slice("spec", "template", "spec", "tolerations") for each in found}


def test_the_pools_taints_and_no_more() -> None:
    """The pool's taints; never its labels: a DaemonSet is not pinned."""
    placed = place(POOL + "daemonSets: {tolerate: NodePool}", deployment(), daemon("logs"))
    assert tolerations(placed) == {"logs": [WEB]}
    assert "nodeSelector" not in placed.where(kind="DaemonSet")[0].text


def test_all_is_the_bare_exists() -> None:
    """Every taint there is, with no pool at all."""
    assert tolerations(place("daemonSets: {tolerate: All}", daemon("logs"))) == {
        "logs": [{"operator": "Exists"}]
    }


@pytest.mark.parametrize("spec", ["daemonSets: {tolerate: All}", POOL + "daemonSets: {tolerate: NodePool}"])
def test_one_that_tolerates_everything_is_left_alone(spec: str) -> None:
    """Covered already: nothing to add."""
    placed = place(spec, deployment(), daemon("logs", ", tolerations: [{operator: Exists}]"))
    assert tolerations(placed) == {"logs": [{"operator": "Exists"}]}


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ("", ["logs", "metrics"]),
        (", targets: [{name: logs}]", ["logs"]),
        (", targets: [{labelSelector: tier=node}]", ["metrics"]),
        (", targets: []", []),
    ],
)
def test_which_daemon_sets(more: str, names: list[str]) -> None:
    """Every one, or those of daemonSets.targets, whose default kind is DaemonSet."""
    placed = place(
        f"daemonSets: {{tolerate: All{more}}}", daemon("logs"), daemon("metrics", labels="tier: node")
    )
    assert [name for name, found in tolerations(placed).items() if found] == names


def test_exclude_holds_for_daemon_sets() -> None:
    """Exclude wins over every target; for a DaemonSet it must say the kind."""
    placed = place(
        "exclude: [{kind: DaemonSet, name: logs}]\ndaemonSets: {tolerate: All}",
        daemon("logs"),
        daemon("metrics"),
    )
    assert tolerations(placed) == {"logs": [], "metrics": [{"operator": "Exists"}]}


def test_none_there_is_a_warning() -> None:
    """The section finds nothing to do: said, and no Error, since a base may have no DaemonSet yet."""
    warnings = said(place(POOL + "daemonSets: {tolerate: NodePool}", deployment()).results, "warning")
    assert any("daemonSets matches no DaemonSet" in each for each in warnings)


def test_other_sections_do_not_reach_daemon_sets() -> None:
    """Only targets or daemonSets name them: a mutation that hits them by accident is a known accident."""
    placed = place(
        POOL + "onePodPerNode: true\npodSpec: {priorityClassName: high}", deployment(), daemon("logs")
    )
    assert placed.where(kind="DaemonSet")[0].text == daemon("logs").text
