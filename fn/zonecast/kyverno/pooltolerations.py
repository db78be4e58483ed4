"""The taints of a dedicated pool keep others out: a namespace that does not carry their label may not tolerate them.

The label of a namespace is the taint's own key and value, so that every Placement on the pool agrees about it.
"""

from __future__ import annotations

from . import samples
from .cel import covers, text
from .guard import Check, Guard, named, policy_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krmfn.scan import Data

    from .samples import Case

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


def guard(placement: str, tolerations: Sequence[dict[str, Data]], namespaces: Sequence[str]) -> Guard:
    """Return the guard of a pool, for all namespaces but those of the targets.

    Pods of DaemonSets are left out: they run on every node, and ``tolerateDaemonSets`` is about them.
    """
    shown = ", ".join(_label(each) for each in tolerations)
    made = Guard(
        policy_name(placement, "pool-tolerations"),
        title=f"Tolerations of the pool of {placement}",
        description=(
            "Pods may tolerate the taints of a dedicated pool, or every taint there is, only in a namespace that is "
            f"labelled for it: {shown}. Pods of DaemonSets may."
        ),
        subject="Pod",
        kinds=_KINDS,
        namespaces=named(*namespaces, other=True),
        checks=[_check(each) for each in tolerations],
    )
    made.severity = "high"
    made.variables = [("tolerations", _TOLERATIONS)]
    # Kubernetes itself updates them, to take a finalizer off for example: that must go through whatever they tolerate.
    made.once = ("Pod", "Job")
    made.conditions = [
        ("not-of-a-daemon-set", "!object.metadata.?ownerReferences.orValue([]).exists(o, o.kind == 'DaemonSet')"),
        ("tolerates", " || ".join(f"{_TOLERATIONS}.exists(t, {covers(each, always=False)})" for each in tolerations)),
    ]
    return made


def cases(placement: str, tolerations: Sequence[dict[str, Data]]) -> list[Case]:
    """Return pods and templates that tolerate the pool, in a namespace with its labels and in one without."""
    inside, outside = f"{placement}-inside", f"{placement}-outside"
    labels = {str(each["key"]): str(each.get("value") or "") for each in tolerations}
    everything = {"containers": samples.CONTAINERS, "tolerations": [{"operator": "Exists"}]}
    pool = {"containers": samples.CONTAINERS, "tolerations": [dict(each) for each in tolerations]}
    found = [
        samples.Sample(_pod("pool-may", inside, pool), "pass"),
        samples.Sample(_pod("everything-may", inside, everything), "pass"),
        samples.Sample(_pod("pool-must-not", outside, pool), "fail"),
        samples.Sample(_pod("everything-must-not", outside, everything), "fail"),
        samples.Sample(_cron_job("pool-must-not-later", outside, pool), "fail"),
    ]
    return [samples.Case(found, namespaces={inside: labels, outside: {}})]


def _pod(name: str, namespace: str, spec: dict[str, Data]) -> dict[str, Data]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def _cron_job(name: str, namespace: str, spec: dict[str, Data]) -> dict[str, Data]:
    template = {"spec": {**spec, "restartPolicy": "Never"}}
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"schedule": "@daily", "jobTemplate": {"spec": {"template": template}}},
    }


_TOLERATIONS = f"{_POD_SPEC}.?tolerations.orValue([])"


def _check(taint: dict[str, Data]) -> Check:
    key, value = text(taint["key"]), taint.get("value")
    label = f"namespaceObject.metadata.?labels[?{key}]"
    allowed = f"{label}.orValue('') == {text(value)}" if value else f"{label}.hasValue()"
    keeps_out = f"!variables.tolerations.exists(t, {covers(taint, always=False)})"
    others: dict[str, Data] = {"key": taint["key"], "operator": "NotIn", "values": [value]}
    if not value:
        others = {"key": taint["key"], "operator": "DoesNotExist"}
    message = f"tolerates {_label(taint)}, which is for namespaces with the label {_label(taint)}"
    return Check(f"{allowed} || {keeps_out}", message, outside=(keeps_out, others))


def _label(wanted: dict[str, Data]) -> str:
    return f"{wanted['key']}={wanted['value']}" if wanted.get("value") else str(wanted["key"])
