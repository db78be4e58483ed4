"""One small function per host: run the function over a package, get what came out.

A package is a folder of manifests with the function's config in ``placement.yaml``. An adaptor
adds what its host wants to read (a ``kustomization.yaml``, a pipeline in the ``Kptfile``) and may
change the folder, so give it a copy. A host that is missing is an error, never a skip.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

Json = dict[str, Any]

REPOSITORY = Path(__file__).resolve().parents[2]
CONFIG = "placement.yaml"
FUNCTION = "config.kubernetes.io/function"
LOCAL = "config.kubernetes.io/local-config"
KUSTOMIZATION = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
PLUGINS = REPOSITORY / "overlays" / "kubectl-legacy-plugin" / "plugins"


@dataclass(frozen=True)
class Run:
    """What a host did."""

    code: int
    stdout: str
    stderr: str

    @property
    def objects(self) -> dict[str, Json]:
        """What a cluster would get, by ``kind/name``; the list must have succeeded."""
        assert self.code == 0, self.stderr
        documents = [document for document in _documents(self.stdout) if not _is_local(document)]
        found = {f"{d['kind']}/{d['metadata']['name']}": d for d in documents}
        assert len(found) == len(documents), "two objects have one kind and name"
        return found


Host = Callable[[Path], Run]


@cache
def installed(tool: str) -> str:
    """Have ``tools/install`` put TOOL there; return what it prints, mostly a folder."""
    done = subprocess.run(
        [REPOSITORY / "tools" / "install", tool], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"the host {tool} is missing:\n{done.stderr}"
    return done.stdout.strip()


def run(
    *command: str | Path,
    cwd: Path | None = None,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
    within: float | None = 120,
) -> Run:
    """Run a command with ``zonecast`` on the PATH, as a user's shell has it, for so many seconds at most."""
    changed = {**os.environ, **(environment or {})}
    changed["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{changed['PATH']}"
    done = subprocess.run(
        list(map(str, command)),
        input=stdin.encode(),
        capture_output=True,
        cwd=cwd,
        env=changed,
        check=False,
        timeout=within,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def container_environment() -> dict[str, str]:
    """Point a host's ``docker`` at our engine, which has the image."""
    return {"DOCKER_HOST": installed("docker")}


def kustomize(package: Path, *flags: str, environment: Mapping[str, str] | None = None) -> Run:
    """Build a package as it stands with the real kustomize."""
    program = Path(installed("kustomize")) / "kustomize"
    return run(program, "build", *flags, package, environment=environment)


def kustomize_exec(package: Path) -> Run:
    """Build with ``--enable-exec``: the function is a command on the PATH."""
    write_kustomization(package, {"exec": {"path": "zonecast"}})
    return kustomize(package, "--enable-alpha-plugins", "--enable-exec")


def kustomize_container(package: Path) -> Run:
    """Build with the image, which kustomize runs as nobody and without network."""
    write_kustomization(package, {"container": {"image": installed("image")}})
    return kustomize(package, "--enable-alpha-plugins", environment=container_environment())


def kubectl_legacy_plugin(package: Path) -> Run:
    """Build with today's kubectl, which has no ``--enable-exec``: a plugin by its file's name."""
    return _kubectl(Path(installed("kubectl")) / "kubectl", package)


def kubectl_of_the_machine(package: Path) -> Run:
    """Build with the kubectl that is on the PATH, mostly an older one."""
    found = shutil.which("kubectl")
    assert found, "the host kubectl is missing: put one on the PATH"
    return _kubectl(Path(found), package)


def kpt_render_exec(package: Path) -> Run:
    """Render in place with the function as a command."""
    write_kptfile(package, {"exec": "zonecast"})
    return _in_place(package, kpt("fn", "render", package, "--allow-exec"))


def kpt_render_container(package: Path) -> Run:
    """Render in place with the image."""
    write_kptfile(package, {"image": installed("image")})
    return _in_place(package, kpt("fn", "render", package))


def kpt_eval_exec(package: Path) -> Run:
    """Evaluate in place with the function as a command, without any Kptfile."""
    config = ("--fn-config", package / CONFIG)
    return _in_place(package, kpt("fn", "eval", package, "--exec", "zonecast", *config))


def kpt_eval_container(package: Path) -> Run:
    """Evaluate in place with the image."""
    config = ("--fn-config", package / CONFIG)
    return _in_place(package, kpt("fn", "eval", package, "-i", installed("image"), *config))


def plain_stdin(package: Path) -> Run:
    """Pipe a ResourceList through the command."""
    return _unwrap(run("zonecast", stdin=_stream(package)))


def locked_container(package: Path) -> Run:
    """Run the image as Argo CD's sidecar would: an unknown user, a read-only root, no network."""
    locks = ("--network=none", "--read-only", "--user=999:999", "--cap-drop=ALL")
    return _unwrap(docker_run(*locks, stdin=_stream(package)))


HOSTS: Mapping[str, Host] = {
    host.__name__: host
    for host in (
        plain_stdin,
        kustomize_exec,
        kustomize_container,
        kubectl_legacy_plugin,
        kubectl_of_the_machine,
        kpt_render_exec,
        kpt_render_container,
        kpt_eval_exec,
        kpt_eval_container,
        locked_container,
    )
}


def kpt(*arguments: str | Path, cwd: Path | None = None) -> Run:
    """Run kpt; it is shown our engine unless the function is a command."""
    program = Path(installed("kpt")) / "kpt"
    is_command = "--allow-exec" in arguments or "--exec" in arguments
    environment = {} if is_command else container_environment()
    return run(program, *arguments, cwd=cwd, environment=environment)


def docker_run(*flags: str, arguments: Sequence[str] = (), stdin: str = "") -> Run:
    """Run the function's image."""
    command = ("docker", "run", "--rm", "--interactive", *flags, installed("image"), *arguments)
    return run(*command, stdin=stdin, environment=container_environment())


def resource_list(
    *documents: str, config: str = "", version: str = "config.kubernetes.io/v1"
) -> str:
    """Write a ResourceList of documents, their text and comments untouched."""
    items = "".join(f"- {_indent(document)[2:]}" for document in documents)
    ending = f"functionConfig:\n{_indent(config)}" if config else ""
    return f"apiVersion: {version}\nkind: ResourceList\nitems:\n{items}{ending}"


def manifests(package: Path) -> list[Path]:
    """List the manifests at the top of a package, without config, kustomization and Kptfile."""
    return sorted(
        file for file in package.glob("*.yaml") if file.name not in {CONFIG, "kustomization.yaml"}
    )


def write_kustomization(package: Path, function: Json | None) -> None:
    """Make the function the last transformer, and say in its config how it is run."""
    config = package / CONFIG
    placement = yaml.safe_load(config.read_text())
    annotations = placement["metadata"].setdefault("annotations", {})
    annotations.pop(FUNCTION, None)
    if function:
        annotations[FUNCTION] = json.dumps(function)
    config.write_text(json.dumps(placement))
    kustomization = package / "kustomization.yaml"
    if not kustomization.exists():
        resources = [file.name for file in manifests(package)]
        fields = {"resources": resources, "transformers": [CONFIG]}
        kustomization.write_text(json.dumps(KUSTOMIZATION | fields))


def write_kptfile(package: Path, function: Json, config: str | None = CONFIG) -> None:
    """Make the function the only step of the package's pipeline."""
    kptfile = package / "Kptfile"
    content = (
        yaml.safe_load(kptfile.read_text())
        if kptfile.exists()
        else {"apiVersion": "kpt.dev/v1", "kind": "Kptfile", "metadata": {"name": package.name}}
    )
    step = {**function, "configPath": config} if config else function
    content["pipeline"] = {"mutators": [step]}
    kptfile.write_text(json.dumps(content))


def _stream(package: Path) -> str:
    """Write the ResourceList of a package."""
    files = (file.read_text() for file in manifests(package))
    documents = (document for text in files for document in text.split("\n---\n"))
    return resource_list(*documents, config=(package / CONFIG).read_text())


def _indent(document: str) -> str:
    """Move a document to where an item's text stands."""
    return textwrap.indent(document.strip("\n"), "  ") + "\n"


def _kubectl(program: Path, package: Path) -> Run:
    """Build with the plugin folder that we ship."""
    write_kustomization(package, None)
    flags = ("kustomize", "--enable-alpha-plugins")
    return run(program, *flags, package, environment={"KUSTOMIZE_PLUGIN_HOME": str(PLUGINS)})


def _in_place(package: Path, done: Run) -> Run:
    """Take the files that a host left as its output."""
    files = (file for file in sorted(package.rglob("*.yaml")))
    return replace(done, stdout="\n---\n".join(file.read_text() for file in files))


def _unwrap(done: Run) -> Run:
    """Take the items of the list as the output, as every host does."""
    items = (yaml.safe_load(done.stdout) or {}).get("items") or []
    return replace(done, stdout="\n---\n".join(map(json.dumps, items)))


class _Loader(yaml.CSafeLoader):
    """A loader for which ``=`` is a string, as it is for every host."""


_Loader.add_constructor("tag:yaml.org,2002:value", lambda _, node: node.value)


def _documents(text: str) -> list[Json]:
    """Read a stream of documents."""
    return [document for document in yaml.load_all(text, _Loader) if document]


def _is_local(item: Json) -> bool:
    """Tell whether a host keeps an object to itself."""
    local = bool(item.get("metadata", {}).get("annotations", {}).get(LOCAL, "false") != "false")
    return local or item["kind"] in {"Kustomization", "Placement"}
