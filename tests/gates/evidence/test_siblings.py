import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence.siblings import siblings


@pytest.mark.parametrize("alike", [20.0, 200.0, 5000.0])
def test_what_slices_have_in_common_bounds_another_one_of_their_kind(alike):
    rng = np.random.default_rng(1)
    missed = 0
    for _ in range(400):
        means = rng.beta(0.05 * alike, 0.95 * alike, 31)
        seen = rng.binomial(2000, means[:30]) / 2000
        missed += siblings(seen, np.full(30, 0.05 * 0.95 / 2000)).upper_bound() < means[30]
    assert missed <= 12, "1 % of 400, and four standard errors"


def test_the_more_slices_differ_the_more_a_new_one_may():
    rng = np.random.default_rng(2)
    bounds = [
        siblings(rng.beta(0.05 * k, 0.95 * k, 30), np.full(30, 1e-6)).upper_bound() for k in (1000.0, 100.0, 10.0)
    ]
    assert bounds == sorted(bounds)


def test_own_answers_count_the_more_the_more_there_are():
    alike = siblings(np.full(10, 0.02), np.full(10, 1e-4))
    assert alike.upper_bound() < alike.upper_bound(100.0, 20.0) < alike.upper_bound(1000.0, 200.0)


@given(
    st.lists(st.floats(0.0, 1.0), min_size=5, max_size=40),
    st.floats(1e-9, 0.1),
    st.permutations(range(5)),
)
def test_a_bound_is_in_its_range_and_does_not_depend_on_the_order_of_slices(means, error, order):
    first = siblings(np.array(means), np.full(len(means), error))
    places = [*order, *range(5, len(means))]
    assert first == siblings(np.array(means)[places], np.full(len(means), error))
    assert first.mean <= 1.0
    assert 0.0 < first.upper_bound() < 1.0


def test_a_few_slices_say_nothing():
    assert siblings(np.full(4, 0.02), np.full(4, 1e-5)) is None
