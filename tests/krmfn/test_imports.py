"""The function path imports what is on this list and nothing else: each module costs every build of every user."""

from __future__ import annotations

import subprocess
from typing import Callable

import krmfn

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

#: What the interpreter itself loads at its start depends on its version and on site; this is what a run adds.
ALLOWED_STDLIB = {"__future__", "gc"}
ALLOWED_YAML = {
    "_yaml",
    "cython_runtime",
    "yaml._yaml",
    "yaml.error",
    "yaml.events",
    "yaml.nodes",
    "yaml.tokens",
}
NEVER = {
    "argparse", "ast", "asyncio", "collections.abc", "copy", "dataclasses", "datetime", "difflib", "enum", "fnmatch",
    "functools", "hashlib", "importlib.metadata", "inspect", "itertools", "json", "logging", "pathlib", "pkg_resources",
    "re", "ruamel", "ruamel.yaml", "shlex", "shutil", "socket", "subprocess", "tempfile", "textwrap", "threading",
    "traceback", "typing", "unittest", "urllib", "uuid", "warnings", "yaml.constructor", "yaml.resolver", "krmfn.testing",
    "krmfn.roundtrip", "zonecast.cli", "zonecast.kyverno",
    "krmfn.lists", "zonecast.source", "zonecast.argorollout", "zonecast.claims", "zonecast.doubleclaims",
    "zonecast.followers.claimed", "zonecast.followers.elements", "zonecast.followers.queries",
    "krmfn.strategic", "zonecast.patchchecks", "zonecast.podfields", "zonecast.zonepatch",
}  # fmt: skip

LIST = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
  spec:
    replicas: 3
    selector:
      matchLabels:
        app: web
    template:
      metadata:
        labels:
          app: web
      spec:
        containers:
        - name: web
          image: web
- apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata:
    name: web
  spec:
    maxReplicas: 9
    minReplicas: 3
    scaleTargetRef:
      apiVersion: apps/v1
      kind: Deployment
      name: web
functionConfig:
  apiVersion: zonecast.dev/v1alpha1
  kind: Placement
  metadata:
    name: shop
  spec:
    zones: [a, b, c]
    targets:
    - name: web
"""

PROGRAM = """
import sys
before = set(sys.modules)
import krmfn.main
# What a run loads is seen when it writes, just before the process ends.
deliver = krmfn.main._deliver
def seen(out, text):
    loaded = sorted(set(sys.modules) - before)
    sys.stderr.write("\\n".join(["LOADED", *loaded, ""]))
    return deliver(out, text)
krmfn.main._deliver = seen
sys.argv[:] = ["zonecast"]
import zonecast.main
zonecast.main.main()
"""


def loaded(python: Run, text: str) -> set[str]:
    """Return the modules that a run of zonecast loads."""
    done = python(PROGRAM, stdin=text.encode())
    assert done.returncode == 0, done.stderr.decode()
    return set(done.stderr.decode().partition("LOADED\n")[2].split())


def test_function_path(python: Run) -> None:
    """A fan-out loads our own modules, those of PyYAML's binding, and hardly anything of the standard library."""
    modules = loaded(python, LIST)
    assert not modules & NEVER
    others = {name for name in modules if not name.startswith(("krmfn", "zonecast", "_cython_"))}
    assert others <= ALLOWED_STDLIB | ALLOWED_YAML


def test_function_path_without_libyaml(python: Run) -> None:
    """Plain YAML, as hosts write it, needs no YAML library at all."""
    assert not {
        name for name in loaded(python, LIST.replace("[a, b, c]", "\n    - a\n    - b")) if "yaml" in name
    }


def test_public_names() -> None:
    """``__all__`` is what can be imported from the package, sorted, and every name of it has a docstring."""
    assert list(krmfn.__all__) == sorted(krmfn.__all__)
    for name in krmfn.__all__:
        assert getattr(krmfn, name).__doc__
