"""Strategic merge patches: what each does to the text, and what is said of one that is wrong."""

from __future__ import annotations

from difflib import unified_diff
from typing import Any

import pytest

from krmfn import KubeObject
from krmfn.errors import PatchError
from krmfn.kubeobject import dotted
from krmfn.strategic import difference, merge, of_template, problems

FIELDS = of_template(("spec", "template"))
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}
  template:
    spec:
      containers:
      - name: web   # the shop
        image: "web:1"
        args: ["-a", '-b']   # flags
        command:
        - run   # it
        - "now"
        resources:
          limits:
            memory: 1Gi   # measured
        env:
        - name: A   # first
          value: "1"
        # about B
        - {name: B, value: "2"}
        ports:
        - {containerPort: 53, name: dns}
        - {containerPort: 53, protocol: UDP}
      # watches
      - name: side
        image: side:1
      tolerations:
      - key: spot   # cheap
        operator: Exists
      - {key: gpu, operator: Exists}
      topologySpreadConstraints:
      - {topologyKey: rack, whenUnsatisfiable: DoNotSchedule, maxSkew: 1}
      - {topologyKey: rack, whenUnsatisfiable: ScheduleAnyway, maxSkew: 1}
      volumes:
      - name: tmp
        emptyDir: {}
"""


def patched(pod: Any, text: str = WEB) -> str:
    """Return what a patch of the PodSpec changes: the lines that go and come."""
    obj = KubeObject(text)
    obj.merge_strategic({"spec": {"template": {"spec": pod}}})
    lines = list(unified_diff(text.splitlines(), obj.text.splitlines(), lineterm="", n=0))
    return "".join(f"{line}\n" for line in lines[2:] if not line.startswith("@@"))


def web(**fields: Any) -> dict[str, Any]:
    """Return a patch of the container ``web``."""
    return {"containers": [{"name": "web", **fields}]}


TEXTS: dict[str, tuple[Any, str]] = {
    "a value keeps its place": (
        web(resources={"limits": {"memory": "2Gi", "cpu": "1"}}),
        """\
-            memory: 1Gi   # measured
+            memory: "2Gi"   # measured
+            cpu: "1"
""",
    ),
    "null takes a key out": (web(args=None, image=None), "-        image: \"web:1\"\n-        args: [\"-a\", '-b']   # flags\n"),
    "the last key leaves an empty mapping": (
        web(resources={"limits": {"memory": None}}),
        "-          limits:\n-            memory: 1Gi   # measured\n+          limits: {}   # measured\n",
    ),
    "a list without a merge key is replaced": (
        web(args=["-b", "-c"], command=["run", "later"]),
        """\
-        args: ["-a", '-b']   # flags
+        args: ['-b', "-c"]   # flags
-        - "now"
+        - "later"
""",
    ),
    "entries merge by their key": (
        web(env=[{"name": "B", "value": "3"}, {"name": "C", "value": "c"}]),
        '-        - {name: B, value: "2"}\n+        - {name: B, value: "3"}\n+        - name: C\n+          value: c\n',
    ),
    "an entry is deleted": (
        {"containers": [{"name": "side", "$patch": "delete"}]},
        "-      - name: side\n-        image: side:1\n",
    ),
    "an entry that is not there is not deleted": ({"containers": [{"name": "other", "$patch": "delete"}]}, ""),
    "a list with a merge key is replaced": (
        web(env=[{"$patch": "replace"}, {"name": "B", "value": "2"}]),
        '-        - name: A   # first\n-          value: "1"\n',
    ),
    "every list can be replaced": (
        {"tolerations": [{"$patch": "replace"}, {"key": "gpu", "operator": "Exists"}]},
        "-      - key: spot   # cheap\n-        operator: Exists\n",
    ),
    "an entry is replaced": (
        {"volumes": [{"name": "tmp", "$patch": "replace", "hostPath": {"path": "/var/cache"}}]},
        "-        emptyDir: {}\n+        hostPath:\n+          path: /var/cache\n",
    ),
    "a mapping is replaced": (
        web(resources={"$patch": "replace", "requests": {"cpu": "1"}}),
        """\
