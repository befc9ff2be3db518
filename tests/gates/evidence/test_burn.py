from datetime import timedelta

import numpy as np

from gates.evidence.burn import PAIRS, left, rate


def test_the_fastest_pair_spends_two_hundredths_of_a_month_in_its_long_window() -> None:
    shares = [round(pair.factor * (pair.long / timedelta(days=30)), 4) for pair in PAIRS]
    assert shares == [0.02, 0.05, 0.1, 0.1]
    assert all(pair.long == 12 * pair.short for pair in PAIRS)


def test_at_a_rate_of_one_the_budget_lasts_the_period_exactly() -> None:
    bad, total = np.array([10.0]), np.array([1000.0])
    assert rate(bad, total, 0.99).round(9).tolist() == [1.0]
    assert left(bad, total, 0.99).round(9).tolist() == [0.0]


def test_without_answers_nothing_burns_and_all_is_left() -> None:
    nothing = np.zeros(1)
    assert (rate(nothing, nothing, 0.99)[0], left(nothing, nothing, 0.99)[0]) == (0.0, 1.0)
