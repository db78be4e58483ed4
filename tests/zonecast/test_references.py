"""Nothing may still name a Deployment that went away."""

from __future__ import annotations

import pytest
from yamls import deployment, obj, place

from krmfn import KubeObject, ObjectError

ZONES = "targets: [{name: web}]\nzones: [a, b]"


def custom(spec: str, *, annotations: str = "", namespace: str = "shop", kind: str = "Bundle") -> KubeObject:
    """Return an object of a kind that nobody knows."""
    more = f", annotations: {{{annotations}}}" if annotations else ""
    return obj(
        f"apiVersion: example.com/v1\nkind: {kind}\n"
        f"metadata: {{name: x, namespace: {namespace}{more}}}\nspec: {spec}\n"
    )


@pytest.mark.parametrize(
    ("referrer", "path"),
    [
        (custom("{targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}"), "spec.targetRef.name"),
        (custom("{targetRef: {kind: Deployment, name: web}}"), "spec.targetRef.name"),
        (custom("{a: [{b: [[{kind: Deployment, name: web}]]}]}"), "spec.a[0].b[0][0].name"),
        (custom("{ref: {kind: Deployment, name: web, namespace: shop}}", namespace="ops"), "spec.ref.name"),
        (custom("{scaleTargetRef: {name: web}}", kind="Scaler"), "spec.scaleTargetRef.name"),
    ],
)
def test_a_reference_that_would_dangle(referrer: KubeObject, path: str) -> None:
    """The Error names the object, the path and the copies, whatever the kind."""
    with pytest.raises(ObjectError) as error:
        place(ZONES, deployment(), referrer)
    assert f"{referrer.kind} {referrer.namespace}/x" in str(error.value)
    assert path in str(error.value)
    assert "web-a, web-b" in str(error.value)


@pytest.mark.parametrize(
    "referrer",
    [
        custom("{ref: {kind: Deployment, name: api}}"),
        custom("{ref: {kind: Deployment, name: web}}", namespace="other"),
        custom("{ref: {kind: Deployment, name: web, namespace: other}}"),
        custom("{ref: {kind: StatefulSet, name: web}}"),
        custom("{ref: {apiVersion: example.com/v1, kind: Deployment, name: web}}"),
        custom("{deployment: web, kind: Deployment}"),
        custom("{}", annotations="config.kubernetes.io/depends-on: apps/namespaces/other/Deployment/web"),
        custom(
            "{ref: {kind: Deployment, name: web}}", annotations="config.kubernetes.io/local-config: 'true'"
        ),
        obj(
            "apiVersion: zonecast.dev/v1alpha1\nkind: Placement\nmetadata: {name: x}\n"
            "spec: {targets: [{kind: Deployment, name: web}]}\n"
        ),
    ],
)
def test_what_is_no_reference_to_the_source(referrer: KubeObject) -> None:
    """Other names, namespaces, kinds, groups; local-config, which reaches no cluster; a Placement."""
    text = referrer.text
    assert place(ZONES, deployment(), referrer).items[-1].text == text


def test_a_reference_to_a_copy_is_right() -> None:
    """What names a copy that will be there dangles no more."""
    place(ZONES, deployment(), custom("{ref: {kind: Deployment, name: web-b}}"))


def test_every_reference_is_reported() -> None:
    """All findings of a run at once, in one object and in several."""
    with pytest.raises(ObjectError) as error:
        place(
            ZONES,
            deployment(),
            custom("{one: {kind: Deployment, name: web}, two: {kind: Deployment, name: web}}"),
            custom("{three: {kind: Deployment, name: web}}", kind="Other"),
        )
    assert [word for word in ("one", "two", "three") if f"spec.{word}.name" in str(error.value)] == [
        "one",
        "two",
        "three",
    ]


def test_nothing_is_checked_where_nothing_goes() -> None:
    """Without zones every Deployment stays, and so does every reference."""
    place(
        "podSpec: {nodeSelector: {disk: ssd}}", deployment(), custom("{ref: {kind: Deployment, name: web}}")
    )
