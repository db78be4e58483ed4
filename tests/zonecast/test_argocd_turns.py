"""How many renders run at once in a sidecar."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from krmfn import ConfigError
from zonecast.cli.turns import LIMIT, turn

HOLDER = """
import os, time
from zonecast.cli.turns import turn
with turn(os.environ):
    print("taken", flush=True)
    time.sleep(60)
"""


def environment(folder: Path, limit: str) -> dict[str, str]:
    """Write the environment of a sidecar with a temporary folder of its own."""
    return {"TMPDIR": str(folder), LIMIT: limit}


@pytest.mark.parametrize(("limit", "most"), [("2", 2), ("0", 6), ("", 6)])
def test_no_more_than_the_limit_run_at_once(tmp_path: Path, limit: str, most: int) -> None:
    """Six renders under a limit of 2 never are three at a time; without a limit all may run, as the barrier sees."""
    now, seen, lock = 0, 0, threading.Lock()
    together = threading.Barrier(most)

    def render() -> None:
        nonlocal now, seen
        with turn(environment(tmp_path, limit)):
            with lock:
                now += 1
                seen = max(seen, now)
            together.wait(timeout=30)
            with lock:
                now -= 1

    threads = [threading.Thread(target=render) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == most


def test_the_turn_of_a_killed_render_is_free(tmp_path: Path) -> None:
    """A render that runs out of time, or of memory, is killed: it must not take its turn with it."""
    one = environment(tmp_path, "1")
    holder = subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, env={**os.environ, **one})
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"taken\n"
    threading.Timer(0.2, holder.send_signal, [signal.SIGKILL]).start()
    began = time.monotonic()
    with turn(one):
        assert 0.1 < time.monotonic() - began < 10
    holder.wait()
    holder.stdout.close()


def test_who_waits_longest_is_next(tmp_path: Path) -> None:
    """Argo CD gives a render a minute: nobody may be overtaken by those who come later."""
    one, order = environment(tmp_path, "1"), []

    def render(number: int) -> None:
        with turn(one):
            order.append(number)
            time.sleep(0.05)

    threads = [threading.Thread(target=render, args=[number]) for number in range(8)]
    with turn(one):
        for thread in threads:
            thread.start()
            time.sleep(0.1)
    for thread in threads:
        thread.join()
    assert order == list(range(8))


def test_a_limit_that_is_no_number_is_an_error() -> None:
    """A mistake in the pod must not mean "no limit"."""
    with pytest.raises(ConfigError, match='ZONECAST_PARALLEL: must be a number, 0 or more, got "four"'), turn({LIMIT: "four"}):
        pass
