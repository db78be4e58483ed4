"""What rendering many Applications takes of Argo CD: with the function in a sidecar, and plain kustomize beside it.

    make bench-argocd                  200 Applications, some minutes
    make bench-argocd COUNT=20

Each case is one ApplicationSet over two repo-servers with a sidecar each. Measured is one storm: everything is rendered
anew at once, without cache, as after a commit to a repository that all of them share.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cluster import controlplane
from cluster.sandbox import Sandbox
from gitops.application import plugin
from gitops.argocd import ArgoCd
from gitops.many import Many, errors, files
from gitops.metering import metered
from gitops.repository import Repository
from gitops.sidecar import Process

if TYPE_CHECKING:
    from cluster.plane import ControlPlane

PAIRS = 2
MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Case:
    """One way to render: with the function or without, the flags of the repo-servers, the limit of the sidecars."""

    name: str
    placed: bool
    flags: tuple[str, ...] = ()
    parallel: int = 0


CASES = (
    Case("plain kustomize, no sidecar", placed=False),
    Case("zonecast, no limit", placed=True),
    Case("zonecast, --parallelismlimit=4", placed=True, flags=("--parallelismlimit=4",)),
    Case("zonecast, ZONECAST_PARALLEL=4", placed=True, parallel=4),
    Case("zonecast, ZONECAST_PARALLEL=2", placed=True, parallel=2),
)


def main() -> None:
    """Measure every case and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=200)
    count = parser.parse_args().count
    with tempfile.TemporaryDirectory() as folder:
        plane = controlplane.up(Path(folder))
        try:
            argocd = ArgoCd(plane)
            argocd.start(Process(plane.processes, plane.folder / "usual"))
            print(f"{count} Applications, {PAIRS} repo-servers")
            for case in CASES:
                print(_measured(case, count, argocd, plane), flush=True)
            argocd.stop()
        finally:
            plane.processes.stop()


def _measured(case: Case, count: int, argocd: ArgoCd, plane: ControlPlane) -> str:
    """Measure one case; its Applications and its pairs are gone afterwards."""
    name = f"case-{CASES.index(case)}"
    sandbox, many = Sandbox(plane, name), Many(argocd, name)
    repository = Repository.made(plane.folder / name)
    revision = repository.commit(files(count, placed=case.placed))
    folders = [plane.folder / f"{name}-{i}" for i in range(PAIRS)]
    sidecars = [Process(plane.processes, folder, parallel=case.parallel) for folder in folders]
    with argocd.served_by(sidecars, *case.flags) as pairs:
        many.create(repository, **({"plugin": plugin()} if case.placed else {}))
        many.synced(count, revision)
        servers = [plane.processes.id_of(pair.name) for pair in pairs]
        began = time.monotonic()
        with metered(*servers, *(each.pid for each in sidecars)) as taken:
            many.refresh()
        seconds = time.monotonic() - began
        failed = sum(errors(many.synced(count, revision)).values())
        many.close()
    sandbox.close()
    server, sidecar = taken[:PAIRS], taken[PAIRS:]
    return "  ".join(
        [
            f"{case.name:32}",
            f"{seconds:5.0f} s",
            f"failed {failed}",
            f"CPU each: repo-server {sum(t.cpu for t in server) / count:.2f} s,",
            f"sidecar {sum(t.cpu for t in sidecar) / count:.2f} s;",
            f"peak: repo-server {max(t.peak for t in server) // MEBIBYTE} MiB,",
            f"sidecar {max(t.peak for t in sidecar) // MEBIBYTE} MiB",
            f"({max(t.builds for t in sidecar)} renders at once)",
        ]
    )


if __name__ == "__main__":
    main()
