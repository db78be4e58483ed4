"""The Markdown pages of the project, and what is in their fenced blocks."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
SKIPPED = {".venv", ".git", "node_modules", ".pytest_cache"}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def pages() -> list[Path]:
    """Every Markdown file of the project."""
    found = (path.relative_to(REPOSITORY) for path in REPOSITORY.rglob("*.md"))
    return sorted(path for path in found if not SKIPPED & set(path.parts))


@cache
def text_of(page: Path) -> str:
    """Read a page."""
    return (REPOSITORY / page).read_text()


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return blocks_in(text_of(page), language)


def blocks_in(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language in a part of a page."""
    return [body for name, body in FENCE.findall(text) if name == language]


def section(text: str, heading: str) -> str:
    """Return what stands under a heading, up to the next one of its level or above."""
    plain = FENCE.sub(lambda block: " " * len(block[0]), text)  # a comment in a block is no heading
    found = re.search(rf"^(#+) {re.escape(heading)}$", plain, re.MULTILINE)
    assert found, f"no heading {heading!r}"
    after = re.compile(rf"^#{{1,{len(found[1])}}} ", re.MULTILINE).search(plain, found.end())
    return text[found.end() : after.start() if after else None]


def anchors(page: Path) -> set[str]:
    """Return what a heading of a page can be linked by."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(text_of(page)))
    return {heading.replace(" ", "-") for heading in kept}
