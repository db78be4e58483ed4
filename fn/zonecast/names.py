"""Names: what may stand in one, and how a copy's name is made."""

from __future__ import annotations

_LOWER = "abcdefghijklmnopqrstuvwxyz0123456789"
_LABEL = _LOWER + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LABEL_LIMIT = 63
#: A Service's name is a label of its DNS name.
SERVICE_LIMIT = 63
_HASH_LENGTH = 8


def is_name_part(text: str) -> bool:
    """Whether ``text`` can end an object's name (RFC 1123 label)."""
    return bool(text) and len(text) <= _LABEL_LIMIT and not text.strip(_LOWER + "-") and text[0] != "-" != text[-1]


def is_label_value(text: str) -> bool:
    """Whether ``text`` can be the value of a label (apimachinery, util/validation IsValidLabelValue)."""
    return (
        bool(text)
        and len(text) <= _LABEL_LIMIT
        and not text.strip(_LABEL + "-_.")
        and text[0] in _LABEL
        and text[-1] in _LABEL
    )


def is_label_key(text: str) -> bool:
    """Whether ``text`` can be the key of a label: a name, behind a DNS prefix and a slash or alone."""
    prefix, slash, name = text.rpartition("/")
    return is_label_value(name) and (not slash or (bool(prefix) and not prefix.strip(_LOWER + "-.")))


def copy_name(name: str, suffix: str, limit: int) -> str:
    """Return ``<name>-<suffix>``; beyond ``limit`` characters the name is cut and a hash of it keeps copies apart.

    The hash is of the whole name, so it is the same in every run and for every zone.
    """
    full = f"{name}-{suffix}"
    if len(full) <= limit:
        return full
    from hashlib import sha256  # noqa: PLC0415 - rare, and 4 ms at start

    digest = sha256(name.encode()).hexdigest()[:_HASH_LENGTH]
    room = limit - len(suffix) - _HASH_LENGTH - 2
    return f"{name[: max(room, 1)].rstrip('-.')}-{digest}-{suffix}"
