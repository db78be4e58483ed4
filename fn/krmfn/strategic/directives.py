"""What in a strategic merge patch is no field: the directives of Kubernetes (apimachinery, pkg/util/strategicpatch)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krmfn.scan import Data

PATCH, REPLACE, DELETE, MERGE = "$patch", "replace", "delete", "merge"
RETAIN = "$retainKeys"
ORDER = "$setElementOrder/"
DELETE_PRIMITIVES = "$deleteFromPrimitiveList/"
#: The entry of a list that makes the others take the place of those that are there.
WHOLE: dict[str, Data] = {PATCH: REPLACE}


def is_directive(key: str) -> bool:
    """Whether a key of a patch is no field."""
    return key[:1] == "$"
