"""Checklist rows about kustomize: names, references, levels, and what it skips in silence.

The number in a test's name is the row of the host contract that it proves.
"""

import re
from pathlib import Path

import pytest
import yaml

from .adaptors import (
    CONFIG,
    FUNCTION,
    LOCAL,
    REPOSITORY,
    Host,
    Json,
    Run,
    kubectl_legacy_plugin,
    kubectl_of_the_machine,
    kustomize,
    kustomize_exec,
    resource_list,
    run,
    write_kustomization,
)
from .conftest import Shop
from .manifests import CANARY, SCALER, SETTINGS, WEB, annotated, placement, renamed

FLAGS = ("--enable-alpha-plugins", "--enable-exec")
INTERNAL = "internal.config.kubernetes.io/"
KUSTOMIZATION = "kustomization.yaml"
PLACED = {"transformers": [CONFIG]}
SHIPPED = sorted(
    file for folder in ("overlays", "examples") for file in (REPOSITORY / folder).rglob("*.yaml")
)

Files = dict[str, object]


def config(folder: str, **spec: object) -> Files:
    """Lay out a Placement that says how kustomize runs it."""
    written = yaml.safe_load(placement(**spec))
    written["metadata"]["annotations"][FUNCTION] = "exec: {path: zonecast}"
    return {f"{folder}/{CONFIG}": written}


def base(folder: str, fields: Json, **spec: object) -> Files:
    """Lay out a Deployment, its autoscaler and a generated ConfigMap, with a Placement beside."""
    generated = {"configMapGenerator": [{"name": "settings", "literals": ["greeting=hello"]}]}
    resources = {"resources": ["web.yaml", "scaler.yaml"]}
    return {
        f"{folder}/web.yaml": WEB,
        f"{folder}/scaler.yaml": SCALER,
        **config(folder, **spec),
        **above(folder, resources | generated | fields),
    }


def above(folder: str, fields: Json) -> Files:
    """Lay out a kustomization alone."""
    return {f"{folder}/{KUSTOMIZATION}": fields}


def build(shop: Shop, files: Files, folder: str = "top") -> Run:
    """Build one folder of a package."""
    return kustomize(shop(files) / folder, *FLAGS)


def check_references(objects: dict[str, Json]) -> None:
    """Every autoscaler's target and every ConfigMap that a pod reads is in the output."""
    for item in objects.values():
        spec = item.get("spec", {})
        if item["kind"] == "HorizontalPodAutoscaler":
            assert f"Deployment/{spec['scaleTargetRef']['name']}" in objects
        if item["kind"] == "Deployment":
            source = spec["template"]["spec"]["containers"][0]["envFrom"][0]
            assert f"ConfigMap/{source['configMapRef']['name']}" in objects


def deployments(done: Run) -> dict[str, Json]:
    """Pick the Deployments, by name."""
    return {d["metadata"]["name"]: d for d in done.objects.values() if d["kind"] == "Deployment"}


def test_row_09_internal_annotations_come_back_untouched() -> None:
    """They are the state of the build: without them hashes and references are silently lost."""
    state = {
        f"{INTERNAL}{key}": value
        for key, value in {
            "previousNames": "web,web",
            "previousNamespaces": "default,default",
            "previousKinds": "Deployment,Deployment",
            "prefixes": "prod-",
            "suffixes": "-x",
            "needsHashSuffix": "enabled",
        }.items()
    }
    done = run("zonecast", stdin=resource_list(annotated(WEB, state), config=placement()))
    copies = yaml.safe_load(done.stdout)["items"]
    assert [item["metadata"]["name"] for item in copies] == ["web-a", "web-b"]
    assert all(state.items() <= item["metadata"]["annotations"].items() for item in copies)


def test_row_09_two_bases_with_equal_names_keep_their_references(shop: Shop) -> None:
    """Losing ``prefixes`` alone would leave ``configMapRef: settings`` dangling, with exit 0."""
    done = build(
        shop,
        base("red", {"namePrefix": "red-"})
        | base("blue", {"namePrefix": "blue-"})
        | config("top")
        | above("top", {"resources": ["../red", "../blue"], **PLACED}),
    )
    names = {f"{prefix}-web-{zone}" for prefix in ("red", "blue") for zone in "ab"}
    assert set(deployments(done)) == names
    check_references(done.objects)
    for name, item in deployments(done).items():
        source = item["spec"]["template"]["spec"]["containers"][0]["envFrom"][0]
        assert source["configMapRef"]["name"].startswith(name.split("-")[0])


def test_row_13_an_autoscaler_is_found_by_previous_names(shop: Shop) -> None:
    """At transformer time names are prefixed already, and references are not."""
    done = build(shop, base("top", {"namePrefix": "prod-", **PLACED}))
    assert set(deployments(done)) == {"prod-web-a", "prod-web-b"}
    scalers = [i for i in done.objects.values() if i["kind"] == "HorizontalPodAutoscaler"]
    assert {i["spec"]["scaleTargetRef"]["name"] for i in scalers} == set(deployments(done))


