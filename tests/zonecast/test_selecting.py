"""Budgets and Services select the pods of a Deployment: per zone where the options say so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yamls import deployment, obj, place, said

from krmfn import KubeObject, ObjectError, ResourceList

PER_ZONE = "zones: [a, b, c]\nfanOut: {disruptionBudgets: PerZone}"
SERVICES = "zones: [a, b]\nfanOut: {services: PerZone}"


def budget(
    figure: str = "minAvailable: 3",
    selector: str = "{matchLabels: {app: web}}",
    *,
    name: str = "web",
    namespace: str = "shop",
    version: str = "v1",
) -> KubeObject:
    """Return a PodDisruptionBudget."""
    return obj(
        f"apiVersion: policy/{version}\nkind: PodDisruptionBudget\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
        f"spec:\n  {figure}\n" + (f"  selector: {selector}\n" if selector else "")
    )


def service(spec: str = "selector: {app: web}", *, name: str = "web", metadata: str = "") -> KubeObject:
    """Return a Service; ``spec`` is flow YAML."""
    return obj(
        f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: shop{metadata}}}\nspec: {{{spec}}}\n"
    )


def again(spec: str, resources: ResourceList) -> ResourceList:
    """Return what comes of another run over what one gave."""
    return place(spec, *(KubeObject(each.text) for each in resources))


def budgets(resources: ResourceList, field: str = "minAvailable") -> dict[str, object]:
    """Return a figure of each budget by its name."""
    return {each.name: each.get("spec", field) for each in resources.where(kind="PodDisruptionBudget")}


def test_shared_is_the_same_bytes() -> None:
    """Without an option neither a budget nor a Service changes: their selectors cover the pods of all copies."""
    before = budget(), service()
    texts = [each.text for each in before]
    placed = place("zones: [a, b]", deployment(), *before)
    assert [each.text for each in placed][-2:] == texts


@given(st.integers(1, 50), st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_what_must_be_available_adds_up(total: int, by: list[int]) -> None:
    """minAvailable of the zones together is the original's."""
    zones = ", ".join(f"{{name: z{i}, weight: {each}}}" for i, each in enumerate(by))
    option = f"zones: [{zones}]\nfanOut: {{disruptionBudgets: PerZone}}"
    found = budgets(place(option, deployment(replicas="replicas: 60"), budget(f"minAvailable: {total}")))
    assert sum(each for each in found.values() if isinstance(each, int)) == total


@pytest.mark.parametrize(
    ("figure", "found", "warned"),
    [
        ("maxUnavailable: 6", [2, 2, 2], False),
        ("maxUnavailable: 2", [1, 1, 1], True),
        ("maxUnavailable: 0", [0, 0, 0], True),
        ("maxUnavailable: 30%", ["30%", "30%", "30%"], False),
    ],
)
def test_what_may_be_unavailable(figure: str, found: list[object], warned: bool) -> None:
    """At least 1 in every zone, with a Warning; 0 was meant so, and nothing can be drained: a Warning, too."""
    placed = place(PER_ZONE, deployment(), budget(figure))
    assert list(budgets(placed, "maxUnavailable").values()) == found
    assert bool(said(placed.results, "warning")) == warned


def test_a_figure_that_is_no_number() -> None:
    """A variable cannot be shared out: Error."""
    with pytest.raises(ObjectError, match=r"spec\.minAvailable: .* cannot be shared out"):
        place(PER_ZONE, deployment(), budget("minAvailable: '${N}'"))


@pytest.mark.parametrize(
    "other",
    [
        budget(namespace="other"),
        budget(selector="{matchLabels: {app: api}}"),
        budget(selector=""),
        budget(selector="{}", version="v1beta1"),
    ],
)
def test_budgets_of_others_stay(other: KubeObject) -> None:
    """Another namespace, other pods, or none at all: the same bytes."""
    text = other.text
    assert place(PER_ZONE, deployment(), other).items[-1].text == text


@pytest.mark.parametrize("selector", ["{}", "{matchLabels: {tier: front}}"])
def test_a_budget_over_two_workloads(selector: str) -> None:
    """It cannot become one per zone of one of them, whether that other one is fanned out or not: Error."""
    labels = "tier: front, app: "
    other = obj(
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: shop}\n"
        "spec: {template: {metadata: {labels: {tier: front}}, spec: {containers: []}}}\n"
    )
    for second in (deployment(name="api", labels=labels + "api"), other):
        with pytest.raises(ObjectError, match=r"covers web and (api|db)"):
            place(PER_ZONE, deployment(labels=labels + "web"), second, budget(selector=selector))


def test_two_budgets_over_the_same_pods() -> None:
    """No pod of two budgets is ever evicted: Error, whichever of them is for one zone."""
    own = budget(name="own", selector="{matchLabels: {app: web, zonecast.dev/zone: a}}")
    for other in (own, budget(name="second")):
        with pytest.raises(ObjectError, match="a pod of two budgets is never evicted"):
            place(PER_ZONE, deployment(), budget(), KubeObject(other.text))


