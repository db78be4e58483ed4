"""Any object and any edits: the edited text means the edited data, and what no edit concerns stays as it was."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from krmfn import KubeObject, ObjectError
from krmfn.testing import read_twice

from .drawn import HEAD, KEYS, data, texts

Path = tuple[Any, ...]
Operation = tuple[str, Path, Any]


def paths(value: Any, path: Path = ()) -> list[Path]:
    """Return the path of each value inside ``value``."""
    found = [path] if path else []
    if isinstance(value, (dict, list)):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            found += paths(child, (*path, key))
    return found


@st.composite
def operations(draw: st.DrawFn, content: Any, *, repeatable: bool = False) -> list[Operation]:
    """Draw edits that do not meet: no path is the start of another."""
    known = paths(content)
    found: list[Operation] = []
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(known))
        kinds = ["set", "set", "child", "update"] + ([] if repeatable else ["append"])
        if not repeatable or not any(isinstance(key, int) for key in path):
            kinds.append("remove")
        kind = draw(st.sampled_from(kinds))
        if not fits(kind, path, at(content, path)):
            continue
        operation: Operation
        if kind == "child":
            more = draw(st.lists(st.sampled_from(["new", "n m"]), min_size=1, max_size=2))
            operation = ("set", (*path, *more), draw(data))
        elif kind == "update":
            changes = st.dictionaries(
                st.sampled_from([*KEYS, "new"]), st.one_of(st.none(), data), min_size=1, max_size=3
            )
            operation = ("update", path, draw(changes))
        else:
            operation = (kind, path, None if kind == "remove" else draw(data))
        if not any(overlap(reach(operation), reach(other)) for other in found):
            found.append(operation)
    return found


def fits(kind: str, path: Path, there: Any) -> bool:
    """Whether an edit of this kind makes sense for what is at ``path``."""
    if kind == "append":
        return there is None or isinstance(there, list)
    if kind == "update" and any(isinstance(key, int) for key in path):
        return False  # merge_nested leaves lists alone
    return kind in ("set", "remove") or there is None or isinstance(there, dict)


def reach(operation: Operation) -> Path:
    """Return the path below which an edit may change something: what is removed may take its parents along."""
    kind, path, _ = operation
    return path[:1] if kind in ("remove", "update") else path


def overlap(path: Path, other: Path) -> bool:
    """Whether one path is the start of the other."""
    length = min(len(path), len(other))
    return path[:length] == other[:length]


def at(value: Any, path: Path) -> Any:
    """Return the value at a path that is there."""
    for key in path:
        value = value[key]
    return value


def edited(content: Any, operation: Operation) -> None:
    """Do to plain data what an edit of an object says it does."""
    kind, path, value = operation
    value = copy.deepcopy(value)
    if kind == "remove":
        removed(content, path)
    elif kind == "update" and not {k: v for k, v in value.items() if v is not None} and not at(content, path):
        return
    elif kind == "update":
        merged = {**(at(content, path) or {}), **value}
        merged = {key: child for key, child in merged.items() if child is not None or key not in value}
        if merged:
            at(content, path[:-1])[path[-1]] = merged
        else:
            removed(content, path)
    elif kind == "append":
        parent = at(content, path[:-1])
        parent[path[-1]] = [*(parent[path[-1]] or []), value]
    else:
        for key in path[:-1]:
            if (content.get(key) if isinstance(content, dict) else content[key]) is None:
                content[key] = {}
            content = content[key]
        content[path[-1]] = value


def removed(content: Any, path: Path) -> None:
    """Remove what is at ``path`` and each parent that this leaves empty."""
    parent = at(content, path[:-1])
    del parent[path[-1]]
    if not parent and len(path) > 1:
        removed(content, path[:-1])


def perform(obj: KubeObject, edits: list[Operation]) -> None:
    """Do each edit to the object."""
    for kind, path, value in edits:
        if kind == "update":
            obj.merge_nested({(*path, key): child for key, child in value.items()})
            continue
        arguments = path if kind == "remove" else (*path, value)
        getattr(obj, f"{kind}_nested")(*arguments)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without what an edit of a neighbour may change: dashes and indentation before them."""
    return [line.strip().lstrip("- ") for line in text.splitlines()]


