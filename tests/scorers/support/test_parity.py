"""Turns of two clauses: what denies, what is an opposite, and whether they come to the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.support.contraries.reading import marks_of
from scorers.support.parity import compared, named_in

SAME = {
    "nothing turned": ("Guests may park here.", "Guests may park here."),
    "an opposite and a denial": ("Locked rooms are not cleaned.", "Unlocked rooms are cleaned."),
    "two denials": ("Nobody may swim without a cap.", "Swim with a cap."),
}
OPPOSITE = {
    "a denial": ("Guests may not park here.", "Guests may park here."),
    "an opposite": ("Unlocked rooms are cleaned.", "Locked rooms are cleaned."),
    "without": ("Swim without a cap.", "Swim with a cap."),
}


@pytest.mark.parametrize("case", SAME)
def test_turns_that_undo_each_other_leave_the_same(case: str) -> None:
    claim, told = SAME[case]
    found = compared(marks_of(claim), told)
    assert found is not None
    assert found.even


@pytest.mark.parametrize("case", OPPOSITE)
def test_one_turn_leaves_the_opposite(case: str) -> None:
    claim, told = OPPOSITE[case]
    found = compared(marks_of(claim), told)
    assert found is not None
    assert not found.even


def test_a_bound_is_no_opposite_of_another() -> None:
    found = compared(marks_of("Pay before arrival."), "Pay after arrival.")
    assert found is not None
    assert not found.opposed


WORDS = ("guests", "park", "free", "not", "no", "locked", "unlocked", "with", "without", "unless", "early")


@given(st.lists(st.sampled_from(WORDS)))
def test_a_text_says_what_it_says(words: list[str]) -> None:
    text = " ".join(words)
    found = compared(marks_of(text), text)
    assert found is None or (found.even and found.share == 1)
    assert (found is None) == (not named_in(marks_of(text)))
