"""The writer groups, bounds and drains; the tests of the receivers hold the rest of its promises."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from collector.receivers.base import QueueFull, Unavailable
from collector.receivers.writer import GROUP_BYTES, Writer
from collector.store.rows import Chunk
from tests.collector.receivers.conftest import Reports


class Disk:
    """Takes chunks when it is told to."""

    def __init__(self) -> None:
        self.groups: list[list[bytes]] = []
        self.go = threading.Semaphore(0)

    def append(self, chunks: Sequence[Chunk]) -> None:
        assert self.go.acquire(timeout=30)
        self.groups.append([chunk.data for chunk in chunks])


def chunk(data: bytes) -> Chunk:
    return Chunk(b"t" * 16, 1, 1, True, data)


def test_groups_are_bounded_in_bytes_and_keep_the_order() -> None:
    disk = Disk()
    writer = Writer(disk.append, limit_bytes=1 << 40, telemetry=Reports())
    claims = [writer.reserve() for _ in range(5)]
    futures = []
    for number, reservation in enumerate(claims):
        reservation.grow(GROUP_BYTES // 2)
        futures.append(writer.submit([chunk(b"%d" % number)], reservation))
    for _ in range(5):
        disk.go.release()
    for future in futures:
        future.result(30)
    assert [data for group in disk.groups for data in group] == [b"0", b"1", b"2", b"3", b"4"]
    assert max(len(group) for group in disk.groups) <= 2
    assert writer.drain(30)


def test_a_request_whose_sender_is_gone_is_not_stored() -> None:
    disk = Disk()
    writer = Writer(disk.append, limit_bytes=1000, telemetry=Reports())
    with writer.reserve() as reservation:
        first = writer.submit([chunk(b"first")], reservation)
        while not first.running():
            assert not first.done()
        gone = writer.submit([chunk(b"gone")], reservation)
        last = writer.submit([chunk(b"last")], reservation)
        assert gone.cancel()
        disk.go.release()
        disk.go.release()
        last.result(30)
    assert disk.groups == [[b"first"], [b"last"]]
    assert writer.drain(30)


def test_claims_are_bounded_together_and_given_back_once() -> None:
    writer = Writer(lambda _: None, limit_bytes=100, telemetry=Reports())
    with writer.reserve() as alone:
        alone.grow(500)
        with writer.reserve() as other, pytest.raises(QueueFull, match="500 of 100 bytes"):
            other.grow(1)
        assert writer.queued_bytes == 500
    assert writer.queued_bytes == 0
    with writer.reserve() as one, writer.reserve() as two:
        one.grow(60)
        two.grow(40)
        with pytest.raises(QueueFull):
            two.grow(1)
        assert (one.n_bytes, two.n_bytes, writer.queued_bytes) == (60, 40, 100)
    assert writer.queued_bytes == 0
    assert writer.drain(30)


def test_draining_reports_what_did_not_end_in_time() -> None:
    disk = Disk()
    writer = Writer(disk.append, limit_bytes=1000, telemetry=Reports())
    waiting = writer.submit([chunk(b"x")], writer.reserve())
    late = writer.reserve()
    assert writer.drain(0.01) is False
    with pytest.raises(Unavailable, match="shutting down"):
        writer.reserve()
    with pytest.raises(Unavailable, match="shutting down"):
        writer.submit([chunk(b"y")], late)
    disk.go.release()
    waiting.result(30)
    assert writer.drain(30) is True
    assert disk.groups == [[b"x"]]


def test_the_oldest_request_waits_until_its_commit_is_made() -> None:
    disk = Disk()
    writer = Writer(disk.append, limit_bytes=1000, telemetry=Reports())
    assert writer.oldest_wait() == 0
    with writer.reserve() as reservation:
        done = writer.submit([chunk(b"first")], reservation)
        while not done.running():
            assert not done.done()
        assert writer.oldest_wait() > 0
        disk.go.release()
        done.result(30)
        assert writer.oldest_wait() == 0
    assert writer.drain(30)
