"""What no function touched leaves byte for byte as it came, in order, however it is spelled."""

from __future__ import annotations

import pytest

from krmfn import KubeObject, ResourceList, run
from krmfn.testing import read_twice

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
FIRST = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: first\n"
LAST = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: last\n  data:\n    k: v\n"
CONFIG = "functionConfig:\n  apiVersion: x/v1\n  kind: Config\n  metadata:\n    name: config\n"


def listed(*items: str, head: str = HEAD, tail: str = "") -> str:
    """Return a list of ``items`` between two others."""
    return head + "items:\n" + FIRST + "".join(items) + LAST + tail


def shifted(text: str, by: int) -> str:
    """Return ``text`` with every line indented by ``by``."""
    return "".join(" " * by + line if line.strip() else line for line in text.splitlines(keepends=True))


def config_map(data: str) -> str:
    """Return an item with ``data`` under its data, indented as it comes."""
    return "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: odd\n  data:\n" + data


ENVELOPES = {
    "v1": listed(),
    "v1beta1": listed(head=HEAD.replace("/v1", "/v1beta1")),
    "v1alpha1": listed(head=HEAD.replace("/v1", "/v1alpha1")),
    "config-last": listed(tail=CONFIG),
    "config-first": listed(head=CONFIG + HEAD),
    "config-before-items": listed(head=HEAD + CONFIG),
    "items-first": "items:\n" + FIRST + LAST + HEAD,
    "keys-in-odd-order": "kind: ResourceList\nitems:\n"
    + FIRST
    + LAST
    + CONFIG
    + HEAD.partition("\n")[0]
    + "\n",
    "quoted-root": listed(head="\"apiVersion\": \"config.kubernetes.io/v1\"\n'kind': 'ResourceList'\n"),
    "metadata": listed(head=HEAD + "metadata:\n  name: list\n"),
    "unknown-root-key": listed(tail="x-more:\n- kind: Other\n  metadata:\n    name: no item\n"),
    "results": listed(tail="results:\n- message: earlier\n  severity: info\n"),
    "crlf": listed(tail=CONFIG).replace("\n", "\r\n"),
    "crlf-in-one-item": listed(config_map("    k: v\n").replace("\n", "\r\n")),
    "bom": "\ufeff" + listed(),
    "bom-crlf": "\ufeff" + listed().replace("\n", "\r\n"),
    "bom-marker": "\ufeff---\n" + listed(),
    "marker": "---\n" + listed(),
    "marker-with-comment": "--- # sent by a host\n" + listed(),
    "directive": "%YAML 1.1\n---\n" + listed(),
    "comment-first": "# a comment\n\n# another\n" + listed(),
    "comment-before-marker": "# a comment\n---\n# another\n" + listed(),
    "comment-behind-items": listed().replace("items:", "items: # all of them"),
    "blank-after-items": listed().replace("items:\n", "items:   \n"),
    "comment-under-items": listed().replace("items:\n", "items:\n# the first\n\n"),
    "comment-at-the-end": listed(tail="# the end\n\n"),
    "deep-comment-at-the-end": listed(tail="    # the end\n"),
    "comment-between-tail-keys": listed(tail=CONFIG + "# no more\n"),
    "blank-lines-around": "\n\n" + listed(tail="\n\n") + "\n\n",
    "no-newline-at-the-end": listed().removesuffix("\n"),
    "no-newline-after-config": listed(tail=CONFIG).removesuffix("\n"),
    "blanks-at-the-end": listed() + "   ",
    "indented-2": HEAD + "items:\n" + shifted(FIRST + LAST, 2) + CONFIG,
    "indented-4": HEAD + "items:\n" + shifted(FIRST + LAST, 4) + CONFIG,
    "indented-1": HEAD + "items:\n" + shifted(FIRST + LAST, 1),
    "wide-dashes": HEAD
    + "items:\n"
    + (FIRST + LAST).replace("- a", "-   a").replace("\n  ", "\n    ")
    + CONFIG,
    "dash-alone": HEAD + "items:\n" + (FIRST + LAST).replace("- a", "-\n  a"),
    "one-item": HEAD + "items:\n" + FIRST,
    "empty-flow": HEAD + "items: []\n" + CONFIG,
    "empty-flow-spaced": HEAD + "items: [ ] # none\n",
    "empty-null": HEAD + "items: null\n" + CONFIG,
    "empty-tilde": HEAD + "items: ~\n",
    "empty-nothing": HEAD + "items:\n" + CONFIG,
    "empty-nothing-last": CONFIG + HEAD + "items:",
    "empty-json": '{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": []}',
    "flow-items": HEAD
    + 'items: [{apiVersion: v1, kind: A, metadata: {name: "a, b"}}, {apiVersion: v1, kind: A,\n'
    "  metadata: {name: b}}] # two\n" + CONFIG,
    "flow-items-over-lines": HEAD + "items: [\n  {apiVersion: v1, kind: A, metadata: {name: a}},\n"
    "  # the second\n  {apiVersion: v1, kind: A, metadata: {name: b}},\n]\n",
    "flow-root": "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [\n"
    "{apiVersion: v1, kind: A, metadata: {name: a}}]}\n",
    "flow-item-among-blocks": listed("- {apiVersion: v1, kind: A, metadata: {name: flow}}\n"),
    "flow-item-over-lines": listed("- {apiVersion: v1, kind: A,\n  metadata: {name: flow}}\n"),
    "tagged-list": listed().replace("items:\n", "items: !!seq\n"),
    "anchored-list": listed().replace("items:\n", "items: &all\n"),
}

