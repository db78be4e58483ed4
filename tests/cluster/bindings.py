"""How long a binding takes with the deletion-cost policy, and without: a part of ``make bench``.

``python -m tests.cluster.bindings`` starts a cluster, measures for about a minute, prints a table and takes the cluster
down. Milliseconds differ from machine to machine; what says something is the ratio, of bindings in one run.
"""

from __future__ import annotations

import copy
import statistics
import sys
import tempfile
import time
from pathlib import Path

from . import controlplane
from .api import Json
from .kyverno import Kyverno
from .rendered import Example, of_kind
from .sandbox import Sandbox
from .toolbox import REPOSITORY

ROUNDS, PODS = 4, 50
NODE = "hybrid-1"
WITHOUT = "without the policy"
VALUES = REPOSITORY / "overlays" / "kyverno" / "values.yaml"


def main() -> None:
    """Measure the bindings of the target and of another application, policy on and off."""
    with tempfile.TemporaryDirectory() as folder:
        plane = controlplane.up(Path(folder))
        try:
            kyverno = Kyverno(plane, [VALUES])
            kyverno.start()
            sandbox = Sandbox(plane, "bindings")
            sandbox.add_nodes(NODE, labels={"eks.amazonaws.com/compute-type": "hybrid"})
            _measure(sandbox, kyverno)
        finally:
            plane.processes.stop()


def _measure(sandbox: Sandbox, kyverno: Kyverno) -> None:
    """Take turns, so that whatever else the machine does falls on all of them."""
    rendered = Example.read("03-cloud-bursting").placed_in(sandbox.namespace).render()
    (target,) = of_kind("Deployment", rendered)
    (policy,) = of_kind("MutatingPolicy", rendered)
    sandbox.apply(item for item in rendered if item["kind"] == "ClusterRole")
    times: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        times.setdefault(WITHOUT, []).extend(_bind(sandbox, target))
        sandbox.apply([policy])
        kyverno.wait_until_ready(policy)
        times.setdefault("with it, a pod of the target", []).extend(_bind(sandbox, target))
        times.setdefault("with it, another application's", []).extend(_bind(sandbox, _another(target)))
        sandbox.api.delete(sandbox.path(policy, named=True))
    _print(times)


def _print(times: dict[str, list[float]]) -> None:
    """Print the table; the ratio is the one of the medians."""
    bare = statistics.median(times[WITHOUT])
    sys.stdout.write(f"{'a binding':32} {'median':>9} {'p90':>9} {'ratio':>6}\n")
    for what, taken in times.items():
        median, ninth = statistics.median(taken), statistics.quantiles(taken, n=10)[-1]
        sys.stdout.write(f"{what:32} {median:6.1f} ms {ninth:6.1f} ms {median / bare:6.2f}\n")


def _bind(sandbox: Sandbox, deployment: Json) -> list[float]:
    """Bind the pods of a Deployment one after the other, as a scheduler would; milliseconds."""
    waiting = copy.deepcopy(deployment)
    waiting["spec"]["replicas"] = PODS
    waiting["spec"]["template"]["spec"]["schedulerName"] = "nobody"
    sandbox.apply([waiting])
    taken = [_bind_one(sandbox, pod.name) for pod in sandbox.existing(PODS)]
    sandbox.scale(waiting["metadata"]["name"], 0)
    sandbox.running(0)
    return taken


def _bind_one(sandbox: Sandbox, pod: str) -> float:
    """Bind one pod."""
    binding: Json = {
        "apiVersion": "v1",
        "kind": "Binding",
        "metadata": {"name": pod, "namespace": sandbox.namespace},
        "target": {"apiVersion": "v1", "kind": "Node", "name": NODE},
    }
    begin = time.perf_counter()
    sandbox.api.create(f"{sandbox.view.path}/{pod}/binding", binding)
    return (time.perf_counter() - begin) * 1000


def _another(deployment: Json) -> Json:
    """Make a Deployment that the policy is not about."""
    other = copy.deepcopy(deployment)
    other["metadata"]["name"] = "another"
    return other


if __name__ == "__main__":
    main()
