"""What we render is what a real API server takes, field by field, and takes once."""

from __future__ import annotations

import copy

import pytest

from .api import ApiError, Json
from .goldens import GOLDENS, INVENTED, WITH_VARIABLES, changed, checked, has_variable, kind, with_every_field
from .kyverno import LISTS, Kyverno
from .rendered import Example
from .sandbox import Sandbox

EXAMPLES = ("01-fargate-zone-fanout", "02-dedicated-node-pool", "03-cloud-bursting")
STRICTLY = "?dryRun=All&fieldValidation=Strict"

pytestmark = pytest.mark.usefixtures("kyverno", "crds")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_accepted(sandbox: Sandbox, name: str) -> None:
    """No unknown field, no wrong type: every object passes a strict dry run on the server."""
    rendered = Example.read(name).placed_in(sandbox.namespace).render()
    assert refusals(sandbox, rendered) == []


def test_what_the_goldens_change_is_accepted(sandbox: Sandbox) -> None:
    """Every object of a golden run that is not as it came passes, but for kinds that we made up."""
    refused = {name: refusals(sandbox, checked(name)) for name in GOLDENS}
    assert {name: why for name, why in refused.items() if why} == {}


def test_what_is_not_checked_is_known() -> None:
    """What the checks leave out is what the two lists name, no more and no less."""
    objects = {name: changed(name) for name in GOLDENS}
    of_all = [item for of_one in objects.values() for item in of_one]
    assert {kind(item) for item in of_all if "example.com" in item["apiVersion"]} == INVENTED
    assert {name for name, of_one in objects.items() if any(map(has_variable, of_one))} == WITH_VARIABLES


@pytest.mark.parametrize("way", [(), ("--server-side",)], ids=["by the client", "by the server"])
def test_a_second_apply_changes_nothing(sandbox: Sandbox, kyverno: Kyverno, way: tuple[str, ...]) -> None:
    """Nothing that we write is stored as something else: ``kubectl diff`` is empty, in both ways of an apply.

    A GitOps tool would otherwise never be in sync. The client says so too: each object is ``unchanged``.
    """
    objects = [item for name in EXAMPLES for item in Example.read(name).placed_in(sandbox.namespace).render()]
    objects += [idle(moved(sandbox, item), number) for number, item in enumerate(with_every_field())]
    # Policies last: they are about objects of other goldens too.
    policies = [item for item in objects if item["kind"] in LISTS]
    for group in ([item for item in objects if item not in policies], policies):
        sandbox.apply(group, *way)
        assert sandbox.differences(group, *way) == ""
        said = sandbox.apply([item for item in group if way or not is_sent_again(item)], *way)
        assert [line for line in said.splitlines() if not line.endswith((" unchanged", " serverside-applied"))] == []
    kyverno.remove_policies()


def idle(item: Json, number: int) -> Json:
    """Give an object a name of its own, and a Deployment no pods."""
    other = copy.deepcopy(item)
    other["metadata"]["name"] = f"{item['metadata']['name'][:50]}-{number}"
    if other["kind"] == "Deployment":
        other["spec"]["replicas"] = 0
    return other


def is_sent_again(item: Json) -> bool:
    """Tell what kubectl calls ``configured`` whoever wrote it.

    A budget; a strategy that leaves its type out; a policy for an older Kyverno, in whose rules this one fills in
    defaults that the older one does not know.
    """
    strategy = item.get("spec", {}).get("strategy", {"type": None})
    return item["kind"] in {"PodDisruptionBudget", "ClusterPolicy"} or "type" not in strategy


def moved(sandbox: Sandbox, item: Json) -> Json:
    """Put an object into the test's namespace, if it is of a kind that has one."""
    if "/namespaces/" not in sandbox.path(item):
        return item
    return {**item, "metadata": {**item["metadata"], "namespace": sandbox.namespace}}


def refusals(sandbox: Sandbox, objects: list[Json]) -> list[str]:
    """Try to create objects, each in the test's namespace; return what the server says against."""
    said = []
    for item in objects:
        try:
            sandbox.api.create(sandbox.path(item) + STRICTLY, moved(sandbox, item))
        except ApiError as error:
            said.append(f"{item['kind']} {item['metadata']['name']}: {error}")
    return said
