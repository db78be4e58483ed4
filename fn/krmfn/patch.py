"""Several changes of a clean tree written straight to its text, for copies that are made once and never edited."""

from __future__ import annotations

from .emit import block_entry
from .node import MAPPING, SCALAR, Node
from .scalar import Hole, write
from .spans import content_end, joined, line_end, on_own_lines, own_comments_end, removed_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .emit import Style
    from .scan import Data
    from .spans import Splice

class TooHard(Exception):  # noqa: N818 - the caller goes the longer way
    """A change that is not written straight from the tree of the text."""


def patched(text: str, root: Node, changes: Mapping[str, Data], style: Style) -> str:
    """Return ``text`` with ``changes``: a mapping merges, None takes the entry out, anything else replaces it.

    The tree is not edited: what many copies need once is written straight away.

    Raises:
        TooHard: a change inside flow style, or a mapping that would be left empty.
    """
    found: list[Splice] = []
    _patch(text, root, changes, style, found)
    return joined(text, found)


def _patch(text: str, node: Node, changes: Mapping[str, Data], style: Style, out: list[Splice]) -> None:
    present = node.value
    added = {}
    gone = 0
    if len(changes) > len(present) > 1 and _all_go(present, changes):
        whole = _whole(text, node)
        if whole is not None:
            new = [(key, value) for key, value in changes.items() if key not in present and value is not None]
            out.append((*whole, "".join([block_entry(key, value, node.col, style) for key, value in new])))
            return
    for key, value in changes.items():
        child = present.get(key)
        if child is None:
            if value is not None:
                added[key] = value
        elif value is None:
            out.append(removed_entry(text, node, key))
            gone += 1
        elif not isinstance(value, dict):
            if child.kind != SCALAR:
                raise TooHard
            if isinstance(value, Hole) or not (child.style and child.value == value):
                _replaced_scalar(text, child, value, style, out)
        elif child.kind != MAPPING or child.style or not child.value:
            raise TooHard
        else:
            _patch(text, child, value, style, out)
    if added:
        child = present[next(reversed(present))]
        place = own_comments_end(text, line_end(text, content_end(child)), node.col)
        lines = "".join([block_entry(key, added[key], node.col, style) for key in added])
        out.append((place, place, on_own_lines(text, place, lines, style.newline)))
    elif gone == len(present):
        raise TooHard


def _all_go(present: dict[str, Node], changes: Mapping[str, Data]) -> bool:
    return present.keys() <= {key for key, value in changes.items() if value is None}


def _whole(text: str, node: Node) -> tuple[int, int] | None:
    """Return where the lines of a block mapping are, None where it shares one or holds a comment."""
    start = text.rfind("\n", 0, node.start) + 1
    end = line_end(text, content_end(node))
    if text[start : node.start].strip(" ") or text[end - 1] != "\n" or "#" in text[start:end]:
        return None
    return start, end


def _replaced_scalar(text: str, child: Node, value: Data, style: Style, out: list[Splice]) -> None:
    start, end = child.start, child.end
    if start == end or child.style not in ("", "'", '"'):
        raise TooHard
    out.append((start, end, write(value, child.style)))
    if style.drops_setters:
        stop = text.find("\n", end)
        if stop != end and "# kpt-set:" in text[end:stop]:
            raise TooHard
