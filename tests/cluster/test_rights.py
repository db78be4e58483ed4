"""The rights that we ask for are the least: without any verb of them something does not work."""

from __future__ import annotations

import copy

import pytest

from .api import Json
from .goldens import GOLDENS, changed
from .kyverno import Kyverno
from .rendered import of_kind, render
from .sandbox import Sandbox
from .waiting import eventually

# What test_pods_bind_without_our_role takes away, in test_cloud_bursting.py: the node is not read, the cost is missing.
NODES = {("nodes", "get")}
ROLLOUTS = {("rollouts", verb) for verb in ("get", "list", "watch")}


def test_no_right_is_without_a_test() -> None:
    """Every verb of every role that the goldens hold is one that a test takes away."""
    roles = [role for golden in GOLDENS for role in of_kind("ClusterRole", changed(golden))]
    rules = [rule for role in roles for rule in role["rules"]]
    given = {(resource, verb) for rule in rules for resource in rule["resources"] for verb in rule["verbs"]}
    assert given <= NODES | ROLLOUTS


@pytest.mark.usefixtures("crds")
@pytest.mark.parametrize("verb", sorted(verb for _, verb in ROLLOUTS))
def test_without_a_verb_a_guard_of_rollouts_is_never_ready(sandbox: Sandbox, kyverno: Kyverno, verb: str) -> None:
    """Kyverno says which right its reports controller lacks; with the whole role the policy is READY."""
    rendered = render([rollout(sandbox.namespace)], PLACEMENT)
    (role,), (policy,) = of_kind("ClusterRole", rendered), of_kind("ValidatingPolicy", rendered)
    sandbox.apply([without(role, verb)])
    sandbox.apply([policy])
    lack = f"missing permissions: {verb} argoproj.io/v1alpha1, Resource=rollouts"
    eventually(lambda: conditions(sandbox, policy), lambda said: lack in said)
    # Kyverno looks at the rights when a policy comes: roles stand before the policies in what we render.
    sandbox.api.delete(sandbox.path(policy, named=True))
    sandbox.apply([role])
    sandbox.apply([policy])
    kyverno.wait_until_ready(policy)


def without(role: Json, verb: str) -> Json:
    """Take a verb out of a role with one rule."""
    less = copy.deepcopy(role)
    (rule,) = less["rules"]
    rule["verbs"].remove(verb)
    return less


def conditions(sandbox: Sandbox, policy: Json) -> str:
    """Read what a policy's status says."""
    status = sandbox.api.get(sandbox.path(policy, named=True)).get("status", {})
    return "".join(each["message"] for each in status.get("conditionStatus", {}).get("conditions", []))


PLACEMENT: Json = {
    "apiVersion": "zonecast.dev/v1alpha1",
    "kind": "Placement",
    "metadata": {"name": "shop"},
    "spec": {
        "targets": [{"kind": "Rollout"}],
        "zones": ["us-east-1a", "us-east-1c"],
        "kyverno": {"guards": {"zonePin": "Audit"}},
    },
}


def rollout(namespace: str) -> Json:
    """Make a Rollout."""
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "none"}]}}
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Rollout",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": labels},
            "strategy": {"canary": {}},
            "template": template,
        },
    }
