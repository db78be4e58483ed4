"""Selectors: kustomize's anchored regular expressions and Kubernetes' label selectors."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

#: In ``key in (values)``.
_WORDS_OF_A_SET = 3
#: Up to so many names it is cheaper to look for each of them than to read the object.
_FEW = 4
_LITERAL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-/_"


class Pattern:
    """An anchored regular expression, as kustomize's patch ``target`` has them (api/types/selector.go).

    Names alone, ``web|api`` and ``web-.*`` are compared as strings: the regular expression engine costs 6 ms at start.
    """

    __slots__ = ("_exact", "_prefixes", "_regex")

    def __init__(self, text: str) -> None:
        self._exact: frozenset[str] = frozenset()
        self._prefixes: tuple[str, ...] = ()
        self._regex: re.Pattern[str] | None = None
        parts = text.split("|")
        if all(not part.strip(_LITERAL) for part in parts):
            self._exact = frozenset(parts)
        elif all(part.endswith(".*") and not part[:-2].strip(_LITERAL) for part in parts):
            self._prefixes = tuple(part[:-2] for part in parts)
        else:
            self._regex = _compile(text)

    def matches(self, value: str) -> bool:
        """Whether the whole of ``value`` matches."""
        if self._regex is not None:
            return self._regex.fullmatch(value) is not None
        return value in self._exact or (bool(self._prefixes) and value.startswith(self._prefixes))

    def may_be_in(self, text: str) -> bool:
        """Whether a match can stand in ``text`` at all: a look that saves reading it."""
        if self._regex is not None or len(self._exact) > _FEW:
            return True
        return any(each in text for each in self._prefixes or self._exact)

    @staticmethod
    def problem(text: str) -> str:
        """Return what is wrong with an expression, or nothing."""
        if not text.strip(_LITERAL + "|"):
            return ""
        import re  # noqa: PLC0415

        try:
            _compile(text)
        except re.error as error:
            return str(error)
        return ""


def _compile(text: str) -> re.Pattern[str]:
    import re  # noqa: PLC0415

    return re.compile(text)


class LabelSelector:
    """A selector in Kubernetes' string syntax: ``a=b,c!=d,e in (x,y),f notin (z),g,!h``.

    Source: apimachinery, pkg/labels/selector.go.
    """

    __slots__ = ("_requirements",)

    def __init__(self, text: str) -> None:
        self._requirements = [_requirement(part) for part in _parts(text)]

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether ``labels`` fulfil every requirement."""
        return all(_fulfils(labels, *requirement) for requirement in self._requirements)

    @staticmethod
    def problem(text: str) -> str:
        """Return what is wrong with a selector, or nothing."""
        try:
            LabelSelector(text)
        except ValueError as error:
            return str(error)
        return ""


def matches_selector(selector: Mapping[str, object], labels: Mapping[str, str]) -> bool:
    """Whether a LabelSelector object (matchLabels, matchExpressions) selects ``labels``; an empty one selects all."""
    match_labels = selector.get("matchLabels") or {}
    assert isinstance(match_labels, dict)
    if any(labels.get(key) != str(value) for key, value in match_labels.items()):
        return False
    expressions = selector.get("matchExpressions") or []
    assert isinstance(expressions, list)
    return all(
        _fulfils(labels, each.get("key", ""), str(each.get("operator", "")).lower(), set(each.get("values") or ()))
        for each in expressions
    )


def _fulfils(labels: Mapping[str, str], key: str, operator: str, values: set[str]) -> bool:
    if operator == "in":
        return labels.get(key) in values
    if operator == "notin":
        return labels.get(key) not in values
    return (key in labels) == (operator == "exists")


def _parts(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts]


def _requirement(part: str) -> tuple[str, str, set[str]]:
    words = part.replace("(", " (").split(None, 2)
    is_set = len(words) == _WORDS_OF_A_SET and words[1] in ("in", "notin")
    if is_set and words[2].startswith("(") and words[2].endswith(")"):
        return words[0], words[1], {value.strip() for value in words[2][1:-1].split(",")}
    for sign, operator in (("!=", "notin"), ("==", "in"), ("=", "in")):
        key, found, value = part.partition(sign)
        if found:
            return _checked(key.strip(), part), operator, {value.strip()}
    if part.startswith("!"):
        return _checked(part[1:].strip(), part), "doesnotexist", set()
    return _checked(part, part), "exists", set()


def _checked(key: str, part: str) -> str:
    if not key or " " in key or "(" in key or ")" in key:
        raise ValueError(f'cannot read the requirement "{part}"; examples: app=web, tier in (a,b), !old')
    return key
