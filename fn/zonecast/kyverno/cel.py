"""Pieces of CEL."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn.scan import Data


def text(value: str) -> str:
    """Return a CEL string."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def texts(values: Sequence[str]) -> str:
    """Return a CEL list of strings."""
    return f"[{', '.join(map(text, values))}]"


def covers(wanted: dict[str, Data], *, always: bool) -> str:
    """Return CEL for "the toleration ``t`` covers this taint"; the rule is the one of tolerations.py.

    With ``always`` it must do so without a limit of time.
    """
    key, value, effect = text(wanted["key"]), text(wanted.get("value") or ""), text(wanted["effect"])
    limited = " && !has(t.tolerationSeconds)" if always and wanted["effect"] == "NoExecute" else ""
    return (
        f"t.?effect.orValue('') in ['', {effect}]{limited} && (t.?operator.orValue('') == 'Exists' ? "
        f"t.?key.orValue('') in ['', {key}] : t.?key.orValue('') == {key} && t.?value.orValue('') == {value})"
    )
