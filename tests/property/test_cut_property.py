"""The quick cutter, where it dares to answer, and the thorough one give the same slices."""

from __future__ import annotations

from typing import Any

from hypothesis import given, reject
from hypothesis import strategies as st

from krmfn import InputError
from krmfn.cut import Cut, _quick, _thorough, cut

#: Entries of an item's data, in column 0 here; all of them are whole.
ENTRIES = [
    "k{}: v\n",
    "k{}: it's\n",
    'k{}: "quoted"\n',
    "k{}: 'a''b'\n",
    'k{}: a "b\n',
    "k{}: # 'comment\n",
    'k{}: x # "comment\n',
    'k{}: "one\n- apiVersion: v1\n  kind: Fake\n\n  end"\n',
    'k{}: "one \\" \n  - a\n  end"\n',
    "k{}: 'one\nfunctionConfig:\n  a: ''b\n  end'\n",
    'k{}: "one\nitems:\n- a\nkind: x\n  end"\n',
    "k{}: |\n  - a: 'b\n  items:\n  \"c\n\n",
    "k{}: |+\n  a\n\n\n",
    "k{}: >-\n  a\n  # no comment\n\n  b\n",
    "k{}: {{a: [b,\n  'c\n  d'], e: \"f\n- g\"}}\n",
    "k{}: [\n  - 1,\n  # c\n  2]\n".replace("- 1", "'- 1'"),
    "k{}:\n- a\n- b: c\n",
    "k{}:\n  - a\n  - |\n    b\n",
    "k{}: one\n  - two\n  three\n",
    "? k{}\n: v\n",
    "? 'k{}\n  x'\n: v\n",
    '"k{}: \'": v\n',
    "k{}: &a{} v\nl{}: *a{}\n",
    "k{}: !!str 'x\n  y'\n",
    "k{}: ---\n",
    "k{}:\n",
    "k{}: '\n  - a'\n",
    'k{}: "\\\n  - a"\n',
    "k{}: a\u2028b\n",
    'k{}: "a\u2028- b"\n',
    "k{}: grüße\n",
    "k{}: x'\n",
    'k{}: [x\', "y"]\n',
    "k{}: |2\n   a\n  b\n",
    "\nk{}: v\n\n",
    "# c\nk{}: v\n# d\n",
    "k{}: v\n    # deep\n",
]
BETWEEN = [
    "",
    "",
    "",
    "# comment\n",
    "\n",
    "\n# it's\n\n",
    "  # indented\n",
    '# "open\n',
    "     \n",
    "# - a\n",
    "---x: y\n".replace("---x: y", "#---"),
]
HEADS = [
    "kind: ResourceList\n",
    "kind: ResourceList\nfunctionConfig:\n  k: 'v\n    items:\n    w'\n",
    "",
    "# items:\n",
    "kind: 'a\n  items:\n\n  b'\n",
]
TAILS = [
    "",
    "functionConfig:\n  items:\n  - a\n",
    "kind: x\napiVersion: y\n",
    "# end\n",
    "\n\n",
    "results: []\n# 'x\n",
    "other:\n- a: b\n",
    '"kind": x\n',
    "? kind\n: x\n",
]


@st.composite
def lists(draw: st.DrawFn) -> str:
    """Build a list with odd items."""
    col = draw(st.sampled_from([0, 0, 2, 4, 1]))
    items = []
    for _ in range(draw(st.integers(1, 4))):
        chosen = draw(st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=4))
        body = "".join(
            entry.replace("{}", str(i)).replace("{{", "{").replace("}}", "}")
            for i, entry in enumerate(chosen)
        )
        flush = draw(st.booleans())
        lines = body.split("\n")[:-1]
        inside = [
            line if not line or (flush and line.startswith("- ")) else " " * (col + 2) + line
            for line in lines
        ]
        first = next(
            (i for i, line in enumerate(inside) if line.strip() and not line.strip().startswith("#")), 0
        )
        inside[first] = " " * col + "- " + inside[first][col + 2 :]
        items.append(draw(st.sampled_from(BETWEEN)) + "\n".join(inside) + "\n")
    text = (
        draw(st.sampled_from(HEADS))
        + "items:\n"
        + "".join(items)
        + draw(st.sampled_from(BETWEEN))
        + draw(st.sampled_from(TAILS))
    )
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    if draw(st.integers(0, 5)) == 0:
        text = text.replace("\n", "\r\n")
    return text


