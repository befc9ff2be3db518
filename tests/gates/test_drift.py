from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from pydantic import ValidationError

from gates.drift import DriftGate
from gates.inputs.changes import Change
from gates.inputs.observations import cluster_code
from gates.units.instants import instant
from tests.gates.made import START, TICK, batch, poisson

SLICES = tuple((("domain", f"d{place}"),) for place in range(20))


def gate(**options):
    return DriftGate.model_validate(
        {
            "type": "drift",
            "name": "g",
            "metric": "m",
            "worse": "higher",
            "by": ("domain",),
            "reference": "5d",
            **options,
        }
    )


def at(tick):
    return instant((START + tick) * TICK)


def served(rng, rate, ticks, failing, slices=SLICES, **columns):
    place, tick = poisson(rng, rate, ticks, len(slices))
    return batch(slices, place, tick, rng.random(len(tick)) < np.asarray(failing)[place], **columns)


def days(*span):
    return np.arange(span[0] * 288, span[1] * 288)


def state_after(subject, *batches):
    state = subject.initial()
    for each in batches:
        state = subject.fold(state, each)
    return state


def test_a_slice_that_fails_more_often_is_found_and_the_others_are_left_alone():
    rng = np.random.default_rng(1)
    failing = np.full(20, 0.02)
    worse = np.where(np.arange(20) == 7, 0.06, 0.02)
    subject = gate()
    state = state_after(subject, served(rng, 4, days(0, 7), failing))
    before = subject.verdict(state, at(7 * 288))
    assert (before.state, {part.state for part in before.slices}) == ("pass", {"pass"})
    state = subject.fold(state, served(rng, 4, days(7, 9), worse))
    after = subject.verdict(state, at(9 * 288))
    assert after.state == "fail"
    assert [part.slice["domain"] for part in after.slices if part.state == "fail"] == ["d7"]
    part = next(part for part in after.slices if part.state == "fail")
    assert part.lower > 0.02
    assert part.evidence["level"] < part.estimate
    assert part.cause == "quality, or the mix of traffic"
    assert at(7 * 288) < part.alarmed_at <= at(9 * 288)


@pytest.mark.slow
@pytest.mark.parametrize(("slightly", "share", "answers"), [(0.0, 0.04, 400), (0.0, 0.02, 1200), (0.01, 0.04, 700)])
def test_what_never_failed_before_is_found_failing_after_some_hundred_answers(slightly, share, answers):
    rng, ticks = np.random.default_rng(5), answers // 4
    subject = gate(slices=20, fdr=None, reference="4d")

    def failing(ticks, share):
        place, tick = poisson(rng, 4, ticks, 20)
        # One in a thousand may be slightly worse than perfect.
        others = np.where(rng.random(len(tick)) < 0.001, slightly, 0.0)
        return batch(SLICES, place, tick, np.where(rng.random(len(tick)) < share, 1.0, others))

    state = subject.fold(subject.initial(), failing(days(0, 5), 0.0))
    assert subject.verdict(state, at(5 * 288)).state == "pass"
    state = subject.fold(state, failing(np.arange(5 * 288, 5 * 288 + ticks), share))
    states = [part.state for part in subject.verdict(state, at(5 * 288 + ticks)).slices]
    assert states.count("fail") >= 10, "not half of the slices were found"


@pytest.mark.slow
def test_a_score_that_falls_is_found_when_lower_is_worse():
    rng = np.random.default_rng(2)
    place, tick = poisson(rng, 5, days(0, 8), 1)
    value = np.where(tick < 7 * 288, rng.beta(9, 1, len(tick)), rng.beta(8, 2, len(tick)))
    subject = gate(worse="lower", by=())
    state = state_after(subject, batch(((),), place, tick, value))
    verdict = subject.verdict(state, at(8 * 288))
    assert verdict.state == "fail"
    assert verdict.slices[0].estimate < 0.87


