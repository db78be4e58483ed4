"""All copies of a source are there: one that somebody deleted is a zone without pods."""

from __future__ import annotations

from .guard import Check, plural, text, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Copies, Guard


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
    made.admission = False
    return made
