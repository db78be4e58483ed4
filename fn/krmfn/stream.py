"""A plain stream of YAML documents, cut at its ``---`` lines: what kubectl, helm and legacy plugins pass on."""

from __future__ import annotations

from .cut import Slice

_MARKER = "---"


def cut_stream(text: str) -> tuple[list[Slice], str]:
    """Cut a stream into its documents.

    Returns:
        One slice for each document that holds something, and the text after the last one. Separators, comments and
        documents without content are the lead of the next document.
    """
    slices: list[Slice] = []
    lead = ""
    line = 0
    for separator, body in _segments(text):
        lead += separator
        line += separator.count("\n")
        if _has_content(body):
            slices.append(Slice(lead, body, line))
            lead = ""
        else:
            lead += body
        line += body.count("\n")
    return slices, lead


def _segments(text: str) -> list[tuple[str, str]]:
    """Return pairs of document marker and what stands between it and the next one."""
    segments = []
    marker = ""
    start = 0
    at = 0 if _is_marker(text, 0) else _next_marker(text, 0)
    while at >= 0:
        segments.append((marker, text[start:at]))
        start = at + len(_MARKER)
        rest = text[start : text.find("\n", start) + 1 or len(text)]
        blank = len(rest) - len(rest.lstrip())
        marker = text[at : start + blank]
        start += blank
        at = _next_marker(text, start - 1)
    segments.append((marker, text[start:]))
    return segments


def _next_marker(text: str, start: int) -> int:
    at = text.find("\n" + _MARKER, max(start, 0))
    while at >= 0 and not _is_marker(text, at + 1):
        at = text.find("\n" + _MARKER, at + 1)
    return at + 1 if at >= 0 else -1


def _is_marker(text: str, at: int) -> bool:
    return text.startswith(_MARKER, at) and text[at + 3 : at + 4] in ("", "\n", "\r", " ", "\t")


def _has_content(body: str) -> bool:
    """Whether a document holds more than comments, blanks, directives and an end marker."""
    for line in body.split("\n"):
        bare = line.strip()
        if bare and bare[0] != "#" and bare != "..." and not line.startswith("%"):
            return True
    return False
