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
LIBRARY = (
    "A card costs 12 GBP a year for adults; it is free for under-18s. Loans must be returned within 14 days of issue."
)
KENNEL = (
    "Dogs up to 10 kg stay in the cabin. Larger dogs travel in the hold for 90 EUR. Staff with more than five years of"
    " service get 30 days of leave; all others get 27."
)
GATE = "Vehicles wider than 2.2 metres may not enter. Footage is stored for 35 days. Members vote from the age of 16."
CREW = "Those who join the crew must be between 18 and 35 years old."
RIGHT = {
    "a group by its age": (LIBRARY, "A card for your fourteen-year-old is free."),
    "an age alone": (LIBRARY, "At 17 you get the card for nothing."),
    "too late": (LIBRARY, "No, three weeks after issue it is too late to return a loan."),
    "in time": (LIBRARY, "A return ten days after issue is in time."),
    "a case told as a premise": (KENNEL, "My dog weighs 14 kg, so it travels in the hold."),
    "a price alone": (KENNEL, "A 25 kg dog costs 90 EUR."),
    "all others": (KENNEL, "With three years of service you get 27 days."),
    "what is wider than a bound": (GATE, "A van that is 2.4 metres wide may not enter."),
    "how old what is stored may be": (GATE, "Footage from 60 days ago is no longer stored."),
    "from an age on": (GATE, "At seventeen you have a vote."),
    "within a range of ages": (CREW, "At 25 you can join the crew."),
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
    "a group by its age": (LIBRARY, "A card for your nineteen-year-old is free."),
    "too late": (LIBRARY, "A return three weeks after issue is in time."),
    "what larger ones do": (KENNEL, "My dog weighs 8 kg, so it travels in the hold."),
    "what smaller ones do": (KENNEL, "A 14 kg dog stays in the cabin."),
    "the value of all others": (KENNEL, "With seven years of service you get 27 days."),
    "a value that all others do not get": (KENNEL, "With three years of service you get 30 days."),
    "what is wider than a bound": (GATE, "A van that is 2.4 metres wide may enter."),
    "not yet of an age": (GATE, "At fifteen you have a vote."),
    "past a range of ages": (CREW, "At 40 you can join the crew."),
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


WARDS = (
    "Staff must wash their hands before every contact, also when gloves were worn. On ward 2A masks are mandatory."
    " Guests over 55 may ask for a lift. Parties must be booked before they take place."
)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Do I wash my hands?", "Yes, wash your hands even if you wore gloves.", "supported"),
        ("Can I book a party afterwards?", "No, it must be booked before it takes place.", "supported"),
        ("Who gets a lift?", "Guests over 55 may ask for a lift.", "supported"),
        ("Is a mask mandatory on ward 2B?", "Yes, masks are mandatory on ward 2B.", "contradicted"),
    ],
)
def test_short_answers_to_a_question_are_held_against_the_rule(question: str, answer: str, expected: str) -> None:
    given = Answer(id="a", question=question, answer=answer, passages=(Passage(id="p", text=WARDS),))
    assert judgement(given, Memory()).label == expected
