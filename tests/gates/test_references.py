"""What a drift gate holds slices against: the hours of their week, those like them, and a reference begun anew."""

import re
from datetime import timedelta

import numpy as np
import pytest

from gates.drift import DriftGate
from gates.inputs.changes import Change
from gates.units.instants import instant
from tests.gates.made import START, TICK, batch, poisson

DAY = 288


def gate(**options):
    plain = {"type": "drift", "name": "g", "metric": "m", "worse": "higher", "by": ("domain",)}
    return DriftGate.model_validate({**plain, **options})


def slices(many):
    return tuple((("domain", f"d{place:03d}"),) for place in range(many))


def at(tick):
    return instant((START + tick) * TICK)


def served(rng, rates, ticks, failing):
    """Answers of slices at their rates; ``failing`` gives their chance by slice and tick."""
    place, tick = poisson(rng, rates, ticks, len(rates))
    return batch(slices(len(rates)), place, tick, rng.random(len(tick)) < failing(place, tick))


def steady(*shares):
    return lambda place, _: np.asarray(shares)[place]


def days(first, last):
    return np.arange(first * DAY, last * DAY)


def failing_slices(subject, state, tick):
    return {part.slice["domain"] for part in subject.verdict(state, at(tick)).slices if part.state == "fail"}


@pytest.mark.slow
def test_swings_of_day_and_week_alarm_nobody_once_they_are_known_and_a_fall_is_still_found():
    rng, subject = np.random.default_rng(1), gate()

    def swinging(_, tick):
        return 0.1 + 0.04 * np.sin(2 * np.pi * tick / DAY) + 0.04 * np.sin(2 * np.pi * tick / (7 * DAY))

    state, rates = subject.initial(), np.full(6, 3.0)
    for first in range(28):
        state = subject.fold(state, served(rng, rates, days(first, first + 1), swinging))
    before = state.monitor.epochs.alarms.sum()
    for first in range(28, 42):
        state = subject.fold(state, served(rng, rates, days(first, first + 1), swinging))
    assert state.monitor.epochs.alarms.sum() == before
    worse = served(rng, rates, days(42, 43), lambda place, tick: swinging(place, tick) + 0.08 * (place == 3))
    assert failing_slices(subject, subject.fold(state, worse), 43 * DAY) == {"d003"}


def test_a_slice_that_is_bad_from_its_first_answer_on_is_found_by_those_like_it():
    rng, subject = np.random.default_rng(2), gate()
    known = np.array([4.0] * 10 + [0.0, 0.0])
    state = subject.fold(subject.initial(), served(rng, known, days(0, 3), steady(*[0.02] * 12)))
    new = served(rng, np.full(12, 4.0), np.arange(3 * DAY, 3 * DAY + 20), steady(*[0.02] * 11, 0.4))
    assert failing_slices(subject, subject.fold(state, new), 3 * DAY + 20) == {"d011"}


def test_without_others_a_new_slice_is_not_judged():
    rng, subject = np.random.default_rng(3), gate()
    state = subject.fold(subject.initial(), served(rng, np.array([4.0, 0.0]), days(0, 3), steady(0.02, 0.02)))
    state = subject.fold(state, served(rng, np.full(2, 4.0), np.arange(3 * DAY, 3 * DAY + 30), steady(0.02, 0.4)))
    assert failing_slices(subject, state, 3 * DAY + 30) == set()


def test_three_answers_a_day_are_judged_after_the_length_of_a_reference():
    rng, subject = np.random.default_rng(4), gate()
    rates = np.full(4, 3.0 / DAY)
    state = subject.fold(subject.initial(), served(rng, rates, days(0, 60), steady(*[0.02] * 4)))
    state = subject.fold(state, served(rng, rates, days(60, 75), steady(0.02, 0.02, 0.02, 0.6)))
    assert state.monitor.epochs.alarms.tolist().count(0) == 3


def test_a_reference_takes_time_as_well_as_answers():
    rng = np.random.default_rng(5)
    for wanted, judged in ((None, False), ("1h", True)):
        subject = gate() if wanted is None else gate(min_reference_time=wanted)
        state = subject.fold(subject.initial(), served(rng, np.array([50.0]), np.arange(40), steady(0.02)))
        assert bool(state.monitor.series.q0[0] > 0.0) == judged
        reason = subject.verdict(state, at(40)).reason
        told = re.search(r"with [\d,]+ answers needs to span 1d at least: wait for about 21h", reason)
        assert (told is None) == judged
    assert gate().min_reference_time == timedelta(days=1)
    assert gate(reference="6h").rules.min_time == 72


@pytest.mark.slow
def test_calibrated_thresholds_are_told_beside_what_is_proved():
    rng = np.random.default_rng(6)
    state, found = None, {}
    for thresholds in ("proved", "calibrated"):
        subject = gate(thresholds=thresholds, slices=200)
        state = subject.initial()
        for first in range(0, 16, 4):
            state = subject.fold(state, served(rng, np.full(2, 3.0), days(first, first + 4), steady(0.05, 0.05)))
        (part, _) = subject.verdict(state, at(16 * DAY)).slices
        found[thresholds] = part.evidence
    assert found["proved"]["alarms_per_week_proved"] <= 1.0
    assert found["calibrated"]["threshold"] < found["proved"]["threshold"]
    assert (
        found["calibrated"]["alarms_per_week_calibrated"] <= 1.0 + 1e-9 < found["calibrated"]["alarms_per_week_proved"]
    )


@pytest.mark.slow
def test_a_reference_begun_anew_takes_what_comes_as_normal_and_forgets_the_alarm():
    rng, subject = np.random.default_rng(7), gate(min_reference=100)
    state = subject.fold(subject.initial(), served(rng, np.full(2, 4.0), days(0, 3), steady(0.02, 0.02)))
    state = subject.fold(state, served(rng, np.full(2, 4.0), days(3, 4), steady(0.3, 0.3)))
    assert failing_slices(subject, state, 4 * DAY) == {"d000", "d001"}
    anew = subject.change(state, Change(at=at(4 * DAY), kind="reference", scope={"domain": "d000"}))
    warming = subject.fold(anew, served(rng, np.full(2, 4.0), np.arange(4 * DAY, 4 * DAY + 30), steady(0.3, 0.3)))
    parts = {part.slice["domain"]: part for part in subject.verdict(warming, at(4 * DAY + 30)).slices}
    assert (parts["d000"].state, parts["d001"].state) == ("inconclusive", "fail")
    assert parts["d000"].reason.endswith("; it begins anew since the scorer changed, or somebody asked for it")
    learned = subject.fold(warming, served(rng, np.full(2, 4.0), days(5, 9), steady(0.3, 0.3)))
    assert "d000" not in failing_slices(subject, learned, 9 * DAY)
    assert subject.load(subject.dump(learned)) == learned
