"""Bootstrap intervals of means: stratified, by group, bias-corrected and accelerated (BCa).

What is drawn again is the group, such as a conversation or a document, with all its pairs: pairs of one group are no
independent evidence. A mean over pairs is the ratio of two sums over groups. Groups are drawn within their stratum, so
that every resample has the composition of the sample.

Source: B. Efron, "Better bootstrap confidence intervals" (JASA 82, 1987); A. C. Davison and D. V. Hinkley, "Bootstrap
Methods and their Application" (1997), sections 3.2 and 5.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from gates.evidence.arrays import Floats, Integers

RESAMPLES = 10_000
DRAWN_AT_ONCE = 4_000_000
"""Groups drawn at once: bounds the memory, at 8 bytes each."""


class ConfidenceInterval(NamedTuple):
    """A two-sided interval, from ``low`` to ``high``."""

    low: float
    high: float


class GroupTotals(NamedTuple):
    """Sums over the pairs of each group: one row a group, one column a quantity; a ``size`` is at least 1."""

    sums: Floats
    sizes: Floats

    @property
    def means(self) -> Floats:
        """The mean over all pairs, for each column."""
        return np.asarray(self.sums.sum(axis=0) / self.sizes.sum(axis=0))


def totals_by_group(values: Floats, group: Integers) -> GroupTotals:
    """Return the totals of ``values``, one row a pair, by the codes of their groups, which are 0 to n - 1.

    >>> totals_by_group(np.array([[0.25], [0.75], [1.0]]), np.array([0, 0, 1])).sums.tolist()
    [[1.0], [1.0]]
    """
    sums = np.stack([np.bincount(group, column) for column in values.T], axis=1).astype(np.float64)
    sizes = np.bincount(group).astype(np.float64)
    return GroupTotals(sums, np.repeat(sizes[:, None], values.shape[1], axis=1))


def resampled_means(
    totals: GroupTotals, stratum: Integers, rng: np.random.Generator, *, resamples: int = RESAMPLES
) -> Floats:
    """Return the mean of each column in each resample: one row a resample, one column a quantity.

    ``stratum`` is the code of each group's stratum. All columns share the draws.

    >>> totals = GroupTotals(np.array([[0.0], [1.0]]), np.ones((2, 1)))
    >>> sorted(set(resampled_means(totals, np.zeros(2, int), np.random.default_rng(1), resamples=99).ravel().tolist()))
    [0.0, 0.5, 1.0]
    """
    both = np.concatenate([totals.sums, totals.sizes], axis=1)
    drawn = np.concatenate([times @ both for times in times_drawn(stratum, rng, resamples)])
    width = totals.sums.shape[1]
    return np.asarray(drawn[:, :width] / drawn[:, width:])


def bootstrap_intervals(
    totals: GroupTotals,
    stratum: Integers,
    rng: np.random.Generator,
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
) -> Sequence[ConfidenceInterval]:
    """Return the BCa interval of each column's mean. Raises `ValueError` for fewer than two groups.

    >>> totals = GroupTotals(np.arange(40.0)[:, None] % 2, np.ones((40, 1)))
    >>> [interval] = bootstrap_intervals(totals, np.zeros(40, int), np.random.default_rng(1))
    >>> interval.low, interval.high
    (0.35, 0.65)
    """
    if len(stratum) < 2:  # noqa: PLR2004 - of one group, no other can be drawn
        raise ValueError(f"an interval needs two groups, got {len(stratum)}")
    means = totals.means
    drawn = resampled_means(totals, stratum, rng, resamples=resamples)
    share = _interval_shares(means, drawn, _acceleration(totals, means), level)
    return [
        ConfidenceInterval(*np.quantile(column, ends).tolist()) for column, ends in zip(drawn.T, share.T, strict=True)
    ]


def times_drawn(stratum: Integers, rng: np.random.Generator, resamples: int) -> Iterator[Floats]:
    """Yield how often each group is in each resample, some resamples at a time: one row a resample.

    ``stratum`` is the code of each group's stratum.

    >>> [times] = times_drawn(np.array([0, 0, 1]), np.random.default_rng(1), 5)
    >>> times[:, :2].sum(axis=1).tolist(), times[:, 2].tolist()
    ([2.0, 2.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 1.0, 1.0])
    """
    groups = len(stratum)
    members = [np.flatnonzero(stratum == code) for code in np.unique(stratum)]
    at_once = max(1, DRAWN_AT_ONCE // groups)
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        times = np.empty((rows, groups))
        for part in members:
            drawn = rng.integers(0, part.size, (rows, part.size)) + np.arange(rows)[:, None] * part.size
            times[:, part] = np.bincount(drawn.ravel(), minlength=rows * part.size).reshape(rows, part.size)
        yield times


def _acceleration(totals: GroupTotals, means: Floats) -> Floats:
    """Return the skewness of the means by the jackknife over groups; 0 where no group differs."""
    left = (totals.sums.sum(axis=0) - totals.sums) / (totals.sizes.sum(axis=0) - totals.sizes)
    distance = left.mean(axis=0) - left
    square = (distance**2).sum(axis=0)
    varies = square > (1e-14 * np.maximum(1.0, np.abs(means))) ** 2
    return np.asarray(np.where(varies, (distance**3).sum(axis=0) / (6.0 * np.where(varies, square, 1.0) ** 1.5), 0.0))


def _interval_shares(means: Floats, drawn: Floats, acceleration: Floats, level: float) -> Floats:
    """Return at which shares of the resamples each interval ends: two rows, one column a quantity."""
    below = ((drawn < means).mean(axis=0) + (drawn <= means).mean(axis=0)) / 2.0
    # Beyond all resamples there is nothing to interpolate.
    bias = special.ndtri(np.clip(below, 0.5 / len(drawn), 1.0 - 0.5 / len(drawn)))
    z = special.ndtri(np.array([(1.0 - level) / 2.0, (1.0 + level) / 2.0]))[:, None]
    return np.asarray(special.ndtr(bias + (bias + z) / (1.0 - acceleration * (bias + z))))
