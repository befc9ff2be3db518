"""Claim support: what an answer states, against the passages it was given."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Env, Score, Unscored
from scorers.grounding.claim_support import ClaimSupport
from scorers.text.source import MAX_CONTEXT

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
LEAVE = Passage(
    id="leave",
    text="Parental leave policy. Employees receive 20 weeks of paid parental leave. The leave must be requested eight"
    " weeks before the expected start date, in writing, from the line manager.",
)
TRAVEL = Passage(
    id="travel",
    text="Travel policy. The hotel limit is 180 EUR per night for domestic travel and 240 EUR abroad. Alcohol is not"
    " reimbursed. Claims must be filed within 30 days, by 17:00 on the last day.",
)


def judge(text: str | None, *passages: Passage, context: tuple[str, ...] | None = None) -> Score | Unscored:
    return ClaimSupport().score(Answer(id="a", answer=text, passages=passages, context=context), ENV)


def support(text: str) -> float:
    result = judge(text, LEAVE, TRAVEL)
    assert isinstance(result, Score), result
    return result.value


@pytest.mark.parametrize(
    "claim",
    [
        "You receive 20 weeks of paid parental leave.",
        "Employees get twenty weeks of parental leave, paid.",
        "You must request the leave in writing 8 weeks before the start date.",
        "The hotel limit abroad is €240 per night.",
        "Claims must be filed by 5 pm on the last day.",
        "**Alcohol** is *not* reimbursed.",
        "- The hotel limit is 180 EUR per night [2].",
    ],
)
def test_what_a_passage_says_in_these_or_other_words_is_supported(claim: str) -> None:
    assert support(claim) > 0.7


@pytest.mark.parametrize(
    "claim",
    [
        "You receive 16 weeks of paid parental leave.",
        "The hotel limit is 810 EUR per night for domestic travel.",
        "Claims must be filed by 7 pm on the last day.",
        "Alcohol is reimbursed.",
        "The hotel limit is 240 EUR per night for domestic travel and 180 EUR abroad.",
        "Business class is allowed on flights to Lisbon.",
        "Sabbaticals are granted after seven years of service.",
    ],
)
def test_what_no_passage_says_or_says_otherwise_is_not_supported(claim: str) -> None:
    assert support(claim) < 0.5


def test_a_claim_is_held_against_the_one_passage_that_supports_it_best() -> None:
    assert support("You receive 20 weeks of paid parental leave. The hotel limit abroad is 240 EUR per night.") > 0.9


def test_half_of_two_claims_supported_is_about_a_half() -> None:
    value = support("You receive 20 weeks of paid parental leave. Business class is allowed on flights to Lisbon.")
    assert 0.4 < value < 0.6


def test_words_that_are_all_there_but_scattered_support_less() -> None:
    assert support("The hotel limit is filed within 30 days.") < support("Claims must be filed within 30 days.")


def test_the_evidence_shows_the_weakest_claim_beside_the_nearest_sentence_and_what_differs() -> None:
    text = "You receive 20 weeks of paid parental leave. The hotel limit is 150 EUR per night for domestic travel."
    result = judge(text, LEAVE, TRAVEL)
    assert isinstance(result, Score)
    worst = result.evidence[0]
    assert worst.passage_id == "travel"
    assert text[worst.start : worst.end] == "The hotel limit is 150 EUR per night for domestic travel."
    assert "180 EUR per night for domestic travel" in worst.detail
    assert "number 150 not found" in worst.detail


def test_only_the_context_counts_not_everything_that_was_retrieved() -> None:
    result = judge("You receive 20 weeks of paid parental leave.", LEAVE, TRAVEL, context=("travel",))
    assert isinstance(result, Score)
    assert result.value < 0.2


def test_with_nothing_retrieved_every_claim_is_unsupported() -> None:
    result = judge("You receive 20 weeks of paid parental leave.")
    assert isinstance(result, Score)
    assert result.value == 0
    assert "the context is empty" in result.evidence[0].detail


def test_a_context_without_a_word_in_common_supports_nothing() -> None:
    result = judge("You receive 20 weeks.", Passage(id="e", text=""))
    assert isinstance(result, Score)
    assert result.value < 0.05
    assert "no sentence in the context shares a word with it" in result.evidence[0].detail


@pytest.mark.parametrize(
    "text", ["", "I don't know.", "Could you tell me more?", "The passages do not mention sabbaticals.", "# Leave"]
)
def test_an_answer_that_claims_nothing_is_not_applicable(text: str) -> None:
    result = judge(text, LEAVE)
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"


def test_a_context_whose_text_was_withheld_is_missing_input_not_lack_of_support() -> None:
    result = judge("You receive 20 weeks.", LEAVE, Passage(id="redacted"))
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "text of a context passage")


def test_a_withheld_passage_outside_the_context_does_not_matter() -> None:
    result = judge("You receive 20 weeks of paid parental leave.", LEAVE, Passage(id="x"), context=("leave",))
    assert isinstance(result, Score)


def test_a_context_past_the_budget_is_said_to_be_read_in_part() -> None:
    result = judge("You receive 20 weeks.", *(Passage(id=str(i), text="w " * 20_000) for i in range(6)))
    assert MAX_CONTEXT < 6 * 40_000
    assert isinstance(result, Score)
    assert "only part of the context was read" in (result.explanation or "")


def test_words_of_a_language_that_was_not_measured_are_not_judged() -> None:
    passage = Passage(id="j", text="従業員は二十週間の有給育児休暇を取得できます。")
    for said in ("従業員は二十週間の育児休暇を取得できます。", "ホテルの上限は一泊百五十ユーロです。"):
        found = judge(said, passage)
        assert isinstance(found, Unscored)
        assert found.reason == "not_applicable"
        assert found.detail == (
            "not measured on Japanese, the language of the answer (measured on English); "
            "an invention is not seen here; what contradicts "
            "the passages shows in contradiction_absence, where that has a value"
        )
