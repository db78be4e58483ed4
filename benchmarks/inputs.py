"""ResourceLists as kustomize sends them, made up the same way every time.

The layout (key order, indentation, the annotations that kustomize adds for the round trip, the
functionConfig last) is copied from what kustomize 5.8.1 writes to a function's stdin. Nothing here
is random and nothing is read from a clock: two runs of the benchmark read the same bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ZONES = ("us-east-1a", "us-east-1b", "us-east-1c")
ALL_NAMES = "web-.*"
RARE_NAMES = "web-rare-.*"
NO_NAMES = "nobody-.*"

# Every 33rd Deployment has a rare name, and a third of the items are Deployments: about 1 % of a
# list. The offset makes it 10 of 1,000 items and 101 of 10,000, spread over the whole list.
_RARE_EVERY, _RARE_AT = 33, 16

_ID = """\
      kustomize.config.k8s.io/id: |
{group}        kind: {kind}
        name: {name}
        namespace: shop
        version: {version}
      config.kubernetes.io/index: '{index}'
      internal.config.kubernetes.io/index: '{index}'
      internal.config.kubernetes.io/annotations-migration-resource-id: '{index}'
      internal.config.kubernetes.io/id: '{next_index}'
      config.k8s.io/id: '{next_index}'
"""

_DEPLOYMENT = """\
    labels:
      app: {name}
    name: {name}
    namespace: shop
  spec:
{replicas}    selector:
      matchLabels:
        app: {name}
    template:
      metadata:
        labels:
          app: {name}
      spec:
        containers:
        - env:
          - name: LOG_LEVEL
            value: "info"
          - name: PEERS
            value: "{index}"
          image: registry.example/shop/{name}:1.{minor}.{patch}
          name: web
          ports:
          - containerPort: 8080
          resources:
            requests:
              cpu: {cpu}m
              memory: {memory}Mi
"""

_SERVICE = """\
    name: {name}
    namespace: shop
  spec:
    ports:
    - name: http
      port: 80
      targetPort: 8080
    selector:
      app: {name}
"""

_CONFIG_MAP_DATA = """\
  data:
    enabled: "yes"
    mode: '0644'
    app.properties: |
      # written by hand
      retries = 3
      endpoint = http://{name}.shop.svc/api
"""

_NAME_ONLY = """\
    name: {name}
    namespace: shop
"""

_AUTOSCALER = """\
    name: {name}
    namespace: shop
  spec:
    maxReplicas: {maximum}
    metrics:
    - resource:
        name: cpu
        target:
          averageUtilization: 70
          type: Utilization
      type: Resource
    minReplicas: {minimum}
    scaleTargetRef:
      apiVersion: apps/v1
      kind: Deployment
      name: {name}
"""

_INGRESS = """\
    name: {name}
    namespace: shop
  spec:
    rules:
    - host: {name}.shop.example
      http:
        paths:
        - backend:
            service:
              name: {name}
              port:
                number: 80
          path: /
          pathType: Prefix
"""

_PLACEMENT = """\
functionConfig:
  apiVersion: zonecast.dev/v1alpha1
  kind: Placement
  metadata:
    annotations:
      config.kubernetes.io/local-config: 'true'
    name: shop
  spec:
{allow}    targets:
    - kind: Deployment
      name: {names}
    zones:
{zones}"""

_PEER_CONFIG = f"""\
functionConfig:
  apiVersion: zonecast.dev/v1alpha1
  kind: Pin
  metadata:
    annotations:
      config.kubernetes.io/local-config: 'true'
    name: shop
  spec:
    zone: {ZONES[0]}
"""


_PATCHED_ZONE = """\
    - name: {zone}
      patch:
        spec:
          template:
            spec:
              priorityClassName: high
              containers:
              - name: web
                env:
                - name: LOG_LEVEL
                  value: debug
