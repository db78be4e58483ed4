"""Short ways to the objects that these tests are about."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

from krmfn import KubeObject, ObjectError, ResourceList, Results
from krmfn.main import run
from zonecast.pipeline import run as zonecast
from zonecast.placement import Placement, load
from zonecast.workload import Workload


def obj(text: str) -> KubeObject:
    """Return the object that a YAML document describes."""
    return KubeObject(dedent(text).lstrip("\n"))


def deployment(
    pod_spec: str = "", *, name: str = "web", replicas: str = "replicas: 6", labels: str = "app: web"
) -> KubeObject:
    """Return a Deployment; ``pod_spec`` is block YAML for its PodSpec beside the containers."""
    lines = [f"      {line}\n" for line in dedent(pod_spec).strip("\n").split("\n") if line]
    return KubeObject(
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: shop}}\nspec:\n"
        + (f"  {replicas}\n" if replicas else "")
        + f"  selector:\n    matchLabels: {{{labels}}}\n"
        f"  template:\n    metadata:\n      labels: {{{labels}}}\n"
        f"    spec:\n      containers: [{{name: web, image: example.com/web}}]\n" + "".join(lines)
    )


def workload(pod_spec: str = "", **rest: str) -> Workload:
    """Return a Deployment as a Workload."""
    return Workload(deployment(pod_spec, **rest), ("spec", "template"))


def placement(spec: str) -> Placement:
    """Return the Placement ``shop`` of a spec in block YAML."""
    lines = "".join(f"  {line}\n" for line in dedent(spec).strip("\n").split("\n"))
    return load(
        KubeObject(
            f"apiVersion: zonecast.dev/v1alpha1\nkind: Placement\nmetadata: {{name: shop}}\nspec:\n{lines}"
        )
    )


def listed(*objects: KubeObject) -> ResourceList:
    """Return a list of objects."""
    return ResourceList(objects)


def place(spec: str, *objects: KubeObject) -> ResourceList:
    """Return the list that comes of placing ``objects``; an error that was found is raised."""
    lines = "".join(f"  {line}\n" for line in dedent(spec).strip("\n").split("\n"))
    config = KubeObject(
        f"apiVersion: zonecast.dev/v1alpha1\nkind: Placement\nmetadata: {{name: shop}}\nspec:\n{lines}"
    )
    resources = ResourceList(objects, config)
    zonecast(resources)
    errors = said(resources.results, "error")
    if errors:
        raise ObjectError("\n".join(errors))
    return resources


def said(results: Results, severity: str) -> list[str]:
    """Return the findings of one severity, a line each."""
    return [str(each) for each in results if each.severity == severity]


def pod_spec(resources: ResourceList, name: str) -> dict[str, Any]:
    """Return the PodSpec of the Deployment ``name`` in a list."""
    return resources.where(kind="Deployment", name=name)[0].nested_map("spec", "template", "spec")


__all__ = ["deployment", "listed", "obj", "place", "placement", "pod_spec", "run", "said", "workload"]
