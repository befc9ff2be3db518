"""Slow evidence against the mean of a first reference: lawful whatever that mean is, and large where it rose."""

import numpy as np
import pytest

from gates.evidence import creep
from gates.evidence.reference import Moments, tolerance

MEAN, ANSWERS, DAYS = 0.02, 300, 84


def evidence(rng, runs, failing, days=DAYS, reference=28):
    """The evidence of one cohort after each day; ``failing`` is the chance of a failure by day."""
    n = reference * ANSWERS
    mean = (rng.binomial(n, MEAN, runs) + 1.0) / n
    error = mean * (1.0 - mean) / n
    lam = creep.bets(
        mean, creep.rise(error, tolerance(Moments.of(*[(0.0,)] * 98, (1.0,), (1.0,)))), mean * (1.0 - mean)
    )
    lost = rng.binomial(ANSWERS, np.broadcast_to(failing, (runs, days)))
    told = lost * np.log1p(lam * (1.0 - mean))[:, None] + (ANSWERS - lost) * np.log1p(-lam * mean)[:, None]
    reliance = (lam * np.sqrt(error))[:, None] * ANSWERS * np.arange(1, days + 1)
    return np.exp(told.cumsum(axis=1)) * creep.discount(reliance)


@pytest.mark.parametrize("least", [5.0, 20.0, 100.0])
def test_whoever_stops_when_it_suits_sees_so_much_evidence_no_more_often_than_the_bound_says(least):
    seen = evidence(np.random.default_rng(1), 20_000, np.full(DAYS, MEAN)).max(axis=1)
    assert np.mean(seen >= least) <= 1.0 / least


def test_a_reference_that_was_lucky_is_paid_for():
    """Without the discount the mean of a reference is taken for the truth, and the bound is broken."""
    rng = np.random.default_rng(2)
    whole = evidence(rng, 4_000, np.full(DAYS, MEAN))
    n = 28 * ANSWERS
    lucky = rng.binomial(n, MEAN, 4_000) / n
    lam, lost = 0.25, rng.binomial(ANSWERS, MEAN, (4_000, DAYS))
    told = lost * np.log1p(lam * (1.0 - lucky))[:, None] + (ANSWERS - lost) * np.log1p(-lam * lucky)[:, None]
    assert np.mean(np.exp(told.cumsum(axis=1)).max(axis=1) >= 100.0) > 0.03
    assert np.mean(whole.max(axis=1) >= 100.0) < 0.01


def test_a_point_is_seen_in_weeks_and_a_tenth_of_one_is_not():
    seen = evidence(np.random.default_rng(3), 2_000, np.full(35, MEAN + 0.01), days=35).max(axis=1)
    assert np.median(seen) > 100.0
    kept = evidence(np.random.default_rng(4), 2_000, np.full(DAYS, MEAN + 0.001)).max(axis=1)
    assert np.mean(kept >= 20.0) < 0.05


@pytest.mark.parametrize("reliance", [0.4, 1.0, 1.7, 2.5, 3.3, 4.1])
def test_the_discount_is_the_least_that_any_error_of_the_reference_leaves(reliance):
    z = np.linspace(-creep.LARGEST_ERROR, creep.LARGEST_ERROR, 601)
    low, high = creep.RELIANCE
    b = low + (high - low) * (np.arange(2_000)[:, None] + 0.5) / 2_000.0
    left = np.exp(b * z - b * b / 2.0).mean(axis=0) * np.exp(-z * reliance)
    assert creep.discount(np.array([reliance]))[0] <= left.min() * 1.001
    assert creep.discount(np.array([reliance]))[0] >= left.min() * 0.9


def test_what_has_heard_too_much_or_nothing_says_nothing():
    assert creep.discount(np.array([0.0, 50.0])).tolist() == [0.0, 0.0]
