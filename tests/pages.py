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
    return [body for name, body in FENCE.findall(text_of(page)) if name == language]


def anchors(page: Path) -> set[str]:
    """Return what a heading of a page can be linked by."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(text_of(page)))
    return {heading.replace(" ", "-") for heading in kept}
