"""Short answers to one or two plain sentences of a source, as assistants give them: right ones, and wrong ones."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_bracketing import label

KEYS = "A lost key must be reported to the porter within 12 hours. Spare keys and badges are kept by the porter."
LEAVE = "Care leave is 18 days, of which 6 must be taken in the first half of the year."
YARD = "There is no pick-up in July, and paint and batteries must not be thrown into the container."
MAIL = "Unknown mail should be sent on to the help desk. Do not click links or answer the writer."
BOATS = "Boats can be booked up to three weeks in advance. Bookings can be cancelled up to 6 hours in advance."
SPARE = "Up to four unused days can be carried over to the next year."
DROPS = "Use no more than five drops in 24 hours, and do not give them to children under 10."
BLOOD = "After a vaccination you must wait two months before giving blood."
SHRED = "Old files must be burnt in the cellar or handed to the archive."
TRAIN = "Large dogs travel in the baggage car, except guide dogs, which sit beside their owner free of charge."
ENTRY = "Entry is 14 EUR, and 9 EUR for pupils."
QUAY = "Guests may moor at the east quay free of charge for up to four hours."
BADGE = "An expired badge is renewed at the gate free of charge. A lost badge costs 15 EUR."
RIGHT = (
    (BADGE, "Badges are renewed at the gate."),
    (BADGE, "Expired badges are renewed at the gate; a lost badge costs 15 EUR."),
    (KEYS, "Report it to the porter within 12 hours."),
    (KEYS, "You must report your key to the porter within 12 hours."),
    (LEAVE, "The other 12 days can be taken later."),
    (YARD, "Paint must not be thrown into the container."),
    (BOATS, "No, you can't book a boat two months in advance."),
    (BOATS, "You can cancel a booking a day in advance."),
    (SPARE, "No, you can't carry over nine days."),
    (DROPS, "No, an eight-year-old must not be given the drops."),
    (BLOOD, "Not yet, you have to wait two months after a vaccination."),
    (SHRED, "You can hand them to the archive."),
    (TRAIN, "Guide dogs sit beside their owner for free."),
    (ENTRY, "14 EUR, or 9 EUR for pupils."),
    (QUAY, "Yes, guests can moor for free for up to four hours."),
)
WRONG = (
    (BADGE, "Expired badges are renewed at the gate for a fee."),
    (QUAY, "Guests can moor at the east quay all day."),
    (QUAY, "Yes, guests can moor for free all day."),
    (LEAVE, "Care leave is 12 days."),
    (YARD, "You may throw paint into the container."),
    (MAIL, "Click the link to see where it leads."),
    (BOATS, "You can book a boat two months in advance."),
    (BOATS, "You can cancel a booking one hour in advance."),
    (SPARE, "You can carry over nine days."),
    (DROPS, "An eight-year-old can be given the drops."),
    (BLOOD, "You have to wait two months before a vaccination."),
    (TRAIN, "Guide dogs travel in the baggage car."),
)


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case[1])
def test_a_right_answer_is_supported(case: tuple[str, str]) -> None:
    assert label(*case) == "supported"


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case[1])
def test_a_wrong_answer_is_contradicted(case: tuple[str, str]) -> None:
    assert label(*case) == "contradicted"
