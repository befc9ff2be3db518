import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence.twosample import contrast, detectable, needed, promote_factors, rollback_factors

inner = st.floats(0.01, 0.99)


def expected_factor(factors, q_candidate, q_baseline, share, mean, **options):
    """The exact mean of a factor over routing and failure."""
    total = 0.0
    for routed, loss in itertools.product((True, False), (0.0, 1.0)):
        rate = q_candidate if routed else q_baseline
        chance = (share if routed else 1 - share) * (rate if loss else 1 - rate)
        given_ = (np.array([loss]), np.array([routed]), np.array([share]), np.array([mean]))
        sizes = (given_[2], given_[3], np.array([mean * (1 - mean)]), np.array([1.0]))
        total = total + chance * factors(contrast(*given_), *sizes, **options)[0]
    return total


@given(inner, inner, inner)
def test_where_quality_is_equal_the_rollback_factor_is_fair_whatever_the_share_and_the_mean(rate, share, mean):
    assert expected_factor(rollback_factors, rate, rate, share, mean) == pytest.approx(1.0)


@given(st.floats(0.0, 0.8), inner, inner)
def test_where_the_candidate_is_worse_by_the_margin_the_promote_factor_is_fair(rate, share, mean):
    assert expected_factor(promote_factors, rate + 0.1, rate, share, mean, margin=0.1) == pytest.approx(1.0)


@given(inner, inner, inner)
def test_a_better_candidate_never_gains_towards_rollback(rate, share, mean):
    assert (expected_factor(rollback_factors, rate * 0.5, rate, share, mean) <= 1.0 + 1e-9).all()


@given(
    st.floats(0, 1),
    st.booleans(),
    inner,
    inner,
    st.floats(0, 0.25),
    st.floats(0.001, 1),
    st.floats(0, 20),
    st.floats(0, 5),
)
def test_no_factor_falls_below_a_half(loss, routed, share, mean, variance, weight, raised, margin):
    given_ = (np.array([loss]), np.array([routed]), np.array([share]), np.array([mean]))
    sizes = (given_[2], given_[3], np.array([max(variance, 1e-6)]), np.array([weight]))
    more = np.array([raised])
    for found in (
        rollback_factors(contrast(*given_), *sizes, raised=more),
        promote_factors(contrast(*given_), *sizes, margin=margin + 0.001, raised=more),
    ):
        assert np.isfinite(found).all()
        assert (found >= 0.5 - 1e-9).all()


@given(st.floats(1e-3, 0.3), st.floats(0.01, 0.99), inner, st.floats(0.5, 19))
def test_what_is_needed_falls_with_evidence_and_is_nothing_at_the_end(margin, mean, share, e_value):
    options = {"mean": mean, "variance": mean * (1 - mean), "share": share, "margin": margin, "alpha": 0.05}
    assert needed(np.full(3, 1e250), **options) == needed(np.full(3, 20.0), **options) == 0
    assert 0 < needed(np.full(3, e_value), **options) <= needed(np.full(3, 1e-3), **options)


@pytest.mark.parametrize(("failing", "margin", "share"), [(0.0, 0.1, 0.5), (0.02, 0.05, 0.5), (0.2, 0.1, 0.25)])
def test_about_as_many_answers_as_were_said_to_be_needed_promote_a_candidate_that_is_as_good(failing, margin, share):
    rng, took = np.random.default_rng(5), []
    for _ in range(200):
        loss, candidate = (rng.random(4000) < failing).astype(float), rng.random(4000) < share
        columns = (np.full(4000, each) for each in (share, failing, max(failing * (1 - failing), 1e-6), 1.0))
        columns = tuple(columns)
        factors = promote_factors(contrast(loss, candidate, columns[0], columns[1]), *columns, margin=margin)
        reached = np.cumprod(factors, axis=0).mean(axis=1) >= 20.0
        took.append(int(candidate[: int(np.argmax(reached)) + 1].sum()) if reached.any() else 4000)
    told = needed(
        np.ones(3), mean=failing, variance=max(failing * (1 - failing), 1e-6), share=share, margin=margin, alpha=0.05
    )
    assert 0.7 * told <= np.median(took) <= 1.3 * told


@given(st.integers(1, 10**6), st.floats(0.01, 0.25), inner)
def test_more_answers_show_smaller_differences(n, variance, share):
    options = {"bets": 4, "alpha": 0.05, "variance": variance, "share": share}
    assert 0.0 < detectable(2 * n, **options) <= detectable(n, **options) <= 1.0
