"""Waiting for what a control plane does in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")

PAUSE = 0.1
LONG_ENOUGH = 60.0


def eventually(
    read: Callable[[], Value], holds: Callable[[Value], object], within: float = LONG_ENOUGH
) -> Value:
    """Read until the value is as wanted and return it; the last value is in the failure."""
    deadline = time.monotonic() + within
    while not holds(value := read()):
        if time.monotonic() > deadline:
            message = f"not so within {within:.0f} s; at the end: {value!r}"
            raise AssertionError(message)
        time.sleep(PAUSE)
    return value


def always(read: Callable[[], Value], holds: Callable[[Value], object], during: float) -> Value:
    """Read again and again for a while: the value must be as wanted each time."""
    end = time.monotonic() + during
    while time.monotonic() < end:
        value = read()
        assert holds(value), f"not so all the time: {value!r}"
        time.sleep(PAUSE)
    return value
