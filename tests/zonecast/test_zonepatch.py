"""A zone's patch and what people do to its copy; what it is in the output is in the goldens ``zone-patch*``."""

from __future__ import annotations

from typing import Any

import pytest
from yamls import deployment, place, pod_spec, said

from krmfn import KubeObject
from krmfn.strategic.keys import POD_SPEC
from zonecast import podfields, zonepatch

PATCHED = """
zones:
- name: a
  patch:
    spec:
      template:
        spec:
          containers: [{name: web, image: example.com/edge}]
          volumes: [{name: cache, emptyDir: {}}]
- b
"""
PLAIN = "zones: [a, b]"


def copies(spec: str, *objects: KubeObject) -> list[KubeObject]:
    """Return the copies that come of a run, read anew."""
    return [KubeObject(obj.text) for obj in place(spec, *objects)]


def warnings(spec: str, *objects: KubeObject) -> list[str]:
    """Return what a run warns of."""
    return said(place(spec, *objects).results, "warning")


def test_an_edit_beside_a_patch_stays() -> None:
    """What was added by hand behind an entry of the patch is kept, and nothing of it is called lost."""
    first, second = copies(PATCHED, deployment())
    volumes = ("spec", "template", "spec", "volumes")
    first.append_nested(*volumes, {"name": "mine", "emptyDir": {}})
    resources = place(PATCHED, KubeObject(first.text), second)
    assert [each["name"] for each in pod_spec(resources, "web-a")["volumes"]] == ["mine", "cache"]
    assert not [each for each in said(resources.results, "warning") if "lost" in each]
    again = place(PATCHED, *[KubeObject(obj.text) for obj in resources])
    assert [obj.text for obj in again] == [obj.text for obj in resources]
    plain = place(PLAIN, *[KubeObject(obj.text) for obj in resources])
    assert [each["name"] for each in pod_spec(plain, "web-a")["volumes"]] == ["mine"]
    assert "volumes" not in pod_spec(plain, "web-b")


def test_an_edit_of_what_a_patch_set_is_lost_and_said() -> None:
    """The Placement wins where it speaks, whether the patch stays or goes."""
    for spec, image in ((PATCHED, "example.com/edge"), (PLAIN, "example.com/web")):
        first, second = copies(PATCHED, deployment())
        first.set_nested("spec", "template", "spec", "containers", 0, "image", "example.com/mine")
        resources = place(spec, KubeObject(first.text), second)
        assert pod_spec(resources, "web-a")["containers"][0]["image"] == image
        assert "containers[web].image: edited by hand" in "".join(said(resources.results, "warning"))


def test_an_edit_that_the_placement_has_by_now_is_not_lost() -> None:
    """Who edits a copy and then writes it into the patch is not warned."""
    first, second = copies(PATCHED, deployment())
    text = first.text.replace("image: example.com/edge", "image: example.com/new", 1)
    assert text != first.text
    spec = PATCHED.replace("example.com/edge", "example.com/new")
    assert not warnings(spec, KubeObject(text), second)


def test_what_a_patch_took_out_may_come_back_by_hand() -> None:
    """An entry that was put in again by hand where the patch deletes it goes again, and that is said."""
    spec = "zones:\n- {name: a, patch: {spec: {template: {spec: {containers: [{name: side, $patch: delete}]}}}}}\n- b\n"
    source = deployment()
    source.append_nested("spec", "template", "spec", "containers", {"name": "side", "image": "example.com/side"})
    first, second = copies(spec, KubeObject(source.text))
    first.append_nested("spec", "template", "spec", "containers", {"name": "side", "image": "example.com/mine"})
    resources = place(spec, KubeObject(first.text), second)
    assert [each["name"] for each in pod_spec(resources, "web-a")["containers"]] == ["web"]
    assert "containers[side].image: edited by hand" in "".join(said(resources.results, "warning"))


@pytest.mark.parametrize(
    ("pod", "path", "near"),
    [
        ({"container": []}, "container", "containers"),
        ({"containers": [{"name": "a", "resource": {}}]}, "containers[0].resource", "resources"),
        ({"initContainers": [{"name": "a", "volumeMount": []}]}, "initContainers[0].volumeMount", "volumeMounts"),
        ({"fromTheFuture": 1}, "fromTheFuture", ""),
    ],
)
def test_a_field_that_kubernetes_does_not_know(pod: dict[str, Any], path: str, near: str) -> None:
    """It is a warning with the nearest spelling, as it may be newer than zonecast."""
    spec = f"zones:\n- {{name: a, patch: {{spec: {{template: {{spec: {pod}}}}}}}}}\n"
    source = deployment()
    for kind in ("initContainers", "containers"):
        source.set_nested("spec", "template", "spec", kind, [{"name": "a", "image": "example.com/a"}])
    (found,) = warnings(spec, source)
    assert f"patch.spec.template.spec.{path}: web-a: Kubernetes 1.37 has no such field" in found
    assert (f'did you mean "{near}"?' in found) == bool(near)


def test_the_lists_that_merge_are_fields_of_a_pod() -> None:
    """The table of fields and the table of merge keys speak of the same API."""
    fields = {"kind": "Deployment", **{key: [] for key in POD_SPEC}}
    assert [path for path, _ in podfields.misspelt(fields, ())] == [("kind",)]
    for kind in podfields.CONTAINERS:
        keys = POD_SPEC[kind]
        assert not isinstance(keys, dict)
        container: dict[str, Any] = {key: [] for key in keys.fields}
        assert not list(podfields.misspelt({kind: [container]}, ()))


def test_paths_with_dots_are_in_brackets() -> None:
    """A finding about a label names it as one key."""
    findings: list[tuple[str, str]] = []
    patch = {"metadata": {"annotations": {"zonecast.dev/origin": "{}"}}}
    zonepatch.check(patch, "spec.zones[0].patch", findings)
    assert [path for path, _ in findings] == ["spec.zones[0].patch.metadata.annotations[zonecast.dev/origin]"]
