"""Whether another retriever may serve: paired differences of recorded answers, and a verdict of three values.

Each answer is judged twice, against the context it was given and against the one that the other retriever returns. The
number of answers is fixed beforehand, and the verdict is read once. A metric passes where the far end of its interval
loses at most a margin, and fails where even the near end loses more: neither follows from too few answers.

The interval is a BCa bootstrap interval over groups (`evaluation.statistics.bootstrap`). What did not happen in ``n``
groups may still happen in one of ``n / 3``; a bootstrap does not know that, so either end is at least ``1 - (level /
2)**(1 / n)`` away from the mean, the exact bound of a share that was never seen (J. A. Hanley and A. Lippman-Hand, "If
nothing goes wrong, is everything all right?", JAMA 249, 1983).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from evaluation.statistics.bootstrap import RESAMPLES, ConfidenceInterval, bootstrap_intervals, totals_by_group
from evaluation.statistics.significance import paired_t

ReplayState = Literal["pass", "fail", "inconclusive"]
LEAST_GROUPS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedMetric:
    """A metric of recorded answers under both contexts: ``differences`` are new less recorded, one an answer.

    ``groups`` says which answers fail together. ``better`` is the better end of the metric.
    """

    name: str
    better: Literal["higher", "lower"]
    differences: Sequence[float]
    groups: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalRow:
    """What one metric loses over some answers, and whether that is within the margin."""

    metric: str
    better: Literal["higher", "lower"]
    scope: Mapping[str, str]
    answers: int
    groups: int
    worse: int
    difference: float | None
    interval: ConfidenceInterval | None
    p_value: float | None
    state: ReplayState


def judged_metric(
    paired: PairedMetric,
    rng: np.random.Generator,
    *,
    margin: float,
    level: float,
    scope: Mapping[str, str] | None = None,
    resamples: int = RESAMPLES,
) -> RetrievalRow:
    """Judge one metric; ``margin`` is what it may lose in the mean, ``level`` the chance that an interval misses.

    >>> alike = PairedMetric(name="s", better="higher", differences=[0.0] * 400, groups=list(map(str, range(400))))
    >>> judged_metric(alike, np.random.default_rng(0), margin=0.02, level=0.05).state
    'pass'
    >>> few = PairedMetric(name="s", better="higher", differences=[0.0] * 40, groups=list(map(str, range(40))))
    >>> judged_metric(few, np.random.default_rng(0), margin=0.02, level=0.05).state
    'inconclusive'
    """
    differences = np.asarray(paired.differences, np.float64)
    loses = -differences if paired.better == "higher" else differences
    codes = {name: place for place, name in enumerate(dict.fromkeys(paired.groups))}
    row = RetrievalRow(
        metric=paired.name,
        better=paired.better,
        scope=scope or {},
        answers=len(differences),
        groups=len(codes),
        worse=int((loses > 0.0).sum()),
        difference=float(differences.mean()) if len(differences) else None,
        interval=None,
        p_value=None,
        state="inconclusive",
    )
    if len(codes) < LEAST_GROUPS or row.difference is None:
        return row
    group = np.array([codes[name] for name in paired.groups], np.int64)
    totals = totals_by_group(differences[:, None], group)
    none = np.zeros(len(codes), np.int64)
    [found] = bootstrap_intervals(totals, none, rng, level=1.0 - level, resamples=resamples)
    unseen = 1.0 - (level / 2.0) ** (1.0 / len(codes))
    interval = ConfidenceInterval(min(found.low, row.difference - unseen), max(found.high, row.difference + unseen))
    test = paired_t(totals.sums[:, 0], totals.sizes[:, 0])
    least, most = (-interval.high, -interval.low) if paired.better == "higher" else interval
    state: ReplayState = "pass" if most <= margin else "fail" if least > margin else "inconclusive"
    return replace(row, interval=interval, p_value=test.p_value, state=state)


def overall(rows: Sequence[RetrievalRow]) -> ReplayState:
    """Return the verdict over all rows: it fails where one does, and passes where all do over the whole of the answers.

    A slice that is inconclusive alone does not hold up a verdict: the smaller it is, the less it can say.
    """
    if any(row.state == "fail" for row in rows):
        return "fail"
    whole = [row for row in rows if not row.scope]
    return "pass" if whole and all(row.state == "pass" for row in whole) else "inconclusive"
