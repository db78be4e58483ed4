"""An Argo Rollout as a source: what it counts, the Services that it claims, what of it cannot follow."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_refan import fan_out, fanned_out, staying, zones
from yamls import deployment, obj, place, said

from krmfn import KubeObject, ObjectError, ResourceList

TARGETS = "targets: [{kind: Rollout}]\nzones: [a, b, c]"
CANARY = "canary: {stableService: web-stable, canaryService: web-canary%s}"
BLUE_GREEN = "blueGreen: {activeService: web-active, previewService: web-preview%s}"


def rollout(
    strategy: str = CANARY % "", *, name: str = "web", replicas: int | None = 6, spec: str = ""
) -> KubeObject:
    """Return a Rollout; ``strategy`` and ``spec`` are block YAML for its spec."""
    count = "" if replicas is None else f"  replicas: {replicas}\n"
    return obj(
        f"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {{name: {name}, namespace: shop}}\nspec:\n{count}"
        f"  selector: {{matchLabels: {{app: {name}}}}}\n  strategy:\n    {strategy}\n"
        f"  template:\n    metadata: {{labels: {{app: {name}}}}}\n    spec: {{containers: [{{name: web}}]}}\n{spec}"
    )


def service(name: str, *, app: str = "web", metadata: str = "", more: str = "") -> KubeObject:
    """Return a Service."""
    return obj(
        f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: shop{metadata}}}\n"
        f"spec: {{selector: {{app: {app}{more}}}, ports: [{{port: 80}}]}}\n"
    )


def services(*names: str) -> list[KubeObject]:
    """Return Services of web."""
    return [service(name) for name in names]


def names(resources: ResourceList, kind: str = "Service") -> list[str]:
    """Return the names of a kind."""
    return [each.name for each in resources.where(kind=kind)]


def again(spec: str, resources: ResourceList) -> ResourceList:
    """Return what comes of another run over what one gave."""
    return place(spec, *(KubeObject(each.text) for each in resources))


def at(resources: ResourceList, *path: str | int) -> list[object]:
    """Return what each Rollout has at a path below its strategy."""
    return [each.get("spec", "strategy", *path) for each in resources.where(kind="Rollout")]


def test_only_where_targets_names_the_kind() -> None:
    """Every Deployment is the default; a Rollout is placed where it is asked for."""
    text = rollout().text
    placed = place("zones: [a, b]", deployment(name="api", labels="app: api"), rollout())
    assert [each.text for each in placed.where(kind="Rollout")] == [text]


@pytest.mark.parametrize(
    ("strategy", "path", "shares"),
    [
        (BLUE_GREEN % ", previewReplicaCount: 2", ("blueGreen", "previewReplicaCount"), [1, 1, 1]),
        (BLUE_GREEN % ", previewReplicaCount: 0", ("blueGreen", "previewReplicaCount"), [0, 0, 0]),
        (BLUE_GREEN % ", maxUnavailable: 2", ("blueGreen", "maxUnavailable"), [0, 0, 0]),
        (BLUE_GREEN % ", maxUnavailable: 50%", ("blueGreen", "maxUnavailable"), ["50%"] * 3),
        (CANARY % ", maxSurge: 2, maxUnavailable: 2", ("canary", "maxSurge"), [1, 1, 1]),
        (CANARY % ", maxSurge: 2, maxUnavailable: 2", ("canary", "maxUnavailable"), [0, 0, 0]),
        (CANARY % ", maxSurge: 0, maxUnavailable: 2", ("canary", "maxUnavailable"), [1, 1, 1]),
        (
            CANARY % ", steps: [{setCanaryScale: {replicas: 4}}]",
            ("canary", "steps", 0, "setCanaryScale", "replicas"),
            [2, 2, 2],
        ),
        (
            CANARY % ", steps: [{setCanaryScale: {weight: 4}}]",
            ("canary", "steps", 0, "setCanaryScale", "weight"),
            [4, 4, 4],
        ),
        (
            CANARY % ", replicaProgressThreshold: {type: Pods, value: 3}",
            ("canary", "replicaProgressThreshold", "value"),
            [1, 1, 1],
        ),
        (
            CANARY % ", replicaProgressThreshold: {type: Percent, value: 90}",
            ("canary", "replicaProgressThreshold", "value"),
            [90, 90, 90],
        ),
    ],
)
def test_what_counts_pods_is_shared_out(strategy: str, path: tuple[str | int, ...], shares: list[object]) -> None:
    """Up, but for what may be unavailable; percentages and weights hold for the share as for the whole."""
    found = services("web-stable", "web-canary", "web-active", "web-preview")
    assert at(place(TARGETS, rollout(strategy), *found), *path) == shares


def test_each_copies_figures_as_they_are() -> None:
    """With Each a variable is as good as a number; without replicas there is no share, and that is said."""
    spec = TARGETS + "\nfanOut: {replicas: Each}"
    found = services("web-active", "web-preview")
    placed = place(spec, rollout(BLUE_GREEN % ", previewReplicaCount: '${N}'"), *found)
    assert at(placed, "blueGreen", "previewReplicaCount") == ["${N}"] * 3
    scaler = obj(
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\n"
        "spec: {scaleTargetRef: {kind: Rollout, name: web}, maxReplicas: 6}\n"
    )
    source = rollout(BLUE_GREEN % ", previewReplicaCount: 2", replicas=None)
    placed = place(TARGETS, source, *services("web-active", "web-preview"), scaler)
    assert at(placed, "blueGreen", "previewReplicaCount") == [2, 2, 2]
    assert any("previewReplicaCount: 2 stays in each copy" in line for line in said(placed.results, "info"))


def test_what_stays_is_said() -> None:
    """Figures that hold for each ReplicaSet or experiment stay, and an Info says so."""
    more = ", minPodsPerReplicaSet: 2, steps: [{experiment: {templates: [{name: a, specRef: canary}]}}]"
    placed = place(TARGETS, rollout(CANARY % more), *services("web-stable", "web-canary"))
    told = "\n".join(said(placed.results, "info"))
    assert "minPodsPerReplicaSet: stays" in told
    assert "steps[0].experiment: stays" in told


def test_each_copy_has_services_of_its_own() -> None:
    """One for each zone in place of the original, with the zone in its selector, and named by its copy alone."""
    pair = "pingPong: {pingService: web-stable, pongService: web-canary}"
    for strategy in (CANARY % "", f"canary: {{{pair}}}"):
        placed = place(TARGETS, rollout(strategy), *services("web-stable", "web-canary", "web"))
        assert names(placed) == [*(f"web-{each}-{zone}" for each in ("stable", "canary") for zone in "abc"), "web"]
        found = {each.name: each for each in placed.where(kind="Service")}
        for copy, zone in zip(placed.where(kind="Rollout"), "abc"):
            claimed = [each for each in found if f"ervice: {each}" in copy.text and each != "web"]
            assert claimed == [f"web-stable-{zone}", f"web-canary-{zone}"]
            for each in claimed:  # the controller refuses a Service whose selector the pods do not fulfil
                selector = found[each].get("spec", "selector")
                assert selector["zonecast.dev/zone"] == zone
                assert selector.items() <= copy.get("spec", "template", "metadata", "labels").items()


def test_what_the_controller_wrote_goes() -> None:
    """A dump's hash and owner would make the Services of copies select nothing, and be refused."""
    dump = service(
        "web-stable",
        metadata=", annotations: {argo-rollouts.argoproj.io/managed-by-rollouts: web}",
        more=", rollouts-pod-template-hash: abc",
    )
    placed = place(TARGETS, rollout(), dump, service("web-canary"))
    assert "hash" not in placed.where(kind="Service")[0].text
    assert "managed-by" not in placed.where(kind="Service")[0].text


