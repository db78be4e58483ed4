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
from dataclasses import dataclass
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
MUTATING = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"
VALIDATING = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
# The list of a kind's policies, and the lists of webhook configurations that they can end in.
LISTS = {
    "MutatingPolicy": ("/apis/policies.kyverno.io/v1/mutatingpolicies", [MUTATING]),
    "ValidatingPolicy": ("/apis/policies.kyverno.io/v1/validatingpolicies", [VALIDATING]),
    "ClusterPolicy": ("/apis/kyverno.io/v1/clusterpolicies", [MUTATING, VALIDATING]),
}
CONFIG = f"/api/v1/namespaces/{NAMESPACE}/configmaps/kyverno"
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


@dataclass(frozen=True)
class Release:
    """What differs between releases: the tool, its folders of CRDs, and flags that the other one does not know."""

    version: str
    tool: str
    crds: tuple[str, ...]
    flags: tuple[str, ...] = ()


CURRENT = Release(
    "1.19",
    "kyverno",
    ("kyverno", "policies.kyverno.io", "policyreport", "reports"),
    # Metrics are served even where they are disabled: on loopback then.
    (f"--metricsHost={HOST}", "--controllerRuntimeMetricsAddress=0", "--crdWatcher=false"),
)
#: Without the kinds of policies.kyverno.io: a ClusterPolicy is all there is.
LEGACY = Release("1.13", "kyverno-1.13", ("kyverno", "policyreport", "reports"))


class Kyverno:
    """Kyverno on one control plane; ``start`` and ``kill`` as often as a test likes."""

    def __init__(self, plane: ControlPlane, values: Sequence[Path] = (), release: Release = CURRENT) -> None:
        """Install CRDs and chart, with the chart's defaults overlaid by values files."""
        self.plane = plane
        self.api: Api = plane.api()
        self.release = release
        self._home = toolbox.folder(release.tool)
        self.port, self._metrics = free_ports(2)
        folders = [self._home / "crds" / name for name in release.crds]
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
            f"--metricsPort={self._metrics}",
            *_FLAGS,
            *self.release.flags,
            environment=_ENVIRONMENT,
        )
        self.plane.processes.wait_until("kyverno", self._is_up)

    def kill(self) -> None:
        """End it as a crash would: its webhook configuration stays."""
        self.plane.processes.kill("kyverno")

    def wait_until_ready(self, policy: Json) -> None:
        """Wait until a policy reports READY and its webhook, if it has one of its own, is in place."""
        policies, _ = LISTS[policy["kind"]]
        eventually(lambda: self.api.get(f"{policies}/{policy['metadata']['name']}"), _is_ready)
        if _has_a_webhook(policy):
            eventually(lambda: self.webhooks(policy["kind"]), partial(_has_one_for, policy))
        time.sleep(A_MOMENT)

    def remove_policies(self) -> None:
        """Delete every policy and wait until their webhooks are gone: some are for all namespaces."""
        for kind, (policies, _) in LISTS.items():
            if not self.api.exists(policies):
                continue
            names = [policy["metadata"]["name"] for policy in self.api.items(policies)]
            for name in names:
                self.api.delete(f"{policies}/{name}")
            eventually(partial(self._left, kind, names), lambda left: not left)
        time.sleep(A_MOMENT)

    def _left(self, kind: str, names: Sequence[str]) -> list[str]:
        """Name the webhooks that are there for policies."""
        hooks = [hook["name"] for hook in self.webhooks(kind)]
        return [hook for hook in hooks if any(name in hook for name in names)]

    def webhooks(self, kind: str = "MutatingPolicy") -> list[Json]:
        """Read every webhook that Kyverno has asked for on behalf of a kind of policy."""
        _, lists = LISTS[kind]
        found = [configuration for listed in lists for configuration in self.api.items(listed)]
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


def _has_one_for(policy: Json, webhooks: list[Json]) -> bool:
    """Find a policy's webhook: the one of its namesake of an earlier test is for other namespaces."""
    wanted = policy["spec"]["matchConstraints"].get("namespaceSelector", {})
    places = [hook["namespaceSelector"] for hook in webhooks if policy["metadata"]["name"] in hook["name"]]
    return any(
        wanted.get("matchLabels", {}).items() <= place.get("matchLabels", {}).items()
        and all(each in place.get("matchExpressions", []) for each in wanted.get("matchExpressions", []))
        for place in places
    )


def _has_a_webhook(policy: Json) -> bool:
    """Tell whether a policy gets a webhook of its own: not one that only looks at what is there, nor an older kind."""
    admission: bool = policy["spec"].get("evaluation", {}).get("admission", {}).get("enabled", True)
    return admission and policy["kind"] != "ClusterPolicy"


def _is_ready(policy: Json) -> bool:
    """Tell whether a policy's status says ready, in the words of its kind."""
    status = policy.get("status", {})
    conditions = {each["type"]: each["status"] for each in status.get("conditions", [])}
    return bool(status.get("conditionStatus", {}).get("ready")) or conditions.get("Ready") == "True"


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
    "--disableMetrics=true",
    "--admissionReports=false",
    "--generateValidatingAdmissionPolicy=false",
    "--loggingFormat=text",
)
