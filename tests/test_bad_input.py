"""Bad input, through the installed program: a clear message, a failure, and nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable

import pytest

from krmfn import ResourceList
from krmfn.testing import item_texts

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"


def deployment(name: str = "web", more: str = "", pod: str = "", kind: str = "Deployment") -> str:
    """Return a workload with ``more`` in its spec and ``pod`` in its PodSpec."""
    return (
        f"- apiVersion: apps/v1\n  kind: {kind}\n  metadata:\n    name: {name}\n    namespace: shop\n"
        "    annotations:\n      config.kubernetes.io/path: web.yaml\n      internal.config.kubernetes.io/path: web.yaml\n"
        f"  spec:\n    replicas: 6\n{more}    selector:\n      matchLabels:\n        app: {name}\n    template:\n"
        f"      metadata:\n        labels:\n          app: {name}\n      spec:\n{pod}        containers:\n"
        "        - name: web\n          image: web:1\n"
    )


def listed(*items: str, spec: str = "zones: [a, b, c]") -> str:
    """Return a list of ``items`` and a Placement with ``spec``."""
    config = f"apiVersion: zonecast.dev/v1alpha1\n  kind: Placement\n  metadata:\n    name: shop\n  spec:\n    {spec}\n"
    return HEAD + "items:\n" + "".join(items) + "functionConfig:\n  " + config


CLAIM = """\
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: data
    namespace: shop
  spec:
    accessModes: [ReadWriteOnce]
