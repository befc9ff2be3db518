"""The log says when a verdict turns, and how verdicts stand at the start."""

import json

import pytest
from structlog.testing import capture_logs

from collector.judging.turns import MAX_SLICES, log_turns
from collector.store.rows import Decision
from tests.collector.pipeline.world import GATE, World, broken, fine


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path / "data")
    yield world
    world.store.close()


def told(logged, event):
    return [{key: value for key, value in line.items() if key != "event"} for line in logged if line["event"] == event]


def test_a_gate_and_each_slice_that_turn_are_a_line_each_that_says_why(world):
    world.serve(60, fine)
    with capture_logs() as logged:
        world.serve(20, lambda domain, **_: 0.6 if domain == "travel" else 0.03)
    whole, part = told(logged, "verdict changed")
    assert {name: part[name] for name in ("gate", "slice", "from", "to", "log_level")} == {
        "gate": "stale",
        "slice": {"domain": "travel"},
        "from": "pass",
        "to": "fail",
        "log_level": "warning",
    }
    assert (whole["slice"], whole["from"], whole["to"]) == ({}, "pass", "fail")
    assert part["reason"] == world.records(domain="travel")[-1].reason
    with capture_logs() as logged:
        world.step.run_once()
    assert logged == []


def test_the_first_verdict_turns_from_inconclusive_and_a_pass_is_no_warning(world):
    with capture_logs() as logged:
        world.serve(60, fine)
    assert {(line["from"], line["to"], line["log_level"]) for line in told(logged, "verdict changed")} == {
        ("inconclusive", "pass", "info")
    }


def test_at_the_start_each_gate_says_how_it_stands(world):
    world.serve(60, fine)
    world.serve(20, broken)
    world.start(GATE, GATE.model_copy(update={"name": "other"}))
    with capture_logs() as logged:
        world.step.run_once()
    stale, other = told(logged, "verdict at start")
    assert (stale["gate"], stale["state"], stale["failing_slices"], stale["log_level"]) == (
        "stale",
        "fail",
        2,
        "warning",
    )
    assert stale["since"] == world.clock.isoformat(timespec="seconds")
    assert {each["domain"] for each in stale["failing"]} == {"travel", "leave"}
    assert other == {
        "gate": "other",
        "state": "inconclusive",
        "since": None,
        "failing_slices": 0,
        "log_level": "info",
    }


def row(number, state):
    slice_ = {"domain": f"d{number}"} if number else {}
    record = json.dumps({"reason": "worse\n\x1b[31m" + "x" * 1000})
    return Decision(at=0, gate="g", slice=slice_, state=state, previous_state="pass", verdict="{}", record=record)


def test_where_everything_turns_at_once_the_log_tells_the_worst_and_how_many_more():
    rows = [row(number, "fail" if number % 50 == 0 else "inconclusive") for number in range(500)]
    with capture_logs() as logged:
        log_turns(rows)
    lines = told(logged, "verdict changed")
    assert len(lines) == 1 + MAX_SLICES
    assert [line["to"] for line in lines[:10]] == ["fail"] * 10
    assert told(logged, "more slices changed") == [
        {"gate": "g", "slices": 479, "see": "GET /v1/decisions", "log_level": "info"}
    ]
    assert all(line["reason"].isprintable() and len(line["reason"]) == 300 for line in lines)