ITEMS = {
    "comment-between": "# about the second\n" + config_map("    k: v\n") + "# about the last\n",
    "comment-between-indented": "  # inside the first?\n" + config_map("    k: v\n") + "    # in data\n",
    "comment-in-column-1": config_map("    k: v\n # odd\n    l: w\n"),
    "blank-lines-between": "\n\n" + config_map("    k: v\n\n\n    l: w\n") + "\n  \n\n",
    "blanks-behind-values": config_map("    k: v   \n    l:  w\t\n"),
    "tab-behind-colon": config_map("    k:\tv\n"),
    "tab-before-comment": config_map("    k: v\t# why\n"),
    "tab-in-block": config_map("    k: |\n      a\tb\n      \tc\n"),
    "anchor": config_map("    a: &a one\n    b: *a\n")
    + config_map("    a: &a two\n    b: *a\n").replace("odd", "od"),
    "anchor-across-items": config_map("    a: &a one\n") + config_map("    b: *a\n").replace("odd", "od"),
    "merge": config_map("    a: &a {x: 1}\n    b:\n      <<: *a\n      y: 2\n"),
    "merge-tagged": config_map("    a: &a {x: 1}\n    b:\n      !!merge <<: *a\n      y: 2\n"),
    "merge-plain": config_map("    <<: plain\n    !!merge <<: plain\n"),
    "equals": config_map("    r: =\n    =: r\n"),
    "yaml-1.1": config_map(
        "    a: yes\n    b: 012\n    c: 0o17\n    d: 1e3\n    e: 2024-01-01\n    f: ~\n    g: 1_000\n    h: 190:20:30\n"
        "    i: .inf\n    j: 0x1F\n    k: off\n    l: y\n    m: 12e03\n    n: +1\n    o: 1.\n    p: 0b11\n"
    ),
    "quoted-looks-like-item": config_map(
        '    k: "one\n- apiVersion: v1\n  kind: Fake\n\n  items:\n  two"\n    l: w\n'
    ),
    "single-looks-like-item": config_map("    k: 'it''s\n- apiVersion: v1\n  kind: Fake\n  two'\n"),
    "quoted-looks-like-tail": config_map('    k: "one\nfunctionConfig:\n  kind: Fake\nkind: Fake\n  two"\n'),
    "plain-over-lines": config_map("    k: one\n      - two\n      three: four\n").replace(
        "three: four", "three"
    ),
    "block-looks-like-item": config_map(
        "    k: |\n      items:\n      - apiVersion: v1\n        kind: Fake\n"
    ),
    "block-keeps-blanks": config_map("    k: |+\n      one\n\n\n"),
    "folded-keeps-blanks": config_map("    k: >+\n      one\n\n"),
    "block-stripped": config_map("    k: |-\n      one\n\n"),
    "block-indicator": config_map("    k: |2\n       one\n      two\n"),
    "block-empty": config_map("    k: |\n    l: >\n\n"),
    "block-with-blanks": config_map("    k: |\n      one  \n        \n      two\n"),
    "block-with-comment": config_map("    k: | # text\n      # no comment\n     # one\n"),
    "quotes-in-plain": config_map('    k: it\'s "so"\n    l: a\'b\n    m: 5"\n'),
    "quotes-in-comment": config_map("    k: v # don't \"quote\n"),
    "quote-open-in-comment": config_map("    k: v # a: 'b\n    # [\"\n"),
    "escaped-quotes": config_map('    k: "a \\" b"\n    l: "\\\\"\n    m: \'a \'\' b\'\n'),
    "escaped-newline": config_map('    k: "one \\\n      two"\n'),
    "flow-over-lines": config_map(
        "    k: {a: [1,\n  2], b: 'x\n  y'}\n    l: [\n      a,\n      # c\n      b]\n"
    ),
    "explicit-key": config_map("    ? k\n    : v\n    ? |\n      long\n    : w\n"),
    "tags": config_map("    k: !!str 1\n    l: !!binary aGVsbG8=\n    m: !custom {a: b}\n    n: ! 2\n"),
    "quoted-keys": config_map('    "k: 1": v\n    \'l\': w\n    ? "m"\n    : x\n'),
    "unicode": config_map("    k: grüße 👍 \u00a0 \U0001f600\n    ключ: значение\n"),
    "line-separator": config_map('    k: "a\u2028b"\n    l: |\n      a\n'),
    "paragraph-separator": config_map("    k: 'a\u2029  b'\n"),
    "next-line": config_map('    k: "a\x85b"\n'),
    "compact-list": config_map("    k:\n    - a\n    -   b\n    - - c\n      - d\n    -\n      e: f\n"),
    "wide-list": config_map("    k:\n      - a\n      - b:\n          - c\n"),
    "duplicate-key": config_map("    k: 1\n    k: 2\n"),
    "empty-values": config_map("    a:\n    b: \n    c: ''\n    d: {}\n    e: []\n    f: { }\n"),
    "no-data": config_map(""),
    "long-line": config_map(f"    k: {'x' * 5000}\n    l: {'word ' * 2000}end\n"),
    "last-key-is-metadata": "- kind: A\n  apiVersion: v1\n  metadata:\n    name: a\n",
    "dash-in-value": config_map("    k: - not a list\n").replace(": -", ": a -"),
    "document-marker-in-block": config_map("    k: |\n      ---\n      a: b\n      ...\n"),
    "template": config_map('    k: "{{ .Values.x }}"\n    l: ${VAR}\n'),
    "item-properties": "- &item\n  apiVersion: v1\n  kind: A\n  metadata:\n    name: anchored\n",
    "item-tag": "- !!map\n  apiVersion: v1\n  kind: A\n  metadata:\n    name: tagged\n",
    "generate-name": "- apiVersion: batch/v1\n  kind: Job\n  metadata:\n    generateName: job-\n",
    "list-object": "- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: A\n    metadata:\n      name: a\n",
}

