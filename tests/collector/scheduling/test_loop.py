"""A step gives way to the receivers while senders are kept waiting, and only then."""

import threading
import time

import pytest

from collector.scheduling.loop import MAX_REST_SECONDS, PRESSURE_SECONDS, REST_FACTOR, Loop
from telemetry.registry import Telemetry

SPENT = (0.25, 0.125, 4.0)
"""What each batch takes of this process's time, in seconds; a processor counts them exactly."""


class Stop(threading.Event):
    """Notes how long it is waited for, and waits for nothing."""

    def __init__(self):
        super().__init__()
        self.rests = []

    def wait(self, timeout=None):
        self.rests.append(timeout)
        return self.is_set()


class Step:
    """Spends what each batch takes of a clock that only counts this process's time, and so no wait for workers."""

    def __init__(self):
        self.clock = 0.0
        self._batches = iter(SPENT)

    def run_once(self):
        took = next(self._batches, None)
        self.clock += took or 0.0
        return 0 if took is None else 1


@pytest.fixture
def rests():
    def run(waited):
        stop, step = Stop(), Step()
        telemetry = Telemetry(metrics=(), dimensions=(), version="1")
        Loop("score", step, telemetry=telemetry, stop=stop, pressure=lambda: waited, spent=lambda: step.clock)()
        return stop.rests

    return run


def test_time_that_a_thread_waits_is_not_counted_as_spent():
    telemetry = Telemetry(metrics=(), dimensions=(), version="1")
    loop = Loop("score", Step(), telemetry=telemetry, stop=Stop(), pressure=lambda: 0.0)
    assert loop._spent is time.thread_time


def test_a_request_that_is_just_being_written_holds_nobody_up(rests):
    assert rests(PRESSURE_SECONDS / 2) == []


def test_under_pressure_a_step_rests_by_what_it_took_of_this_process_not_by_what_it_waited_for(rests):
    assert rests(PRESSURE_SECONDS * 2) == [min(REST_FACTOR * spent, MAX_REST_SECONDS) for spent in SPENT]
