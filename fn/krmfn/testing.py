"""Golden folders: examples that are documentation and test at once.

A folder holds ``input.yaml`` (a ResourceList, or a stream beside a ``config.yaml``) and what must come of it:

- ``expected.yaml``: the whole output,
- or ``diff.patch``: a unified diff from input to output, for a long input of which little changes,
- or ``error.txt``: the lines on standard error of a run that must fail.

With pytest, whole::

    @pytest.mark.parametrize("case", golden_cases(Path(__file__).parent / "golden"), ids=str)
    def test_golden(case: GoldenCase) -> None:
        check_golden(case, my_function)

Every case runs twice: the second run, over the output of the first, must not change a byte of an item. With
``KRMFN_UPDATE=1`` in the environment the expected files are written instead of compared; review them as code.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from .main import Outcome, read, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from .main import Function
    from .scan import Data

__all__ = ["GoldenCase", "check_golden", "golden_cases", "item_texts", "read_twice", "run_twice"]

#: Set in the environment, it makes ``check_golden`` write the expected files.
UPDATE = "KRMFN_UPDATE"

_INPUT, _CONFIG = "input.yaml", "config.yaml"
_EXPECTED, _PATCH, _ERROR = "expected.yaml", "diff.patch", "error.txt"
#: A new case with more lines of input is recorded as a diff.
_LONG = 150


class GoldenCase:
    """One folder. ``str(case)`` is its path below the directory that was searched, for test ids."""

    __slots__ = ("folder", "name")

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name

    def __repr__(self) -> str:
        """Return the name."""
        return self.name

    @property
    def input(self) -> str:
        """The text of ``input.yaml``, byte for byte."""
        return _text(self.folder / _INPUT)

    @property
    def config(self) -> str | None:
        """The text of ``config.yaml``; None where the input carries its functionConfig itself."""
        path = self.folder / _CONFIG
        return _text(path) if path.exists() else None

    def recorded(self) -> tuple[str, str] | None:
        """Return (file name, text) of what must come out; None where nothing is recorded."""
        found = [each for each in (_ERROR, _PATCH, _EXPECTED) if (self.folder / each).exists()]
        if len(found) > 1:
            raise AssertionError(f"{self}: {' and '.join(found)}: keep one")
        return (found[0], _text(self.folder / found[0])) if found else None

    def record(self, file: str, text: str) -> None:
        """Write what must come out, in place of what was recorded."""
        for each in (_ERROR, _PATCH, _EXPECTED):
            if each != file:
                (self.folder / each).unlink(missing_ok=True)
        (self.folder / file).write_bytes(text.encode())


def golden_cases(directory: Path | str) -> list[GoldenCase]:
    """Return a case for each folder below ``directory`` that holds an ``input.yaml``, sorted by path.

    Raises:
        ValueError: there is none, and a test over no case would pass for ever.
    """
    root = Path(directory)
    cases = [GoldenCase(path.parent, path.parent.relative_to(root).as_posix()) for path in root.rglob(_INPUT)]
    if not cases:
        raise ValueError(f"no folder below {root} holds an {_INPUT}")
    return sorted(cases, key=str)


def check_golden(case: GoldenCase, function: Function, name: str = "function") -> None:
    """Run ``function`` on the case, twice, and compare; ``name`` is what lines on standard error start with.

    Raises:
        AssertionError: something else came out, with a diff; or the second run changed an item.
    """
    outcome = run_twice(function, case.input, case.config, name)
    recorded = case.recorded()
    if os.environ.get(UPDATE):
        case.record(*_made(case, outcome, recorded[0] if recorded else ""))
        return
    if recorded is None:
        raise AssertionError(
            f"{case}: nothing is recorded; run once with {UPDATE}=1, and review what it writes"
        )
    file, expected = recorded
    made, text = _made(case, outcome, file)
    if made != file:
        raise AssertionError(
            f"{case}: {file} is recorded, but the run gave exit status {outcome.code}:\n{outcome.stderr}"
        )
    if text != expected:
        raise AssertionError(f"{case}: not what {file} says:\n{_diff(expected, text, file, 'this run')}")


def run_twice(function: Function, text: str, config: str | None = None, name: str = "function") -> Outcome:
    """Return what ``function`` makes of ``text``, after a second run over its own output.

    Raises:
        AssertionError: the second run changed, added or removed an item; or a failed run gave items away.
    """
    first = run(function, text, config, name)
    if not first.stdout:
        return first
    before = item_texts(text) if first.code else item_texts(first.stdout)
    if first.code and item_texts(first.stdout) != before:
        raise AssertionError(
            "a run that failed changed the items:\n" + _diff(text, first.stdout, "input", "output")
        )
    second = run(function, first.stdout, config, name)
    if second.code != first.code:
        raise AssertionError(
            f"the second run over its own output gave exit status {second.code}:\n{second.stderr}"
        )
    if item_texts(second.stdout) != before:
        diff = _diff(first.stdout, second.stdout, "first run", "second run")
        raise AssertionError(f"the second run changed its own output:\n{diff}")
    return first


def item_texts(text: str) -> list[str]:
    """Return the text of each item of a ResourceList or document stream, with the comments above it."""
    resources = read(text, "{}")
    resources.fold_lists()
    return [obj.lead + obj.text for obj in resources]


def read_twice(text: str) -> tuple[list[Data], list[Data]]:
    """Return the documents of ``text`` as two independent readers see them: PyYAML, then ruamel.yaml."""
    return _pyyaml(text), _ruamel(text)


def _pyyaml(text: str) -> list[Data]:
    import yaml  # noqa: PLC0415 - for tests alone

    class Tolerant(yaml.SafeLoader):
        """Accepts what hosts send: an anchor name twice, which PyYAML alone refuses, and a plain ``=``."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            event: Any = self.peek_event()  # type: ignore[no-untyped-call]
            if not isinstance(event, yaml.AliasEvent):
                self.anchors.pop(event.anchor, None)
            return super().compose_node(parent, index)

    def as_text(_loader: yaml.SafeLoader, node: Any) -> str:
        return str(node.value)

    Tolerant.add_constructor("tag:yaml.org,2002:value", as_text)
    try:
        return list(yaml.load_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except yaml.YAMLError:  # the binding may have been loaded by libyaml.py, with error classes of its own
        return list(yaml.load_all(text, Tolerant))


def _ruamel(text: str) -> list[Data]:
    import warnings  # noqa: PLC0415

    from ruamel.yaml import YAML  # noqa: PLC0415
    from ruamel.yaml.constructor import SafeConstructor  # noqa: PLC0415

    class Tolerant(SafeConstructor):
        """Reads a plain ``=``, which ruamel.yaml resolves and then cannot construct."""

    def as_text(_constructor: Any, node: Any) -> str:
        return str(node.value)

    Tolerant.add_constructor("tag:yaml.org,2002:value", as_text)
    reader = YAML(typ="safe", pure=True)
    reader.Constructor = Tolerant
    reader.allow_duplicate_keys = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an anchor name may be used twice
        return list(reader.load_all(text))


def _made(case: GoldenCase, outcome: Outcome, file: str) -> tuple[str, str]:
    """Return (file name, text) of what came out: a diff where ``file`` or the length of the input says so."""
    if outcome.code:
        return _ERROR, outcome.stderr
    text = case.input
    if file == _PATCH or (file != _EXPECTED and text.count("\n") > _LONG):
        return _PATCH, _diff(text, outcome.stdout, _INPUT, "output")
    return _EXPECTED, outcome.stdout


def _diff(old: str, new: str, old_name: str, new_name: str) -> str:
    return "".join(_with_newlines(difflib.unified_diff(_lines(old), _lines(new), old_name, new_name)))


def _lines(text: str) -> Sequence[str]:
    """Split at newlines alone: str.splitlines would also split at what may stand in a scalar."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _with_newlines(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _text(path: Path) -> str:
    return path.read_bytes().decode()
