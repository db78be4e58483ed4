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
    raw = workload.obj.raw
    if raw.find(name, raw.find("ontainers")) < 0:
        return
    for path, value in _strings(workload):
        if value == name or value.endswith(f"={name}"):
            message = f'holds "{name}", which is the name of none of the copies'
            results.warning(message, workload.obj, dotted((*workload.pod_spec, *path)))


def _strings(workload: Workload) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield path and text of each argument and environment value of the containers."""
    for kind in ("initContainers", "containers"):
        for i, container in enumerate(workload.get(kind) or ()):
            for j, text in enumerate(container.get("args") or ()):
                yield (kind, i, "args", j), str(text)
            for j, variable in enumerate(container.get("env") or ()):
                yield (kind, i, "env", j, "value"), str(variable.get("value", ""))
