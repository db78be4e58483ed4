"""Guards over two copies, with something that passes each of them and something that does not."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

from .api import ApiError, Json
from .kyverno import LISTS, Kyverno
from .rendered import Example, of_kind
from .sandbox import Sandbox
from .waiting import eventually

ZONE, LABEL = "topology.kubernetes.io/zone", "zonecast.dev/zone"
A, C = "us-east-1a", "us-east-1c"
TAINT = {"key": "dedicated", "value": "guarded", "effect": "NoSchedule"}
POOL: Json = {"labels": {"pool": "guarded"}, "taints": [TAINT]}
ON_CREATE = ("zonePin", "knownZones", "noZoneSpread", "autoscalerTarget", "poolTolerations")
# Looks at what is there and not at requests: that it can be READY is what the admission controller shows.
AT_REST = ("siblings",)
# What becomes of a request that a guard is against.
OUTCOMES = {"Deny": "refused", "Warn": "warned", "Audit": "passes"}


@dataclass(frozen=True)
class Guarded:
    """A namespace with guards over two copies, which are there, and other namespaces beside it.

    ``labelled`` carries the label of the pool, ``other`` does not.
    """

    sandbox: Sandbox
    other: Sandbox
    labelled: Sandbox
    kyverno: Kyverno

    def with_policies(self, **wanted: object) -> tuple[Json, list[Json]]:
        """Put in place what ``spec.kyverno`` asks for; return one of the copies, and the policies."""
        example = Example.read("01-fargate-zone-fanout").placed_in(self.sandbox.namespace)
        spec = {"version": self.kyverno.release.version, **wanted}
        rendered = example.varied(kyverno=spec, nodePool=POOL).render()
        copies = of_kind("Deployment", rendered)
        policies = [item for item in rendered if item["kind"] in LISTS]
        self.sandbox.apply(copies)
        self.sandbox.apply(policies)
        for policy in policies:
            self.kyverno.wait_until_ready(policy)
        return copies[0], policies

    def by(self, action: str, *guards: str) -> tuple[Json, dict[str, str]]:
        """Put guards in place; return a copy that they are about, and the name of each guard's policy."""
        made, policies = self.with_policies(guards=dict.fromkeys(guards, action))
        names = [policy["metadata"]["name"] for policy in policies]
        return made, {guard: next(name for name in names if name.endswith(dashed(guard))) for guard in guards}


def check_what_is_made(guarded: Guarded, action: str) -> None:
    """Try for each guard to make something right, and something wrong."""
    made, policies = guarded.by(action, *ON_CREATE, *(AT_REST if action == "Audit" else ()))
    for where, item in right(guarded, made):
        assert verdict(where, item) == ("passes", "")
    for guard, (where, item) in wrong(guarded, made).items():
        outcome, said = verdict(where, item)
        assert outcome == OUTCOMES[action]
        assert policies[guard] in (said or reported(where, policies[guard]))


def check_what_is_changed(guarded: Guarded, action: str) -> None:
    """Try to scale a copy, and to move it to another zone."""
    made, policies = guarded.by(action, "immutableZone")
    sandbox, path = guarded.sandbox, guarded.sandbox.path(made, named=True) + "?dryRun=All"
    assert outcome_of(sandbox, lambda: sandbox.api.merge(path, {"spec": {"replicas": 5}})) == ("passes", "")
    moved = {"metadata": {"labels": {LABEL: C}}, "spec": {"template": {"spec": {"nodeSelector": {ZONE: C}}}}}
    outcome, said = outcome_of(sandbox, lambda: sandbox.api.merge(path, moved))
    assert outcome == OUTCOMES[action]
    policy = policies["immutableZone"]
    assert policy in (said or reported(sandbox, policy))


def check_daemon_sets(guarded: Guarded) -> None:
    """Make DaemonSets by hand and from Git, and read with which tolerations they are stored."""
    guarded.with_policies(tolerateDaemonSets=True)
    other = {"key": "example.com/other", "operator": "Exists"}
    pools = {**TAINT, "operator": "Equal"}
    assert tolerations_of(guarded.other, daemon_set([])) == [pools]
    assert tolerations_of(guarded.other, daemon_set([other])) == [other, pools]
    for enough in ([{"operator": "Exists"}], [pools]):
        assert tolerations_of(guarded.other, daemon_set(enough)) == enough
    from_git = daemon_set([])
    from_git["metadata"]["labels"] = {"kustomize.toolkit.fluxcd.io/name": "apps"}
    assert tolerations_of(guarded.other, from_git) == []


