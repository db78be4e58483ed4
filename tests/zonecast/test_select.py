"""Which objects a Placement is about."""

from __future__ import annotations

import pytest
from yamls import deployment, listed, obj, placement

from krmfn import KubeObject, ObjectError
from zonecast.select import names_of, select


def of(kind: str, name: str = "x", api: str = "apps/v1", more: str = "") -> KubeObject:
    """Return an object of a kind."""
    return obj(f"apiVersion: {api}\nkind: {kind}\nmetadata: {{name: {name}, namespace: shop{more}}}\n")


ALL = [
    of("Deployment", "web", more=", labels: {app: web}"),
    of("Deployment", "api", more=", labels: {app: api}, annotations: {place: 'yes'}"),
    of("StatefulSet", "db"),
    of("DaemonSet", "logs"),
    of("Deployment", "odd", api="example.com/v1"),
    of("Rollout", "roll", api="argoproj.io/v1alpha1"),
    of("Service", "web", api="v1"),
]


def chosen(spec: str) -> list[str]:
    """Return the names of what a spec's targets and exclude leave."""
    wanted = placement(spec).spec
    return [each.obj.name for each in select(listed(*ALL), wanted.targets, wanted.exclude or ())]


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("allowNoMatch: true", ["web", "api"]),
        ("targets: []", []),
        ("targets: [{name: web}]", ["web"]),
        ("targets: [{name: '.*', group: apps}]", ["web", "api"]),
        ("targets: [{kind: StatefulSet}]", ["db"]),
        ("targets: [{kind: '.*Set'}]", ["db", "logs"]),
        ("targets: [{group: apps, kind: '.*'}]", ["web", "api", "db", "logs"]),
        ("targets: [{group: argoproj.io, kind: Rollout, version: v1alpha1}]", ["roll"]),
        ("targets: [{version: v2}]", []),
        ("targets: [{namespace: shop, name: api}]", ["api"]),
        ("targets: [{namespace: sho}]", []),
        ("targets: [{labelSelector: 'app in (web)'}]", ["web"]),
        ("targets: [{annotationSelector: place=yes}]", ["api"]),
        ("targets: [{labelSelector: app=web, annotationSelector: place=yes}]", []),
        ("targets: [{name: web}, {name: api}]", ["web", "api"]),
        ("exclude: [{name: web}]", ["api"]),
        ("targets: [{group: apps, kind: '.*'}]\nexclude: [{kind: '.*Set'}]", ["web", "api"]),
    ],
)
def test_targets_and_exclude(spec: str, names: list[str]) -> None:
    """Every field of a target must match, one target is enough, exclude wins; the kind is Deployment."""
    assert chosen(spec) == names


def test_a_kind_without_a_known_template() -> None:
    """A kind that is named but not known is an Error, not silence; podTemplatePath makes it known."""
    with pytest.raises(ObjectError, match="podTemplatePath"):
        chosen("targets: [{kind: Service}]")
    assert chosen("targets: [{kind: Service, podTemplatePath: spec.pod}]") == ["web"]


def test_local_config_is_never_chosen() -> None:
    """It does not reach a cluster. Any value but "false" is a mark."""
    mark = ", annotations: {config.kubernetes.io/local-config: '%s'}"
    objects = [of("Deployment", name, more=mark % name) for name in ("true", "false")]
    assert [each.obj.name for each in select(listed(*objects), None, ())] == ["false"]


def test_names_from_before_the_prefix_and_from_before_the_fan_out() -> None:
    """Names from before a prefix and the source of a copy are names that a target may use."""
    previous = "internal.config.kubernetes.io/previousNames: 'web,a-web'"
    annotations = f""", annotations: {{{previous}, zonecast.dev/origin: '{{"name": "b-a-web"}}'}}"""
    assert names_of(of("Deployment", "b-a-web-c", more=annotations)) == [
        "b-a-web-c",
        "web",
        "a-web",
        "b-a-web",
    ]


@pytest.mark.parametrize(
    ("kind", "api", "path"),
    [
        ("CronJob", "batch/v1", ("spec", "jobTemplate", "spec", "template", "spec")),
        ("Job", "batch/v1", ("spec", "template", "spec")),
        ("ReplicaSet", "apps/v1", ("spec", "template", "spec")),
        ("Pod", "v1", ("spec",)),
    ],
)
def test_where_pod_specs_are(kind: str, api: str, path: tuple[str, ...]) -> None:
    """Each kind with a pod template has it in its place."""
    wanted = placement(f"targets: [{{kind: {kind}}}]").spec
    assert [each.pod_spec for each in select(listed(of(kind, api=api)), wanted.targets, ())] == [path]


def test_order_is_the_lists() -> None:
    """Objects are placed in the order in which they came, whatever the order of the targets."""
    assert chosen("targets: [{name: api}, {name: web}]") == ["web", "api"]
    assert deployment().name == "web"