def test_never_both_in_any_order_of_modes() -> None:
    """PerZone, the same again, with other zones, Shared: each time the budgets are those of a fresh fan-out."""
    first = place(PER_ZONE, deployment(), budget("minAvailable: 4"))
    assert budgets(first) == {"web-a": 2, "web-b": 1, "web-c": 1}
    assert [each.text for each in again(PER_ZONE, first)] == [each.text for each in first]
    second = again("zones: [a, b]\nfanOut: {disruptionBudgets: PerZone}", first)
    assert budgets(second) == {"web-a": 2, "web-b": 2}
    assert budgets(again("zones: [a, b]", second)) == {"web": 4}


def test_the_label_of_the_zone_can_be_another() -> None:
    """The selector has the label of ``fanOut.zoneLabel``, and in a second run with another one no other."""
    option = "zones: [a]\nfanOut: {disruptionBudgets: PerZone, services: PerZone, zoneLabel: %s}"
    first = place(option % "example.com/z", deployment(), budget(), service())
    second = again(option % "example.com/y", first)
    for resources, label in ((first, "example.com/z"), (second, "example.com/y")):
        wanted = {"app": "web", label: "a"}
        copies = [each for each in resources if each.name == "web-a"]
        assert [each.get("spec", "selector", "matchLabels") for each in copies[:1]] == [wanted]
        assert [each.get("spec", "selector", "matchLabels") for each in copies if "Budget" in each.kind] == [wanted]
        assert [each.get("spec", "selector") for each in copies if each.kind == "Service"] == [wanted]


def services(resources: ResourceList) -> dict[str, object]:
    """Return the spec of each Service by its name."""
    return {each.name: each.get("spec") for each in resources.where(kind="Service")}


def test_a_service_per_zone_stands_beside_the_shared_one() -> None:
    """It has no address or port of the shared one; a second run changes no byte."""
    spec = (
        "selector: {app: web}, clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1], loadBalancerIP: 1.2.3.4,"
        " healthCheckNodePort: 3, ports: [{port: 1, nodePort: 2}, {port: 3}, {port: 4, nodePort: 5}]"
    )
    placed = place(SERVICES, deployment(), service(spec))
    found = services(placed)
    assert list(found) == ["web", "web-a", "web-b"]
    assert found["web-b"] == {
        "selector": {"app": "web", "zonecast.dev/zone": "b"},
        "ports": [{"port": 1}, {"port": 3}, {"port": 4}],
    }
    assert [each.text for each in again(SERVICES, placed)] == [each.text for each in placed]


def test_headless_stays_headless() -> None:
    """``clusterIP: None`` is no address but a choice."""
    placed = place(SERVICES, deployment(), service("selector: {app: web}, clusterIP: None, clusterIPs: [None]"))
    assert [each.get("spec", "clusterIP") for each in placed.where(kind="Service")] == ["None"] * 3


@pytest.mark.parametrize(
    "spec",
    [
        "selector: {app: api}",
        "selector: {}",
        "type: ExternalName, externalName: example.com",
        "selector: {app: web, zonecast.dev/zone: a}",
    ],
)
def test_services_of_others_stay(spec: str) -> None:
    """Other pods, none, or those of one zone by the user's own choice: the same bytes, and no more of them."""
    text = service(spec).text
    for option in ("PerZone", "SharedPreferSameZone"):
        placed = place(f"zones: [a, b]\nfanOut: {{services: {option}}}", deployment(), service(spec))
        assert [each.text for each in placed.where(kind="Service")] == [text]


def test_a_service_of_two_applications() -> None:
    """One per zone for both: the zone label selects the copies of each in that zone."""
    labels = "tier: front, app: "
    both = (deployment(labels=labels + "web"), deployment(name="api", labels=labels + "api"))
    assert list(services(place(SERVICES, *both, service("selector: {tier: front}", name="front")))) == [
        "front",
        "front-a",
        "front-b",
    ]


def test_a_name_of_a_service_is_a_dns_label() -> None:
    """63 characters at most, whatever longer names ``maxNameLength`` allows to others."""
    long = "a" + "b" * 60
    option = "zones: [zone-a]\nfanOut: {services: PerZone, maxNameLength: 200}"
    for each in services(place(option, deployment(), service(name=long))):
        assert len(each) <= 63


def test_zones_and_modes_of_services_change() -> None:
    """What went with a zone, or with the mode, goes; the shared one is never touched."""
    text = service().text
    first = place(SERVICES, deployment(), service())
    assert list(services(again("zones: [b, c]\nfanOut: {services: PerZone}", first))) == ["web", "web-b", "web-c"]
    shared = again("zones: [a, b]", first)
    assert [each.text for each in shared.where(kind="Service")] == [text]


