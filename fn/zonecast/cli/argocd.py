"""What Argo CD's plugin server runs in an application's folder: ``zonecast argocd generate`` and ``... parameters``.

Two rules. Argo CD deletes what is no longer in the output, so on an error standard output is empty and the exit status
is 1, and so it is where no object would be left. And no shell is needed: the plugin's image has none.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from krmfn import KrmError
from krmfn.stream import cut_stream

from . import parameters
from .turns import turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BUILD = ("kustomize", "build", "--enable-alpha-plugins", "--enable-exec", ".")


class PluginError(KrmError):
    """The application cannot be rendered."""


def argocd(arguments: Sequence[str]) -> int:
    """Run ``generate`` or ``parameters`` in the current folder and return the exit status."""
    actions = {"generate": generate, "parameters": parameters.announced}
    if len(arguments) != 1 or arguments[0] not in actions:
        found = " ".join(arguments) or "nothing"
        sys.stderr.write(f"zonecast argocd: expected one of {', '.join(actions)}, got {found}\n")
        return 1
    try:
        output = actions[arguments[0]](Path.cwd(), os.environ)
    except (KrmError, OSError) as error:
        sys.stderr.write(f"zonecast argocd {arguments[0]}: {error}\n")
        return 1
    sys.stdout.write(output)
    return 0


def generate(folder: Path, environment: Mapping[str, str]) -> str:
    """Return the manifests of the application in ``folder``: what kustomize builds, placed as the parameters say.

    Raises:
        ConfigError: the parameters, or the limit of renders, do not fit.
        PluginError: kustomize or the function failed, or no object is left.
    """
    given = parameters.read(environment)
    config = parameters.apply(given, folder, environment)
    with turn(environment):
        output = _build(folder)
        if config is not None:
            output = _place(output, config, given.placement)
    if not cut_stream(output)[0]:
        raise PluginError("no object is left, which deletes all that runs; where that is meant, delete the Application")
    return output


def _place(stream: str, config: Path, name: str) -> str:
    """Return what the function makes of a stream; what it says goes to standard error."""
    from krmfn import run  # noqa: PLC0415 - only where the parameter is given
    from zonecast.pipeline import run as place  # noqa: PLC0415

    outcome = run(place, stream, config.read_text(encoding="utf-8"), "zonecast")
    if outcome.code:
        raise PluginError(f"{name}: {outcome.stderr.rstrip()}")
    sys.stderr.write(outcome.stderr)
    return outcome.stdout


def _build(folder: Path) -> str:
    """Return what kustomize prints; what it and the functions say goes to standard error."""
    try:
        done = subprocess.run(  # noqa: S603 - a constant, without a shell
            BUILD, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False
        )
    except FileNotFoundError:
        raise PluginError(f"{BUILD[0]} is not on the PATH") from None
    if done.returncode:
        raise PluginError(f"{' '.join(BUILD[:2])}: exit status {done.returncode}")
    return done.stdout.decode("utf-8")
