"""What one test has of the cluster: a namespace, nodes of its own, and a view of its pods."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from .api import NOT_FOUND, Api, ApiError, Json
from .plane import ControlPlane
from .pods import Pod, View
from .waiting import eventually


class Sandbox:
    """One test's namespace and nodes; ``close`` leaves the cluster as it was."""

    def __init__(self, plane: ControlPlane, namespace: str) -> None:
        """Create the namespace."""
        self.plane = plane
        self.namespace = namespace
        self.api: Api = plane.api()
        self.view = View(self.api, namespace)
        self._nodes: dict[str, Mapping[str, str]] = {}
        self._applied: list[Json] = []
        self._restarted = 0
        self.api.create("/api/v1/namespaces", {"metadata": {"name": namespace}})

    def close(self) -> None:
        """Delete what was applied, the pods at once, the namespace and the nodes."""
        if self._applied:
            ways = ("--ignore-not-found", "--wait=false", "--filename=-")
            self.kubectl("delete", *ways, given=_listed(self._applied))
        self.api.delete(f"/api/v1/namespaces/{self.namespace}")
        eventually(self._pods_after_deleting, lambda left: not left)
        for name in self._nodes:
            self.api.delete(f"/api/v1/nodes/{name}")

    # what a person would type

    def kubectl(self, *arguments: str, given: str | None = None) -> str:
        """Run kubectl as administrator in the namespace and return what it printed."""
        return self.plane.kubectl(self.namespace, *arguments, given=given)

    def apply(self, objects: Iterable[Json], *options: str) -> str:
        """Apply objects as ``kubectl apply`` does, and return what it printed."""
        applied = list(objects)
        self._applied += applied
        return self.kubectl("apply", "--filename=-", *options, given=_listed(applied))

    def differences(self, objects: Iterable[Json], *options: str) -> str:
        """Return what ``kubectl diff`` prints; it fails where there is a difference."""
        return self.kubectl("diff", "--filename=-", *options, given=_listed(objects))

    def prune(self, before: Iterable[Json], after: Iterable[Json]) -> None:
        """Delete what was rendered before and no longer is, as a GitOps tool does."""
        left = {_key(item) for item in after}
        gone = [item for item in before if _key(item) not in left]
        self.kubectl("delete", "--wait=false", "--filename=-", given=_listed(gone))

    def scale(self, deployment: str, replicas: int) -> None:
        """Scale a Deployment."""
        self.kubectl("scale", f"deployment/{deployment}", f"--replicas={replicas}")

    def restart(self, *deployments: str) -> None:
        """Restart Deployments and wait until their rollouts are through."""
        names = [f"deployment/{name}" for name in deployments]
        # kubectl refuses a second restart within the same second.
        eventually(lambda: int(time.time()), lambda second: second > self._restarted)
        self.kubectl("rollout", "restart", *names)
        self._restarted = int(time.time())
        for name in names:
            self.kubectl("rollout", "status", name, "--timeout=60s")

    def scale_selector(self, deployment: str) -> str:
        """Read the selector by which an autoscaler finds the pods of a Deployment."""
        path = f"/apis/apps/v1/namespaces/{self.namespace}/deployments/{deployment}/scale"
        selector: str = self.api.get(path)["status"]["selector"]
        return selector

    def path(self, item: Json, *, named: bool = False) -> str:
        """Find the list that an object belongs to, or the place of the object in it.

        Raises:
            ApiError: the server does not know the kind.
        """
        version = item["apiVersion"]
        group = f"/apis/{version}" if "/" in version else f"/api/{version}"
        for resource in self.api.get(group)["resources"]:
            if resource["kind"] == item["kind"] and "/" not in resource["name"]:
                inside = f"/namespaces/{self.namespace}" if resource["namespaced"] else ""
                listed = f"{group}{inside}/{resource['name']}"
                return f"{listed}/{item['metadata']['name']}" if named else listed
        raise ApiError(NOT_FOUND, f"the server has no {version} {item['kind']}")

    # nodes

    def add_nodes(
        self,
        *names: str,
        labels: Mapping[str, str],
        cpu: str = "32",
        taints: Sequence[Json] = (),
    ) -> None:
        """Add nodes and wait until pods can be bound to them."""
        for name in names:
            self._nodes[name] = {**labels, "kubernetes.io/hostname": name}
            room = {"cpu": cpu, "memory": "256Gi", "pods": "110"}
            self.api.create(
                "/api/v1/nodes",
                {
                    "metadata": {"name": name, "labels": self._nodes[name]},
                    "spec": {"taints": list(taints)},
                    "status": {"allocatable": room, "capacity": room},
                },
            )
        for name in names:
            eventually(partial(self._taints, name), lambda left: left == len(taints))

    def lose_nodes(self, *names: str) -> None:
        """Take nodes away, and their pods as the garbage collector would a minute later."""
        for name in names:
            self.api.delete(f"/api/v1/nodes/{name}")
            self._nodes.pop(name)
        self._delete_pods(pod for pod in self.pods() if pod.node in names)

    def cordon(self, *names: str, closed: bool = True) -> None:
        """Close nodes for new pods, or open them again."""
        for name in names:
            self.api.merge(f"/api/v1/nodes/{name}", {"spec": {"unschedulable": closed}})

    def _taints(self, node: str) -> int:
        """Count a node's taints; a new node carries not-ready until its first heartbeat."""
        return len(self.api.get(f"/api/v1/nodes/{node}")["spec"].get("taints", []))

    # pods

    def pods(self, selector: str = "") -> list[Pod]:
        """Read the pods that a label selector matches and that are not on their way out."""
        return self.view.pods(selector)

    def running(self, count: int, selector: str = "") -> list[Pod]:
        """Wait until exactly so many pods are there, all of them ready, and return them."""
        return eventually(
            lambda: self.pods(selector),
            lambda pods: len(pods) == count and all(pod.ready for pod in pods),
        )

    def existing(self, count: int) -> list[Pod]:
        """Wait until exactly so many pods are there, in whatever state."""
        return eventually(self.pods, lambda pods: len(pods) == count)

    def settled(self, count: int, selector: str = "") -> list[Pod]:
        """Wait until exactly so many pods are there, each ready or refused by the scheduler."""
        return eventually(
            lambda: self.pods(selector),
            lambda pods: len(pods) == count and all(pod.ready or pod.refused for pod in pods),
        )

    def spread(self, pods: Iterable[Pod], label: str) -> dict[str, int]:
        """Count pods by a label of their nodes; pods without a node count as ``Pending``."""
        return dict(
            Counter(
                self._nodes[pod.node].get(label, "none") if pod.node else "Pending" for pod in pods
            )
        )

    def _delete_pods(self, pods: Iterable[Pod]) -> None:
        """Delete pods without waiting for their nodes."""
        for pod in pods:
            self.api.delete(f"{self.view.path}/{pod.name}", at_once=True)

    def _pods_after_deleting(self) -> list[Pod]:
        """Delete all pods and read which are there: a controller may still have made one."""
        self._delete_pods(self.pods())
        return self.pods()

    # for a person who reads a failure

    def explain(self) -> str:
        """Tell where each pod is, and what the scheduler and the controllers said."""
        pods = [f"{p.name}  {p.phase}  {p.node}  cost={p.cost}" for p in self.pods()]
        events = self.api.items(f"/api/v1/namespaces/{self.namespace}/events")
        said = [
            f"{e['reason']}  {e['involvedObject']['name']}: {e.get('message', '')}"
            for e in events
            if e.get("type") == "Warning" or e["reason"] == "FailedScheduling"
        ]
        return "\n".join(["pods:", *pods, "warnings:", *dict.fromkeys(said)])


def _listed(objects: Iterable[Json]) -> str:
    """Put objects into one list for kubectl."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)})


def _key(item: Json) -> tuple[str, str]:
    """Tell objects of one namespace apart."""
    return item["kind"], item["metadata"]["name"]
