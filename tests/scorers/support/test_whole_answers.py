"""Whole answers of several claims over several passages, some of which are of a sibling of what was asked about."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judgement

PAGES = """\
# Orchard season card

The Orchard card costs 84 EUR a season and admits one person to the garden on every open day. A guest may come along
twice. The card is sent by post within 10 days of payment.
---
# Glasshouse season card

The Glasshouse card costs 120 EUR a season and admits one person to the garden and the palm house on every open day. A
guest may come along five times. The card is picked up at the desk.
---
**Visiting**

**Dogs:** not allowed in the palm house. On a lead they are allowed in the orchard.

**Prams:** allowed everywhere. Please keep the paths free.

The garden opens from 9 a.m. to 6 p.m.
---
**Cancelling**

A season card can be cancelled within 14 days of payment. We keep 15 % of the price as a fee. After that we refund
nothing.
"""
ORCHARD = tuple(PAGES.split("---\n"))
ASKED = "I have the Orchard card, paid for on 3 April. How often may I bring a guest, and can I still cancel?"


def judged(answer: str, question: str = ASKED, passages: tuple[str, ...] = ORCHARD) -> Judgement:
    """Return the judgement of an answer over passages of a document each."""
    given = tuple(Passage(id=str(n), doc_id=f"d{n}", text=text) for n, text in enumerate(passages))
    return judgement(Answer(id="a", question=question, answer=answer, passages=given), Memory())


def labels(found: Judgement) -> list[str]:
    """Return the labels of the claims."""
    return [found.verdicts[index].label for index in found.claims]


def test_what_is_said_of_a_sibling_is_neither_told_nor_held_against_a_claim() -> None:
    own = judged(
        "A guest may come along twice. Dogs on a lead are allowed in the orchard. Prams are allowed everywhere."
    )
    assert labels(own) == ["supported"] * 3
    assert labels(judged("A guest may come along five times.")) == ["contradicted"]
    named = judged("A guest may come along five times.", "What does the Glasshouse card allow?")
    assert labels(named) == ["supported"]


def test_both_siblings_count_where_both_are_named() -> None:
    found = judged(
        "The Orchard card costs 84 EUR a season. The Glasshouse card costs 120 EUR. Prams are allowed everywhere."
    )
    assert labels(found) == ["supported"] * 3


@pytest.mark.parametrize("asked", ["What would the other one allow?", "Should I switch?", "Was erlaubt die andere?"])
def test_a_question_about_others_as_well_sets_none_aside(asked: str) -> None:
    found = judged("A guest may come along five times.", f"I have the Orchard card. {asked}")
    assert labels(found) == ["supported"]


def test_passages_that_share_a_word_of_their_headings_alone_are_no_siblings() -> None:
    aspects = (
        "# Season card: post\n\nThe card is sent by post within 10 days of payment. Lost letters are replaced.",
        "# Season card: lost property\n\nWhatever is found on the lawn is kept at the desk until the end of the month.",
    )
    found = judged("Found things are kept at the desk until the end of the month.", "When is it sent by post?", aspects)
    assert labels(found) == ["supported"]


@pytest.mark.parametrize(
    "answer",
    [
        # The fee of the question's own price, and the last day by its own date.
        "Cancel within 14 days, so by 17 April. Of the 84 EUR you lose 15 %, i.e. 12.60 EUR. You get back 71.40 EUR.",
        "Prams are allowed everywhere. Dogs may not enter the palm house. In the orchard they are allowed on a lead.",
        "It is open from 9 to 6. A guest may come along twice. The card comes by post within 10 days of payment.",
    ],
)
def test_no_claim_of_a_right_answer_is_flagged(answer: str) -> None:
    assert set(labels(judged(answer))) == {"supported"}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("A guest may come along twice. Prams are not allowed anywhere. The garden opens at 9 a.m.", 1),
        ("The card is sent within 10 days of payment. You can cancel within 30 days of payment. A fee is kept.", 1),
        ("Dogs are allowed in the palm house. Prams are allowed everywhere. A guest may come along twice.", 0),
    ],
)
def test_the_wrong_claim_among_right_ones_is_found(answer: str, wrong: int) -> None:
    found = labels(judged(answer))
    assert [label == "contradicted" for label in found] == [at == wrong for at in range(len(found))]


VISIT = ("Nothing to eat for 6 hours before the appointment. Clear drinks are fine until 2 hours before it.",)
LOAN = ("You may repay up to 10 % of the balance a year without a charge. Above that we charge 3 %.",)
PERMIT = ("Apply online no earlier than 60 days and no later than 20 days before the permit expires.",)
TINY = (f"The fee is 0.{'0' * 330}1 % of the sum.",)
QUERY = ("`query_limit` (milliseconds, default 0, off) stops a query that runs for longer.",)


@pytest.mark.parametrize(
    ("passages", "question", "answer", "label"),
    [
        (VISIT, "My appointment is at 3 pm. When may I last eat?", "You may eat until 9 am.", "supported"),
        (VISIT, "My appointment is at 3 pm. When may I last eat?", "You may eat until 11 am.", "contradicted"),
        (LOAN, "I owe 240,000 EUR. How much may I repay?", "You may repay 24,000 EUR without a charge.", "supported"),
        (LOAN, "I owe 240,000 EUR. How much may I repay?", "You may repay 28,000 EUR without a charge.", "unsupported"),
        (PERMIT, "My permit expires on 30 June. When do I apply?", "Apply between 1 May and 10 June.", "supported"),
        (PERMIT, "My permit expires on 30 June. When do I apply?", "Apply between 1 March and 10 June.", "unsupported"),
        # No calendar goes beyond the year 9999, and no sum is close to what is too large to be written.
        (PERMIT, "My permit expires on 9999-12-31. When do I apply?", "Apply by 2 March 2020.", "unsupported"),
        (TINY, "I owe 240,000 EUR. What does it cost?", "It costs 777 EUR.", "unsupported"),
        (
            QUERY,
            "How do I stop queries after 45 seconds?",
            "Set query_limit to 45000, in milliseconds.",
            "supported",
        ),
        (
            QUERY,
            "How do I stop queries after 45 seconds?",
            "Set query_limit to 450, in milliseconds.",
            "unsupported",
        ),
    ],
)
def test_what_a_rule_comes_to_in_the_case_of_a_question_is_founded(
    passages: tuple[str, ...], question: str, answer: str, label: str
) -> None:
    assert labels(judged(answer, question, passages)) == [label]


@pytest.mark.parametrize(
    ("told", "claim"),
    [
        (
            "The refund needs approval from both the warden and the bursar.",
            "Both your warden and the bursar approve it.",
        ),
        (
            "Open fires are not permitted, also not for short breaks.",
            "Open fires are not permitted, even for short breaks.",
        ),
        ("While we look into it, cardholders need not pay.", "You need not pay while the bank looks into it."),
        (
            "Residents may buy 30 vouchers a year, whether or not they own a boat.",
            "Residents may buy 30 vouchers a year.",
        ),
    ],
)
def test_what_a_sentence_says_aside_is_held_against_no_claim(told: str, claim: str) -> None:
    assert labels(judged(claim, "What applies?", (told,))) == ["supported"]
