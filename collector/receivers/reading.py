"""Whose message is read from the wire: so few at once that all of them together stay within a bound."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import grpc


class NoMessage(Exception):  # noqa: N818 - says what came in
    """The client went or sent none, its message was too large, or it was given up: the call mostly has its status."""


@dataclass(slots=True, eq=False)
class _Reading:
    context: grpc.ServicerContext
    since: float


class Readers:
    """Lets ``limit`` messages be read at once. One that took ``seconds`` is given up as soon as another waits.

    gRPC tells nobody how large a message is before it was read, so each has to be taken for the largest.
    """

    def __init__(self, limit: int, *, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._seconds = seconds
        self._clock = clock
        self._changed = threading.Condition()
        self._reading: list[_Reading] = []

    def read(self, messages: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        """Return the first message. Raises `NoMessage`."""
        with self._turn(context):
            try:
                message = next(messages, None)
            except grpc.RpcError:
                message = None
        if message is None:
            raise NoMessage("call ended before a message was received")
        return message

    @contextmanager
    def _turn(self, context: grpc.ServicerContext) -> Iterator[None]:
        with self._changed:
            while len(self._reading) >= self._limit:
                self._wait()
            reading = _Reading(context, self._clock())
            self._reading.append(reading)
        try:
            yield
        finally:
            with self._changed:
                self._reading.remove(reading)
                # All that wait: those that do not get the turn now wait for the time of another.
                self._changed.notify_all()

    def _wait(self) -> None:
        """Wait for a turn, or for the time of whoever reads longest to be over, which then ends."""
        longest = self._reading[0]
        left = longest.since + self._seconds - self._clock()
        if left > 0:
            self._changed.wait(left)
        else:
            longest.context.cancel()
            self._changed.wait()
