"""How it goes with what the agent speaks to by itself: for people at ``GET /v1/sources``, and in the log."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Literal, Protocol

import structlog

from adapters.trace import Nanoseconds
from collector.clock import Clock, instant

log = structlog.get_logger(__name__)

TOLD_NS = 60 * 10**9
"""The log is told of the same trouble again so long after, at the earliest: some servers fail every second request."""

LinkState = Literal["ok", "waiting", "failing"]
"""``waiting``: not tried yet, or the other side asked to be left alone for a while; ``failing``: anything else."""


class Reporting(Protocol):
    """Something that can say how it goes."""

    def report(self) -> Mapping[str, Any]:
        """Return it as a JSON object."""
        ...


class LinkStatus:
    """The state of one source, or of one target of write-back. One thread writes; any may read.

    ``counted`` names what is counted of it, each from 0 when the agent starts.
    """

    def __init__(self, kind: str, *, name: str, type_: str, clock: Clock, counted: tuple[str, ...]) -> None:
        self._lock = threading.Lock()
        self._kind = kind
        self._name = name
        self._type = type_
        self._clock = clock
        self._state: LinkState = "waiting"
        self._since = clock()
        self._told: LinkState = "waiting"
        self._told_at: dict[LinkState, int] = {}
        self._last_success: int | None = None
        self._last_error: str | None = None
        self._last_error_at: int | None = None
        self._next_attempt: int | None = None
        self._counts = dict.fromkeys(counted, 0)
        self._position: Mapping[str, Any] = {}

    @property
    def state(self) -> LinkState:
        """The state at this moment."""
        with self._lock:
            return self._state

    def succeeded(self, *, next_attempt: int, position: Mapping[str, Any] | None = None, **counts: int) -> None:
        """Note an exchange that worked, what it brought, and where that leaves the cursor."""
        with self._lock:
            self._last_success = self._clock()
            self._next_attempt = next_attempt
            for name, count in counts.items():
                self._counts[name] += count
            if position is not None:
                self._position = position
            self._move("ok")
            before = self._tell("ok")
        if before == "failing":
            log.info("recovered", kind=self._kind, name=self._name)
        elif before is not None:
            log.info("reached", kind=self._kind, name=self._name)

    def count(self, position: Mapping[str, Any], **counts: int) -> None:
        """Note what was settled without the other side, and where that leaves the cursor."""
        with self._lock:
            for name, count in counts.items():
                self._counts[name] += count
            self._position = position

    def failed(self, reason: str, *, next_attempt: int, asked_to_wait: bool) -> None:
        """Note an exchange that did not work, and when the next is tried."""
        with self._lock:
            self._last_error = reason
            self._last_error_at = self._clock()
            self._next_attempt = next_attempt
            state: LinkState = "waiting" if asked_to_wait else "failing"
            self._move(state)
            before = self._tell(state)
        if before is None:
            return
        if asked_to_wait:
            log.info("asked to wait", kind=self._kind, name=self._name, reason=reason)
        else:
            log.warning("failing, it is tried again", kind=self._kind, name=self._name, reason=reason)

    def report(self) -> Mapping[str, Any]:
        """Return everything known, instants as RFC 3339."""
        with self._lock:
            return {
                "name": self._name,
                "type": self._type,
                "state": self._state,
                "since": _shown(self._since),
                "last_success": _shown(self._last_success),
                "last_error": self._last_error,
                "last_error_at": _shown(self._last_error_at),
                "next_attempt": _shown(self._next_attempt),
                **self._counts,
                "position": dict(self._position),
            }

    def _move(self, state: LinkState) -> None:
        if state != self._state:
            self._state, self._since = state, self._clock()

    def _tell(self, state: LinkState) -> LinkState | None:
        """Return the state that the log was told last, if it is to be told of this one now."""
        now, at = self._clock(), self._told_at.get(state)
        if state == self._told or (state != "ok" and at is not None and abs(now - at) < TOLD_NS):
            return None
        before, self._told, self._told_at[state] = self._told, state, now
        return before


def _shown(at: int | None) -> str | None:
    return None if at is None else instant(Nanoseconds(at)).isoformat().replace("+00:00", "Z")
