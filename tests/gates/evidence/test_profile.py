import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence.profile import DAY, HOURS, fit

HOUR = np.arange(HOURS)
VARIANCE = 0.015


def seen(rng, n, swing, series=50):
    """Answers and losses by hour, with a mean of .1 that swings."""
    many = rng.poisson(n, (series, HOURS)).astype(float)
    return many, many * (0.1 + swing) + rng.normal(0, 1, many.shape) * np.sqrt(many * VARIANCE)


def fitted(n, loss, weeks=4.0):
    return fit(n, loss, np.full(len(n), VARIANCE), np.full(len(n), weeks))


SWINGS = {
    "none": np.zeros(HOURS),
    "of the day": 0.03 * np.sin(2 * np.pi * HOUR / DAY),
    "of the week": 0.03 * np.sin(2 * np.pi * HOUR / HOURS),
    "office hours": 0.03 * ((HOUR % DAY > 8) & (HOUR % DAY < 18) & (HOUR // DAY < 5)),
}


@pytest.mark.parametrize("name", SWINGS)
@pytest.mark.parametrize("an_hour", [10.0, 60.0])
def test_a_profile_is_far_nearer_to_the_truth_than_hours_taken_by_themselves(name, an_hour):
    swing = SWINGS[name] - SWINGS[name].mean()
    found = fitted(*seen(np.random.default_rng(1), 4 * an_hour, swing))
    error = np.sqrt(((found.offset - swing) ** 2).mean())
    alone = np.sqrt(VARIANCE / (4 * an_hour))
    # Steps have every frequency, and keep more of the noise.
    assert error < (0.7 if name == "office hours" else 0.5) * alone
    assert np.sqrt(found.uncertainty.mean()) < alone


def test_where_nothing_swings_next_to_nothing_is_left():
    found = fitted(*seen(np.random.default_rng(2), 240.0, 0.0))
    assert np.sqrt((found.offset**2).mean()) < 0.1 * np.sqrt(VARIANCE / 240)


def test_hours_without_answers_take_their_value_from_those_like_them():
    swing = SWINGS["of the day"]
    n, loss = seen(np.random.default_rng(3), 240.0, swing)
    missing = HOUR % 30 == 7
    n[:, missing], loss[:, missing] = 0.0, 0.0
    found = fitted(n, loss)
    assert np.sqrt(((found.offset - swing)[:, missing] ** 2).mean()) < 0.01


def test_under_two_weeks_days_are_alike_and_under_three_days_hours_are_too():
    n, loss = seen(np.random.default_rng(4), 60.0, SWINGS["of the day"] + SWINGS["of the week"])
    week = fitted(n, loss, weeks=1.0).offset
    assert np.allclose(week, np.roll(week, DAY, axis=1))
    assert week.std() > 0.01
    assert not fitted(n, loss, weeks=0.3).offset.any()


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 50.0), st.floats(0.1, 10.0))
def test_offsets_are_finite_and_weigh_nothing_over_the_traffic(seed, an_hour, weeks):
    rng = np.random.default_rng(seed)
    n = rng.poisson(an_hour * rng.random((3, HOURS))).astype(float)
    found = fitted(n, n * rng.random((3, HOURS)), weeks)
    assert np.isfinite(found.offset).all()
    assert np.abs((found.offset * n).sum(axis=1)).max() < 1e-6 * max(1.0, n.sum())
    assert (np.abs(found.offset) <= 1.0).all()
    assert (found.uncertainty >= 0.0).all()
