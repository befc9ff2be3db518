"""Two evaluators of the same answers: how far they rank them alike, and whether they order systems alike.

Source: "Case-Aware LLM-as-a-Judge Evaluation for Enterprise-Scale RAG Systems", 8.4 and K.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evaluation.comparison.pairing import PairedAnswers, SliceOfPairs
from evaluation.comparison.runs import ScoredRun
from evaluation.statistics.correlation import Correlation, rank_correlation


class EvaluatorAgreement(NamedTuple):
    """How two evaluators rank the answers of a slice by one metric; means of both over the answers that both scored.

    ``spearman`` is ``None`` for fewer than four answers, or where an evaluator gives all the same value.
    """

    metric: str
    attribute: str | None
    value: str | None
    pairs: int
    spearman: Correlation | None
    first: float | None
    second: float | None


class EvaluatorOrder(NamedTuple):
    """The values of an attribute by the mean of a metric, the highest first, as each evaluator orders them."""

    metric: str
    attribute: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether both evaluators order them alike."""
        return self.first == self.second


def agreement_of_evaluators(
    first: ScoredRun, second: ScoredRun, answers: PairedAnswers, metrics: Sequence[str]
) -> list[EvaluatorAgreement]:
    """Return how far two runs over the same answers agree: each metric over all of them, then in each slice."""
    return [_agreement(first, second, answers, part, metric) for metric in metrics for part in answers.slices]


def orders_of_evaluators(found: Sequence[EvaluatorAgreement]) -> Iterator[EvaluatorOrder]:
    """Yield the orders of slices by each metric, for every attribute with two values or more that both scored.

    >>> rows = [EvaluatorAgreement("m", "model", name, 9, None, one, two)
    ...         for name, one, two in (("a", 0.7, 0.6), ("b", 0.8, 0.5))]
    >>> next(orders_of_evaluators(rows))[2:]
    (('b', 'a'), ('a', 'b'))
    """
    groups: dict[tuple[str, str], dict[str, tuple[float, float]]] = {}
    for row in found:
        if row.attribute is not None and row.value is not None and row.first is not None and row.second is not None:
            groups.setdefault((row.metric, row.attribute), {})[row.value] = (row.first, row.second)
    for (metric, attribute), means in groups.items():
        if len(means) > 1:
            yield EvaluatorOrder(metric, attribute, _ordered(means, 0), _ordered(means, 1))


def _ordered(means: Mapping[str, tuple[float, float]], place: int) -> tuple[str, ...]:
    return tuple(sorted(means, key=lambda name: (-means[name][place], name)))


def _agreement(
    first: ScoredRun, second: ScoredRun, answers: PairedAnswers, part: SliceOfPairs, metric: str
) -> EvaluatorAgreement:
    both = [
        (one, two)
        for number in part.pairs
        for one, two in (
            (
                first.values[metric].get(answers.pairs[number].baseline),
                second.values[metric].get(answers.pairs[number].candidate),
            ),
        )
        if one is not None and two is not None
    ]
    left, right = np.array(both, np.float64).reshape(-1, 2).T
    some = bool(both)
    return EvaluatorAgreement(
        metric,
        part.attribute,
        part.value,
        len(both),
        rank_correlation(left, right),
        float(left.mean()) if some else None,
        float(right.mean()) if some else None,
    )
