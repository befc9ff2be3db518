import json
import random
import re
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import TypeAdapter

from gates import AnyGate
from gates.replay import read, replay

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def line(minute, value, **more):
    at = (NOON + timedelta(minutes=minute)).isoformat().replace("+00:00", "Z")
    return json.dumps({"at": at, "answer_id": f"a{minute}", "metric": "m", "value": value, "probability": 1.0, **more})


def drift(**options):
    return TypeAdapter(AnyGate).validate_python(
        {"type": "drift", "name": "g", "metric": "m", "worse": "higher", "by": ("domain",), **options}
    )


def lines():
    rng = random.Random(1)
    return [
        line(minute + second / 60, float(rng.random() < (0.02 if minute < 2000 else 0.3)), slice={"domain": "travel"})
        for minute in range(2400)
        for second in (0, 20, 40)
    ]


def test_a_replay_tells_when_an_alarm_would_have_been_raised_and_why():
    change = json.dumps(
        {"at": (NOON + timedelta(minutes=2000)).isoformat(), "change": {"kind": "index", "version": "4"}}
    )
    events = list(replay(drift(), read([*lines(), change])))
    first = next(event for event in events if event.alarm)
    assert NOON + timedelta(minutes=2000) < first.at < NOON + timedelta(minutes=2060)
    assert first.slice == {"domain": "travel"}
    assert "index 4" in first.cause
    states = [event.state for event in events if event.slice == {}]
    assert states == ["pass", "fail"]
    assert first.interval[0] <= first.estimate <= first.interval[1]


def test_the_order_of_lines_does_not_matter():
    straight = lines()
    shuffled = straight.copy()
    random.Random(2).shuffle(shuffled)
    assert list(replay(drift(), read(shuffled))) == list(replay(drift(), read(straight)))


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{", "unexpected|EOF|end of data"),
        ("[1]", "valid dictionary|object"),
        ('{"at": "2026-11-01T12:00:00", "answer_id": "a", "metric": "m", "value": 1, "probability": 1}', "timezone"),
        (line(0, 1, probability=0), "greater than 0"),
        (line(0, 1, share=1.5), "less than 1"),
        (line(0, "NaN"), "finite"),
        (line(0, 1, verdict="x"), "Extra inputs"),
        ('{"at": "2026-11-01T12:00:00Z", "change": {"kind": "weather"}}', "kind"),
        (b"\xff\xfe", "UTF-8|utf|unexpected|str is not valid"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_its_number_and_the_rest_is_read(bad, reason):
    recording = read([line(0, 1), "", bad, line(1, 0)])
    assert [each.number for each in recording.bad] == [3]
    assert len(recording.observations) == 2
    assert re.search(reason, recording.bad[0].reason)


def test_a_gate_without_alarms_alarms_when_it_begins_to_fail():
    gate = TypeAdapter(AnyGate).validate_python({"type": "threshold", "name": "t", "metric": "m", "at_most": 0.1})
    events = list(replay(gate, read([line(minute, 1.0) for minute in range(60)])))
    assert next(event for event in events if event.state == "fail").alarm
    assert sum(event.alarm for event in events) <= 2


def test_nothing_makes_no_events():
    assert list(replay(drift(), read([]))) == []
    assert list(replay(drift(), read([line(0, 1, metric="other")]))) == []


def test_events_are_json_without_what_json_does_not_know():
    for event in replay(drift(), read(lines())):
        assert set(event.model_dump()) == {
            "at",
            "gate",
            "slice",
            "state",
            "alarm",
            "e_value",
            "estimate",
            "interval",
            "n",
            "cause",
        }
        json.loads(event.model_dump_json())
