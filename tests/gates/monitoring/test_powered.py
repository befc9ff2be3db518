"""The drift gate over labels of few answers and a metric on all."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from pydantic import ValidationError

from gates.drift import DriftGate
from gates.monitoring.levels import hourly_levels
from gates.replay.reader import Recording
from gates.replay.replay import Replay
from gates.units.instants import tick_end
from tests.gates.made import START, TICK, batch, poisson

HOUR = 12 * TICK
DAY = 24
BEGIN = START // 12
COLUMNS = ("group", "at", "value", "probability", "cluster", "arm", "share", "truth", "drawn")


def gate(**options):
    plain = {
        "type": "drift",
        "name": "g",
        "metric": "m",
        "worse": "higher",
        "labels": "prediction-powered",
        "label_probability": 0.05,
        "reference": "7d",
        "min_reference": 300,
        "label_wait": "1h",
        "tick": "1h",
    }
    return DriftGate(**{**plain, **options})


def scored(rng, truth, shift):
    signal = rng.normal(size=len(truth)) + 3.0 * truth
    return 1 / (1 + np.exp(-(np.log(0.02 / 0.98) + 3.0 * signal - 4.5 + shift)))


def traffic(seed, judged, *, days=9, after=0.02, shift=0.0, since=8, until=1000, rate=100, swing=0.0):
    """Answers of which a fraction fails: another from one day until another; then the log-odds of a scorer shift.

    The fraction may swing over the day, with its most at six.
    """
    rng = np.random.default_rng(seed)
    _, tick = poisson(rng, rate, np.arange(days * DAY), 1)
    later = (tick >= since * DAY) & (tick < until * DAY)
    failing = np.where(later, after, 0.02) + swing * np.sin(2 * np.pi * tick / DAY)
    truth = (rng.random(len(tick)) < failing).astype(float)
    predicted = scored(rng, truth, np.where(later, shift, 0.0))
    probability = judged.drawing.probability(predicted, 0.1)
    labelled = rng.random(len(tick)) < probability
    return batch(
        [()],
        np.zeros(len(tick)),
        tick * 12,
        predicted,
        truth=np.where(labelled, truth, 0.0),
        drawn=np.where(labelled, probability, 0.0),
    )


def rows(data, chosen):
    return replace(data, **{name: getattr(data, name)[chosen] for name in COLUMNS})


def end(day):
    return tick_end(BEGIN + day * DAY - 1, HOUR)


def judged(which, data, day=9):
    state = which.settled(which.fold(which.initial(), data), end(day))
    return which.verdict(state, end(day))


def late(data):
    """The answers as nobody had labelled them, and the labels that come for them."""
    there = data.drawn > 0
    told = rows(data, there)
    return replace(data, truth=0 * data.truth, drawn=0 * data.drawn), replace(told, drawn=-told.drawn)


def test_a_rise_from_2_to_12_percent_is_seen_in_a_day():
    which = gate()
    verdict = judged(which, traffic(1, which, after=0.12))
    assert verdict.state == "fail"
    assert verdict.slices[0].evidence["labels"] < 500


@pytest.mark.slow
def test_levels_follow_the_hours_by_which_predictions_swing_and_then_need_no_tolerance():
    which, exact = gate(reference="14d"), gate(reference="14d", tolerance=0)
    for swing in (0.0, 0.018):
        data = traffic(1, which, days=21, swing=swing)
        state, bare = (each.settled(each.fold(each.initial(), data), end(21)) for each in (which, exact))
        series = state.monitor.series
        own = BEGIN + 14 * DAY + np.arange(DAY)
        levels = hourly_levels(series, np.zeros(DAY, np.int64), own, which.rules)
        assert not state.monitor.epochs.alarms.any()
        assert series.tolerance[0] < 0.001
        assert series.q0[0] == pytest.approx(bare.monitor.series.q0[0] + series.tolerance[0], abs=1e-12)
        assert 0.02 < series.q0[0] < 0.028
        if swing:
            assert np.corrcoef(levels, np.sin(2 * np.pi * np.arange(DAY) / DAY))[0, 1] > 0.9
            assert np.ptp(levels) > swing
        else:
            assert np.ptp(levels) < 0.002


def test_a_week_of_labels_knows_no_swing_and_tolerates_one():
    which, exact = gate(), gate(tolerance=0)
    data = traffic(7, which)
    q0 = [each.fold(each.initial(), data).monitor.series.q0[0] for each in (which, exact)]
    assert q0[0] == pytest.approx(q0[1] + 0.005, abs=1e-9)


def test_where_only_the_scorer_drifts_nothing_fails_and_the_drift_is_told():
    which = gate()
    data = traffic(2, which, shift=2.5, days=12)
    verdict = judged(which, data, 12)
    part = verdict.slices[0]
    assert (part.state, part.alarmed_at) == ("pass", None)
    assert part.evidence["scorer_drift"] == 1.0
    assert "the scorer has drifted: by the labels, m is better than it says" in part.reason
    assert part.lower <= 0.02 <= part.upper
    without = DriftGate(type="drift", name="g", metric="m", worse="higher", reference="7d", tick="1h")
    plain = replace(data, truth=None, drawn=None)
    assert judged(without, plain, 12).state == "fail"


def test_labels_that_come_while_the_tick_waits_are_as_if_they_had_come_with_the_answer():
    which = gate(label_wait="2h")
    data = traffic(3, which, days=8)
    answers, labels = late(data)
    state = which.initial()
    for hour in range(8 * 24 + 2):
        mine = answers.at // HOUR == BEGIN + hour
        told = labels.at // HOUR == BEGIN + hour - 1
        state = which.fold(state, rows(answers, mine))
        state = which.fold(state, rows(labels, told))
    assert which.settled(state, end(8)) == which.settled(which.fold(which.initial(), data), end(8))


def test_labels_that_come_after_their_answers_were_folded_lead_to_the_same_evidence():
    which = gate()
    data = traffic(4, which, after=0.06, since=8)
    early = data.at < (BEGIN + 8 * DAY) * HOUR
    at_once = judged(which, data).slices[0]
    answers, labels = late(rows(data, ~early))
    state = which.settled(which.fold(which.initial(), rows(data, early)), end(8))
    state = which.settled(which.fold(state, answers), end(9))
    afterwards = which.verdict(which.settled(which.fold(state, labels), end(9)), end(9)).slices[0]
    assert afterwards.estimate == pytest.approx(at_once.estimate, rel=1e-6)
    assert afterwards.evidence["labels"] == at_once.evidence["labels"]


def test_a_state_goes_on_where_it_was_dumped():
    which = gate(label_wait="2h")
    answers, labels = late(traffic(5, which, days=8))
    state = which.fold(which.fold(which.initial(), answers), labels)
    assert which.load(which.dump(state)) == state


def test_nothing_passes_without_the_labels_that_were_to_come():
    which = gate()
    data = traffic(6, which)
    gone = data.at >= (BEGIN + 8 * DAY) * HOUR
    verdict = judged(which, replace(data, drawn=np.where(gone, 0.0, data.drawn)))
    assert verdict.state == "inconclusive"
    assert verdict.reason.startswith("labels are missing: 0 came, at least ")


def test_a_label_drawn_more_rarely_than_the_rule_says_is_told():
    which = gate()
    data = traffic(7, which)
    last = np.flatnonzero(data.drawn > 0)[-1]
    drawn = data.drawn.copy()
    drawn[last] = 0.001
    verdict = judged(which, replace(data, drawn=drawn))
    assert verdict.state == "inconclusive"
    assert verdict.reason.startswith("1 labels do not count: their `label_probability` is missing, or below")


def test_labels_by_a_judge_that_errs_are_corrected():
    plain = gate()
    data = traffic(8, plain)
    which = gate(label_judge={"failures": 200, "found": 180, "good": 400, "accepted": 398})
    shown, corrected = judged(plain, data).slices[0], judged(which, data).slices[0]
    expected = which.label_judge.true(shown.estimate)
    assert corrected.estimate == pytest.approx(expected)
    assert corrected.upper - corrected.lower > shown.upper - shown.lower


def test_a_judge_no_better_than_chance_is_refused():
    with pytest.raises(ValidationError, match="this judge may do no better than chance, so its labels say nothing"):
        gate(label_judge={"failures": 10, "found": 6, "good": 10, "accepted": 6})


def test_options_of_labels_need_labels():
    with pytest.raises(ValidationError, match="label_wait needs labels: prediction-powered"):
        DriftGate(type="drift", name="g", metric="m", worse="higher", label_wait="2h")


def test_a_slice_fails_until_its_labels_show_that_it_has_recovered():
    which = gate()
    data = traffic(9, which, after=0.12, days=20, until=10)
    assert judged(which, rows(data, data.at < (BEGIN + 10 * DAY) * HOUR), 10).state == "fail"
    (part,) = judged(which, data, 20).slices
    assert part.state == "pass"
    assert part.alarmed_at < end(10)
    (part,) = judged(which, traffic(9, which, after=0.12, days=20), 20).slices
    assert part.state == "fail"
    assert "no recovery shown since" in part.reason


def test_a_fault_whose_labels_come_late_has_not_recovered():
    which = gate()
    data = traffic(10, which, after=0.12, days=12)
    early = data.at < (BEGIN + 10 * DAY) * HOUR
    answers, labels = late(rows(data, ~early))
    state = which.settled(which.fold(which.initial(), rows(data, early)), end(10))
    state = which.settled(which.fold(state, answers), end(12))
    before = float(state.monitor.epochs.proof.mean())
    state = which.settled(which.fold(state, labels), end(12))
    assert state.monitor.epochs.failing.tolist() == [True]
    assert float(state.monitor.epochs.proof.mean()) < before
    assert which.verdict(state, end(12)).state == "fail"


def test_a_failing_slice_without_labels_still_says_why():
    which = gate()
    data = traffic(11, which, after=0.12, days=12)
    gone = data.at >= (BEGIN + 10 * DAY) * HOUR
    verdict = judged(which, replace(data, drawn=np.where(gone, 0.0, data.drawn)), 12)
    assert verdict.state == "fail"
    assert verdict.slices[0].estimate is None
    assert "answers in the last 1d; labels are missing: 0 came" in verdict.slices[0].reason


def test_every_slice_has_labels_of_its_own():
    which = gate(by=("domain",))
    well, ill = traffic(12, which), traffic(13, which, after=0.2)
    columns = {name: np.concatenate([getattr(each, name) for each in (well, ill)]) for name in COLUMNS}
    columns["group"] = np.repeat([0, 1], [len(well), len(ill)])
    groups = batch([(("domain", "a"),), (("domain", "b"),)], [0], [0], [0.0]).groups
    both = replace(well, groups=groups, **columns)
    both = rows(both, np.argsort(both.at, kind="stable"))
    found = {part.slice["domain"]: part.state for part in judged(which, both).slices}
    assert found == {"a": "pass", "b": "fail"}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"thresholds": "calibrated"}, "thresholds cannot be calibrated with labels"),
        ({"metric": "faithfulness", "worse": "lower", "good": "supported"}, "good counts labels of scores"),
    ],
)
def test_options_that_labels_leave_no_sense_to_are_refused(options, reason):
    with pytest.raises(ValidationError, match=reason):
        gate(**options)


def test_a_gate_without_labels_has_the_policy_it_had():
    plain = {"type": "drift", "name": "g", "metric": "m", "worse": "higher"}
    assert DriftGate(**plain).policy_version == DriftGate(**plain, labels=None).policy_version
    assert DriftGate.model_validate_json(DriftGate(**plain).model_dump_json()) == DriftGate(**plain)
    assert DriftGate(**plain, labels="prediction-powered").policy_version != DriftGate(**plain).policy_version


@pytest.mark.parametrize("size", [1_000, 97, 13])
def test_labels_among_answers_make_the_same_state_in_any_batches_and_wherever_a_restart_falls(size):
    which = gate(label_wait="2h", min_reference_time="6h", reference="2d")
    answers, labels = late(traffic(14, which, after=0.12, since=3, days=4, rate=20))
    rng = np.random.default_rng(15)
    came = answers.at + np.where(rng.random(len(answers)) < 0.02, 3 * HOUR, 0)
    told = labels.at + rng.integers(0, 30 * 12, len(labels)) * TICK
    columns = {name: np.concatenate([getattr(answers, name), getattr(labels, name)]) for name in COLUMNS}
    stream = rows(replace(answers, **columns), np.argsort(np.concatenate([came, told]), kind="stable"))
    whole = which.fold(which.initial(), stream)
    assert whole.monitor.scorer.recent.sum() > 0
    state = which.initial()
    for start in range(0, len(stream), size):
        state = which.load(which.dump(which.fold(state, rows(stream, slice(start, start + size)))))
    assert which.dump(state) == which.dump(whole)
    assert which.verdict(state, end(5)) == which.verdict(whole, end(5))


def days_late(seed, wait, *, after=0.02, days=14, shift=0.0, late_from=0):
    """The state of a gate that waits for an hour, when labels come ``wait`` days late from some day on."""
    which = gate(reference="4d")
    data = traffic(seed, which, after=after, days=days, since=8, shift=shift)
    answers, labels = late(data)
    came = labels.at + np.where(labels.at >= (BEGIN + late_from * DAY) * HOUR, wait * DAY, 0) * HOUR
    columns = {name: np.concatenate([getattr(answers, name), getattr(labels, name)]) for name in COLUMNS}
    stream = rows(replace(answers, **columns), np.argsort(np.concatenate([answers.at, came]), kind="stable"))
    return which, which.settled(which.fold(which.initial(), stream), end(days))


@pytest.mark.slow
def test_labels_that_come_days_after_their_answers_make_up_no_evidence():
    # Of a scorer that comes to predict too little, answers without their labels say less than these do.
    for seed in range(4):
        _, state = days_late(30 + seed, 2, shift=-2.0, days=16, late_from=8)
        assert not state.monitor.epochs.failing.any()
        assert float(state.monitor.epochs.level.max()) < 1.0


@pytest.mark.slow
def test_labels_that_come_days_after_their_answers_show_a_fault():
    for late_from in (0, 8):
        which, state = days_late(30, 2, after=0.12, late_from=late_from)
        (part,) = which.verdict(state, end(14)).slices
        assert part.state == "fail"
        assert part.alarmed_at > end(9)


def test_labels_of_the_reference_count_in_it_when_they_come_days_later():
    which, state = days_late(31, 3, days=8)
    _, at_once = days_late(31, 0, days=8)
    assert state.monitor.series.q0[0] == pytest.approx(at_once.monitor.series.q0[0], rel=0.2)
    assert which.verdict(state, end(8)).slices[0].estimate is not None


def test_a_replay_in_order_judges_up_to_its_end_and_waits_for_no_labels():
    which = gate(label_wait="1d")
    data = traffic(1, which, after=0.2)
    data = rows(data, data.at < (BEGIN + 8 * DAY + 14) * HOUR)
    replay = Replay(gate=which, recording=Recording(batch=data, arrived=data.at), tick=timedelta(hours=1))
    (alarm,) = [event for event in replay.events() if event.alarm]
    assert end(8) < alarm.at < end(8) + timedelta(hours=14) == replay.verdict.at


def test_predictions_alone_are_no_verdict_however_few_labels_are_expected():
    which = gate(declared=0.5, min_answers=1)
    data = traffic(16, which, days=1, rate=1)
    verdict = judged(which, replace(data, drawn=0 * data.drawn), 1)
    assert verdict.state == "inconclusive"
    assert verdict.reason.startswith("0 of them labelled: predictions alone are no verdict")
