"""The statistics agree with scipy and statsmodels, to nine digits."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from evaluation.statistics.bootstrap import bootstrap_intervals, totals_by_group
from evaluation.statistics.correlation import correlation, correlations_differ, fisher_interval
from evaluation.statistics.multiplicity import benjamini_hochberg, holm
from evaluation.statistics.power import detectable_difference
from evaluation.statistics.significance import MeanError, cohens_d, mcnemar, mean_error, paired_t, wilcoxon

EXACT = {"rel": 1e-9, "abs": 1e-9}
SEEDS = range(20)


def drawn(seed, n=None):
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(5, 300))
    left = rng.normal(0.6, 0.2, n)
    return left, left * 0.5 + rng.normal(0.3, 0.1, n)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_paired_t_test_is_that_of_scipy(seed):
    left, right = drawn(seed)
    expected = stats.ttest_rel(right, left)
    found = paired_t(right - left, np.ones(len(left)))
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue), **EXACT)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_wilcoxon_test_is_that_of_scipy(seed):
    left, right = drawn(seed)
    expected = stats.wilcoxon(right, left)
    found = wilcoxon(right - left)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue), **EXACT)


def test_differences_that_only_rounding_tells_apart_are_ties():
    left, right = np.array([0.1, 0.2, 0.5, 0.3]), np.array([0.3, 0.4, 0.4, 0.6])
    exact = stats.wilcoxon([2, 2, -1, 3])
    assert wilcoxon(right - left).p_value == exact.pvalue


@pytest.mark.parametrize("seed", SEEDS)
def test_mcnemar_is_that_of_statsmodels(seed):
    rng = np.random.default_rng(seed)
    left, right = rng.integers(0, 2, (2, int(rng.integers(2, 400))))
    table = [[np.sum((left == a) & (right == b)) for b in (0, 1)] for a in (0, 1)]
    assert mcnemar(right - left).p_value == pytest.approx(reference_mcnemar(table, exact=True).pvalue, **EXACT)


def test_mcnemar_of_groups_counts_every_way_to_toss_their_signs():
    sums = np.array([3, -1, 2, 2, 0, 1])
    signs = 1 - 2 * (np.arange(2**6)[:, None] >> np.arange(6) & 1)
    expected = np.mean(np.abs(signs @ sums) >= abs(sums.sum()))
    assert mcnemar(sums).p_value == pytest.approx(expected, **EXACT)


@pytest.mark.parametrize("seed", SEEDS)
def test_adjusted_p_values_are_those_of_statsmodels(seed):
    p = np.random.default_rng(seed).uniform(0, 0.2, 30)
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], **EXACT)
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1], **EXACT)
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p), **EXACT)


@pytest.mark.parametrize(("n", "alpha"), [(6, 0.05), (30, 0.05), (369, 0.05), (369, 0.00125), (2_400, 0.01)])
def test_the_smallest_difference_seen_is_found_with_the_power_that_statsmodels_gives_it(n, alpha):
    left, right = drawn(1, n)
    difference = right - left
    effect = detectable_difference(mean_error(difference, np.ones(n)), alpha=alpha) / difference.std(ddof=1)
    assert TTestPower().power(effect, n, alpha / 2, alternative="larger") == pytest.approx(0.8, **EXACT)


@pytest.mark.parametrize("groups", [5, 20_000])
def test_the_smallest_difference_seen_has_a_value_far_from_the_middle(groups):
    seen = detectable_difference(MeanError(1.0, groups - 1), alpha=1e-6)
    assert seen >= stats.norm.isf(0.5e-6)
    assert np.isfinite(seen)


@pytest.mark.parametrize(("error", "groups", "most"), [(1.0, 4, np.inf), (0.0, 40, np.inf), (0.5, 10, 1.0)])
def test_no_smallest_difference_is_told_by_few_groups_without_spread_or_beyond_the_scale(error, groups, most):
    assert detectable_difference(MeanError(error, groups - 1), alpha=0.05, most=most) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_a_correlation_has_the_interval_of_scipy(seed):
    left, right = drawn(seed)
    expected = stats.pearsonr(left, right)
    found = correlation(left, right)
    assert found.r == pytest.approx(expected.statistic, **EXACT)
    assert found.interval == pytest.approx(tuple(expected.confidence_interval(0.95)), **EXACT)


def test_two_correlations_are_compared_by_fishers_z():
    z = (np.arctanh(0.8) - np.arctanh(0.6)) / np.sqrt(1 / 22 + 1 / 17)
    assert correlations_differ(0.6, 25, 0.8, 20) == pytest.approx(2 * stats.norm.sf(z), **EXACT)
    assert fisher_interval(0.0, 1_000).low == pytest.approx(-np.tanh(1.959963984540054 / np.sqrt(997)), **EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_an_interval_of_one_stratum_is_the_bca_interval_of_scipy(seed):
    values = np.random.default_rng(seed).lognormal(size=40)
    expected = stats.bootstrap(
        (values,), np.mean, n_resamples=2_000, method="BCa", rng=np.random.default_rng(seed), vectorized=True
    ).confidence_interval
    totals = totals_by_group(values[:, None], np.arange(40))
    [found] = bootstrap_intervals(totals, np.zeros(40, int), np.random.default_rng(seed), resamples=2_000)
    assert tuple(found) == pytest.approx(tuple(expected), **EXACT)


def test_the_effect_size_is_cohens_d_of_the_differences():
    left, right = drawn(3)
    difference = right - left
    assert cohens_d(difference) == pytest.approx(difference.mean() / difference.std(ddof=1), **EXACT)
