"""Lists that name workloads get an element for each copy; queries that ask for one are a Warning."""

from __future__ import annotations

import pytest
from yamls import deployment, obj, place, said

from krmfn import KubeObject, ObjectError, ResourceList

WEB = "{apiVersion: apps/v1, kind: Deployment, name: %s, namespace: shop}"
RULE = "{apiGroups: [%s], resources: [%s], resourceNames: [%s], verbs: [get]}"


def flux(*checks: str, namespace: str = "flux-system") -> KubeObject:
    """Return a Flux Kustomization with health checks."""
    return obj(
        f"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: x, namespace: {namespace}}}\n"
        f"spec: {{healthChecks: [{', '.join(checks)}]}}\n"
    )


def application(*differences: str, kind: str = "Application") -> KubeObject:
    """Return what Argo CD does not compare."""
    spec = f"{{ignoreDifferences: [{', '.join(differences)}]}}"
    return obj(
        f"apiVersion: argoproj.io/v1alpha1\nkind: {kind}\nmetadata: {{name: x, namespace: argocd}}\n"
        f"spec: {spec if kind == 'Application' else f'{{template: {{spec: {spec}}}}}'}\n"
    )


def role(groups: str, resources: str, names: str, *, kind: str = "Role") -> KubeObject:
    """Return RBAC with one rule."""
    namespace = ", namespace: shop" if kind == "Role" else ""
    return obj(
        f"apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata: {{name: x{namespace}}}\n"
        f"rules: [{RULE % (groups, resources, names)}]\n"
    )


def again(spec: str, resources: ResourceList) -> ResourceList:
    """Return what comes of another run over what one gave."""
    return place(spec, *(KubeObject(each.text) for each in resources))


def names(resources: ResourceList) -> list[str]:
    """Return the names in the list of the last object."""
    data = resources.items[-1].get()
    if "rules" in data:
        found: list[str] = data["rules"][0]["resourceNames"]
        return found
    spec = data["spec"].get("template", data)["spec"]
    return [each["name"] for each in spec.get("healthChecks") or spec["ignoreDifferences"]]


@pytest.mark.parametrize(
    ("referrer", "after"),
    [
        (flux(WEB % "api", WEB % "web", WEB % "db"), ["api", "web-a", "db", "web-b", "web-c"]),
        (flux(WEB % "web", namespace="other"), ["web-a", "web-b", "web-c"]),
        (flux("{kind: Deployment, name: web}", namespace="shop"), ["web-a", "web-b", "web-c"]),
        (application("{group: apps, kind: Deployment, name: web}"), ["web-a", "web-b", "web-c"]),
        (application(WEB % "web", kind="ApplicationSet"), ["web-a", "web-b", "web-c"]),
        (
            application(
                "{group: apps, kind: Deployment, name: web, jsonPointers: [/a]}",
                "{group: apps, kind: Deployment, name: web, jsonPointers: [/b]}",
            ),
            ["web-a", "web-a", "web-b", "web-c", "web-b", "web-c"],
        ),
        (role("apps", "deployments/scale", "web"), ["web-a", "web-b", "web-c"]),
        (role("'*'", "deployments", "web, api", kind="ClusterRole"), ["web-a", "api", "web-b", "web-c"]),
        (role("apps", "deployments, statefulsets", "web"), ["web", "web-a", "web-b", "web-c"]),
    ],
)
def test_every_copy_is_named(referrer: KubeObject, after: list[str]) -> None:
    """The first stands where the source stood, others at the end; a second run changes no byte."""
    referrer = KubeObject(referrer.text)
    placed = place("zones: [a, b, c]", deployment(), referrer)
    assert names(placed) == after
    assert again("zones: [a, b, c]", placed).items[-1].text == placed.items[-1].text


@pytest.mark.parametrize(
    "referrer",
    [
        flux(WEB % "web"),
        flux(WEB % "api", WEB % "web", WEB % "db"),
        application("{group: apps, kind: Deployment, name: web, jsonPointers: [/a]}"),
        role("apps", "deployments", "web, api"),
        role("apps", "deployments, statefulsets", "web"),
    ],
)
@pytest.mark.parametrize(("before", "after"), [("a, b", "b, c, d"), ("a, b, c", "b"), ("a", "c, a"), ("a, b", "b, a")])
def test_lists_follow_the_zones(referrer: KubeObject, before: str, after: str) -> None:
    """With other zones the list is that of a first run, and so is what comes of a source that was kept."""
    text = referrer.text
    fresh = place(f"zones: [{after}]", deployment(), KubeObject(text)).items[-1].text
    first = place(f"zones: [{before}]", deployment(), KubeObject(text))
    assert again(f"zones: [{after}]", first).items[-1].text == fresh
    kept = place(f"zones: [{after}]\nfanOut: {{source: Keep}}", deployment(), KubeObject(text))
    assert "web" in names(kept)
    assert again(f"zones: [{after}]", kept).items[-1].text == fresh


BOTH = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: x, namespace: flux-system}
spec:
  healthChecks:
  - apiVersion: apps/v1
    kind: Deployment
    name: web   # first
    namespace: shop
  - {kind: Job, name: warm}
  # and the other
  - kind: Deployment
    name: api
    namespace: shop
