"""After a sync nothing is out of sync: neither what the API server fills in nor what an autoscaler sets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cluster import metrics
from cluster.kyverno import Kyverno
from cluster.rendered import Example, applied_by_hand, autoscaler
from cluster.sandbox import Sandbox
from cluster.waiting import always

from . import example as shop
from .application import Application, plugin
from .page import shown
from .repository import Repository
from .test_argocd import A, C, add_zones, by_zone

EXAMPLES = ("01-fargate-zone-fanout", "02-dedicated-node-pool", "03-cloud-bursting")
COMPARE = "argocd.argoproj.io/compare-options"
DIFFS = {"client": {}, "server": {COMPARE: "ServerSideDiff=true"}}


@pytest.mark.parametrize("annotations", DIFFS.values(), ids=DIFFS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_no_example_is_out_of_sync_after_a_sync(
    sandbox: Sandbox,
    kyverno: Kyverno,
    application: Application,
    repository: Repository,
    name: str,
    annotations: dict[str, str],
) -> None:
    """Deployments, policies and roles, by either kind of diff, also when everything is read anew."""
    assert kyverno.webhooks() is not None
    sandbox.add_nodes(f"node-{sandbox.namespace}", labels={"role": "any"})
    example = Example.read(name).placed_in(sandbox.namespace)
    revision = repository.commit(shop.files(example))
    application.create(repository, sandbox.namespace, annotations=annotations, plugin=plugin())
    application.applied(revision)
    for _ in range(2):
        application.refresh("hard")
        assert application.out_of_sync() == []
        assert application.status["sync"]["status"] == "Synced"


A_WHILE, BUSY, IDLE = 10.0, 1000, 1
OWNED = {
    "no figure in git": ({}, {}),
    "a figure that is ignored": ({"replicas": 2}, shown("argocd.md", "Drift")["spec"]),
}


@pytest.mark.parametrize(("figure", "spec"), OWNED.values(), ids=OWNED)
def test_replicas_of_an_autoscaler_do_not_flap(
    sandbox: Sandbox,
    application: Application,
    repository: Repository,
    figure: dict[str, int],
    spec: dict[str, object],
) -> None:
    """What the autoscaler of a copy sets stays, with self-healing on: each copy at its own figure."""
    add_zones(sandbox)
    example = Example.read("01-fargate-zone-fanout").placed_in(sandbox.namespace)
    source = applied_by_hand(example.source())
    source["spec"].pop("replicas")
    source["spec"] |= figure
    files = shop.files(replace(example, inputs=[source, autoscaler(source)]))
    with metrics.served(sandbox.plane, lambda pod: BUSY if A in pod.name else IDLE):
        revision = repository.commit(files)
        application.create(repository, sandbox.namespace, spec=spec, plugin=plugin())
        application.applied(revision)
        assert by_zone(sandbox, 4) == {A: 3, C: 1}
        application.refresh("hard")
        always(lambda: by_zone(sandbox, 4), lambda zones: zones == {A: 3, C: 1}, during=A_WHILE)
        assert application.status["sync"]["status"] == "Synced"
