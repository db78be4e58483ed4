"""An autoscaler of a Deployment becomes one per copy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yamls import deployment, obj, place, said

from krmfn import KubeObject, ObjectError, ResourceList

HPA = """
apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata: {{name: {name}, namespace: {namespace}{metadata}}}
spec:
  scaleTargetRef: {{{target}}}
{bounds}
"""
WEB = "apiVersion: apps/v1, kind: Deployment, name: web"
BUILD = "internal.config.kubernetes.io"


def renamed(prefix: str) -> str:
    """Return the annotations of an object ``web`` that kustomize put a prefix before."""
    return f", annotations: {{{BUILD}/previousNames: web, {BUILD}/prefixes: {prefix}}}"


def hpa(
    minimum: int | str | None = 2,
    maximum: int | str = 8,
    *,
    name: str = "web",
    target: str = WEB,
    namespace: str = "shop",
    version: str = "v2",
    metadata: str = "",
) -> KubeObject:
    """Return an autoscaler."""
    bounds = ("" if minimum is None else f"  minReplicas: {minimum}\n") + f"  maxReplicas: {maximum}"
    return obj(
        HPA.format(
            name=name, target=target, namespace=namespace, bounds=bounds, version=version, metadata=metadata
        )
    )


def scaled(resources: ResourceList) -> list[tuple[str, str, int | None, int]]:
    """Return name, target, minimum and maximum of each autoscaler."""
    return [
        (
            each.name,
            each.nested_string("spec", "scaleTargetRef", "name"),
            each.get("spec", "minReplicas"),
            each.get("spec", "maxReplicas"),
        )
        for each in resources.where(kind="HorizontalPodAutoscaler")
    ]


def bounds_in(weights: list[int], minimum: int, maximum: int) -> list[tuple[int, int]]:
    """Return minimum and maximum of each copy's autoscaler."""
    zones = ", ".join(f"{{name: z{i}, weight: {weight}}}" for i, weight in enumerate(weights))
    found = scaled(place(f"zones: [{zones}]", deployment(replicas=""), hpa(minimum, maximum)))
    return [(low or 1, high) for _, _, low, high in found]


@pytest.mark.parametrize("version", ["v1", "v2", "v2beta2"])
def test_bounds_add_up(version: str) -> None:
    """Minimum and maximum are shared out like replicas, in every version of the API."""
    placed = place("zones: [a, b, c]", deployment(replicas=""), hpa(3, 10, version=version))
    assert scaled(placed) == [("web-a", "web-a", 1, 4), ("web-b", "web-b", 1, 3), ("web-c", "web-c", 1, 3)]


weights = st.lists(st.integers(1, 9), min_size=1, max_size=5)


@given(weights, st.integers(1, 60), st.integers(0, 60))
def test_no_minimum_above_its_maximum(by: list[int], minimum: int, more: int) -> None:
    """The API server refuses an autoscaler whose minimum is above its maximum, in any split."""
    assert all(low <= high for low, high in bounds_in(by, minimum, minimum + more))


@given(weights, st.integers(1, 60), st.integers(0, 60))
def test_totals_are_kept_or_raised_to_1(by: list[int], minimum: int, more: int) -> None:
    """Each sum is the original's, but for shares below 1, which become 1."""
    found = bounds_in(by, minimum, minimum + more)
    for total, bounds in (
        (minimum, [low for low, _ in found]),
        (minimum + more, [high for _, high in found]),
    ):
        assert total <= sum(bounds)
        assert sum(bounds) == total or 1 in bounds


@pytest.mark.parametrize(
    ("minimum", "maximum", "told"),
    [(2, 9, "2 in 3 zones: at least 1 in each, 3 in all"), (1, 2, "2 in 3 zones")],
)
def test_a_bound_below_1_is_raised(minimum: int, maximum: int, told: str) -> None:
    """An autoscaler cannot have 0; a Warning gives the new total."""
    placed = place("zones: [a, b, c]", deployment(replicas=""), hpa(minimum, maximum))
    assert min(low or 1 for _, _, low, _ in scaled(placed)) == 1
    assert any(told in line for line in said(placed.results, "warning"))


