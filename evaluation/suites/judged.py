"""Scores by other evaluators as records of a suite: of an answer that another record has, named by its id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from adapters.external.case_record import CaseRecordError, is_case_record, judgement_of
from adapters.external.score import ExternalScore
from adapters.files.problems import told
from adapters.schema import Answer, AnswerJudgement
from evaluation.suites.case import SuiteError, SuiteRow

_REFERS = frozenset({"answer_id", "trace_id"})
_SAYS = frozenset({"value", "label"})


def is_judged(value: Mapping[str, Any]) -> bool:
    """Whether an object is a score of an answer: a record of a case-aware judge, or one as the agent takes them.

    >>> is_judged({"name": "tone", "value": 4, "answer_id": "a"}), is_judged({"question": "How long?"})
    (True, False)
    """
    keys = value.keys()
    return is_case_record(value) or ("name" in keys and not _SAYS.isdisjoint(keys) and not _REFERS.isdisjoint(keys))


def row_of_judged(value: Mapping[str, Any]) -> SuiteRow:
    """Return a score, or a judge's record of several, as what it tells of its answer. Raises `SuiteError`.

    >>> row = row_of_judged({"name": "tone", "value": 4, "answer_id": "a", "evaluator": "judge", "explanation": "kind"})
    >>> row.case_id, row.answer.judgements[0].scores, row.answer.judgements[0].justifications
    ('a', {'tone': 4.0}, {'tone': 'kind'})
    """
    configuration = value.get("configuration")
    if configuration is not None and not isinstance(configuration, str):
        raise SuiteError("configuration: must be text")
    given = {name: each for name, each in value.items() if name != "configuration"}
    try:
        named, judgement = judgement_of(given) if is_case_record(given) else _judgement(given)
    except CaseRecordError as error:
        raise SuiteError(str(error)) from error
    if named is None:
        raise SuiteError("answer_id: required: a suite's scores name their answers by it")
    return SuiteRow(Answer(id=named, judgements=(judgement,)), configuration=configuration)


def _judgement(value: Mapping[str, Any]) -> tuple[str | None, AnswerJudgement]:
    try:
        score = ExternalScore.model_validate(dict(value))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise SuiteError(f"{place}: {told(first)}" if place else told(first)) from error
    return score.answer_id or score.trace_id, AnswerJudgement(
        evaluator=score.evaluator,
        version=score.version,
        scores={} if score.value is None else {score.name: score.value},
        labels={} if score.label is None else {score.name: score.label},
        justifications={} if score.explanation is None else {score.name: score.explanation},
    )