"""
MOUNT = (
    "        volumes:\n        - name: data\n          persistentVolumeClaim:\n            claimName: data\n"
)
PINNED = "        nodeSelector:\n          topology.kubernetes.io/zone: z\n"
SERVICE = "- apiVersion: v1\n  kind: Service\n  metadata:\n    name: web\n    namespace: shop\n"
ROLLOUT = deployment(more="    strategy:\n      blueGreen: {activeService: web}\n", kind="Rollout").replace(
    "apps/v1", "argoproj.io/v1alpha1"
)

#: Unreadable input: standard output stays empty. (input, what the message says)
UNREADABLE: dict[str, tuple[str, list[str]]] = {
    "nothing": ("", ["expected a ResourceList"]),
    "not-yaml": ("kind: ResourceList\n\tx: [\n", ["line 2", "not valid YAML"]),
    "not-yaml-in-the-list": (
        listed(deployment()).replace("items:\n", "items: }\n"),
        ["line 3", "not valid YAML"],
    ),
    "text": ("Error: helm failed\n", ["expected a ResourceList"]),
    "html": ("<html><body>404 ResourceList</body></html>\n", ["expected a ResourceList"]),
    "truncated-in-a-quote": (listed(deployment())[: listed(deployment()).index("web:1")] + '"we', ["line"]),
    "truncated-in-flow": (HEAD + "items:\n" + deployment(pod="        x: {a: b,\n"), ["not valid YAML"]),
    "truncated-before-name": (
        HEAD + "items:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n",
        ["line 4", "name"],
    ),
    "truncated-before-items": (HEAD, ["items"]),
    "truncated-json": (
        '{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"a"',
        ["not valid YAML"],
    ),
    "not-a-list": (deployment().replace("- api", "  api").replace("\n  ", "\n"), ["expected a ResourceList"]),
    "other-list": (listed(deployment()).replace("ResourceList", "List"), ["expected a ResourceList"]),
    "other-version": (
        listed(deployment()).replace("config.kubernetes.io/v1", "example.com/v1", 1),
        ["example.com/v1"],
    ),
    "items-a-mapping": (HEAD + "items:\n  a: b\n", ["line", "items must be a list"]),
    "items-a-string": (HEAD + "items: none\n", ["line 3", "items must be a list"]),
    "item-without-kind": (
        listed(SERVICE, deployment().replace("  kind: Deployment\n", "")),
        ["line 9", "item 1", "kind"],
    ),
    "item-without-version": (
        listed(deployment().replace("- apiVersion: apps/v1\n  kind", "- kind")),
        ["item 0", "apiVersion"],
    ),
    "item-without-name": (
        listed(deployment().replace("    name: web\n    namespace", "    namespace")),
        ["item 0", "metadata.name"],
    ),
    "item-a-string": (listed(deployment(), "- text\n"), ["mapping"]),
    "item-null": (listed(deployment(), "-\n"), ["mapping"]),
    "two-documents": (listed(deployment()) + "---\na: b\n", ["document"]),
    "target-not-yaml": (listed(deployment(pod="        x: [\n")), ["line", "not valid YAML"]),
    "deep": (listed(deployment(pod="        x: " + "[" * 1000 + "]" * 1000 + "\n")), ["line 22", "nest"]),
}

#: Readable input that cannot be placed: standard output is the untouched list with the findings.
REFUSED: dict[str, tuple[str, list[str]]] = {
    "unknown-field": (
        listed(deployment(), spec="zone: [a]"),
        ['spec.zone: unknown field; did you mean "zones"?'],
    ),
    "misspelt-nested-field": (
        listed(deployment(), spec="zones: [a, {name: b, weigth: 2}]"),
        ['spec.zones[1].weigth: unknown field; did you mean "weight"?'],
    ),
    "unknown-root-field": (
        listed(deployment()) + "  sepc: {}\n",
        ['sepc: unknown field; did you mean "spec"?'],
    ),
    "several-at-once": (
        listed(deployment(), spec="zones: [a, {name: b, weight: -1}, {nam: c}]\n    onePodPerNode: 3"),
        [
            "spec.zones[1].weight: must be >= 0, got -1",
            'spec.zones[2].nam: unknown field; did you mean "name"?',
            "spec.onePodPerNode",
        ],
    ),
    "wrong-type": (listed(deployment(), spec="zones: a,b"), ['spec.zones: must be a list, got "a,b"']),
    "number-for-zone": (
        listed(deployment(), spec="zones: [1, 2]"),
        ['spec.zones[0]: must be a string, got 1; write it in quotes: "1"'],
    ),
    "zone-twice": (
        listed(deployment(), spec="zones: [a, b, a]"),
        ['spec.zones[2].name: "a" is also that of zones[0]'],
    ),
    "suffix-twice": (
        listed(deployment(), spec="zones: [{name: a, suffix: x}, {name: b, suffix: x}]"),
        ['"x" is also that of zones[0]'],
    ),
    "weight-negative": (
        listed(deployment(), spec="zones: [{name: a, weight: -1}]"),
        ["spec.zones[0].weight: must be >= 0, got -1"],
    ),
    "weights-all-zero": (
        listed(deployment(), spec="zones: [{name: a, weight: 0}, {name: b, weight: 0}]"),
        ["spec.zones: all weights are 0"],
    ),
    "zone-replicas-above-the-source": (
        listed(deployment(), spec="zones: [{name: a, replicas: 4}, {name: b, replicas: 3}, c]"),
        [
            "Deployment shop/web (web.yaml, item 0): spec.replicas: 6 is less than",
            "spec.zones[0].replicas 4 + spec.zones[1].replicas 3 = 7",
        ],
    ),
    "zone-replicas-a-string": (
        listed(deployment(), spec='zones: [{name: a, replicas: "4"}, b]'),
        ['spec.zones[0].replicas: must be an integer, got "4"'],
    ),
    "zone-minimum-above-maximum": (
        listed(deployment(), spec="zones: [a, {name: b, minReplicas: 4, maxReplicas: 3}]"),
        ["spec.zones[1].minReplicas: 4 is above maxReplicas 3"],
    ),
    "zone-replicas-beside-a-variable": (
        listed(
            deployment().replace("replicas: 6", "replicas: ${N}"),
            spec="zones: [{name: a, replicas: 4}, b]\n    fanOut: {replicas: Each}",
        ),
        ["'${N}' is no number yet: spec.zones[0].replicas cannot stand beside it"],
    ),
    "targets-match-nothing": (
        listed(deployment(), spec="zones: [a]\n    targets: [{name: wbe}]"),
        ["match nothing", "Deployment web"],
    ),
    "no-deployment": (listed(SERVICE), ["match nothing"]),
    "already-pinned": (
        listed(deployment(pod=PINNED)),
        ["Deployment shop/web (web.yaml, item 0)", 'already pins topology.kubernetes.io/zone to "z"'],
    ),
    "read-write-once": (
        listed(deployment(pod=MOUNT), CLAIM),
        ["Deployment shop/web", "PersistentVolumeClaim data (ReadWriteOnce)"],
    ),
    "name-taken": (
        listed(deployment(), deployment("web-b")),
        ["its copy would be web-b", "Deployment shop/web-b"],
    ),
    "pool-not-there": (
        listed(deployment(), spec="nodePool: {ref: {kind: NodePool, name: gpu}}"),
        ["spec.nodePool.ref: no NodePool gpu in the list; found: none"],
    ),
    "exists-with-value": (
        listed(deployment(), spec="podSpec: {tolerations: [{key: k, operator: Exists, value: v}]}"),
        ["spec.podSpec.tolerations[0].value: must be absent with operator Exists"],
    ),
    "stateful-set": (
        listed(deployment(kind="StatefulSet"), spec="zones: [a]\n    targets: [{kind: StatefulSet}]"),
        ["StatefulSet shop/web", "cannot be fanned out"],
    ),
    "two-placements": (
        listed(
            deployment("web-a").replace(
                "    annotations:\n",
                "    labels: {zonecast.dev/zone: a}\n    annotations:\n      zonecast.dev/placement: store\n"
                "      zonecast.dev/origin: '{\"name\": \"web\", \"replicas\": 6}'\n",
            )
        ),
        [
            "Deployment shop/web-a (web.yaml, item 0): metadata.annotations[zonecast.dev/placement]",
            'was fanned out by Placement "store", and spec.zones of "shop" claims it, too',
        ],
    ),
    "rollout-without-its-service": (
        listed(ROLLOUT, spec="zones: [a]\n    targets: [{kind: Rollout}]"),
        ["Rollout shop/web (web.yaml, item 0): spec.strategy.blueGreen.activeService", "not in the list"],
    ),
    "rollout-behind-an-ingress": (
        listed(
            ROLLOUT.replace("blueGreen: {activeService: web}", "canary: {trafficRouting: {nginx: {stableIngress: web}}}"),
            spec="zones: [a]\n    targets: [{kind: Rollout}]",
        ),
        ["Rollout shop/web", "spec.strategy.canary.trafficRouting.nginx: an Ingress cannot follow"],
    ),
    "duplicate-key": (
        listed(deployment(pod="        hostNetwork: true\n        hostNetwork: true\n")),
        ["Deployment shop/web", 'the key "hostNetwork" stands twice in one mapping (line 23)'],
    ),
    "kyverno-in-kube-system": (
        listed(
            deployment().replace("namespace: shop", "namespace: kube-system"),
            spec="kyverno: {podDeletionCost: [{nodeLabel: {key: k, value: v}, cost: 100}]}",
        ),
        ["kube-system"],
    ),
    "replicas-a-string": (
        listed(deployment().replace("replicas: 6", "replicas: ${N}")),
        ["Deployment shop/web", "replicas"],
    ),
    "billion-laughs": (
        listed(
            deployment(
                pod="        l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n"
                + "".join(f"        l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 10)}]\n" for i in range(1, 12))
            )
        ),
        ["Deployment shop/web", "aliases expand to more than"],
    ),
    "odd-config-kind": (listed(deployment()).replace("kind: Placement", "kind: Plcement"), ["Placement"]),
    "config-map-unknown-key": (
        listed(deployment())
        .replace("zonecast.dev/v1alpha1", "v1")
        .replace("Placement", "ConfigMap")
        .replace("spec:\n    zones: [a, b, c]", "data:\n    zone: a"),
        ['data.zone: unknown field; did you mean "zones"?'],
    ),
}


@pytest.mark.parametrize("case", UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable(zonecast: Run, case: tuple[str, list[str]]) -> None:
    """What cannot be read is an error with its line; standard output is empty, or the list as it came."""
    text, messages = case
    done = zonecast(text.encode())
    error = done.stderr.decode()
    assert done.returncode == 1
    assert error.startswith("zonecast: ")
    assert "Traceback" not in error
    assert "this is a bug" not in error
    for message in messages:
        assert message in error
    if done.stdout:
        assert done.stdout.decode().startswith(text.removesuffix("\n"))


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_refused(zonecast: Run, case: tuple[str, list[str]]) -> None:
    """What cannot be placed is an error that says where, what and what to do; every item comes back as it was."""
    text, messages = case
    done = zonecast(text.encode())
    error = done.stderr.decode()
    assert done.returncode == 1
    assert error.startswith("zonecast: ")
    assert "this is a bug" not in error
    for message in messages:
        assert message in error
    assert done.stdout.decode().startswith(text)
    assert item_texts(done.stdout.decode()) == item_texts(text)


def test_name_over_63(zonecast: Run) -> None:
    """A copy's name over 63 characters is shortened with a hash, never cut so that two become one; two runs agree."""
    name = "w" * 60
    text = listed(deployment(name), spec="zones: [us-east-1a, us-east-1b]")
    done = zonecast(text.encode())
    assert done.returncode == 0
    names = [obj.name for obj in ResourceList.read(done.stdout.decode())]
    assert len(set(names)) == 2
    assert all(len(each) <= 63 for each in names)
    assert zonecast(text.encode()).stdout == done.stdout


