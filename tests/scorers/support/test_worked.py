"""What an answer works out for the case of its question over several sentences, and its wrong twins."""

from __future__ import annotations

import pytest

from scorers.support.equations import equations_in
from tests.scorers.support.test_other_words import label_of

BAGS = "An additional bag costs EUR 55 online. Bags between 20 and 30 kg cost EUR 35 extra."
BIKES = "Bicycles are carried for CHF 12 each way and have to be announced two days ahead."
LEAVE = "Staff get 24 days of leave per calendar year. Who joins later gets one twelfth of it for each full month."
PASSES = "Day passes are sold in books of ten for GBP 14. One pass is valid for one car and one day."
PLANS = (
    "| Plan | Price per user/month |\n|---|---|\n| Team | $7 |\n| Firm | $12 |\n\nAnnual billing gives two months free."
)
RENT = "The deposit is two months' net rent and may be paid in three equal instalments."
STAY = "The club takes up to 90 boats. Each member may moor one boat."
LIMIT = "HR may refuse a second job if total working time would exceed 45 hours a week."
QUIT = "Either side may give three months' notice to the end of a month."
POINTS = "50 points are worth EUR 1. Points can be used from 200 points on."
PHASED = "A phased return may be agreed after absences of four weeks."

Case = tuple[str, str, str, object, object]
"""A context, a question, an answer, what it comes to, and what it does not."""

CASES: dict[str, Case] = {
    "the sum of what was told before": (
        BAGS,
        "Economy, one suitcase of 25 kg?",
        "You add a bag for EUR 55. As it weighs between 20 and 30 kg, EUR 35 come on top. That makes EUR {} in total.",
        90,
        95,
    ),
    "there and back": (
        BIKES,
        "Can I take my bike and return?",
        "That is CHF 12 each way, so CHF {} for a round trip.",
        24,
        36,
    ),
    "an equation": (LEAVE, "I start on 1 May.", "That is eight months, so 24 / 12 x 8 = {} days.", 16, 18),
    "months between two dates": (
        LEAVE,
        "I start on 1 May.",
        "From 1 May to 31 December it is {} months.",
        "eight",
        "six",
    ),
    "one for each day": (
        PASSES,
        "My parents visit for 2 weeks by car.",
        "They need one pass a day, so {} passes for two weeks.",
        14,
        12,
    ),
    "times a number told before": (
        PLANS,
        "We are 20, what is Firm a year if we pay annually?",
        "For 20 people Firm is $240 a month. Two months are free, so you pay for ten months: ${} a year.",
        "2,400",
        "2,600",
    ),
    "by a number without a unit": (
        RENT,
        "Net rent is 800.",
        "It is two months' net rent, so EUR {}.",
        "1,600",
        "2,400",
    ),
    "divided": (
        RENT,
        "Net rent is 600.",
        "It is two months' net rent, so EUR 1,200. You may pay three instalments of EUR {} each.",
        400,
        450,
    ),
    "what is left": (
        LIMIT,
        "May I work elsewhere on Saturdays?",
        "If you work 38 hours here, you'd have {} hours a week left for another job.",
        7,
        10,
    ),
    "months before another": (
        QUIT,
        "I leave at the end of March.",
        "Then notice has to be in by the end of {}.",
        "December",
        "October",
    ),
    "a rate as a worth": (POINTS, "What are my 1,500 points worth?", "Your 1,500 points are worth EUR {}.", 30, 300),
}


@pytest.mark.parametrize("case", CASES)
def test_what_an_answer_works_out_is_told(case: str) -> None:
    context, question, answer, right, _ = CASES[case]
    assert label_of(context, question, answer.format(right)) == "supported"


@pytest.mark.parametrize("case", CASES)
def test_what_it_does_not_come_to_is_not(case: str) -> None:
    context, question, answer, _, wrong = CASES[case]
    assert label_of(context, question, answer.format(wrong)) != "supported"


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("2 x 3.50 = 7.00", True),
        ("2 x 3.50 = 7.50", False),
        ("100 - 20 - 5 = 75 EUR", True),
        ("10 + 2 x 5 = 20", True),
        ("10 + 2 x 5 = 60", False),
        ("1,200 / 12 = 100 a month", True),
        ("20% of nothing, and 200 EUR - 10% = 180 EUR", True),
        ("28 / 12 \u00d7 8 \u2248 18.7 days", True),
        ("28 / 12 \u00d7 8 \u2248 19.7 days", False),
        ("4 x 30 minutes = 2 hours", True),
        ("6 divided by 4 makes 1.5", True),
    ],
)
def test_an_equation_holds_or_does_not(words: str, *, holds: bool) -> None:
    (found,) = equations_in(words)
    assert found.holds is holds


@pytest.mark.parametrize("words", ["The ratio is 3 / 0 = 3", "a = b", "v1.2 = stable", "x-ray = 5", "24/7", "2-3 days"])
def test_what_is_no_equation_is_none(words: str) -> None:
    assert equations_in(words) == ()


def test_an_answer_whose_own_equation_does_not_hold_is_contradicted() -> None:
    assert label_of(PASSES, "Two books?", "Two books are 2 x GBP 14 = GBP 38.") == "contradicted"
