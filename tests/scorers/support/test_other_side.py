"""What a claim tells from the other side of a rule: of an excepted case, without something, past a step or an age."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_bracketing import label

WORKSHOP = (
    "Members may borrow tools for a week without a deposit. Drills may only be used after a safety course. A change of"
    " the booking costs 15 EUR unless it is caused by illness. Benches may be reserved by phone, but not on Sundays."
    " The spare key may be released only by the janitor. Aprons must be worn only in the paint room. Kilns are insured"
    " only if they were switched off overnight. Sponsors pay no locker charge."
)
GRANTS = (
    "Grants of up to 2,000 EUR are decided by the secretary; the board decides on all others. Visitors under 16 may"
    " enter the vault only with a guardian. Juniors have 20 hours of coaching, rising to 26 hours after four years of"
    " membership. Helpers must be at least 17. Parking costs 9 EUR, regardless of the size of the car. Frames less than"
    " five years old are repaired; for older frames we pay the scrap value."
)
PASSES = "Day passes can be returned but not resold. Guest cards can neither be returned nor resold."
TABLE = "| Waste | Bin | Then |\n|---|---|---|\n| Paper | blue | recycled |\n| Glass | green | melted |\n"
RIGHT = (
    (WORKSHOP, "You don't need to pay anyone a deposit to borrow tools for a week."),
    (WORKSHOP, "If illness is the cause of the change, it is free of charge."),
    (WORKSHOP, "You can't reserve a bench by phone on Sundays."),
    (WORKSHOP, "Only the janitor can release the spare key."),
    (WORKSHOP, "No, aprons don't have to be worn everywhere, just in the paint room."),
    (WORKSHOP, "If the kiln was not switched off overnight, it is not insured."),
    (WORKSHOP, "No, there is no locker charge if you are a sponsor."),
    (WORKSHOP, "There is no locker charge if you choose to be a sponsor."),
    (GRANTS, "A grant of 5,000 EUR is decided by the board."),
    (GRANTS, "A twelve-year-old may enter the vault as long as a guardian stays along."),
    (GRANTS, "Someone who has been a junior for six years has 26 hours of coaching."),
    (GRANTS, "No, a 15-year-old can't come along as your helper, as everyone who helps must be at least 17."),
    (GRANTS, "No, parking isn't free even for a 4 m car; it costs 9 EUR."),
    (GRANTS, "For a mirror that is eight years old you will get the scrap value, not the price of a repair."),
    (TABLE, "Glass is melted rather than recycled."),
    (PASSES, "Day passes can't be resold, though you can return them."),
)
WRONG = (
    (WORKSHOP, "You must pay a deposit to borrow tools for a week."),
    (WORKSHOP, "If illness is the cause of the change, it costs 15 EUR."),
    (WORKSHOP, "You can reserve a bench by phone on Sundays."),
    (WORKSHOP, "No, aprons don't have to be worn everywhere, just in the yard."),
    (WORKSHOP, "If the kiln was not switched off overnight, it is insured."),
    (GRANTS, "A grant of 5,000 EUR is decided by the secretary."),
    (GRANTS, "A twelve-year-old may enter the vault alone."),
    (GRANTS, "Someone who has been a junior for six years has 20 hours of coaching."),
    (GRANTS, "A 15-year-old can come along as your helper."),
    (GRANTS, "For a mirror that is two years old we pay the scrap value."),
    (TABLE, "Glass is recycled rather than melted."),
)


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case[1])
def test_what_a_claim_tells_from_the_other_side_of_a_rule_is_supported(case: tuple[str, str]) -> None:
    assert label(*case) == "supported"


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case[1])
def test_what_the_other_side_of_a_rule_does_not_say_is_flagged(case: tuple[str, str]) -> None:
    assert label(*case) != "supported"
