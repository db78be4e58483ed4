"""Names of copies, and what may be part of one."""

from __future__ import annotations

from string import ascii_lowercase, digits

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from zonecast.names import copy_name, is_label_value, is_name_part

names = st.text(ascii_lowercase + digits + "-.", min_size=1, max_size=120).filter(
    lambda text: text[0] not in "-." and text[-1] not in "-."
)
suffixes = st.text(ascii_lowercase + digits + "-", min_size=1, max_size=20).filter(is_name_part)


@given(names, suffixes)
def test_a_name_that_fits_is_plain(name: str, suffix: str) -> None:
    """Name, dash, suffix: nothing else where it fits."""
    assume(len(name) + len(suffix) < 63)
    assert copy_name(name, suffix, 63) == f"{name}-{suffix}"


@given(names, suffixes)
def test_a_longer_name_keeps_limit_and_suffix(name: str, suffix: str) -> None:
    """Beyond the limit the middle is cut: the suffix, by which people know the zone, stays."""
    short = copy_name(name, suffix, 63)
    assert len(short) <= 63
    assert short.endswith(f"-{suffix}")
    assert "--" not in short or "--" in name + suffix
    assert ".-" not in short or ".-" in name


@given(st.text(ascii_lowercase, min_size=70, max_size=90), st.text(ascii_lowercase, min_size=1, max_size=5))
def test_names_that_start_alike_stay_apart(name: str, more: str) -> None:
    """Names are never cut blindly: two long ones with the same beginning give two copies' names."""
    assert copy_name(name, "a", 63) != copy_name(name + more, "a", 63)


def test_the_hash_is_the_same_for_every_zone() -> None:
    """The hash is of the source's name, so that copies sort and read as one family."""
    name = "storefront-" * 7
    assert copy_name(name, "a", 63)[:-2] == copy_name(name, "b", 63)[:-2]


@pytest.mark.parametrize("text", ["us-east-1a", "1", "a", "a" * 63])
def test_name_parts(text: str) -> None:
    """What RFC 1123 allows in a label can end a name."""
    assert is_name_part(text)


@pytest.mark.parametrize("text", ["", "A", "a_b", "a.b", "-a", "a-", "a" * 64, "ä"])
def test_no_name_parts(text: str) -> None:
    """Capitals, underscores, dots and dashes at an end cannot."""
    assert not is_name_part(text)


@pytest.mark.parametrize("text", ["us-east-1a", "Rack_1", "a.b", "1", "a" * 63])
def test_label_values(text: str) -> None:
    """A label's value may have capitals, underscores and dots inside."""
    assert is_label_value(text)


@pytest.mark.parametrize("text", ["", "-a", "a-", ".a", "a/b", "a b", "a" * 64])
def test_no_label_values(text: str) -> None:
    """It starts and ends with a letter or digit, and has 63 characters at most."""
    assert not is_label_value(text)
