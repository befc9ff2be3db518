"""Labels of two runs over the same answers: how far they agree beyond chance, and where they do not.

Two runs that score the same recorded answers with different judges, such as the trees and an entailment model, verify
each answer twice: what they agree on is surer than either alone, and what they dispute is for people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evaluation.comparison.pairing import AnswerPair, PairedAnswers
from evaluation.comparison.runs import ScoredRun
from evaluation.statistics.agreement import cohen_kappa


class LabelChange(NamedTuple):
    """How many answers have one label in the baseline and another in the run."""

    before: str
    after: str
    answers: int


class LabelAgreement(NamedTuple):
    """The labels of one metric in two runs; ``kappa`` is Cohen's, ``None`` where all labels are the same."""

    run: str
    metric: str
    pairs: int
    agreeing: int
    kappa: float | None
    changes: Sequence[LabelChange]


class DisputedAnswer(NamedTuple):
    """A pair of answers with two labels of one metric."""

    run: str
    metric: str
    pair: AnswerPair
    before: str
    after: str


def label_agreements(
    baseline: ScoredRun, run: ScoredRun, answers: PairedAnswers, metrics: Iterable[str]
) -> list[LabelAgreement]:
    """Return how far both runs agree on each metric of which a pair has two labels; the most frequent changes first.

    >>> from evaluation.comparison.pairing import paired
    >>> from evaluation.comparison.runs import RunReader
    >>> runs = []
    >>> for name, labels in (("trees", ("supported", "supported")), ("model", ("supported", "unsupported"))):
    ...     reader = RunReader(name)
    ...     for number, label in enumerate(labels):
    ...         row = {"answer_id": str(number), "metric": "faithfulness", "value": 0.5, "outcome": "scored"}
    ...         reader.add_row(row | {"label": label}, number=number)
    ...     runs.append(reader.run())
    >>> [found] = label_agreements(*runs, paired(*runs), ["faithfulness"])
    >>> found.agreeing, found.kappa, found.changes
    (1, 0.0, [LabelChange(before='supported', after='unsupported', answers=1)])
    """
    found = []
    for metric in metrics:
        both = list(_both(baseline, run, answers, metric))
        if not both:
            continue
        before, after = [one for _, one, _ in both], [other for _, _, other in both]
        changes = Counter((one, other) for _, one, other in both if one != other)
        found.append(
            LabelAgreement(
                run.name,
                metric,
                pairs=len(both),
                agreeing=len(both) - changes.total(),
                kappa=cohen_kappa(before, after),
                changes=[
                    LabelChange(*pair, answers=count)
                    for pair, count in sorted(changes.items(), key=lambda item: (-item[1], item[0]))
                ],
            )
        )
    return found


def disputed(
    baseline: ScoredRun, run: ScoredRun, answers: PairedAnswers, metrics: Iterable[str]
) -> Iterator[DisputedAnswer]:
    """Yield the pairs with two labels of a metric, in the order of the baseline."""
    for metric in metrics:
        for pair, before, after in _both(baseline, run, answers, metric):
            if before != after:
                yield DisputedAnswer(run.name, metric, pair, before, after)


def _both(
    baseline: ScoredRun, run: ScoredRun, answers: PairedAnswers, metric: str
) -> Iterator[tuple[AnswerPair, str, str]]:
    here, there = baseline.labels.get(metric, {}), run.labels.get(metric, {})
    for pair in answers.pairs:
        before, after = here.get(pair.baseline), there.get(pair.candidate)
        if before is not None and after is not None:
            yield pair, before, after
