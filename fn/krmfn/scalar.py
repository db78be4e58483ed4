"""The one place that reads and writes a YAML scalar.

Three readers stand behind a KRM function: YAML 1.1 (PyYAML, older tools), YAML 1.2 (ruamel.yaml) and Go's
(kustomize, kpt, kubectl), and they disagree about ``yes``, ``012``, ``0o17``, ``1e3`` and ``2024-01-01``.
A string is written plain only where all three read that string.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    Scalar = Union[str, int, float, bool, None]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_TRUE = frozenset(("true", "True", "TRUE"))
_FALSE = frozenset(("false", "False", "FALSE"))
_WORDS = _NULL | _TRUE | _FALSE
_NUMBER_STARTS = frozenset("0123456789+-.")
_INFINITIES = {"inf", "Inf", "INF"}

#: A plain scalar starts with one of these: then it is no number, date, indicator or special value.
_PLAIN_STARTS = frozenset(_LETTERS + "_/")
#: Never syntax, wherever they stand.
_PLAIN_ALWAYS = _LETTERS + "0123456789_./-"
#: Syntax neither in block nor in flow style, as long as ": " and " #" do not occur.
_PLAIN_MOSTLY = _PLAIN_ALWAYS + " :()+@=<>;%^*&!?$|~'\""
# Read as a boolean or null by at least one of the three readers, in any spelling of its case.
_AMBIGUOUS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_LAST_OF_BASIC_PLANE = 0xFFFF
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Hole(str):
    """Stands for a scalar that differs from copy to copy of one text; its text is the number of the value."""

    __slots__ = ()


#: Encloses a hole in a text that was written; no YAML holds this character.
HOLE = "\0"


def resolve(text: str) -> Scalar:
    """Return what Go's YAML reader (sigs.k8s.io/yaml, kyaml) makes of the plain scalar ``text``.

    ``012`` is octal, ``yes`` and ``2024-01-01`` stay strings: a manifest's fields are typed by their schema.
    """
    if text[:1] in _NUMBER_STARTS and text:
        return _number(text)
    if text not in _WORDS:
        return text
    return None if text in _NULL else text in _TRUE


def _number(text: str) -> Scalar:
    digits = text.replace("_", "")
    if not digits.isascii():
        return text
    try:
        return int(digits, 0)
    except ValueError:
        pass
    unsigned = digits[1:] if digits[:1] in "+-" else digits
    if unsigned.isdigit():  # a leading zero
        return int(digits, 10) if unsigned.strip("01234567") else int(digits, 8)
    if not digits.strip("0123456789+-.eE"):
        try:
            return float(digits)
        except ValueError:
            pass
    sign, _, word = digits.rpartition(".")
    if word in _INFINITIES and sign in ("", "+", "-"):
        return float(sign + "inf")
    return text


def quote(text: str) -> str:
    """Return ``text`` in double quotes, valid as YAML and as JSON."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    # YAML and JSON agree on \uXXXX alone, which ends at the Basic Multilingual Plane.
    return char if char.isprintable() or ord(char) > _LAST_OF_BASIC_PLANE else f"\\u{ord(char):04x}"


#: Texts of strings written before: keys, kinds and zones come again and again.
_written: dict[str, str] = {}
_MANY = 4_000


def _write_text(value: str, style: str) -> str:
    if style != "'" and value[:1] in _PLAIN_STARTS and value.lower() not in _AMBIGUOUS:
        if not value.strip(_PLAIN_ALWAYS):
            return value
        if not value.strip(_PLAIN_MOSTLY) and not (": " in value or " #" in value or value[-1] in " :"):
            return value
    if value.isprintable() and (style == "'" or '"' in value or "\\" in value):
        return "'" + value.replace("'", "''") + "'"
    return quote(value)


def write(value: Scalar, style: str = "", *, json: bool = False) -> str:
    """Return the text of ``value``; ``style`` is the quote of the scalar that it replaces.

    ``json`` writes JSON. Without it a string is plain where that is safe, else quoted.
    """
    if type(value) is str:
        if not json and not style:
            text = _written.get(value)
            if text is None:
                text = _write_text(value, "")
                if len(_written) < _MANY:
                    _written[value] = text
            return text
        return quote(value) if json or style == '"' else _write_text(value, style)
    if isinstance(value, Hole):
        return f"{HOLE}{style}{value}{HOLE}"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    return str(value)


def _float(value: float) -> str:
    """Return a float so that YAML 1.1 reads one, too: with a dot in the mantissa and a sign in the exponent."""
    text = repr(value)
    if text in ("inf", "-inf", "nan"):
        return f"{text[:-3]}.{text[-3:]}"
    mantissa, e, exponent = text.partition("e")
    return text if not e or "." in mantissa else f"{mantissa}.0e{exponent}"
