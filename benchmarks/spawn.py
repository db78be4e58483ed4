"""Run one command and print what it cost: seconds, CPU seconds, peak KiB, exit status.

    python -I -S spawn.py STDIN STDOUT PROGRAM [ARGUMENT...]

This is a process of its own, as small as Python has one, for the sake of the peak: Linux counts the
memory of the process that spawned a program as the program's, up to the moment it starts. Started
from the benchmark itself, everything would weigh as much as the benchmark.
"""

from __future__ import annotations

import os
import sys
import time


def main(source: str, sink: str, command: list[str]) -> None:
    """Run ``command`` between two files and print its four figures on one line."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, source, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, sink, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime
    sys.stdout.write(f"{seconds} {cpu} {usage.ru_maxrss} {os.waitstatus_to_exitcode(status)}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
