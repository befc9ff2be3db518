import random
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gates.base.verdict import Verdict
from gates.inputs.observations import Batch, Group, Observation
from gates.inputs.slices import NONE, OTHER
from gates.threshold import ThresholdGate
from gates.units.instants import microseconds
from gates.windowing.buckets import MAX_SLICES

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def gate(**options: object) -> ThresholdGate:
    defaults = {"type": "threshold", "name": "stale", "metric": "stale_source_use", "window": "1h"}
    if not {"at_most", "at_least"} & options.keys():
        defaults["at_most"] = 0.1
    return ThresholdGate.model_validate({**defaults, **options})


def seen(value: float, *, at: datetime = NOON, probability: float = 1.0, **slice_: str) -> Observation:
    return Observation(
        at=at, answer_id="a", metric="stale_source_use", value=value, probability=probability, slice=slice_
    )


def fold(subject: ThresholdGate, observations: list[Observation], state: object = None) -> object:
    state = subject.initial() if state is None else state
    for observation in observations:
        state = subject.update(state, observation)
    return state


def judge(subject: ThresholdGate, observations: list[Observation], at: datetime = NOON) -> Verdict:
    return subject.verdict(fold(subject, observations), at)


def full(observations: list[Observation], window: timedelta = timedelta(hours=1)) -> list[Observation]:
    """Return observations of which the first came when the window began."""
    first, *rest = observations
    return [first.model_copy(update={"at": NOON - window * 59 / 60}), *rest]


def test_few_failures_among_enough_answers_pass() -> None:
    verdict = judge(gate(), [seen(0)] * 60)
    assert (verdict.state, verdict.code, verdict.no_data) == ("pass", 1, False)
    assert verdict.reason == (
        "stale_source_use is 0, at most 0.0899 (95 % confidence, 60 answers in the last 1h); limit 0.1;"
        " a mean above 0.0899 would have been found"
    )
    part = verdict.slices[0]
    assert (part.slice, part.n, part.effective_n, part.estimate, part.lower) == ({}, 60, 60.0, 0.0, 0.0)


def test_failures_beyond_doubt_fail() -> None:
    verdict = judge(gate(), [seen(1)] * 20 + [seen(0)] * 20)
    assert (verdict.state, verdict.code) == ("fail", -1)
    assert verdict.reason == (
        "stale_source_use is 0.5, at least 0.26 (95 % confidence, 40 answers in the last 1h); limit 0.1"
    )


def test_a_mean_on_the_right_side_is_not_enough() -> None:
    verdict = judge(gate(), full([seen(1)] * 3 + [seen(0)] * 37))
    assert verdict.slices[0].estimate < 0.1
    assert verdict.state == "inconclusive"
    told = r"; limit 0\.1: about [\d,]+ more answers like these are needed to tell; if no more come in 1h, set a longer"
    assert re.search(rf"{told} `window`, about 41h$", verdict.reason)


@pytest.mark.parametrize(("by", "fewer"), [((), ""), (("domain",), ", or fewer slices (`by`)")])
@pytest.mark.parametrize(("bad", "needed"), [(100, None), (102, 140_000)])
def test_a_limit_that_no_traffic_of_months_tells_from_the_mean_is_to_be_changed(bad, needed, by, fewer) -> None:
    answers = full([seen(number < bad, domain="travel") for number in range(1000)], timedelta(days=2))
    verdict = judge(gate(by=by, window="2d"), answers)
    assert verdict.state == "inconclusive"
    part = "; limit 0.1: if no more come in 2d, it cannot be told and needs a higher limit"
    assert verdict.reason.endswith(f"{part}{fewer}")
    assert "more answers" not in verdict.reason
    assert (verdict.slices[0].evidence.get("needed", 0.0) > 45_000) == (needed is not None)
    mirrored = full([seen(number >= bad, domain="travel") for number in range(1000)], timedelta(days=2))
    assert "needs a lower limit" in judge(gate(at_least=0.9, by=by, window="2d"), mirrored).reason


def test_below_the_minimum_of_answers_even_clear_evidence_is_inconclusive() -> None:
    verdict = judge(gate(), full([seen(1)] * 12))
    assert verdict.state == "inconclusive"
    assert verdict.reason == (
        "stale_source_use has 12 answers in the last 1h, at least 30 are needed: wait for 18 more; if no more come in"
        " 1h, set a longer `window`, about 3h"
    )