@given(st.data())
def test_edited_text_means_the_edited_data(draw: st.DataObject) -> None:
    """PyYAML and ruamel.yaml read the edited text as the data to which the same edits were made, and so does krmfn."""
    content, text = draw.draw(texts())
    edits = draw.draw(operations(content))
    model = copy.deepcopy(content)
    for operation in edits:
        edited(model, operation)
    if not model:
        return
    obj = KubeObject(text)
    assert {key: obj.get(key) for key in content} == content
    perform(obj, edits)
    whole = {"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}, **model}
    assert obj.get() == whole
    assert KubeObject(obj.text).get() == whole
    assert read_twice(obj.text) == ([whole], [whole])
    assert not obj.normalised


@given(st.data())
def test_other_sections_are_the_same_bytes(draw: st.DataObject) -> None:
    """The text of each root entry that no edit names is in the result as it was, comments and blank lines included."""
    content, text = draw.draw(texts())
    edits = draw.draw(operations(content))
    touched = {path[0] for _, path, _ in edits}
    obj = KubeObject(text)
    if touched >= set(content) and any(kind in ("remove", "update") for kind, _, _ in edits):
        return
    perform(obj, edits)
    assert obj.text.startswith(HEAD)
    starts = [
        (key, text.index(f"\n{name}:") + 1)
        for key in content
        for name in (key, f'"{key}"')
        if f"\n{name}:" in text
    ]
    ends = [start for _, start in starts[1:]] + [len(text)]
    for (key, start), end in zip(starts, ends):
        section = text[start:end]
        content_end = section.rfind("\n#")  # a comment above the next key
        section = section if content_end < 0 else section[: content_end + 1]
        if key not in touched:
            assert section.rstrip() in obj.text


@given(st.data())
def test_comments_stay_when_nothing_goes(draw: st.DataObject) -> None:
    """Values that are set to other scalars, and what is added, cost no comment."""
    content, text = draw.draw(texts())
    scalars = [path for path in paths(content) if not isinstance(at(content, path), (dict, list))]
    if not scalars:
        return
    chosen = draw.draw(st.lists(st.sampled_from(scalars), min_size=1, max_size=3, unique=True))
    obj = KubeObject(text)
    before = [line for line in lines_of(text) if "# c" in line]
    for path in chosen:
        obj.set_nested(*path, draw.draw(st.sampled_from(["new", 7, False])))
    obj.set_nested("added", {"a": ["b"]})
    comments = [line[line.index("# c") :] for line in before]
    assert [line[line.index("# c") :] for line in lines_of(obj.text) if "# c" in line] == comments


@given(st.data())
def test_the_same_edits_again_change_no_byte(draw: st.DataObject) -> None:
    """Edits that say what should be there are idempotent in bytes, on the object and on its text read anew."""
    content, text = draw.draw(texts())
    edits = draw.draw(operations(content, repeatable=True))
    obj = KubeObject(text)
    try:
        perform(obj, edits)
    except ObjectError:
        model = copy.deepcopy(content)
        for operation in edits:
            edited(model, operation)
        assert not model
        return
    once = obj.text
    perform(obj, edits)
    assert obj.text == once
    anew = KubeObject(once)
    perform(anew, edits)
    assert anew.text == once


@given(st.data())
def test_order_of_edits_and_reads_does_not_matter(draw: st.DataObject) -> None:
    """Edits that do not meet give the same text however often the text is asked for, and through clones."""
    content, text = draw.draw(texts())
    edits = draw.draw(operations(content))
    at_once, in_steps = KubeObject(text), KubeObject(text)
    clone = in_steps.clone("a", keep_head_comments=True)
    perform(at_once, edits)
    for operation in edits:
        perform(in_steps, [operation])
        assert in_steps.text
    perform(clone, edits)
    assert in_steps.text == at_once.text
    assert clone.text == at_once.text
    assert KubeObject(text).clone("a", keep_head_comments=True).text == text


@given(st.data())
def test_settled_edits(draw: st.DataObject) -> None:
    """An object that was settled between edits means the same as one that was not."""
    content, text = draw.draw(texts())
    edits = draw.draw(operations(content))
    at_once, settled = KubeObject(text), KubeObject(text)
    perform(at_once, edits)
    for operation in edits:
        perform(settled, [operation])
        settled.settle()
    assert settled.get() == at_once.get()
