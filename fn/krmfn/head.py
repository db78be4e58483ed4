"""A cheap look at apiVersion, kind, namespace and name of an item, without reading its YAML.

It answers only where the text is as every host writes it. In any doubt it answers None, and the caller scans.
"""

from __future__ import annotations

_NAME_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:-"
_TYPED_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
#: kind stands so near the start of most items that nothing can come before it but apiVersion.
_NEAR = 80


#: apiVersion and kind by the lines that say them: a list holds few different ones.
_known: dict[str, tuple[str, str]] = {}


def cheap_kind(text: str) -> tuple[str, str] | None:
    """Return (apiVersion, kind), or None: read it properly."""
    start = 2 if text.startswith("- ") else 0
    first = text.find("\n", start)
    stop = text.find("\n", first + 1)
    lines = text[start:stop]
    known = _known.get(lines)
    if known is not None:
        return known
    indent = _indent(text)
    api_version, at = _at_top(text, indent, "apiVersion: ")
    kind, second = _at_top(text, indent, "kind: ")
    if not api_version or not kind:
        return None
    if max(at, second) < stop and stop - start == len(lines):
        _known[lines] = api_version, kind
    elif max(at, second) > _NEAR and may_go_on(text[: max(at, second)]):
        return None
    return api_version, kind


def cheap_name(text: str) -> tuple[str, str] | None:
    """Return (name, namespace), the latter empty where absent, or None: read it properly."""
    indent = _indent(text)
    start = text.find(f"{indent}metadata:\n")
    if start < 0 or (start > _NEAR and may_go_on(text[:start])):
        return None
    first_line = start + len(indent) + 9
    inner = indent + "  "
    at = text.find(f"{inner}name: ", first_line)
    if at < 0 or not _all_start_with(text, inner, first_line, at):
        return None
    name = _value(text, at + len(inner) + 6)
    space = text.find(f"{inner}namespace: ", first_line)
    namespace = ""
    last = at
    if space >= 0 and _all_start_with(text, inner, first_line, space):
        namespace = _value(text, space + len(inner) + 11)
        if not namespace:
            return None
        last = max(at, space)
    if not name or may_go_on(text[first_line:last]) or text.find("namespace:", at, at + len(inner) + 11) > 0:
        return None
    return name, namespace


def _all_start_with(text: str, indent: str, start: int, stop: int) -> bool:
    """Whether every line from ``start`` to ``stop`` (both line breaks) is in the block of this indentation."""
    return text.count("\n", start, stop) == text.count(indent, start, stop)


def may_go_on(text: str) -> bool:
    """Whether a quoted scalar in ``text`` may reach beyond its line: then a line is not what it seems."""
    single = text.find("'")
    if '"' not in text and "[" not in text and "{" not in text:
        while single >= 0:
            closing = text.find("'", single + 1)
            if closing < 0 or text.find("\n", single, closing) >= 0:
                return True
            single = text.find("'", closing + 1)
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
