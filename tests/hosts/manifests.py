"""Tiny manifests that the host tests share."""

import json
from collections.abc import Mapping

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # the front
spec:
  replicas: 4
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: "nginx:1.29" # pinned
        envFrom:
        - configMapRef: {name: settings}
"""
SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 4
  maxReplicas: 12
"""
CANARY = """\
apiVersion: flagger.app/v1beta1
kind: Canary
metadata:
  name: web
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
"""
SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  greeting: hello
"""
ZONES = ["a", "b"]


def placement(**spec: object) -> str:
    """Write a Placement; it fans out over two zones unless told otherwise."""
    return json.dumps(
        {
            "apiVersion": "zonecast.dev/v1alpha1",
            "kind": "Placement",
            "metadata": {
                "name": "shop",
                "annotations": {"config.kubernetes.io/local-config": "true"},
            },
            "spec": {"zones": ZONES} | spec,
        }
    )


def annotated(manifest: str, annotations: Mapping[str, str]) -> str:
    """Give a manifest with a ``spec`` annotations."""
    lines = "".join(f"    {key}: {json.dumps(value)}\n" for key, value in annotations.items())
    return manifest.replace("\nspec:", f"\n  annotations:\n{lines}spec:", 1)


def renamed(manifest: str, name: str) -> str:
    """Give the Deployment, or another manifest of the shop, another name."""
    return manifest.replace("name: web", f"name: {name}").replace("app: web", f"app: {name}")