JSON = {
    "one-line": '{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"apiVersion": "v1",'
    ' "kind": "A", "metadata": {"name": "a"}}, {"apiVersion":"v1","kind":"A","metadata":{"name":"b"}}]}\n',
    "indented": '{\n  "kind": "ResourceList",\n  "apiVersion": "config.kubernetes.io/v1",\n  "items": [\n    {\n'
    '      "apiVersion": "v1",\n      "kind": "A",\n      "metadata": {\n        "name": "a"\n      }\n    }\n  ],\n'
    '  "functionConfig": {\n    "kind": "C"\n  }\n}\n',
    "tabs": '{\n\t"kind": "ResourceList",\n\t"apiVersion": "config.kubernetes.io/v1",\n\t"items": [\n\t\t{\n'
    '\t\t\t"apiVersion": "v1",\n\t\t\t"kind": "A",\n\t\t\t"metadata": {"name": "a"}\n\t\t}\n\t]\n}\n',
    "escapes": '{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "items": [{"apiVersion": "v1", '
    '"kind": "A", "metadata": {"name": "a"}, "data": {"k": "a\\/b\\u0000\\t\\n\\\\\\"\\b\\f", "\\u006b2": "\\u00e9"}}]}',
    "surrogates": '{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "items": [{"apiVersion": "v1", '
    '"kind": "A", "metadata": {"name": "a"}, "data": {"k": "\\ud83d\\ude00"}}]}',
    "numbers": '{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "items": [{"apiVersion": "v1", '
    '"kind": "A", "metadata": {"name": "a"}, "spec": {"i": -1, "f": 1.50, "e": 1E+2, "n": null, "t": true}}]}',
    "no-blanks": '{"kind":"ResourceList","apiVersion":"config.kubernetes.io/v1","items":[{"apiVersion":"v1","kind":'
    '"A","metadata":{"name":"a"}},{"apiVersion":"v1","kind":"A","metadata":{"name":"b"}}]}',
}