"""
SOME = application(
    "{group: apps, kind: Deployment, name: web, jsonPointers: [/a]}",
    "{group: apps, kind: Deployment, jsonPointers: [/a]}",
    "{group: apps, kind: Deployment, name: api, jsonPointers: [/a]}",
).text
WAYS = ["a", "a, b", "b, a", "a, b, c", "c, b", "{name: a, suffix: x}, b"]


@pytest.mark.parametrize("text", [BOTH, SOME, role("apps", "deployments", "web, api, db").text, role("apps", "'*', deployments", "web, api").text])
@pytest.mark.parametrize("before", WAYS)
@pytest.mark.parametrize("after", WAYS)
def test_two_families_in_one_list(text: str, before: str, after: str) -> None:
    """Whatever the zones were, the list is that of a first run, comments included."""

    def both() -> list[KubeObject]:
        return [deployment(), deployment(name="api", labels="app: api"), KubeObject(text)]

    first = place(f"zones: [{before}]", *both())
    assert again(f"zones: [{before}]", first).items[-1].text == first.items[-1].text
    assert again(f"zones: [{after}]", first).items[-1].text == place(f"zones: [{after}]", *both()).items[-1].text


@pytest.mark.parametrize(
    "referrer",
    [
        flux("{apiVersion: apps/v1, kind: StatefulSet, name: web, namespace: shop}"),
        flux("{apiVersion: example.com/v1, kind: Deployment, name: web, namespace: shop}"),
        flux("{apiVersion: apps/v1, kind: Deployment, name: web, namespace: other}"),
        flux("{apiVersion: apps/v1, kind: Deployment, name: web}"),
        flux("web", "[web]", "{kind: Deployment}"),
        application("{group: apps, kind: Deployment}"),
        role("apps", "statefulsets", "web"),
        role("example.com", "deployments", "web"),
        role("''", "configmaps", "web"),
        obj("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {ignoreDifferences: {}}\n"),
        obj("apiVersion: example.com/v1\nkind: Role\nmetadata: {name: x}\nrules: [{resourceNames: [web]}]\n"),
    ],
)
def test_what_names_something_else(referrer: KubeObject) -> None:
    """Other kinds, groups, namespaces, resources; what has another shape is for its own API to refuse."""
    text = referrer.text
    assert place("zones: [a, b]", deployment(), referrer).items[-1].text == text


@pytest.mark.parametrize(
    "found",
    [
        role("apps", "deployments", "web-b"),
        application("{group: apps, kind: Deployment, name: web-b}"),
        flux(WEB % "web-b"),
    ],
)
def test_one_copy_of_several(found: KubeObject) -> None:
    """It was named on purpose and stays while it is there; after that it is an Error."""
    text = found.text
    first = place("zones: [a, b]", deployment())
    first.append(KubeObject(text))
    assert again("zones: [a, b, c]", first).items[-1].text == text
    with pytest.raises(ObjectError, match="names Deployment web-b"):
        again("zones: [a, c]", first)


def test_a_rule_is_not_widened() -> None:
    """Beside the name of another resource one copy was named on purpose as well."""
    first = place("zones: [a, b]", deployment())
    referrer = role("apps", "deployments, statefulsets", "web, web-b")
    first.append(KubeObject(referrer.text))
    assert again("zones: [a, b]", first).items[-1].text == referrer.text


@pytest.mark.parametrize("odd", ["7", "web", "[web]", "{web: web}", "[{web: web}]", "[[web]]", "null", "[null, 7]"])
def test_odd_shapes(odd: str) -> None:
    """What the API would refuse is no list of ours: it stays as it is, and nothing breaks."""
    check = WEB.replace("shop}", f"{odd}}}") % "web"
    for text in (
        flux(odd).text,
        flux(check).text,
        flux(WEB.replace("Deployment", odd) % "web").text,
        flux(WEB % "web").text.replace(f"[{WEB % 'web'}]", odd),
        role(odd, odd, odd).text,
        role("apps", "deployments", "web").text.replace("[deployments]", odd),
        role("apps", "deployments", "web").text.replace("[apps]", odd),
        role("apps", "deployments", "web").text.replace("[web]", odd),
        role("apps", "deployments", "web").text.replace("rules: [", f"rules: [{odd}, "),
        rule("up").text.replace("groups:\n  - rules:", f"groups:\n  - {odd}\n  - rules:"),
        rule("up{deployment=").text.replace("|\n", f"{odd}\n").replace("        up{deployment=\n", ""),
    ):
        place("zones: [a, b]", deployment(), KubeObject(text))


def rule(expr: str) -> KubeObject:
    """Return a PrometheusRule."""
    return obj(
        "apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: {name: x, namespace: monitoring}\n"
        f"spec:\n  groups:\n  - rules:\n    - expr: |\n        {expr}\n"
    )


@pytest.mark.parametrize(
    ("expr", "asks"),
    [
        ('up{deployment="web"}', True),
        ("up{deployment = 'web'}", True),
        ('up{a="b",deployment!="web"}', True),
        ('up{deployment=~"api|web"}', True),
        ('up{deployment=~"(web)"}', True),
        ("up{workload=`web`}", True),
        ('up{deployment="web-a"}', False),
        ('up{deployment=~"web-.*"}', False),
        ('up{my_deployment="web"}', False),
        ('up{deployment="api", app="web"}', False),
        ("sum by (deployment) (web)", False),
        ('up{deployment="web', False),
    ],
)
def test_queries_that_ask_for_a_source(expr: str, *, asks: bool) -> None:
    """A Warning with the path; patterns that copies match, other labels and other names are none."""
    found = said(place("zones: [a, b]", deployment(), rule(expr)).results, "warning")
    assert bool(found) == asks
    assert all("PrometheusRule monitoring/x: spec.groups[0].rules[0].expr: asks for" in line for line in found)
