"""What can go wrong, as one tree.

KrmError
├── InputError      the stream cannot be read: nothing is known, standard output stays empty
├── ConfigError     the functionConfig is wrong: every finding of the run, not the first one
├── ObjectError     an object cannot be handled: carries the object and the field
├── PatchError      a strategic merge patch cannot be applied: carries the path into the patch
└── UnsafeEdit      (internal) the span editor refuses an edit; the object takes the slower path
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Union

    from .kubeobject import KubeObject


class KrmError(Exception):
    """Base of everything that krmfn raises for a cause that a user can mend."""


class InputError(KrmError):
    """The input is not what it should be; ``line`` counts from 1, 0 where it is not known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


class ConfigError(KrmError):
    """The functionConfig does not fit its schema.

    ``findings`` are pairs of field path and message, in the order of the schema.
    """

    def __init__(self, findings: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{path}: {message}" if path else message for path, message in findings))
        self.findings = list(findings)


class ObjectError(KrmError):
    """One object of the list cannot be handled. ``field`` is a dotted path, or empty."""

    def __init__(self, message: str, obj: KubeObject | None = None, field: str = "") -> None:
        super().__init__(message)
        self.object = obj
        self.field = field


class PatchError(KrmError):
    """A strategic merge patch cannot be applied to an object; ``path`` leads into the patch."""

    def __init__(self, message: str, path: tuple[Union[str, int], ...]) -> None:
        super().__init__(message)
        self.path = path


class UnsafeEdit(KrmError):  # noqa: N818 - a signal between two modules, never shown to a user
    """The text at the place of an edit shares content with another place (anchor, merge key, tag)."""
