from __future__ import annotations

import os
import signal

import pytest

from collector.demo.stop import Stopped, StopSignals


@pytest.fixture
def heeded():
    """Let a hangup be heeded, also where these tests were started under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_next_pause_and_is_remembered(number: signal.Signals) -> None:
    with StopSignals() as signals:
        os.kill(os.getpid(), number)
        with pytest.raises(Stopped, match=number.name):
            signals.pause(60)
        assert signals.received == number


def test_a_pause_without_a_signal_just_ends() -> None:
    with StopSignals() as signals:
        signals.pause(0.001)
        assert signals.received is None


def test_under_nohup_a_hangup_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with StopSignals() as signals:
            os.kill(os.getpid(), signal.SIGHUP)
            signals.pause(0.001)
            assert signals.received is None
    finally:
        signal.signal(signal.SIGHUP, before)


def test_the_handlers_of_before_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with StopSignals():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before
