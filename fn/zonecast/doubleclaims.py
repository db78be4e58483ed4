"""Two Placements that claim one workload: each would make copies of its own, and undo those of the other."""

from __future__ import annotations

from krmfn import ConfigError, ObjectError

from .origin import PLACEMENT, maker_of, origin_of
from .placement import API_VERSION, KIND, load
from .select import DEPLOYMENT, Matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krmfn import KubeObject, ResourceList

    from .fanout import Family
    from .placement import Placement, Spec


def check_maker(copies: Iterable[KubeObject], placement: Placement) -> None:
    """Raise ObjectError for a copy that another Placement made. One without a name cannot be told from others."""
    own = placement.name
    for copy in copies if own else ():
        origin = origin_of(copy)
        maker = maker_of(copy, origin) if origin is not None else ""
        if maker not in ("", own):
            message = (
                f'was fanned out by Placement "{maker}", and spec.zones of "{own}" claims it, too: exclude it in one of'
                f' them; or, if "{own}" is the new name of "{maker}", put that in its place here'
            )
            raise ObjectError(message, copy, f"metadata.annotations[{PLACEMENT}]")


def warn_of_others(resources: ResourceList, families: Iterable[Family], placement: Placement) -> None:
    """Warn of other Placements of the list that would fan out the same workloads.

    Whether they run over this list nobody can say here: an Error comes when they do.
    """
    for obj in resources.where(kind=KIND, group=API_VERSION.partition("/")[0]):
        spec = _spec(obj) if obj.name != placement.name else None
        if spec is None or not spec.zones:
            continue
        targets = [Matcher(each, DEPLOYMENT) for each in spec.targets] if spec.targets is not None else None
        unwanted = [Matcher(each, DEPLOYMENT) for each in spec.exclude or ()]
        for family in families:
            example = family.example
            wanted = family.kind == DEPLOYMENT if targets is None else any(each.matches(example) for each in targets)
            if wanted and not any(each.matches(example) for each in unwanted):
                message = (
                    f"{obj.describe()} has zones for {example.describe()} as well: only one of them can fan it out"
                )
                resources.results.warning(message, resources.config, "spec.zones")


def _spec(obj: KubeObject) -> Spec | None:
    """Return what another Placement says; None where it does not fit, which it says itself when it runs."""
    try:
        return load(obj).spec
    except ConfigError:
        return None
