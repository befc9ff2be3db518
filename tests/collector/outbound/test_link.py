"""The frame: when a link is tried, what its failures cost, and what people are told of them."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from structlog.testing import capture_logs

from collector.outbound.backoff import CAP_SECONDS
from collector.outbound.errors import Unreachable
from collector.outbound.link import Counter, Link, Runtime
from telemetry import instruments
from telemetry.registry import Telemetry

START = 1_780_000_000_000_000_000
DOWN = Unreachable("http://x: down")


class Scripted(Link[Any]):
    """Does as it is told: a number of pieces done, or an error."""

    kind = "write_back"
    up = instruments.WRITE_BACK_UP
    counters: ClassVar = {
        "written": Counter(instruments.WRITE_BACK_ITEMS, ("written",)),
        "seen": None,
    }

    def exchange(self) -> int:
        turn = self.turns.pop(0) if self.turns else 1
        self.during()
        if isinstance(turn, Exception):
            raise turn
        self.attempts += 1
        if turn:
            self.count(written=turn, seen=1)
            self.succeeded()
        return turn

    def position(self) -> dict[str, int]:
        return {"at": self.attempts}

    def attempted(self, attempt: str) -> None:
        self.ended.append(attempt)


class Bench:
    """A link with clocks that stand still until they are moved."""

    def __init__(self, *turns: int | Exception) -> None:
        self.now = 0.0
        self.telemetry = Telemetry(metrics=(), dimensions=(), version="1")
        self.stop = threading.Event()
        runtime = Runtime(
            telemetry=self.telemetry,
            clock=lambda: START + int(self.now * 1e9),
            monotonic=lambda: self.now,
            random=lambda: 0.5,
            stop=self.stop,
        )
        poll = SimpleNamespace(total_seconds=lambda: 10.0)
        self.link = Scripted(SimpleNamespace(name="x", type="scripted", poll=poll), runtime)
        self.link.turns, self.link.attempts, self.link.ended = list(turns), 0, []
        self.link.during = lambda: None

    def metric(self, name: str) -> float:
        lines = self.telemetry.exposition("")[0].decode().splitlines()
        [line] = [line for line in lines if line.startswith(f"groundwire_write_back_{name}")]
        return float(line.rpartition(" ")[2])

    @property
    def report(self) -> dict[str, Any]:
        return dict(self.link.status.report())


def test_a_link_is_seen_before_its_first_exchange() -> None:
    bench = Bench()
    assert bench.report["state"] == "waiting"
    assert (bench.report["name"], bench.report["type"], bench.report["position"]) == ("x", "scripted", {})
    assert bench.metric("up{") == 1
    assert bench.metric('items_total{outcome="written",target="x"}') == 0


def test_what_is_done_is_counted_in_the_api_and_in_the_metrics_alike() -> None:
    bench = Bench(2, 3)
    assert [bench.link.run_once(), bench.link.run_once()] == [2, 3]
    assert bench.metric('items_total{outcome="written",target="x"}') == bench.report["written"] == 5
    assert bench.report["seen"] == 2
    assert bench.report["position"] == {"at": 2}
    assert bench.report["state"] == "ok"


def test_with_nothing_to_do_the_next_look_is_a_poll_away() -> None:
    bench = Bench(0, 1)
    assert bench.link.run_once() == 0
    bench.now = 9.9
    assert bench.link.run_once() == 0
    bench.now = 10.0
    assert bench.link.run_once() == 1
    assert bench.report["state"] == "ok"


def test_one_that_is_down_is_tried_ever_more_rarely() -> None:
    bench = Bench(1, *[DOWN] * 12)
    bench.link.run_once()
    waits = []
    for _ in range(12):
        assert bench.link.run_once() == 0
        waits.append(bench.link.due - bench.now)
        bench.now = bench.link.due
    assert waits[:4] == [1.0, 1.5, 2.5, 4.5]
    assert max(waits) <= CAP_SECONDS
    assert (bench.report["state"], bench.report["last_error"]) == ("failing", "http://x: down")
    assert bench.metric("up{") == 0
    assert bench.link.ended == ["ok", *["unreachable"] * 12]
    bench.link.run_once()
    assert (bench.report["state"], bench.metric("up{")) == ("ok", 1)
    bench.link.turns = [DOWN]
    bench.link.run_once()
    assert bench.link.due - bench.now == 1.0, "the back-off begins anew after a success"


def test_one_that_asks_to_wait_is_left_alone_that_long_and_is_not_down() -> None:
    bench = Bench(Unreachable("http://x: 429 Too Many Requests", 60.0))
    bench.link.run_once()
    assert bench.link.due == 61
    assert (bench.report["state"], bench.metric("up{")) == ("waiting", 1)
    assert bench.report["next_attempt"] == "2026-05-28T20:27:41Z"
    assert bench.link.ended == ["asked_to_wait"]


def test_a_defect_is_raised_and_waited_out() -> None:
    bench = Bench(ZeroDivisionError("a defect"), 1)
    with pytest.raises(ZeroDivisionError):
        bench.link.run_once()
    assert bench.link.run_once() == 0
    assert (bench.report["state"], bench.report["last_error"]) == ("failing", "ZeroDivisionError: a defect")
    assert bench.link.ended == ["error"]
    bench.now = 100
    assert bench.link.run_once() == 1


@pytest.mark.parametrize("error", [DOWN, OSError("closed")])
def test_a_failure_that_the_stop_brought_about_is_nobodys(error: Exception) -> None:
    bench = Bench(error)
    bench.link.during = bench.stop.set
    if isinstance(error, Unreachable):
        assert bench.link.run_once() == 0
    else:
        with pytest.raises(OSError, match="closed"):
            bench.link.run_once()
    assert bench.report["state"] == "waiting"
    assert bench.link.ended == []


def test_each_change_of_state_is_logged_once() -> None:
    with capture_logs() as logs:
        bench = Bench(1, DOWN, DOWN, DOWN, 1, 1)
        for _ in range(6):
            bench.link.run_once()
            bench.now += 1000
    assert [(entry["log_level"], entry["event"]) for entry in logs] == [
        ("info", "reached"),
        ("warning", "failing; retrying"),
        ("info", "recovered"),
    ]
    assert [(entry["kind"], entry["name"]) for entry in logs] == [("write_back", "x")] * 3


def test_of_a_server_that_fails_every_second_time_the_log_is_told_once_a_minute() -> None:
    with capture_logs() as logs:
        bench = Bench(*[DOWN, 1] * 59, *[DOWN] * 60)
        for _ in range(178):
            bench.link.run_once()
            bench.now = bench.link.due = bench.now + 1
    events = [entry["event"] for entry in logs]
    # Twice while it comes and goes, and once more when it stays away: the log ends with what is so.
    assert events == ["failing; retrying", "recovered"] * 2 + ["failing; retrying"]
