"""How far apart two words stand in a context."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorers.support.context import FAR, GAP, nearest, reach

PLACES = st.sets(st.integers(0, 60), min_size=1, max_size=4)


def _bits(places: set[int]) -> int:
    return sum(1 << place for place in places)


@given(PLACES, PLACES)
def test_two_words_are_as_far_apart_as_the_nearest_of_their_places(first: set[int], second: set[int]) -> None:
    pairs = [(abs(other - one), min(one, other), other - one) for one in first for other in second]
    distance, _, signed = min(pairs)
    assert nearest(_bits(first), _bits(second)) == (signed if distance <= FAR else GAP)


@given(PLACES, PLACES)
def test_places_past_reach_do_not_change_what_is_nearest(first: set[int], second: set[int]) -> None:
    within = reach(_bits(first)) & _bits(second)
    assert nearest(_bits(first), within) == nearest(_bits(first), _bits(second))