def test_without_300_answers_of_a_past_a_slice_warms_up():
    rng = np.random.default_rng(3)
    subject = gate()
    state = state_after(subject, served(rng, 2, np.arange(60), np.full(20, 0.9)))
    verdict = subject.verdict(state, at(60))
    assert verdict.state == "inconclusive"
    assert "of the 300 answers it needs" in verdict.slices[0].reason
    assert verdict.slices[0].reason.startswith("warming up: ")


def test_a_declared_level_is_judged_from_the_first_answer_on():
    rng = np.random.default_rng(4)
    subject = gate(declared=0.02)
    state = state_after(subject, served(rng, 4, np.arange(60), np.full(20, 0.3)))
    assert subject.verdict(state, at(60)).state == "fail"


@pytest.mark.slow
def test_without_recent_answers_nothing_passes():
    rng = np.random.default_rng(5)
    subject = gate()
    state = state_after(subject, served(rng, 4, days(0, 6), np.full(20, 0.02)))
    assert subject.verdict(state, at(6 * 288)).state == "pass"
    later = subject.verdict(state, at(8 * 288))
    assert (later.state, later.no_data) == ("inconclusive", True)


@pytest.mark.slow
def test_a_change_of_the_sampling_policy_alone_alarms_nobody_by_weights_or_by_strata():
    for strata in ((), ("suspicious",)):
        rng = np.random.default_rng(6)
        by = [(("domain", f"d{place}"), ("suspicious", kind)) for place in range(20) for kind in ("yes", "no")]
        subject = gate(strata=strata, tolerance=0.0)
        state = subject.initial()
        for span, policy in (((0, 6), (0.5, 0.1)), ((6, 12), (1.0, 0.1))):
            rates = np.tile([8 * policy[0], 32 * policy[1]], 20)
            rows = served(rng, rates, days(*span), np.tile([0.08, 0.005], 20), slices=tuple(by))
            state = subject.fold(state, replace(rows, probability=np.array(policy)[rows.group % 2]))
        assert state.monitor.epochs.alarms.sum() == 0


@pytest.mark.slow
def test_another_mix_of_traffic_does_not_alarm_within_strata_and_does_across_them():
    found = {}
    for strata in ((), ("suspicious",)):
        rng = np.random.default_rng(7)
        by = tuple((("domain", "d0"), ("suspicious", kind)) for kind in ("yes", "no"))
        subject = gate(strata=strata, tolerance=0.0)
        first = served(rng, np.array([2.0, 8.0]), days(0, 6), [0.2, 0.01], slices=by)
        second = served(rng, np.array([6.0, 4.0]), days(6, 9), [0.2, 0.01], slices=by)
        found[strata] = subject.verdict(state_after(subject, first, second), at(9 * 288))
    assert found[()].state == "fail"
    assert found["suspicious",].state == "pass"
    assert "for the mix of strata of the last two days" in found["suspicious",].reason


@pytest.mark.slow
@pytest.mark.parametrize(("hard", "state"), [(0.6, "inconclusive"), (0.2, "pass")])
def test_a_stratum_without_a_reference_is_told_and_keeps_a_slice_from_passing_if_it_is_large(hard, state):
    rng, subject = np.random.default_rng(7), gate(strata=("suspicious",), reference="14d")
    by = tuple((("domain", "d0"), ("suspicious", kind)) for kind in ("yes", "no"))
    rows = served(rng, np.array([hard, 4.0]), range(400), [0.2, 0.01], slices=by)
    verdict = subject.verdict(state_after(subject, rows), at(400))
    assert verdict.state == state
    told = {
        "inconclusive": "warming up: 12 % of the answers of m in domain=d0 are in strata without a reference; 300",
        "pass": "; 4.9 % of its answers are in strata that still warm up",
    }
    assert told[state] in verdict.reason
    later = served(rng, np.array([hard, 4.0]), range(400, 2000), [0.2, 0.01], slices=by)
    settled = subject.verdict(state_after(subject, rows, later), at(2000))
    assert (settled.state, "warm" in settled.reason) == ("pass", False)


