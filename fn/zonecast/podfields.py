"""The fields of a pod template that Kubernetes knows, to find what is misspelt (k8s.io/api v0.37, core/v1)."""

from __future__ import annotations

from krmfn.config import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Union

    from krmfn.scan import Data

    Path = tuple[Union[str, int], ...]

VERSION = "1.37"
CONTAINERS = ("initContainers", "containers", "ephemeralContainers")
_POD_SPEC = frozenset(
    (
        "activeDeadlineSeconds", "affinity", "automountServiceAccountToken", "containers", "dnsConfig",
        "dnsPolicy", "enableServiceLinks", "ephemeralContainers", "evictionResponders", "hostAliases",
        "hostIPC", "hostNetwork", "hostPID", "hostUsers", "hostname", "hostnameOverride", "imagePullSecrets",
        "initContainers", "nodeName", "nodeSelector", "os", "overhead", "preemptionPolicy", "priority",
        "priorityClassName", "readinessGates", "resourceClaims", "resources", "restartPolicy",
        "runtimeClassName", "schedulerName", "schedulingGates", "schedulingGroup", "securityContext",
        "serviceAccount", "serviceAccountName", "setHostnameAsFQDN", "shareProcessNamespace", "subdomain",
        "terminationGracePeriodSeconds", "tolerations", "topologySpreadConstraints", "volumes", "workloadRef",
    )
)  # fmt: skip
_CONTAINER = frozenset(
    (
        "args", "command", "env", "envFrom", "image", "imagePullPolicy", "lifecycle", "livenessProbe", "name",
        "ports", "readinessProbe", "resizePolicy", "resources", "restartPolicy", "restartPolicyRules",
        "securityContext", "startupProbe", "stdin", "stdinOnce", "targetContainerName",
        "terminationMessagePath", "terminationMessagePolicy", "tty", "volumeDevices", "volumeMounts",
        "workingDir",
    )
)  # fmt: skip


def misspelt(pod_spec: Data, path: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """Yield the fields of a PodSpec at ``path``, and of its containers, that Kubernetes does not know."""
    yield from _unknown(pod_spec, _POD_SPEC, tuple(path))
    for kind in CONTAINERS:
        for i, container in enumerate(pod_spec.get(kind) or ()):
            yield from _unknown(container, _CONTAINER, (*path, kind, i))


def _unknown(mapping: dict[str, Data], known: frozenset[str], path: Path) -> Iterator[tuple[Path, str]]:
    for key in mapping:
        if key not in known and key[:1] != "$":
            yield (*path, key), f"Kubernetes {VERSION} has no such field{nearest(key, sorted(known))}"
