"""A step gives way to the receivers while senders are kept waiting, and only then."""

import threading
import time

import pytest

from collector.pipeline.loop import PRESSURE_SECONDS, REST_FACTOR, Loop
from collector.telemetry import Telemetry

SPENT, ASLEEP = 0.02, 0.2


class Stop(threading.Event):
    """Notes how long it is waited for, and waits for nothing."""

    def __init__(self):
        super().__init__()
        self.rests = []

    def wait(self, timeout=None):
        self.rests.append(timeout)
        return self.is_set()


class Step:
    """Takes some of this process's time in each of three batches, and waits ten times as long for its workers."""

    left = 3

    def run_once(self):
        self.left -= 1
        if self.left < 0:
            return 0
        until = time.thread_time() + SPENT
        while time.thread_time() < until:
            pass
        time.sleep(ASLEEP)
        return 1


@pytest.fixture
def rests():
    def run(waited):
        stop = Stop()
        telemetry = Telemetry(metrics=(), dimensions=(), version="1")
        Loop("score", Step(), telemetry=telemetry, stop=stop, pressure=lambda: waited)()
        return stop.rests

    return run


def test_a_request_that_is_just_being_written_holds_nobody_up(rests):
    assert rests(PRESSURE_SECONDS / 2) == []


def test_under_pressure_a_step_rests_by_what_it_took_of_this_process_not_by_what_it_waited_for(rests):
    found = rests(PRESSURE_SECONDS * 2)
    assert len(found) == 3
    assert all(REST_FACTOR * SPENT <= rest < REST_FACTOR * ASLEEP for rest in found)
