"""Kyverno's admission controller, with exactly the rights that its chart and we give it.

It runs outside the cluster but as its own ServiceAccount, so that what it may not do, it cannot.
"""

from __future__ import annotations

import json
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import yaml

from . import toolbox
from .api import Api, Json
from .plane import HOST, ControlPlane
from .processes import free_ports
from .waiting import eventually

NAMESPACE = "kyverno"
NAME = "kyverno-admission-controller"
WEBHOOKS = "/apis/admissionregistration.k8s.io/v1"
POLICIES = "/apis/policies.kyverno.io/v1"
# The list of a kind's policies, and the list of webhook configurations that they end in.
LISTS = {
    "MutatingPolicy": ("mutatingpolicies", "mutatingwebhookconfigurations"),
    "ValidatingPolicy": ("validatingpolicies", "validatingwebhookconfigurations"),
}
CONFIG = f"/api/v1/namespaces/{NAMESPACE}/configmaps/kyverno"
CRDS = ("kyverno", "policies.kyverno.io", "policyreport", "reports")
SETTINGS = frozenset({"ConfigMap"})
# What of the chart takes part; its pods do not.
RIGHTS = frozenset({"ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"})
KINDS = SETTINGS | RIGHTS | {"Service", "Deployment"}

# Kyverno signs its certificate itself; only its own health is asked for over it.
_ITS_OWN = ssl.create_default_context()
_ITS_OWN.check_hostname = False
_ITS_OWN.verify_mode = ssl.CERT_NONE
# How long informers take, with room to spare, to see what was written a moment ago.
A_MOMENT = 0.5


