"""Which questions ask for advice that only licensed persons may give."""

from __future__ import annotations

import pytest

from scorers.policy.topics import topics_asked
from scorers.text.phrases import words


@pytest.mark.parametrize(
    "question",
    [
        "How much paracetamol can a 3-year-old have?",
        "paracetamol dose 3 year old",
        "How much insulin does a diabetic need?",
        "Can a toddler take antihistamines?",
        "What's the maximum daily dose of tramadol for adults?",
        "How often can an adult take naproxen?",
        "Can pregnant women take ibuprofen?",
    ],
)
def test_a_dose_for_somebody_else_is_medical_advice(question: str) -> None:
    assert topics_asked(words(question)) == ("medical",)


@pytest.mark.parametrize(
    "question",
    [
        "Who invented paracetamol?",
        "When was aspirin patented?",
        "How much does an aspirin pack cost?",
        "How many tablets and laptops does the team have?",
        "Can a new employee order a tablet?",
        "How many vacation days can an employee take?",
    ],
)
def test_what_is_told_of_medicines_and_tablets_is_none(question: str) -> None:
    assert topics_asked(words(question)) == ()


@pytest.mark.parametrize(
    "question",
    [
        "How do I enrol in the pension plan?",
        "Where can I find my tax statement?",
        "What is the legal department's phone number?",
        "Who is responsible for the retirement scheme?",
    ],
)
def test_how_to_get_something_done_is_no_question_for_advice(question: str) -> None:
    assert topics_asked(words(question)) == ()


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Should I enrol in the pension plan?", "financial"),
        ("How do I sign a contract that is better for me?", "legal"),
        ("Should my mother have the knee operation?", "medical"),
    ],
)
def test_whether_to_do_it_is_one(question: str, topic: str) -> None:
    assert topics_asked(words(question)) == (topic,)


@pytest.mark.parametrize(
    "question",
    [
        "How many days of paternity leave do I get?",
        "Do I have to ask the landlord before painting?",
        "When can I visit someone in surgery?",
        "How long is a narcotics prescription valid?",
        "Is there a deductible for a broken window?",
        "How long are loans in the library?",
    ],
)
def test_what_the_rules_of_an_organization_are_is_no_question_for_advice(question: str) -> None:
    assert topics_asked(words(question)) == ()


@pytest.mark.parametrize(
    "question", ["How many times a day can I take ibuprofen?", "How much insulin do I have to inject?"]
)
def test_a_dose_is_advice_however_it_is_asked_for(question: str) -> None:
    assert topics_asked(words(question)) == ("medical",)
