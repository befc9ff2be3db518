import numpy as np
import pytest
from pydantic import ValidationError

from gates.objective import ObjectiveGate
from gates.units.instants import instant
from tests.gates.made import START, TICK, batch, poisson


def gate(**options):
    return ObjectiveGate.model_validate(
        {"type": "objective", "name": "g", "metric": "m", "worse": "higher", "objective": 0.99, **options}
    )


def at(tick):
    return instant((START + tick) * TICK)


def steady(failing, ticks, rate=20):
    """Traffic of which exactly this share fails, evenly spread."""
    place, tick = poisson(np.random.default_rng(1), rate, np.array(ticks), 1)
    every = np.floor(np.arange(1, len(tick) + 1) * failing) > np.floor(np.arange(len(tick)) * failing)
    return batch(((),), place, tick, every)


def judged(subject, *batches, tick):
    state = subject.initial()
    for each in batches:
        state = subject.fold(state, each)
    return subject.verdict(state, at(tick))


def test_within_the_objective_the_gate_passes_and_says_what_is_left():
    verdict = judged(gate(), steady(0.005, range(864)), tick=864)
    assert verdict.state == "pass"
    assert verdict.reason.startswith("50")
    assert verdict.slices[0].estimate == pytest.approx(0.995, abs=0.0005)
    assert verdict.slices[0].evidence["burn_1h"] == pytest.approx(0.5, abs=0.2)


def test_a_fast_burn_pages_and_stops_when_the_short_window_is_quiet_again():
    clean, burst = steady(0.0, range(840)), steady(0.2, range(840, 864))
    verdict = judged(gate(), clean, burst, tick=864)
    assert (verdict.state, verdict.slices[0].cause) == ("fail", "page")
    assert verdict.reason.startswith("page: the error budget burns ")
    assert "over 1h and over 5m: " in verdict.reason
    calm = judged(gate(objective=0.5), clean, burst, steady(0.0, range(864, 872)), tick=872)
    assert calm.state == "pass"


def test_while_the_budget_burns_the_interval_is_that_of_the_burning_hour_and_not_of_a_fine_month():
    strict = gate(objective=0.95)
    verdict = judged(strict, steady(0.0, range(840), 100), steady(0.8, range(840, 852), 100), tick=852)
    (part,) = verdict.slices
    assert (verdict.state, verdict.severity) == ("fail", "page")
    assert (part.n, part.estimate) == (1189, pytest.approx(0.2, abs=0.001))
    assert part.upper < 0.95


def test_a_slow_burn_is_a_ticket():
    verdict = judged(gate(), steady(0.013, range(864)), tick=864)
    assert verdict.slices[0].cause == "ticket"
    assert verdict.reason.startswith("ticket: the error budget burns 1.")


def test_a_spent_budget_fails_even_when_nothing_burns_any_more():
    spent = judged(gate(period="1d"), steady(0.3, range(30)), steady(0.0, range(30, 200)), tick=200)
    assert spent.state == "fail"
    assert spent.reason.startswith("ticket: the 1d error budget is spent: ")
    assert spent.severity == "ticket"


def test_silence_burns_nothing_and_the_verdict_says_for_how_long_and_what_is_left():
    subject, traffic = gate(), steady(0.005, range(864))
    before, quiet = judged(subject, traffic, tick=864), judged(subject, traffic, tick=864 + 7 * 12)
    left = before.slices[0].evidence["budget_left"]
    assert (quiet.state, quiet.slices[0].evidence["budget_left"]) == ("pass", left)
    assert quiet.reason.endswith("; no answers for 7h, so nothing burns and the budget is as it was")
    assert "no answers" not in before.reason
    assert quiet.slices[0].evidence["silent_seconds"] == 7 * 3600
    gone = judged(subject, traffic, tick=864 + 25 * 288)
    assert (gone.state, gone.slices[0].evidence["budget_left"]) == ("inconclusive", left)
    assert "no answers for 25d" in gone.reason
    assert judged(subject, traffic, tick=864 + 31 * 288).no_data


def test_a_day_of_silence_no_longer_passes():
    traffic = steady(0.005, range(864))
    assert judged(gate(), traffic, tick=864 + 287).state == "pass"
    assert judged(gate(), traffic, tick=864 + 288).state == "inconclusive"


def test_a_page_does_not_become_a_pass_because_answers_cease():
    clean, burst = steady(0.0, range(840), 100), steady(0.2, range(840, 864), 100)
    strict = gate(objective=0.987)
    assert judged(strict, clean, burst, tick=864).severity == "page"
    for tick, silent in ((865, "5m"), (880, "1h20m"), (1440, "2d")):
        after = judged(strict, clean, burst, tick=tick)
        assert (after.state, after.severity) == ("inconclusive", None)
        assert after.reason.startswith("the error budget burned 1")
        assert f"no answers for {silent}, so nothing burns and whether it is over is not known" in after.reason
    assert judged(strict, clean, burst, steady(0.0, range(868, 900), 100), tick=900).state == "pass"


def test_one_tiny_slice_is_named_and_keeps_no_gate_from_passing():
    subject, slices = gate(by=("domain",)), tuple((("domain", name),) for name in ("leave", "travel"))
    tick = np.repeat(np.arange(860), 5)
    told = []
    for few in (5, 29):
        data = batch(slices, [*np.zeros(len(tick), int), *[1] * few], [*tick, *[859] * few], [0.0] * (len(tick) + few))
        told.append(judged(subject, data, tick=860))
    assert [each.state for each in told] == ["pass", "pass"]
    assert told[0].reason.endswith(
        "; 1 of 2 slices not judged yet: m in domain=travel has 5 answers in the last 3d, at least 30 are needed: wait"
        " for 25 more"
    )


def test_a_share_just_below_the_objective_is_not_told_as_if_it_were_the_objective():
    verdict = judged(gate(), steady(0.01004, range(864), 100), tick=864)
    assert verdict.state == "fail"
    assert "burns 1.00" in verdict.reason
    assert " 99 % of" not in verdict.reason


def test_few_answers_neither_burn_nor_pass():
    verdict = judged(gate(), batch(((),), [0] * 5, [0] * 5, [1.0] * 5), tick=1)
    assert verdict.state == "inconclusive"
    assert verdict.reason == ("m has 5 answers in the last 3d, at least 30 are needed: wait for 25 more")
    assert judged(gate(), tick=5).no_data


def test_scores_count_by_degrees_or_by_what_is_still_good():
    scores = batch(((),), [0] * 100, np.arange(100) % 12, [0.95] * 100)
    assert judged(gate(worse="lower"), scores, tick=12).slices[0].estimate == pytest.approx(0.95)
    assert judged(gate(worse="lower", good=0.9), scores, tick=12).slices[0].estimate == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objective": 1}, "less than 1"),
        ({"period": "36h"}, "whole days"),
        ({"period": "60d"}, "whole days"),
        ({"by": ("a", "a")}, "duplicate dimension"),
        ({"good": 2}, "less than or equal to 1"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused_with_its_reason(options, message):
    with pytest.raises(ValidationError, match=message):
        gate(**options)
