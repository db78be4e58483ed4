"""Checklist rows about kpt: files in place, ids of a round trip, a second run.

The number in a test's name is the row of the host contract that it proves.
"""

import yaml

from .adaptors import (
    CONFIG,
    Host,
    Json,
    kpt,
    kpt_render_exec,
    resource_list,
    run,
    write_kptfile,
)
from .conftest import Shop
from .manifests import CANARY, SCALER, SETTINGS, WEB, annotated, placement

KPT_ID = "internal.config.k8s.io/kpt-resource-id"
ROUND_TRIP = {
    "internal.config.kubernetes.io/id": "1",
    "config.k8s.io/id": "1",
    "internal.config.kubernetes.io/annotations-migration-resource-id": "1",
    KPT_ID: "1",
    "internal.config.kubernetes.io/kpt-resource-id": "1",
}
PLACE = {
    f"{family}/{key}": value
    for family in ("internal.config.kubernetes.io", "config.kubernetes.io")
    for key, value in {"path": "web.yaml", "index": "0"}.items()
}


def copies(*items: str, config: str) -> list[Json]:
    """Run the function over plain stdin and return the annotations of the copies."""
    done = run("zonecast", stdin=resource_list(*items, config=config))
    assert done.code == 0, done.stderr
    placed = [i for i in yaml.safe_load(done.stdout)["items"] if i["kind"] == "Deployment"]
    return [item["metadata"]["annotations"] for item in placed]


def test_row_10_copies_drop_the_ids_of_a_round_trip() -> None:
    """Of several items with one id kpt keeps the first, and copies its comments to all."""
    kept = {"internal.config.kubernetes.io/previousNames": "web", "mine": "yes"}
    for annotations in copies(annotated(WEB, ROUND_TRIP | PLACE | kept), config=placement()):
        assert not set(annotations) & set(ROUND_TRIP)
        assert kept.items() <= annotations.items()


def test_row_10_copies_survive_selectors(shop: Shop) -> None:
    """With selectors kpt merges by ``kpt-resource-id``: a copy that kept it would be lost."""
    package = shop({"web.yaml": WEB, "settings.yaml": SETTINGS})
    step = {"exec": "zonecast", "selectors": [{"kind": "Deployment"}]}
    write_kptfile(package, step)
    done = kpt("fn", "render", package, "--allow-exec")
    assert done.code == 0, done.stderr
    text = "".join(file.read_text() for file in package.glob("*.yaml"))
    assert [f"name: web-{zone}" in text for zone in "ab"] == [True, True]
    assert "greeting: hello" in text


def test_row_11_copies_have_a_place_beside_the_original() -> None:
    """Equal (package, path, index) is an error in kpt; without a path a copy lands elsewhere."""
    package = {"internal.config.kubernetes.io/package-path": "/shop/sub"}
    place = PLACE | {key: f"deep/{value}" for key, value in PLACE.items() if "path" in key}
    found = copies(annotated(WEB, place | package), config=placement())
    assert {a["internal.config.kubernetes.io/package-path"] for a in found} == {"/shop/sub"}
    for family in ("internal.config.kubernetes.io", "config.kubernetes.io"):
        paths = {a[f"{family}/path"] for a in found}
        assert len(paths) == len(found)
        assert all(path.startswith("deep/web-") for path in paths)
        assert {a[f"{family}/index"] for a in found} == {"0"}


def test_row_11_copies_of_a_sub_package_stay_in_it(shop: Shop) -> None:
    """Without its package-path a copy would land in the parent package."""
    sub = {"sub/deep/web.yaml": WEB, "sub/Kptfile": kptfile("sub")}
    package = shop({**sub, "settings.yaml": SETTINGS})
    kpt_render_exec(package)
    files = [file for file in package.rglob("*.yaml") if "kind: Deployment" in file.read_text()]
    assert [file.parent for file in files] == [package / "sub" / "deep"] * 2


def test_row_11_a_copy_never_takes_the_place_of_another_file(shop: Shop) -> None:
    """Deployment and autoscaler of one file and one name, beside a file with a copy's name."""
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: web-a}\nspec: {clusterIP: None}\n"
    package = shop({"web.yaml": f"{WEB}---\n{SCALER}", "web-a.yaml": service})
    assert set(kpt_render_exec(package).objects) == {
        *(
            f"{kind}/web-{zone}"
            for kind in ("Deployment", "HorizontalPodAutoscaler")
            for zone in "ab"
        ),
        "Service/web-a",
    }