def right(guarded: Guarded, made: Json) -> list[tuple[Sandbox, Json]]:
    """Give what no guard minds, and where."""
    return [
        (guarded.sandbox, another(made)),
        (guarded.sandbox, autoscaler(made["metadata"]["name"])),
        (guarded.labelled, pod(made["spec"]["template"]["spec"]["tolerations"])),
        (guarded.other, pod([])),
    ]


def wrong(guarded: Guarded, made: Json) -> dict[str, tuple[Sandbox, Json]]:
    """Give for each guard something that this one minds, and no other."""
    elsewhere, unknown, spread = another(made), another(made), another(made)
    elsewhere["spec"]["template"]["spec"]["nodeSelector"][ZONE] = C
    for labels in labels_of(unknown):
        labels[LABEL] = "nowhere"
    unknown["spec"]["template"]["spec"]["nodeSelector"][ZONE] = "nowhere"
    spread["spec"]["template"]["spec"]["topologySpreadConstraints"] = [
        {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {}}
    ]
    source = made["metadata"]["name"].removesuffix(f"-{A}")
    return {
        "zonePin": (guarded.sandbox, elsewhere),
        "knownZones": (guarded.sandbox, unknown),
        "noZoneSpread": (guarded.sandbox, spread),
        "autoscalerTarget": (guarded.sandbox, autoscaler(source)),
        "poolTolerations": (guarded.other, pod(made["spec"]["template"]["spec"]["tolerations"])),
    }


def verdict(sandbox: Sandbox, item: Json) -> tuple[str, str]:
    """Try to make an object; tell whether it passes, and what was said if it does not just pass."""
    moved = {**item, "metadata": {**item["metadata"], "namespace": sandbox.namespace}}
    return outcome_of(sandbox, lambda: sandbox.api.create(f"{sandbox.path(item)}?dryRun=All", moved))


def outcome_of(sandbox: Sandbox, attempt: Callable[[], object]) -> tuple[str, str]:
    """Try something; tell whether it passes, and what was said if it does not just pass."""
    try:
        attempt()
    except ApiError as error:
        return "refused", str(error)
    return ("warned" if sandbox.api.warnings else "passes"), "".join(sandbox.api.warnings)


def reported(sandbox: Sandbox, policy: str) -> str:
    """Wait for the event on an object that names a policy, and return what it says."""
    events = f"/api/v1/namespaces/{sandbox.namespace}/events"
    said = eventually(
        lambda: [e["message"] for e in sandbox.api.items(events) if e["reason"] == "PolicyViolation"],
        lambda messages: any(policy in message for message in messages),
    )
    return "".join(said)


def another(made: Json) -> Json:
    """Make one more object like a copy."""
    other = copy.deepcopy(made)
    other["metadata"]["name"] += "-2"
    return other


def labels_of(deployment: Json) -> list[Json]:
    """Give the three places of a copy that hold its zone label."""
    spec = deployment["spec"]
    return [deployment["metadata"]["labels"], spec["selector"]["matchLabels"], spec["template"]["metadata"]["labels"]]


def autoscaler(target: str) -> Json:
    """Make an HPA of a Deployment."""
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "scaler"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": target},
            "maxReplicas": 3,
        },
    }


def pod(tolerations: list[Json]) -> Json:
    """Make a pod with tolerations."""
    containers = [{"name": "app", "image": "none"}]
    spec = {"containers": containers, "tolerations": tolerations}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "guest"}, "spec": spec}


def dashed(guard: str) -> str:
    """Spell the name of a guard as in the names of its policies."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in guard)


def daemon_set(tolerations: list[Json]) -> Json:
    """Make a DaemonSet with tolerations."""
    labels = {"app": "agent"}
    template = {"metadata": {"labels": labels}, "spec": pod(tolerations)["spec"]}
    spec = {"selector": {"matchLabels": labels}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent"}, "spec": spec}


def tolerations_of(sandbox: Sandbox, item: Json) -> list[Json]:
    """Make an object, in a dry run, and read the tolerations of its pods."""
    stored = sandbox.api.create(f"{sandbox.path(item)}?dryRun=All", item)
    tolerations: list[Json] = stored["spec"]["template"]["spec"].get("tolerations", [])
    return tolerations
