"""Scores by other evaluators that stand with a recorded answer, as rows beside those that are computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adapters.external.case_record import CASE_INPUTS
from adapters.external.score import ExternalScore
from adapters.schema import Answer
from collector.external.options import ExternalMetric, UntakenScoreError
from collector.store.externalrows import PREFIX
from scorers.composite.case_profile import band_of


class RecordedScore(NamedTuple):
    """A value of ``external.NAME`` with what was said beside it, and who said it."""

    metric: str
    value: float
    label: str | None
    explanation: str | None
    measured_by: str


def recorded_scores(answer: Answer, declared: Sequence[ExternalMetric]) -> Iterator[RecordedScore]:
    """Yield what other evaluators said of an answer, by the names of ``declared`` metrics, else by its own.

    The eight scores of a case-aware judge have the band of severity as their label. Raises `UntakenScoreError`, with
    the name of the score, for one that is no value of its declared metric, and for a label alone of one that is not
    declared.

    >>> from adapters.schema import AnswerJudgement
    >>> scores, why = {"hallucination": 0.2}, {"hallucination": "invents"}
    >>> told = AnswerJudgement(evaluator="judge", scores=scores, justifications=why)
    >>> [tuple(each) for each in recorded_scores(Answer(id="a", judgements=(told,)), ())]
    [('external.hallucination', 0.2, 'severe', 'invents', 'judge')]
    """
    for judgement in answer.judgements or ():
        for name in sorted(judgement.names):
            value, label = judgement.scores.get(name), judgement.labels.get(name)
            score = ExternalScore(
                name=name, value=value, label=label, evaluator=judgement.evaluator, answer_id=answer.id
            )
            metric = next((each for each in declared if each.takes(score)), None)
            if metric is not None:
                value = metric.value_of(score)
            elif value is None:
                raise UntakenScoreError(
                    f"label {label!r} has no value: declare {name} under `external` of a configuration, with `values`"
                )
            if label is None and name in CASE_INPUTS and 0.0 <= value <= 1.0:
                label = band_of(value)
            yield RecordedScore(
                f"{PREFIX}{name if metric is None else metric.name}",
                value,
                label,
                judgement.justifications.get(name),
                judgement.measured_by,
            )