def test_an_absent_minimum_stays_absent() -> None:
    """It means 1, for a copy as well."""
    assert [low for _, _, low, _ in scaled(place("zones: [a, b]", deployment(replicas=""), hpa(None)))] == [
        None,
        None,
    ]


@pytest.mark.parametrize("figure", ["${MAX}", "'8'"])
def test_a_bound_that_is_no_number(figure: str) -> None:
    """A variable cannot be shared out: Error."""
    with pytest.raises(ObjectError, match=r"spec\.maxReplicas: .* cannot be shared out"):
        place("zones: [a, b]", deployment(replicas=""), hpa(2, figure))


@pytest.mark.parametrize(
    "other",
    [
        hpa(namespace="other"),
        hpa(target="apiVersion: apps/v1, kind: Deployment, name: api"),
        hpa(target="apiVersion: apps/v1, kind: StatefulSet, name: web"),
        hpa(target="apiVersion: example.com/v1, kind: Deployment, name: web"),
    ],
)
def test_autoscalers_of_others_stay(other: KubeObject) -> None:
    """Another namespace, name, kind or API group is another target: the same bytes."""
    text = other.text
    placed = place("zones: [a, b]", deployment(), other)
    assert [each.text for each in placed.where(kind="HorizontalPodAutoscaler")] == [text]


@pytest.mark.parametrize(
    "target", ["kind: Deployment, name: web", "apiVersion: extensions/v1beta1, kind: Deployment, name: web"]
)
def test_older_ways_to_name_a_deployment(target: str) -> None:
    """A reference without apiVersion, or with the group that Deployments came from."""
    assert len(scaled(place("zones: [a, b]", deployment(replicas=""), hpa(target=target)))) == 2


def test_a_reference_from_before_the_prefix() -> None:
    """A build mends references after the function ran: the target is found by its previous name."""
    kustomized = renamed("p-")
    web = KubeObject(deployment(name="p-web").text.replace("namespace: shop", f"namespace: shop{kustomized}"))
    placed = place("zones: [a, b]", web, hpa(name="p-web", metadata=kustomized))
    assert [(name, target) for name, target, _, _ in scaled(placed)] == [
        ("p-web-a", "p-web-a"),
        ("p-web-b", "p-web-b"),
    ]


def test_a_name_that_two_had() -> None:
    """Two instances of a base, and an autoscaler of neither: whom it means cannot be told. Error."""
    both = []
    for prefix in ("a-", "b-"):
        kustomized = renamed(prefix)
        both.append(
            KubeObject(
                deployment(name=prefix + "web").text.replace(
                    "namespace: shop", f"namespace: shop{kustomized}"
                )
            )
        )
    with pytest.raises(ObjectError, match="could be any of several"):
        place("zones: [a, b]", *both, hpa())


def test_server_fields_of_an_autoscaler_are_dropped() -> None:
    """A dump of a cluster holds its status and ids as well."""
    dumped = hpa(metadata=", uid: '1', resourceVersion: '2'").text + "status: {currentReplicas: 2}\n"
    for each in place("zones: [a, b]", deployment(replicas=""), KubeObject(dumped)).where(
        kind="HorizontalPodAutoscaler"
    ):
        assert not any(word in each.text for word in ("uid", "resourceVersion", "status"))


def test_an_autoscaler_of_an_operator() -> None:
    """Its owner would create it again, beside the copies: Error."""
    owner = "{kind: ScaledObject, name: web, apiVersion: keda.sh/v1alpha1, controller: true, uid: '1'}"
    with pytest.raises(ObjectError, match="ScaledObject web"):
        place("zones: [a, b]", deployment(), hpa(metadata=f", ownerReferences: [{owner}]"))
