"""Strategic merge patches against a plain implementation, and undone by the patch that leads back."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from krmfn import KubeObject
from krmfn.strategic import difference, merge, of_template, problems
from krmfn.testing import read_twice

Data = Any
FIELDS = of_template(("spec", "template"))
#: The merge key of each list, for the plain implementation; ports have a second one.
KEYS = {"containers": "name", "initContainers": "name", "env": "name", "volumes": "name", "volumeMounts": "mountPath",
        "ports": "containerPort", "imagePullSecrets": "name", "hostAliases": "ip"}  # fmt: skip

names = st.sampled_from(["a", "b", "c", "d"])
values = st.sampled_from(["1", "x y", "it's", "500m", "true"])
quantities = st.dictionaries(st.sampled_from(["cpu", "memory"]), values, min_size=1, max_size=2)


def optional(**fields: st.SearchStrategy[Data]) -> st.SearchStrategy[dict[str, Data]]:
    """Draw a mapping with some of the fields."""
    return st.fixed_dictionaries({}, optional=fields)


def keyed(key: str, keys: st.SearchStrategy[Data], *parts: st.SearchStrategy[Data]) -> st.SearchStrategy[list[Data]]:
    """Draw entries of a list with a merge key: the key, and one of the parts."""
    entry = st.tuples(keys, st.one_of(*parts)).map(lambda pair: {key: pair[0], **pair[1]})
    return st.lists(entry, max_size=4, unique_by=lambda each: (each[key], each.get("protocol", "TCP")))


variables = st.one_of(st.fixed_dictionaries({"value": values}), st.just({"valueFrom": {"fieldRef": {"fieldPath": "p"}}}))
container = optional(
    image=values,
    args=st.lists(values, max_size=3),
    resources=optional(limits=quantities, requests=quantities),
    env=keyed("name", names, variables),
    ports=keyed("containerPort", st.integers(1, 3), optional(protocol=st.sampled_from(["TCP", "UDP"]))),
    volumeMounts=keyed("mountPath", names, optional(name=names, readOnly=st.booleans())),
)
pods = optional(
    containers=keyed("name", names, container),
    initContainers=keyed("name", names, container),
    volumes=keyed("name", names, st.sampled_from([{"emptyDir": {}}, {"hostPath": {"path": "/x"}}, {}])),
    imagePullSecrets=keyed("name", names, st.just({})),
    hostAliases=keyed("ip", names, optional(hostnames=st.lists(values, max_size=2))),
    tolerations=st.lists(st.fixed_dictionaries({"key": names, "operator": values}), max_size=3),
    nodeSelector=st.dictionaries(names, values, max_size=3),
    securityContext=optional(runAsUser=st.integers(0, 3), sysctls=st.lists(values, max_size=2)),
)


@st.composite
def patches(draw: st.DrawFn, value: Data = None) -> Data:
    """Draw a patch in the shape of a PodSpec, some of it deletions and replacements."""
    return _turned(draw, draw(pods) if value is None else value)


def _turned(draw: st.DrawFn, value: Data, name: str = "") -> Data:
    """Turn parts of what could be set into what deletes or replaces."""
    choice = draw(st.integers(1, 12)) if name else 12
    if choice == 1:
        return None
    if isinstance(value, dict):
        if choice == 2:
            return {"$patch": "delete"}
        found = {key: _turned(draw, each, key) for key, each in value.items()}
        return {"$patch": draw(st.sampled_from(["replace", "merge"])), **found} if choice == 3 else found
    if name in KEYS:
        entries = [_turned_entry(draw, each, name) for each in value]
        return [{"$patch": "replace"}, *entries] if choice == 2 else entries
    return value


def _turned_entry(draw: st.DrawFn, entry: dict[str, Data], name: str) -> dict[str, Data]:
    ids = {key: each for key, each in entry.items() if key in (KEYS[name], "protocol")}
    choice = draw(st.integers(1, 6))
    if choice == 1:
        return {**ids, "$patch": "delete"}
    rest = {key: _turned(draw, each, key) for key, each in entry.items() if key not in ids}
    return {**ids, **rest, **({"$patch": "replace"} if choice == 2 else {})}


def plainly(old: Data, patch: Data, name: str = "") -> Data:
    """Merge a patch the plain way: through dicts by merge key."""
    if isinstance(patch, dict):
        result = dict(old) if isinstance(old, dict) and patch.get("$patch") != "replace" else {}
        for key, value in patch.items():
            if value is None or (isinstance(value, dict) and value.get("$patch") == "delete"):
                result.pop(key, None)
            elif key != "$patch":
                result[key] = plainly(result.get(key), value, key)
        return result
    if not isinstance(patch, list) or name not in KEYS:
        return patch
    marked = {"$patch": "replace"} in patch
    by_key = {} if marked else {key_of(each, name): each for each in old or ()}
    for each in patch:
        if KEYS[name] not in each:
            continue
        if each.get("$patch") == "delete":
            by_key.pop(key_of(each, name), None)
        else:
            by_key[key_of(each, name)] = plainly(by_key.get(key_of(each, name)), each)
    return list(by_key.values())


def key_of(entry: dict[str, Data], name: str) -> Data:
    """Return what tells an entry from the others."""
    return entry[KEYS[name]], entry.get("protocol", "TCP") if name == "ports" else ""


def deployment(pod: Data) -> dict[str, Data]:
    """Return a Deployment with this PodSpec."""
    metadata = {"name": "web"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": {"spec": pod}}}


def in_template(patch: Data) -> dict[str, Data]:
    """Return a patch of a PodSpec as one of its Deployment."""
    return {"spec": {"template": {"spec": patch}}}


@given(pods, patches(), st.booleans())
def test_it_merges_as_the_plain_way_does(pod: Data, patch: Data, json_input: bool) -> None:
    """The edited text, read by two readers, is what dicts by merge key come to; the order of entries is kept."""
    obj = KubeObject(json.dumps(deployment(pod))) if json_input else KubeObject.from_data(deployment(pod))
    obj = KubeObject(obj.text)
    kept = copy.deepcopy(patch)
    obj.merge_strategic(in_template(patch))
    assert patch == kept
    wanted = deployment(plainly(pod, patch))
    assert read_twice(obj.text) == ([wanted], [wanted])
    assert obj.get() == wanted


@given(pods, patches())
def test_a_second_time_changes_nothing(pod: Data, patch: Data) -> None:
    """A patch is idempotent, in bytes."""
    obj = KubeObject.from_data(deployment(pod))
    obj.merge_strategic(in_template(patch))
    again = KubeObject(obj.text)
    again.merge_strategic(in_template(patch))
    assert again.text == obj.text


@given(pods, patches())
def test_entries_keep_their_order(pod: Data, patch: Data) -> None:
    """What was there stands in the order that it had, what is new behind it."""
    before = deployment(pod)
    after = merge(before, in_template(patch), FIELDS)["spec"]["template"]["spec"]
    for name, old in pod.items():
        if name in KEYS and {"$patch": "replace"} not in (patch.get(name) or ()):
            known = [key_of(each, name) for each in old]
            order = [key_of(each, name) for each in after.get(name) or ()]
            kept = [key for key in known if key in order]
            assert order[: len(kept)] == kept


@given(pods, patches())
def test_there_is_a_way_back(pod: Data, patch: Data) -> None:
    """The patch that leads back is a sound one, and leads back."""
    before = deployment(pod)
    after = merge(before, in_template(patch), FIELDS)
    back = difference(after, before, FIELDS)
    assert not list(problems(back, FIELDS))
    assert merge(after, back, FIELDS) == before
    assert (not back) == (after == before)


@given(pods, pods)
def test_any_content_leads_to_any_other(one: Data, other: Data) -> None:
    """Whatever the difference, order of entries included, there is a patch for it."""
    patch = difference(deployment(one), deployment(other), FIELDS)
    assert merge(deployment(one), patch, FIELDS) == deployment(other)
    obj = KubeObject.from_data(deployment(one))
    obj.merge_strategic(patch)
    assert read_twice(obj.text)[0] == [deployment(other)]
