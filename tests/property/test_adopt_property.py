"""An object that takes any other content: its text means that content, whatever the layout it had."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from krmfn import KubeObject
from krmfn.strategic import ListKeys, adopt
from krmfn.testing import read_twice

from .drawn import data, texts

IDENTITY = {"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:
    """Draw a content near to ``value``: entries go, come, change and swap places."""
    if draw(st.integers(1, 8)) == 8:
        return draw(data)
    if isinstance(value, dict):
        found = {key: draw(changed(child)) for key, child in value.items() if draw(st.integers(1, 6)) < 6}
        if draw(st.integers(1, 4)) == 4:
            found["new"] = draw(data)
        return found
    if isinstance(value, list):
        entries = [draw(changed(child)) for child in value if draw(st.integers(1, 5)) < 5]
        if draw(st.booleans()):
            entries.insert(draw(st.integers(0, len(entries))), draw(data))
        return draw(st.permutations(entries))
    return value


@given(st.data())
def test_the_text_means_what_was_adopted(draw: st.DataObject) -> None:
    """PyYAML, ruamel.yaml and krmfn read the new content; adopting it again changes no byte."""
    content, text = draw.draw(texts())
    new = {**IDENTITY, **{key: draw.draw(changed(value)) for key, value in content.items()}}
    obj = KubeObject(text)
    adopt(obj, new, {})
    assert obj.get() == new
    assert read_twice(obj.text) == ([new], [new])
    again = KubeObject(obj.text)
    adopt(again, new, {})
    assert again.text == obj.text


entries = st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True)


@given(entries, st.lists(st.integers(0, 12), min_size=1, max_size=6, unique=True), st.sampled_from(["\n", "\r\n"]))
def test_an_entry_takes_its_text_along(old: list[int], new: list[int], newline: str) -> None:
    """Wherever the entry of a list with a merge key goes, its comments, quotes and layout go with it."""
    lines = [f"# above {i}\n- name: '{i}' # at {i}\n  value: {{a:  {i}}}\n" for i in old]
    text = f"apiVersion: v1\nkind: A\nspec:\n{''.join(lines)}end: 1\n".replace("\n", newline)
    obj = KubeObject(text)
    spec = [{"name": str(i), "value": {"a": i}} for i in new]
    adopt(obj, {**obj.get(), "spec": spec}, {"spec": ListKeys("name")})
    assert obj.get("spec") == spec
    assert read_twice(obj.text)[0][0]["spec"] == spec
    for i in set(old) & set(new):
        assert f"- name: '{i}' # at {i}\n  value: {{a:  {i}}}\n".replace("\n", newline) in obj.text
    for i in old:  # also those above entries that are gone
        assert f"# above {i}{newline}" in obj.text
    assert "\n" not in obj.text.replace(newline, "")
