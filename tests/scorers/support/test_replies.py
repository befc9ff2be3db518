"""Answers as people get them: a yes alone, figures alone, greetings, regrets, offers, lists, bold and quotes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.claims import claims_of
from scorers.support.judgement import Judgement, judge

MISSED = 0.06
"""Share of the answers below that are not told: they take a step of reasoning, or one word alone is invented."""


@cache
def replies() -> tuple[tuple[str, str, str, str], ...]:
    """Return whether each is right, its question, the answer and the passage."""
    found = []
    for block in (Path(__file__).parent / "replies.txt").read_text(encoding="utf-8").strip().split("\n\n"):
        passage, *lines = block.splitlines()
        for line in lines:
            kind, question, said = line.split(" | ")
            found.append((kind, question, said.replace("\\n", "\n"), passage))
    return tuple(found)


def label(question: str, said: str, passage: str) -> str:
    answer = Answer(id="a", question=question, answer=said, passages=(Passage(id="p", text=passage),))
    found = judge(answer, Memory())
    return found.label if isinstance(found, Judgement) else "none"


def test_answers_as_people_get_them_are_told_right_from_wrong() -> None:
    missed = [
        (kind, said)
        for kind, question, said, passage in replies()
        if (label(question, said, passage) == "supported") != (kind == "right")
    ]
    assert len(missed) <= MISSED * len(replies()), missed


@pytest.mark.parametrize(
    "said",
    [
        "No.",
        "No, you can't.",
        "Unfortunately not.",
        "No, unfortunately not.",
        "Nope, that's not possible.",
        "It can't.",
    ],
)
def test_a_no_is_right_however_short_it_is_said(said: str) -> None:
    passage = "Gift cards cannot be returned."
    assert label("Can a gift card be returned?", said, passage) == "supported"
    assert label("Can a gift card be returned?", said, "Gift cards can be returned.") == "contradicted"


@pytest.mark.parametrize("said", ["Yes.", "Yes, you can.", "Of course you can: yes.", "Sure, you can return it."])
def test_a_wrong_yes_is_never_supported(said: str) -> None:
    assert label("Can I return a gift card?", said, "Gift cards cannot be returned.") != "supported"


def test_what_stands_around_a_statement_is_no_part_of_the_claim() -> None:
    said = "I'm sorry, but I'm afraid gift cards expire after a year, so please contact us. Regards, your shop team"
    answer = Answer(id="a", question="Do they expire?", answer=said)
    assert [claim.words for claim in claims_of(answer, Memory())] == ["gift cards expire after a year"]


def test_a_condition_and_a_duty_stay_in_the_claim() -> None:
    for said in (
        "If you are a contractor, leave is unpaid.",
        "Trips are paid, but contact HR before you travel.",
        "Unfortunately for contractors, leave is unpaid.",
    ):
        answer = Answer(id="a", question="Is leave paid?", answer=said)
        assert [claim.words for claim in claims_of(answer, Memory())] == [said]