def test_row_12_kptfile_and_config_stay(shop: Shop) -> None:
    """kpt deletes from disk what a function does not return, the Kptfile included."""
    package = shop()
    write_kptfile(package, {"exec": "zonecast"})
    before = [yaml.safe_load((package / name).read_text()) for name in ("Kptfile", CONFIG)]
    assert kpt("fn", "render", package, "--allow-exec").code == 0
    after = [yaml.safe_load((package / name).read_text()) for name in ("Kptfile", CONFIG)]
    assert after == before


def test_row_14_every_referrer_follows_or_is_an_error(shop: Shop) -> None:
    """kpt never looks whether a referrer's target exists."""
    objects = kpt_render_exec(shop()).objects
    for zone in "ab":
        scaler = objects[f"HorizontalPodAutoscaler/web-{zone}"]
        assert scaler["spec"]["scaleTargetRef"]["name"] == f"web-{zone}"
    assert "HorizontalPodAutoscaler/web" not in objects


def test_row_14_a_referrer_that_cannot_follow_is_an_error(shop: Shop) -> None:
    """A Canary manages the Deployment itself: it must not be left behind."""
    done = kpt_render_exec(shop({"web.yaml": f"{WEB}---\n{CANARY}"}))
    assert done.code != 0
    assert "Canary" in done.stderr


def test_row_18_a_name_that_is_taken_is_an_error(host: Host, shop: Shop) -> None:
    """kpt would write two objects of one name without a word."""
    taken = WEB.replace("name: web #", "name: web-a #")
    package = shop({"web.yaml": WEB, "taken.yaml": taken}, targets=[{"name": "web"}])
    done = host(package)
    assert done.code != 0
    assert "web-a" in done.stderr


def test_row_18_two_targets_of_one_name_are_refused_or_both_placed() -> None:
    """Kpt sends such two from two sub-packages; neither may be left behind without a word."""
    stream = resource_list(WEB, WEB.replace("nginx", "httpd"), config=placement())
    done = run("zonecast", stdin=stream)
    assert done.code != 0 or "name: web #" not in done.stdout
    assert done.code == 0 or "Deployment web" in done.stderr


def test_row_21_a_second_run_changes_nothing(shop: Shop) -> None:
    """A package is rendered in place again and again."""
    package = shop()
    first = kpt_render_exec(package)
    assert "Deployment/web-a" in first.objects
    assert kpt_render_exec(package).stdout == first.stdout


def test_row_21_a_changed_list_of_zones_is_carried_out(shop: Shop) -> None:
    """The family is found again; the figures are shared anew and nothing is nested."""
    package = shop()
    assert kpt_render_exec(package).code == 0
    (package / CONFIG).write_text(placement(zones=["a", "c", "d"]))
    objects = kpt_render_exec(package).objects
    replicas = {
        name: item["spec"]["replicas"]
        for name, item in objects.items()
        if item["kind"] == "Deployment"
    }
    assert replicas == {"Deployment/web-a": 2, "Deployment/web-c": 1, "Deployment/web-d": 1}


def test_row_26_an_item_that_was_sent_twice_is_placed_once_or_refused(shop: Shop) -> None:
    """Two kpt selectors that match one object send it twice."""
    twice = annotated(WEB, {KPT_ID: "7"})
    done = run("zonecast", stdin=resource_list(twice, twice, SCALER, config=placement()))
    if done.code == 0:
        names = [i["metadata"]["name"] for i in yaml.safe_load(done.stdout)["items"]]
        assert sorted(names) == ["web-a", "web-a", "web-b", "web-b"]
    else:
        assert "Deployment web" in done.stderr
    package = shop({"web.yaml": WEB})
    step = {"exec": "zonecast", "selectors": [{"kind": "Deployment"}, {"name": "web"}]}
    write_kptfile(package, step)
    done = kpt("fn", "render", package, "--allow-exec")
    left = "".join(file.read_text() for file in package.glob("web*.yaml"))
    assert [left.count(f"name: web-{zone} #") for zone in "ab"] == [1, 1] or left == WEB


def test_row_29_is_a_bare_command_for_kpt_from_any_folder(shop: Shop) -> None:
    """kpt resolves a relative path from where it was started, so a name must do."""
    package = shop()
    write_kptfile(package, {"exec": "zonecast"})
    done = kpt("fn", "render", package.name, "--allow-exec", cwd=package.parent)
    assert done.code == 0, done.stderr


def kptfile(name: str) -> Json:
    """Return a Kptfile without a pipeline."""
    return {"apiVersion": "kpt.dev/v1", "kind": "Kptfile", "metadata": {"name": name}}
