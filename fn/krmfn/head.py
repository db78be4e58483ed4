"""A cheap look at apiVersion, kind, namespace and name of an item, without reading its YAML.

It answers only where the text is as every host writes it. In any doubt it answers None, and the caller scans.
"""

from __future__ import annotations

_NAME_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:-"
_TYPED_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
#: kind stands so near the start of most items that nothing can come before it but apiVersion.
_NEAR = 80


def cheap_kind(text: str) -> tuple[str, str] | None:
    """Return (apiVersion, kind), or None: read it properly."""
    indent = _indent(text)
    api_version, first = _at_top(text, indent, "apiVersion: ")
    kind, second = _at_top(text, indent, "kind: ")
    if not api_version or not kind:
        return None
    stop = first if first > second else second
    if stop > _NEAR and may_go_on(text[:stop]):
        return None
    return api_version, kind


def cheap_name(text: str) -> tuple[str, str] | None:
    """Return (name, namespace), the latter empty where absent, or None: read it properly."""
    indent = _indent(text)
    start = text.find(f"{indent}metadata:\n")
    if start < 0 or (start > _NEAR and may_go_on(text[:start])):
        return None
    metadata = text[start : _block_end(text, start + len(indent) + 10, len(indent) - 1)]
    if may_go_on(metadata):
        return None
    name = _field(metadata, f"{indent}  name: ")
    namespace = _field(metadata, f"{indent}  namespace: ") if f"{indent}  namespace:" in metadata else ""
    if not name or namespace is None:
        return None
    return name, namespace


def may_go_on(text: str) -> bool:
    """Whether a quoted scalar in ``text`` may reach beyond its line: then a line is not what it seems."""
    if '"' not in text and "'" not in text:
        return False
    for line in text.split("\n"):
        doubles = line.count('"')
        singles = line.count("'")
        if (doubles or singles) and (doubles & 1 or singles & 1 or "\\" in line or "[" in line or "{" in line):
            return True
    return False


def _indent(text: str) -> str:
    """Return a line break and the indentation of the object's keys."""
    if text.startswith("- "):
        return "\n  "
    bare = text.lstrip(" ")
    return "\n" + " " * (len(text) - len(bare) + 2) if bare.startswith("- ") else "\n"


def _at_top(text: str, indent: str, key: str) -> tuple[str, int]:
    at = len(indent) - 1
    if text.startswith(key, at):
        return _value(text, at + len(key)), at
    at = text.find(indent + key)
    return (_value(text, at + len(indent) + len(key)), at) if at >= 0 else ("", at)


def _block_end(text: str, start: int, col: int) -> int:
    """Return where the block that begins at ``start`` ends: at the first line in column ``col`` or before."""
    at = start - 1
    deeper = " " * (col + 1)
    while True:
        at = text.find("\n", at)
        if at < 0 or at + 1 == len(text):
            return len(text)
        if not text.startswith(deeper, at + 1) and text[at + 1] not in "\r\n":
            return at + 1
        at += 1


def _field(region: str, key: str) -> str:
    at = region.find(key)
    return _value(region, at + len(key)) if at >= 0 else ""


def _value(text: str, at: int) -> str:
    """Return the scalar at ``at`` if it means the same to every reader, else nothing."""
    stop = text.find("\n", at)
    value = (text[at:stop] if stop >= 0 else text[at:]).partition(" #")[0].rstrip()
    if value[:1] in ("'", '"'):
        inner = value[1:-1]
        return inner if inner and value[-1] == value[0] and not inner.strip(_NAME_CHARACTERS) else ""
    if value[:1].isalpha() and not value.strip(_NAME_CHARACTERS) and value.lower() not in _TYPED_WORDS:
        return value
    return ""
