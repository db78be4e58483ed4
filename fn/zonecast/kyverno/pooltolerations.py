"""The taints of a dedicated pool keep others out: a namespace that does not carry their label may not tolerate them.

The label of a namespace is the taint's own key and value, so that every Placement on the pool agrees about it.
"""

from __future__ import annotations

from .guard import Check, Guard, named, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krmfn.scan import Data

_KINDS = [
    ("", "v1", "Pod"),
    ("apps", "v1", "Deployment"),
    ("apps", "v1", "StatefulSet"),
    ("batch", "v1", "Job"),
    ("batch", "v1", "CronJob"),
]
_POD_SPEC = (
    "(object.kind == 'Pod' ? object.spec : object.kind == 'CronJob' ? object.spec.jobTemplate.spec.template.spec : "
    "object.spec.template.spec)"
)


def guard(placement: str, tolerations: Sequence[dict[str, Data]], namespaces: Iterable[str]) -> Guard:
    """Return the guard of a pool, for all namespaces but those of the targets.

    Pods of DaemonSets are left out: they run on every node, and ``tolerateDaemonSets`` is about them.
    """
    shown = ", ".join(_label(each) for each in tolerations)
    made = Guard(
        f"{placement}-pool-tolerations",
        title=f"Tolerations of the pool of {placement}",
        description=(
            "Pods may tolerate the taints of a dedicated pool, or every taint there is, only in a namespace that is "
            f"labelled for it: {shown}. Pods of DaemonSets may."
        ),
        subject="Pod",
        kinds=_KINDS,
        namespaces=named(*sorted(set(namespaces)), other=True),
        checks=[
            Check(
                f"{_allowed(each)} || !variables.tolerations.exists(t, {_covers(each)})",
                f"tolerates {_label(each)}, which is for namespaces with the label {_label(each)}",
            )
            for each in tolerations
        ],
    )
    made.severity = "high"
    made.variables = [("tolerations", _TOLERATIONS)]
    # Kubernetes itself updates them, to take a finalizer off for example: that must go through whatever they tolerate.
    made.once = ("Pod", "Job")
    made.conditions = [
        ("not-of-a-daemon-set", "!object.metadata.?ownerReferences.orValue([]).exists(o, o.kind == 'DaemonSet')"),
        ("tolerates", " || ".join(f"{_TOLERATIONS}.exists(t, {_covers(each)})" for each in tolerations)),
    ]
    return made


_TOLERATIONS = f"{_POD_SPEC}.?tolerations.orValue([])"


def _covers(wanted: dict[str, Data]) -> str:
    """Return CEL for "the toleration ``t`` covers this taint"; the rule is the one of tolerations.py."""
    key, value, effect = text(wanted["key"]), text(wanted.get("value") or ""), text(wanted["effect"])
    return (
        f"t.?effect.orValue('') in ['', {effect}] && (t.?operator.orValue('') == 'Exists' ? "
        f"t.?key.orValue('') in ['', {key}] : t.?key.orValue('') == {key} && t.?value.orValue('') == {value})"
    )


def _allowed(wanted: dict[str, Data]) -> str:
    """Return CEL for "the namespace carries the taint as its label"."""
    label = f"namespaceObject.metadata.?labels[?{text(wanted['key'])}]"
    return f"{label}.orValue('') == {text(wanted['value'])}" if wanted.get("value") else f"{label}.hasValue()"


def _label(wanted: dict[str, Data]) -> str:
    return f"{wanted['key']}={wanted['value']}" if wanted.get("value") else str(wanted["key"])
