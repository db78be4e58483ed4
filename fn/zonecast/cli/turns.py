"""Turns for renders: Argo CD's own limit ends where a plugin begins, so a storm of them would all run at once.

``--parallelismlimit`` of the repo-server holds until an application's files are packed for the plugin, not while that
renders them. What bounds the memory of a sidecar must therefore be in the sidecar.
"""

from __future__ import annotations

import fcntl
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from krmfn import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import IO

#: How many renders may run at once in this container; without it, or 0, any number.
LIMIT = "ZONECAST_PARALLEL"
_PAUSE = 0.02


@contextmanager
def turn(environment: Mapping[str, str]) -> Iterator[None]:
    """Wait until fewer than the allowed number of renders run, first come first served, and be one of them for a while.

    A turn is a lock on one of so many files in the temporary folder: that of a process that is killed is free again.

    Raises:
        ConfigError: the limit is no number.
    """
    with ExitStack() as open_files:
        folder = Path(environment.get("TMPDIR") or "/tmp")  # noqa: S108 - the pod gives the container its own
        names = [f"zonecast-turn-{i}" for i in range(_limit(environment))]
        files = [open_files.enter_context((folder / name).open("a")) for name in names]
        if files:
            with (folder / "zonecast-turn-next").open("a") as line:
                # The kernel keeps those who wait for a lock in a row, so only the first of them looks for a turn.
                fcntl.flock(line, fcntl.LOCK_EX)
                while not _taken(files):
                    time.sleep(_PAUSE)
        yield


def _limit(environment: Mapping[str, str]) -> int:
    text = environment.get(LIMIT) or "0"
    if not text.isdecimal():
        raise ConfigError([(LIMIT, f'must be a number, 0 or more, got "{text}"')])
    return int(text)


def _taken(files: Sequence[IO[str]]) -> bool:
    """Lock one of the files, if one is free."""
    for file in files:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        return True
    return False
