"""Sentences of a context told word for word but for one small word, and such as change nothing."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge

CHANGED = {
    "order": ("Latecomers are admitted only during the interval.", "Latecomers are admitted only after the interval."),
    "row": ("Questions are taken in the first 30 minutes.", "Questions are taken in the last 30 minutes."),
    "bound": (
        "Bookings can be cancelled at no charge if the departure is at least seven days away.",
        "Bookings can be cancelled if the departure is at most seven days away.",
    ),
    "unit": ("Backups run every night at 1 a.m.", "Backups run every week at 1 a.m."),
    "rate": ("The grant pays 450 euros a month for two semesters.", "The grant pays 450 euros a semester."),
    "number": (
        "Requests for more than ten days must be submitted three months ahead.",
        "Requests for more than five days must be submitted three months ahead.",
    ),
    "exception": (
        "Consent is obtained 24 hours before the procedure, except in emergencies.",
        "Consent is obtained 24 hours before the procedure, including in emergencies.",
    ),
    "denial": ("Every change needs a second reviewer.", "Changes do not need a second reviewer."),
    "agent": ("Shipping costs for repairs are paid by us.", "Shipping costs for repairs are paid by the customer."),
}

SAME = {
    "another case of one list": (
        "Level 1 tickets are answered by the help desk, Level 2 tickets by the network team.",
        "Level 2 tickets are answered by the network team.",
    ),
    "two denials": ("The company lends no money for options.", "It doesn't lend money for options."),
    "denied of others": (
        "All staff except temporary workers complete the online course.",
        "Temporary workers do not complete the online course.",
    ),
    "a bound spelled otherwise": ("The load must not exceed six crates.", "The load is at most six crates."),
    "whether": (
        "Vaccines are quarantined if the fridge was warm for 15 minutes, and the pharmacist decides on their use.",
        "The pharmacist decides whether the vaccines are used.",
    ),
    "shares of one sum": (
        "Costs are allocated 70 percent by consumption and 30 percent by living area.",
        "Thirty percent of the costs depend on the living area.",
    ),
    "room for exceptions": (
        "Import duties are paid by the sender unless agreed otherwise.",
        "Import duties are paid by the sender by default.",
    ),
    "stays": ("Reference works may not be taken out of the reading room.", "Reference works stay in the reading room."),
}


def _label(passage: str, claim: str) -> str:
    found = judge(Answer(id="a", answer=claim, passages=(Passage(id="p", text=passage),)), Memory())
    assert isinstance(found, Judgement)
    return found.label


@pytest.mark.parametrize("case", CHANGED)
def test_a_copy_with_one_small_word_changed_is_contradicted(case: str) -> None:
    passage, claim = CHANGED[case]
    assert _label(passage, claim) == "contradicted"
    assert _label(passage, passage) == "supported"


@pytest.mark.parametrize("case", SAME)
def test_what_says_the_same_is_not_contradicted(case: str) -> None:
    passage, claim = SAME[case]
    assert _label(passage, claim) != "contradicted"