def test_row_14_every_referrer_follows_or_is_an_error(shop: Shop) -> None:
    """kustomize says nothing of an autoscaler whose Deployment is gone."""
    done = build(shop, base("top", PLACED))
    check_references(done.objects)
    canary = {"top/scaler.yaml": f"{SCALER}---\n{CANARY}"}
    done = build(shop, base("top", PLACED) | canary)
    assert done.code != 0
    assert "Canary" in done.stderr


def test_row_15_generated_names_get_their_hash_in_every_copy(shop: Shop) -> None:
    """The hash is added after the function has run, to copies as to the source."""
    done = build(shop, base("top", PLACED))
    assert set(deployments(done)) == {"web-a", "web-b"}
    (generated,) = (name for name in done.objects if name.startswith("ConfigMap/"))
    assert re.fullmatch(r"ConfigMap/settings-[a-z0-9]{10}", generated)
    check_references(done.objects)


PARENT = {
    "resources": ["../low"],
    "namePrefix": "pre-",
    "nameSuffix": "-suf",
    "namespace": "prod",
    "labels": [{"pairs": {"team": "x"}, "includeSelectors": True}],
    "images": [{"name": "nginx", "newTag": "2"}],
}
COMPONENT = {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}
LEVELS = {
    "base": base("low", PLACED) | above("top", PARENT),
    "overlay": base("low", {}) | config("top") | above("top", PARENT | PLACED),
    "component": base("low", {})
    | config("part")
    | above("part", COMPONENT | PLACED)
    | above("top", PARENT | {"components": ["../part"]}),
}


@pytest.mark.parametrize("files", LEVELS.values(), ids=LEVELS)
def test_row_16_works_at_every_level(shop: Shop, files: Files) -> None:
    """Below or beside a parent's prefix, suffix, namespace, labels and images."""
    done = build(shop, files)
    copies = deployments(done)
    assert len(copies) == len("ab")
    assert all(name.startswith("pre-web-") and "suf" in name for name in copies)
    check_references(done.objects)
    for item in copies.values():
        assert item["metadata"]["namespace"] == "prod"
        assert item["spec"]["selector"]["matchLabels"]["team"] == "x"
        assert item["spec"]["template"]["spec"]["containers"][0]["image"] == "nginx:2"


def test_row_17_replicas_above_an_unprefixed_base_are_an_error(shop: Shop) -> None:
    """``replicas: web`` finds nothing, which kustomize says aloud."""
    fields = {"resources": ["../low"], "replicas": [{"name": "web", "count": 6}]}
    done = build(shop, base("low", PLACED) | above("top", fields))
    assert done.code != 0
    assert "web" in done.stderr


def test_row_17_replicas_above_a_prefixed_base_reach_every_copy(shop: Shop) -> None:
    """The copies keep ``previousNames``: the figure is each copy's, not the sum."""
    fields = {"resources": ["../low"], "replicas": [{"name": "web", "count": 6}]}
    low = base("low", {"namePrefix": "pre-", **PLACED})
    done = build(shop, low | above("top", fields))
    replicas = {name: item["spec"]["replicas"] for name, item in deployments(done).items()}
    assert replicas == {"pre-web-a": 6, "pre-web-b": 6}


def test_row_17_a_patch_by_the_old_name_is_silently_lost(shop: Shop) -> None:
    """Why the placement belongs into the outermost kustomization: nothing warns of this."""
    patch = {"target": {"name": "web"}, "patch": '[{"op": "remove", "path": "/spec/replicas"}]'}
    fields = {"resources": ["../low"], "patches": [patch]}
    done = build(shop, base("low", PLACED) | above("top", fields))
    assert [d["spec"]["replicas"] for d in deployments(done).values()] == [2, 2]


def test_row_20_selectors_are_match_labels(shop: Shop) -> None:
    """A parent's labels reach ``matchLabels`` of an anti-affinity, and no ``matchExpressions``."""
    labels = [{"pairs": {"team": "x"}, "includeSelectors": True}]
    low = base("low", PLACED, onePodPerNode=True)
    done = build(
        shop,
        low | above("top", {"resources": ["../low"], "labels": labels}),
    )
    for item in deployments(done).values():
        affinity = item["spec"]["template"]["spec"]["affinity"]["podAntiAffinity"]
        (term,) = affinity["requiredDuringSchedulingIgnoredDuringExecution"]
        assert term["labelSelector"]["matchLabels"] == {"app": "web", "team": "x"}


def test_row_23_an_empty_build_stays_empty(shop: Shop) -> None:
    """Over nothing, kustomize sends the function's own config as the only item."""
    done = build(shop, config("top") | above("top", PLACED))
    assert done.code == 0, done.stderr
    assert done.objects == {}


def test_row_23_an_empty_list_stays_empty() -> None:
    """No items are no work, whatever the config."""
    done = run("zonecast", stdin=resource_list(config=placement()).replace("items:", "items: []"))
    assert done.code == 0, done.stderr
    assert yaml.safe_load(done.stdout)["items"] == []


