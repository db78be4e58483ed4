"""A zone's patch comes to what the hosts' own strategic merge patches come to, on the same copy."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from .adaptors import CONFIG, KUSTOMIZATION, Json, installed, kustomize, kustomize_exec, run
from .manifests import placement

#: What the entries of a list are known by, here; the hosts put new ones first, zonecast puts them last.
KEYS = ("name", "containerPort", "mountPath", "ip", "topologyKey")
KEYED = {
    "containers", "initContainers", "env", "ports", "volumeMounts", "volumes", "imagePullSecrets", "hostAliases",
    "topologySpreadConstraints",
}  # fmt: skip
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {team: shop, note: kept}
spec:
  replicas: 4
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      initContainers:
      - {name: init, image: example.com/init}
      containers:
      - name: web
        image: "nginx:1.29" # pinned
        args: [-a, -b]
        resources:
          limits: {memory: 1Gi, cpu: "1"}
        env:
        - {name: A, value: "1"}
        - {name: B, value: "2"}
        ports:
        - {containerPort: 53, protocol: TCP, name: dns}
        - {containerPort: 53, protocol: UDP}
        volumeMounts:
        - {name: cache, mountPath: /cache}
      - name: side
        image: example.com/side
      volumes:
      - name: cache
        emptyDir: {}
      imagePullSecrets:
      - name: mirror
      hostAliases:
      - {ip: 10.0.0.1, hostnames: [one]}
      tolerations:
      - {key: spot, operator: Exists}
      topologySpreadConstraints:
      - topologyKey: rack
        whenUnsatisfiable: ScheduleAnyway
        maxSkew: 1
        labelSelector: {matchLabels: {app: web}}
"""


def pod(**fields: Any) -> Json:
    """Return a patch of the PodSpec."""
    return {"spec": {"template": {"spec": fields}}}


def web(**fields: Any) -> Json:
    """Return a patch of the container ``web``."""
    return pod(containers=[{"name": "web", **fields}])


