"""A second run with patches of zones: a re-fan means the same as a fresh fan-out, and nothing leaks.

What a patch replaced comes back by its content, not by its comments and layout: runs are compared as data, by two
readers. Where patches only add to a Deployment, the bytes are the same, too.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_refan import fan_out, fanned_out, forgets, listed, sources, specs, staying

from krmfn import KubeObject
from krmfn.testing import item_texts, read_twice


def pod(**fields: Any) -> dict[str, Any]:
    """Return a patch of the PodSpec."""
    return {"spec": {"template": {"spec": fields}}}


def web(**fields: Any) -> dict[str, Any]:
    """Return a patch of the container ``web``."""
    return pod(containers=[{"name": "web", **fields}])


ADDING: list[dict[str, Any]] = [
    web(resources={"limits": {"memory": "2Gi"}}),
    web(volumeMounts=[{"name": "tmp", "mountPath": "/var/cache"}]),
    pod(volumes=[{"name": "tmp", "emptyDir": {}}], imagePullSecrets=[{"name": "mirror"}]),
    pod(containers=[{"name": "agent", "image": "example.com/agent", "ports": [{"containerPort": 1}]}]),
    {"metadata": {"annotations": {"team": "edge"}, "labels": {"tier": "edge"}}},
    {"spec": {"minReadySeconds": 5, "template": {"metadata": {"annotations": {"scrape": "true"}}}}},
    pod(securityContext={"runAsUser": 1}, dnsPolicy="None"),
]
PATCHES: list[dict[str, Any]] = [
    *ADDING,
    web(image="example.com/web:2", env=[{"name": "ZONE", "value": "patched"}, {"name": "LANG", "$patch": "delete"}]),
    web(image=None, env=None, args=["-v"]),
    web(env=[{"$patch": "replace"}, {"name": "ONLY", "value": "1"}]),
    pod(tolerations=[{"key": "edge", "operator": "Exists"}]),
    pod(tolerations=[{"$patch": "replace"}]),
    pod(tolerations=None, topologySpreadConstraints=None),
    pod(initContainers=[{"name": "init", "$patch": "delete"}]),
    pod(nodeSelector={"disk": None, "pool": "patched"}),
    {"metadata": {"annotations": {"note": None}, "labels": {"app": "patched"}}},
    {"spec": {"strategy": {"$patch": "replace", "type": "Recreate"}, "minReadySeconds": 7}},
    {"spec": {"strategy": None}},
    {"metadata": {"annotations": {"argocd.argoproj.io/sync-wave": "9"}}},
    {"spec": {"template": {"metadata": {"labels": {"tier": "edge"}}}}},
]
#: Zones with the same name have other patches in other runs; a copy of one zone has only ever that of its own.
some_patches = st.lists(st.one_of(st.none(), st.sampled_from(PATCHES)), min_size=4, max_size=4)
adding_patches = st.lists(st.one_of(st.none(), st.sampled_from(ADDING)), min_size=4, max_size=4)


@st.composite
def patched(draw: st.DrawFn, patches: st.SearchStrategy[list[Any]] = some_patches) -> dict[str, Any]:
    """Draw a spec whose zones have patches."""
    spec = draw(specs())
    for zone, patch in zip(spec["zones"], draw(patches)):
        if patch is not None:
            zone["patch"] = patch
    return spec


def meaning(items: str) -> list[dict[str, Any]]:
    """Return the items as data, without the place of the file that says the same in another order."""
    one, other = read_twice("items:\n" + items)
    assert one == other
    found: list[dict[str, Any]] = one[0]["items"]
    return found


@settings(max_examples=25, deadline=None)
@given(sources(), patched())
def test_its_own_output_is_a_fixed_point(source: str, spec: dict[str, Any]) -> None:
    """A second run over its own output changes no byte of an item."""
    once = fanned_out(source, spec)
    assert fan_out(once, spec) == once


@settings(max_examples=60, deadline=None)
@given(sources(), patched(), patched())
def test_a_re_fan_means_a_fresh_fan_out(source: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Patches that come, go, change and move to other zones, with anything else: the items mean a first run."""
    assume(not forgets(source, before, after))
    assert meaning(fanned_out(fanned_out(source, before), after)) == meaning(fanned_out(source, after))