def test_traffic_of_a_minute_is_no_ground_for_a_longer_window_or_another_limit() -> None:
    for bad, n in ((3, 40), (0, 12), (102, 1000)):
        verdict = judge(gate(window="2d"), [seen(number < bad) for number in range(n)])
        assert verdict.state == "inconclusive"
        assert "if no more come" not in verdict.reason
        assert re.search(r"about [\d,]+ more answers|wait for 18 more$", verdict.reason)


def test_at_least_is_the_mirror_of_at_most() -> None:
    values = [0.0] * 5 + [1.0] * 35
    for flip in (False, True):
        sample = [seen(1 - value if flip else value) for value in values]
        mirrored = [seen(value if flip else 1 - value) for value in values]
        one, other = judge(gate(at_most=0.6), sample), judge(gate(at_least=0.4), mirrored)
        assert one.state == other.state
        assert one.slices[0].upper == pytest.approx(1 - other.slices[0].lower)
    assert judge(gate(at_least=0.7), [seen(1)] * 40).state == "pass"
    assert judge(gate(at_least=0.7), [seen(0)] * 40).state == "fail"


def test_without_data_the_verdict_is_inconclusive_and_says_so() -> None:
    verdict = judge(gate(), [])
    assert (verdict.state, verdict.no_data, verdict.slices) == ("inconclusive", True, ())
    assert verdict.reason == (
        "no scored answers in the last 1h: check that answers arrive and are sampled, and see rag_unscored_total for"
        " why stale_source_use was not scored"
    )


def test_evidence_expires_with_the_window() -> None:
    subject = gate()
    state = fold(subject, [seen(1)] * 40)
    assert subject.verdict(state, NOON + timedelta(minutes=58)).state == "fail"
    assert subject.verdict(state, NOON + timedelta(minutes=61)).no_data


def test_answers_after_the_instant_judged_do_not_count() -> None:
    subject = gate()
    state = fold(subject, [seen(1, at=NOON + timedelta(minutes=30))] * 40)
    assert subject.verdict(state, NOON).no_data


def test_one_failing_slice_fails_the_gate_and_is_named() -> None:
    subject = gate(by=("domain",))
    good, bad = [seen(0, domain="leave")] * 80, [seen(1, domain="travel")] * 80
    verdict = judge(subject, good + bad)
    assert verdict.state == "fail"
    assert verdict.reason.startswith("1 of 2 slices failing: stale_source_use in domain=travel is 1, at least 0.9")
    assert {part.slice["domain"]: part.state for part in verdict.slices} == {"leave": "pass", "travel": "fail"}


def test_a_slice_that_lacks_evidence_keeps_the_gate_from_passing() -> None:
    verdict = judge(gate(by=("domain",)), full([seen(0, domain="leave")] * 80 + [seen(0, domain="travel")] * 3))
    assert verdict.state == "inconclusive"
    assert (
        verdict.reason == "1 of 2 slices inconclusive: stale_source_use in domain=travel has 3 answers in the last 1h,"
        " at least 30 are needed: wait for 27 more; if no more come in 1h, set a longer `window`, about 10h"
    )


def test_all_slices_passing_pass_the_gate() -> None:
    verdict = judge(gate(by=("domain",)), [seen(0, domain=name) for name in "abcdefg" * 80])
    assert verdict.state == "pass"
    assert verdict.reason.startswith("7 of 7 slices pass")
    assert verdict.reason.endswith("and 2 more")


def test_the_confidence_is_that_of_the_verdict_over_all_slices() -> None:
    one = judge(gate(by=("domain",)), [seen(0, domain="d0")] * 60).slices[0]
    many = judge(gate(by=("domain",)), [seen(0, domain=f"d{i}") for i in range(20)] * 60).slices[0]
    assert one.reason.startswith("stale_source_use in domain=d0 is 0, at most 0.0899 (95 % confidence, 60 answers")
    assert many.reason.startswith(
        "stale_source_use in domain=d0 is 0, from 0 to 0.136 (95 % confidence over all 20 slices"
    )
    # A slice that is too small to be judged takes nothing from the others.
    tiny = judge(gate(by=("domain",)), [seen(0, domain="d0")] * 60 + [seen(0, domain="new")] * 29)
    assert tiny.slices[0] == one


