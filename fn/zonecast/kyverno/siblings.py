"""All copies of a source are there: one that somebody deleted is a zone without pods."""

from __future__ import annotations

from . import samples
from .cel import text, texts
from .guard import Check, Listing, list_path, plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Copies, Guard
    from .samples import Case


def guard(copies: Copies) -> Guard:
    """Return the guard. It looks at the cluster from time to time: during a first sync copies are missing."""
    group, version, kind = copies.kind
    absent = f"{texts(copies.names)}.filter(name, !(name in variables.present))"
    complete = Check(
        f"{absent} == []", f"'copies of {copies.source} are missing: ' + {absent}.join(', ')", computed=True
    )
    description = "Every copy of the source is there, so that no zone goes without. Reported on the copies that are."
    made = copies.guard("siblings", "Siblings", description, complete)
    listed = f"resource.List({text(f'{group}/{version}')}, {text(plural(kind))}, {text(copies.namespace)})"
    made.variables = [("present", f"dyn({listed}.items).map(each, string(each.metadata.name))")]
    made.listing = Listing(copies)
    made.admission = False
    return made


def cases(copies: Copies) -> list[Case]:
    """Return a copy beside all others, and one beside all but the last; none of a Rollout.

    The CLI lists kinds of Kubernetes alone, and breaks off at others (1.19).
    """
    group, version, kind = copies.kind
    if group != "apps":
        return []
    found = []
    for name, result, there in (("", "pass", copies.names), ("missing", "fail", copies.names[:-1])):
        context = [
            {
                "apiVersion": f"{group}/{version}",
                "kind": kind,
                "metadata": {"name": each, "namespace": copies.namespace},
            }
            for each in [*there, "another-application"]
        ]
        responses = {list_path(copies.kind, copies.namespace): {"items": context}}
        sample = samples.Sample(samples.copy(copies, f"siblings-{name or 'complete'}"), result)
        found.append(samples.Case([sample], name=name, context=context, responses=responses))
    return found
