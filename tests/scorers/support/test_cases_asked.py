"""What a question says of its case, keys before values, and what goes to whom: wrong answers beside right ones."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import judgement

PRICES = "Boat hire. Kayaks: 12 EUR an hour. Canoes and dinghies: 18 EUR an hour. Rafts: 40 EUR an hour."
GRANTS = "Grants are paid only if the report was filed. A project may be extended unless its budget is spent."
CREW = "The meeting point is the harbour gate for the morning crew and the old mill for the evening crew."
LETTERS = "If the agency moves, it notifies the council. The council tells parents the outcome each June."

PAIRS = {
    "value of another key": (PRICES, None, "Kayaks can be hired for 18 EUR an hour.", "A kayak costs 12 EUR an hour."),
    "one of two in a key": (
        PRICES,
        None,
        "You pay 12 EUR an hour for dinghies.",
        "You pay 18 EUR an hour for dinghies.",
    ),
    "group of another part": (
        CREW,
        None,
        "The meeting point for the evening crew is the harbour gate.",
        "The meeting point for the evening crew is the old mill.",
    ),
    "condition that the asker denies": (
        GRANTS,
        "We never filed the report. Is the grant paid?",
        "Yes, the grant is paid.",
        "No, the grant is not paid.",
    ),
    "exception that the asker is in": (
        GRANTS,
        "Our budget is spent. Can the project be extended?",
        "Yes, the project may be extended.",
        "No, the project may not be extended.",
    ),
    "particle against its own words": (
        "Camp fires are not allowed on the beach. Grills can be borrowed.",
        "Are camp fires allowed?",
        "Yes, camp fires are not allowed.",
        "No, camp fires are not allowed.",
    ),
    "particle against what goes for several": (
        "Scooters and bikes are not allowed in the arcade.",
        "Can I ride my scooter in there?",
        "Yes, scooters and bikes are not allowed in the arcade.",
        "No, scooters and bikes are not allowed in the arcade.",
    ),
    "only some of every one": (
        "Only wardens open the hide, and every visit is logged.",
        None,
        "Only some of the visits are logged.",
        "All visits are logged.",
    ),
    "unit of length": (
        "Each further kilometre costs 0.40 USD.",
        None,
        "Each further mile costs 0.40 USD.",
        "Each further kilometre costs 0.40 USD.",
    ),
    "member of what is excluded": (
        "Tents, wet suits and wear of ropes are excluded.",
        None,
        "Wet suits are covered.",
        "Wet suits are not covered.",
    ),
    "who hears from whom": (
        LETTERS,
        None,
        "The council hears the outcome from parents each June.",
        "Parents hear the outcome from the council each June.",
    ),
    "who stands behind a pronoun": (
        LETTERS,
        None,
        "If the agency moves, the council notifies the agency.",
        "If the agency moves, the agency notifies the council.",
    ),
    "beginning of a period": (
        "The summer timetable applies from 20 April to 30 September.",
        None,
        "The summer timetable runs from 20 May to 30 September.",
        "The summer timetable runs from 20 April to 30 September.",
    ),
    "no to what is said": (
        "Returns with damage are refused and recorded in the file.",
        "Do you refuse a return that is dented?",
        "No, returns with damage are not refused, but they are recorded in the file.",
        "Yes, returns with damage are refused.",
    ),
    "before what it comes after": (
        "Access to the archive is granted after the reader has passed the safety briefing.",
        "When do I get into the archive?",
        "You get in before passing the safety briefing.",
        "You get in after passing the safety briefing.",
    ),
}


def label(passage: str, question: str | None, answer: str) -> str:
    """Return the label of an answer over one passage."""
    passages = (Passage(id="p", text=passage),)
    return judgement(Answer(id="a", question=question, answer=answer, passages=passages), Memory()).label


@pytest.mark.parametrize("name", PAIRS)
def test_a_wrong_answer_is_contradicted_and_the_right_one_beside_it_is_not(name: str) -> None:
    passage, question, wrong, right = PAIRS[name]
    assert label(passage, question, wrong) == "contradicted"
    assert label(passage, question, right) != "contradicted"


RIGHT = {
    "no beside what is limited": (
        "Parking is free on weekdays. At weekends it costs 5 EUR.",
        "Is parking free?",
        "No, parking is free on weekdays.",
    ),
    "yes beside what is denied of a part": (
        "Luggage is insured. It is not insured abroad.",
        "Is my luggage insured?",
        "Yes, but luggage is not insured abroad.",
    ),
    "a case for which there is a rule of its own": (
        "Items can be exchanged if you have the receipt. Without the receipt, items can be exchanged for vouchers.",
        "I have no receipt. Can I exchange the item?",
        "Yes, items can be exchanged for vouchers.",
    ),
    "costs nothing": (
        "You may ask for a copy of your file at any time, free of charge.",
        "Is a copy of my file free?",
        "Yes, you may ask for a copy of your file at any time, and it costs you nothing.",
    ),
    "no fee applies": (
        "You can repay the loan at any time without a fee.",
        None,
        "You may pay off the loan whenever you like, and no fee applies.",
    ),
    "a verb in the other clause": (
        "A storm warning suspends all tours.",
        None,
        "While a storm warning is in place, all tours are suspended.",
    ),
    "free to do it": (
        "Volunteers: 30 EUR a day, paid monthly, which may be split into two parts.",
        None,
        "A volunteer is free to divide it into two parts.",
    ),
    "without what there is none of": (
        "Day pass: 1 locker, no towel. Year pass: 1 locker and 2 towels.",
        None,
        "The day pass comes without a towel.",
    ),
    "all of it in another row": (
        "Delay of 15 to 59 minutes: 25% of the fare. Delay of 60 minutes or more: 100% of the fare.",
        "My ferry was 80 minutes late. What do I get?",
        "You get the whole fare back, because the delay was over an hour.",
    ),
    "until the end of what opens earlier": (
        "Online check-in opens 48 hours before departure and closes 60 minutes before.",
        "How late can I check in online?",
        "You can check in online until one hour before departure.",
    ),
    "two keys compared": (PRICES, None, "Rafts cost 40 EUR an hour, more than kayaks at 12 EUR."),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_of_these_shapes_is_not_contradicted(name: str) -> None:
    assert label(*RIGHT[name]) != "contradicted"