@settings(max_examples=25, deadline=None)
@given(sources(), patched(adding_patches), patched(adding_patches))
def test_patches_that_add_leave_no_trace(source: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """A patch that replaced nothing is taken away byte for byte."""
    assume(not forgets(source, before, after))
    once = fanned_out(source, before)
    plain = {**after, "zones": [{key: each for key, each in zone.items() if key != "patch"} for zone in after["zones"]]}
    assert fan_out(once, plain) == fan_out(source, plain)


@settings(max_examples=25, deadline=None)
@given(sources(), st.lists(patched(), min_size=2, max_size=5))
def test_nothing_is_lost_on_the_way(source: str, way: list[dict[str, Any]]) -> None:
    """Any number of changes later, the items mean what a first run makes."""
    assume(not forgets(source, *way))
    items = source
    for spec in way:
        items = fanned_out(items, spec)
    assert meaning(items) == meaning(fanned_out(source, way[-1]))


@settings(max_examples=25, deadline=None)
@given(sources(), patched(), patched(), st.sampled_from(["Keep", "Template"]))
def test_with_its_source_it_is_a_fresh_fan_out(
    source: str, before: dict[str, Any], after: dict[str, Any], role: str
) -> None:
    """Where the source is in the list, the bytes are those of a first run."""
    assume(before["fanOut"].get("replicas") != "ZoneLoss")
    after = {**after, "fanOut": before["fanOut"]}
    once = fanned_out(source, staying(before, role))
    assert fan_out(once, staying(before, role)) == once
    assert fan_out(once, staying(after, role)) == fan_out(source, staying(after, role))


WEB = """\
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    annotations: {note: first}
    labels: {app: web}
    name: web
  spec:
    strategy: {type: RollingUpdate}   # the default
    replicas: 4
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec:
        tolerations: [{key: spot, operator: Exists}]   # cheap
        nodeSelector: {disk: ssd, arch: arm64}
        initContainers:
        - name: init   # first
          image: example.com/init
        containers:
        - name: web
          image: 'example.com/web'   # pinned
          env:
          - {name: LANG, value: C}
          tty: true
"""
PLAIN: dict[str, Any] = {"zones": ["a", "b"], "fanOut": {}}


@pytest.mark.parametrize("patch", PATCHES)
def test_no_patch_leaks(patch: dict[str, Any]) -> None:
    """The copy of another zone is the same with and without the patch, now and when the zone is new."""
    spec = {"zones": [{"name": "a", "patch": patch}, "b"], "fanOut": {}}
    with_patch, without = meaning(fan_out(WEB, spec)), meaning(fan_out(WEB, PLAIN))
    assert with_patch[0] != without[0]
    assert with_patch[1] == without[1]
    more = meaning(fan_out(fan_out(WEB, spec), {"zones": [*spec["zones"], "c"], "fanOut": {}}))
    assert more[2] == meaning(fan_out(WEB, {"zones": ["a", "b", "c"], "fanOut": {}}))[2]


@pytest.mark.parametrize("role", ["Keep", "Template"])
@pytest.mark.parametrize("patch", PATCHES)
def test_a_source_that_stays_gives_its_layout_back(patch: dict[str, Any], role: str) -> None:
    """Without its patch a copy has the comments, the order and the quotes of its source again."""
    spec = {"zones": [{"name": "a", "patch": patch}, "b"], "fanOut": {}}
    once = fan_out(WEB, staying(spec, role))
    assert fan_out(once, staying(PLAIN, role)) == fan_out(WEB, staying(PLAIN, role))


@pytest.mark.parametrize("patch", PATCHES)
def test_edits_beside_a_patch_stay(patch: dict[str, Any]) -> None:
    """What a person added to a patched copy is there after a second run, with the patch and without it."""
    spec = {"zones": [{"name": "a", "patch": patch}, "b"], "fanOut": {}}
    first, second = (KubeObject(text) for text in item_texts(listed(fan_out(WEB, spec), spec)))
    pod = ("spec", "template", "spec")
    first.set_annotation("mine", "yes")
    first.set_nested(*pod, "containers", 0, "workingDir", "/mine")
    for name, entry in (("volumes", {"emptyDir": {}}), ("containers", {"image": "example.com/mine"})):
        first.append_nested(*pod, name, {"name": "mine", **entry})
    edited = first.text + second.text
    for again in (fan_out(edited, spec), fan_out(fan_out(edited, spec), PLAIN)):
        copy = meaning(again)[0]
        found = copy["spec"]["template"]["spec"]
        assert copy["metadata"]["annotations"]["mine"] == "yes"
        assert found["containers"][0]["workingDir"] == "/mine"
        for name in ("volumes", "containers"):
            assert [each for each in found[name] if each["name"] == "mine"]
    assert fan_out(fan_out(edited, spec), spec) == fan_out(edited, spec)
