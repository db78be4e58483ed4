"""A dedicated node pool: tolerations from its taints, a nodeSelector from its labels."""

from __future__ import annotations

from krmfn import ConfigError
from krmfn.hostkeys import LOCAL_CONFIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from .placement import NodePool, PoolRef

_PATH = "spec.nodePool.ref"


class Pool:
    """What a pool asks of pods: ``labels`` for the nodeSelector, ``tolerations`` as in a PodSpec."""

    __slots__ = ("labels", "tolerations")

    def __init__(self, labels: dict[str, str], tolerations: list[dict[str, Data]]) -> None:
        self.labels = labels
        self.tolerations = tolerations


def resolve(resources: ResourceList, pool: NodePool) -> Pool:
    """Return the pool, read from the config or from the object that it refers to.

    Raises:
        ConfigError: the reference leads nowhere; the message lists the pools that are there.
    """
    if pool.ref is None:
        taints = [_toleration(taint.key, taint.value or "", taint.effect) for taint in pool.taints or ()]
        return Pool(dict(pool.labels or {}), taints)
    read = _from_eksctl if pool.ref.kind == "ClusterConfig" else _from_karpenter
    return read(resources, pool.ref)


def _toleration(key: str, value: str, effect: str) -> dict[str, Data]:
    if value:
        return {"key": key, "operator": "Equal", "value": value, "effect": effect}
    return {"key": key, "operator": "Exists", "effect": effect}


def _from_eksctl(resources: ResourceList, ref: PoolRef) -> Pool:
    """Read a node group of an eksctl ClusterConfig (eksctl.io/v1alpha5, schema of managedNodeGroups and nodeGroups)."""
    seen = []
    for config in resources.where(kind="ClusterConfig", group="eksctl.io"):
        for group in _node_groups(config):
            seen.append(f"{config.name}/{group.get('name')}")
            if config.name == ref.name and group.get("name") == ref.node_group:
                # eksctl reads the object; the API server would refuse it.
                config.set_annotation(LOCAL_CONFIG, "true")
                labels = {key: str(value) for key, value in (group.get("labels") or {}).items()}
                return Pool(labels, [_toleration(*taint) for taint in _eksctl_taints(group.get("taints"))])
    raise _nothing(f"ClusterConfig {ref.name} with node group {ref.node_group}", seen)


def _node_groups(config: KubeObject) -> Iterator[dict[str, Data]]:
    for key in ("managedNodeGroups", "nodeGroups"):
        yield from config.nested_slice(key)


def _eksctl_taints(taints: Data) -> Iterator[tuple[str, str, str]]:
    """Yield (key, value, effect); the older form is a mapping ``key: "value:Effect"``."""
    if isinstance(taints, dict):
        for key, text in taints.items():
            value, _, effect = str(text).rpartition(":")
            yield key, value, effect
        return
    for taint in taints or ():
        yield str(taint["key"]), str(taint.get("value") or ""), str(taint["effect"])


def _from_karpenter(resources: ResourceList, ref: PoolRef) -> Pool:
    """Read a Karpenter NodePool (karpenter.sh/v1): a requirement with one value is a label, a choice is no pin."""
    pools = resources.where(kind="NodePool", group="karpenter.sh")
    for pool in pools:
        if pool.name != ref.name:
            continue
        labels = pool.nested_string_map("spec", "template", "metadata", "labels")
        for each in pool.nested_slice("spec", "template", "spec", "requirements"):
            if each.get("operator") == "In" and len(each.get("values") or ()) == 1:
                labels[str(each["key"])] = str(each["values"][0])
        taints = pool.nested_slice("spec", "template", "spec", "taints")
        return Pool(labels, [_toleration(*taint) for taint in _eksctl_taints(taints)])
    raise _nothing(f"NodePool {ref.name}", [pool.name for pool in pools])


def _nothing(wanted: str, seen: list[str]) -> ConfigError:
    return ConfigError([(_PATH, f"no {wanted} in the list; found: {', '.join(seen) or 'none'}")])
