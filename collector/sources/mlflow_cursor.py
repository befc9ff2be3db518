"""Where an MLflow source stands: how far traces were read by the time they began, and which of the latest.

MLflow lists traces by when they began and stores them when they end: one that took long appears behind others that
were read. So the last minutes are listed again, and what was read of them is known by its id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

VERSION = 1
MAX_SEEN = 20_000
"""Traces that are known by id; of more in `LATE` of the source the oldest are read twice, and stored once."""
MAX_ID = 200
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class MLflowCursor:
    """The state of a source: Unix milliseconds, and the traces read at most that long before, by id."""

    since: int
    at: int
    seen: Mapping[str, int] = field(default_factory=dict)
    read: int = 0

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
            seen = {str(key): int(value) for key, value in held["seen"].items()}
            return cls(int(held["since"]), int(held["at"]), seen, int(held["read"]))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
            return None

    def encoded(self) -> bytes:
        """Return the state as it is stored."""
        return orjson.dumps({
            "version": VERSION, "since": self.since, "at": self.at, "seen": self.seen, "read": self.read,
        })  # fmt: skip

    def advanced(self, traces: Sequence[tuple[str, int]], *, late: int) -> MLflowCursor:
        """Return the state after ``traces``, each with when it began; ``late`` is how long ids are kept, in ms."""
        at = max([self.at, *(began for _, began in traces)])
        seen = {**self.seen, **dict(traces)}
        kept = sorted((item for item in seen.items() if item[1] >= at - late), key=lambda item: (item[1], item[0]))
        return MLflowCursor(self.since, at, dict(kept[-MAX_SEEN:]), self.read + len(traces))

    def shown(self) -> Mapping[str, Any]:
        """Say for people how many traces were read, and up to which time."""
        return {"traces": self.read, "until": (_EPOCH + timedelta(milliseconds=self.at)).isoformat()}
