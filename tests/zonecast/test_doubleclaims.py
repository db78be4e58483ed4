"""Two Placements that claim one workload."""

from __future__ import annotations

import pytest
from yamls import deployment, said

from krmfn import KubeObject, ObjectError, ResourceList
from zonecast.pipeline import run as zonecast

NOTE = "zonecast.dev/placement"


def placed(name: str, spec: str, *objects: KubeObject) -> ResourceList:
    """Return the list that comes of the Placement ``name``."""
    config = KubeObject(f"apiVersion: zonecast.dev/v1alpha1\nkind: Placement\nmetadata: {{name: {name}}}\nspec: {spec}\n")
    resources = ResourceList([KubeObject(each.text) for each in objects], config)
    zonecast(resources)
    errors = said(resources.results, "error")
    if errors:
        raise ObjectError("\n".join(errors))
    return resources


def other(spec: str, name: str = "store") -> KubeObject:
    """Return another Placement that is in the list."""
    return KubeObject(f"apiVersion: zonecast.dev/v1alpha1\nkind: Placement\nmetadata: {{name: {name}}}\nspec: {spec}\n")


def test_copies_of_another_placement() -> None:
    """The Error names both, the field and the Deployment, and the way out of a renamed Placement."""
    first = placed("shop", "{zones: [a, b]}", deployment())
    with pytest.raises(ObjectError) as error:
        placed("store", "{zones: [c]}", *first)
    for part in ("Deployment shop/web-a", 'by Placement "shop"', 'spec.zones of "store"', NOTE):
        assert part in str(error.value)


def test_the_way_out_of_a_rename() -> None:
    """With the new name in the annotation the family is the renamed Placement's; without any it is anybody's."""
    for note in ("store", None):
        first = placed("shop", "{zones: [a, b]}", deployment())
        for each in first:
            each.merge_nested({("metadata", "annotations", NOTE): note})
        again = placed("store", "{zones: [b, c]}", *first)
        assert [each.name for each in again] == ["web-b", "web-c"]
        assert {each.annotation(NOTE) for each in again} == {"store"}


def test_the_same_placement_again() -> None:
    """One that fans out its own copies is what a second run is; others may place them before, between and after."""
    base = placed("base", "{podSpec: {priorityClassName: high}}", deployment())
    shop = placed("shop", "{zones: [a, b]}", *base)
    after = placed("after", "{podSpec: {schedulerName: own}}", *shop)
    assert [each.annotation(NOTE) for each in after] == ["base,shop,after"] * 2
    again = placed("shop", "{zones: [a, b]}", *after)
    assert [each.text for each in again] == [each.text for each in after]
    for name in ("base", "after"):
        with pytest.raises(ObjectError, match=f'by Placement "shop", and spec.zones of "{name}"'):
            placed(name, "{zones: [a, b]}", *after)


def test_a_placement_without_a_name() -> None:
    """A ConfigMap of a command line may have none: there is nothing to tell it by."""
    first = placed("shop", "{zones: [a, b]}", deployment())
    assert [each.name for each in placed("''", "{zones: [a]}", *first)] == ["web-a"]


@pytest.mark.parametrize(
    ("spec", "warned"),
    [
        ("{zones: [c]}", True),
        ("{targets: [{name: w.*}], zones: [c]}", True),
        ("{targets: [{kind: Deployment|Rollout, labelSelector: 'app=none'}], zones: [c]}", False),
        ("{exclude: [{name: web}], zones: [c]}", False),
        ("{targets: [{name: api}], zones: [c]}", False),
        ("{targets: [{kind: StatefulSet}], zones: [c]}", False),
        ("{podSpec: {priorityClassName: high}}", False),
        ("{zones: 7}", False),
    ],
)
def test_another_placement_in_the_list(spec: str, warned: bool) -> None:
    """A Warning names both where both have zones for one Deployment; whether the other one runs is not known."""
    found = said(placed("shop", "{zones: [a, b]}", deployment(), other(spec)).results, "warning")
    assert bool(found) == warned
    assert all("Placement store (item" in line or "Placement store has zones for Deployment shop/web" in line for line in found)


def test_the_placement_itself_in_the_list() -> None:
    """kpt hands the function its own config as well."""
    assert not said(placed("shop", "{zones: [a]}", deployment(), other("{zones: [a]}", "shop")).results, "warning")