def test_ten_megabytes_in_one_item(zonecast: Run) -> None:
    """An item of 10 MB passes as it came, beside a Deployment that is fanned out, in seconds."""
    line = "    " + "x" * 75 + "\n"
    big = (
        "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: big\n  data:\n    k: |\n"
        "  " + (line + "  ") * 130_000
    )
    text = listed(big.rstrip(" "), deployment())
    assert len(text) > 10_000_000
    started = time.monotonic()
    done = zonecast(text.encode())
    assert time.monotonic() - started < 20
    assert done.returncode == 0
    items = item_texts(done.stdout.decode())
    assert (items[0], len(items)) == (big.rstrip(" "), 4)


def test_ten_megabytes_in_the_target(zonecast: Run) -> None:
    """A Deployment of 10 MB is fanned out: three times 10 MB, in a time that is not a hang."""
    entries = "".join(f"        - name: V{i}\n          value: {'x' * 60}\n" for i in range(100_000))
    pod = (
        "        initContainers:\n        - name: init\n          image: web\n          env:\n"
        + entries.replace("        -", "          -").replace("          value", "            value")
    )
    text = listed(deployment(pod=pod))
    assert len(text) > 9_000_000
    started = time.monotonic()
    done = zonecast(text.encode())
    assert done.returncode == 0, done.stderr.decode()
    assert time.monotonic() - started < 60
    assert len(done.stdout) > 27_000_000


