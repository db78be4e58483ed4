"""An Argo Rollout and the Services that it claims, under real kustomize, which knows nothing of its fields."""

import json
from pathlib import Path

from .adaptors import FUNCTION, KUSTOMIZATION, Json, Run, kustomize
from .manifests import placement

SHOP = """\
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata:
  name: web
spec:
  replicas: 4
  selector:
    matchLabels: {app: web}
  strategy:
    blueGreen: {activeService: web-active}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers: [{name: web, image: "nginx:1.29"}]
---
apiVersion: v1
kind: Service
metadata:
  name: web-active
spec:
  selector: {app: web}
  ports: [{port: 80}]
"""
FIELDS = {
    "nameReference": [
        {"kind": "Service", "fieldSpecs": [{"kind": "Rollout", "path": "spec/strategy/blueGreen/activeService"}]}
    ]
}


def built(folder: Path, low: Json, top: Json) -> Run:
    """Build an overlay above one that fans the shop out."""
    config = json.loads(placement(targets=[{"kind": "Rollout"}]))
    config["metadata"]["annotations"][FUNCTION] = "exec: {path: zonecast}"
    files = {
        "base/shop.yaml": SHOP,
        "base/kustomization.yaml": json.dumps(KUSTOMIZATION | {"resources": ["shop.yaml"]}),
        "low/placement.yaml": json.dumps(config),
        "low/kustomization.yaml": json.dumps(
            KUSTOMIZATION | {"resources": ["../base"], "transformers": ["placement.yaml"], **low}
        ),
        "top/fields.yaml": json.dumps(FIELDS),
        "top/kustomization.yaml": json.dumps(KUSTOMIZATION | {"resources": ["../low"], **top}),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return kustomize(folder / "top", "--enable-alpha-plugins", "--enable-exec")


def claims(done: Run) -> tuple[list[str], list[str]]:
    """Return the Services that the Rollouts name, and those that there are."""
    found = list(done.objects.values())
    named = [each["spec"]["strategy"]["blueGreen"]["activeService"] for each in found if each["kind"] == "Rollout"]
    return sorted(named), sorted(each["metadata"]["name"] for each in found if each["kind"] == "Service")


def test_a_prefix_of_the_same_level(tmp_path: Path) -> None:
    """The Services have it already when the function runs, the fields that name them have not: both are right after."""
    done = built(tmp_path, {"namePrefix": "pre-"}, {})
    assert claims(done) == (["pre-web-active-a", "pre-web-active-b"],) * 2


def test_a_prefix_above(tmp_path: Path) -> None:
    """kustomize must be told which fields of a Rollout are names, of copies as of any other."""
    assert claims(built(tmp_path, {}, {"namePrefix": "top-"}))[0] == ["web-active-a", "web-active-b"]
    told = built(tmp_path, {}, {"namePrefix": "top-", "configurations": ["fields.yaml"]})
    assert claims(told) == (["top-web-active-a", "top-web-active-b"],) * 2
