"""Where an MLflow source stands: how far traces were read by the time they began, and which of the latest.

MLflow lists traces by when they began and stores them when they end: one that took long appears behind others that
were read. So the last minutes are listed again, and before them the traces that took long; what was read of both is
known by its id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import orjson

VERSION = 1
LATE = 10 * 60 * 1000
"""How long after it began a trace may be stored and is still listed with the others, in milliseconds."""
LONG = LATE // 2
"""How long a trace runs that is looked for by itself: the rest of `LATE` is left to whoever stores the others."""
LONGEST = 24 * 60 * 60 * 1000
"""How long the longest trace runs that is still found."""
MAX_SEEN = 20_000
"""Traces that are known by id; of more in `LATE` of the source the oldest are read twice, and stored once."""
MAX_ID = 200
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ListedTrace(NamedTuple):
    """A trace that ended: when it began, and how long it ran, in milliseconds."""

    id: str
    began: int
    ran: float


@dataclass(frozen=True, slots=True)
class MLflowCursor:
    """The state of a source: Unix milliseconds, and the traces that will be listed again, by id with when they began.

    ``seen`` are those of the last minutes before ``at``, ``long`` those that took long, of the last day.
    """

    since: int
    at: int
    seen: Mapping[str, int] = field(default_factory=dict)
    read: int = 0
    long: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, cursor: bytes | None) -> MLflowCursor | None:
        """Read a state back; ``None`` for none, and for what no version of this agent wrote.

        >>> MLflowCursor.of(MLflowCursor(since=5, at=7, seen={"tr-1": 7}).encoded()).seen, MLflowCursor.of(b"?")
        ({'tr-1': 7}, None)
        """
        try:
            held = orjson.loads(cursor or b"null")
            if held["version"] != VERSION:
                return None
            seen, long = (
                {str(key): int(value) for key, value in given.items()} for given in (held["seen"], held.get("long", {}))
            )
            return cls(int(held["since"]), int(held["at"]), seen, int(held["read"]), long)
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
            return None

    def encoded(self) -> bytes:
        """Return the state as it is stored."""
        return orjson.dumps({
            "version": VERSION, "since": self.since, "at": self.at, "seen": self.seen, "read": self.read,
            "long": self.long,
        })  # fmt: skip

    def advanced(self, traces: Sequence[ListedTrace], *, now: int) -> MLflowCursor:
        """Return the state after ``traces`` were read; ``now`` is in milliseconds."""
        at = max([self.at, *(trace.began for trace in traces)])
        seen = {**self.seen, **{trace.id: trace.began for trace in traces}}
        long = {**self.long, **{trace.id: trace.began for trace in traces if trace.ran >= LONG}}
        return MLflowCursor(
            self.since, at, _since(seen, at - LATE), self.read + len(traces), _since(long, now - LONGEST)
        )

    def shown(self) -> Mapping[str, Any]:
        """Say for people how many traces were read, and up to which time."""
        return {"traces": self.read, "until": (_EPOCH + timedelta(milliseconds=self.at)).isoformat()}


def _since(traces: Mapping[str, int], first: int) -> dict[str, int]:
    """Return the newest traces that began at ``first`` or later."""
    kept = sorted((item for item in traces.items() if item[1] >= first), key=lambda item: (item[1], item[0]))
    return dict(kept[-MAX_SEEN:])
