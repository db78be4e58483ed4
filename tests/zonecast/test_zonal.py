"""Pins by affinity and what one zone has for itself: made, taken away, and nothing of it left."""

from __future__ import annotations

import pytest
from yamls import deployment, place

from krmfn import KubeObject, ObjectError
from zonecast import extras, pins

POD = ("spec", "template", "spec")
KEY = "topology.kubernetes.io/zone"
BARE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - name: web
        env:
        - name: ZONE
          value: none
      - name: proxy
"""
EMPTY = BARE + """\
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{}]
"""


@pytest.mark.parametrize("how", ["RequiredAffinity", "PreferredAffinity"])
def test_a_pin_goes_as_it_came(how: str) -> None:
    """Taken away, a pin leaves no byte behind."""
    obj = KubeObject(BARE)
    pins.pin(obj, POD, how, KEY, "a")
    assert KEY in obj.text
    pins.unpin(obj, POD, how, KEY, "a")
    assert obj.text == BARE


def test_an_empty_term_is_no_place_for_a_pin() -> None:
    """An empty term matches no node; with the zone in it, it would match some."""
    with pytest.raises(ObjectError, match="empty terms alone"):
        pins.pin(KubeObject(EMPTY), POD, "RequiredAffinity", KEY, "a")


def test_extras_go_as_they_came() -> None:
    """What a zone added goes, what it took the place of comes back."""
    obj = KubeObject(BARE)
    added = extras.add_node_selector(obj, POD, {"pool": "edge"}, replace=False)
    added.update(extras.add_tolerations(obj, POD, [{"key": "edge", "operator": "Exists"}]))
    added.update(extras.add_env(obj, POD, "ZONE", "a"))
    containers = obj.nested_slice(*POD, "containers")
    assert [each["env"] for each in containers] == [[{"name": "ZONE", "value": "a"}]] * 2
    extras.take_away(obj, POD, added, "a")
    assert obj.text == BARE


def test_what_was_there_is_not_remembered_as_added() -> None:
    """A label and a toleration of the source's own are not taken away with those of the zone."""
    obj = KubeObject(BARE + "      nodeSelector: {pool: edge}\n      tolerations: [{operator: Exists}]\n")
    assert extras.add_node_selector(obj, POD, {"pool": "edge"}, replace=False) == {}
    assert extras.add_tolerations(obj, POD, [{"key": "edge", "operator": "Exists"}]) == {}


WRITTEN = {
    "plain": "- name: ZONE\n  value: none\n",
    "with a comment": "- name: ZONE\n  value: none # yet\n- name: LANG\n  value: C\n",
    "quoted": "- name: ZONE\n  value: 'none'\n",
    "escaped": '- name: ZONE\n  value: "n\\x41"\n',
    "in flow style": "- {name: ZONE, value: none}\n",
    "first key": "- value: none\n  name: ZONE\n",
    "literal": "- name: ZONE\n  value: |\n    a\n\n    b\n",
    "folded": "- name: ZONE\n  value: >-\n    a\n    b\n",
    "null": "- name: ZONE\n  value:\n",
    "absent": "- name: ZONE\n",
    "from a field": "- name: ZONE\n  valueFrom: # the node\n    fieldRef:\n      fieldPath: 'spec.nodeName' # by name\n",
    "from a field in flow style": "- name: ZONE\n  valueFrom: {fieldRef:  {fieldPath: spec.nodeName}}\n",
    "from a field, first key": "- valueFrom: {fieldRef: {fieldPath: spec.nodeName}}\n  name: ZONE\n",
}


@pytest.mark.parametrize("zones", ["[a, b]", "['1', '2']"])
@pytest.mark.parametrize("entry", WRITTEN.values(), ids=WRITTEN)
def test_a_variable_comes_back_as_it_was_written(entry: str, zones: str) -> None:
    """Without ``zoneEnv`` an entry whose place a zone took is the same text again: quotes, comments, order of keys."""
    env = "".join(f"        {line}\n" if line else "\n" for line in entry.rstrip("\n").split("\n"))
    source = deployment().text.replace(
        "containers: [{name: web, image: example.com/web}]\n", f"containers:\n      - name: web\n        env:\n{env}"
    )
    without = f"zones: {zones}"
    first = place(f"{without}\nfanOut: {{zoneEnv: ZONE}}", KubeObject(source))
    again = place(without, *(KubeObject(each.text) for each in first))
    assert [each.text for each in again] == [each.text for each in place(without, KubeObject(source))]
