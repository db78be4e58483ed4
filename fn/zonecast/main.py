"""The program ``zonecast``: the function for every host, and a few commands for people."""

from __future__ import annotations

import sys

from krmfn import as_main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

NAME = "zonecast"
_COMMANDS = ("schema", "kyverno-values", "version", "argocd")


def main() -> NoReturn:
    """Run the function, or a command where the first argument names one."""
    if sys.argv[1:2] and sys.argv[1] in _COMMANDS:
        from .cli import command  # noqa: PLC0415 - the function path imports no command

        raise SystemExit(command(sys.argv[1:]))
    from .pipeline import run  # noqa: PLC0415 - a command may do without it, and Argo CD runs one for every render

    as_main(run, name=NAME, docs=_docs)


def _docs() -> str:
    from .cli import help_text  # noqa: PLC0415

    return help_text()
