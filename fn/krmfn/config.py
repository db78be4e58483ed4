"""functionConfig -> a typed config, and its JSON Schema, from one declaration.

    class Zone(Model):
        name: str = field(String(), required=True, doc="value of the topology label")
        weight: int = field(Integer(minimum=0), default=1, doc="share in Split")

A field's key is its attribute's name in camelCase. ``parse`` reports everything that is wrong at once, each finding
with its path, what was found, what is allowed, and the nearest right spelling.
"""

from __future__ import annotations

from .errors import ConfigError
from .scalar import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from .scan import Data

    Findings = list[tuple[str, str]]
    M = TypeVar("M", bound="Model")

#: Returned by a type's ``read`` where the value is wrong and the finding has been reported.
_INVALID: Any = object()


class Type:
    """A kind of value: reads plain data, and says as JSON Schema what it accepts."""

    def read(self, value: Data, path: str, findings: Findings) -> Any:
        """Return the typed value; report to ``findings`` what is wrong with it."""
        raise NotImplementedError

    def schema(self) -> dict[str, Data]:
        """Return the JSON Schema of the values accepted."""
        raise NotImplementedError


class String(Type):
    """A string; ``choices`` makes it an enumeration."""

    def __init__(self, choices: Sequence[str] = (), *, allow_empty: bool = False) -> None:
        self.choices = tuple(choices)
        self.allow_empty = allow_empty

    def read(self, value: Data, path: str, findings: Findings) -> Any:
        """Return the string."""
        if not isinstance(value, str):
            hint = f'; write it in quotes: "{show(value)}"' if isinstance(value, (int, float, bool)) else ""
            findings.append((path, f"must be a string, got {describe(value)}{hint}"))
            return _INVALID
        if self.choices and value not in self.choices:
            near = nearest(value, self.choices)
            findings.append((path, f'must be one of {", ".join(self.choices)}, got "{value}"{near}'))
            return _INVALID
        if not value and not self.allow_empty:
            findings.append((path, "must not be empty"))
            return _INVALID
        return value

    def schema(self) -> dict[str, Data]:
        """Return ``type: string`` with its choices."""
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        return {"type": "string"} if self.allow_empty else {"type": "string", "minLength": 1}


class Integer(Type):
    """An integer, not below ``minimum`` and not above ``maximum``."""

    def __init__(self, minimum: int | None = None, maximum: int | None = None) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def read(self, value: Data, path: str, findings: Findings) -> Any:
        """Return the integer."""
        if isinstance(value, bool) or not isinstance(value, int):
            findings.append((path, f"must be an integer, got {describe(value)}"))
        elif self.minimum is not None and value < self.minimum:
            findings.append((path, f"must be >= {self.minimum}, got {value}"))
        elif self.maximum is not None and value > self.maximum:
            findings.append((path, f"must be <= {self.maximum}, got {value}"))
        else:
            return value
        return _INVALID

    def schema(self) -> dict[str, Data]:
        """Return ``type: integer`` with its bounds."""
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": "integer", **{key: value for key, value in bounds.items() if value is not None}}


class Boolean(Type):
    """``true`` or ``false``."""

    def read(self, value: Data, path: str, findings: Findings) -> Any:
        """Return the boolean."""
        if isinstance(value, bool):
            return value
        findings.append((path, f"must be true or false, got {describe(value)}"))
        return _INVALID

    def schema(self) -> dict[str, Data]:
        """Return ``type: boolean``."""
        return {"type": "boolean"}


class ListOf(Type):
    """A list of values of one type. No two entries may share a value of a ``unique`` field."""

    def __init__(self, item: Type, unique: Sequence[str] = ()) -> None:
        self.item = item
        self.unique = tuple(unique)

    def read(self, value: Data, path: str, findings: Findings) -> Any:
        """Return the list, every entry read; invalid where one entry is."""
        if not isinstance(value, list):
            findings.append((path, f"must be a list, got {describe(value)}"))
            return _INVALID
        entries = [self.item.read(each, f"{path}[{i}]", findings) for i, each in enumerate(value)]
        self._check_unique(entries, path, findings)
        return _INVALID if any(each is _INVALID for each in entries) else entries

    def _check_unique(self, entries: list[Any], path: str, findings: Findings) -> None:
        seen: dict[tuple[str, Any], int] = {}
        for i, entry in enumerate(entries):
            for key in self.unique if entry is not _INVALID else ():
                first = seen.setdefault((key, getattr(entry, key)), i)
                if first != i:
                    name = path.rpartition(".")[2]
                    findings.append((f"{path}[{i}].{key}", f'"{getattr(entry, key)}" is also that of {name}[{first}]'))
                    break

    def schema(self) -> dict[str, Data]:
        """Return ``type: array``."""
        return {"type": "array", "items": self.item.schema()}


class MapOf(Type):
    """A mapping from strings to values of one type."""

    def __init__(self, value: Type) -> None:
        self.value = value

    def read(self, value: Data, path: str, findings: Findings) -> Any:
        """Return the mapping, every value read."""
        if not isinstance(value, dict):
            findings.append((path, f"must be a mapping, got {describe(value)}"))
            return _INVALID
        entries = {key: self.value.read(each, f"{path}[{key}]", findings) for key, each in value.items()}
        return {key: each for key, each in entries.items() if each is not _INVALID}

    def schema(self) -> dict[str, Data]:
        """Return ``type: object`` with the schema of its values."""
        return {"type": "object", "additionalProperties": self.value.schema()}


