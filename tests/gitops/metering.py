"""What a program and its children take: CPU seconds, and memory at the peak."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PACE = 0.05
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Taken:
    """CPU seconds of a program and of the children that it has waited for; bytes at the peak; builds at once."""

    cpu: float = 0.0
    peak: int = 0
    builds: int = 0


@contextmanager
def metered(*pids: int) -> Iterator[list[Taken]]:
    """Measure programs for a while; what is yielded is complete when the block ends.

    Memory is looked at every 50 ms: the proportional share of a program and of all below it.
    """
    taken, over = [Taken() for _ in pids], threading.Event()
    before = [_cpu(pid) for pid in pids]

    def look() -> None:
        while not over.wait(PACE):
            below = _children()
            for pid, each in zip(pids, taken, strict=True):
                tree = list(_tree(pid, below))
                each.peak = max(each.peak, sum(map(_memory, tree)))
                each.builds = max(each.builds, sum(map(_is_build, tree)))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield taken
    finally:
        over.set()
        thread.join()
        for pid, each, used in zip(pids, taken, before, strict=True):
            each.cpu = _cpu(pid) - used


def children(pid: int) -> list[int]:
    """Return the processes that a process has started and that still run."""
    return _children().get(pid, [])


def _stat(pid: int) -> list[str]:
    """Read the fields of a process after its name."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process and of the children that it has waited for."""
    return sum(map(int, _stat(pid)[11:15])) / _TICKS


def _children() -> dict[int, list[int]]:
    """Return the children of every process."""
    below: dict[int, list[int]] = {}
    for pid in (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()):
        try:
            parent = int(_stat(pid)[1])
        except OSError:  # it ended
            continue
        below.setdefault(parent, []).append(pid)
    return below


def _tree(pid: int, below: dict[int, list[int]]) -> Iterator[int]:
    """Walk a process and all below it."""
    yield pid
    for child in below.get(pid, ()):
        yield from _tree(child, below)


def _is_build(pid: int) -> bool:
    """Tell whether a process is kustomize."""
    try:
        return Path(f"/proc/{pid}/comm").read_text() == "kustomize\n"
    except OSError:
        return False


def _memory(pid: int) -> int:
    """Return the proportional share of memory of a process in bytes, 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)
