"""Where a notifier stands: the last decision and the last change dealt with, and what it remembers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import orjson

from collector.notify.base import EMPTY, Memory


@dataclass(frozen=True, slots=True)
class Position:
    """``decision`` is the number of the last decision dealt with, ``change`` that of the last change."""

    decision: int
    change: int
    memory: Memory = field(default_factory=lambda: EMPTY)

    def dump(self) -> bytes:
        """Serialize for the store.

        >>> Position.load(Position(7, 3, {"a": 1}).dump())
        Position(decision=7, change=3, memory={'a': 1})
        """
        return orjson.dumps({"decision": self.decision, "change": self.change, "memory": dict(self.memory)})

    @classmethod
    def load(cls, data: bytes | None) -> Position | None:
        """Restore what `dump` wrote; ``None`` for nothing, and for anything else."""
        try:
            decoded: Any = orjson.loads(data or b"")
            return cls(int(decoded["decision"]), int(decoded["change"]), dict(decoded["memory"]))
        except (ValueError, TypeError, LookupError):
            return None
