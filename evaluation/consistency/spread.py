"""How far a metric moves where nothing changes: over the repetitions of each question.

The variance of one question's values is what the application adds by itself, by its seeds, its sampling or its index;
what a comparison of releases calls a difference must be larger. With the pooled variance ``s**2`` within ``q``
questions, the means of two runs of the same release that ask each question once differ by less than
``1.96 * s * sqrt(2 / q)`` in 95 of 100 cases.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

REPEAT, REPEAT_OF, PARAPHRASE_OF = "repeat", "repeat_of", "paraphrase_of"
"""Attributes of an answer: its repetition, the row that was repeated, and the row that it asks in other words."""
NORMAL_95 = 1.959963984540054


class RepeatSpread(NamedTuple):
    """One metric over questions that were asked several times.

    ``within`` is the pooled standard deviation of one question's values, ``between`` that of the questions' means,
    ``rerun`` by how much the mean of another run of the same release may differ in 95 of 100 cases. ``changing`` counts
    questions of which two values differ, ``flips`` those with two labels, of the ``labelled``; ``partly`` those that
    have a value in some repetitions only.
    """

    metric: str
    questions: int
    answers: int
    mean: float
    within: float
    between: float | None
    rerun: float
    changing: int
    labelled: int
    flips: int
    partly: int


class RepeatedScore(NamedTuple):
    """A score of a repetition; ``value`` is ``None`` where there is none."""

    question: str
    metric: str
    value: float | None
    label: str | None = None


def repeat_spreads(scores: Iterable[RepeatedScore]) -> list[RepeatSpread]:
    """Return the spread of each metric that has two values of a question, in the order of the scores.

    >>> scores = [RepeatedScore("q1", "f1", 0.4), RepeatedScore("q1", "f1", 0.6), RepeatedScore("q2", "f1", 0.5)]
    >>> [spread] = repeat_spreads([*scores, RepeatedScore("q2", "f1", 0.5)])
    >>> round(spread.within, 4), spread.changing, spread.questions, round(spread.rerun, 3)
    (0.1, 1, 2, 0.196)
    """
    by_metric: dict[str, dict[str, list[RepeatedScore]]] = {}
    for score in scores:
        by_metric.setdefault(score.metric, {}).setdefault(score.question, []).append(score)
    found = (_spread(metric, list(groups.values())) for metric, groups in by_metric.items())
    return [each for each in found if each is not None]


def flipped(groups: Mapping[str, Sequence[Hashable]]) -> int:
    """Return how many groups hold two different things.

    >>> flipped({"q1": [True, False], "q2": [True, True]})
    1
    """
    return sum(len(set(group)) > 1 for group in groups.values())


def _spread(metric: str, groups: Sequence[Sequence[RepeatedScore]]) -> RepeatSpread | None:
    valued = [[each.value for each in group if each.value is not None] for group in groups]
    several = [np.array(values) for values in valued if len(values) > 1]
    if not several:
        return None
    freedom = sum(len(values) - 1 for values in several)
    squares = math.fsum(float(((values - values.mean()) ** 2).sum()) for values in several)
    within = math.sqrt(squares / freedom)
    means = np.array([values.mean() for values in several])
    labels = [[each.label for each in group if each.label is not None] for group in groups]
    labelled = [group for group in labels if len(group) > 1]
    return RepeatSpread(
        metric=metric,
        questions=len(several),
        answers=sum(map(len, several)),
        mean=float(means.mean()),
        within=within,
        between=float(means.std(ddof=1)) if len(means) > 1 else None,
        rerun=NORMAL_95 * within * math.sqrt(2.0 / len(several)),
        changing=sum(bool(np.ptp(values) > 1e-12) for values in several),  # noqa: PLR2004 - what rounding leaves
        labelled=len(labelled),
        flips=sum(len(set(group)) > 1 for group in labelled),
        partly=sum(0 < len(values) < len(group) for values, group in zip(valued, groups, strict=True)),
    )