-          limits:
-            memory: 1Gi   # measured
+          requests:
+            cpu: "1"
""",
    ),
    "a mapping is deleted": (
        web(resources={"$patch": "delete"}),
        "-        resources:\n-          limits:\n-            memory: 1Gi   # measured\n",
    ),
    "merge is what happens anyway": (web(**{"$patch": "merge", "image": "web:2"}), '-        image: "web:1"\n+        image: "web:2"\n'),
    "only some keys are retained": (
        {"volumes": [{"name": "tmp", "$retainKeys": ["name", "hostPath"], "hostPath": {"path": "/var/cache"}}]},
        "-        emptyDir: {}\n+        hostPath:\n+          path: /var/cache\n",
    ),
    "entries are put in order": (
        {"$setElementOrder/containers": [{"name": "side"}, {"name": "web"}]},
        "".join(f"{sign}      {line}\n" for sign in "+-" for line in ("# watches", "- name: side", "  image: side:1")),
    ),
    "a port without a protocol is a TCP port": (
        web(ports=[{"containerPort": 53, "protocol": "UDP", "name": "udp"}, {"containerPort": 53, "hostPort": 53}]),
        """\
-        - {containerPort: 53, name: dns}
-        - {containerPort: 53, protocol: UDP}
+        - {containerPort: 53, name: dns, hostPort: 53}
+        - {containerPort: 53, protocol: UDP, name: udp}
""",
    ),
    "a second key tells entries apart": (
        {"topologySpreadConstraints": [{"topologyKey": "rack", "whenUnsatisfiable": "ScheduleAnyway", "maxSkew": 5}]},
        """\
