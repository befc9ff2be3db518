"""Figures over labelled rows, with percentile bootstrap intervals that draw whole groups of rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

BINS = 10
"""Bins of equal width over [0, 1] of the expected calibration error."""
LEAST = 5
"""Rows of either class below which a figure within one generator is left out."""


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Scored rows: the higher ``score`` the more ``positive`` is expected; ``flagged`` is the shipped decision.

    ``kind`` is what wrote or made a row, ``group`` the source that no resample tears apart.
    """

    score: Floats
    flagged: Bools
    positive: Bools
    group: tuple[Hashable, ...]
    kind: tuple[str, ...]

    @property
    def n(self) -> int:
        """How many rows."""
        return len(self.score)

    @property
    def n_groups(self) -> int:
        """How many groups."""
        return len(set(self.group))

    def taken(self, places: NDArray[np.intp] | Bools) -> Rows:
        """Return some of the rows."""
        chosen = np.arange(self.n)[places]
        return Rows(
            score=self.score[chosen],
            flagged=self.flagged[chosen],
            positive=self.positive[chosen],
            group=tuple(self.group[place] for place in chosen),
            kind=tuple(self.kind[place] for place in chosen),
        )


Statistic = Callable[[Rows], float]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Write it with three decimals."""
        return f"{self.value:.3f} [{self.low:.3f}-{self.high:.3f}]"


def with_interval(rows: Rows, statistic: Statistic, resamples: int) -> Interval:
    """Return ``statistic`` over ``rows`` with its percentile interval (Efron 1979), drawing groups, not rows."""
    names = {name: number for number, name in enumerate(dict.fromkeys(rows.group))}
    of = np.array([names[name] for name in rows.group])
    order = np.argsort(of, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(of))[:-1])
    rng = np.random.default_rng(7)
    found = []
    for _ in range(resamples):
        drawn = rng.integers(len(parts), size=len(parts))
        value = statistic(rows.taken(np.concatenate([parts[place] for place in drawn])))
        if np.isfinite(value):
            found.append(value)
    low, high = np.percentile(found, [2.5, 97.5]) if found else (float("nan"), float("nan"))
    return Interval(statistic(rows), float(low), float(high))


def auroc(rows: Rows) -> float:
    """Return the probability that a positive row scores higher than a negative one, ties half (Mann-Whitney U)."""
    n_positive = int(rows.positive.sum())
    n_negative = rows.n - n_positive
    if not n_positive or not n_negative:
        return float("nan")
    _, inverse, counts = np.unique(rows.score, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[inverse]
    above = ranks[rows.positive].sum() - n_positive * (n_positive + 1) / 2
    return float(above / (n_positive * n_negative))


def balanced_accuracy(rows: Rows) -> float:
    """Return the mean of recall of positive and of negative rows, by the shipped decision."""
    if rows.positive.all() or not rows.positive.any():
        return float("nan")
    return float((rows.flagged[rows.positive].mean() + (~rows.flagged[~rows.positive]).mean()) / 2)


def accuracy(rows: Rows) -> float:
    """Return the share of rows decided right."""
    return float((rows.flagged == rows.positive).mean())


def f1(rows: Rows) -> float:
    """Return F1 of the positive class, by the shipped decision."""
    hit = float((rows.flagged & rows.positive).sum())
    return 2 * hit / max(1.0, float(rows.flagged.sum() + rows.positive.sum()))


def macro_f1(rows: Rows) -> float:
    """Return the mean of F1 of both classes."""
    other = replace(rows, score=-rows.score, flagged=~rows.flagged, positive=~rows.positive)
    return (f1(rows) + f1(other)) / 2


def recall(rows: Rows) -> float:
    """Return the share of positive rows that are flagged."""
    return float(rows.flagged[rows.positive].mean()) if rows.positive.any() else float("nan")


def calibration_error(rows: Rows) -> float:
    """Return the expected calibration error: mean gap of mean score and share of positives over bins, by rows."""
    places = np.minimum((rows.score * BINS).astype(int), BINS - 1)
    sums = np.bincount(places, weights=rows.score - rows.positive, minlength=BINS)
    return float(np.abs(sums).sum() / rows.n)


def within_kinds(rows: Rows) -> float:
    """Return the mean over kinds of rows of the AUROC inside each, of those with enough rows of both classes."""
    of = np.array(rows.kind)
    found = []
    for kind in sorted(set(rows.kind)):
        part = rows.taken(of == kind)
        if LEAST <= part.positive.sum() <= part.n - LEAST:
            found.append(auroc(part))
    return float(np.mean(found)) if found else float("nan")
