"""What fails goes on to fail until its recovery is shown, what falls silent is named, and what is new is waited for."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from gates.evidence import recovery
from tests.gates.made import batch, poisson
from tests.gates.test_drift import SLICES, at, days, gate, served, state_after

FIRST = 7 * 288
"""The tick in which something changes."""


@cache
def healthy(rate=4.0):
    """Return the state after a week in which 2 % of the answers of 20 slices failed, and the gate."""
    subject = gate(slices=20)
    return subject, state_after(subject, served(np.random.default_rng(1), rate, days(0, 7), np.full(20, 0.02)))


def failing(only, share):
    return np.where(np.arange(20) == only, share, 0.02)


def states(subject, state, tick):
    return {part.slice.get("domain"): part.state for part in subject.verdict(state, at(tick)).slices}


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.06, 0.3])
def test_a_fault_that_lasts_fails_every_day_and_one_that_ends_passes_once_that_is_shown(share):
    rng = np.random.default_rng(2)
    subject, state = healthy()
    seen = []
    for day in range(7, 21):
        state = subject.fold(state, served(rng, 4, days(day, day + 1), failing(7, share)))
        seen.append(states(subject, state, (day + 1) * 288)["d7"])
    assert seen == ["fail"] * 14
    assert state.monitor.epochs.alarms[np.flatnonzero(state.monitor.epochs.failing)].tolist() == [1]
    state = subject.fold(state, served(rng, 4, days(21, 22), np.full(20, 0.02)))
    assert states(subject, state, 22 * 288)["d7"] == "pass"
    state = subject.fold(state, served(rng, 4, days(22, 24), failing(7, share)))
    assert states(subject, state, 24 * 288)["d7"] == "fail", "what came back is found again"


def test_a_slice_that_has_recovered_says_so_and_claims_nothing_of_the_answers_before_that():
    rng = np.random.default_rng(2)
    subject, state = healthy()
    state = subject.fold(state, served(rng, 4, days(7, 8), failing(7, 0.3)))
    state = subject.fold(state, served(rng, 4, np.arange(8 * 288, 8 * 288 + 72), np.full(20, 0.02)))
    for each in (state, subject.load(subject.dump(state))):
        verdict = subject.verdict(each, at(8 * 288 + 72))
        (part,) = (part for part in verdict.slices if part.slice == {"domain": "d7"})
        assert part.state == "pass"
        assert part.estimate > 0.2
        assert part.reason.startswith("no rise of m in domain=d7 shown since its recovery at ")
        assert f"; with what came before that, mean {part.estimate:.3g} over {part.n:,} answers in the" in part.reason
        others = [other.evidence["detectable"] for other in verdict.slices if other is not part]
        assert part.evidence["detectable"] > max(others), "fewer answers have shown less"
    state = subject.fold(state, served(rng, 4, days(9, 11), np.full(20, 0.02)))
    assert "recovery" not in subject.verdict(state, at(11 * 288)).reason


def test_a_gate_that_fails_names_the_slices_that_are_silent_as_well():
    rng = np.random.default_rng(11)
    subject, state = healthy()
    for day in (7, 8):
        rates, bad = np.where(np.arange(20) == 3, 0.0, 4.0), np.where(np.arange(20) < 3, 0.3, 0.02)
        state = subject.fold(state, served(rng, rates, days(day, day + 1), bad))
    reason = subject.verdict(state, at(9 * 288)).reason
    assert "3 of 20 slices failing: m in domain=d" in reason
    assert reason.count("m in domain=d") == 2, "of many slices those are told that moved most"
    assert re.search(r"; also domain=d[012]; 1 inconclusive: domain=d3$", reason)


@pytest.mark.slow
def test_a_fault_that_becomes_smaller_is_no_recovery_until_it_is_over():
    rng = np.random.default_rng(3)
    subject, state = healthy()
    for span, share in (((7, 9), 0.3), ((9, 14), 0.12)):
        state = subject.fold(state, served(rng, 4, days(*span), failing(7, share)))
        assert states(subject, state, span[1] * 288)["d7"] == "fail"
    state = subject.fold(state, served(rng, 4, days(14, 15), np.full(20, 0.02)))
    assert states(subject, state, 15 * 288)["d7"] == "pass"


def test_a_failing_slice_tells_since_when_and_what_its_recovery_needs():
    rng = np.random.default_rng(4)
    subject, state = healthy()
    state = subject.fold(state, served(rng, 4, days(7, 8), failing(7, 0.3)))
    part = next(part for part in subject.verdict(state, at(8 * 288)).slices if part.state == "fail")
    assert "rose above its reference 0.0" in part.reason
    assert f"alarm at {part.alarmed_at:%Y-%m-%d %H:%M} UTC, and no recovery shown since (evidence " in part.reason
    assert part.evidence["recovery"] < 1.0 < part.evidence["recovery_needed"] == recovery.NEEDED


def test_what_came_late_and_is_older_than_the_alarm_is_no_recovery():
    rng = np.random.default_rng(5)
    subject, state = healthy()
    state = subject.fold(state, served(rng, 4, days(7, 8), failing(7, 0.3)))
    late = served(rng, 40, np.arange(FIRST - 288, FIRST), np.zeros(20))
    assert states(subject, subject.fold(state, late), 8 * 288)["d7"] == "fail"


@pytest.mark.slow
def test_a_slice_that_falls_silent_is_inconclusive_and_named_and_so_is_the_gate_for_a_week():
    rng = np.random.default_rng(6)
    subject, state = healthy()
    others = np.where(np.arange(20) == 7, 0.0, 4.0)
    for day in (7, 8):
        state = subject.fold(state, served(rng, others, days(day, day + 1), np.full(20, 0.02)))
    verdict = subject.verdict(state, at(9 * 288))
    assert verdict.state == "inconclusive"
    assert verdict.reason.startswith(
        "1 of 20 slices inconclusive: m in domain=d7 has no scored answers in the last 1d, where"
    )
    usual = int(verdict.reason.split("about ")[1].split(" are usual")[0].replace(",", ""))
    assert 1000 < usual < 1300
    for day in range(9, 15):
        state = subject.fold(state, served(rng, others, days(day, day + 1), np.full(20, 0.02)))
    later = subject.verdict(state, at(15 * 288))
    assert (later.state, len(later.slices)) == ("pass", 19)


def test_a_slice_of_which_few_answers_are_still_scored_is_inconclusive():
    rng = np.random.default_rng(7)
    subject, state = healthy()
    rates = np.where(np.arange(20) == 7, 0.2, 4.0)
    for day in (7, 8):
        state = subject.fold(state, served(rng, rates, days(day, day + 1), np.full(20, 0.02)))
    verdict = subject.verdict(state, at(9 * 288))
    assert verdict.state == "inconclusive"
    assert "m in domain=d7 has " in verdict.reason
    assert "the slice has fallen silent" in verdict.reason


def test_a_failing_slice_that_falls_silent_goes_on_to_fail():
    rng = np.random.default_rng(8)
    subject, state = healthy()
    state = subject.fold(state, served(rng, 4, days(7, 8), failing(7, 0.3)))
    others = np.where(np.arange(20) == 7, 0.0, 4.0)
    for day in (8, 9, 10):
        state = subject.fold(state, served(rng, others, days(day, day + 1), np.full(20, 0.02)))
    part = next(part for part in subject.verdict(state, at(11 * 288)).slices if part.slice["domain"] == "d7")
    assert part.state == "fail"
    assert part.reason.endswith("no scored answers in the last 1d")


@pytest.mark.slow
def test_a_slice_whose_answers_come_without_a_score_is_told_from_one_that_is_silent():
    subject, quiet = gate(), np.arange(20) == 7
    state = subject.fold(subject.initial(), served(np.random.default_rng(3), 3, days(0, 7), np.full(20, 0.02)))
    data = served(np.random.default_rng(4), 3, days(7, 9), np.full(20, 0.02))
    lost = quiet[data.group]
    for columns in ({"unscored": lost}, {}):
        kept = np.full(len(lost), True) if "unscored" in columns else ~lost
        names = ("group", "at", "value", "probability", "cluster", "arm", "share")
        seen = replace(data, **{name: getattr(data, name)[kept] for name in names})
        seen = replace(seen, unscored=columns.get("unscored"))
        restored = subject.load(subject.dump(subject.fold(state, seen)))
        slices = subject.verdict(restored, at(9 * 288)).slices
        (part,) = (part for part in slices if part.slice == {"domain": "d7"})
        assert part.state == "inconclusive"
        if "unscored" in columns:
            came = int(part.evidence["unscored"])
            assert 700 < came < 1000
            assert f"{came:,} answers came without a score, so they are no longer scored" in part.reason
        else:
            assert part.evidence["unscored"] == 0.0
            assert "the slice has fallen silent" in part.reason


def test_a_slice_that_is_new_is_named_and_does_not_keep_a_gate_from_passing():
    rng = np.random.default_rng(9)
    subject, state = healthy()
    state = subject.fold(state, served(rng, 4, np.arange(FIRST, FIRST + 20), np.full(20, 0.02)))
    new, tick = np.zeros(12, int), np.arange(FIRST + 8, FIRST + 20)
    state = subject.fold(state, batch(((("domain", "new"),),), new, tick, np.zeros(12)))
    verdict = subject.verdict(state, at(FIRST + 20))
    assert verdict.state == "pass"
    told = (
        "; 1 of 21 slices not judged yet: m in domain=new has 12 answers in the last 1d, at least 30 are needed:"
        " wait for 18 more"
    )
    assert verdict.reason.endswith(told)


@pytest.mark.slow
def test_slices_measured_by_an_older_version_of_the_scorer_do_not_count():
    rng = np.random.default_rng(10)
    subject = gate(reference="5d")
    state = state_after(subject, served(rng, 4, days(0, 6), np.full(20, 0.02), versions=(("judge", "1"),)))
    before = subject.verdict(state, at(6 * 288)).slices[0].evidence["threshold"]
    state = subject.fold(state, served(rng, 4, days(6, 9), np.full(20, 0.02), versions=(("judge", "2"),)))
    after = subject.verdict(state, at(9 * 288))
    assert {part.evidence["threshold"] for part in after.slices} == {before}
    assert before == pytest.approx(20 / 0.9)


def test_what_falls_everywhere_is_found_long_before_any_slice_shows_it():
    rng = np.random.default_rng(11)
    subject, state = healthy()
    rows = served(rng, 4, np.arange(FIRST, FIRST + 30), np.full(20, 0.06))
    verdict = subject.verdict(subject.fold(state, rows), at(FIRST + 30))
    assert verdict.state == "fail"
    assert verdict.slices[0].slice == {}
    assert verdict.slices[0].cause.endswith("; several slices together")
    assert verdict.reason.startswith("all 20 slices together: m rose above its reference 0.0")
    assert "fail" not in {part.state for part in verdict.slices[1:]}


def test_all_traffic_that_has_recovered_passes_again():
    rng = np.random.default_rng(12)
    subject, state = healthy()
    state = subject.fold(state, served(rng, 4, np.arange(FIRST, FIRST + 40), np.full(20, 0.06)))
    assert subject.verdict(state, at(FIRST + 40)).state == "fail"
    state = subject.fold(state, served(rng, 4, np.arange(FIRST + 40, FIRST + 500), np.full(20, 0.02)))
    assert subject.verdict(state, at(FIRST + 500)).state == "pass"


@pytest.mark.slow
def test_what_shares_a_fate_over_all_slices_for_a_tick_is_no_fall_of_all_traffic():
    # Failures of one tick are correlated over all slices by .02.
    rng = np.random.default_rng(13)
    place, tick = poisson(rng, 6, days(0, 21), 20)
    fate = rng.beta(0.02 * 49, 0.98 * 49, 21 * 288)
    subject = gate(reference="7d", tolerance=0.0)
    state = state_after(subject, batch(SLICES, place, tick, rng.random(len(tick)) < fate[tick]))
    assert state.monitor.groups.alarms.sum() == 0
