"""A scalar that was written is the same value to YAML 1.1, YAML 1.2 and Go."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from krmfn.emit import Style, flow
from krmfn.scalar import quote, resolve, write
from krmfn.testing import read_twice

#: What readers are known to take for something else (YAML 1.1 type repository, yaml.v2 and v3 resolve.go, and the
#: issues go-yaml/yaml#489, nodeca/js-yaml#562).
AMBIGUOUS = [
    "", "~", "null", "Null", "NULL", "nULL", "y", "Y", "n", "N", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON",
    "off", "Off", "OFF", "true", "True", "TRUE", "false", "False", "FALSE", "=", "<<", "0", "1", "-1", "+1", "012", "018",
    "0o17", "0x1F", "0b11", "-0b1", "+0x1", "0O17", "0X1f", "1_000", "_1", "1__0", "0_7", "1e3", "1E3", "1e+3", "12e03",
    "1.", ".5", "-.5", "+.5", "1.5", "1.5e3", "1e", "e3", ".", "..", ".inf", "-.inf", "+.INF", ".nan", ".NaN", "nan",
    "inf", "Infinity", "190:20:30", "1:30", "-1:30.5", "2024-01-01", "2024-1-1", "2024-01-01T00:00:00Z",
    "2001-12-14 21:59:43.10 -5", "1.2.3", "10.0.0.0/8", "::1", "a:", ":a", "a: b", "a:b", "a #b", "a# b", "#a", "- a",
    "-", "-a", "--", "---", "...", "? a", "?a", "?", ": a", ":", "@a", "`a", "%a", "&a", "*a", "!a", "!", "|", ">", "|a",
    "{", "}", "[", "]", "{a", "[a", "a]", "a}", ",", ",a", "a,b", "a, b", "'", '"', "'a'", '"a"', "it's", 'a"b', "a\\b",
    " a", "a ", " ", "\ta", "a\t", "a\tb", "a\nb", "a\n", "\na", "\n", "a\r\nb", "a\rb", "a\x85b", "a\u2028b", "a\u2029b",
    "\ufeffa", "a\ufeff", "\u00a0", "\x00", "\x07", "\x1b[0m", "\x7f", "\u0080", "\uffff", "\U0001f600", "grüße", "ключ",
    "{{ .Values.x }}", "${VAR}", "$(VAR)", "100m", "1Gi", "0.5", "250e-3", "1k", "0xZ", "09", "08:30", "0.1.2", "1,000",
    "٣", "1٣", "²", "True ", "no.", "yes/no", "null-x", "key: |", "#", " #", "a #", "<<a", "=a", "=1", "a=b", "--flag=x",
    "/bin/sh", "a b", "*", "*.example.com", "&", "%", "a%", "~a", "~/x", "0x", "0b", "0o", "1e400", "9" * 40, "-0", "+",
    "a" * 500, "a " * 300, "!!str", "!!str a", "<", ">=1", "a|b", "a>b", "a: ", "a :b", "a\u3000b", "\u200b", "\ud7ff",
]  # fmt: skip

CHARACTERS = st.characters(exclude_categories=["Cs"])
STRINGS = st.one_of(
    st.text(CHARACTERS, max_size=12),
    st.text("0123456789+-._eExXoObB:TZ /", max_size=8),
    st.text("yYnNoOeEsStTrRuUaAlLfF~", max_size=5),
    st.text(" #:-?,[]{}&*!|>'\"%@`\\\n\t\r\u0085\u2028ab0", max_size=8),
    st.sampled_from(AMBIGUOUS),
)


def go_plain(text: str) -> Any:
    """Return what Go's YAML readers make of a plain scalar: yaml.v3's and yaml.v2's resolve, both at once.

    Written from resolve.go, independent of krmfn.scalar. What either takes for a number, boolean, null, float or
    timestamp is None here; a string is itself.
    """
    words = {
        "",
        "~",
        "null",
        "Null",
        "NULL",
        ".nan",
        ".NaN",
        ".NAN",
        ".inf",
        ".Inf",
        ".INF",
        "+.inf",
        "+.Inf",
        "+.INF",
    }
    words |= {"-.inf", "-.Inf", "-.INF", "<<", "=", "y", "Y", "n", "N"}
    words |= {
        form
        for word in ("yes", "no", "on", "off", "true", "false")
        for form in (word, word.title(), word.upper())
    }
    if text in words:
        return None
    if text[:1] not in "+-.0123456789":  # resolveTable: nothing else starts a number
        return text
    plain = text.replace("_", "")
    if re.fullmatch(r"[-+]?(0b[01]+|0o?[0-7]+|0x[0-9a-fA-F]+|[0-9]+)", plain, re.IGNORECASE):
        return None
    if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", plain):
        return None
    if re.match(r"\d{4}-\d{1,2}-\d{1,2}", text):
        return None
    return text


def is_plain(text: str) -> bool:
    """Whether a written scalar carries no quotes."""
    return text[:1] not in ("'", '"')


def check_string(value: str, written: str, document: str, path: tuple[Any, ...]) -> None:
    """Check one string in one document with the three readers."""
    pyyaml, ruamel = read_twice(document)
    for reader, documents in (("PyYAML", pyyaml), ("ruamel", ruamel)):
        data: Any = documents[0]
        for key in path:
            data = data[key]
        assert data == value, reader
        assert type(data) is str, reader
    if is_plain(written):
        assert go_plain(written) == value


@given(STRINGS)
@example("nan")
def test_string_in_block(value: str) -> None:
    """A string written as a value in block style is that string to every reader."""
    written = write(value)
    check_string(value, written, f"a:\n  k: {written} # c\n  l: x\n", ("a", "k"))


@given(STRINGS)
def test_string_as_key(value: str) -> None:
    """A string written as a key is that key."""
    written = write(value)
    if len(written) > 1000:
        return  # YAML: an implicit key has at most 1,024 characters
    pyyaml, ruamel = read_twice(f"{written}: v\n")
    assert pyyaml == ruamel == [{value: "v"}]


@given(STRINGS)
def test_string_in_list(value: str) -> None:
    """A string written as a list entry is that string."""
    written = write(value)
    check_string(value, written, f"- a\n- {written}\n", (1,))


@given(STRINGS)
def test_string_in_flow(value: str) -> None:
    """A string written in flow style is that string, whatever separators it holds."""
    written = flow([value], Style())
    check_string(value, written[1:-1], f"a: {{b: {written}, c: x}}\n", ("a", "b", 0))
    pairs = flow({value: "v"}, Style())
    assert read_twice(f"a: {pairs}\n")[0] == read_twice(f"a: {pairs}\n")[1] == [{"a": {value: "v"}}]


@pytest.mark.parametrize("style", ["'", '"'])
@given(value=STRINGS)
def test_string_keeps_its_quotes(style: str, value: str) -> None:
    """A string written in the place of a quoted one is quoted too, and the same string."""
    written = write(value, style)
    assert not is_plain(written)
    check_string(value, written, f"k: {written}\n", ("k",))


@given(STRINGS)
def test_string_as_json(value: str) -> None:
    """A string written as JSON is JSON."""
    assert json.loads(write(value, json=True)) == value
    assert json.loads(quote(value)) == value


@pytest.mark.parametrize("value", AMBIGUOUS)
def test_what_someone_misreads_is_quoted(value: str) -> None:
    """Each string that a known reader takes for something else is quoted; nothing is folded over lines."""
    written = write(value)
    assert "\n" not in written
    if go_plain(value) is None:
        assert not is_plain(written)


@pytest.mark.parametrize(
    "value", ["web", "us-east-1a", "a.b/c-d", "web:1.2", "/bin/sh", "a b", "zonecast.dev/zone", "x=y"]
)
def test_ordinary_strings_are_plain(value: str) -> None:
    """What no reader misreads is written as a person would."""
    assert write(value) == value


@given(st.one_of(st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False)))
def test_other_scalars(value: Any) -> None:
    """Numbers, booleans and null are read as the same value by every reader, in YAML and in JSON."""
    written = write(value)
    read = [*read_twice(f"k: {written}\n")[0], *read_twice(f"k: {written}\n")[1]]
    for data in read:
        assert data["k"] == value
        if not isinstance(value, float):
            assert type(data["k"]) is type(value)
    assert resolve(written) == value
    assert json.loads(write(value, json=True)) == value


RESOLVED = {
    "1": 1, "-1": -1, "+1": 1, "012": 10, "0o17": 15, "0x1F": 31, "0b11": 3, "1_000": 1000, "018": 18,
    "1.5": 1.5, ".5": 0.5, "1e3": 1000.0, "12e03": 12000.0, "true": True, "False": False, "null": None, "~": None, "": None,
    "yes": "yes", "no": "no", "on": "on", "off": "off", "y": "y", "2024-01-01": "2024-01-01", "190:20:30": "190:20:30",
    "=": "=", "<<": "<<", "1.2.3": "1.2.3", "10.0.0.0/8": "10.0.0.0/8", "100m": "100m", "-": "-", "+": "+", ".": ".",
    "0644": 420, "٣": "٣", "1e": "1e", "--": "--", "nan": "nan", "inf": "inf", "infinity": "infinity", "0x": "0x",
}  # fmt: skip


@pytest.mark.parametrize("text", RESOLVED)
def test_plain_scalars_read_as_go_does(text: str) -> None:
    """A plain scalar of the input has the type that kustomize and the API server see."""
    value = resolve(text)
    assert value == RESOLVED[text]
    assert type(value) is type(RESOLVED[text])


@pytest.mark.parametrize(("text", "sign"), [(".inf", 1), ("-.inf", -1), ("+.Inf", 1), (".INF", 1)])
def test_infinity(text: str, sign: int) -> None:
    """Infinity is a number, to Go as well."""
    assert resolve(text) == sign * math.inf


@given(st.text(max_size=20))
def test_resolve_never_fails(text: str) -> None:
    """Any plain scalar resolves to something, a string to itself."""
    value = resolve(text)
    assert not isinstance(value, str) or value == text