class Kyverno:
    """Kyverno on one control plane; ``start`` and ``kill`` as often as a test likes."""

    def __init__(self, plane: ControlPlane, values: Sequence[Path] = ()) -> None:
        """Install CRDs and chart, with the chart's defaults overlaid by values files."""
        self.plane = plane
        self.api: Api = plane.api()
        self._home = toolbox.folder("kyverno")
        self.port, self._metrics = free_ports(2)
        folders = [self._home / "crds" / name for name in CRDS]
        self._kubectl("apply", "--server-side", "--filename", ",".join(map(str, folders)))
        self.api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        self._values = values
        self._install(values, KINDS)

    @contextmanager
    def as_installed_by_default(self) -> Iterator[None]:
        """Use the chart's settings without our values for a while; Kyverno reads them live."""
        self._install([], SETTINGS)
        try:
            yield
        finally:
            self._install(self._values, SETTINGS)

    def _install(self, values: Sequence[Path], kinds: frozenset[str]) -> None:
        """Apply some kinds of the chart's objects."""
        objects = [_without_pods(item) for item in self._chart(values) if _is_one(item, kinds)]
        listed = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
        self._kubectl("apply", "--server-side", "--force-conflicts", "--filename=-", given=listed)
        time.sleep(A_MOMENT)

    def start(self) -> None:
        """Start it and wait until its webhooks are there."""
        token = self._kubectl("create", "token", NAME, "--duration=2h").strip()
        kubeconfig = self.plane.folder / "kyverno.kubeconfig"
        self.plane.write_kubeconfig(kubeconfig, token)
        address = f"{HOST}:{self.port}"
        self.plane.processes.start(
            "kyverno",
            self._home / "kyverno",
            f"--kubeconfig={kubeconfig}",
            f"--serverIP={address}",
            f"--webhookServerPort={self.port}",
            # Metrics are served even where they are disabled: on loopback then, and on a port of our own.
            f"--metricsHost={HOST}",
            f"--metricsPort={self._metrics}",
            *_FLAGS,
            environment=_ENVIRONMENT,
        )
        self.plane.processes.wait_until("kyverno", self._is_up)

    def kill(self) -> None:
        """End it as a crash would: its webhook configuration stays."""
        self.plane.processes.kill("kyverno")

    def wait_until_ready(self, policy: Json, namespace: str) -> None:
        """Wait until a policy reports READY and its webhook, if it has one, is in place for a namespace."""
        name, (policies, _) = policy["metadata"]["name"], LISTS[policy["kind"]]
        eventually(lambda: self.api.get(f"{POLICIES}/{policies}/{name}"), _is_ready)
        if _is_for_admission(policy):
            eventually(lambda: self.webhooks(policy["kind"]), partial(_has_one_for, name, namespace))
            time.sleep(A_MOMENT)

    def remove(self, kind: str) -> None:
        """Delete every policy of a kind and wait until their webhooks are gone: they are for other namespaces too."""
        policies, _ = LISTS[kind]
        names = [policy["metadata"]["name"] for policy in self.api.items(f"{POLICIES}/{policies}")]
        for name in names:
            self.api.delete(f"{POLICIES}/{policies}/{name}")
        eventually(
            lambda: [hook["name"] for hook in self.webhooks(kind)],
            lambda left: not any(name in hook for hook in left for name in names),
        )

    def webhooks(self, kind: str = "MutatingPolicy") -> list[Json]:
        """Read every webhook that Kyverno has asked for on behalf of a kind of policy."""
        _, configurations = LISTS[kind]
        found = self.api.items(f"{WEBHOOKS}/{configurations}")
        return [hook for configuration in found for hook in configuration.get("webhooks", [])]

    def _is_up(self) -> bool:
        """Tell whether this very process answers, and its webhooks stand."""
        try:
            with urlopen(f"https://{HOST}:{self.port}/health/readiness", context=_ITS_OWN):
                return bool(self.webhooks())
        except OSError:
            return False

    def _chart(self, values: Sequence[Path]) -> list[Json]:
        """Render the chart."""
        helm = toolbox.folder("helm") / "helm"
        files = [f"--values={file}" for file in values]
        done = subprocess.run(
            [
                *(helm, "template", NAMESPACE, self._home / "chart"),
                *(f"--namespace={NAMESPACE}", "--kube-version=v1.34.0", "--set=crds.install=false"),
                *files,
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        return [document for document in yaml.safe_load_all(done.stdout) if document]

    def _kubectl(self, *arguments: str, given: str | None = None) -> str:
        """Run kubectl in Kyverno's namespace."""
        return self.plane.kubectl(NAMESPACE, *arguments, given=given)


def _is_one(item: Json, kinds: frozenset[str]) -> bool:
    """Pick objects by kind; of the Deployments only the one that Kyverno itself looks up."""
    return item["kind"] in kinds and (
        item["kind"] != "Deployment" or item["metadata"]["name"] == NAME
    )


def _without_pods(item: Json) -> Json:
    """Keep the Deployment from starting anything: its process runs beside the cluster."""
    if item["kind"] == "Deployment":
        item["spec"]["replicas"] = 0
    return item


def _has_one_for(policy: str, namespace: str, webhooks: list[Json]) -> bool:
    """Find a policy's webhook: the one of its namesake of an earlier test names another place."""
    places = [hook["namespaceSelector"] for hook in webhooks if policy in hook["name"]]
    return any(namespace in json.dumps(place) for place in places)


def _is_for_admission(policy: Json) -> bool:
    """Tell whether a policy looks at requests, and not only at what is there."""
    admission: bool = policy["spec"].get("evaluation", {}).get("admission", {}).get("enabled", True)
    return admission


def _is_ready(policy: Json) -> bool:
    """Tell whether a policy's status says ready."""
    ready: bool = policy.get("status", {}).get("conditionStatus", {}).get("ready", False)
    return ready


_ENVIRONMENT = {
    "KYVERNO_POD_NAME": NAME,
    "KYVERNO_NAMESPACE": NAMESPACE,
    "KYVERNO_SERVICEACCOUNT_NAME": NAME,
    "KYVERNO_DEPLOYMENT": NAME,
    "KYVERNO_ROLE_NAME": "kyverno:admission-controller",
    "KYVERNO_SVC": "kyverno-svc",
    "INIT_CONFIG": "kyverno",
    "METRICS_CONFIG": "kyverno-metrics",
}
_FLAGS = (
    "--servicePort=443",
    "--caSecretName=kyverno-svc.kyverno.svc.kyverno-tls-ca",
    "--tlsSecretName=kyverno-svc.kyverno.svc.kyverno-tls-pair",
    "--backgroundServiceAccountName=system:serviceaccount:kyverno:kyverno-background-controller",
    "--reportsServiceAccountName=system:serviceaccount:kyverno:kyverno-reports-controller",
    "--crdWatcher=false",
    "--disableMetrics=true",
    "--admissionReports=false",
    "--generateValidatingAdmissionPolicy=false",
    "--controllerRuntimeMetricsAddress=0",
    "--loggingFormat=text",
)
