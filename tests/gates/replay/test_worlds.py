"""However answers arrive, a gate finds what goes wrong, and raises no alarm over anything else.

What the worlds are is in `tests.gates.replay.worlds`; each is played as `groundwire replay --order arrival` plays it.
"""

import io
import json
import re

import pytest

from collector.commands.replay import replay, tick_of
from collector.configuration.file import load
from collector.configuration.schema import Config
from tests.gates.replay import worlds
from tests.gates.replay.worlds import WORLDS, Answers, written

GATES = """
gates:
  - {type: drift, name: quality, metric: m, worse: higher, by: [domain], reference: 2d}
  - {type: objective, name: budget, metric: m, worse: higher, by: [domain], objective: 0.9}
"""

each_world = pytest.mark.parametrize(
    "world",
    [WORLDS[0], *(pytest.param(world, marks=pytest.mark.slow) for world in WORLDS[1:])],
    ids=lambda world: world.__name__,
)
ENDING_OLD = (worlds.a_pod_that_is_read_two_days_later, worlds.one_slice_a_day_late)
"""At the end of these nothing has come for a day that is less than a day old."""


def played(world, path, *, fault, order="arrival", text=GATES, seed=1):
    answers = Answers(seed, fault=fault, a_minute=0.7)
    world(answers)
    out, err = io.StringIO(), io.StringIO()
    gates = load(text, where="test", inconsistencies=Config.of_gates_alone).gates
    files = [written(answers, path / "answers.jsonl")]
    assert replay(files, gates, data=None, tick=tick_of("2h"), as_json=True, out=out, err=err, order=order) == 0
    return [json.loads(each) for each in out.getvalue().splitlines()], err.getvalue()


def of(events, gate):
    return [event for event in events if event["gate"] == gate]


def last(events, gate):
    return next(event for event in reversed(of(events, gate)) if event["slice"] == {})


@each_world
def test_what_goes_wrong_is_found_however_it_arrives(world, tmp_path):
    events, _ = played(world, tmp_path, fault=True)
    alarms = [event for event in of(events, "quality") if event["alarm"]]
    assert alarms
    assert {event["slice"]["domain"] for event in alarms} == {"a"}
    assert any(event["state"] == "fail" for event in of(events, "budget"))


@each_world
def test_nothing_is_wrong_however_answers_arrive(world, tmp_path):
    events, _ = played(world, tmp_path, fault=False)
    assert not any(event["state"] == "fail" for event in events)
    assert any(event["state"] == "pass" for event in of(events, "quality"))
    assert any(event["state"] == "pass" for event in of(events, "budget"))
    if world in ENDING_OLD:
        assert last(events, "budget")["state"] != "fail"
        assert "answers in the last 1d" in last(events, "quality")["cause"]
    else:
        assert [last(events, gate)["state"] for gate in ("quality", "budget")] == ["pass", "pass"]


@pytest.mark.parametrize("fault", [False, True])
def test_answers_that_come_too_late_to_count_keep_a_gate_from_passing(fault, tmp_path):
    events, err = played(worlds.a_backlog_of_last_month, tmp_path, fault=fault)
    assert {event["state"] for event in of(events, "quality")} == {"fail" if fault else "inconclusive"}
    assert "came too late and were left out" in last(events, "quality")["cause"]
    assert re.search(r"quality: (.*) evaluations arrived after their tick had closed; \1 of them came too late", err)


@pytest.mark.slow
def test_in_the_order_of_times_it_does_not_matter_how_answers_arrived(tmp_path):
    straight, _ = played(worlds.in_order, tmp_path, fault=True, order="time")
    assert played(worlds.newest_first_every_day, tmp_path, fault=True, order="time") == (straight, "")


@pytest.mark.slow
def test_a_gate_sees_nothing_before_it_has_arrived(tmp_path):
    events, _ = played(worlds.all_of_one_pod_before_the_other, tmp_path, fault=True)
    assert min(event["at"] for event in events) > "2026-11-07T00"
    at_once, _ = played(worlds.in_order, tmp_path, fault=True)
    assert min(event["at"] for event in at_once) < "2026-11-03T00"


@pytest.mark.slow
def test_a_tick_waits_for_usual_lateness_and_not_for_a_backfill(tmp_path):
    def late(world):
        _, err = played(world, tmp_path, fault=False, text=GATES.splitlines(keepends=True)[1] + GATES.splitlines()[2])
        return int(re.search(r"quality: ([\d,]+) evaluations", err)[1].replace(",", ""))

    # A twentieth of some 5,000 answers fails; the first hours teach how late they are.
    assert late(worlds.failing_answers_take_twenty_minutes) < 30 < late(worlds.failing_answers_take_two_hours)
