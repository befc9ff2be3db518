"""Faithfulness and the absence of contradiction: the answer as a whole."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Env, Score, Unscored
from scorers.grounding.claim_support import ClaimSupport
from scorers.grounding.contradiction_absence import ContradictionAbsence
from scorers.grounding.faithfulness import Faithfulness

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
PASSAGES = (
    Passage(
        id="leave",
        text="Parental leave policy. Employees receive 20 weeks of paid parental leave. The leave must be requested"
        " eight weeks before the expected start date, in writing, from the line manager.",
    ),
    Passage(
        id="travel",
        text="Travel policy. The hotel limit is 180 EUR per night for domestic travel and 240 EUR abroad. Alcohol is"
        " not reimbursed. Claims must be filed within 30 days, by 17:00 on the last day.",
    ),
)
GOOD = "Employees receive 20 weeks of paid parental leave. The hotel limit is 180 EUR per night for domestic travel."


def judged(
    text: str | None,
    passages: tuple[Passage, ...] | None = PASSAGES,
    scorer: Faithfulness | ContradictionAbsence | None = None,
) -> Score | Unscored:
    return (scorer or Faithfulness()).score(Answer(id="a", answer=text, passages=passages), ENV)


def scored(text: str, scorer: Faithfulness | ContradictionAbsence | None = None) -> Score:
    result = judged(text, scorer=scorer)
    assert isinstance(result, Score)
    return result


def test_an_answer_taken_from_the_passages_is_supported() -> None:
    result = scored(GOOD)
    assert result.label == "supported"
    assert result.value > 0.8


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("20 weeks", "16 weeks"), ("180 EUR", "810 EUR"), ("receive", "do not receive")],
)
def test_one_wrong_claim_makes_the_answer_unsupported(right: str, wrong: str) -> None:
    result = scored(GOOD.replace(right, wrong))
    assert result.label == "contradicted"
    assert result.value < scored(GOOD).value - 0.2


def test_the_evidence_is_the_weakest_claim_beside_its_nearest_sentence_and_what_differs() -> None:
    text = GOOD.replace("20 weeks", "16 weeks")
    worst = scored(text).evidence[0]
    assert text[worst.start : worst.end] == "Employees receive 16 weeks of paid parental leave."
    assert worst.passage_id == "leave"
    assert "nearest 'Employees receive 20 weeks of paid parental leave.'" in worst.detail
    assert "number 16 not found (nearest text: 20)" in worst.detail


def test_with_nothing_retrieved_no_claim_is_supported_and_none_contradicted() -> None:
    assert [judged(GOOD, (), scorer).value for scorer in (Faithfulness(), ContradictionAbsence())] == [0, 1]  # type: ignore[union-attr]


def test_another_number_is_a_contradiction_and_another_subject_is_none() -> None:
    wrong = scored(GOOD.replace("20 weeks", "16 weeks"), ContradictionAbsence()).value
    off = scored("Sabbaticals are granted after long service.", ContradictionAbsence()).value
    assert wrong < off < 1
    assert scored(GOOD, ContradictionAbsence()).value > wrong


@pytest.mark.parametrize("scorer", [Faithfulness(), ContradictionAbsence()])
def test_an_answer_that_only_abstains_is_not_applicable(scorer: Faithfulness | ContradictionAbsence) -> None:
    result = judged("I don't know. The passages do not mention sabbaticals.", scorer=scorer)
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"


def test_a_withheld_passage_is_missing_input() -> None:
    result = judged(GOOD, (Passage(id="x"),))
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "text of a context passage")


def test_structured_context_is_read_as_facts() -> None:
    shop = Passage(
        id="shop",
        text='{"name": "Blue Door", "city": "Halden", "OutdoorSeating": true, "WiFi": "no"}',
    )
    right, wrong = (
        judged(f"Blue Door is located in Halden. It offers {what}.", (shop,))
        for what in ("outdoor seating", "free WiFi")
    )
    assert isinstance(right, Score)
    assert isinstance(wrong, Score)
    assert wrong.value < right.value
    assert "the data rules out 'wifi'" in wrong.evidence[0].detail


def test_claims_of_one_answer_are_judged_by_all_three_from_one_reading() -> None:
    answer = Answer(id="a", answer=GOOD, passages=PASSAGES)
    values = [scorer.score(answer, ENV) for scorer in (ClaimSupport(), Faithfulness(), ContradictionAbsence())]
    assert all(isinstance(value, Score) and value.evidence for value in values)


def test_what_stands_behind_many_sentences_is_judged_and_what_is_not_read_is_said() -> None:
    good, wrong = f"{GOOD} ", "The hotel limit is 480 EUR per night abroad."
    found = scored(good * 50 + wrong)
    assert found.label == "contradicted"
    assert "were not read" not in found.explanation
    cut = scored(good * 100 + wrong)
    assert f"the last {len(good * 20 + wrong):,} characters of the answer were not read" in cut.explanation
