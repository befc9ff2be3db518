import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gates.evidence.betting import Sums, bounds, log_wealth

values = st.lists(st.sampled_from([0.0, 1.0, 0.1, 1 / 3]), min_size=1, max_size=40)


@pytest.mark.parametrize("mean", [0.1, 0.4])
@pytest.mark.parametrize("side", ["higher", "lower"])
def test_over_all_paths_wealth_never_grows_in_the_mean_while_the_mean_is_the_one_bet_against(
    mean: float, side: str
) -> None:
    for length in (1, 4, 8):
        expected = 0.0
        for path in itertools.product((0.0, 1.0), repeat=length):
            chance = np.prod([mean if loss else 1 - mean for loss in path])
            expected += chance * math.exp(
                float(log_wealth(Sums.of(path), np.array([[mean]]), up=side == "higher")[0, 0])
            )
        assert expected <= 1.0 + 1e-9


@pytest.mark.parametrize(("rate", "kind"), [(0.02, "failures"), (0.3, "failures"), (0.1, "scores")])
def test_bounds_read_again_and_again_miss_the_mean_no_more_often_than_promised(rate: float, kind: str) -> None:
    rng = np.random.default_rng(4)
    runs, looks = 400, (30, 60, 100, 200, 400, 800, 1500)
    missed = {"low": np.zeros(runs, bool), "high": np.zeros(runs, bool)}
    seen = (
        rng.beta(0.5, 4.5, (runs, looks[-1]))
        if kind == "scores"
        else (rng.random((runs, looks[-1])) < rate).astype(float)
    )
    for look in looks:
        part = seen[:, :look]
        n, total, squares = np.full(runs, float(look)), part.sum(axis=1), (part**2).sum(axis=1)
        low, high = bounds(Sums(n, n, total, n, total, squares), 0.05)
        missed["low"] |= low > rate
        missed["high"] |= high < rate
    # 5 % of 400 runs, and two standard errors.
    assert missed["low"].sum() <= 29
    assert missed["high"].sum() <= 29


@settings(deadline=None)
@given(values, st.floats(0.01, 0.4))
def test_bounds_hold_their_mean_and_stay_in_the_unit_interval(seen: list[float], alpha: float) -> None:
    low, high = bounds(Sums.of(seen), alpha)
    assert 0.0 <= low[0] <= sum(seen) / len(seen) + 1e-12
    assert sum(seen) / len(seen) - 1e-12 <= high[0] <= 1.0


def test_scores_that_vary_little_are_bounded_far_more_narrowly_than_failures_of_their_mean() -> None:
    steady = bounds(Sums.of([0.45, 0.55] * 500), 0.05)
    failing = bounds(Sums.of([0.0, 1.0] * 500), 0.05)
    assert steady[1][0] - steady[0][0] < (failing[1][0] - failing[0][0]) / 3


def test_a_sample_of_nothing_is_between_0_and_1() -> None:
    low, high = bounds(Sums.of([]), 0.05)
    assert (low[0], high[0]) == (0.0, 1.0)


@pytest.mark.slow
def test_unequal_weights_miss_no_more_often_than_promised() -> None:
    # A fifth of the traffic fails often and is drawn five times as often as the rest.
    rng = np.random.default_rng(6)
    runs, n, low_miss, high_miss = 400, 2000, 0, 0
    truth = 0.2 * 0.2 + 0.8 * 0.01
    for _ in range(runs):
        suspicious = rng.random(n) < 0.2
        probability = np.where(suspicious, 0.5, 0.1)
        drawn = rng.random(n) < probability
        y = (rng.random(n) < np.where(suspicious, 0.2, 0.01))[drawn].astype(float)
        v = 0.1 / probability[drawn]
        columns = (np.ones_like(v), v, v * y, v * v, v * v * y, v * v * y * y)
        low, high = bounds(Sums(*(np.array([column.sum()]) for column in columns)), 0.05)
        low_miss += low[0] > truth
        high_miss += high[0] < truth
    assert max(low_miss, high_miss) <= 29
