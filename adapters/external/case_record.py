"""The record of a case-aware judge: eight scores of one turn, each with its justification, under fixed names.

Source: "Case-Aware LLM-as-a-Judge Evaluation for Enterprise-Scale RAG Systems", appendix H.1, Table 5 (field names),
A.2 and H.3 (strict validation: bounded scores, required keys).
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, ValidationError, create_model

from adapters.external.score import ExternalScore, ScoreOrigin
from adapters.files.problems import kind_of_value
from adapters.schema import AnswerJudgement, Usage

CaseInput = Literal[
    "hallucination",
    "retrieval_correctness",
    "context_sufficiency",
    "answer_helpfulness",
    "answer_type_fit",
    "identifier_integrity",
    "case_issue_identification",
    "case_resolution_alignment",
]
"""M1 to M8, by what stands before ``_score`` and ``_justification``; 0 fails, 1 complies with the rubric."""
CASE_INPUTS: tuple[CaseInput, ...] = get_args(CaseInput)
SCORE, JUSTIFICATION = "_score", "_justification"
CASE_FIELDS = tuple(f"{name}{ending}" for name in CASE_INPUTS for ending in (SCORE, JUSTIFICATION))
MOST_WORDS = 20_000


class CaseRecordError(ValueError):
    """What is wrong with a record of a case-aware judge, beginning with the field."""


class _Head(ScoreOrigin):
    """What a record says beside the fields of the table: which answer it is of, who judged, and what that took."""

    usage: Usage = Usage()


_Unit = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]
_Why = Annotated[str, Field(min_length=1, max_length=MOST_WORDS)]
_TABLE: dict[str, Any] = {name: (_Unit if name.endswith(SCORE) else _Why, ...) for name in CASE_FIELDS}
_CaseRecord: Any = create_model("_CaseRecord", __base__=_Head, **_TABLE)


def is_case_record(row: Mapping[str, Any]) -> bool:
    """Whether an object is meant as a record of a case-aware judge: it has one of the fields of the table.

    >>> is_case_record({"hallucination_score": 0.9}), is_case_record({"name": "tone", "value": 4})
    (True, False)
    """
    return not row.keys().isdisjoint(CASE_FIELDS)


def judgement_of(row: Mapping[str, Any]) -> tuple[str | None, AnswerJudgement]:
    """Return the id of the answer that a record names, if it does, and the judgement.

    All sixteen fields of the table are required, scores are numbers from 0 to 1, and no other field is taken but those
    that name the answer and the judge. Raises `CaseRecordError` with the field.

    >>> scores = {f"{name}_score": 0.5 for name in CASE_INPUTS}
    >>> record = scores | {f"{name}_justification": "half of it" for name in CASE_INPUTS}
    >>> answer, judgement = judgement_of(record | {"answer_id": "t-1", "evaluator": "judge"})
    >>> answer, judgement.scores["case_resolution_alignment"]
    ('t-1', 0.5)
    >>> judgement_of(scores | {"answer_id": "t-1"})
    Traceback (most recent call last):
    adapters.external.case_record.CaseRecordError: hallucination_justification: required
    """
    told = _read(row)
    return told.answer_id or told.trace_id, AnswerJudgement(
        evaluator=told.evaluator,
        version=told.version,
        scores={name: getattr(told, f"{name}{SCORE}") for name in CASE_INPUTS},
        justifications={name: getattr(told, f"{name}{JUSTIFICATION}") for name in CASE_INPUTS},
        usage=told.usage,
    )


def scores_of_record(row: Mapping[str, Any]) -> tuple[ExternalScore, ...]:
    """Return the eight scores of a record, in the order of the table. Raises `CaseRecordError` with the field."""
    told = _read(row)
    head = {name: getattr(told, name) for name in _Head.model_fields if name != "usage"}
    return tuple(
        ExternalScore(
            name=name,
            value=getattr(told, f"{name}{SCORE}"),
            explanation=getattr(told, f"{name}{JUSTIFICATION}"),
            **head,
        )
        for name in CASE_INPUTS
    )


def _read(row: Mapping[str, Any]) -> Any:
    try:
        return _CaseRecord.model_validate(dict(row))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise CaseRecordError(f"{place}: {_said(first)}" if place else _said(first)) from error


def _said(problem: Any) -> str:
    known = (*CASE_FIELDS, *_Head.model_fields)
    match problem["type"]:
        case "missing":
            return "required"
        case "extra_forbidden":
            near = get_close_matches(str(problem["loc"][-1])[:60], known, n=1)
            return "unknown field" + (f"; did you mean {near[0]}?" if near else f"; known: {', '.join(known)}")
        case "greater_than_equal" | "less_than_equal" | "finite_number" if problem["loc"][0] in CASE_FIELDS:
            return "must be from 0 to 1"
        case "float_type":
            return f"must be a number from 0 to 1, not {kind_of_value(problem['input'])}"
        case "string_type":
            return f"must be text, not {kind_of_value(problem['input'])}"
        case "string_too_short":
            return "must not be empty"
        case _:
            return str(problem["msg"]).removeprefix("Value error, ")
