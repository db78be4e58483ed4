"""Looking at a cluster at a steady pace while a test changes it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from .sandbox import Sandbox

PACE = 0.2


@contextmanager
def ready_pods(sandbox: Sandbox) -> Iterator[list[int]]:
    """Count the ready pods every 200 ms, and once more at the end, into the list that it gives.

    A pod that is on its way out no longer counts: no Service sends traffic to it.
    """
    view, over = sandbox.view.another(), threading.Event()
    counts: list[int] = []

    def look() -> None:
        while True:
            last = over.wait(PACE)
            counts.append(sum(pod.ready for pod in view.pods()))
            if last:
                break

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield counts
    finally:
        over.set()
        thread.join()
