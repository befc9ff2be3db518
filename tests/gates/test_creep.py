"""A drift gate finds what falls by a point a month: against the first reference, over weeks, and says so in words."""

from datetime import timedelta
from functools import cache

import numpy as np
import pytest

from gates.evidence import creep
from gates.inputs.changes import Change
from gates.monitoring.rules import CREEP_PARENT_SHARE, MEAN_SHARE, PARENT_SHARE
from tests.gates.test_references import at, failing_slices, gate, served

DAY = 288
RATES = np.full(3, 2.0)


def creeping(place, tick):
    """The second slice loses a point a month from the 28th day on, until the 70th."""
    lost = 0.01 / 30.0 * np.clip(tick / DAY - 28.0, 0.0, 42.0)
    return 0.02 + np.where(place == 1, np.where(tick < 70 * DAY, lost, 0.0), 0.0)


def fold(subject, state, rng, first, last, failing=creeping):
    for day in range(first, last, 7):
        state = subject.fold(state, served(rng, RATES, np.arange(day * DAY, min(day + 7, last) * DAY), failing))
    return state


@cache
def after(days):
    """The gate and its state, hourly ticks; ``slices`` is so many that a slice by itself needs far more evidence."""
    subject, rng = gate(tick="1h"), np.random.default_rng(1)
    return subject, fold(subject, subject.initial(), rng, 0, days)


def creep_of(subject, state, tick):
    return next(part for part in subject.verdict(state, at(tick)).slices if part.slice == {"domain": "d001"})


@pytest.mark.slow
def test_creep_is_found_within_35_days_and_told_in_words():
    subject, state = after(63)
    assert state.monitor.creep.epochs.failing.tolist() == [False, True, False]
    state = subject.load(subject.dump(state))
    # What alarmed by itself as well is told by that.
    state.monitor.epochs.failing[:] = False
    state.monitor.epochs.evidence[:] = state.monitor.epochs.level[:] = 0.0
    part = creep_of(subject, state, 63 * DAY)
    assert part.state == "fail"
    assert part.reason.startswith("m in domain=d001 has crept from 0.0")
    assert "over " in part.reason
    assert "no recovery shown since" in part.reason
    before, now = (float(word) for word in part.reason.split("crept from ")[1].split(" over")[0].split(" to "))
    assert 0.017 < before < 0.023
    assert before + 0.003 < now < 0.034
    assert part.evidence["e_value"] == part.evidence["creep_e_value"]
    assert part.evidence["creep_e_value"] >= part.evidence["creep_threshold"] == 20.0


def test_a_state_with_slow_detectors_is_kept_and_goes_on_the_same():
    subject, state = after(63)
    loaded = subject.load(subject.dump(state))
    assert loaded == state
    rng = np.random.default_rng(5)
    further = served(rng, RATES, np.arange(63 * DAY, 64 * DAY), creeping)
    assert subject.dump(subject.fold(loaded, further)) == subject.dump(subject.fold(state, further))


def test_a_reference_begun_anew_forgets_creep():
    subject, state = after(63)
    state = subject.change(state, Change(at=at(63 * DAY), kind="reference", scope={"domain": "d001"}))
    state = fold(subject, state, np.random.default_rng(6), 63, 65)
    assert failing_slices(subject, state, 65 * DAY) == set()


@pytest.mark.slow
def test_creep_fails_while_it_lasts_and_ends_once_recovery_is_shown():
    subject, state = after(63)
    rng = np.random.default_rng(7)
    state = fold(subject, state, rng, 63, 70)
    assert state.monitor.creep.epochs.failing.tolist() == [False, True, False]
    assert state.monitor.creep.epochs.alarms.tolist() == [0, 1, 0]
    state = fold(subject, state, rng, 70, 112)
    assert state.monitor.creep.epochs.failing.tolist() == [False, False, False]


def test_a_short_reference_has_no_slow_detector_and_all_of_the_false_alarms():
    assert gate().finds_creep
    assert gate(thresholds="calibrated").finds_creep
    for options in ({"reference": "7d"}, {"declared": 0.05}, {"labels": "prediction-powered"}):
        subject = gate(**options)
        assert not subject.finds_creep
        assert subject.rules.slice_share(1) == 1.0
    assert gate().reference == timedelta(days=28)


@pytest.mark.parametrize("slices", [40, 200])
@pytest.mark.parametrize("accepted", [0.5, 1.0])
def test_all_detectors_together_have_the_false_alarms_that_are_accepted(slices, accepted):
    rules = gate(alarms_per_week=accepted, slices=slices, thresholds="proved").rules
    slow, fast = slices / rules.creep_threshold(slices), slices / rules.alarm_threshold(slices)
    parents = (PARENT_SHARE + MEAN_SHARE + CREEP_PARENT_SHARE) * accepted
    assert slow + fast + parents == pytest.approx(accepted)
    assert slow < 0.1 * accepted
    assert 1.0 / rules.creep_parent_threshold == pytest.approx(CREEP_PARENT_SHARE * accepted)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.02, 0.0])
def test_what_stays_as_it_was_does_not_creep(share):
    subject, rng = gate(tick="1h"), np.random.default_rng(8)
    state = fold(subject, subject.initial(), rng, 0, 63, lambda _, tick: np.full(len(tick), share))
    assert state.monitor.creep.first.level.all()
    assert not state.monitor.creep.epochs.alarms.any()


def test_slow_detectors_alarm_more_rarely_than_proved_by_more_than_thresholds_are_lowered_for_it():
    """Counted day by day over slices that stay as they were for eight weeks."""
    rng, slices, a_day, failing = np.random.default_rng(9), 20_000, 300, 0.02
    known = 28 * a_day
    mean = (rng.binomial(known, failing, slices) + 1) / known
    variance = mean * (1 - mean)
    lam = creep.bets(mean, creep.rise(variance / known, np.maximum(0.005, 0.25 * mean)), variance)
    evidence, rests = np.zeros((slices, creep.COHORTS)), np.zeros((slices, creep.COHORTS))
    most = np.zeros(slices)
    for day in range(56):
        cohort = np.arange(day * creep.COHORTS_A_WEEK // 7 + 1) % creep.COHORTS
        n = rng.poisson(a_day, slices)
        bad = rng.binomial(n, failing)
        evidence[:, cohort[-1]] += 1 / 7
        evidence *= np.exp(bad * np.log1p(lam * (1 - mean)) + (n - bad) * np.log1p(-lam * mean))[:, None]
        rests[:, cohort] += (lam * n)[:, None]
        told = (evidence * creep.discount(rests * np.sqrt(variance / known)[:, None])).sum(axis=1)
        most = np.maximum(most, told)
    for threshold in (60.0, 200.0):
        found = int((most >= threshold).sum())
        proved = slices * 8 / threshold
        assert 0 < found < proved / creep.CALIBRATED - 2 * found**0.5
    assert gate(slices=200).rules.creep_threshold(200) * creep.CALIBRATED == pytest.approx(
        gate(slices=200, thresholds="proved").rules.creep_threshold(200)
    )