def test_row_23_a_config_among_the_items_is_no_work() -> None:
    """Another Placement in the list is passed on as it is."""
    stream = resource_list(WEB, placement(), config=placement())
    done = run("zonecast", stdin=stream)
    assert done.code == 0, done.stderr
    assert placement() in done.stdout


def test_row_25_local_config_is_not_placed(shop: Shop) -> None:
    """kustomize drops what is local, and would drop its copies: they must not come to be."""
    local = annotated(renamed(WEB, "template"), {LOCAL: "true"})
    files = {**base("top", PLACED), "top/web.yaml": f"{WEB}---\n{local}"}
    assert set(deployments(build(shop, files))) == {"web-a", "web-b"}
    done = run("zonecast", stdin=resource_list(WEB, local, config=placement()))
    names = [item["metadata"]["name"] for item in yaml.safe_load(done.stdout)["items"]]
    assert sorted(names) == ["template", "web-a", "web-b"]


def test_row_29_is_a_bare_command_from_any_folder(shop: Shop) -> None:
    """Argo CD resets modes and kpt keeps its own folder: only a name on the PATH is portable."""
    package = shop(base("top", PLACED))
    done = run("sh", "-c", "cd / && zonecast", stdin=resource_list(WEB, config=placement()))
    assert done.code == 0, done.stderr
    assert len(deployments(kustomize(package / "top", *FLAGS))) == len("ab")


@pytest.mark.parametrize("host", [kubectl_legacy_plugin, kubectl_of_the_machine])
def test_row_30_is_a_legacy_plugin_of_kubectl(shop: Shop, host: Host) -> None:
    """Kubectl cannot run a function as a command, only a plugin of kustomize's older protocol."""
    done = host(shop(base("top", {"namePrefix": "prod-", **PLACED})) / "top")
    assert set(deployments(done)) == {"prod-web-a", "prod-web-b"}
    check_references(done.objects)


def test_row_30_speaks_the_plugin_protocol(shop: Shop) -> None:
    """The config is a file, what comes in and goes out are documents without a list."""
    done = run("zonecast", shop() / CONFIG, stdin=f"{WEB}---\n{SETTINGS}")
    assert done.code == 0, done.stderr
    names = [document["metadata"]["name"] for document in yaml.safe_load_all(done.stdout)]
    assert names == ["web-a", "web-b", "settings"]


def test_row_31_nothing_that_we_ship_is_a_validator(shop: Shop) -> None:
    """kustomize fails every validator that echoes its items; ours would fail aloud."""
    assert not [
        file for file in SHIPPED if re.search("^validators:", file.read_text(), re.MULTILINE)
    ]
    done = build(shop, base("top", {"validators": [CONFIG]}))
    assert done.code != 0


def test_row_32_the_check_sees_a_function_that_was_skipped(shop: Shop) -> None:
    """kustomize without ``--enable-exec`` skips the function and exits 0."""
    package = shop()
    write_kustomization(package, {"exec": {"path": "zonecast"}})
    check = REPOSITORY / "overlays" / "ci" / "check-placement"
    skipped = kustomize(package, "--enable-alpha-plugins")
    assert skipped.code == 0
    refused = run(check, stdin=skipped.stdout)
    assert (refused.code, refused.stdout) == (1, "")
    assert "Deployment web" in refused.stderr
    placed = kustomize_exec(package)
    passed = run(check, stdin=placed.stdout)
    assert (passed.code, passed.stdout) == (0, placed.stdout)


def test_row_33_shipped_configs_are_local() -> None:
    """A config without ``local-config`` would be sent to the cluster by Flux."""
    found = [annotations for _, annotations in shipped_configs()]
    assert found
    assert all(annotations[LOCAL] == "true" for annotations in found)


def test_row_33_shipped_configs_say_how_kustomize_runs_them() -> None:
    """A misspelt declaration is an error in kustomize, one without an image is skipped."""
    for file, annotations in shipped_configs():
        declared = yaml.safe_load(annotations.get(FUNCTION, "{}"))
        assert set(declared) <= {"exec", "container"}, file
        assert "storageMounts" not in declared.get("container", {}), file
        assert declared.get("container", {"image": "none"})["image"], file


def test_row_33_shipped_kustomizations_do_not_mix_inline_and_file() -> None:
    """kustomize runs inline entries before files, whatever their order."""
    for file in (file for file in SHIPPED if file.name == KUSTOMIZATION):
        steps = yaml.safe_load(file.read_text()).get("transformers", [])
        assert len({"\n" in step for step in steps}) <= 1, file


def shipped_configs() -> list[tuple[Path, dict[str, str]]]:
    """Return the annotations of every Placement under ``overlays`` and ``examples``."""
    documents = ((file, d) for file in SHIPPED for d in yaml.safe_load_all(file.read_text()) if d)
    return [(f, d["metadata"]["annotations"]) for f, d in documents if d.get("kind") == "Placement"]
