"""Has quality come back: a mean after a change was taken back, held against what it was before that change.

The level to keep is the mean before plus a margin: what that mean is not known by, and `TOLERANCE`, but at least a
quarter of the fall and at most a half. So who has recovered has got back at least half of what was lost, and nobody is
asked for more than is known.

Answers count in the order in which they were scored, and are looked at whenever there are a quarter more of them. The
bounds are a confidence sequence (`gates.evidence.betting`), which holds at all looks together: the first look that
decides is right but with a probability of `ALPHA`, and it is the same wherever a restart fell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gates.attribution.effects import Worse
from gates.attribution.report import Attribution
from gates.decisions.record import Recovery
from gates.evidence import betting, contrast, intervals

ALPHA = 0.05
"""How often a recovery, or that there is none, may be reported wrongly."""
TOLERANCE = 0.01
QUARTER, HALF = 0.25, 0.5
LEAST = 20
"""Answers before the first look."""
MOST = 10_000
"""Answers after which nothing more is expected of further ones."""
GROWTH = 1.25


class Aim(NamedTuple):
    """The mean loss before, and the one that must be kept."""

    reference: float
    level: float


class Look(NamedTuple):
    """What a look came to, over ``n`` answers; figures are losses."""

    outcome: Recovery
    n: int
    mean: float
    lower: float
    upper: float


def aim(attribution: Attribution | None, *, worse: Worse) -> Aim | None:
    """Return what a metric must come back to, ``None`` where it is not known how it fell.

    >>> from gates.attribution.report import Figures
    >>> fell = Figures(n_before=500, n_after=90, before=0.9, after=0.6, change=-0.3, lower=-0.4, upper=-0.2)
    >>> fall = Attribution(metric="m", kind="quality within strata", summary="", alpha=0.05, answers=590, total=fell)
    >>> [round(each, 3) for each in aim(fall, worse="lower")]
    [0.1, 0.175]
    """
    if attribution is None or attribution.total is None:
        return None
    total = attribution.total
    before, after = (each if worse == "higher" else 1.0 - each for each in (total.before, total.after))
    fall = after - before
    if fall <= 0.0:
        return None
    known = intervals.upper_bound(before, total.n_before, ALPHA) - before
    return Aim(before, before + min(HALF * fall, max(QUARTER * fall, known + TOLERANCE)))


def looks() -> list[int]:
    """Return after how many answers to look.

    >>> looks()[:4], looks()[-1]
    ([20, 25, 31, 39], 10000)
    """
    counts, size = [], float(LEAST)
    while size < MOST:
        counts.append(int(size))
        size *= GROWTH
    return [*counts, MOST]


def look(losses: Sequence[float], weights: Sequence[float], clusters: Sequence[int], level: float) -> Look:
    """Return what answers show of a level that their mean loss must keep; clusters below 0 are answers alone.

    >>> look([0.0] * 100, [1.0] * 100, list(range(100)), 0.1).outcome
    'recovered'
    >>> look([1.0, 0.0] * 20, [1.0] * 40, list(range(40)), 0.1).outcome
    'not_recovered'
    """
    values = np.array(losses, dtype=np.float64)
    units = np.unique(np.array(clusters, dtype=np.int64), return_inverse=True)[1].astype(np.int64)
    row = contrast.sums(values, units, np.array(weights, dtype=np.float64))
    sums = betting.Sums(*np.array([row]).T)
    low, high = (float(end[0]) for end in betting.bounds(sums, ALPHA / 2))
    outcome: Recovery = "not_enough_answers"
    if high <= level:
        outcome = "recovered"
    elif low > level:
        outcome = "not_recovered"
    return Look(outcome, len(values), row[2] / row[1] if row[1] else 0.0, low, high)