def test_a_gate_over_many_good_slices_fails_no_more_often_than_its_confidence_says() -> None:
    # Every slice fails exactly as often as it may: any that fails is a false one. Read as the window fills, bounds of
    # this confidence on each slice by itself would fail nearly every time.
    rng = np.random.default_rng(7)
    subject = gate(by=("domain",), confidence=0.5)
    groups = tuple(Group("stale_source_use", (("domain", f"d{i}"),), ()) for i in range(100))
    false = 0
    for _ in range(10):
        state, failed = subject.initial(), False
        for _ in range(7):
            place = np.repeat(np.arange(100), 30)
            rest = np.zeros(len(place), np.int64)
            state = subject.fold(
                state,
                Batch(
                    groups=groups,
                    group=place,
                    at=rest + microseconds(NOON),
                    value=(rng.random(len(place)) < 0.1).astype(float),
                    probability=np.ones(len(place)),
                    cluster=rest,
                    arm=rest,
                    share=np.zeros(len(place)),
                ),
            )
            failed |= subject.verdict(state, NOON).state == "fail"
        false += failed
    assert false <= 5


def test_answers_that_were_hardly_ever_drawn_are_told() -> None:
    verdict = judge(gate(), [seen(0)] * 60 + [seen(0, probability=1e-5)] * 2)
    assert verdict.reason.endswith(
        "; 2 answers have an inclusion probability below 0.0001 and weigh as if it were 0.0001"
    )
    subject = gate()
    state = fold(subject, [seen(0, probability=1e-5)])
    assert subject.load(subject.dump(state)) == state
    assert "inclusion" not in judge(subject, [seen(0, probability=1e-4)] * 60).reason


def test_dimensions_outside_by_are_merged_and_missing_ones_are_none() -> None:
    verdict = judge(gate(by=("domain",)), [seen(0, region="eu"), seen(0, region="us")])
    assert [dict(part.slice) for part in verdict.slices] == [{"domain": NONE}]
    assert verdict.slices[0].n == 2


def test_slices_beyond_all_bounds_are_counted_together_instead_of_lost() -> None:
    subject = gate(by=("domain",))
    state = fold(subject, [seen(0, domain=f"d{i}") for i in range(MAX_SLICES + 5)])
    verdict = subject.verdict(state, NOON)
    assert len(verdict.slices) == MAX_SLICES + 1
    assert next(part.n for part in verdict.slices if part.slice["domain"] == OTHER) == 5


def test_other_metrics_are_ignored() -> None:
    subject = gate()
    other = seen(1).model_copy(update={"metric": "claim_support"})
    assert subject.update(subject.initial(), other) == subject.initial()
    assert subject.metrics == {"stale_source_use"}


def test_a_value_outside_the_bounds_of_the_metric_is_an_error_that_names_the_answer() -> None:
    with pytest.raises(ValueError, match=r"stale_source_use of a is 1\.5, outside 0 to 1"):
        gate().update(gate().initial(), seen(1.5))


def test_the_verdict_names_the_policy_it_was_judged_by() -> None:
    assert judge(gate(), []).policy_version == judge(gate(), []).policy_version
    assert judge(gate(), []).policy_version != judge(gate(at_most=0.2), []).policy_version


def test_a_change_of_the_sampling_policy_does_not_move_the_estimate() -> None:
    # A tenth of the traffic fails. First all of it is drawn alike, then failures five times as often as the rest.
    rng = random.Random(4)
    observations, biased = [], []
    for i in range(40_000):
        failed = rng.random() < 0.1
        probability = 0.2 if i < 20_000 else (0.5 if failed else 0.1)
        if rng.random() < probability:
            observations.append(seen(float(failed), probability=probability))
            biased.append(float(failed))
    estimate = judge(gate(), observations).slices[0].estimate
    assert estimate == pytest.approx(0.1, abs=0.01)
    assert sum(biased) / len(biased) > 0.15, "an unweighted mean would have moved"


