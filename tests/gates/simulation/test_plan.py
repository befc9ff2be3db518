from datetime import timedelta

import numpy as np
import pytest

from gates.drift import DriftGate
from gates.objective import ObjectiveGate
from gates.release import ReleaseGate
from gates.simulation import traffic as simulated
from gates.simulation.plan import Losses, Scenario, assumed, delays, rollouts, steady, watched
from gates.threshold import ThresholdGate

DRIFT = DriftGate(type="drift", name="g", metric="x", worse="higher", by=("domain",), reference="1d", tolerance=0)
CANARY = ReleaseGate(type="release", name="g", metric="x", worse="higher")


def over(items, what):
    del what
    return items


def scenario(level=0.02, worse=0.4, **more):
    plain = {"draw": simulated.failing(level), "answers": 60, "slices": 5, "weeks": 1, "runs": 10}
    return Scenario(level=level, worse=worse, **(plain | more))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_figures_and_another_one_others():
    one, same, other = (steady(DRIFT, scenario(seed=seed), over) for seed in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.slow
def test_a_drift_gate_finds_what_is_worse_the_sooner_the_worse_it_is():
    quiet = watched(DRIFT, scenario(), over)
    much, at_change = delays(quiet, scenario(), over)
    little, _ = delays(quiet, scenario(worse=0.1), over)
    assert delays(quiet, scenario(), over) == (much, at_change), "what was asked before changes nothing"
    assert (quiet.false_alarms.accepted, much.share, at_change.share) == (1.0, 1.0, 1.0)
    assert quiet.false_alarms.alarms <= 1
    assert much.median_answers < 100 < little.median_answers
    assert at_change.answers < much.answers
    assert much.hours == pytest.approx(much.answers / 60, rel=0.3)


@pytest.mark.slow
def test_alarms_over_all_slices_together_are_counted_where_all_are_simulated():
    gate = DRIFT.model_copy(update={"alarms_per_week": 1000.0, "declared": 0.019, "fdr": 0.5})
    quiet, _ = steady(gate, scenario(slices=30, runs=10), over)
    assert quiet.accepted == 1000.0
    assert quiet.alarms > 1


@pytest.mark.parametrize(
    "gate",
    [
        ThresholdGate(type="threshold", name="t", metric="x", at_least=0.8, window="2h"),
        ObjectiveGate(type="objective", name="o", metric="x", worse="lower", objective=0.8, period="2d"),
    ],
)
def test_a_gate_with_a_limit_fails_where_it_is_broken_and_rarely_where_it_is_kept(gate):
    level, worse = assumed(gate)
    quiet, (delay,) = steady(gate, scenario(level, worse, runs=10, slices=1), over)
    assert (quiet.accepted, delay.share) == (None, 1.0)
    assert quiet.alarms < 0.5
    assert delay.median_answers < 1000


@pytest.mark.slow
def test_a_candidate_as_good_is_promoted_and_a_bad_one_rolled_back():
    equal, worse, bad = rollouts(CANARY, scenario(worse=0.1, answers=900, shares=(0.2, 0.5)), over)
    assert (equal.wrong, equal.allowed, worse.wrong) == ("rolled back", 0.05, "promoted")
    assert equal.rolled_back <= 0.1
    assert worse.promoted <= 0.2
    assert equal.promoted >= 0.5
    assert (bad.rolled_back, bad.promoted) == (1.0, 0.0)
    assert bad.rolled_back_answers < equal.promoted_answers


def test_where_nothing_is_decided_there_are_no_answers_until_then():
    found = rollouts(CANARY, scenario(worse=0.1, answers=1, rollout=timedelta(hours=2)), over)
    assert {each.rolled_back for each in found} == {0.0}
    assert all(np.isnan(each.promoted_answers) for each in found)


@pytest.mark.parametrize(
    ("gate", "level", "worse"),
    [
        (DRIFT, 0.02, 0.04),
        (DRIFT.model_copy(update={"worse": "lower"}), 0.9, 0.8),
        (DRIFT.model_copy(update={"worse": "lower", "declared": 0.95}), 0.95, 0.9),
        (CANARY, 0.02, 0.04),
        (ThresholdGate(type="threshold", name="t", metric="x", at_most=0.1), 0.05, 0.2),
        (ObjectiveGate(type="objective", name="o", metric="x", worse="lower", objective=0.99), 0.995, 0.98),
    ],
)
def test_what_is_assumed_of_a_gate_is_what_it_may_be_for(gate, level, worse):
    assert assumed(gate) == pytest.approx((level, worse))


def test_nothing_is_worse_than_the_worst():
    assert Losses(higher_is_worse=True).doubled(0.9) < 1.0
    assert Losses(higher_is_worse=False).doubled(0.1) > 0.0


def test_laws_have_the_mean_that_was_asked_for():
    rng = np.random.default_rng(1)
    before = simulated.graded(0.9, 0.1)
    after = Scenario(draw=before, level=0.9, worse=0.8).worsened(0.8)
    assert before(rng, 100_000).mean() == pytest.approx(0.9, abs=0.005)
    assert after(rng, 100_000).mean() == pytest.approx(0.8, abs=0.005)
    assert set(simulated.resampled([0.25, 0.5])(rng, 100)) == {0.25, 0.5}


@pytest.mark.parametrize(("mean", "deviation"), [(0.9, 0.3), (0.5, 0.0), (0.0, 0.1)])
def test_a_law_that_cannot_be_is_refused(mean, deviation):
    with pytest.raises(ValueError, match="standard deviation"):
        simulated.graded(mean, deviation)
