"""Guards on the real admission controller: what passes each of them, and what does not."""

from __future__ import annotations

import pytest

from .guarded import OUTCOMES, Guarded, check_daemon_sets, check_what_is_changed, check_what_is_made


@pytest.mark.parametrize("action", OUTCOMES)
def test_a_guard_acts_on_what_is_made(guarded: Guarded, action: str) -> None:
    """``Deny`` refuses, ``Warn`` warns in the answer, ``Audit`` lets pass and reports; what is right just passes."""
    check_what_is_made(guarded, action)


@pytest.mark.parametrize("action", OUTCOMES)
def test_a_guard_acts_on_a_change(guarded: Guarded, action: str) -> None:
    """A copy may change, but not its zone."""
    check_what_is_changed(guarded, action)


def test_a_daemon_set_gets_what_it_lacks(guarded: Guarded) -> None:
    """``tolerateDaemonSets`` adds the pool's tolerations at admission, once, and never to what comes from Git."""
    check_daemon_sets(guarded)