def test_deep_blocks_in_the_target(zonecast: Run) -> None:
    """A thousand nested block mappings in a target are refused with their depth, or copied whole; nothing is lost."""
    deep = "".join(" " * (8 + i) + "k:\n" for i in range(1000))
    text = listed(deployment(pod=deep))
    done = zonecast(text.encode())
    if done.returncode:
        assert "nested deeper than 200 levels" in done.stderr.decode()
        assert "this is a bug" not in done.stderr.decode()
        return
    copies = item_texts(done.stdout.decode())
    assert len(copies) == 3
    assert all(deep in copy for copy in copies)


def test_deep_item_that_is_no_target(zonecast: Run) -> None:
    """Nesting a thousand deep in an item that nobody looks into passes as it came."""
    deep = SERVICE + "  spec: " + "[" * 1000 + "]" * 1000 + "\n"
    text = listed(deep, deployment())
    done = zonecast(text.encode())
    assert done.returncode == 0, done.stderr.decode()
    assert item_texts(done.stdout.decode())[0] == deep


def test_billion_laughs_that_is_no_target(zonecast: Run) -> None:
    """A document that would expand without end passes as it came, at once, where nobody asks for its data."""
    laughs = (
        SERVICE
        + "  l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"  l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 10)}]\n" for i in range(1, 12))
    )
    text = listed(laughs, deployment())
    started = time.monotonic()
    done = zonecast(text.encode())
    assert time.monotonic() - started < 5
    assert done.returncode == 0, done.stderr.decode()
    assert item_texts(done.stdout.decode())[0] == laughs


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"])
def test_invalid_utf8(zonecast: Run, data: bytes) -> None:
    """Bytes that are no UTF-8 are an error with line and byte; nothing is replaced silently."""
    text = listed(deployment()).encode().replace(b"image: web:1", b"image: " + data)
    done = zonecast(text)
    assert (done.returncode, done.stdout) == (1, b"")
    line = text.count(b"\n", 0, text.index(data)) + 1
    assert f"line {line}: not UTF-8: byte 0x" in done.stderr.decode()


def test_utf16(zonecast: Run) -> None:
    """A list in UTF-16, as a Windows shell writes it, is an error that says so."""
    done = zonecast(listed(deployment()).encode("utf-16"))
    assert (done.returncode, done.stdout) == (1, b"")
    assert "not UTF-8" in done.stderr.decode()


def test_closed_stdout(tmp_path: Path) -> None:
    """With standard output closed the program fails and says so."""
    file = tmp_path / "input.yaml"
    file.write_text(listed(deployment()))
    program = Path(sys.executable).parent / "zonecast"
    done = subprocess.run(
        ["sh", "-c", f"'{program}' <'{file}' >&-"], capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert b"standard output is closed" in done.stderr


def test_reader_that_went_away() -> None:
    """A pipe whose reader is gone is a failure, not a traceback."""
    program = Path(sys.executable).parent / "zonecast"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [str(program)], input=listed(deployment()).encode(), stdout=writer, stderr=-1, check=False, timeout=60
    )
    os.close(writer)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"standard output is closed" in done.stderr
