"""Pins by affinity and what one zone has for itself: made, taken away, and nothing of it left."""

from __future__ import annotations

import pytest

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
