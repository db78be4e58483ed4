"""Followers that select pods: PodDisruptionBudgets and Services. They need a look only where an option asks for it."""

from __future__ import annotations

from .budgets import follow_budgets
from .pods import Pods
from .services import follow_services

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from krmfn import KubeObject, ResourceList

    from ..fanout import Family
    from ..placement import Placement


def follow_pods(
    resources: ResourceList, families: Iterable[Family], placement: Placement, claimed: Collection[KubeObject] = ()
) -> None:
    """Let budgets and Services follow as the options say."""
    families = [family for family in families if family.placed]
    pods = Pods(families, placement.spec.fan_out.zone_label)
    follow_services(resources, pods, placement, claimed)
    follow_budgets(resources, families, pods, placement)