def test_unequal_weights_count_as_fewer_answers() -> None:
    part = judge(gate(), [seen(0)] * 20 + [seen(0, probability=0.1)] * 20).slices[0]
    assert part.n == 40
    assert part.effective_n == pytest.approx(40 * (220 / 400) ** 2)


def test_no_single_answer_can_outweigh_everything() -> None:
    part = judge(gate(), [seen(0, probability=0.01)] * 1000 + [seen(1, probability=5e-324)]).slices[0]
    assert part.estimate == pytest.approx(10_000 / 110_000)


minutes = st.integers(0, 150)
answers = st.builds(
    lambda minute, value, probability, domain: seen(
        value, at=NOON + timedelta(minutes=minute), probability=probability, domain=domain
    ),
    minutes,
    st.sampled_from([0.0, 1.0, 1 / 3, 0.1]),
    st.sampled_from([1.0, 0.5, 0.3, 0.01]),
    st.sampled_from(["a", "b"]),
)
streams = st.lists(answers, max_size=40)
gates = st.builds(gate, by=st.sampled_from([(), ("domain",)]), min_answers=st.integers(1, 5))


@given(gates, streams, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(
    subject: ThresholdGate, stream: list[Observation], rng: random.Random
) -> None:
    shuffled = stream.copy()
    rng.shuffle(shuffled)
    states = fold(subject, stream), fold(subject, shuffled)
    one, other = ({**orjson.loads(subject.dump(state)), "left_out": None} for state in states)
    # All but how many were too old when they came.
    assert one == other
    if not any(subject.lateness(state).left_out for state in states):
        assert subject.dump(states[0]) == subject.dump(states[1])


@given(gates, streams, st.integers(0, 40))
def test_a_restart_anywhere_changes_nothing(subject: ThresholdGate, stream: list[Observation], restart: int) -> None:
    straight = fold(subject, stream)
    restored = subject.load(subject.dump(fold(subject, stream[:restart])))
    resumed = fold(subject, stream[restart:], restored)
    assert resumed == straight
    assert subject.dump(resumed) == subject.dump(straight)


@given(gates, streams, minutes)
def test_a_pass_always_rests_on_enough_data(subject: ThresholdGate, stream: list[Observation], minute: int) -> None:
    verdict = subject.verdict(fold(subject, stream), NOON + timedelta(minutes=minute))
    if verdict.state == "pass":
        assert verdict.slices
        assert all(part.n >= subject.min_answers and part.upper <= 0.1 for part in verdict.slices)
    assert verdict.no_data == (not verdict.slices)
    assert "NaN" not in verdict.model_dump_json()


@given(gates, streams, st.integers(2, 4))
def test_repeating_the_evidence_never_turns_a_verdict_around(
    subject: ThresholdGate, stream: list[Observation], times: int
) -> None:
    at = NOON + timedelta(minutes=150)
    once = subject.verdict(fold(subject, stream), at)
    often = subject.verdict(fold(subject, stream * times), at)
    if once.state != "inconclusive":
        assert often.state == once.state
    for before, after in zip(once.slices, often.slices, strict=True):
        assert after.upper - after.lower <= before.upper - before.lower + 1e-9


@given(gates, streams)
def test_folding_and_judging_leave_the_state_as_it_was(subject: ThresholdGate, stream: list[Observation]) -> None:
    state = fold(subject, stream)
    before = subject.dump(state)
    subject.update(state, seen(1.0, at=NOON + timedelta(days=1)))
    subject.update(state, seen(1.0, domain="a"))
    assert subject.verdict(state, NOON) == subject.verdict(state, NOON)
    assert subject.dump(state) == before


def test_answers_older_than_the_window_are_dropped_whenever_they_come() -> None:
    subject = gate()
    old, new = seen(1, at=NOON), seen(0, at=NOON + timedelta(hours=2))
    assert fold(subject, [old, new]) == fold(subject, [new])
    late = fold(subject, [new, old])
    assert subject.verdict(late, new.at).slices == subject.verdict(fold(subject, [new]), new.at).slices
    assert subject.lateness(late).left_out == 1


@pytest.mark.parametrize("other", [{"window": "2h"}, {"by": ("domain",)}, {"metric": "claim_support"}])
def test_a_checkpoint_of_another_configuration_is_refused(other: dict[str, object]) -> None:
    data = gate().dump(fold(gate(), [seen(1)]))
    with pytest.raises(ValueError, match="not a state of the gate 'stale' as it is configured"):
        gate(**other).load(data)
    assert gate(at_most=0.5).load(data), "a new limit judges the evidence already there"


def test_a_checkpoint_that_is_none_is_refused() -> None:
    for data in (b"[]", b"{}", b""):
        with pytest.raises(ValueError, match=r"state|JSON|empty|unexpected"):
            gate().load(data)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at_most": 0.1, "at_least": 0.1}, "exactly one of at_most and at_least"),
        ({"at_most": None}, "exactly one of at_most and at_least"),
        ({"at_most": 1}, "less than 1"),
        ({"at_least": 0}, "greater than 0"),
        ({"at_most": float("nan")}, "less than 1"),
        ({"window": "15"}, "not a duration"),
        ({"window": "10ms"}, "at least 1s"),
        ({"by": ("a", "a")}, "duplicate dimension"),
        ({"confidence": 1}, "less than 1"),
        ({"min_answers": 0}, "greater than or equal to 1"),
        ({"tolerence": 0.1}, "Extra inputs are not permitted"),
        ({"name": "Stale Gate"}, "match pattern"),
        ({"type": "treshold"}, "Input should be 'threshold'"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused_with_its_reason(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        gate(**options)


def test_the_type_must_be_said() -> None:
    with pytest.raises(ValidationError, match="type\n"):
        ThresholdGate.model_validate({"name": "x", "metric": "m", "at_most": 0.1})


def test_configuration_survives_its_own_json() -> None:
    subject = gate(by=("domain", "region"), window="1h30m")
    assert ThresholdGate.model_validate_json(subject.model_dump_json()) == subject


def test_answers_older_than_the_window_when_they_come_keep_it_from_passing():
    # A scorer that takes two hours over what fails: its answers never meet a window of one hour.
    subject, now = gate(at_most=0.3), NOON + timedelta(hours=2)
    state = fold(subject, [seen(0, at=NOON + timedelta(seconds=10 * i)) for i in range(720)])
    bad = [seen(1, at=NOON + timedelta(seconds=i)) for i in range(40)]
    assert subject.verdict(state, now).state == "pass"
    late = subject.fold(state, Batch.of(bad))
    assert subject.dump(late) == subject.dump(fold(subject, bad, state))
    assert subject.load(subject.dump(late)) == late
    assert subject.lateness(late).left_out == 40
    verdict = subject.verdict(late, now)
    assert verdict.state == "inconclusive"
    assert re.search(r"40 of \d+ recent answers \(1\d %\) came too late and were left out", verdict.reason)
    later = now + timedelta(hours=1)
    forgotten = fold(subject, [seen(0, at=now + timedelta(minutes=i)) for i in range(1, 60)], late)
    assert subject.verdict(forgotten, later).state == "pass"


def came(values: list[float | None], **slice_: str) -> Batch:
    """Return answers of noon, those without a value also without text."""
    batch = Batch.of([seen(0, **slice_).model_copy(update={"value": value}) for value in values])
    return replace(batch, textless=batch.unscored)


@pytest.mark.parametrize(
    ("bare", "state"), [(200, "inconclusive"), (10, "inconclusive"), (8, "pass"), (9, "pass"), (0, "pass")]
)
def test_a_gate_does_not_pass_by_the_few_answers_that_have_text(bare, state) -> None:
    subject = gate()
    verdict = subject.verdict(subject.fold(subject.initial(), came([0.0] * 70 + [None] * bare)), NOON)
    assert verdict.state == state
    assert (f"{bare} of {70 + bare} answers" in verdict.reason) == (bare > 0)
    assert verdict.slices[0].n == 70


def test_a_gate_fails_by_answers_that_have_text_however_many_have_none() -> None:
    subject = gate()
    verdict = subject.verdict(subject.fold(subject.initial(), came([1.0] * 40 + [None] * 400)), NOON)
    assert verdict.state == "fail"
    assert verdict.reason.endswith("; 400 of 440 answers (91 %) came without text and could not be scored")


def test_a_slice_of_which_no_answer_has_text_keeps_the_others_from_passing() -> None:
    subject = gate(by=("domain",))
    state = subject.fold(subject.initial(), came([0.0] * 90, domain="leave"))
    assert subject.verdict(state, NOON).state == "pass"
    state = subject.fold(state, came([None] * 30, domain="travel"))
    verdict = subject.verdict(subject.load(subject.dump(state)), NOON)
    assert verdict.state == "inconclusive"
    assert "stale_source_use in domain=travel has no scored answers in the last 1h: 30 answers came" in verdict.reason
    assert subject.verdict(state, NOON + timedelta(hours=2)).slices == ()


def unvalued(values: list[float | None], **slice_: str) -> Batch:
    """Return answers of noon, those without a value with a text nonetheless."""
    return replace(came(values, **slice_), textless=None)


@pytest.mark.parametrize(("blank", "told"), [(200, True), (71, True), (70, False), (0, False)])
def test_answers_that_a_metric_does_not_apply_to_are_no_lack_but_told_where_most_are(blank, told) -> None:
    subject = gate()
    verdict = subject.verdict(subject.fold(subject.initial(), unvalued([0.0] * 70 + [None] * blank)), NOON)
    assert (verdict.state, "without text" in verdict.reason) == ("pass", False)
    assert (f"; {blank} of {70 + blank} answers (" in verdict.reason) == told
    assert verdict.reason.endswith("came without a value") == told


@pytest.mark.parametrize(("blank", "state"), [(72, "inconclusive"), (10, "inconclusive"), (9, "pass")])
def test_a_slice_that_the_metric_never_judges_is_not_left_out_of_a_pass(blank, state) -> None:
    subject = gate(by=("language",))
    state_ = subject.fold(subject.initial(), came([0.0] * 90, language="en"))
    state_ = subject.fold(state_, unvalued([None] * blank, language="de"))
    verdict = subject.verdict(state_, NOON)
    assert verdict.state == state
    parts = {part.slice["language"]: (part.state, part.n, dict(part.evidence)) for part in verdict.slices}
    assert parts.get("de") == (("inconclusive", 0, {"unscored": blank}) if blank >= 10 else None)
    if blank >= 10:
        assert "stale_source_use in language=de has no scored answers in the last 1h" in verdict.reason
        assert f"{blank} answers came without a value; their pages and rag_unscored_total say why" in verdict.reason
    assert subject.verdict(state_, NOON + timedelta(hours=2)).slices == ()


def test_a_slice_without_any_value_says_how_many_of_its_answers_have_no_text() -> None:
    subject = gate(by=("language",))
    state = subject.fold(subject.initial(), unvalued([None] * 30, language="de"))
    state = subject.fold(state, came([None] * 6, language="de"))
    assert "36 answers came without a value, 6 of them without text" in subject.verdict(state, NOON).reason


def test_answers_without_a_value_that_come_late_are_not_missed() -> None:
    subject, now = gate(at_most=0.3), NOON + timedelta(hours=2)
    state = fold(subject, [seen(0, at=NOON + timedelta(seconds=10 * i)) for i in range(720)])
    late = subject.fold(state, unvalued([None] * 40))
    assert subject.lateness(late).left_out == 0
    assert subject.verdict(late, now) == subject.verdict(state, now)


def test_slices_without_a_value_take_no_place_of_those_that_are_judged() -> None:
    subject = gate(by=("domain",))
    state = subject.initial()
    for i in range(MAX_SLICES + 5):
        state = subject.fold(state, unvalued([None], domain=f"d{i}"))
    state = subject.fold(state, came([0.0] * 90, domain="leave"))
    assert len(state[max(state)]) == MAX_SLICES + 2
    judged = [part.slice["domain"] for part in subject.verdict(state, NOON).slices]
    assert judged == ["leave"]


@pytest.mark.parametrize("some", [came, unvalued])
def test_answers_without_value_are_counted_in_whatever_order_they_come(some) -> None:
    subject, order = gate(by=("domain",)), random.Random(4)
    values = [order.choice([0.0, 1.0, None]) for _ in range(200)]
    whole = subject.fold(subject.initial(), some(values, domain="travel"))
    order.shuffle(values)
    state = subject.initial()
    for value in values:
        state = subject.fold(state, some([value], domain="travel"))
    assert subject.dump(state) == subject.dump(whole)
    assert subject.load(subject.dump(state)) == state