EVERYTHING = {
    **{f"envelope-{name}": text for name, text in ENVELOPES.items()},
    **{f"item-{name}": listed(text, tail=CONFIG) for name, text in ITEMS.items()},
    **{f"item-last-{name}": HEAD + "items:\n" + FIRST + text for name, text in ITEMS.items()},
    **{f"json-{name}": text for name, text in JSON.items()},
}
#: Meant for both ways of a byte: the alias of another item cannot be read, and PyYAML knows neither tag nor merge.
every_text = pytest.mark.parametrize("text", EVERYTHING.values(), ids=EVERYTHING)


def nothing(_resources: ResourceList) -> None:
    """Touch nothing."""


@every_text
def test_untouched_list_is_the_same_bytes(text: str) -> None:
    """A function that does nothing returns the stream as it came."""
    outcome = run(nothing, text)
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.stdout == text


@every_text
def test_reading_changes_nothing(text: str) -> None:
    """Looking at everything in every item, down to duplicate keys, is no edit."""

    def look(resources: ResourceList) -> None:
        for obj in resources:
            assert obj.id
            assert obj.describe()
            obj.duplicate_keys()

    assert run(look, text).stdout == text


@every_text
def test_touching_one_item_leaves_the_others(text: str) -> None:
    """With an annotation on one item all other text is the same bytes, in the same order."""
    count = len(ResourceList.read(text))
    for i in range(count):
        resources = ResourceList.read(text)
        touched = resources.items[i]
        original, kind, name = touched.text, touched.kind, touched.name
        touched.set_annotation("touched", "yes")
        if text.count(original) != 1:
            continue
        before, _, after = text.partition(original)
        written = resources.write()
        assert written == before + touched.text + after
        again = ResourceList.read(written)
        assert len(again) == count
        assert (again.items[i].kind, again.items[i].name) == (kind, name)
        assert again.items[i].annotation("touched") == "yes"


@pytest.mark.parametrize("name", ["v1", "config-last", "indented-2", "crlf", "no-newline-at-the-end", "bom"])
def test_removed_items_leave_the_rest(name: str) -> None:
    """Without its first, its last or all of its items a list still holds the others and its tail."""
    text = ENVELOPES[name]
    first, last = ResourceList.read(text).items
    for gone, left in ((0, last), (1, first)):
        resources = ResourceList.read(text)
        resources.remove(resources.items[gone])
        again = ResourceList.read(resources.write())
        assert [obj.text.rstrip() for obj in again] == [left.text.rstrip()]
        assert again.has_config == resources.has_config
    resources = ResourceList.read(text)
    resources.items.clear()
    again = ResourceList.read(resources.write())
    assert (len(again), again.has_config) == (0, resources.has_config)


