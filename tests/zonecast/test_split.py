"""Replicas are shared out by weight, whole and exact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zonecast.split import Sharing, scaled_down, scaled_up, split

totals = st.integers(0, 10_000)
weights = st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any)


@pytest.mark.parametrize(
    ("total", "shares"), [(7, [3, 2, 2]), (2, [1, 1, 0]), (1, [1, 0, 0]), (0, [0, 0, 0])]
)
def test_remainder_goes_to_earlier_zones(total: int, shares: list[int]) -> None:
    """7 replicas over three equal zones are 3, 2, 2: the first zones take the rest."""
    assert split(total, [1, 1, 1]) == shares


@pytest.mark.parametrize(
    ("total", "by", "shares"),
    [(7, [3, 2, 1], [4, 2, 1]), (10, [1, 1, 2], [3, 2, 5]), (5, [0, 1], [0, 5]), (3, [100, 1], [3, 0])],
)
def test_largest_remainder_by_weight(total: int, by: list[int], shares: list[int]) -> None:
    """Each zone gets the whole part of its share, the largest remainders get the rest, ties the earlier."""
    assert split(total, by) == shares


@given(totals, weights)
def test_shares_add_up_exactly(total: int, by: list[int]) -> None:
    """No replica is lost or made up."""
    assert sum(split(total, by)) == total


@given(totals, weights)
def test_shares_are_within_one_of_the_exact_share(total: int, by: list[int]) -> None:
    """A share is the exact one rounded up or down: nobody is cut for another's sake."""
    whole = sum(by)
    for share, weight in zip(split(total, by), by):
        assert total * weight // whole <= share <= -(-total * weight // whole)


@given(totals, weights)
def test_weight_0_gets_nothing(total: int, by: list[int]) -> None:
    """A zone of weight 0 has no replica, however large the remainder."""
    assert all(not share for share, weight in zip(split(total, by), by) if not weight)


@given(totals, weights)
def test_heavier_zones_get_no_less(total: int, by: list[int]) -> None:
    """Shares follow the weights, and of two equal zones the earlier has as much or one more."""
    shares = split(total, by)
    for i, (share, weight) in enumerate(zip(shares, by)):
        for other, other_weight in zip(shares[i + 1 :], by[i + 1 :]):
            if weight > other_weight:
                assert share >= other
            elif weight == other_weight:
                assert other <= share <= other + 1


@given(totals, st.integers(1, 12))
def test_equal_zones_never_shrink_as_the_total_grows(total: int, zones: int) -> None:
    """One replica more takes none away from a zone, so minimum and maximum of an autoscaler stay in order."""
    before, after = split(total, [1] * zones), split(total + 1, [1] * zones)
    assert all(one <= other for one, other in zip(before, after))


@given(totals, weights, st.integers(1, 9))
def test_only_the_ratio_of_weights_counts(total: int, by: list[int], factor: int) -> None:
    """3:2:1 is 30:20:10."""
    assert split(total, by) == split(total, [weight * factor for weight in by])


@given(totals, weights)
def test_other_order_moves_only_the_remainder(total: int, by: list[int]) -> None:
    """Zones in another order: a zone's share changes by one at most."""
    turned = by[1:] + by[:1]
    shares, others = split(total, by), split(total, turned)
    assert all(abs(one - other) <= 1 for one, other in zip(shares[1:] + shares[:1], others))


@given(st.integers(0, 100), st.integers(0, 1000), st.integers(0, 1000))
def test_a_figure_is_scaled_like_a_percentage(figure: int, share: int, rest: int) -> None:
    """Rounded up or down, as Kubernetes rounds percentages; without a total a figure stays."""
    total = share + rest
    up, down = scaled_up(figure, share, total), scaled_down(figure, share, total)
    if total:
        assert down * total <= figure * share <= up * total
        assert up - down == bool(figure * share % total)
    else:
        assert up == down == figure


@given(st.integers(0, 500), st.lists(st.integers(0, 3), min_size=2, max_size=6), st.integers(1, 5))
def test_what_is_left_after_a_zone_loss(total: int, weights: list[int], lost: int) -> None:
    """ZoneLoss: without any ``lost`` of the zones the others still hold the total, and with one replica less they do not."""
    used = sum(1 for weight in weights if weight)
    if used <= lost:
        return
    shares = Sharing("ZoneLoss", weights, lost)(total)
    left = sorted(share for share, weight in zip(shares, weights) if weight)[: used - lost]
    assert sum(left) >= total
    assert not total or (max(shares) - 1) * (used - lost) < total
    assert all(not share for share, weight in zip(shares, weights) if not weight)


def test_each_zone_has_the_figure() -> None:
    """Each: every zone that takes part has the source's figure."""
    assert Sharing("Each", [1, 5, 0], 1)(4) == [4, 4, 0]
