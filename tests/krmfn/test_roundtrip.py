"""The slower path writes an object anew with the same meaning, its comments and its line ends, and says no in doubt."""

from __future__ import annotations

import pytest

from krmfn import KubeObject, ObjectError
from krmfn.roundtrip import expand
from krmfn.testing import read_twice

HEAD = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"

BODIES = {
    "alias": "a: &x {b: 1}\nc: *x\n",
    "alias-of-list": "a: &x\n- 1\n- b: 2\nc: *x\n",
    "alias-of-scalar": "a: &x text\nc: *x\nd: [*x, *x]\n",
    "nested": "a: &x {b: &y [1]}\nc: *x\nd: *y\n",
    "merge": "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n",
    "merge-list": "a: &x {b: 1}\nc: &y {b: 2}\nd:\n  <<: [*y, *x]\n",
    "merge-wins": "a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n",
    "merge-tagged": "a: &x {b: 1}\nc:\n  !!merge <<: *x\n",
    "anchor-twice": "a: &x 1\nb: *x\nc: &x 2\nd: *x\n",
    "yaml-1.1": "a: &x {b: yes, c: 012, d: 0o17, e: 1e3, f: 2024-01-01, g: ~, h: 1_000, i: 0644, j: =}\nk: *x\n",
    "quotes": "a: &x {b: 'yes', c: \"012\", d: '1e3', e: \"\"}\nk: *x\n",
    "blocks": "a: &x |\n  text\n   more\n\nb: *x\nc: >-\n  folded\n  text\n",
    "explicit": "? a\n: 1\n? b\n: c: 2\n",
    "tag-str": "a: !!str 012\nb: !!str yes\n",
    "tag-map": "a: !!map {b: 1}\nc: !!seq [1]\n",
    "wide": "a:\n  - &x 1\n  - - 2\nb: *x\n",
    "long": f'a: &x {"word " * 100}end\nb: *x\nc: "{"x " * 200}"\n',
    "comments": "# one\na: &x 1 # two\n\n# three\nb: *x # four\n",
    "unicode": 'a: &x grüße 👍\nb: *x\nc: "\\u00e9"\n',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("indent", [None, "", "  "])
def test_same_meaning(body: str, newline: str, indent: str | None) -> None:
    """The result means the same and shares nothing; comments, place in the list and line ends are those that were."""
    text = HEAD + body
    if indent is not None:
        text = indent + "- " + text.replace("\n", "\n  " + indent).rstrip(" ")
    text = text.replace("\n", newline)
    obj = KubeObject(text)
    result = expand(text, obj)
    assert KubeObject(result).get() == obj.get()
    for sign in ("&x", "*x", "<<", "!!"):
        assert sign not in result
    assert result.startswith(
        (indent or "") + ("- " if indent is not None else "") + "apiVersion: v1" + newline
    )
    assert result.replace(newline, "").count("\n") == 0
    for comment in ("# one", "# two", "# three", "# four"):
        assert (comment in result) == (comment in text)
    pyyaml, ruamel = read_twice(result)
    assert len(pyyaml) == len(ruamel) == 1
    again = expand(result, KubeObject(result))
    assert KubeObject(again).get() == obj.get()


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_strings_stay_strings(body: str) -> None:
    """What YAML 1.2 reads as a string is that string afterwards; so for 1.1."""
    text = HEAD + body
    result = expand(text, KubeObject(text))
    assert read_twice(result)[0] == read_twice(text)[0]
    assert read_twice(result)[1] == read_twice(text)[1]


@pytest.mark.parametrize(
    "body",
    [
        "a: !custom {b: 1}\nc: &x 1\nd: *x\n",
        "a: &x ["
        + "1, " * 300
        + "]\n"
        + "".join(f"b{i}: &x{i} [{', '.join(['*x'] * 50)}]\n" for i in range(20)),
        "a: *nowhere\n",
    ],
    ids=["custom-tag", "laughs", "foreign"],
)
def test_doubt_is_an_error(body: str) -> None:
    """What cannot be written with the same meaning is an ObjectError, or keeps what it cannot understand as it is."""
    text = HEAD + body
    try:
        result = expand(text, KubeObject(text))
    except ObjectError:
        return
    assert "!custom" in result