LINES = [
    "items:", "- a: b", "- c: 'd", "  e'", '- f: "g', '  h"', "  i: j", "  k: |", "    l", "", "# m", "  # n'", "kind: o",
    "functionConfig:", "  - p", "- - q", "    r: s", "  '", '  "', "- |", "- t: u'", "-", "- ", "  v: [", "  w: x]", "  ]",
    "  - y: {", "  }", "- {a: b}", "- 'z'", "results:", " - a", "\t", '  b: "c\\', '  d\\"', "---", "...", "%Y",
]  # fmt: skip


def parts(found: Cut) -> dict[str, Any]:
    """Return everything that the two cutters must agree about.

    Blank lines and comments behind an item may be its own or the next one's: no reader can tell.
    """
    texts = [each.text for each in found.slices]
    content = [text[: len(text) - len(trailing(text))] for text in texts]
    between = [trailing(text) + each.lead for text, each in zip(texts, found.slices[1:])]
    return {
        "head": found.head + (found.slices[0].lead if found.slices else ""),
        "content": content,
        "between": between,
        "lines": [each.line for each in found.slices],
        "tail": (trailing(texts[-1]) if texts else "") + found.tail,
        "empty": found.empty,
        "separator": found.separator,
        "col": found.col,
    }


def trailing(text: str) -> str:
    """Return the blank lines and comments at the end of ``text``, its last newline included."""
    lines = text.split("\n")
    kept = len(lines)
    while kept > 1 and (not lines[kept - 1].strip() or lines[kept - 1].lstrip(" ").startswith("#")):
        kept -= 1
    return text[len("\n".join(lines[:kept])) :]


def whole(found: Cut) -> str:
    """Return the text that was cut."""
    between = "".join(each.lead + each.text for each in found.slices)
    return found.head + (between or found.empty) + found.tail


def check(text: str) -> None:
    """Compare the cutters on one text."""
    try:
        slow = _thorough(text)
    except InputError:
        reject()  # not YAML: the quick cutter may pass what it does not read
    assert whole(slow) == text
    quick = _quick(text)
    if quick is not None:
        assert parts(quick) == parts(slow)


@given(lists())
def test_same_slices(text: str) -> None:
    """Lists of odd but whole items are cut in the same places."""
    check(text)


@given(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=8).map(
        lambda lines: "items:\n- x: y\n" + "\n".join(lines)
    )
)
def test_same_slices_of_anything(text: str) -> None:
    """Any lines at all: where they are YAML the cutters agree."""
    check(text)


@given(lists(), st.integers(0, 400))
def test_truncated(text: str, length: int) -> None:
    """A list that ends anywhere is an error or is cut without losing a character, and never crashes."""
    text = text[: max(len(text) - length, 0)]
    try:
        found = cut(text)
    except InputError:
        return
    assert text.startswith(whole(found).rstrip())
    assert not text[len(whole(found)) :].strip("-. \r\n")


def test_quick_way_is_taken() -> None:
    """What hosts send goes the quick way: the properties above are about something."""
    text = "kind: ResourceList\nitems:\n- a: 'b'\n  c: \"d\"\n# e\n- f: |\n    g\nfunctionConfig:\n  h: i\n"
    found = _quick(text)
    assert found is not None
    assert [each.text for each in found.slices] == ["- a: 'b'\n  c: \"d\"\n", "- f: |\n    g\n"]
