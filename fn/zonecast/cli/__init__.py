"""Commands for people: never imported when a host runs the function."""

from __future__ import annotations

import sys
from pathlib import Path

from zonecast import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_START, _END = "<!--mdtogo:Long", "<!--mdtogo-->"


def command(arguments: Sequence[str]) -> int:
    """Run a command: ``schema``, ``kyverno-values`` and ``version`` print, ``argocd`` is what its plugin runs."""
    if arguments[0] == "argocd":
        from .argocd import argocd  # noqa: PLC0415 - only here

        return argocd(arguments[1:])
    if len(arguments) > 1:
        sys.stderr.write(f"zonecast {arguments[0]}: takes no arguments, got {' '.join(arguments[1:])}\n")
        return 1
    sys.stdout.write(_text(arguments[0]))
    return 0


def _text(name: str) -> str:
    """Return what a command prints."""
    if name == "schema":
        import json  # noqa: PLC0415 - only here

        from zonecast.placement import schema  # noqa: PLC0415 - only here

        return json.dumps(schema(), indent=2) + "\n"
    if name == "kyverno-values":
        from .kyvernovalues import VALUES  # noqa: PLC0415 - only here

        return VALUES
    return f"{__version__}\n"


def help_text() -> str:
    """Return the part of README.md that its markers enclose."""
    here = Path(__file__).resolve().parents[1]
    readme = next(path for path in (here / "README.md", here.parents[1] / "README.md") if path.exists())
    text = readme.read_text(encoding="utf-8")
    start = text.index("\n", text.index(_START)) + 1
    return text[start : text.index(_END, start)].strip() + "\n"
