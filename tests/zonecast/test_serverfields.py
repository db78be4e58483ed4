"""Fields that only a cluster or a GitOps controller writes are not inherited."""

from __future__ import annotations

import pytest
from yamls import deployment, obj, place

from krmfn import KubeObject


def copies(text: str) -> list[KubeObject]:
    """Return the copies of an object."""
    return place("zones: [a, b]", obj(text)).items


def with_metadata(text: str) -> str:
    """Return a Deployment with more metadata."""
    return deployment().text.replace("namespace: shop}", f"namespace: shop, {text}}}")


@pytest.mark.parametrize(
    "text",
    [
        "uid: '1'",
        "resourceVersion: '1'",
        "generation: 3",
        "creationTimestamp: null",
        "managedFields: [{manager: kubectl}]",
        "selfLink: /x",
        "finalizers: [foregroundDeletion]",
        "ownerReferences: [{kind: App, name: a, apiVersion: v1, uid: '1'}]",
        "annotations: {deployment.kubernetes.io/revision: '7'}",
        "annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}",
        "annotations: {argocd.argoproj.io/tracking-id: x}",
        "annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}",
        "annotations: {argocd.argoproj.io/sync-options: Prune=false}",
        "annotations: {helm.sh/resource-policy: keep}",
        "labels: {kustomize.toolkit.fluxcd.io/name: apps, kustomize.toolkit.fluxcd.io/namespace: flux}",
    ],
)
def test_metadata_that_goes(text: str) -> None:
    """Copies look as if the source had never had it."""
    assert [each.get() for each in copies(with_metadata(text))] == [
        each.get() for each in copies(deployment().text)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}",
        "annotations: {argocd.argoproj.io/sync-options: 'Validate=false,ServerSideApply=true'}",
        "annotations: {meta.helm.sh/release-name: shop}",
        "labels: {app.kubernetes.io/instance: shop}",
    ],
)
def test_metadata_that_stays(text: str) -> None:
    """Opt-outs and other people's annotations and labels are on every copy, word for word."""
    inner = text[text.index("{") + 1 : -1]
    assert all(inner in each.text for each in copies(with_metadata(text)))


def test_one_sync_option_of_several_goes() -> None:
    """Protection from pruning is the original's own; the other options stay."""
    text = with_metadata("annotations: {argocd.argoproj.io/sync-options: 'Validate=false,Prune=false'}")
    assert all(
        each.annotation("argocd.argoproj.io/sync-options") == "Validate=false" for each in copies(text)
    )


def test_status_and_the_templates_fields_go() -> None:
    """A pod template's creationTimestamp: null, and the time of the last restart."""
    text = deployment().text.replace(
        "    metadata:\n",
        "    metadata:\n      creationTimestamp: null\n"
        "      annotations: {kubectl.kubernetes.io/restartedAt: x, keep: me}\n",
    )
    for each in copies(text + "status: {replicas: 2}\n"):
        assert not any(word in each.text for word in ("creationTimestamp", "restartedAt", "status"))
        assert each.get("spec", "template", "metadata", "annotations") == {"keep": "me"}


def test_what_is_not_fanned_out_keeps_them() -> None:
    """Only copies are new objects: a merge into a live dump drops nothing."""
    text = with_metadata("uid: '1', resourceVersion: '7'") + "status: {replicas: 2}\n"
    assert (
        "uid: '1', resourceVersion: '7'" in place("podSpec: {nodeSelector: {a: b}}", obj(text)).items[0].text
    )
