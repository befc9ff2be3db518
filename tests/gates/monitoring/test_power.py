"""The gate is blind nowhere: at every mean that it claims to find, its evidence grows with each answer in expectation.

What it claims stands in `gates.evidence.detector` and in docs/gates.md: of losses of 0 and 1, every mean from a fifth
above the level; of scores that vary as before the same, if they were not nearly perfect, and however bad answers come
about, every mean from two and a quarter times the level (of what is left up to 1, where the level is near a half or
above it).
"""

import math
from functools import cache

import numpy as np
import pytest

from gates.evidence.reference import Moments, reference
from gates.monitoring.bets import Bet, Sizes
from gates.monitoring.detectors import SeriesTable
from gates.simulation.traffic import graded
from tests.gates.test_references import DAY, at, days, gate, served, steady

LEVELS = (0.0, 0.001, 0.01, 0.02, 0.05, 0.2, 0.5, 0.9)
SMALL, USUAL, LARGE = 300, 10_000, 1_000_000
"""Answers of a reference: as many as one needs, those of a quiet slice's four weeks, and those of a busy one's."""
VARIED = (0.001, 0.02, 0.3, 0.7)
"""Variances of scores, as parts of the largest that there can be at a mean."""
BEYOND = (0.0, 0.05, 0.2, 0.5, 1.0)
"""Means beyond the first that is found, as parts of the way from there to 1."""


def held(mean: float, varied: float, n: int, tolerated: float | None) -> SeriesTable:
    """A series whose past had this mean; ``varied`` is 1 for losses of 0 and 1."""
    total, square = n * mean, n * (varied * mean * (1.0 - mean) + mean * mean)
    sums = (n, n, total, n, total, square, total, square, 0 if varied == 1.0 else n, n, n, square, 1.0)
    series = SeriesTable.empty(1)
    series.moments[0] = sums
    series.q0[0], series.variance[0], series.icc[0] = reference(Moments(*map(float, sums)), tolerated=tolerated)
    series.lately[0, 0] = 1.0
    return series


def growth(series: SeriesTable, losses: np.ndarray, chance: np.ndarray) -> float:
    """By how much the logarithm of the evidence that grows fastest rises in expectation, an answer."""
    first = np.zeros(len(losses), np.int64)
    bet = Bet(0, first, first, Sizes.of(series, first, series.q0[first]), (), np.ones(len(losses)), losses)
    return float((chance[:, None] * np.log(bet.factor)).sum(axis=0).max())


def means_from(first: float) -> list[float]:
    assert first < 1.0, "there is no mean that is found"
    return [first + part * (1.0 - first) for part in BEYOND]


@pytest.mark.parametrize("tolerated", [None, 0.0])
@pytest.mark.parametrize("n", [SMALL, USUAL, LARGE])
@pytest.mark.parametrize("level", LEVELS)
def test_evidence_of_failures_grows_from_a_fifth_above_the_level(level, n, tolerated):
    series = held(level, 1.0, n, tolerated)
    q0 = float(series.q0[0])
    for mean in means_from(q0 + 0.2 * min(q0, 1.0 - q0)):
        assert growth(series, np.array([0.0, 1.0]), np.array([1.0 - mean, mean])) > 0.0, (q0, mean)


@pytest.mark.parametrize("tolerated", [None, 0.0])
@pytest.mark.parametrize("n", [USUAL, LARGE])
@pytest.mark.parametrize("varied", VARIED)
@pytest.mark.parametrize("level", [level for level in LEVELS if level > 0.0])
def test_evidence_of_scores_grows_however_they_come_to_be_worse(level, varied, n, tolerated):
    series = held(level, varied, n, tolerated)
    q0, rng = float(series.q0[0]), np.random.default_rng(1)
    for mean in means_from(2.25 * q0 if q0 <= 4 / 9 else (1.0 + q0) / 2.0):
        share = (mean - level) / (1.0 - level)
        assert growth(series, np.array([level, 1.0]), np.array([1.0 - share, share])) > 0.0, ("some fail", q0, mean)
        assert growth(series, np.array([mean]), np.ones(1)) > 0.0, ("all are a little worse", q0, mean)
        if mean < 1.0:
            losses = graded(mean, math.sqrt(varied * mean * (1.0 - mean)))(rng, 4000)
            assert growth(series, losses, np.full(4000, 1 / 4000)) > 0.0, ("all vary as before", q0, mean)


@pytest.mark.parametrize("n", [USUAL, LARGE])
@pytest.mark.parametrize("varied", VARIED)
@pytest.mark.parametrize("level", [level for level in LEVELS if level >= 0.02])
def test_evidence_of_scores_that_vary_as_before_grows_from_a_fifth_above_the_level(level, varied, n):
    series = held(level, varied, n, None)
    q0, rng = float(series.q0[0]), np.random.default_rng(2)
    for mean in means_from(q0 + 0.2 * min(q0, 1.0 - q0))[:-1]:
        losses = graded(mean, math.sqrt(varied * mean * (1.0 - mean)))(rng, 100_000)
        assert growth(series, losses, np.full(len(losses), 1 / len(losses))) > 0.0, (q0, mean)


@cache
def after_a_perfect_past(many):
    rng, subject = np.random.default_rng(28), gate(fdr=None, slices=200)
    state, rates = subject.initial(), np.full(many, 5.0)
    for first in range(28):
        state = subject.fold(state, served(rng, rates, days(first, first + 1), steady(*[0.0] * many)))
    return subject, state, rates


@pytest.mark.slow
@pytest.mark.parametrize(("share", "most"), [(0.02, 900), (0.04, 330)])
def test_after_a_perfect_past_every_slice_that_begins_to_fail_is_found(share, most):
    """Of slices by themselves: joint alarms find so many at once far sooner."""
    many, rng = 30, np.random.default_rng(29)
    subject, state, rates = after_a_perfect_past(many)
    seen, found = np.zeros(many), np.full(many, np.nan)
    for tick in range(28 * DAY, 31 * DAY):
        rows = served(rng, rates, np.array([tick]), steady(*[share] * many))
        state = subject.settled(subject.fold(state, rows), at(tick + 1))
        seen += np.bincount(rows.group, minlength=many)
        places = [int(slice_[0][1][1:]) for slice_, _ in state.index.epochs]
        alarmed = np.zeros(many, np.bool_)
        alarmed[places] = state.monitor.epochs.failing
        found[alarmed & np.isnan(found)] = seen[alarmed & np.isnan(found)]
        if not np.isnan(found).any():
            break
    assert not np.isnan(found).any(), "some slices are never found"
    assert np.median(found) <= most
