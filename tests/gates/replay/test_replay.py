import json
import random
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import TypeAdapter

from gates import AnyGate
from gates.inputs.observations import Batch, Observation
from gates.replay.jsonl import evaluation_line
from gates.replay.reader import EvaluationReader
from gates.replay.replay import Replay

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def replayed(gate, recording):
    return Replay(gate=gate, recording=recording).events()


def line(minute, value, **more):
    at = (NOON + timedelta(minutes=minute)).isoformat().replace("+00:00", "Z")
    fields = {"at": at, "answer_id": f"a{minute}", "metric": "m", "value": value, "probability": 1.0, **more}
    return json.dumps(fields).encode()


def change(minute, kind, **more):
    at = (NOON + timedelta(minutes=minute)).isoformat()
    return json.dumps({"at": at, "change": {"kind": kind, **more}}).encode()


def read(lines):
    reader = EvaluationReader()
    reader.add(lines)
    return reader.recording()


def gate(**options):
    return TypeAdapter(AnyGate).validate_python({"name": "g", "metric": "m", **options})


def drift(**options):
    return gate(**{"type": "drift", "worse": "higher", "by": ("domain",), "min_reference_time": "1h", **options})


def lines():
    rng = random.Random(1)
    return [
        line(minute + second / 60, float(rng.random() < (0.02 if minute < 600 else 0.3)), slice={"domain": "travel"})
        for minute in range(750)
        for second in (0, 20, 40)
    ]


def test_a_replay_tells_when_an_alarm_would_have_been_raised_and_why():
    course = Replay(gate=drift(), recording=read([*lines(), change(600, "index", version="4")]))
    events = list(course.events())
    first = next(event for event in events if event.alarm)
    assert NOON + timedelta(minutes=600) < first.at < NOON + timedelta(minutes=660)
    assert first.slice == {"domain": "travel"}
    assert "index 4" in first.cause
    assert first.e_value >= 20
    states = [(event.state, event.alarm) for event in events if event.slice == {}]
    assert states == [("pass", False), ("fail", False)]
    assert first.interval[0] <= first.estimate <= first.interval[1]
    (told,) = course.histories.values()
    assert (told.first, told.answers) == (first, 3 * (first.at - NOON) // timedelta(minutes=1))


def test_the_order_of_lines_does_not_matter():
    straight = lines()
    shuffled = straight.copy()
    random.Random(2).shuffle(shuffled)
    assert list(replayed(drift(), read(shuffled))) == list(replayed(drift(), read(straight)))


@pytest.mark.parametrize(
    "options",
    [
        {"type": "drift", "worse": "higher", "by": ("domain",)},
        {"type": "objective", "worse": "higher", "objective": 0.9, "by": ("domain",)},
        {"type": "threshold", "at_most": 0.1},
        {"type": "release", "worse": "higher"},
    ],
)
def test_a_replay_says_what_the_gate_says_that_folds_answers_as_they_come(options):
    subject = gate(**options)
    rng = random.Random(3)
    seen = [
        Observation(
            at=NOON + timedelta(seconds=20 * i),
            answer_id=f"a{i}",
            metric="m",
            value=float(rng.random() < (0.02 if i < 900 else 0.4)),
            probability=1,
            slice={"domain": rng.choice("ab")},
            arm="candidate" if i % 2 else "baseline",
            share=0.5,
        )
        for i in range(1200)
    ]
    course = Replay(gate=subject, recording=read(map(evaluation_line, seen)))
    list(course.events())
    state = subject.initial()
    for start in range(0, len(seen), 17):
        state = subject.fold(state, Batch.of(seen[start : start + 17]))
    assert course.verdict == subject.verdict(state, course.verdict.at)
    assert course.verdict.at - seen[-1].at <= timedelta(minutes=5)


def test_a_gate_without_slices_says_everything_once():
    subject = gate(type="threshold", at_most=0.1)
    events = list(replayed(subject, read([line(minute, 1.0) for minute in range(60)])))
    assert [(event.state, event.alarm, event.slice) for event in events] == [("fail", True, {})]


def test_a_gate_that_never_reaches_a_verdict_says_why_at_the_end_whatever_its_slices_say():
    few = [line(minute, 0.0, slice={"domain": "leave"}) for minute in range(0, 750, 5)]
    subject = gate(type="threshold", at_most=0.4, by=("domain",), window="30m", min_answers=20)
    *slices, last = replayed(subject, read([*lines(), *few]))
    assert [event.slice for event in slices] == [{"domain": "travel"}] * len(slices) != []
    assert (last.slice, last.state) == ({}, "inconclusive")
    assert "m in domain=leave has " in last.reason


def test_nothing_makes_no_events():
    assert list(replayed(drift(), read([]))) == []
    assert list(replayed(drift(), read([line(0, 1, metric="other")]))) == []


def test_a_gate_that_never_concludes_says_so_at_the_end():
    (event,) = replayed(drift(), read([line(0, 1), line(9, 0)]))
    assert (event.state, event.alarm, event.at) == ("inconclusive", False, NOON + timedelta(minutes=10))
    assert "warming up" in event.cause


def test_a_gap_is_judged_until_nothing_is_left_to_say():
    subject = gate(type="threshold", at_most=0.9, window="1h")
    events = list(replayed(subject, read([*(line(i, 0) for i in range(60)), line(60 * 24 * 4000, 0)])))
    assert [event.state for event in events] == ["pass", "inconclusive"]
    assert timedelta(minutes=85) <= events[1].at - NOON <= timedelta(minutes=95)


def test_the_last_tick_of_a_gate_is_judged_though_the_recording_ends_inside_it():
    subject = gate(type="release", worse="higher", tick="1h")
    routed = [line(i / 6, i % 2, arm=("baseline", "candidate")[i % 2], share=0.5) for i in range(600)]
    events = list(replayed(subject, read(routed)))
    assert [(event.state, event.at) for event in events] == [("fail", NOON + timedelta(hours=2))]


def test_a_change_stands_before_the_answers_of_its_own_instant():
    before = [line(i, 0.0) for i in range(400)]
    subject = gate(type="release", worse="higher", min_reference=300)
    after = [line(i, 1.0) for i in range(400, 430)]
    events = list(replayed(subject, read([change(400, "deploy", version="2"), *before, *after])))
    assert [event.state for event in events] == ["fail"]
    assert events[0].cause == "release 2"


def test_events_are_json_without_what_json_does_not_know():
    fields = {"at", "gate", "slice", "state", "alarm", "e_value", "estimate", "interval", "n", "cause", "reason"}
    for event in replayed(drift(), read(lines())):
        assert set(json.loads(event.model_dump_json(), parse_constant=pytest.fail)) == fields


def test_what_a_verdict_warns_of_is_told_though_the_gate_has_no_slices():
    rng = random.Random(3)
    rows = []
    for minute in range(600):
        arm = "candidate" if rng.random() < 0.3 else "baseline"
        routed = {"arm": arm, "share": 0.3, "cluster": f"user-{rng.randrange(20)}", "versions": {"release": arm}}
        rows.append(line(minute, float(rng.random() < 0.03), **routed))
    course = Replay(gate=gate(type="release", worse="higher"), recording=read(rows))
    events = list(course.events())
    assert "clusters with several answers were in both arms" in events[-1].reason
    assert events[-1].reason == course.verdict.reason
    assert course.histories[()].last.reason == course.verdict.reason