def test_the_own_zone_is_preferred() -> None:
    """SharedPreferSameZone sets the field and the mark, once; an annotation that would win over it is a Warning."""
    option = "zones: [a, b]\nfanOut: {services: SharedPreferSameZone}"
    topology = ", annotations: {service.kubernetes.io/topology-mode: Auto}"
    placed = place(option, deployment(), service(metadata=topology))
    found = placed.where(kind="Service")[0]
    assert found.get("spec", "trafficDistribution") == "PreferSameZone"
    assert found.annotation("zonecast.dev/placement") == "shop"
    assert any("topology-mode wins over it" in line for line in said(placed.results, "warning"))
    assert again(option, placed).where(kind="Service")[0].text == found.text


@pytest.mark.parametrize(
    "other",
    [
        budget(selector="[a]"),
        budget(selector="{matchLabels: [a]}"),
        budget(selector="{matchExpressions: {a: b}}"),
        service("selector: [a]"),
        service("selector: {app: web}, ports: [a]"),
    ],
)
def test_another_shape(other: KubeObject) -> None:
    """What the API server would refuse is an Error that names the path, not a bug of ours."""
    with pytest.raises(ObjectError, match="must be a") as error:
        place("zones: [a]\nfanOut: {services: PerZone, disruptionBudgets: PerZone}", deployment(), other)
    assert "spec." in error.value.field or "spec." in str(error.value)


def test_a_kept_source_is_no_second_workload() -> None:
    """Its pods match the budget's selector as its copies' do; that it has no budget any more is a Warning."""
    placed = place(PER_ZONE.replace("{dis", "{source: Keep, dis"), deployment(), budget())
    assert list(budgets(placed)) == ["web-a", "web-b", "web-c"]
    assert any("has no budget" in line for line in said(placed.results, "warning"))


def test_a_template_of_budgets() -> None:
    """It stays for tools, a second run changes no byte, and on Shared it is for the cluster again."""
    option = "zones: [a, b]\nfanOut: {source: Template, disruptionBudgets: %s}"
    first = place(option % "PerZone", deployment(), budget())
    assert list(budgets(first)) == ["web", "web-a", "web-b"]
    assert [each.text for each in again(option % "PerZone", first)] == [each.text for each in first]
    shared = again(option % "Shared", first).where(kind="PodDisruptionBudget")
    assert [(each.name, each.is_local_config) for each in shared] == [("web", False)]


@pytest.mark.parametrize(("mode", "found"), [("Each", [4, 4, 4]), ("ZoneLoss", [2, 2, 2])])
def test_budgets_are_shared_out_as_replicas_are(mode: str, found: list[int]) -> None:
    """Each zone holds the whole, or the whole without one zone: so does its budget, in a second run as well."""
    option = f"zones: [a, b, c]\nfanOut: {{replicas: {mode}, disruptionBudgets: PerZone}}"
    first = place(option, deployment(), budget("minAvailable: 4"))
    assert list(budgets(first).values()) == found
    second = again(option, first)
    assert [each.text for each in second] == [each.text for each in first]
    assert budgets(again("zones: [a, b]\nfanOut: {disruptionBudgets: PerZone}", first)) == {"web-a": 2, "web-b": 2}


@pytest.mark.parametrize("option", ["Shared", "PerZone"])
@pytest.mark.parametrize("old", ["", "trafficDistribution: PreferClose", "trafficDistribution: PreferSameZone"])
def test_a_preference_comes_and_goes(option: str, old: str) -> None:
    """Another option puts back what was there before: the same as a first run with it."""
    spec, other = (f"zones: [a, b]\nfanOut: {{services: {each}}}" for each in ("SharedPreferSameZone", option))
    texts = deployment().text, service(", ".join(["selector: {app: web}", old][: 2 if old else 1])).text
    there = place(spec, *map(KubeObject, texts))
    assert [each.text for each in again(other, there)] == [each.text for each in place(other, *map(KubeObject, texts))]


def test_a_preference_that_was_edited_since_stays() -> None:
    """What a person wrote over ours is theirs; our notes go."""
    there = place("zones: [a, b]\nfanOut: {services: SharedPreferSameZone}", deployment(), service())
    there.items[-1].set_nested("spec", "trafficDistribution", "PreferSameNode")
    back = again("zones: [a, b]", there).items[-1]
    assert back.get("spec", "trafficDistribution") == "PreferSameNode"
    assert "zonecast.dev" not in back.text


@pytest.mark.parametrize("text", ["x", "[]", "{}"])
def test_a_note_that_is_not_ours(text: str) -> None:
    """An annotation that does not read as ours is an Error, not a guess."""
    found = service(metadata=f", annotations: {{zonecast.dev/replaced: '{text}'}}")
    with pytest.raises(ObjectError, match="was not written by zonecast"):
        place("zones: [a, b]", deployment(), found)
