"""How each link is doing: for people at ``GET /v1/sources`` and its like, and in the log."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Literal, Protocol

import structlog

from adapters.trace import Nanoseconds
from collector.clock import Clock, instant

log = structlog.get_logger(__name__)

LOG_AGAIN_NS = 60 * 10**9
"""The same trouble is logged again after this long, at the earliest: some servers fail every second request."""

LinkState = Literal["ok", "waiting", "failing"]
"""``waiting``: not tried yet, or asked by the other side to wait; ``failing``: any other failure."""


class Reporting(Protocol):
    """Something that can say how it is doing."""

    def report(self) -> Mapping[str, Any]:
        """Return it as a JSON object."""
        ...


class LinkStatus:
    """The state of one link. One thread writes; any may read.

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
        self._logged: LinkState = "waiting"
        self._logged_at: dict[LinkState, int] = {}
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

    def count(self, position: Mapping[str, Any], **counts: int) -> None:
        """Note what was settled, and where that leaves the link."""
        with self._lock:
            for name, count in counts.items():
                self._counts[name] += count
            self._position = position

    def attempted(self, state: LinkState, *, next_attempt: int, reason: str | None = None) -> None:
        """Note how an exchange ended, why it did not work if it did not, and when the next is tried."""
        with self._lock:
            now = self._clock()
            self._next_attempt = next_attempt
            if reason is None:
                self._last_success = now
            else:
                self._last_error, self._last_error_at = reason, now
            if state != self._state:
                self._state, self._since = state, now
            at = self._logged_at.get(state)
            if state == self._logged or (state != "ok" and at is not None and abs(now - at) < LOG_AGAIN_NS):
                return
            before, self._logged, self._logged_at[state] = self._logged, state, now
        link = log.bind(kind=self._kind, name=self._name)
        if state == "ok":
            link.info("recovered" if before == "failing" else "reached")
        elif state == "waiting":
            link.info("asked to wait", reason=reason)
        else:
            link.warning("failing; retrying", reason=reason)

    def report(self) -> Mapping[str, Any]:
        """Return everything known, instants as RFC 3339."""
        with self._lock:
            return {
                "name": self._name,
                "type": self._type,
                "state": self._state,
                "since": shown(self._since),
                "last_success": shown(self._last_success),
                "last_error": self._last_error,
                "last_error_at": shown(self._last_error_at),
                "next_attempt": shown(self._next_attempt),
                **self._counts,
                "position": dict(self._position),
            }


def shown(at: int | None) -> str | None:
    """Return an instant for people, as RFC 3339."""
    return None if at is None else instant(Nanoseconds(at)).isoformat().replace("+00:00", "Z")
