"""The examples of the reference: golden folders, which the tests run, cut down to what a reader has to see."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import yaml

from krmfn import KubeObject, ResourceList
from zonecast.origin import ORIGIN

Json = dict[str, Any]

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
#: For each section of the reference the folders that show it, in this order.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "spec": ("on-conflict-replace", "no-match-allowed"),
    "spec.targets[]": ("targets-by-name", "targets-by-labels", "argo-rollout-canary"),
    "spec.zones[]": ("t02-split-by-weight", "fixed-replicas", "zone-extras", "zone-patch"),
    "spec.fanOut": (
        "pin-required-affinity",
        "replicas-zone-loss",
        "zone-env",
        "rollout-zone-by-zone",
        "source-keep",
        "autoscalers-copy",
        "budget-per-zone-maximum",
        "services-prefer-same-zone",
        "services-per-zone",
        "long-name-is-shortened",
    ),
    "spec.fanOut.references[]": ("references-of-the-user",),
    "spec.nodePool": ("node-pool-inline",),
    "spec.nodePool.ref": ("node-pool-eksctl-managed", "node-pool-karpenter"),
    "spec.podSpec": ("pod-spec-scalars", "pod-spec-node-affinity"),
    "spec.onePodPerNode": ("t10-one-pod-per-node", "t10-fix-strategy"),
    "spec.daemonSets": ("daemon-sets-node-pool", "daemon-sets-all"),
    "spec.kyverno": ("kyverno-tolerate-daemon-sets",),
    "spec.kyverno.podDeletionCost[]": ("t15-pod-deletion-cost",),
    "spec.kyverno.guards": ("guard-zone-pin",),
    "data": ("config-map",),
}

_DIFFS = 2  # more of the same teaches nothing


class Example(NamedTuple):
    """What a golden folder shows: the rule, the config and what it changes."""

    name: str
    rule: str
    config: str
    diff: str
    added: list[str]

    @property
    def data(self) -> Json:
        """The config as data: ``spec`` of a Placement, ``data`` of a ConfigMap."""
        loaded: Json = yaml.safe_load(self.config)
        return loaded

    @property
    def markdown(self) -> str:
        """A block that opens on a click, with a link to the folder."""
        more = f"\nNew objects: {', '.join(self.added)}.\n" if self.added else ""
        diff = f"\n```diff\n{self.diff}```\n" if self.diff else "\nNothing changes.\n" if not self.added else ""
        return (
            f"<details><summary>{_html(self.rule)}</summary>\n\n```yaml\n{self.config}```\n{diff}{more}"
            f"\n[The whole of it](../tests/golden/{self.name})\n\n</details>\n"
        )


def examples_of(section: str) -> str:
    """Return the examples of a section as Markdown, or nothing."""
    return "".join(f"\n{example(name).markdown}" for name in EXAMPLES.get(section, ()))


@cache
def example(name: str) -> Example:
    """Read a golden folder."""
    before = (GOLDEN / name / "input.yaml").read_text()
    after = (GOLDEN / name / "expected.yaml").read_text()
    old, new = _items(before), _items(after)
    names = {_key(each) for each in old}
    added = [f"{each.kind} `{each.name}`" for each in new if _key(each) not in names and not _source(each)]
    diffs = [diff for each in old for diff in _changes(each, new)]
    return Example(name, _rule(before), _config(before), "".join(diffs[:_DIFFS]), added)


def shown(data: object, path: str = "") -> Iterator[str]:
    """Yield the path of every object and list in a config, as the reference writes sections."""
    if isinstance(data, list):
        for each in data:
            yield from shown(each, f"{path}[]")
        return
    yield path
    for key, value in data.items() if isinstance(data, dict) else ():
        yield from shown(value, f"{path}.{key}" if path else key)


def _items(text: str) -> list[KubeObject]:
    return list(ResourceList.read(text))


def _key(obj: KubeObject) -> tuple[str, str, str]:
    return obj.kind, obj.namespace, obj.name


def _source(obj: KubeObject) -> str:
    """Return the name of the object that this one is a copy of."""
    name: str = yaml.safe_load(obj.annotation(ORIGIN) or "{}").get("name", "")
    return name


def _changes(old: KubeObject, items: list[KubeObject]) -> list[str]:
    """Return what becomes of an object: itself with other bytes, and the first of its copies."""
    copies = [each for each in items if each.kind == old.kind and _source(each) == old.name]
    same = [each for each in items if _key(each) == _key(old) and _lines(each) != _lines(old)]
    return [_diff(old, each) for each in same + copies[:1]]


def _diff(old: KubeObject, new: KubeObject) -> str:
    """Return the lines that change, with a line around them; hunks are told apart by what they are about."""
    lines = list(difflib.unified_diff(_lines(old), _lines(new), n=1))[2:]
    head = f"@@ {old.kind} {old.name}{'' if old.name == new.name else f' -> {new.name}'} @@\n"
    return head + "".join("@@\n" if line.startswith("@@") else line for line in lines[1:])


def _lines(obj: KubeObject) -> list[str]:
    text = dedent(re.sub(r"^( *)- ", r"\1  ", obj.text.lstrip("\n")))
    return [f"{line}\n" for line in text.rstrip("\n").split("\n")]


def _rule(text: str) -> str:
    """Return the comment at the head of the input: the rule that the folder is about."""
    lines = re.match(r"(?:#.*\n)+", text)
    assert lines is not None
    return " ".join(line.lstrip("# ") for line in lines.group().splitlines())


def _config(text: str) -> str:
    """Return ``spec`` (or ``data``) of the functionConfig as it is written."""
    config = text[text.index("\nfunctionConfig:\n") + len("\nfunctionConfig:\n") :]
    config = dedent(re.split(r"^\S", config, maxsplit=1, flags=re.MULTILINE)[0])
    start = re.search(r"^(spec|data):", config, re.MULTILINE)
    assert start is not None
    return re.split(r"^(?!spec:|data:)\S", config[start.start() :], maxsplit=1, flags=re.MULTILINE)[0]


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