@pytest.mark.slow
def test_a_change_is_named_and_brings_the_alarm_forward():
    ticks, subject = {}, gate(slices=200)
    past = state_after(subject, served(np.random.default_rng(12), 4, days(0, 7), np.full(20, 0.02)))
    for told in (True, False):
        state = past
        if told:
            state = subject.change(state, Change(at=at(7 * 288), kind="documents", version="9"))
        state = subject.fold(state, served(np.random.default_rng(13), 4, days(7, 9), np.full(20, 0.05)))
        found = state.monitor.epochs.alarmed
        ticks[told] = np.where(found < 0, START + 9 * 288, found).mean()
        if told:
            part = next(p for p in subject.verdict(state, at(9 * 288)).slices if p.state == "fail")
            assert "last change before it: documents 9" in part.cause
    assert ticks[True] < ticks[False]


def test_another_version_of_the_scorer_is_not_compared_with_the_old_one():
    rng = np.random.default_rng(8)
    subject = gate()
    first = served(rng, 4, days(0, 6), np.full(20, 0.02), versions=(("judge", "1"),))
    second = served(rng, 4, days(6, 7), np.full(20, 0.2), versions=(("judge", "2"),))
    verdict = subject.verdict(state_after(subject, first, second), at(7 * 288))
    assert verdict.state != "fail"
    told = state_after(subject, served(rng, 4, days(0, 6), np.full(20, 0.02)))
    told = subject.change(told, Change(at=at(6 * 288), kind="scorer"))
    told = subject.fold(told, served(rng, 4, days(6, 7), np.full(20, 0.2)))
    assert subject.verdict(told, at(7 * 288)).state != "fail"


@pytest.mark.slow
def test_what_fails_together_is_no_drift():
    # Failures of one tick share a fate: intra-cluster correlation 0.2.
    rng = np.random.default_rng(9)
    place, tick = poisson(rng, 6, days(0, 21), 20)
    fate = rng.beta(0.02 * 4, 0.98 * 4, (21 * 288, 20))
    value = rng.random(len(tick)) < fate[tick, place]
    subject = gate(reference="7d", tolerance=0.0)
    state = state_after(subject, batch(SLICES, place, tick, value))
    assert state.monitor.epochs.alarms.sum() <= 1


def of_document(*names):
    return np.array([cluster_code(None, name) for name in names])


@pytest.mark.slow
def test_failures_that_rest_on_one_document_in_one_tick_are_one_piece_of_evidence():
    rng = np.random.default_rng(13)
    subject = gate(by=())
    before = served(rng, [5], days(0, 6), [0.02], slices=((),))
    before = replace(before, cluster=of_document(*map(str, rng.integers(0, 2**40, len(before)))))
    evidence, past = {}, state_after(subject, before)
    for name, documents in (("one", ["HR-010"] * 12), ("many", [f"HR-{i:03d}" for i in range(12)])):
        failed = batch(((),), np.zeros(12, int), np.full(12, 6 * 288), np.ones(12), cluster=of_document(*documents))
        state = subject.fold(past, failed)
        assert state.monitor.memory.ticks == ()
        (part,) = subject.verdict(state, at(6 * 288 + 1)).slices
        evidence[name] = np.inf if part.state == "fail" else part.evidence["e_value"]
    assert evidence["one"] < 20 < evidence["many"] / 5


@pytest.mark.slow
def test_what_fails_by_document_is_no_drift():
    # Answers about one document share its fate for a tick: intra-cluster correlation 0.2.
    rng = np.random.default_rng(14)
    place, tick = poisson(rng, 8, days(0, 21), 20)
    document = rng.integers(0, 3, len(tick))
    fate = rng.beta(0.02 * 4, 0.98 * 4, (21 * 288, 20, 3))
    value = rng.random(len(tick)) < fate[tick, place, document]
    subject = gate(reference="7d", tolerance=0.0)
    state = state_after(subject, batch(SLICES, place, tick, value, cluster=of_document("a", "b", "c")[document]))
    assert state.monitor.epochs.alarms.sum() <= 1


