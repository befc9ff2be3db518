"""Servers without the current API: traces in order of time, each read whole."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.base import MalformedRecord
from adapters.exports.langfuse import is_trace, spans_of_trace
from adapters.values import nanoseconds_of
from collector.outbound.errors import ReplyTooLarge, Unreachable
from collector.sources.base import FetchedPage
from collector.sources.langfuse.cursor import Cursor, floor
from collector.sources.langfuse.requests import MAX_LEGACY_PAGE, TRACES, Requests

_MAX_TIES = 10_000
"""Most traces of one millisecond that are told apart."""


@dataclass(slots=True)
class Legacy:
    """Reads `TRACES`. What it has listed but not read is kept for the cursor it goes on from."""

    requests: Requests
    _listed: deque[tuple[str, int]] = field(default_factory=deque)
    _goes_on: Cursor | None = None

    def fetch(self, cursor: Cursor, *, now: int) -> FetchedPage:
        """Return the next trace of the window, or the end of the window."""
        if cursor != self._goes_on or not self._listed:
            listed = self.listed(cursor, now=now)
            if listed is None:
                raise Unreachable(
                    f"{self.requests.place(TRACES)}: 404 Not Found: server has neither the current nor the older API"
                )
            self._listed = deque(listed)
        if not self._listed:
            self._goes_on = None
            end = cursor.until
            return FetchedPage(replace(cursor, since=end, high=end, seen=(), until=0).encode(), more=True)
        identity, at = self._listed[0]
        batch = self._read(identity, now=now)
        self._listed.popleft()
        tied = (*cursor.seen, identity) if at == cursor.since else (identity,)
        self._goes_on = replace(cursor, since=at, high=max(cursor.high, at), seen=tied[-_MAX_TIES:])
        return batch(self._goes_on.encode())

    def listed(self, cursor: Cursor, *, now: int) -> list[tuple[str, int]] | None:
        """Return the traces to be read next, with their times; ``None`` where the server has no such API.

        Pages are counted from ``since``, which moves with every trace: what comes in between shifts none of them.
        """
        for page in range(1, _MAX_TIES // MAX_LEGACY_PAGE + 2):
            items = self.requests.traces(since=cursor.since, until=cursor.until, page=page, now=now)
            if items is None:
                return None
            found = [entry for item in items if (entry := _entry(item)) is not None and entry[0] not in cursor.seen]
            if found or len(items) < MAX_LEGACY_PAGE:
                return sorted(found, key=lambda entry: entry[1])
        return []

    def _read(self, identity: str, *, now: int) -> Callable[[bytes], FetchedPage]:
        try:
            trace = self.requests.trace(identity, now=now)
        except ReplyTooLarge as error:
            refused = MalformedRecord(error.reason, f"trace {identity}"[:100])
            return lambda cursor: FetchedPage(cursor, malformed=(refused,), more=True)
        if trace is None:
            return lambda cursor: FetchedPage(cursor, more=True)  # deleted since it was listed
        if not is_trace(trace):
            raise Unreachable(f"{self.requests.place(TRACES)}/{identity[:100]}: 200 with JSON that is not a trace")
        decoded = spans_of_trace(trace)
        return lambda cursor: FetchedPage(cursor, spans=decoded.spans, malformed=decoded.malformed, more=True)


def _entry(item: Any) -> tuple[str, int] | None:
    if not isinstance(item, dict) or not isinstance(identity := item.get("id"), str) or not identity:
        return None
    at = nanoseconds_of(item.get("timestamp"))
    return None if at is None else (identity, floor(at))
