"""What a question asks for, told by its words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorers.disagreement.asking import asked


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was the mill built?", "date"),
        ("What is the deadline for claims?", "date"),
        ("How many days of leave do I have?", "number"),
        ("What is the hotel limit per night?", "number"),
        ("hotel limit", "number"),
        ("What is reimbursed for meals?", "number"),
        ("What does the permit cost?", "number"),
        ("Who approves the order?", "who"),
        ("In which city is the head office?", "where"),
        ("What is Ann Roe's profession?", "what"),
        ("Which class is booked for short flights?", "what"),
        ("Which supplier delivers the pallets?", "what"),
        ("What does SFJ stand for?", "what"),
        ("May I smoke in the lobby?", "polar"),
    ],
)
def test_a_question_asks_for_one_value_or_yes_or_no(question: str, expected: str) -> None:
    assert asked(question).expected == expected


@pytest.mark.parametrize(
    "question",
    [
        "How do I reset my password?",
        "Why is the sky blue?",
        "What is parental leave?",
        "What does the travel policy say about hotels?",
        "What makes a good safety culture?",
        "What is the difference between a memo and a policy?",
        "What are the symptoms of flu?",
        "Which documents do I need?",
        "What happens after 90 days?",
        "benefits of hiking",
    ],
)
def test_a_way_a_reason_a_definition_and_a_list_are_no_one_value(question: str) -> None:
    assert asked(question).expected == "open"


def test_a_unit_that_is_asked_for_says_nothing_of_what_it_is_about() -> None:
    question = asked("How many days of annual leave do I have?")
    assert question.units == {"day"}
    assert "day" not in question.weights
    assert {"annual", "leav"} <= question.weights.keys()


def test_rare_words_weigh_more_than_common_ones() -> None:
    weights = asked("How long is the probation period at the restaurant?").weights
    assert weights["probation"] > weights["period"] > weights["restaurant"]


def test_a_question_weighs_the_same_in_every_process_although_sets_are_ordered_anew_in_each() -> None:
    found = asked("Do Bremen Kassel Dresden Leipzig schools close early when storms flood river bridges and tunnels?")
    ordered = sum(weight / 7 for weight in found.weights.values())
    shuffled = {stem: weight / 7 for stem, weight in found.weights.items()}
    assert replace(found, weights=shuffled).weight(frozenset(reversed(list(shuffled)))) == ordered