def test_what_comes_after_its_tick_has_closed_is_folded_when_it_arrives():
    subject = gate()
    rng = np.random.default_rng(10)
    state = state_after(subject, served(rng, 4, np.arange(100), np.full(20, 0.02)))
    late = batch(SLICES, [0, 1, 2], [3, 99, 50], [1.0, 1.0, 1.0])
    after = subject.fold(state, late)
    assert (subject.lateness(after).late, subject.lateness(after).left_out) == (2, 0)
    judged, before = (subject.settled(each, at(100)).monitor for each in (after, state))
    assert judged.series.seen.n.sum() == before.series.seen.n.sum() + 3


def test_what_comes_later_than_a_gate_allows_is_left_out_and_the_verdict_says_so():
    subject = gate(latest="1h")
    rng = np.random.default_rng(10)
    state = state_after(subject, served(rng, 4, np.arange(100), np.full(20, 0.02)))
    after = subject.fold(state, batch(SLICES, [0, 1, 2], [3, 99, 92], [1.0, 1.0, 1.0]))
    assert (subject.lateness(after).late, subject.lateness(after).left_out) == (2, 1)
    assert subject.verdict(after, at(100)).reason.endswith("(0.012 %) came too late and were left out")


@pytest.mark.slow
def test_several_slices_that_go_wrong_together_are_found_sooner_with_e_bh():
    ticks = {}
    for fdr in (0.1, None):
        rng = np.random.default_rng(11)
        subject = gate(fdr=fdr, slices=200, alarms_per_week=0.1, tolerance=0.0)
        state = state_after(subject, served(rng, 4, days(0, 7), np.full(20, 0.02)))
        state = subject.fold(state, served(rng, 4, days(7, 9), np.full(20, 0.05)))
        found = state.monitor.epochs.alarmed
        ticks[fdr] = np.where(found < 0, START + 9 * 288, found).mean()
    assert ticks[0.1] < ticks[None]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"worse": "down"}, "'lower' or 'higher'"),
        ({"strata": ("domain",)}, "duplicate dimension"),
        ({"declared": 1.0}, "no mean could be worse"),
        ({"declared": 0.0}, "set an acceptable mean"),
        ({"declared": 0.0, "worse": "lower"}, "no mean could be worse"),
        ({"tick": "2h"}, "1s to 1h"),
        ({"window": "1h"}, "at least 24 ticks"),
        ({"min_reference": 3}, "greater than or equal to 30"),
        ({"tolerence": 0.1}, "Extra inputs"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused_with_its_reason(options, message):
    with pytest.raises(ValidationError, match=message):
        gate(**options)


def test_joint_alarms_never_break_the_promise_of_alarms_per_week():
    with pytest.raises(ValidationError, match=r"fdr 0\.1 is above alarms_per_week 0\.05.* set fdr to at most 0\.05"):
        gate(fdr=0.1, alarms_per_week=0.05)
    lowered = gate(alarms_per_week=0.05)
    assert (lowered.fdr, gate().fdr, gate(fdr=None, alarms_per_week=0.05).fdr) == (0.05, 0.1, None)
    assert DriftGate.model_validate_json(lowered.model_dump_json()) == lowered


def test_answers_that_were_hardly_ever_drawn_are_told_and_not_forgotten_by_a_restart():
    subject = gate()
    rare = batch(((),), [0] * 3, [0] * 3, [0.0] * 3)
    state = subject.fold(subject.initial(), replace(rare, probability=np.array([0.001, 0.01, 0.5])))
    for each in (state, subject.load(subject.dump(state))):
        told = subject.verdict(each, at(1)).reason
        assert told.endswith("; 1 answer has an inclusion probability below 0.01 and weighs as if it were 0.01")


def test_configuration_survives_its_own_json():
    subject = gate(strata=("suspicious",), reference="14d", tolerance=0.02)
    assert DriftGate.model_validate_json(subject.model_dump_json()) == subject
    assert subject.reference == timedelta(days=14)


def test_a_checkpoint_of_another_configuration_is_refused():
    with pytest.raises(ValueError, match="not a state of the gate 'g' as it is configured"):
        gate(tolerance=0.1).load(gate().dump(gate().initial()))
