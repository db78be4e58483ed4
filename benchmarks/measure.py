"""What is run, how often, and the samples that come of it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SPAWN = [sys.executable, "-I", "-S", str(Path(__file__).with_name("spawn.py"))]

# An installed package has its byte code beside it; a source tree gets it in the warm-up. Where this
# variable forbids that, every run would compile the function anew.
_ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


class BenchError(Exception):
    """A run that failed, or whose output is wrong: there is nothing to compare."""


@dataclass(frozen=True)
class Sample:
    """One run: wall clock and CPU in seconds, peak memory in bytes."""

    seconds: float
    cpu: float
    peak: int


@dataclass
class Case:
    """One command on one input, with the check of its output and its samples so far."""

    key: str
    size: int
    command: Sequence[str]
    source: Path
    check: Callable[[str], str | None] = lambda _text: None
    samples: list[Sample] = field(default_factory=list)
    output_size: int = -1

    def __post_init__(self) -> None:
        """Remember the size of the input, which may be gone when it is asked for."""
        self.input_size = self.source.stat().st_size

    @property
    def seconds(self) -> float:
        """The fastest run: what is left when the neighbours on the machine were quiet."""
        return min(sample.seconds for sample in self.samples)

    @property
    def median(self) -> float:
        """The median of the wall clock, to see how noisy the machine was."""
        return sorted(sample.seconds for sample in self.samples)[len(self.samples) // 2]

    @property
    def cpu(self) -> float:
        """The least CPU time: tells apart what is fast from what uses both cores."""
        return min(sample.cpu for sample in self.samples)

    @property
    def peak(self) -> int:
        """The highest peak of all runs: memory is promised, not averaged."""
        return max(sample.peak for sample in self.samples)


def run(case: Case, sink: Path) -> Sample:
    """Run ``case`` once, its stdout into ``sink``."""
    command = [*_SPAWN, str(case.source), str(sink), *case.command]
    done = subprocess.run(  # noqa: S603 - the commands are ours
        command,
        capture_output=True,
        text=True,
        check=False,
        env=_ENVIRONMENT,
    )
    if done.returncode:
        message = f"{case.key}: could not start: {done.stderr.strip()}"
        raise BenchError(message)
    seconds, cpu, peak, status = done.stdout.split()
    if status != "0":
        message = f"{case.key}: exit status {status}\n{done.stderr[:2000].strip()}"
        raise BenchError(message)
    return Sample(float(seconds), float(cpu), int(peak) * 1024)


def warm_up(cases: Sequence[Case], sink: Path) -> None:
    """Run each case once, unmeasured, and check what it wrote.

    The files of the programs are in the page cache afterwards, and compiled where they are Python.
    """
    for case in cases:
        run(case, sink)
        case.output_size = sink.stat().st_size
        problem = case.check(sink.read_text(encoding="utf-8"))
        if problem:
            message = f"{case.key}: wrong output: {problem}"
            raise BenchError(message)


def measure(cases: Sequence[Case], rounds: int, per_round: dict[int, int], sink: Path) -> None:
    """Collect samples: in every round each case runs ``per_round[size]`` times, taking turns."""
    for number in range(rounds):
        sys.stderr.write(f"round {number + 1} of {rounds}\n")
        for size, times in per_round.items():
            turn = [case for case in cases if case.size == size]
            for case in turn * times:
                case.samples.append(run(case, sink))
                if sink.stat().st_size != case.output_size:
                    message = f"{case.key}: two runs on the same input wrote different output"
                    raise BenchError(message)
