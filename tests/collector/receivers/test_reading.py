"""Few messages are read from the wire at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import grpc
import pytest

from collector.receivers.reading import NoMessage, Readers


class Call:
    """A call whose message comes when it may, unless it is cancelled."""

    def __init__(self, message: bytes) -> None:
        self.message = message
        self.asked = threading.Event()
        self.may = threading.Event()
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True
        self.may.set()

    def __iter__(self) -> Iterator[bytes]:
        self.asked.set()
        assert self.may.wait(60)
        if self.cancelled:
            raise grpc.RpcError
        yield self.message

    def read_by(self, readers: Readers) -> bytes:
        return readers.read(iter(self), cast("Any", self))


def test_no_more_are_read_at_once_than_allowed_and_all_are_read() -> None:
    readers = Readers(2, seconds=3600)
    calls = [Call(bytes([n])) for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        results = [pool.submit(call.read_by, readers) for call in calls]
        left = set(calls)
        while left:
            asked = {call for call in left if call.asked.is_set()}
            assert len(asked) <= 2
            for call in list(asked)[:1]:
                left.discard(call)
                call.may.set()
                assert results[calls.index(call)].result(60) == call.message
    assert not any(call.cancelled for call in calls)


def test_the_one_that_reads_longest_is_given_up_for_one_that_waits() -> None:
    now = [0.0]
    readers = Readers(2, seconds=30, clock=lambda: now[0])
    first, second, third = (Call(bytes([n])) for n in range(3))
    with ThreadPoolExecutor(3) as pool:
        results = [pool.submit(first.read_by, readers)]
        assert first.asked.wait(60)
        now[0] = 10
        results.append(pool.submit(second.read_by, readers))
        assert second.asked.wait(60)
        now[0] = 30
        results.append(pool.submit(third.read_by, readers))
        assert third.asked.wait(60)
        assert [call.cancelled for call in (first, second, third)] == [True, False, False]
        second.may.set()
        third.may.set()
        assert [result.result(60) for result in results[1:]] == [b"\x01", b"\x02"]
        with pytest.raises(NoMessage):
            results[0].result(60)


def test_a_call_without_a_message_gives_its_turn_back() -> None:
    readers = Readers(1, seconds=3600)
    with pytest.raises(NoMessage):
        readers.read(iter(()), cast("Any", None))
    assert readers.read(iter([b"next"]), cast("Any", None)) == b"next"


class Stubborn(Call):
    """Goes only when ``times`` others wait for its turn."""

    def __init__(self, message: bytes, *, times: int) -> None:
        super().__init__(message)
        self.times = times

    def cancel(self) -> None:
        self.times -= 1
        if not self.times:
            super().cancel()


def test_of_calls_that_wait_for_one_reader_all_get_their_turn_however_long_each_of_them_reads() -> None:
    readers = Readers(1, seconds=0)
    first, waiting = Stubborn(b"first", times=2), [Call(b"second"), Call(b"third")]
    with ThreadPoolExecutor(3) as pool:
        results = [pool.submit(first.read_by, readers)]
        assert first.asked.wait(60)
        results += [pool.submit(call.read_by, readers) for call in waiting]
        try:
            assert all(call.asked.wait(20) for call in waiting)
        finally:
            for call in waiting:
                call.may.set()
            ended = [result.exception(60) for result in results]
    assert isinstance(ended[0], NoMessage)
    assert sum(isinstance(error, NoMessage) for error in ended[1:]) == 1
