"""Answers that leave out what their question says: a day, a verb, a thing."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge

HOURS = (
    "The Central Library is open Monday to Friday from 9 am to 8 pm and on Saturday from 10 am to 4 pm. On Sundays the"
    " Central Library is closed."
)
CAFE = "The café in the library is open every day from 10 am to 6 pm."


def _label(passages: tuple[str, ...], question: str, answer: str) -> str:
    given = tuple(Passage(id=f"p-{at}", text=text) for at, text in enumerate(passages))
    found = judge(Answer(id="a", question=question, answer=answer, passages=given), Memory())
    assert isinstance(found, Judgement)
    return found.label


@pytest.mark.parametrize(
    ("question", "wrong", "right"),
    [
        ("Is the Central Library open on Sundays?", "Yes, from 10 am to 4 pm.", "No, it is closed on Sundays."),
        ("When is the library open on Sundays?", "From 10 am to 4 pm.", "It is closed on Sundays."),
        ("When is the library open on Saturday?", "It is open from 9 am to 8 pm.", "It is open from 10 am to 4 pm."),
        ("When is the library open on Saturdays?", "From 9 am to 8 pm.", "From 10 am to 4 pm."),
        ("How late is it open on weekdays?", "Until 4 pm.", "Until 8 pm."),
    ],
)
def test_times_without_a_day_are_those_of_the_day_that_is_asked_about(question: str, wrong: str, right: str) -> None:
    assert _label((HOURS,), question, wrong) == "contradicted"
    assert _label((HOURS,), question, right) == "supported"


def test_hours_of_something_else_are_not_held_against_the_day_that_is_asked_about() -> None:
    assert _label((HOURS, CAFE), "When is the café open on Sundays?", "From 10 am to 6 pm.") == "supported"


@pytest.mark.parametrize(
    ("passage", "question", "answer"),
    [
        (
            "You may withdraw from the contract within 14 days of receiving the policy documents.",
            "Can I withdraw from the contract?",
            "Yes, within 14 days of receiving the policy documents.",
        ),
        (
            "You may terminate the policy early after receiving our written consent.",
            "May I terminate the policy early?",
            "Yes, after receiving our written consent.",
        ),
        (
            "You may decline the ticket within 24 hours of accepting the offer.",
            "Can I decline my ticket?",
            "Within 24 hours of accepting the offer.",
        ),
    ],
)
def test_a_time_alone_denies_nothing_of_the_verb_that_stands_in_the_question(
    passage: str, question: str, answer: str
) -> None:
    assert _label((passage,), question, answer) == "supported"


@pytest.mark.parametrize(
    "rule",
    [
        "Theft is covered if you report it to the police and to us.",
        "Pre-existing conditions are covered if you declared them and we confirmed cover in writing.",
        "The deposit is returned once the keys are back and the flat has been inspected.",
    ],
)
def test_one_of_two_conditions_is_not_both(rule: str) -> None:
    other = rule.replace(" and ", " or ")
    assert _label((rule,), "What does it say?", other) == "contradicted"
    assert _label((rule,), "What does it say?", rule) == "supported"
    assert _label((other,), "What does it say?", other) == "supported"


TRIP = "A single trip may last at most 62 days."


@pytest.mark.parametrize(
    ("passages", "question", "answer", "wrong"),
    [
        ((TRIP,), "Can I travel for 90 days?", "Yes, you can travel for 90 days.", True),
        ((TRIP,), "Is a trip of 70 days covered?", "Yes, a trip of 70 days is covered.", True),
        ((TRIP,), "Can I travel for 50 days?", "Yes, you can travel for 50 days.", False),
        ((TRIP, "The gold policy covers trips of up to 120 days."), "Can I travel for 90 days?",
         "Yes, with the gold policy you can travel for 90 days.", False),
        (("Bags of up to 20 kg are free of charge.",), "Can I bring a bag of 30 kg?",
         "Yes, you can bring a bag of 30 kg.", False),
        (("A stay may last at most 14 nights. For longer stays, ask the manager.",), "Can I stay for 20 nights?",
         "Yes, you can stay for 20 nights if you ask the manager.", False),
    ],
)  # fmt: skip
def test_more_than_the_one_limit_is_not_granted(
    passages: tuple[str, ...],
    question: str,
    answer: str,
    *,
    wrong: bool,
) -> None:
    assert (_label(passages, question, answer) == "contradicted") == wrong