CASES: dict[str, Json] = {
    "figures": web(resources={"limits": {"memory": "2Gi"}, "requests": {"cpu": "500m"}}),
    "variables": web(env=[{"name": "B", "value": "3"}, {"name": "C", "value": "4"}]),
    "a variable from a field": web(
        env=[{"name": "A", "value": None, "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}]
    ),
    "a volume and its mount": pod(
        containers=[{"name": "web", "volumeMounts": [{"name": "data", "mountPath": "/data"}]}],
        volumes=[{"name": "data", "emptyDir": {"sizeLimit": "1Gi"}}],
    ),
    "another source of a volume": pod(volumes=[{"name": "cache", "emptyDir": None, "hostPath": {"path": "/x"}}]),
    "no sidecar": pod(containers=[{"name": "side", "$patch": "delete"}]),
    "no init container": pod(initContainers=[{"name": "init", "$patch": "delete"}]),
    "one more container": pod(containers=[{"name": "agent", "image": "example.com/agent"}]),
    "arguments": web(args=["-c"], command=["run"]),
    "no arguments": web(args=None),
    "an empty list": web(args=[]),
    "the last key of a mapping": web(resources={"limits": {"memory": None, "cpu": None}}),
    "a mapping in place of another": web(resources={"$patch": "replace", "requests": {"cpu": "1"}}),
    "a list in place of another": pod(volumes=[{"$patch": "replace"}, {"name": "cache", "emptyDir": {"medium": "Memory"}}]),
    "tolerations": pod(tolerations=[{"key": "edge", "operator": "Exists"}]),
    "no tolerations": pod(tolerations=None),
    "pull secrets": pod(imagePullSecrets=[{"name": "edge"}]),
    "aliases": pod(hostAliases=[{"ip": "10.0.0.1", "hostnames": ["two"]}, {"ip": "10.0.0.2", "hostnames": ["three"]}]),
    "a spread constraint": pod(
        topologySpreadConstraints=[{"topologyKey": "rack", "whenUnsatisfiable": "ScheduleAnyway", "maxSkew": 3}]
    ),
    "a strategy": {"spec": {"strategy": {"type": "Recreate", "rollingUpdate": None}}},
    "annotations and labels": {
        "metadata": {"annotations": {"note": None, "edge": "yes"}, "labels": {"tier": "edge"}},
        "spec": {"template": {"metadata": {"annotations": {"edge": "yes"}, "labels": {"tier": "edge"}}}},
    },
    "new mappings without nulls": pod(securityContext={"runAsUser": None, "fsGroup": 1}),
    "a node label": pod(nodeSelector={"disk": "ssd"}),
}
#: Where the two differ, the one that zonecast does as.
CASES_OF_KUSTOMIZE: dict[str, Json] = {
    "a port by its protocol": web(ports=[{"containerPort": 53, "protocol": "UDP", "name": "udp"}]),
    "a mapping that is deleted": web(resources={"$patch": "delete"}),
    "merge, said": web(**{"$patch": "merge", "image": "nginx:1.30"}),
}
CASES_OF_KUBECTL: dict[str, Json] = {
    "only some keys": pod(volumes=[{"name": "cache", "$retainKeys": ["name", "hostPath"], "hostPath": {"path": "/x"}}]),
    "entries in order": pod(**{"$setElementOrder/containers": [{"name": "side"}, {"name": "web"}]}),
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Json:
    """Give the copy of zone a without a patch."""
    return copy_of(tmp_path_factory.mktemp("plain"), ["a", "b"])


@pytest.mark.parametrize("patch", [*CASES.values(), *CASES_OF_KUSTOMIZE.values()], ids=[*CASES, *CASES_OF_KUSTOMIZE])
def test_kustomize_comes_to_the_same(tmp_path: Path, plain: Json, patch: Json) -> None:
    """``patches`` of a kustomization, on the copy that has no patch, give what the patch of the zone gives."""
    files = {"copy.yaml": plain, "patch.yaml": named(patch, plain)}
    kustomization = {"resources": ["copy.yaml"], "patches": [{"path": "patch.yaml"}]}
    folder = written(tmp_path / "patches", {**files, "kustomization.yaml": KUSTOMIZATION | kustomization})
    found = kustomize(folder).objects["Deployment/web-a"]
    assert comparable(found) == comparable(copy_of(tmp_path / "shop", patched(patch)))


@pytest.mark.parametrize("patch", [*CASES.values(), *CASES_OF_KUBECTL.values()], ids=[*CASES, *CASES_OF_KUBECTL])
def test_kubectl_comes_to_the_same(tmp_path: Path, plain: Json, patch: Json) -> None:
    """``kubectl patch``, which merges as the API server does, gives what the patch of the zone gives."""
    found = kubectl_patch(tmp_path, plain, patch)
    assert comparable(found) == comparable(copy_of(tmp_path / "shop", patched(patch)))


def test_an_order_is_the_one_of_kubectl(tmp_path: Path, plain: Json) -> None:
    """An order that is asked for is the same as there."""
    patch = CASES_OF_KUBECTL["entries in order"]
    for copy in (kubectl_patch(tmp_path, plain, patch), copy_of(tmp_path / "shop", patched(patch))):
        assert [each["name"] for each in copy["spec"]["template"]["spec"]["containers"]] == ["side", "web"]


def copy_of(folder: Path, zones: list[Any]) -> Json:
    """Return the copy of zone a, as a build of the real kustomize has it."""
    written(folder, {"web.yaml": WEB, CONFIG: placement(zones=zones)})
    return kustomize_exec(folder).objects["Deployment/web-a"]


def patched(patch: Json) -> list[Any]:
    """Return zones of which the first one has a patch."""
    return [{"name": "a", "patch": patch}, "b"]


def kubectl_patch(folder: Path, copy: Json, patch: Json) -> Json:
    """Return what kubectl makes of an object, without a server."""
    file = written(folder, {"copy.yaml": copy}) / "copy.yaml"
    program = Path(installed("kubectl")) / "kubectl"
    done = run(program, "patch", "--local", "--type=strategic", "-f", file, "-p", json.dumps(patch), "-o", "yaml")
    assert done.code == 0, done.stderr
    found: Json = yaml.safe_load(done.stdout)
    return found


def written(folder: Path, files: dict[str, Any]) -> Path:
    """Write files, as text or as objects, into a folder; return it."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def named(patch: Json, copy: Json) -> Json:
    """Return a patch that says which object it is for, as kustomize asks for."""
    identity = {"apiVersion": copy["apiVersion"], "kind": copy["kind"]}
    return {**identity, **patch, "metadata": {**patch.get("metadata", {}), "name": copy["metadata"]["name"]}}


def comparable(value: Any, name: str = "") -> Any:
    """Return data in which entries with a merge key have no order, and without the memory of the copy."""
    if isinstance(value, dict):
        return {key: comparable(each, key) for key, each in value.items() if key != "zonecast.dev/origin"}
    if isinstance(value, list) and name in KEYED:
        key = next(key for key in KEYS if all(key in each for each in value))
        return {(each[key], each.get("protocol")): comparable(each) for each in value}
    return value
