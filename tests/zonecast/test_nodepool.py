"""Tolerations and labels of a pool, from wherever it is described."""

from __future__ import annotations

import pytest
from yamls import listed, obj, placement

from krmfn import ConfigError, KubeObject
from zonecast.nodepool import Pool, resolve

CLUSTER = """
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: prod}
managedNodeGroups:
- name: web
  labels: {pool: web, size: 4}
  taints: [{key: dedicated, value: web, effect: NoSchedule}, {key: spot, effect: NoExecute}]
nodeGroups:
- name: old
  taints: {dedicated: "web:NoSchedule", odd: "a:b:NoExecute"}
- name: bare
"""
KARPENTER = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    metadata: {labels: {pool: web}}
    spec:
      requirements:
      - {key: capacity, operator: In, values: [spot]}
      - {key: arch, operator: In, values: [amd64, arm64]}
      - {key: gpu, operator: NotIn, values: ["true"]}
      - {key: cpu, operator: Gt, values: ["3"]}
      taints: [{key: dedicated, value: web, effect: NoSchedule}]
      startupTaints: [{key: starting, effect: NoExecute}]
"""
WEB = {"key": "dedicated", "operator": "Equal", "value": "web", "effect": "NoSchedule"}


def pool(spec: str, *objects: KubeObject) -> Pool:
    """Return the pool that a spec describes."""
    wanted = placement(spec).spec.node_pool
    assert wanted is not None
    return resolve(listed(*objects), wanted)


def test_a_toleration_for_each_taint() -> None:
    """Equal with the taint's value, Exists where it has none (an empty value is none)."""
    found = pool(
        """
        nodePool:
          labels: {pool: web}
          taints:
          - {key: dedicated, value: web, effect: NoSchedule}
          - {key: spot, effect: NoExecute}
          - {key: empty, value: "", effect: PreferNoSchedule}
        """
    )
    assert found.labels == {"pool": "web"}
    assert found.tolerations == [
        WEB,
        {"key": "spot", "operator": "Exists", "effect": "NoExecute"},
        {"key": "empty", "operator": "Exists", "effect": "PreferNoSchedule"},
    ]


def test_eksctl_managed_group() -> None:
    """Labels are strings, whatever their spelling; taints are a list."""
    found = pool("nodePool: {ref: {kind: ClusterConfig, name: prod, nodeGroup: web}}", obj(CLUSTER))
    assert found.labels == {"pool": "web", "size": "4"}
    assert found.tolerations == [WEB, {"key": "spot", "operator": "Exists", "effect": "NoExecute"}]


def test_eksctl_taints_as_a_map() -> None:
    """The older form is ``key: "value:Effect"``; the effect stands behind the last colon."""
    found = pool("nodePool: {ref: {kind: ClusterConfig, name: prod, nodeGroup: old}}", obj(CLUSTER))
    assert found.tolerations == [
        WEB,
        {"key": "odd", "operator": "Equal", "value": "a:b", "effect": "NoExecute"},
    ]


def test_eksctl_object_is_kept_off_the_cluster() -> None:
    """It is no API object: it stays in the list, marked local-config."""
    cluster = obj(CLUSTER)
    pool("nodePool: {ref: {kind: ClusterConfig, name: prod, nodeGroup: bare}}", cluster)
    assert cluster.is_local_config


def test_karpenter_pool() -> None:
    """Labels and requirements with one value are pins, a choice is none; startupTaints are gone in time."""
    text = obj(KARPENTER)
    found = pool("nodePool: {ref: {kind: NodePool, name: web}}", text)
    assert found.labels == {"pool": "web", "capacity": "spot"}
    assert found.tolerations == [WEB]
    assert text.text == obj(KARPENTER).text


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("{kind: ClusterConfig, name: prod, nodeGroup: wbe}", "found: prod/web, prod/old, prod/bare"),
        ("{kind: ClusterConfig, name: test, nodeGroup: web}", "found: prod/web, prod/old, prod/bare"),
        ("{kind: NodePool, name: wbe}", "found: web"),
    ],
)
def test_a_reference_that_leads_nowhere(ref: str, found: str) -> None:
    """The Error lists the pools that are there."""
    with pytest.raises(ConfigError, match=found):
        pool(f"nodePool: {{ref: {ref}}}", obj(CLUSTER), obj(KARPENTER))


def test_no_pool_at_all() -> None:
    """With none to list, that is said."""
    with pytest.raises(ConfigError, match="found: none"):
        pool("nodePool: {ref: {kind: NodePool, name: web}}")


def test_a_pool_of_another_group_is_another_kind() -> None:
    """NodePool is a kind of other APIs too (Google's, Hypershift's)."""
    other = obj(KARPENTER.replace("karpenter.sh/v1", "hypershift.openshift.io/v1beta1"))
    with pytest.raises(ConfigError, match="found: none"):
        pool("nodePool: {ref: {kind: NodePool, name: web}}", other)