def test_other_services_are_as_the_option_says() -> None:
    """A Service that the Rollout does not name is shared; PerZone adds to it, and not to those that it names."""
    spec = TARGETS + "\nfanOut: {services: PerZone}"
    placed = place(spec, rollout(CANARY % ""), *services("web-stable", "web-canary", "web"))
    assert names(placed)[-4:] == ["web", "web-a", "web-b", "web-c"]
    assert len(names(placed)) == 10
    assert [each.text for each in again(spec, placed)] == [each.text for each in placed]


@pytest.mark.parametrize("role", ["Keep", "Template"])
def test_a_source_that_stays_keeps_its_services(role: str) -> None:
    """It needs them in the cluster, or as templates; a second run is the same, and they go with it."""
    spec = f"{TARGETS}\nfanOut: {{source: {role}}}"
    sources = rollout(), *services("web-stable", "web-canary")
    texts = [each.text for each in sources]
    placed = place(spec, *sources)
    stays = placed.where(kind="Service", name="web-stable")[0]
    assert stays.annotation("zonecast.dev/source") == role
    assert stays.get("spec", "selector") == {"app": "web"}
    assert [each.text for each in again(spec, placed)] == [each.text for each in placed]
    fresh = place(TARGETS, *map(KubeObject, texts))
    assert sorted(each.text for each in again(TARGETS, placed)) == sorted(each.text for each in fresh)
    assert any("kubectl delete service web-stable -n shop" in line for line in said(placed.results, "info")) == (
        role == "Keep"
    )


