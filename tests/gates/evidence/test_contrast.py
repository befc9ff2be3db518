import numpy as np
import pytest

from gates.evidence import betting
from gates.evidence.contrast import contrasts, matched


def apart(losses, of, alpha=0.05, strata=None, weight=None, units=None):
    n = len(losses)
    weight = np.ones(n) if weight is None else weight
    pair = matched(weight, np.zeros(n, int) if strata is None else strata, of, ~of)
    (found,) = contrasts(losses, np.arange(n) if units is None else units, [pair], alpha)
    return found


def test_a_change_of_the_mix_alone_is_no_change():
    rng = np.random.default_rng(0)
    strata = np.concatenate([rng.random(2000) < 0.2, rng.random(1000) < 0.8]).astype(int)
    losses = (rng.random(3000) < np.where(strata, 0.6, 0.1)).astype(float)
    found = apart(losses, np.arange(3000) >= 2000, strata=strata)
    assert found.lower < 0 < found.upper
    assert abs(found.change) < 0.05
    assert found.before.mean == pytest.approx(0.5, abs=0.05)


def test_strata_seen_on_one_side_only_are_left_out_and_said_to_be():
    strata = np.array([0] * 100 + [0] * 60 + [1] * 40)
    found = apart(np.where(strata, 1.0, 0.0), np.arange(200) >= 100, strata=strata)
    assert (found.compared, found.after.n, found.change) == (0.6, 60, 0.0)


@pytest.mark.parametrize("level", [0.02, 0.5])
def test_bounds_miss_no_more_often_than_they_may_even_when_looked_at_again_and_again(level):
    runs, before, looks = 40, 400, (50, 100, 200, 400)
    losses = (np.random.default_rng(7).random((runs, 2 * before)) < level).astype(float)
    of = np.zeros((runs, len(looks), 2, runs, 2 * before))
    for run in range(runs):
        for number, look in enumerate(looks):
            of[run, number, 0, run, before : before + look] = 1.0
            of[run, number, 1, run, :before] = 1.0
    pairs = [(after.ravel(), reference.ravel(), 1.0) for looked in of for after, reference in looked]
    found = contrasts(losses.ravel(), np.arange(losses.size), pairs, 0.1)
    missed = np.array([not each.lower <= 0.0 <= each.upper for each in found]).reshape(runs, -1)
    assert missed.any(axis=1).sum() <= 0.2 * runs


def test_a_difference_is_bounded_more_closely_than_by_two_bounds():
    losses = np.concatenate([np.arange(400) % 10 == 0, np.arange(400) % 5 == 0]).astype(float)
    found = apart(losses, np.arange(800) >= 400)
    low, high = (
        betting.bounds(betting.Sums.of(losses[400:]), 0.025),
        betting.bounds(betting.Sums.of(losses[:400]), 0.025),
    )
    assert found.lower > float(low[0][0]) - float(high[1][0])


def test_nothing_is_known_without_answers_on_one_side():
    found = apart(np.zeros(10), np.zeros(10, bool))
    assert (found.lower, found.upper, found.compared) == (-1.0, 1.0, 0.0)


def test_a_weight_that_outweighs_all_others_is_worth_one_answer():
    losses = np.concatenate([np.zeros(200), np.ones(200)])
    weight = np.ones(400)
    plain = apart(losses, np.arange(400) >= 200, weight=weight)
    weight[399] = 1e4
    assert apart(losses, np.arange(400) >= 200, weight=weight).lower < plain.lower
