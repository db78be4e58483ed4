"""Flux fills in variables after our function: it must find its own, and nothing of ours."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from cluster.api import Json
from cluster.rendered import Example, of_kind
from cluster.sandbox import Sandbox

from .flux import Delivery, written
from .packages import built, packaged, rendered
from .zones import ZONE, ZONES, add_zones

OPT_OUT = {"kustomize.toolkit.fluxcd.io/substitute": "disabled"}
VARIABLES = {"N": "2", "GREETING": "hello"}
SHELL_TEXT = "echo ${GREETING} $(POD_NAME) $$HOME"


@pytest.fixture
def example(sandbox: Sandbox) -> Example:
    """Read example 01, over two zones with a node each."""
    add_zones(sandbox)
    return Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)


def changed(example: Example, **spec: object) -> Example:
    """Give the source's container a command with variables, and its ``spec`` other fields."""
    source = copy.deepcopy(example.source())
    source["spec"].update(spec)
    source["spec"]["template"]["spec"]["containers"][0]["args"] = ["-c", SHELL_TEXT]
    return replace(example, inputs=[source])


def deliver(delivery: Delivery, text: str, folder: Path) -> list[Json]:
    """Let Flux apply a stream with the variables filled in, and return the live Deployments."""
    delivery.push(written(folder, text))
    delivery.create(postBuild={"substitute": VARIABLES})
    ready = delivery.ready()
    assert ready["status"] == "True", ready
    return delivery.flux.api.items(f"/apis/apps/v1/namespaces/{delivery.namespace}/deployments")


def arguments(deployment: Json) -> list[str]:
    """Return what the container of a Deployment is called with."""
    found: list[str] = deployment["spec"]["template"]["spec"]["containers"][0]["args"]
    return found


@pytest.mark.usefixtures("kyverno")
def test_nothing_of_ours_is_a_variable(delivery: Delivery, sandbox: Sandbox, tmp_path: Path) -> None:
    """Annotations, origins, policies and roles arrive to the letter, with substitution on."""
    costs = [{"nodeLabel": {"key": "k", "value": "v"}, "cost": 1}]
    guards = {"zonePin": "Audit", "siblings": "Audit"}
    example = Example.read("03-cloud-bursting").placed_in(sandbox.namespace)
    kyverno = {"podDeletionCost": costs, "guards": guards}
    add_zones(sandbox)
    text = rendered(packaged(tmp_path / "package", example.varied(zones=list(ZONES), kyverno=kyverno)))
    assert "${" not in text
    deployments = deliver(delivery, text, tmp_path / "rendered")
    assert delivery.drift(tmp_path / "rendered") == ""
    expected = list(yaml.safe_load_all(text))
    live = {item["metadata"]["name"]: item["metadata"]["annotations"] for item in deployments}
    for item in of_kind("Deployment", expected):
        metadata = item["metadata"]
        assert metadata["annotations"].items() <= live[metadata["name"]].items()
    for item in of_kind("MutatingPolicy", expected):
        found = delivery.flux.api.get(f"/apis/policies.kyverno.io/v1/mutatingpolicies/{item['metadata']['name']}")
        assert found["spec"]["mutations"] == item["spec"]["mutations"]
        assert found["spec"]["matchConditions"] == item["spec"]["matchConditions"]


def test_variables_of_the_source_are_filled_in_on_every_copy(
    delivery: Delivery, example: Example, tmp_path: Path
) -> None:
    """``${NAME}`` in a field that we do not touch; what the kubelet and the shell expand stays."""
    text = rendered(packaged(tmp_path / "package", changed(example)))
    deployments = deliver(delivery, text, tmp_path / "rendered")
    assert [arguments(each) for each in deployments] == [["-c", "echo hello $(POD_NAME) $HOME"]] * len(ZONES)


def test_the_opt_out_of_the_source_holds_for_every_copy(
    delivery: Delivery, example: Example, tmp_path: Path
) -> None:
    """With the annotation of Flux on the source, no copy's text is touched."""
    opted = changed(example)
    opted.inputs[0]["metadata"].setdefault("annotations", {}).update(OPT_OUT)
    text = rendered(packaged(tmp_path / "package", opted))
    deployments = deliver(delivery, text, tmp_path / "rendered")
    assert [arguments(each) for each in deployments] == [["-c", SHELL_TEXT]] * len(ZONES)
    assert all(OPT_OUT.items() <= each["metadata"]["annotations"].items() for each in deployments)


def test_a_figure_that_is_a_variable_cannot_be_split(example: Example, tmp_path: Path) -> None:
    """The render fails, so nothing is pushed; the message offers ``Each``."""
    done = built(packaged(tmp_path / "package", changed(example, replicas="${N}")))
    assert done.code != 0
    assert "${N}" in done.stderr
    assert "Each" in done.stderr


def test_with_each_a_figure_may_be_a_variable(
    delivery: Delivery, example: Example, sandbox: Sandbox, tmp_path: Path
) -> None:
    """Flux fills it in on each copy: two pods in each zone."""
    each = changed(example, replicas="${N}").varied(fanOut={"replicas": "Each"})
    text = rendered(packaged(tmp_path / "package", each))
    assert text.count("replicas: ${N}") == len(ZONES)
    deployments = deliver(delivery, text, tmp_path / "rendered")
    assert [item["spec"]["replicas"] for item in deployments] == [2, 2]
    assert sandbox.spread(sandbox.running(4), ZONE) == dict.fromkeys(ZONES, 2)