@pytest.mark.parametrize(
    ("source", "others", "message"),
    [
        (rollout(), ["web-stable"], r"canaryService: names Service web-canary, which is not in the list"),
        (
            rollout(spec="  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n"),
            ["web-stable", "web-canary"],
            r"spec\.workloadRef: takes its pods from Deployment web",
        ),
        *(
            (
                rollout(CANARY % f", trafficRouting: {{{router}}}"),
                ["web-stable", "web-canary"],
                rf"trafficRouting\.{router.partition(':')[0]}: \w+ .* cannot follow",
            )
            for router in (
                "nginx: {stableIngress: web}",
                "alb: {ingress: web, servicePort: 80}",
                "istio: {virtualService: {name: web}}",
                "appMesh: {virtualService: {name: web}}",
                "ambassador: {mappings: [web]}",
                "traefik: {weightedTraefikServiceName: web}",
                "apisix: {route: {name: web}}",
                "plugins: {argoproj-labs/gatewayAPI: {httpRoute: web}}",
            )
        ),
        (
            rollout(CANARY % ", trafficRouting: {smi: {rootService: web}}"),
            ["web-stable", "web-canary", "web"],
            r"smi\.rootService: Service web cannot follow",
        ),
        (
            rollout(BLUE_GREEN % ", previewReplicaCount: '${N}'"),
            ["web-active", "web-preview"],
            r"previewReplicaCount: '\$\{N\}' cannot be shared out",
        ),
        (rollout("canary: [a]"), [], r"spec\.strategy\.canary: must be a mapping"),
    ],
)
def test_what_cannot_be_fanned_out(source: KubeObject, others: list[str], message: str) -> None:
    """An Error that names the path, before anything is written."""
    with pytest.raises(ObjectError, match=message):
        place(TARGETS, KubeObject(source.text), *services(*others))


@pytest.mark.parametrize("odd", ["7", "web-stable", "[web-stable]", "{a: web-stable}", "[{a: web-stable}]", "[null, 7]"])
def test_odd_shapes(odd: str) -> None:
    """An Error of ours, or nothing at all: never a failure of the program."""
    strategies = [
        odd,
        f"canary: {odd}",
        f"blueGreen: {odd}",
        CANARY % f", pingPong: {odd}",
        CANARY % f", steps: {odd}",
        CANARY % f", steps: [{{setCanaryScale: {odd}}}]",
        CANARY % f", steps: [{{setCanaryScale: {{replicas: {odd}}}}}]",
        CANARY % f", trafficRouting: {odd}",
        CANARY % f", trafficRouting: {{smi: {odd}}}",
        CANARY % f", trafficRouting: {{smi: {{trafficSplitName: {odd}}}}}",
        CANARY % f", replicaProgressThreshold: {odd}",
        f"canary: {{stableService: {odd}}}",
    ]
    routes = [
        f"{{rules: {odd}, kind: Service, name: {odd}, service: {odd}, namespace: {odd}}}",
        f"{{backendRefs: [{{name: web-stable, namespace: {odd}, kind: {odd}}}], destination: {{host: {odd}}}}}",
        f"{{backendRefs: [{{name: web-stable, namespace: {odd}}}], serviceName: {odd}}}",
    ]
    for strategy in strategies:
        for other in ([], [KubeObject(rollout(strategy, name="api").text)]):
            source = rollout(strategy) if not other else rollout()
            _try(source, *services("web-stable", "web-canary"), *other)
    for spec in routes:
        _try(rollout(), *services("web-stable", "web-canary"), route("example.com/v1", "X", spec))


