"""Findings about copies that are right by themselves and may still surprise."""

from __future__ import annotations

from krmfn.kubeobject import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krmfn import Results

    from .workload import Workload


def names_itself(workload: Workload, results: Results) -> None:
    """Warn where env or args hold the workload's own name: after the fan-out nothing has that name any more."""
    name = workload.obj.name
    if not _stands_alone(name, workload.obj.raw):
        return
    for path, value in _strings(workload):
        if value == name or value.endswith(f"={name}"):
            message = f'holds "{name}", which is the name of none of the copies'
            results.warning(message, workload.obj, dotted((*workload.pod_spec, *path)))


def _stands_alone(name: str, raw: str) -> bool:
    """Whether ``name`` may be a whole value, or follow a "=", in the containers: a look that saves reading them."""
    at = raw.find("ontainers")
    while (at := raw.find(name, at + 1)) >= 0:
        end = at + len(name)
        if raw[at - 1] in " =\"'[," and (end == len(raw) or raw[end] in " \r\n\"',]}"):
            return True
    return False


def _strings(workload: Workload) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield path and text of each argument and environment value of the containers."""
    for kind in ("initContainers", "containers"):
        for i, container in enumerate(workload.get(kind) or ()):
            args, env = container.get("args"), container.get("env")
            for j, text in enumerate(args if isinstance(args, list) else ()):
                yield (kind, i, "args", j), str(text)
            for j, variable in enumerate(env if isinstance(env, list) else ()):
                if isinstance(variable, dict):
                    yield (kind, i, "env", j, "value"), str(variable.get("value", ""))
