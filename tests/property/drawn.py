"""Objects as data and as text, in the odd ways in which people write YAML."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

HEAD = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"
KEYS = ["a", "b", "cc", "d-e", "f/g", "h.i", "k l"]

leaves = st.one_of(
    st.sampled_from(
        ["v", "w x", "it's", "q: r", "", "1", "true", "lines\nof\ntext\n", "- no list", "# no comment", "é"]
    ),
    st.integers(-5, 5),
    st.booleans(),
    st.none(),
)
data = st.recursive(
    leaves,
    lambda children: st.one_of(
        st.dictionaries(st.sampled_from(KEYS), children, max_size=4), st.lists(children, max_size=3)
    ),
    max_leaves=12,
)
objects = st.dictionaries(st.sampled_from(["spec", "data", "status", "x y"]), data, min_size=1, max_size=4)


class Writer:
    """Writes data as YAML in a layout that is drawn: the odd ways in which people write."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.comments = 0
        self.wide = draw(st.booleans())
        self.step = draw(st.sampled_from([2, 2, 4]))

    def chance(self, of: int = 4) -> bool:
        """Return True once in a while."""
        return self.draw(st.integers(1, of)) == of

    def comment(self) -> str:
        """Return a comment that occurs once."""
        self.comments += 1
        return f"# c{self.comments}."

    def mapping(self, value: dict[str, Any], indent: int) -> list[str]:
        """Return the lines of a block mapping."""
        lines = []
        for key, child in value.items():
            if self.chance(6):
                lines.append(" " * indent + self.comment())
            if self.chance(8):
                lines.append("")
            name = f'"{key}"' if self.chance(8) else key
            first, *rest = self.value(child, indent)
            lines += [" " * indent + name + ":" + first, *rest]
        return lines

    def sequence(self, value: list[Any], indent: int) -> list[str]:
        """Return the lines of a block list."""
        lines = []
        for child in value:
            if self.chance(8):
                lines.append(" " * indent + self.comment())
            if isinstance(child, (dict, list)) and child and not self.chance(6):
                inner = (
                    self.mapping(child, indent + 2)
                    if isinstance(child, dict)
                    else self.sequence(child, indent + 2)
                )
                at = next(
                    i for i, line in enumerate(inner) if line.strip() and not line.strip().startswith("#")
                )
                inner[at] = " " * indent + "- " + inner[at][indent + 2 :]
                lines += inner
            else:
                first, *rest = self.value(child, indent, below=2)
                lines += [" " * indent + "-" + first, *rest]
        return lines

    def value(self, value: Any, indent: int, below: int = 0) -> list[str]:
        """Return what stands behind a colon or dash in column ``indent``, and the lines below.

        A list stands ``below`` columns deeper: only under a key may it start in the key's own column.
        """
        behind = " " + self.comment() if self.chance(5) else ""
        if isinstance(value, (dict, list)) and value and not self.chance(5):
            if isinstance(value, dict):
                return [behind, *self.mapping(value, indent + self.step)]
            return [behind, *self.sequence(value, indent + (2 if self.wide else below))]
        if isinstance(value, str) and "\n" in value and not self.chance(3):
            return [" |" + behind, *(" " * (indent + 6) + line for line in value.splitlines())]
        if value is None and self.chance(3):
            return [behind]
        return [" " + self.flow(value) + behind]

    def flow(self, value: Any) -> str:
        """Return a value on one line."""
        blank = " " if self.chance(2) else ""
        if isinstance(value, dict):
            return (
                "{"
                + blank
                + ", ".join(f"{key}: {self.flow(child)}" for key, child in value.items())
                + blank
                + "}"
            )
        if isinstance(value, list):
            return "[" + f",{blank}".join(map(self.flow, value)) + "]"
        if isinstance(value, str):
            plain = value.isalpha() and value.isascii() and value != "true"
            if "\n" in value or (not plain and self.chance(2)):
                return '"' + value.replace("\n", "\\n") + '"'
            return value if plain else "'" + value.replace("'", "''") + "'"
        return (
            {True: "true", False: "false", None: self.draw(st.sampled_from(["null", "~"]))}.get(
                value, str(value)
            )
            if (value is None or isinstance(value, bool))
            else str(value)
        )


@st.composite
def texts(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """Draw an object as data and as text."""
    content = draw(objects)
    lines = Writer(draw).mapping(content, 0)
    return content, HEAD + "\n".join(lines) + "\n"