class Anything(Type):
    """A value that another API types, such as a Kubernetes affinity: a mapping or list of any content."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def read(self, value: Data, path: str, findings: Findings) -> Any:
        """Return the value as it is."""
        if isinstance(value, dict if self.kind == "object" else list):
            return value
        what = "a mapping" if self.kind == "object" else "a list"
        findings.append((path, f"must be {what}, got {describe(value)}"))
        return _INVALID

    def schema(self) -> dict[str, Data]:
        """Return the type alone."""
        return {"type": self.kind}


class ObjectOf(Type):
    """A mapping with known fields. ``short`` reads another form into the mapping: ``us-east-1a`` for a zone."""

    def __init__(self, model: type[Model], short: Type | None = None, short_key: str = "") -> None:
        self.model = model
        self.short = short
        self.short_key = short_key

    def read(self, value: Data, path: str, findings: Findings) -> Any:
        """Return an instance of the model."""
        if self.short is not None and not isinstance(value, dict):
            short = self.short.read(value, path, findings)
            if short is _INVALID or short is None:
                return short
            value = {self.short_key: short} if self.short_key else short
        if not isinstance(value, dict):
            findings.append((path, f"must be a mapping, got {describe(value)}"))
            return _INVALID
        return read_model(self.model, value, path, findings)

    def schema(self) -> dict[str, Data]:
        """Return the model's schema, or either form."""
        schema = model_schema(self.model)
        return schema if self.short is None else {"anyOf": [self.short.schema(), schema]}


class Field:
    """One field of a Model; see ``field``."""

    __slots__ = ("default", "doc", "key", "required", "type")

    def __init__(self, kind: Type, default: Any, doc: str, *, required: bool) -> None:
        self.type = kind
        self.default = default
        self.doc = doc
        self.required = required
        self.key = ""


def field(kind: Type, *, default: Any = None, required: bool = False, doc: str) -> Any:
    """Declare a field of a Model. An absent field, or null, has the ``default``."""
    return Field(kind, default, doc, required=required)


class Model:
    """Base of typed configs: subclasses declare fields, instances carry the values as attributes."""

    fields: dict[str, Field] = {}  # noqa: RUF012 - filled for each subclass

    def __init_subclass__(cls) -> None:
        """Collect the fields that the class body declares."""
        cls.fields = {**cls.fields}
        for name, value in list(vars(cls).items()):
            if isinstance(value, Field):
                head, *rest = name.split("_")
                value.key = head + "".join(word.capitalize() for word in rest)
                cls.fields[name] = value

    def __init__(self, **values: Any) -> None:
        for name, declared in self.fields.items():
            setattr(self, name, values.get(name, declared.default))

    def check(self, path: str, findings: Findings) -> None:
        """Report combinations that cannot be; called when every field by itself is right."""


def parse(model: type[M], data: Mapping[str, Data], path: str = "") -> M:
    """Return an instance of ``model``.

    Raises:
        ConfigError: with every finding.
    """
    findings: Findings = []
    config = read_model(model, data, path, findings)
    if findings:
        raise ConfigError(findings)
    return config  # type: ignore[no-any-return]


def read_model(model: type[Model], data: Mapping[str, Data], path: str, findings: Findings) -> Any:
    """Read one mapping; report findings rather than raise."""
    by_key = {declared.key: (name, declared) for name, declared in model.fields.items()}
    values = {}
    wrong = False
    for key, value in data.items():
        where = f"{path}.{key}" if path else str(key)
        if key not in by_key:
            findings.append((where, f"unknown field{nearest(str(key), by_key)} (fields: {', '.join(by_key)})"))
            continue
        name, declared = by_key[key]
        if value is None:
            continue
        typed = declared.type.read(value, where, findings)
        if typed is _INVALID:
            wrong = True
        else:
            values[name] = typed
    for name, declared in model.fields.items():
        if declared.required and name not in values and data.get(declared.key) is None:
            findings.append((f"{path}.{declared.key}" if path else declared.key, f"required: {declared.doc}"))
            wrong = True
    if wrong:
        return _INVALID
    config = model(**values)
    config.check(path, findings)
    return config


def model_schema(model: type[Model]) -> dict[str, Data]:
    """Return the JSON Schema (2020-12) of a model."""
    properties = {}
    for declared in model.fields.values():
        schema = {"description": declared.doc, **declared.type.schema()}
        if isinstance(declared.default, (str, int, bool)):
            schema["default"] = declared.default
        properties[declared.key] = schema
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    required = [declared.key for declared in model.fields.values() if declared.required]
    if required:
        schema["required"] = required
    return schema


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean "x"?`` for the most similar known word, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is wrong already

    lowered = {each.lower(): each for each in known}
    matches = get_close_matches(word.lower(), lowered, n=1)
    return f'; did you mean "{lowered[matches[0]]}"?' if matches else ""


def describe(value: Data) -> str:
    """Return a value as a message shows it."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f'"{value}"' if isinstance(value, str) else show(value)


def show(value: Data) -> str:
    """Return a scalar as YAML spells it."""
    return write(value) if value is None or isinstance(value, bool) else str(value)
