"""What cannot be fanned out is an Error, before anything is written."""

from __future__ import annotations

import pytest
from yamls import deployment, obj, place, pod_spec, said

from krmfn import KubeObject, ObjectError

ZONES = "zones: [a, b, c]"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def affinity(*terms: str) -> str:
    """Return required node affinity; each term is one expression."""
    entries = ", ".join(f"{{matchExpressions: [{{{term}}}]}}" for term in terms)
    return f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{entries}]}}}}}}"


ZONE = "key: topology.kubernetes.io/zone, operator: "
LEGACY = "key: failure-domain.beta.kubernetes.io/zone, operator: "


@pytest.mark.parametrize("key", ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"])
def test_a_pin_by_node_selector(key: str) -> None:
    """A source that is in one zone already cannot be in others; nodes carry the older key too."""
    with pytest.raises(ObjectError, match=f'already pins {key} to "b"; remove it, or exclude'):
        place(ZONES, deployment(f"nodeSelector: {{{key}: b}}"))


def test_another_topology_key_has_no_older_name() -> None:
    """With racks as zones, a zone in the nodeSelector is a rule of the user's that may hold."""
    text = deployment("nodeSelector: {topology.kubernetes.io/zone: b}")
    placed = place(f"{ZONES}\nfanOut: {{topologyKey: example.com/rack}}", text)
    assert pod_spec(placed, "web-a")["nodeSelector"] == {
        "topology.kubernetes.io/zone": "b",
        "example.com/rack": "a",
    }


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        (affinity(ZONE + "NotIn, values: [c]"), "c"),
        (affinity(ZONE + "In, values: [a, b]"), "c"),
        (affinity(ZONE + "DoesNotExist"), "a"),
        (affinity(LEGACY + "In, values: [b, c]"), "a"),
        (affinity(ZONE + "In, values: [a]", ZONE + "In, values: [b]"), "c"),
    ],
)
def test_affinity_that_keeps_out_of_a_zone(text: str, zone: str) -> None:
    """A copy that no node could take is refused; the zone is named."""
    with pytest.raises(ObjectError, match=f"no term admits zone {zone}"):
        place(ZONES, deployment(text))


@pytest.mark.parametrize(
    "text",
    [
        affinity(ZONE + "In, values: [a, b, c, d]"),
        affinity(ZONE + "NotIn, values: [d]"),
        affinity(ZONE + "Exists"),
        affinity(ZONE + "In, values: [a]", "key: arch, operator: In, values: [amd64]"),
        f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: []}}}}}}",
        "affinity: {nodeAffinity: }",
    ],
)
def test_affinity_that_admits_every_zone(text: str) -> None:
    """One alternative that holds in the zone is enough."""
    assert len(place(ZONES, deployment(text))) == 3


def claim(mode: str, namespace: str = "shop") -> KubeObject:
    """Return a PersistentVolumeClaim ``data``."""
    return obj(
        f"""
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {{name: data, namespace: {namespace}}}
        spec: {{accessModes: [{mode}]}}
        """
    )


MOUNT = "volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]"


@pytest.mark.parametrize("mode", ["ReadWriteOnce", "ReadWriteOncePod", ""])
def test_a_claim_in_one_zone(mode: str) -> None:
    """A volume that one node mounts is in one zone: the other copies would stay Pending for ever."""
    with pytest.raises(ObjectError, match="mounts PersistentVolumeClaim data"):
        place(ZONES, claim(mode), deployment(MOUNT))


@pytest.mark.parametrize("mode", ["ReadWriteMany", "ReadOnlyMany", "ReadWriteOnce, ReadWriteMany"])
def test_a_claim_for_many(mode: str) -> None:
    """One mode that many nodes may use is enough."""
    assert not said(place(ZONES, claim(mode), deployment(MOUNT)).results, "warning")


def test_a_claim_of_another_namespace_is_another_claim() -> None:
    """What is not in the list cannot be judged: Warning."""
    placed = place(ZONES, claim("ReadWriteOnce", "other"), deployment(MOUNT))
    assert "PersistentVolumeClaim data is not in the list" in said(placed.results, "warning")[0]


def test_volumes_of_a_pod_are_no_claims() -> None:
    """Ephemeral volumes are made for each pod, in its zone."""
    ephemeral = "{name: a, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}}"
    volumes = f"volumes: [{ephemeral}, {{name: b, emptyDir: {{}}}}]"
    assert not said(place(ZONES, deployment(volumes)).results, "warning")


def test_an_owner_that_is_a_controller() -> None:
    """Its owner would create it again; an owner that is none (garbage collection alone) is dropped."""
    owner = "{apiVersion: example.com/v1, kind: App, name: shop, uid: '1', controller: true}"
    text = deployment().text.replace("namespace: shop}", f"namespace: shop, ownerReferences: [{owner}]}}")
    with pytest.raises(ObjectError, match="belongs to App shop"):
        place(ZONES, KubeObject(text))
    placed = place(ZONES, KubeObject(text.replace(", controller: true", "")))
    assert not any("ownerReferences" in copy.text for copy in placed)


def test_no_selector() -> None:
    """A Deployment without a selector is none (v1beta1 filled it in)."""
    text = deployment().text.replace("  selector:\n    matchLabels: {app: web}\n", "")
    with pytest.raises(ObjectError, match=r"spec\.selector: required"):
        place(ZONES, KubeObject(text))


def test_a_key_that_stands_twice() -> None:
    """Readers differ in which one they take; the Error names key and line."""
    with pytest.raises(ObjectError, match=r'the key "app" stands twice in one mapping \(line 7\)'):
        place(ZONES, deployment(labels="app: web, app: web"))
