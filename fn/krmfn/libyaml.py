"""PyYAML's binding to libyaml, without the rest of PyYAML.

``import yaml`` costs about 20 ms, of which the event parser needs 2: the rest compiles tables for readers and writers
in Python. The binding takes only exception classes from those modules, so stand-ins are enough. If anything here
does not fit the installed PyYAML, the whole package is imported instead: slower, never wrong. See
docs/decisions/0002-yaml-libraries.md.
"""

from __future__ import annotations

import sys

_ERRORS = {
    "reader": "ReaderError",
    "scanner": "ScannerError",
    "parser": "ParserError",
    "composer": "ComposerError",
    "constructor": "ConstructorError",
    "emitter": "EmitterError",
    "serializer": "SerializerError",
    "representer": "RepresenterError",
}


def _import_binding() -> None:
    """Import yaml._yaml with stand-ins for the modules that it takes exception classes from."""
    module = type(sys)
    package = module("yaml")
    package.__path__ = [f"{entry}/yaml" for entry in sys.path if isinstance(entry, str)]
    sys.modules["yaml"] = package
    borrowed = ["yaml"]
    try:
        from yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

        for name, error in _ERRORS.items():
            stand_in = module(f"yaml.{name}")
            base = MarkedYAMLError if name in ("scanner", "parser", "composer", "constructor") else YAMLError
            setattr(stand_in, error, type(error, (base,), {}))
            setattr(package, name, stand_in)
            sys.modules[stand_in.__name__] = stand_in
            borrowed.append(stand_in.__name__)
        for name in ("tokens", "events", "nodes", "_yaml"):
            __import__(f"yaml.{name}")
    finally:
        # A later ``import yaml`` finds the real package, and shares what was really imported.
        for name in borrowed:
            del sys.modules[name]


if "yaml" not in sys.modules:
    try:
        _import_binding()
    except Exception:  # noqa: BLE001 - whatever does not fit, the real package does
        for loaded in [name for name in sys.modules if name.partition(".")[0] == "yaml"]:
            del sys.modules[loaded]

if "yaml._yaml" not in sys.modules:
    import yaml._yaml  # noqa: F401

TYPE_CHECKING = False
if TYPE_CHECKING:
    from yaml._yaml import CParser as CParser
    from yaml.error import YAMLError as YAMLError
    from yaml.events import (
        AliasEvent as AliasEvent,
    )
    from yaml.events import (
        DocumentStartEvent as DocumentStartEvent,
    )
    from yaml.events import (
        MappingEndEvent as MappingEndEvent,
    )
    from yaml.events import (
        MappingStartEvent as MappingStartEvent,
    )
    from yaml.events import (
        ScalarEvent as ScalarEvent,
    )
    from yaml.events import (
        SequenceEndEvent as SequenceEndEvent,
    )
    from yaml.events import (
        SequenceStartEvent as SequenceStartEvent,
    )
    from yaml.events import (
        StreamEndEvent as StreamEndEvent,
    )
else:
    CParser = sys.modules["yaml._yaml"].CParser
    YAMLError = sys.modules["yaml.error"].YAMLError
    _events = sys.modules["yaml.events"]
    AliasEvent = _events.AliasEvent
    DocumentStartEvent = _events.DocumentStartEvent
    MappingEndEvent = _events.MappingEndEvent
    MappingStartEvent = _events.MappingStartEvent
    ScalarEvent = _events.ScalarEvent
    SequenceEndEvent = _events.SequenceEndEvent
    SequenceStartEvent = _events.SequenceStartEvent
    StreamEndEvent = _events.StreamEndEvent
