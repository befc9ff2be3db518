import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence.intervals import balance, effective_n, kl, upper_bound

means = st.floats(0, 1)
sizes = st.integers(1, 10**6)
alphas = st.floats(0.001, 0.5)
ratios = st.floats(0.01, 1)


def lower_bound(mean: float, n: int, alpha: float, *, ratio: float = 1.0) -> float:
    """What the true mean falls short of with probability at most ``alpha``: `upper_bound`, mirrored."""
    return min(mean, 1.0 - upper_bound(1.0 - mean, n, alpha, ratio=ratio))


def test_thirty_answers_without_a_failure_bound_the_rate_by_the_rule_of_three() -> None:
    # With no failures kl(0, q) = -ln(1 - q), so the bound is 1 - alpha ** (1 / n) in closed form.
    for n in (1, 5, 30, 1000):
        assert upper_bound(0.0, n, 0.05) == pytest.approx(1 - 0.05 ** (1 / n), abs=1e-9)


def test_the_bound_is_where_the_relative_entropy_reaches_the_evidence_needed() -> None:
    upper = upper_bound(0.2, 50, 0.01)
    assert 50 * kl(0.2, upper) == pytest.approx(math.log(100), rel=1e-6)


@given(means, sizes, alphas, ratios)
def test_the_interval_holds_its_mean_and_stays_in_the_unit_interval(
    mean: float, n: int, alpha: float, ratio: float
) -> None:
    assert 0 <= lower_bound(mean, n, alpha, ratio=ratio) <= mean <= upper_bound(mean, n, alpha, ratio=ratio) <= 1


@given(means, st.integers(1, 10**5), alphas, ratios)
def test_more_evidence_of_the_same_kind_never_widens_the_interval(
    mean: float, n: int, alpha: float, ratio: float
) -> None:
    assert upper_bound(mean, 2 * n, alpha, ratio=ratio) <= upper_bound(mean, n, alpha, ratio=ratio) + 1e-9
    assert lower_bound(mean, 2 * n, alpha, ratio=ratio) >= lower_bound(mean, n, alpha, ratio=ratio) - 1e-9


@given(means, st.integers(1, 10**5), alphas, ratios)
def test_unequal_weights_never_narrow_the_interval(mean: float, n: int, alpha: float, ratio: float) -> None:
    assert upper_bound(mean, n, alpha, ratio=ratio) >= upper_bound(mean, n, alpha) - 1e-9


@given(means, st.integers(1, 10**5), st.floats(0.001, 0.2))
def test_more_confidence_never_narrows_the_interval(mean: float, n: int, alpha: float) -> None:
    assert upper_bound(mean, n, alpha / 2) >= upper_bound(mean, n, alpha)


@given(st.lists(st.floats(1, 100), min_size=1, max_size=50))
def test_the_effective_size_never_exceeds_kish_nor_the_number_of_answers(weights: list[float]) -> None:
    n, total, heaviest = len(weights), sum(weights), max(weights)
    kish = total**2 / sum(weight**2 for weight in weights)
    assert effective_n(n, total, heaviest) <= kish * (1 + 1e-9)
    assert 0 < balance(n, total, heaviest) <= 1
    assert kish <= n * (1 + 1e-9)


@given(means, means)
def test_relative_entropy_is_never_negative_and_zero_only_for_equals(p: float, q: float) -> None:
    assert kl(p, q) >= 0
    assert kl(p, p) == 0


@pytest.mark.parametrize(
    ("mean", "n", "alpha", "ratio"),
    [
        (-0.1, 5, 0.05, 1.0),
        (1.1, 5, 0.05, 1.0),
        (0.5, -1, 0.05, 1.0),
        (0.5, 5, 0.0, 1.0),
        (0.5, 5, 0.05, 0.0),
        (float("nan"), 5, 0.05, 1.0),
    ],
)
def test_figures_out_of_range_are_refused(mean: float, n: int, alpha: float, ratio: float) -> None:
    with pytest.raises(ValueError, match="out of range"):
        upper_bound(mean, n, alpha, ratio=ratio)


def test_without_a_single_answer_nothing_is_known() -> None:
    assert (lower_bound(0.5, 0, 0.05), upper_bound(0.5, 0, 0.05)) == (0.0, 1.0)


def _misses(
    draw: Callable[[], list[tuple[float, float]]], truth: float, *, runs: int, alpha: float
) -> tuple[float, float]:
    """Return how often the lower and the upper bound miss the true mean of all traffic."""
    low = high = 0
    for _ in range(runs):
        sample = draw()
        n, total = len(sample), sum(weight for _, weight in sample)
        if not n:
            continue
        mean = min(1.0, sum(value * weight for value, weight in sample) / total)
        ratio = balance(n, total, max(weight for _, weight in sample))
        low += lower_bound(mean, n, alpha, ratio=ratio) > truth
        high += upper_bound(mean, n, alpha, ratio=ratio) < truth
    return low / runs, high / runs


@pytest.mark.parametrize(("rate", "n"), [(0.02, 40), (0.02, 400), (0.1, 100), (0.5, 30)])
def test_bounds_on_a_rate_of_failures_miss_it_no_more_often_than_promised(rate: float, n: int) -> None:
    rng = random.Random(1)
    runs, alpha = 2000, 0.05
    low, high = _misses(lambda: [(float(rng.random() < rate), 1.0) for _ in range(n)], rate, runs=runs, alpha=alpha)
    assert low <= alpha
    assert high <= alpha
    assert low + high > 0, "a bound that never misses in 2000 runs would be too wide to decide anything"


def test_bounds_on_continuous_scores_miss_the_mean_no_more_often_than_promised() -> None:
    rng = random.Random(2)
    low, high = _misses(lambda: [(rng.betavariate(9, 1), 1.0) for _ in range(100)], 0.9, runs=1000, alpha=0.05)
    assert max(low, high) <= 0.05


@pytest.mark.parametrize("quality", [(0.02, 0.02), (0.3, 0.01), (0.02, 0.2)])
def test_bounds_hold_under_sampling_that_prefers_suspicious_answers(quality: tuple[float, float]) -> None:
    # A fifth of the traffic is suspicious and drawn five times as often; failures may depend on the stratum.
    rng = random.Random(3)
    truth = 0.2 * quality[0] + 0.8 * quality[1]

    def draw() -> list[tuple[float, float]]:
        sample = []
        for _ in range(600):
            suspicious = rng.random() < 0.2
            probability = 0.5 if suspicious else 0.1
            if rng.random() < probability:
                failed = rng.random() < quality[0 if suspicious else 1]
                sample.append((float(failed), 1 / probability))
        return sample

    low, high = _misses(draw, truth, runs=1500, alpha=0.05)
    assert max(low, high) <= 0.05
