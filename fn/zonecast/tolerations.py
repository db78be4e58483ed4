"""Tolerations merged by meaning: one is added only where no existing one does its work."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn.scan import Data

    Toleration = dict[str, Data]


def covers(present: Toleration, wanted: Toleration) -> bool:
    """Whether ``present`` tolerates every taint that ``wanted`` does, for as long.

    Rule: api/core/v1/toleration.go of Kubernetes, ToleratesTaint: an empty effect is every effect, an empty key with
    Exists every key, Exists any value.
    """
    if present.get("effect") and present.get("effect") != wanted.get("effect"):
        return False
    if present.get("key") and present.get("key") != wanted.get("key"):
        return False
    if not _lasts(present, wanted):
        return False
    if present.get("operator") == "Exists":
        return True
    if not present.get("key") or wanted.get("operator") == "Exists":
        return False
    return (present.get("value") or "") == (wanted.get("value") or "")


def _lasts(present: Toleration, wanted: Toleration) -> bool:
    seconds = present.get("tolerationSeconds")
    return seconds is None or seconds == wanted.get("tolerationSeconds") or wanted.get("effect") != "NoExecute"


def missing(present: Iterable[Toleration], wanted: Iterable[Toleration]) -> list[Toleration]:
    """Return those of ``wanted`` that must be appended to ``present``, in order."""
    known = list(present)
    added = []
    for each in wanted:
        if not any(covers(other, each) for other in known):
            known.append(each)
            added.append(each)
    return added


def cut_short(present: Iterable[Toleration], wanted: Toleration) -> Toleration | None:
    """Return an existing toleration that matches the same NoExecute taint first, and only for some seconds.

    The first match decides (pkg/controller/tainteviction), so one that is appended does not lift its limit.
    """
    if wanted.get("effect") != "NoExecute":
        return None
    for each in present:
        unlimited = {key: value for key, value in each.items() if key != "tolerationSeconds"}
        if each.get("tolerationSeconds") is not None and covers(unlimited, wanted):
            return each
    return None


def shown(toleration: Toleration) -> str:
    """Return a toleration as kubectl shows a taint: ``key=value:Effect``."""
    key, value = toleration.get("key") or "every taint", toleration.get("value")
    effect = toleration.get("effect")
    return key + (f"={value}" if value else "") + (f":{effect}" if effect else "")