def _try(*objects: KubeObject) -> None:
    try:
        place("targets: [{kind: Rollout, name: web}]\nzones: [a, b]", *objects)
    except ObjectError:
        return


def test_a_template_that_is_elsewhere() -> None:
    """Nothing is merged into it either: the controller refuses a template beside workloadRef. Policies need none."""
    text = "  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n"
    source = rollout(spec=text).text.replace("  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: web}]}\n", "")
    targets = "targets: [{kind: Rollout}]\n"
    with pytest.raises(ObjectError, match=r"spec\.workloadRef: takes its pods from Deployment web"):
        place(targets + "podSpec: {priorityClassName: high}", KubeObject(source))
    cost = "kyverno: {podDeletionCost: [{nodeLabel: {key: a, value: b}, cost: 1}]}"
    assert "template" not in place(targets + cost, KubeObject(source)).items[0].text


def test_a_rollout_of_another_group() -> None:
    """What is merely called so is refused with the reason for other kinds."""
    other = KubeObject(rollout().text.replace("argoproj.io/v1alpha1", "example.com/v1"))
    with pytest.raises(ObjectError, match=r"zones fans out .*, not a Rollout of example\.com"):
        place("targets: [{kind: Rollout, podTemplatePath: spec.template}]\nzones: [a, b]", other)


@pytest.mark.parametrize("targets", ["kind: Rollout", "kind: Rollout, name: web", "kind: Rollout, name: api"])
def test_a_service_of_two_rollouts(targets: str) -> None:
    """It cannot become the one's for itself, whichever of them is fanned out: Error."""
    api = KubeObject(rollout(name="api").text)
    with pytest.raises(ObjectError, match=r"Service web-stable is claimed by Rollout (web|api) as well"):
        place(f"targets: [{{{targets}}}]\nzones: [a]", rollout(), api, *services("web-stable", "web-canary"))


ROUTES = [
    ("networking.k8s.io/v1", "Ingress", "{rules: [{http: {paths: [{backend: {service: {name: web-stable}}}]}}]}"),
    ("networking.k8s.io/v1", "Ingress", "{defaultBackend: {service: {name: web-stable, port: {number: 80}}}}"),
    ("extensions/v1beta1", "Ingress", "{backend: {serviceName: web-stable, servicePort: 80}}"),
    ("gateway.networking.k8s.io/v1", "HTTPRoute", "{rules: [{backendRefs: [{name: web-stable, port: 80}]}]}"),
    ("networking.istio.io/v1", "VirtualService", "{http: [{route: [{destination: {host: web-stable}}]}]}"),
    ("networking.istio.io/v1", "DestinationRule", "{host: web-stable.shop.svc.cluster.local}"),
    ("traefik.io/v1alpha1", "IngressRoute", "{routes: [{services: [{name: web-stable, port: 80}]}]}"),
    ("example.com/v1", "Check", "{target: {kind: Service, name: web-stable}}"),
]


def route(api_version: str, kind: str, spec: str, namespace: str = "shop") -> KubeObject:
    """Return an object that routes traffic."""
    return obj(f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: r, namespace: {namespace}}}\nspec: {spec}\n")


