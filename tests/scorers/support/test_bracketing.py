"""Cases that a claim describes by a figure, beside a rule with a bound: what goes for them, and what does not."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import judgement

POOL = (
    "Every swimmer aged nine and over needs a wristband. Groups of fifteen or more must book a lane. Lockers may be"
    " reopened free of charge up to 12 hours before closing. Later requests cost 7 EUR."
)
FERRY = (
    "Trailers longer than 6 m must be loaded at the rear ramp. Bikes are carried within 25 km of the coast. A meal"
    " voucher is issued for crossings that last more than one day. Luggage worth up to 90 EUR may be left on deck."
    " Luggage above that value must be locked away."
)
RIGHT = {
    "a case outside of a duty": (POOL, "No, a seven-year-old needs no wristband."),
    "a case within a duty": (POOL, "A ten-year-old needs a wristband."),
    "a case outside, told as permission": (POOL, "A group of eight does not have to book a lane."),
    "a case within, with more words": (FERRY, "An 8 m trailer must be loaded at the rear ramp."),
    "a denial outside of a distance": (FERRY, "40 km from the coast no bikes are carried."),
    "the bound itself is outside": (FERRY, "No, for a one-day crossing no meal voucher is issued."),
    "a sentence for the other side": (POOL, "A request three hours before closing costs 7 EUR."),
    "a sentence for what is above": (FERRY, "Luggage worth 200 EUR must be locked away."),
}
WRONG = {
    "a duty for a case outside": (POOL, "Yes, a seven-year-old needs a wristband."),
    "a case within is spared": (POOL, "A ten-year-old needs no wristband."),
    "a denial within": (FERRY, "10 km from the coast no bikes are carried."),
    "the bound itself is taken in": (FERRY, "Yes, for a one-day crossing a meal voucher is issued."),
    "another value of a case outside": (POOL, "A request three hours before closing costs 9 EUR."),
    "a bound waived": (FERRY, "Trailers of 2 m must be loaded at the rear ramp even if they are not longer than 6 m."),
}


def label(passage: str, answer: str) -> str:
    """Return the label of an answer over one passage."""
    return judgement(Answer(id="a", answer=answer, passages=(Passage(id="p", text=passage),)), Memory()).label


@pytest.mark.parametrize("case", RIGHT)
def test_what_follows_for_a_case_from_the_bound_of_a_rule_is_supported(case: str) -> None:
    assert label(*RIGHT[case]) == "supported"


@pytest.mark.parametrize("case", WRONG)
def test_a_case_that_a_bound_puts_on_the_other_side_is_not_supported(case: str) -> None:
    assert label(*WRONG[case]) != "supported"


def test_a_value_is_no_case_of_the_bound_that_it_falls_under() -> None:
    passage = "A fee of up to 60 EUR is charged for late returns."
    assert label(passage, "A fee of 45 EUR is charged for late returns.") != "supported"
