"""The parameters that an Argo CD Application gives the plugin: ``placement`` and ``zones``."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

from krmfn import ConfigError, KubeObject
from krmfn.config import ListOf, Model, String, field, parse
from krmfn.stream import cut_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from krmfn.scan import Data

#: The parameters as JSON: a list of ``{name, string | array | map}``.
GIVEN = "ARGOCD_APP_PARAMETERS"
#: The application's folder in its repository.
PATH = "ARGOCD_APP_SOURCE_PATH"
_FORMS = ("string", "array", "map")


class Parameters(Model):
    """What an Application may say; every parameter is optional."""

    placement: str = field(
        String(allow_empty=True), default="", doc="file of a Placement to apply to what kustomize built"
    )
    zones: list[str] | None = field(ListOf(String()), doc="zones in place of those of the Placement")


def read(environment: Mapping[str, str]) -> Parameters:
    """Read the parameters that Argo CD passed on.

    Raises:
        ConfigError: one is unknown, of the wrong type, or given twice.
    """
    values: dict[str, Data] = {}
    for each in json.loads(environment.get(GIVEN) or "null") or ():
        name = each.get("name", "")
        if name in values:
            raise ConfigError([(f"parameters.{name}", "given twice")])
        values[name] = next((each[form] for form in _FORMS if each.get(form) is not None), None)
    return parse(Parameters, values, "parameters")


def apply(parameters: Parameters, folder: Path, environment: Mapping[str, str]) -> Path | None:
    """Write the zones into the Placement that the parameters mean, and return the file that ``placement`` names.

    ``folder`` is the application's in a checkout that belongs to this run alone.

    Raises:
        ConfigError: there is no such file, it is no Placement or is outside the checkout, or it is not clear which
            Placement the zones are for.
    """
    config = None
    if parameters.placement:
        config = _inside(parameters.placement, folder, environment)
    if parameters.zones:
        _write_zones(config or _only_placement(folder), parameters.zones)
    return config


def announced(folder: Path, environment: Mapping[str, str]) -> str:
    """Return the parameters as JSON for Argo CD's forms: zones with those of the Placement as their default."""
    parameters = read(environment)
    found = [_inside(parameters.placement, folder, environment)] if parameters.placement else _placements(folder)
    zones = _names(_placement(found[0])) if len(found) == 1 else []
    defaults: dict[str, dict[str, Data]] = {
        "placement": {"string": ""},
        "zones": {"collectionType": "array", "array": [*zones]},
    }
    docs = {name: declared.doc for name, declared in Parameters.fields.items()}
    return json.dumps(
        [{"name": name, "title": name.capitalize(), "tooltip": docs[name], **defaults[name]} for name in docs]
    )


def _write_zones(file: Path, names: list[str]) -> None:
    """Choose zones: one that the Placement knows keeps what is said of it there."""
    placement = _placement(file)
    known = dict(zip(_names(placement), placement.nested_slice("spec", "zones")))
    placement.set_nested("spec", "zones", [known.get(name, name) for name in names])
    file.write_text(placement.text, encoding="utf-8")


def _names(placement: KubeObject) -> list[str]:
    """Return the names of a Placement's zones, given in the short form or in the long one."""
    zones = placement.nested_slice("spec", "zones")
    return [str(zone.get("name", "") if isinstance(zone, dict) else zone) for zone in zones]


def _only_placement(folder: Path) -> Path:
    """Return the one file of a Placement in the application's folder."""
    found = _placements(folder)
    if len(found) != 1:
        names = ", ".join(file.name for file in found) or "none"
        raise ConfigError([("parameters.zones", f"for which Placement? Files here: {names}; set parameters.placement")])
    return found[0]


def _placements(folder: Path) -> list[Path]:
    """Return the files in a folder that hold a Placement and nothing else."""
    return [file for file in sorted(folder.glob("*.y*ml")) if _is_placement(file.read_text(encoding="utf-8"))]


def _is_placement(text: str) -> bool:
    from zonecast.placement import API_VERSION, KIND  # noqa: PLC0415 - only where a parameter asks for it

    if KIND not in text or len(cut_stream(text)[0]) != 1:
        return False
    document = KubeObject(text)
    return (document.api_version, document.kind) == (API_VERSION, KIND)


def _placement(file: Path) -> KubeObject:
    """Read the Placement in a file."""
    text = file.read_text(encoding="utf-8")
    if not _is_placement(text):
        raise ConfigError([("parameters.placement", f"{file.name} does not hold one Placement, and nothing else")])
    return KubeObject(text)


def _inside(name: str, folder: Path, environment: Mapping[str, str]) -> Path:
    """Find a file of the checkout: files of other applications are on the same disk."""
    file = (folder / name).resolve()
    if _root(folder, environment) not in file.parents:
        raise ConfigError([("parameters.placement", f'"{name}" is not in the repository')])
    if not file.is_file():
        raise ConfigError([("parameters.placement", f'there is no file "{name}"')])
    _placement(file)
    return file


def _root(folder: Path, environment: Mapping[str, str]) -> Path:
    """Return the top of the checkout: the folder without what it shares with its path in the repository."""
    root = folder.resolve()
    for part in reversed(PurePosixPath(environment.get(PATH) or ".").parts):
        if root.name != part:
            break
        root = root.parent
    return root
