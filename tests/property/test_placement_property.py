"""What holds for every Placement: the split adds up, merging is idempotent and keeps what is the user's."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from krmfn import ResourceList
from krmfn.emit import Style, block_item, block_value
from krmfn.testing import read_twice, run_twice
from zonecast.pipeline import run
from zonecast.split import split

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
ZONES = ["a", "b", "c", "d"]

tolerations = st.lists(
    st.one_of(
        st.builds(
            dict,
            key=st.sampled_from("kl"),
            operator=st.just("Equal"),
            value=st.sampled_from("vw"),
            effect=st.sampled_from(["NoSchedule", "NoExecute"]),
        ),
        st.builds(dict, key=st.sampled_from("kl"), operator=st.just("Exists")),
        st.just({"operator": "Exists"}),
    ),
    max_size=3,
)
constraints: st.SearchStrategy[list[Any]] = st.lists(
    st.builds(
        dict,
        maxSkew=st.integers(1, 2),
        topologyKey=st.sampled_from(["kubernetes.io/hostname", "topology.kubernetes.io/zone", "rack"]),
        whenUnsatisfiable=st.just("DoNotSchedule"),
        labelSelector=st.just({"matchLabels": {"app": "web"}}),
    ),
    max_size=2,
)
affinities: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        {},
        {"nodeAffinity": {}},
        {
            "podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [
                    {
                        "topologyKey": "kubernetes.io/hostname",
                        "labelSelector": {"matchLabels": {"app": "web"}},
                    }
                ]
            }
        },
        {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [
                        {"matchExpressions": [{"key": "arch", "operator": "In", "values": ["amd64"]}]},
                        {"matchExpressions": [{"key": "arch", "operator": "In", "values": ["arm64"]}]},
                    ]
                }
            }
        },
    ]
)


@st.composite
def pod_specs(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the fields of a PodSpec that a Placement merges."""
    fields = {
        "tolerations": draw(tolerations),
        "topologySpreadConstraints": draw(constraints),
        "affinity": draw(affinities),
        "nodeSelector": draw(st.sampled_from([{}, {"pool": "x"}, {"disk": "ssd"}])),
        "priorityClassName": "high",
    }
    return {key: value for key, value in fields.items() if draw(st.booleans())}


@st.composite
def lists(draw: st.DrawFn) -> str:
    """Draw a list of workloads and a Placement over them."""
    items = []
    for name in draw(st.lists(st.sampled_from(["web", "api", "db"]), min_size=1, max_size=3, unique=True)):
        labels = {"app": name}
        spec: dict[str, Any] = {
            **({"replicas": draw(st.integers(0, 9))} if draw(st.booleans()) else {}),
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {**draw(pod_specs()), "containers": [{"name": "c", "image": "i"}]},
            },
        }
        items.append(
            {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}
        )
        if draw(st.booleans()):
            reference = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
            bounds = {"minReplicas": draw(st.integers(1, 5)), "maxReplicas": draw(st.integers(5, 20))}
            items.append(
                {
                    "apiVersion": "autoscaling/v2",
                    "kind": "HorizontalPodAutoscaler",
                    "metadata": {"name": name},
                    "spec": {"scaleTargetRef": reference, **bounds},
                }
            )
    spec = {}
    if draw(st.booleans()):
        spec["zones"] = [
            {"name": zone, "weight": draw(st.integers(1, 4))}
            for zone in draw(st.permutations(ZONES))[: draw(st.integers(1, 4))]
        ]
        for zone in spec["zones"]:
            if draw(st.integers(0, 3)) == 3:
                zone["replicas"] = draw(st.integers(0, 3))
    if draw(st.booleans()):
        # Only what a Placement may say: a nodeSelector that contradicts a target is an Error.
        spec["podSpec"] = draw(pod_specs())
        spec["onConflict"] = "Replace"
    if draw(st.booleans()):
        spec["onePodPerNode"] = True
    style = Style(wide=draw(st.booleans()))
    config = {
        "apiVersion": "zonecast.dev/v1alpha1",
        "kind": "Placement",
        "metadata": {"name": "p"},
        "spec": spec,
    }
    listed = "".join(block_item(item, 0, style) for item in items)
    return HEAD + listed + "functionConfig:\n" + block_value(config, 0, style)


@given(st.integers(0, 500), st.lists(st.integers(0, 20), min_size=1, max_size=6).filter(any))
def test_split_adds_up(total: int, weights: list[int]) -> None:
    """The shares add up to the total, follow the weights to within one, and ties go to the earlier zone."""
    shares = split(total, weights)
    assert sum(shares) == total
    for share, weight in zip(shares, weights):
        assert abs(share - total * weight / sum(weights)) < 1
    for i, share in enumerate(shares):
        for j in range(i + 1, len(shares)):
            assert weights[i] != weights[j] or share >= shares[j]


@given(st.integers(0, 100), st.integers(1, 6))
def test_split_is_monotonous(total: int, zones: int) -> None:
    """Equal zones differ by one at most, and one replica more takes none from any."""
    shares, more = split(total, [1] * zones), split(total + 1, [1] * zones)
    assert max(shares) - min(shares) <= 1
    assert all(after >= before for before, after in zip(shares, more))


@given(lists())
def test_second_run_changes_no_byte(text: str) -> None:
    """Whatever the Placement: its own output is a fixed point, and reads the same with two readers."""
    outcome = run_twice(run, text)
    assert "this is a bug" not in outcome.stderr
    pyyaml, ruamel = read_twice(outcome.stdout)
    assert pyyaml == ruamel


@given(lists())
def test_nothing_of_the_users_is_lost(text: str) -> None:
    """Each toleration that was there is there in every copy, in the order it had, before what was added."""
    outcome = run_twice(run, text)
    if outcome.code:
        return
    before = {obj.name: obj for obj in ResourceList.read(text).where(kind="Deployment")}
    for obj in ResourceList.read(outcome.stdout).where(kind="Deployment"):
        source = before[obj.name.partition("-")[0]]
        path = ("spec", "template", "spec", "tolerations")
        old, new = source.get(*path) or [], obj.get(*path) or []
        assert new[: len(old)] == old
        assert obj.get("spec", "template", "spec", "containers") == source.get(
            "spec", "template", "spec", "containers"
        )


@given(lists())
def test_replicas_are_shared_out(text: str) -> None:
    """The replicas of a family add up to its source's, unless every zone has a figure of its own."""
    outcome = run_twice(run, text)
    if outcome.code:
        return
    before = ResourceList.read(text)
    zones = before.config.get("spec", "zones") or []
    if zones and all("replicas" in zone for zone in zones):
        return
    for source in before.where(kind="Deployment"):
        total = source.get("spec", "replicas")
        family = [
            obj
            for obj in ResourceList.read(outcome.stdout).where(kind="Deployment")
            if obj.name.partition("-")[0] == source.name
        ]
        if total is not None:
            assert sum(obj.nested_int("spec", "replicas") for obj in family) == total
