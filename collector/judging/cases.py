"""The worst answers of a decision, each case once: a question that ten people asked is one thing to look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from collector.store.store import Store
from gates.base.gate import Gate
from gates.decisions.record import AnswerEvidence
from scorers.base import Metric

LOOKED = 10
"""How many times as many answers are looked at as are named."""


def distinct(answers: Iterable[AnswerEvidence], store: Store, limit: int) -> tuple[AnswerEvidence, ...]:
    """Return the first answers with other words than those before them, or to another question, ``limit`` at most.

    An answer whose words the store does not have is a case of its own.
    """
    given = list(answers)
    said = store.said([each.answer_id for each in given])
    first: dict[tuple[str, ...], AnswerEvidence] = {}
    for each in given:
        first.setdefault((each.metric, *said.get(each.answer_id, (each.answer_id,))), each)
    return tuple(first.values())[:limit]


def not_good(
    answers: Iterable[AnswerEvidence], gate: Gate, store: Store, metrics: Mapping[str, Metric]
) -> tuple[AnswerEvidence, ...]:
    """Return the answers that ``gate`` does not count as good: by its labels, or by its worst value that is good.

    A gate of averages counts none as good. An answer that the store does not have any more stays.
    """
    labels: tuple[str, ...] = getattr(gate, "good_labels", ())
    good = getattr(gate, "good", None)

    def is_good(each: AnswerEvidence) -> bool:
        if labels:
            row = store.answer(each.answer_id)
            if row is None:
                return False
            told = {score.metric: score.label for score in row.evaluation.scores} if row.evaluation else {}
            told |= {score.metric: score.label for score in row.external}
            return told.get(each.metric) in labels
        metric = metrics.get(each.metric)
        if metric is None or not isinstance(good, int | float):
            return False
        return each.value >= good if metric.better == "higher" else each.value <= good

    return tuple(each for each in answers if not is_good(each))
