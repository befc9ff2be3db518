"""The record of a case-aware judge, as its table prints the fields: strict, and refused with the field."""

import json
import math

import pytest

from adapters.external.case_record import (
    CASE_FIELDS,
    CASE_INPUTS,
    CaseRecordError,
    judgement_of,
    scores_of_record,
)
from adapters.external.rows import scores_of

PRINTED = {
    **{f"{name}_score": 0.5 + 0.05 * number for number, name in enumerate(CASE_INPUTS)},
    **{f"{name}_justification": f"about {name}" for name in CASE_INPUTS},
}
RECORD = PRINTED | {"answer_id": "turn-1", "evaluator": "case-judge", "version": "gpt-4"}


def test_the_fields_are_those_of_the_table():
    assert CASE_FIELDS[:2] == ("hallucination_score", "hallucination_justification")
    assert CASE_FIELDS[-2:] == ("case_resolution_alignment_score", "case_resolution_alignment_justification")
    assert len(CASE_FIELDS) == 16


def test_a_record_is_eight_scores_with_their_justifications():
    scores = scores_of(json.loads(json.dumps(RECORD)))
    assert [score.name for score in scores] == list(CASE_INPUTS)
    assert {score.measured_by for score in scores} == {"case-judge@gpt-4"}
    assert [score.explanation for score in scores][5] == "about identifier_integrity"
    assert scores_of_record(RECORD) == scores


def test_what_a_judgement_took_stands_beside_it():
    answer, judgement = judgement_of(RECORD | {"usage": {"prompt_tokens": 3000, "cost_usd": 0.0138}})
    assert (answer, judgement.usage.prompt_tokens, judgement.usage.cost_usd) == ("turn-1", 3000, 0.0138)


@pytest.mark.parametrize("field", CASE_FIELDS)
def test_each_field_is_required(field):
    with pytest.raises(CaseRecordError, match=f"^{field}: required$"):
        judgement_of({name: value for name, value in RECORD.items() if name != field})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hallucination_score": 1.2}, "hallucination_score: must be from 0 to 1"),
        ({"hallucination_score": -0.1}, "hallucination_score: must be from 0 to 1"),
        ({"hallucination_score": math.nan}, "hallucination_score: must be from 0 to 1"),
        ({"hallucination_score": "0.7"}, "hallucination_score: must be a number from 0 to 1, not text"),
        ({"hallucination_score": True}, "hallucination_score: must be a number from 0 to 1, not true or false"),
        ({"hallucination_score": None}, "hallucination_score: must be a number from 0 to 1, not null"),
        ({"answer_type_fit_justification": ""}, "answer_type_fit_justification: must not be empty"),
        ({"answer_type_fit_justification": 3}, "answer_type_fit_justification: must be text, not a number"),
        (
            {"halucination_score": 0.5},
            "halucination_score: unknown field; did you mean hallucination_score?",
        ),
        ({"answer_id": None}, "give answer_id, trace_id or response_id"),
    ],
)
def test_a_field_that_is_wrong_is_named(change, said):
    with pytest.raises(CaseRecordError) as error:
        judgement_of(RECORD | change)
    assert str(error.value) == said
