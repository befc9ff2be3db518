"""What a statement seems to say against a claim and does not: it speaks of another case, tells an end, or advises."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import judgement

RIGHT = {
    "the case is told beside it": (
        "Domestic orders are kept for 9 days. International ones are kept for 16 days and then sent back.",
        "How long are international orders kept?",
        "An international order is kept for 16 days.",
    ),
    "the thing is named before a pronoun": (
        "Ponies stay in the paddock for 3 hours. For goats it is 5 hours.",
        "How long may a goat stay in the paddock?",
        "A goat stays in the paddock for 5 hours.",
    ),
    "an end told as a beginning": (
        "The upper gate closes at 21:00. The lower gate closes at 23:30.",
        "When does the lower gate close?",
        "The lower gate is open until 23:30.",
    ),
    "no use before, told as not until": (
        "Climbers complete a safety briefing before they enter the tower. Chalk is sold at the desk.",
        "When may I enter the tower?",
        "You can't enter the tower until you have completed the safety briefing.",
    ),
    "an opposite, denied": (
        "The club insures kayaks kept in a covered shed. Oars are lent for free.",
        "Are kayaks insured?",
        "Kayaks kept in an uncovered shed are not insured.",
    ),
    "a time outside hours, denied": (
        "Warm soup is ladled out in the foyer from 12:15 to 14:30. Bread is free.",
        "Can I get warm soup at 16:00?",
        "No, there is no warm soup in the foyer at 16:00.",
    ),
    "a time of a night": (
        "Porters are paid double only between 11 p.m. and 5 a.m. or when no relief has come.",
        "Is a shift at 1 a.m. paid double?",
        "Yes, porters are paid double at 1 a.m.",
    ),
    "the least notice of a withdrawal": (
        "Rehearsal rooms can be cancelled up to 36 hours in advance. Later, they are charged.",
        "When can I cancel a rehearsal room?",
        "You can cancel a rehearsal room at least 36 hours ahead.",
    ),
    "the largest, where more is denied": (
        "A crate must not weigh over 35 kg. Crates are collected at the gate on Mondays.",
        "How heavy may a crate be?",
        "The heaviest crate you can send weighs 35 kilograms.",
    ),
    "without, denied": (
        "Diving without a lamp is permitted in the lagoon. The wreck is closed.",
        "May I take a lamp?",
        "Diving with a lamp is not permitted in the lagoon.",
    ),
    "an exception by its opposite": (
        "Unsealed paints cannot be exchanged unless they are faulty.",
        "Can I exchange paint?",
        "Without a fault, unsealed paints cannot be exchanged.",
    ),
    "advice is no duty": (
        "A helmet is mandatory on the ice. A mouth guard is recommended for training.",
        "Do I have to wear a mouth guard for training?",
        "No, it's only a recommendation.",
    ),
    "a heading states nothing": (
        "## Shared lockers\n\nShared lockers are forbidden, except for tools that cannot be carried home.",
        "May we share a locker?",
        "Shared lockers are forbidden.",
    ),
    "an exception named as one": (
        "Drones are forbidden in the park, except for drones of the rangers.",
        "Are there exceptions?",
        "The only exception is drones of the rangers.",
    ),
    "only from a bound on": (
        "A permit is required for every tent above 20 m2.",
        "Do I need a permit for my tent?",
        "No: a permit is only required for tents above 20 m2.",
    ),
    "the first of two without a word between them": (
        "Workshops count towards the diploma, guided tours do not.",
        "Do workshops count?",
        "Only workshops count towards the diploma; guided tours do not.",
    ),
    "a condition told as a duty beside it": (
        "The kiln is used only by members of the club, and only with the consent of the potter.",
        "Who may use the kiln?",
        "The kiln is only used by members of the club, and the potter must consent to it.",
    ),
    "a head is a person": (
        "Group dinners cost 18 EUR a head.",
        "What does a group dinner cost?",
        "A group dinner costs EUR 18 per person.",
    ),
}
WRONG = {
    "a time outside hours": (
        "Warm soup is ladled out in the foyer from 12:15 to 14:30. Bread is free.",
        "Can I get warm soup at 16:00?",
        "Yes, warm soup is ladled out in the foyer at 16:00.",
    ),
    "the least notice of a booking": (
        "Rehearsal rooms can be booked up to four weeks in advance. Later, they are let to others.",
        "When can I book a rehearsal room?",
        "You have to book a rehearsal room at least four weeks ahead.",
    ),
    "the value of the other case": (
        "Domestic orders are kept for 9 days. International ones are kept for 16 days and then sent back.",
        "How long are domestic orders kept?",
        "A domestic order is kept for 16 days.",
    ),
    "another end": (
        "The upper gate closes at 21:00. The lower gate closes at 23:30.",
        "When does the upper gate close?",
        "The upper gate is open until 22:00.",
    ),
    "an opposite, not denied": (
        "The club insures kayaks kept in a covered shed. Oars are lent for free.",
        "Are kayaks insured?",
        "The club insures kayaks kept in an uncovered shed.",
    ),
    "a beginning told as the end of another part": (
        "The lambing season begins five weeks before the fair and ends nine weeks after the thaw.",
        "When does the lambing season begin?",
        "The lambing season begins five weeks after the fair.",
    ),
    "the exception denied": (
        "Unsealed paints cannot be exchanged unless they are faulty.",
        "Can I exchange paint?",
        "Faulty unsealed paints cannot be exchanged.",
    ),
    "a duty told as advice": (
        "A helmet is mandatory on the ice. A mouth guard is recommended for training.",
        "Do I have to wear a helmet on the ice?",
        "No, a helmet is optional on the ice.",
    ),
    "another bound": (
        "A permit is required for every tent above 20 m2.",
        "Do I need a permit for my tent?",
        "A permit is only required for tents above 30 m2.",
    ),
    "the second of two without a word between them": (
        "Workshops count towards the diploma, guided tours do not.",
        "Do guided tours count?",
        "Guided tours count towards the diploma.",
    ),
    "a condition told as a duty to another": (
        "The kiln is used only by members of the club, and only with the consent of the potter.",
        "Who may use the kiln?",
        "The kiln is only used by members of the club, and the treasurer must consent to it.",
    ),
    "a night is no person": (
        "Group dinners cost 18 EUR a head.",
        "What does a group dinner cost?",
        "A group dinner costs EUR 18 per night.",
    ),
}


def label(case: tuple[str, str, str]) -> str:
    """Return the label of an answer."""
    passage, question, answer = case
    passages = (Passage(id="p", text=passage),)
    return judgement(Answer(id="a", question=question, answer=answer, passages=passages), Memory()).label


@pytest.mark.parametrize("case", RIGHT)
def test_what_is_said_of_another_case_is_not_held_against_a_claim(case: str) -> None:
    assert label(RIGHT[case]) == "supported"


@pytest.mark.parametrize("case", WRONG)
def test_the_value_of_another_case_is_held_against_a_claim(case: str) -> None:
    assert label(WRONG[case]) != "supported"