-      - {topologyKey: rack, whenUnsatisfiable: ScheduleAnyway, maxSkew: 1}
+      - {topologyKey: rack, whenUnsatisfiable: ScheduleAnyway, maxSkew: 5}
""",
    ),
    "what is new holds no nulls": (
        {"securityContext": {"runAsUser": None, "fsGroup": 1}},
        "+      securityContext:\n+        fsGroup: 1\n",
    ),
    "what is there already changes nothing": (
        web(image="web:1", env=[{"name": "A", "value": "1"}], resources={"limits": {"memory": "1Gi"}}),
        "",
    ),
}


@pytest.mark.parametrize(("pod", "change"), TEXTS.values(), ids=TEXTS)
def test_the_text_after_a_patch(pod: Any, change: str) -> None:
    """Only what the patch says changes; comments, quotes and style of the rest stay."""
    assert patched(pod) == change


@pytest.mark.parametrize(("pod", "change"), TEXTS.values(), ids=TEXTS)
def test_line_ends_stay(pod: Any, change: str) -> None:
    """Text with CRLF gets no bare newline."""
    obj = KubeObject(WEB.replace("\n", "\r\n"))
    obj.merge_strategic({"spec": {"template": {"spec": pod}}})
    assert "\n" not in obj.text.replace("\r\n", "")
    assert (obj.text == WEB.replace("\n", "\r\n")) == (not change)


def test_a_template_elsewhere() -> None:
    """The merge keys hold where the object has its pod template."""
    obj = KubeObject("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - {name: a, image: b}\n")
    obj.merge_strategic({"spec": {"containers": [{"name": "a", "tty": True}]}}, ())
    assert obj.get("spec", "containers") == [{"name": "a", "image": "b", "tty": True}]


WRONG: dict[str, tuple[Any, str, str]] = {
    "no merge key": (web(env=[{"value": "1"}]), "containers[0].env[0].name", "merged by their name"),
    "no list": (web(env={"A": "1"}), "containers[0].env", "must be a list, got a mapping"),
    "no entry": ({"volumes": ["tmp"]}, "volumes[0]", 'must be a mapping, got "tmp"'),
    "twice": (web(env=[{"name": "A"}, {"name": "A"}]), "containers[0].env[1].name", '"A" is also that of entry 0'),
    "unknown action": (web(**{"$patch": "delet"}), "containers[0].$patch", 'did you mean "delete"?'),
    "unknown directive": ({"$retainKey": []}, "$retainKey", 'did you mean "$retainKeys"?'),
    "primitives": (web(**{"$deleteFromPrimitiveList/args": ["-a"]}), "containers[0].$deleteFromPrimitiveList/args", "whole list"),
    "order of values": (web(**{"$setElementOrder/args": ["-a"]}), "containers[0].$setElementOrder/args", "whole list"),
    "order is no list": ({"$setElementOrder/volumes": "a"}, "$setElementOrder/volumes", "must be a list"),
    "order without keys": ({"$setElementOrder/volumes": [{}]}, "$setElementOrder/volumes[0].name", "required"),
    "retained is no list": ({"$retainKeys": "a"}, "$retainKeys", "must be a list of keys"),
    "given and not retained": ({"volumes": [{"name": "a", "$retainKeys": []}]}, "volumes[0].$retainKeys", '"name" is missing'),
    "beside delete": ({"volumes": [{"name": "a", "emptyDir": {}, "$patch": "delete"}]}, "volumes[0].emptyDir", "is not read"),
    "beside delete in a mapping": ({"affinity": {"a": 1, "$patch": "delete"}}, "affinity.a", "is not read"),
    "directive without merge key": ({"tolerations": [{"key": "a", "$patch": "delete"}]}, "tolerations[0].$patch", "no merge key"),
}  # fmt: skip


@pytest.mark.parametrize(("pod", "path", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_patch(pod: Any, path: str, message: str) -> None:
    """The path leads to what is wrong in the patch, the message says what is right; the object stays as it is."""
    patch = {"spec": {"template": {"spec": pod}}}
    found = {dotted(where): text for where, text in problems(patch, FIELDS)}
    assert message in found[f"spec.template.spec.{path}"]
    obj = KubeObject(WEB)
    with pytest.raises(PatchError):
        obj.merge_strategic(patch)
    assert obj.text == WEB


def test_nothing_would_be_left() -> None:
    """An object is not deleted by a patch of it."""
    assert [dotted(path) for path, _ in problems({"$patch": "delete"}, FIELDS)] == ["$patch"]


def test_one_of_several() -> None:
    """An entry that could be any of several is an error that says what tells them apart."""
    with pytest.raises(PatchError, match="2 entries have topologyKey 'rack'; give whenUnsatisfiable, too") as raised:
        patched({"topologySpreadConstraints": [{"topologyKey": "rack", "maxSkew": 5}]})
    assert dotted(raised.value.path) == "spec.template.spec.topologySpreadConstraints[0]"


def test_types_differ() -> None:
    """1 is neither true nor 1.0 nor "1": a patch tells them apart, and so does the way back."""
    one, other = {"spec": {"a": 1, "b": [1], "c": 1}}, {"spec": {"a": True, "b": [1.0], "c": 1}}
    assert difference(one, other, FIELDS) == {"spec": {"a": True, "b": [1.0]}}
    obj = KubeObject("spec: {a: 1, b: [1], c: 1}\n")
    obj.merge_strategic(other)
    assert obj.text == "spec: {a: true, b: [1.0], c: 1}\n"


def test_entries_without_keys_are_replaced_as_a_whole() -> None:
    """A list in which entries cannot be told apart leads back by a patch that replaces all of it."""
    old = {"spec": {"template": {"spec": {"volumes": [{"emptyDir": {}}, {"name": "a"}, {"name": "a"}]}}}}
    new = {"spec": {"template": {"spec": {"volumes": [{"name": "b"}]}}}}
    for one, other in ((old, new), (new, old)):
        assert merge(one, difference(one, other, FIELDS), FIELDS) == other
