"""The light way to libyaml is light, gives the same events as PyYAML, and harms no later ``import yaml``."""

from __future__ import annotations

import subprocess
from typing import Callable

import pytest

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

EVENTS = """
def events(parser, names):
    found = []
    while True:
        event = parser.get_event()
        found.append((type(event).__name__, event.start_mark.index, event.end_mark.index, getattr(event, "value", None)))
        if type(event).__name__ == "StreamEndEvent":
            return found
TEXT = "a: &x [1, 'b', {c: *x}]\\nd: !t |\\n  e\\n---\\n- f\\n"
"""


def passes(python: Run, program: str) -> None:
    """Run a program that asserts something."""
    done = python(program)
    assert done.returncode == 0, done.stderr.decode()


def test_import_is_light(python: Run) -> None:
    """Of PyYAML only the binding and what it needs is loaded: with the installed PyYAML the fall-back is not taken."""
    passes(
        python,
        "import sys, krmfn.libyaml\n"
        "assert 'yaml._yaml' in sys.modules\n"
        "for name in ('constructor', 'resolver', 'scanner', 'parser', 'loader', 'representer', 'cyaml'):\n"
        "    assert 'yaml.' + name not in sys.modules, name\n"
        "assert 're' not in sys.modules and 'datetime' not in sys.modules\n",
    )


def test_events_are_the_same(python: Run) -> None:
    """The events of the light way are those of PyYAML, imported before or after."""
    passes(
        python,
        EVENTS + "import krmfn.libyaml as light\n"
        "ours = events(light.CParser(TEXT), None)\n"
        "import yaml\n"
        "theirs = events(yaml.cyaml.CParser(TEXT), None)\n"
        "assert ours == theirs and len(ours) > 15\n"
        "assert events(light.CParser(TEXT), None) == theirs\n",
    )


def test_pyyaml_first(python: Run) -> None:
    """With PyYAML imported before us its own classes are used."""
    passes(
        python,
        "import yaml, krmfn.libyaml as light\n"
        "assert light.CParser is yaml.cyaml.CParser\n"
        "assert light.YAMLError is yaml.YAMLError\n"
        "assert light.ScalarEvent is yaml.ScalarEvent\n",
    )


def test_pyyaml_afterwards(python: Run) -> None:
    """PyYAML imported after us works in full: the C loader, the Python loader, dumping, and catching their errors."""
    passes(
        python,
        "import krmfn.libyaml\nimport yaml\n"
        "assert yaml.__version__ and yaml.__with_libyaml__\n"
        "assert yaml.load('a: [1, 2020-01-01]', yaml.CSafeLoader) == yaml.safe_load('a: [1, 2020-01-01]')\n"
        "assert yaml.dump({'a': [1]}, Dumper=yaml.CSafeDumper) == yaml.safe_dump({'a': [1]})\n"
        "for loader in (yaml.CSafeLoader, yaml.SafeLoader):\n"
        "    for text in ('a: [', 'a: *b', '- a: b: c'):\n"
        "        try:\n            yaml.load(text, loader)\n"
        "        except yaml.YAMLError:\n            pass\n"
        "        else:\n            raise SystemExit(text)\n",
    )


@pytest.mark.parametrize("error", ["ScannerError", "ParserError", "ReaderError"])
def test_errors_can_be_caught(python: Run, error: str) -> None:
    """What the light binding raises is a YAMLError with a place, before and after PyYAML was imported."""
    text = {"ScannerError": "a: @", "ParserError": "a: [", "ReaderError": "a: \\x07"}[error]
    passes(
        python,
        f"import krmfn.libyaml as light\n{EVENTS}\n"
        "for i in range(2):\n"
        f"    try:\n        events(light.CParser('{text}'), None)\n"
        f"    except light.YAMLError as error:\n        assert type(error).__name__ == '{error}', type(error)\n"
        "    else:\n        raise SystemExit('no error')\n"
        "    import yaml\n",
    )


@pytest.mark.parametrize(
    "obstacle",
    [
        (
            "class Finder:\n    def find_spec(self, name, path=None, target=None):\n        import sys\n"
            "        if name == 'yaml.tokens' and 'yaml.constructor' not in sys.modules and 'yaml.loader' not in sys.modules:\n"
            "            raise ImportError(name)\n"
            "import sys\nsys.meta_path.insert(0, Finder())\n"
        ),
        "import sys, os\nsys.path.insert(0, os.devnull)\nsys.path.append(None)\n",
        "import sys, types\nsys.modules['yaml.error'] = types.ModuleType('yaml.error')\n",
    ],
    ids=["a-module-is-missing", "odd-path", "something-else-is-there"],
)
def test_fall_back(python: Run, obstacle: str) -> None:
    """Where the light way fails the whole package is imported, and everything works."""
    passes(
        python,
        obstacle + "import krmfn.libyaml\nfrom krmfn.scan import _read\n"
        "assert _read('a: [b]', 0)[1].kind == 1\n"
        "import yaml\nassert yaml.safe_load('a: 1') == {'a': 1}\n",
    )


def test_nothing_is_left_behind(python: Run) -> None:
    """No stand-in stays in ``sys.modules``: a module that is there is the real one."""
    passes(
        python,
        "import sys, krmfn.libyaml\n"
        "for name, module in list(sys.modules.items()):\n"
        "    if name.partition('.')[0] == 'yaml':\n        assert getattr(module, '__file__', None), name\n",
    )
