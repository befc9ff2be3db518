"""Right answers over rules in other words than theirs are supported, and what is invented beside them is not."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Absent
from scorers.memory import Memory
from scorers.support.dialogue import act_of
from scorers.support.judgement import judge

RULES = (
    "Members may pause their contract once a year for at most eight weeks. A pause must be requested through the app at"
    " least 48 hours before it begins. Guests pay 15 euros per visit and must be accompanied by a member. The hotline"
    " is open around the clock. Late cancellations cost half of the fee, except for medical reasons."
)


def label(answer: str, question: str = "What are the rules?", rules: str = RULES) -> str:
    asked = Answer(id="a", question=question, answer=answer, passages=(Passage(id="p", text=rules),))
    found = judge(asked, Memory())
    return "nothing" if isinstance(found, Absent) else found.label


@pytest.mark.parametrize(
    "answer",
    [
        "You're allowed to put your membership on hold one time per year, for no longer than eight weeks.",
        "Please send in your request in the app two days before you'd like the break to start.",
        "He can visit for 15 euros, but only if a member comes with him.",
        "You can reach the hotline 24 hours a day.",
        (
            "Sure! Here's how it works:\n\n- You can freeze your contract for up to eight weeks, once each year.\n"
            "- Ask for it in the app, no later than two days ahead.\n\nEnjoy your break!"
        ),
    ],
)
def test_a_right_answer_in_other_words_is_supported(answer: str) -> None:
    assert label(answer) == "supported"


@pytest.mark.parametrize(
    "answer",
    [
        "Towels are provided free of charge at the entrance.",
        "Personal trainers are available on weekdays.",
        "The pause can be requested in the app, and new members get a free water bottle.",
    ],
)
def test_what_is_invented_is_flagged(answer: str) -> None:
    assert label(answer) == "unsupported"


@pytest.mark.parametrize(
    ("rules", "question", "right", "wrong"),
    [
        (
            "Monthly passes are transferable, except for discounted passes.",
            "Are passes transferable?",
            "Monthly passes can be transferred, but discounted passes can't.",
            "Monthly passes can be transferred, and so can discounted passes.",
        ),
        (
            "Medicines must not be flushed down the toilet.",
            "What do I do with medicines?",
            "Please don't flush medicines down the toilet.",
            "You may flush medicines down the toilet.",
        ),
        (
            "Some older meters have to be replaced, for which no charge is made.",
            "Do older meters have to be replaced?",
            "Some older meters have to be replaced, and it won't cost you anything.",
            "All older meters have to be replaced, and it won't cost you anything.",
        ),
        (
            "Part-time staff cannot be obliged to work overtime.",
            "Must I work overtime?",
            "Part-time staff don't have to work overtime.",
            "Part-time staff have to work overtime.",
        ),
    ],
)
def test_a_rewording_is_told_from_a_contradiction(rules: str, question: str, right: str, wrong: str) -> None:
    assert label(right, question, rules) == "supported"
    assert label(wrong, question, rules) == "contradicted"


@pytest.mark.parametrize(
    "sentence",
    [
        "Get well soon!",
        "Enjoy your stay!",
        "I'm not a doctor and can't make a diagnosis.",
        "No, I can't do that - customer credentials are confidential.",
        "Whether you can sue isn't covered by the house rules.",
        "Your team lead is the one to ask.",
        "I'd check with the person in charge.",
    ],
)
def test_wishes_refusals_and_referrals_claim_nothing(sentence: str) -> None:
    assert act_of(sentence) != "claim"


def test_a_place_to_look_claims_something_but_where_there_is_no_answer() -> None:
    pointer = "You can check your balance in the app."
    assert label(pointer) != "nothing"
    assert label(f"I have no access to balances. {pointer}") == "nothing"