"""


def placement(names: str, *, patched: bool = False) -> str:
    """Return the functionConfig that fans the Deployments called ``names`` out over ``ZONES``.

    ``patched`` gives the first zone a patch of the pods.
    """
    lines = [f"    - {zone}\n" for zone in ZONES]
    if patched:
        lines[0] = _PATCHED_ZONE.format(zone=ZONES[0])
    zones = "".join(lines)
    allow = "    allowNoMatch: true\n" if names == NO_NAMES else ""
    return _PLACEMENT.format(names=names, zones=zones, allow=allow)


def peer_config() -> str:
    """Return the functionConfig that makes the Go peer pin every Deployment to one zone."""
    return _PEER_CONFIG


def resource_list(items: list[str], config: str) -> str:
    """Return one whole ResourceList, the functionConfig last as kustomize has it."""
    head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
    return head + "".join(items) + config


def items(size: int, *, followed: bool = False) -> list[str]:
    """Return the text of ``size`` items, a third of them Deployments.

    ``followed`` gives every fourth Deployment an autoscaler, which is split with it.
    """
    return list(_items(size, followed=followed))


def _items(size: int, *, followed: bool) -> Iterator[str]:
    name = ""
    for index in range(size):
        place = index % 12
        if index % 3 == 0:
            name = _deployment_name(index // 3)
            yield _deployment(index, name, scaled=followed and place == _SCALED and index + 1 < size)
        elif followed and place == _SCALED + 1:
            yield _autoscaler(index, name)
        else:
            # What is not a Deployment belongs to the one before it and shares its name.
            yield _COMPANIONS[place](index, name)


def _deployment_name(ordinal: int) -> str:
    rare = "rare-" if ordinal % _RARE_EVERY == _RARE_AT else ""
    return f"web-{rare}{ordinal}"


def _head(index: int, name: str, api_version: str, kind: str, before: str = "") -> str:
    """Return an item down to its annotations; ``before`` is what sorts ahead of ``kind``."""
    group, _, version = api_version.rpartition("/")
    group_line = f"        group: {group}\n" if group else ""
    identity = _ID.format(
        group=group_line,
        kind=kind,
        name=name,
        version=version,
        index=index,
        next_index=index + 1,
    )
    return (
        f"- apiVersion: {api_version}\n{before}  kind: {kind}\n"
        f"  metadata:\n    annotations:\n{identity}"
    )


def _deployment(index: int, name: str, *, scaled: bool) -> str:
    # 3 to 9 replicas: never a zone without a pod, and remainders of 0, 1 and 2. None where an
    # autoscaler follows, as it should be.
    replicas = "" if scaled else f"    replicas: {3 + index // 3 % 7}\n"
    # Values differ from one to the next as they do in a cluster; no reader may live on repetition.
    body = _DEPLOYMENT.format(
        name=name,
        replicas=replicas,
        index=index,
        minor=index % 17,
        patch=index % 29,
        cpu=50 * (1 + index % 12),
        memory=64 * (1 + index % 20),
    )
    return _head(index, name, "apps/v1", "Deployment") + body


def _service(index: int, name: str) -> str:
    return _head(index, name, "v1", "Service") + _SERVICE.format(name=name)


def _config_map(index: int, name: str) -> str:
    head = _head(index, name, "v1", "ConfigMap", _CONFIG_MAP_DATA.format(name=name))
    return head + _NAME_ONLY.format(name=name)


def _service_account(index: int, name: str) -> str:
    return _head(index, name, "v1", "ServiceAccount") + _NAME_ONLY.format(name=name)


def _ingress(index: int, name: str) -> str:
    head = _head(index, name, "networking.k8s.io/v1", "Ingress")
    return head + _INGRESS.format(name=name)


def _autoscaler(index: int, name: str) -> str:
    body = _AUTOSCALER.format(name=name, minimum=3 + index % 5, maximum=20 + index % 11)
    return _head(index, name, "autoscaling/v2", "HorizontalPodAutoscaler") + body


# The place of the Deployment before the autoscaler.
_SCALED = 3
# By the place of an item in each run of twelve; the places 0, 3, 6 and 9 are Deployments.
_COMPANIONS: dict[int, Callable[[int, str], str]] = {
    1: _service,
    2: _config_map,
    4: _service,
    5: _service_account,
    7: _service,
    8: _config_map,
    10: _ingress,
    11: _config_map,
}
