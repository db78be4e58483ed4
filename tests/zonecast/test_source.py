"""What becomes of a source: it goes, it is kept for a cut-over, or it is the template of its copies."""

from __future__ import annotations

import pytest
from yamls import deployment, obj, place, said

from krmfn import KubeObject
from zonecast.origin import is_for_tools, role_of
from zonecast.source import staying

SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
FLUX_PRUNE = "kustomize.toolkit.fluxcd.io/prune"
HELM_POLICY = "helm.sh/resource-policy"
LOCAL_CONFIG = "config.kubernetes.io/local-config"
SOURCE = "zonecast.dev/source"


def annotated(annotations: str) -> KubeObject:
    """Return a Deployment with annotations in flow style."""
    return obj(f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web, annotations: {annotations}}}\n")


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        ("{}", "Prune=false"),
        (f"{{{SYNC_OPTIONS}: Replace=true}}", "Replace=true,Prune=false"),
        (f"{{{SYNC_OPTIONS}: 'Prune=false, Replace=true'}}", "Prune=false, Replace=true"),
    ],
)
def test_options_of_argo_cd_are_merged(present: str, expected: str) -> None:
    """Options that are there stay; the protection stands among them once."""
    assert staying(annotated(present), "Keep").annotation(SYNC_OPTIONS) == expected


def test_a_kept_source_is_the_same_but_for_its_annotations() -> None:
    """No field of a kept source changes: a change of its pods would roll it out once more."""
    source = deployment()
    source.set_nested("spec", "replicas", 1)  # an edit for the copies
    kept = staying(source, "Keep")
    fresh = deployment()
    protection = {FLUX_PRUNE: "disabled", HELM_POLICY: "keep", SYNC_OPTIONS: "Prune=false"}
    assert kept.annotations == {SOURCE: "Keep", **protection}
    assert kept.get("spec") == fresh.get("spec")
    assert kept.index == source.index


def test_a_template_that_is_to_be_kept_reaches_the_cluster_again() -> None:
    """From Template to Keep the mark goes that kept the source from the cluster."""
    kept = staying(staying(deployment(), "Template"), "Keep")
    assert LOCAL_CONFIG not in kept.annotations
    assert role_of(kept) == "Keep"


def test_a_template_is_ours_and_any_other_local_config_is_not() -> None:
    """Only a source that zonecast marked is read although it is local-config."""
    assert not is_for_tools(staying(deployment(), "Template"))
    assert is_for_tools(annotated(f"{{{LOCAL_CONFIG}: 'true'}}"))


@pytest.mark.parametrize("role", ["Keep", "Template"])
def test_copies_never_carry_what_the_source_has(role: str) -> None:
    """Neither the protection nor the marks of a source are on its copies, in the first run or later."""
    items = place(f"zones: [a, b]\nfanOut: {{source: {role}}}", deployment())
    again = place(f"zones: [a, b]\nfanOut: {{source: {role}}}", *items.items)
    for run in (items, again):
        for copy in run.where(kind="Deployment")[1:]:
            assert not {SOURCE, FLUX_PRUNE, HELM_POLICY, SYNC_OPTIONS, LOCAL_CONFIG} & copy.annotations.keys()


def test_the_result_says_what_to_do_next() -> None:
    """Argo CD and Flux look at the live object: the protection outlives the commit, and a person must delete."""
    kept = place("zones: [a]\nfanOut: {source: Keep}", deployment())
    (advice,) = [line for line in said(kept.results, "info") if "source: Remove" in line]
    assert advice.endswith("kubectl delete deployment web -n shop")
    gone = place("zones: [a]", *kept.items)
    (advice,) = [line for line in said(gone.results, "info") if "nothing prunes it" in line]
    assert advice.endswith("kubectl delete deployment web -n shop")


def test_comments_above_a_source_stay_with_it() -> None:
    """They are about the source: where it stays, no copy takes them."""
    source = KubeObject("# web serves\n" + deployment().text)
    items = [each.text for each in place("zones: [a]\nfanOut: {source: Template}", source)]
    assert [text.count("# web serves") for text in items] == [1, 0]
