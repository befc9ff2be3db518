"""HTTP connections within bounds that the server library does not set."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES = 64 * 1024
MAX_DISCARDED_BYTES = 64 * 1024 * 1024
"""What is read and dropped of a body after its answer was given: senders that look for the answer only after their last
byte would otherwise see a broken connection in place of "too large"."""


class BoundedProtocol(HttpToolsProtocol):
    """One connection. A head that is too long, or a message that takes longer than ``message_seconds``, ends it."""

    message_seconds: float = 60.0

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._in_head = True
        self._head_bytes = 0
        self._heads = 0
        self._discarded = 0
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for the first message."""
        super().connection_made(transport)
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._disarm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser unless a head grows without end."""
        heads, was_in_head = self._heads, self._in_head
        super().data_received(data)
        if was_in_head and heads == self._heads:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self.transport.abort()

    def on_message_begin(self) -> None:
        """Start the clock of a message."""
        self._in_head, self._head_bytes, self._discarded = True, 0, 0
        self._arm()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is over."""
        self._in_head = False
        self._heads += 1
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Drop what comes after the answer, up to a bound."""
        if self.cycle.response_complete:
            self._discarded += len(body)
            if self._discarded > MAX_DISCARDED_BYTES:
                self.transport.abort()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the clock: how long we take to answer is not the sender's time."""
        self._in_head, self._head_bytes = True, 0
        self._disarm()
        super().on_message_complete()

    def _arm(self) -> None:
        self._disarm()
        self._deadline = self.loop.call_later(self.message_seconds, self.transport.abort)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