@pytest.mark.parametrize("found", ROUTES)
def test_a_route_to_a_service_that_goes(found: tuple[str, str, str]) -> None:
    """Nobody can guess which zone it should go to: Error; a Warning while the original is kept for a cut-over."""
    sources = [each.text for each in (rollout(), *services("web-stable", "web-canary"), route(*found))]
    with pytest.raises(ObjectError, match=r"names Service web-stable, .* becomes web-stable-a, web-stable-b") as error:
        place(TARGETS, *map(KubeObject, sources))
    assert f"{found[1]} shop/r" in str(error.value)
    kept = place(TARGETS + "\nfanOut: {source: Keep}", *map(KubeObject, sources))
    assert any("names Service web-stable" in line for line in said(kept.results, "warning"))


@pytest.mark.parametrize(
    "found",
    [
        route("networking.k8s.io/v1", "Ingress", "{defaultBackend: {service: {name: web}}}"),
        route("networking.k8s.io/v1", "Ingress", "{defaultBackend: {service: {name: web-stable}}}", "other"),
        route("gateway.networking.k8s.io/v1", "HTTPRoute", "{backendRefs: [{kind: ConfigMap, name: web-stable}]}"),
        route("networking.istio.io/v1", "DestinationRule", "{host: web-stable.other.svc}"),
        route("networking.k8s.io/v1", "Ingress", "{rules: [{host: web-stable}]}"),
        route("example.com/v1", "Check", "{name: web-stable}"),
        route("example.com/v1", "Stack", "{services: [{name: web-stable}]}"),
    ],
)
def test_what_is_no_route_to_it(found: KubeObject) -> None:
    """Another Service, namespace or kind, or no reference at all: the same bytes."""
    text = found.text
    placed = place(TARGETS, rollout(), *services("web-stable", "web-canary"), found)
    assert placed.items[-1].text == text


def test_a_route_to_a_zone_that_went() -> None:
    """The Services of copies are named at the user's own will; what names one that goes is an Error."""
    placed = place(TARGETS, rollout(), *services("web-stable", "web-canary"))
    spec = "{defaultBackend: {service: {name: web-stable-c}}}"
    placed.append(route("networking.k8s.io/v1", "Ingress", spec))
    again(TARGETS, placed)
    with pytest.raises(ObjectError, match="names Service web-stable-c"):
        again(TARGETS.replace("a, b, c", "a, b"), placed)


def test_services_of_copies_that_are_missing() -> None:
    """Copies whose Services were taken out of the list name nothing any more: Error."""
    placed = place(TARGETS, rollout(), *services("web-stable", "web-canary"))
    rest = [each for each in placed if not each.name.startswith("web-stable")]
    with pytest.raises(ObjectError, match="has Services made of web-stable, and none of them is in the list"):
        place(TARGETS, *(KubeObject(each.text) for each in rest))


@pytest.mark.parametrize(
    ("follower", "path"),
    [
        ("autoscaling/v2, kind: HorizontalPodAutoscaler", "scaleTargetRef"),
        ("keda.sh/v1alpha1, kind: ScaledObject", "scaleTargetRef"),
        ("autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler", "targetRef"),
    ],
)
def test_autoscalers_follow(follower: str, path: str) -> None:
    """One for each copy of the Rollout that they name; one of the Deployment of that name is another's."""
    text = f"{{apiVersion: {follower}, metadata: {{name: x, namespace: shop}}, spec: {{{path}: {{kind: K, name: web}}}}}}\n"
    found = obj(text.replace("kind: K", "apiVersion: argoproj.io/v1alpha1, kind: Rollout"))
    other = obj(text.replace("kind: K", "kind: Deployment").replace("name: x", "name: y"))
    unchanged = other.text
    old = deployment(labels="app: old")
    placed = place(TARGETS, rollout(), old, *services("web-stable", "web-canary"), found, other)
    *copies, last = placed.items[-4:]
    assert [each.get("spec", path, "name") for each in copies] == ["web-a", "web-b", "web-c"]
    assert last.text == unchanged


