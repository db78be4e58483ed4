"""Objects with a pod template, and how to reach it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from krmfn import KubeObject
    from krmfn.scan import Data

    Path = tuple[str, ...]

_TEMPLATE: Path = ("spec", "template")
#: Where the pod template of a kind is (Kubernetes API reference; argoproj.io for Rollout). A Pod is its own template.
_TEMPLATES: dict[tuple[str, str], Path] = {
    ("apps", "Deployment"): _TEMPLATE,
    ("apps", "StatefulSet"): _TEMPLATE,
    ("apps", "DaemonSet"): _TEMPLATE,
    ("apps", "ReplicaSet"): _TEMPLATE,
    ("", "ReplicationController"): _TEMPLATE,
    ("batch", "Job"): _TEMPLATE,
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("argoproj.io", "Rollout"): _TEMPLATE,
    ("", "Pod"): (),
}

DEPLOYMENT, ROLLOUT = "Deployment", "Rollout"
#: What ``zones`` fans out, and the API groups that a reference to one can say; old ones say extensions.
FANNED_OUT: dict[str, tuple[str, ...]] = {DEPLOYMENT: ("apps", "extensions"), ROLLOUT: ("argoproj.io",)}


class Workload:
    """An object and the path of its pod template."""

    __slots__ = ("obj", "template")

    def __init__(self, obj: KubeObject, template: Path) -> None:
        self.obj = obj
        self.template = template

    @property
    def pod_spec(self) -> Path:
        """The path of the PodSpec."""
        return (*self.template, "spec")

    @property
    def pod_labels(self) -> dict[str, str]:
        """The labels of the pods."""
        return self.obj.nested_string_map(*self.template, "metadata", "labels")

    def get(self, *path: str) -> Data:
        """Return a value of the PodSpec."""
        return self.obj.get(*self.template, "spec", *path)

    def keys(self) -> Collection[str]:
        """Return the fields that the PodSpec has."""
        return self.obj.keys(*self.template, "spec")

    def selector_labels(self) -> dict[str, str]:
        """Return the labels by which the object selects its pods; its pods' labels where it has no selector."""
        return self.obj.nested_string_map("spec", "selector", "matchLabels") or self.pod_labels


def is_meant(kind: str, api_version: Data) -> bool:
    """Whether a reference's apiVersion can mean a ``kind`` that is fanned out; many leave it out."""
    return not api_version or str(api_version).partition("/")[0] in FANNED_OUT.get(kind, ())


def template_path(obj: KubeObject) -> Path | None:
    """Return where the pod template of a known kind is."""
    return _TEMPLATES.get((obj.group, obj.kind))
