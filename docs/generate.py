"""Write what is made from the types of a Placement: the tables of reference.md, and the JSON Schema.

``python docs/generate.py`` writes them; with ``--check`` the exit status is 1 if they are not up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from examples import examples_of

from krmfn.config import model_schema
from zonecast.placement import Simple, schema

Json = dict[str, Any]

HERE = Path(__file__).parent
REFERENCE, SCHEMA = HERE / "reference.md", HERE / "placement.schema.json"
START, END = "<!-- fields: written by docs/generate.py -->\n", "<!-- end of fields -->"
_SIMPLE = "The keys of a ConfigMap; each is short for the field of a Placement."
HEAD = "| field | type | default | meaning |\n|---|---|---|---|\n"


def fields() -> str:
    """Return the reference of every field: a section for each object, in the order of the schema."""
    simple = _section("data", _SIMPLE, model_schema(Simple))
    return "\n".join([*(_section(*each) for each in _sections()), simple])


def sections() -> list[str]:
    """Return the path of each section with fields of its own."""
    return [path for path, _, each in _sections() if each]


def _sections() -> Iterator[tuple[str, str, Json]]:
    return _objects("spec", "What is placed, and how.", schema()["properties"]["spec"], {})


def _objects(path: str, doc: str, each: Json, seen: dict[str, str]) -> Iterator[tuple[str, str, Json]]:
    """Yield (path, description, schema) of an object and of those below; an equal one has no schema."""
    shape = json.dumps({**each, "description": ""}, sort_keys=True)
    if shape in seen:
        yield path, f"{_sentence(doc)} The same fields as [{seen[shape]}](#{_anchor(seen[shape])}).", {}
        return
    seen[shape] = path
    yield path, _sentence(doc), each
    for key, child in each["properties"].items():
        suffix, below = _below(child)
        if below is not None:
            yield from _objects(f"{path}.{key}{suffix}", child["description"], below, seen)


def _below(child: Json) -> tuple[str, Json | None]:
    """Return ([] for a list, the object with fields that a schema leads to)."""
    suffix = ""
    if child.get("type") == "array":
        suffix, child = "[]", child["items"]
    for each in child.get("anyOf", [child]):
        if "properties" in each:
            return suffix, each
    return suffix, None


def _section(path: str, doc: str, each: Json) -> str:
    text = f"### {path}\n\n{doc}\n"
    if not each:
        return text
    required = each.get("required", ())
    rows = (_row(path, key, child, required=key in required) for key, child in each["properties"].items())
    return f"{text}\n{HEAD}{''.join(rows)}{examples_of(path)}"


def _row(path: str, key: str, child: Json, *, required: bool) -> str:
    suffix, below = _below(child)
    name = f"[`{key}`](#{_anchor(f'{path}.{key}{suffix}')})" if below is not None else f"`{key}`"
    default = "required" if required else _default(child)
    return f"| {name} | {_type(child)} | {default} | {_cell(child['description'])} |\n"


def _default(child: Json) -> str:
    value = child.get("default")
    return "" if value in (None, "") else f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _type(child: Json) -> str:
    if "anyOf" in child:
        return " or ".join(_type(each) for each in child["anyOf"])
    if "enum" in child:
        return " \\| ".join(f"`{choice}`" for choice in child["enum"])
    if child["type"] == "array":
        return f"list of {_type(child['items'])}"
    if isinstance(child.get("additionalProperties"), dict):
        return f"map of {_type(child['additionalProperties'])}"
    minimum = f" >= {child['minimum']}" if "minimum" in child else ""
    return f"{child['type']}{minimum}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") or not text else ".")


def _anchor(heading: str) -> str:
    """Return the anchor that a Markdown viewer gives a heading."""
    return "".join(char for char in heading.lower().replace(" ", "-") if char.isalnum() or char in "-_")


def generated() -> dict[Path, str]:
    """Return what each file should hold."""
    before, _, rest = REFERENCE.read_text().partition(START)
    _, _, after = rest.partition(END)
    return {
        REFERENCE: f"{before}{START}\n{fields()}\n{END}{after}",
        SCHEMA: json.dumps(schema(), indent=2) + "\n",
    }


def main() -> int:
    """Write the files, or say which are not up to date."""
    old = [path for path, text in generated().items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in old:
            sys.stderr.write(f"{path.name} is not up to date: run `make reference`\n")
        return len(old) and 1
    for path in old:
        path.write_text(generated()[path])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