def test_what_still_names_it() -> None:
    """A reference to the Rollout that nothing follows is an Error, as for a Deployment."""
    ref = obj(
        "apiVersion: example.com/v1\nkind: Bundle\nmetadata: {name: x, namespace: shop}\n"
        "spec: {ref: {apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web}}\n"
    )
    with pytest.raises(ObjectError, match=r"spec\.ref\.name: names Rollout web, which is fanned out into web-a"):
        place(TARGETS, rollout(), *services("web-stable", "web-canary"), ref)


def test_the_users_own_kinds() -> None:
    """A path of fanOut.references may name a Rollout, whether the kind stands beside it or not."""
    spec = TARGETS + "\nfanOut: {references: [{kind: Bundle, path: spec.of}, {kind: Bundle, path: spec.ref.name}]}"
    for text in ("{of: web}", "{ref: {kind: Rollout, name: web}}"):
        other = text.replace("of: web", "ref: {name: none}").replace("ref: {kind", "of: none, ref: {kind")
        bundle = f"apiVersion: example.com/v1\nkind: Bundle\nmetadata: {{name: x, namespace: shop}}\nspec: {text}\n"
        both = obj(bundle), obj(bundle.replace(text, other).replace("name: x", "name: y"))
        placed = place(spec, rollout(), *services("web-stable", "web-canary"), *both)
        assert names(placed, "Bundle")[:3] == ["x-a", "x-b", "x-c"]


def test_kustomize_has_renamed_the_services() -> None:
    """A Rollout may still say the name from before the prefix: it means the Service of its own instance."""
    host = "internal.config.kubernetes.io"
    found = [rollout(), *services("web-stable", "web-canary")]
    for each in found:
        previous = each.name
        each.set_name(f"prod-{previous}")
        each.set_annotation(f"{host}/previousNames", previous)
        each.set_annotation(f"{host}/prefixes", "prod-")
    other = service("dev-web-stable", metadata=f", annotations: {{{host}/previousNames: web-stable}}")
    placed = place(TARGETS, *(KubeObject(each.text) for each in found), other)
    assert at(placed, "canary", "stableService") == [f"prod-web-stable-{zone}" for zone in "abc"]
    assert names(placed)[:3] == [f"prod-web-stable-{zone}" for zone in "abc"]


STRATEGIES = [
    CANARY % ", maxSurge: 3, maxUnavailable: 0, steps: [{setCanaryScale: {replicas: 3}}, {pause: {}}]",
    CANARY % ", trafficRouting: {smi: {trafficSplitName: s, rootService: web-stable}}",
    BLUE_GREEN % ", previewReplicaCount: 2, maxUnavailable: 3",
    "canary:\n      steps:   # of one\n      - setWeight: 20\n      maxSurge: 1",
]
SPECS = st.builds(
    lambda found, services, replicas, rollout: {
        "targets": [{"kind": "Rollout"}],
        "zones": found,
        "onConflict": "Replace",
        "fanOut": {"services": services, "replicas": replicas, **({"rollout": "ZoneByZone"} if rollout else {})},
    },
    zones(),
    st.sampled_from(["Shared", "SharedPreferSameZone", "PerZone"]),
    st.sampled_from(["Split", "Each"]),
    st.booleans(),
)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(STRATEGIES), st.sampled_from([None, 0, 1, 5, 12]), SPECS, SPECS, st.booleans())
def test_a_re_fan_equals_a_fresh_fan_out(
    strategy: str, replicas: int | None, before: dict[str, object], after: dict[str, object], stays: bool
) -> None:
    """Whatever changes, the Rollouts and their Services are those of a first run; the same again changes no byte."""
    found = [rollout(strategy, replicas=replicas), *services("web", "web-stable", "web-canary", "web-active", "web-preview")]
    source = "".join("- " + each.text.replace("\n", "\n  ").rstrip(" ") for each in found)
    if stays:
        before, after = staying(before, "Template"), staying(after, "Template")
    once = fanned_out(source, before)
    assert fan_out(once, before) == once
    again = fanned_out(once, after)
    assert fan_out(again, after) == again
    if not stays or before == after:
        assert again == fan_out(source, after)
