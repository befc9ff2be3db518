"""Correlations: as scipy computes them, and told apart where they are of the same cases."""

import numpy as np
import pytest
from scipy import stats

from evaluation.statistics.correlation import dependent_correlations_differ, rank_correlation


def test_ranks_are_correlated_as_scipy_does():
    rng = np.random.default_rng(4)
    left = rng.integers(0, 6, 80) / 5.0
    right = left + rng.normal(0, 0.4, 80)
    found = rank_correlation(left, right)
    assert found.r == pytest.approx(stats.spearmanr(left, right).statistic, abs=1e-12)
    assert found.interval.low < found.r < found.interval.high


def test_correlations_in_the_same_cases_are_told_apart_better_the_more_their_variables_go_together():
    apart = [dependent_correlations_differ(0.6, 0.5, between, 200) for between in (0.2, 0.5, 0.9)]
    assert apart == sorted(apart, reverse=True)
    assert dependent_correlations_differ(0.4, 0.4, 0.7, 100) == pytest.approx(1.0)


def test_equal_dependent_correlations_differ_in_one_of_twenty_samples():
    rng, low = np.random.default_rng(11), 0
    for _ in range(2_000):
        common = rng.normal(size=60)
        third = 0.6 * common + rng.normal(size=60)
        one, two = (common + rng.normal(size=60) for _ in range(2))
        r = np.corrcoef([third, one, two])
        low += dependent_correlations_differ(r[0, 1], r[0, 2], r[1, 2], 60) <= 0.05
    assert 70 <= low <= 130
