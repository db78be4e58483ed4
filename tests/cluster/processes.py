"""Programs that run for as long as somebody needs them, and never longer."""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from .toolbox import on_path

PAUSE = 0.05
A_BLINK = 0.001
BINDS = "setpriv"


class NotReadyError(Exception):
    """A program ended, or was not ready in time; the message holds the end of its log."""


class Processes:
    """Programs started by name, each with its log in ``folder/NAME.log``.

    Unless ``outlive`` is set they end with this interpreter, however that ends: by ``stop``, at
    exit, or by the kernel's parent-death signal when the interpreter is killed.
    """

    def __init__(self, folder: Path, *, outlive: bool = False) -> None:
        """Keep logs and process ids in ``folder``."""
        self.folder = folder
        self._outlive = outlive
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        if not outlive:
            atexit.register(self.stop)

    def start(
        self, name: str, *command: str | Path, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start a program; its process id is written beside its log."""
        bound = [] if self._outlive else [on_path(BINDS), "--pdeathsig", "KILL", "--"]
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [*bound, *map(str, command)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                cwd=self.folder,
                start_new_session=True,
            )
        (self.folder / f"{name}.pid").write_text(str(process.pid))
        # Until it is bound it would outlive a parent that is killed.
        while bound and process.poll() is None and _is_binding(process.pid):
            time.sleep(A_BLINK)
        self._running[name] = process

    def id_of(self, name: str) -> int:
        """Return the process id of a program that runs."""
        return self._running[name].pid

    def stop(self) -> None:
        """End everything at once: none of it has anything to save."""
        self.kill(*self._running)

    def kill(self, *names: str) -> None:
        """End programs as a crash would: they cannot tidy up."""
        ending = {name: self._running.pop(name) for name in names}
        for process in ending.values():
            process.kill()
        for name, process in ending.items():
            process.wait()
            (self.folder / f"{name}.pid").unlink(missing_ok=True)

    def wait_until(self, name: str, ready: Callable[[], bool], within: float = 60) -> None:
        """Wait until ``ready`` holds; an early end of the program is an error at once."""
        deadline = time.monotonic() + within
        while not ready():
            if self._running[name].poll() is not None:
                message = f"{name} ended with {self._running[name].returncode}: {self._log(name)}"
                raise NotReadyError(message)
            if time.monotonic() > deadline:
                message = f"{name} was not ready after {within:.0f} s: {self._log(name)}"
                raise NotReadyError(message)
            time.sleep(PAUSE)

    def _log(self, name: str) -> str:
        """Return the end of a program's log."""
        lines = (self.folder / f"{name}.log").read_text(errors="replace").splitlines()
        return "\n".join(lines[-20:])


def _is_binding(pid: int) -> bool:
    """Tell whether the process has not become the program yet."""
    return Path(f"/proc/{pid}/comm").read_text() == f"{BINDS}\n"


def end_by_files(folder: Path) -> list[str]:
    """End the programs whose ids an earlier ``Processes(outlive=True)`` left in ``folder``."""
    ended = []
    for file in sorted(folder.glob("*.pid"), reverse=True):
        pid = int(file.read_text())
        if _works_in(pid, folder):
            os.kill(pid, signal.SIGKILL)
            ended.append(file.stem)
        while _works_in(pid, folder):
            time.sleep(PAUSE)
        file.unlink()
    return ended


def _works_in(pid: int, folder: Path) -> bool:
    """Tell whether the process is still ours: an id may have gone to another program."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == folder.resolve()
    except OSError:
        return False


def free_ports(count: int) -> list[int]:
    """Give loopback ports that nobody listens on, each another one."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()
