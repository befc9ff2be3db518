"""Retrieval silence: little to the point was retrieved, and an answer was given all the same."""

from __future__ import annotations

from datetime import UTC, datetime

from adapters.schema import Answer, Passage
from scorers.base import Env, Score, Unscored
from scorers.retrieval.retrieval_silence import RetrievalSilence

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
QUESTION = "What is the hotel limit for domestic travel?"
ANSWER = "The hotel limit is 150 EUR per night."
TO_THE_POINT = Passage(id="t", text="The hotel limit is 180 EUR per night for domestic travel.")
BESIDE_IT = Passage(id="b", text="Visitors sign in at the front desk and wear a badge.")


def judge(answer: str, *passages: Passage, question: str | None = QUESTION) -> Score | Unscored:
    return RetrievalSilence().score(Answer(id="a", question=question, answer=answer, passages=passages), ENV)


def silence(answer: str, *passages: Passage, question: str | None = QUESTION) -> float:
    result = judge(answer, *passages, question=question)
    assert isinstance(result, Score), result
    return result.value


def test_an_answer_over_nothing_retrieved_is_silence() -> None:
    assert silence(ANSWER) == 1


def test_an_answer_over_passages_beside_the_point_is_nearly_silence() -> None:
    assert silence(ANSWER, BESIDE_IT) > 0.9


def test_a_passage_to_the_point_is_no_silence_even_if_the_answer_misreads_it() -> None:
    assert silence(ANSWER, BESIDE_IT, TO_THE_POINT) < 0.1


def test_a_passage_in_other_words_than_the_question_counts_through_the_answer() -> None:
    result = silence("Rooms cost up to 180 EUR.", Passage(id="r", text="Rooms cost up to 180 EUR in any city."))
    assert result < 0.1


def test_an_answer_that_says_it_has_none_is_not_silence_but_right() -> None:
    assert silence("I could not find that in the documents.") == 0


def test_without_a_question_the_answers_claims_decide() -> None:
    assert silence(ANSWER, BESIDE_IT, question=None) > 0.9


def test_the_nearest_passage_is_shown() -> None:
    result = judge(ANSWER, BESIDE_IT, TO_THE_POINT)
    assert isinstance(result, Score)
    assert result.evidence[0].passage_id == "t"


def test_a_passage_without_text_may_have_been_to_the_point_so_nothing_is_said() -> None:
    result = judge(ANSWER, BESIDE_IT, Passage(id="x"))
    assert isinstance(result, Unscored)
    assert result.reason == "missing_input"