@pytest.mark.parametrize("name", [name for name in ENVELOPES if name.startswith("empty-")])
def test_an_item_can_be_added_to_an_empty_list(name: str) -> None:
    """Each spelling of an empty list takes an item; what stood around it stays."""
    resources = ResourceList.read(ENVELOPES[name])
    resources.append({"apiVersion": "v1", "kind": "A", "metadata": {"name": "new"}})
    written = resources.write()
    again = ResourceList.read(written)
    assert [obj.name for obj in again] == ["new"]
    assert again.has_config == resources.has_config
    assert read_twice(written)[0] == read_twice(written)[1]


@pytest.mark.parametrize("name", [name for name in ENVELOPES if not name.startswith("empty-")])
def test_an_item_can_be_added_at_the_end(name: str) -> None:
    """A new item stands behind the others, whose bytes stay, in every form a list can have."""
    resources = ResourceList.read(ENVELOPES[name])
    before = [obj.text.rstrip() for obj in resources]
    resources.append({"apiVersion": "v1", "kind": "New", "metadata": {"name": "new"}, "spec": {"a": ["b"]}})
    written = resources.write()
    again = ResourceList.read(written)
    assert [obj.text.rstrip() for obj in again][:-1] == before
    assert again.items[-1].get() == {
        "apiVersion": "v1",
        "kind": "New",
        "metadata": {"name": "new"},
        "spec": {"a": ["b"]},
    }
    pyyaml, ruamel = read_twice(written.removeprefix("\ufeff"))
    assert len(pyyaml) == len(ruamel) == 1


@pytest.mark.parametrize("end", ["---\n", "---", "...\n", "---\n---\n", "---\n\n", "---  \n", "...\n---\n"])
def test_no_marker_at_the_end(end: str) -> None:
    """A trailing document marker, behind which kpt takes the list for an object, is cut; nothing else goes."""
    text = ENVELOPES["config-last"]
    assert run(nothing, text + end).stdout.rstrip() == text.rstrip()


def test_marker_in_a_block_is_text() -> None:
    """A marker that is the end of a block scalar is no document marker."""
    text = HEAD + "items:\n" + config_map("    k: |\n      a\n      ---\n")
    assert run(nothing, text).stdout == text


def test_order_is_kept() -> None:
    """Items are never sorted, and keys of an item neither."""
    names = ["z", "a", "m", "B", "0"]
    items = "".join(f"- metadata:\n    name: '{name}'\n  kind: A\n  apiVersion: v1\n" for name in names)
    text = HEAD + "items:\n" + items
    resources = ResourceList.read(text)
    for obj in resources:
        obj.set_annotation("x", "y")
    assert [obj.name for obj in ResourceList.read(resources.write())] == names


def test_comment_above_an_item_goes_with_it() -> None:
    """Comments between two items belong to the one below: they stay when that is replaced, go when it is removed."""
    text = listed(config_map("    k: v\n"), "# about the last\n")
    resources = ResourceList.read(text)
    last = resources.items[-1]
    other = last.clone("other")
    resources.replace({last: [other, last.clone("more")]})
    written = resources.write()
    assert written.count("# about the last") == 1
    assert written.index("# about the last") < written.index("name: other") < written.index("name: more")
    resources.replace(dict.fromkeys(resources.items[2:], ()))
    assert "# about the last" not in resources.write()


def test_new_object_alone() -> None:
    """An object made of data reads back as that data."""
    data: dict[str, object] = {
        "apiVersion": "v1",
        "kind": "A",
        "metadata": {"name": "012", "labels": {}},
        "spec": [{"a": []}, ["b"], None],
    }
    obj = KubeObject.from_data(data)
    assert read_twice(obj.text) == ([data], [data])
