"""Where a target stands: the last evaluation dealt with, and those whose span it did not know yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import orjson

MAX_LATER = 5000
"""Evaluations that wait for their span at once; those beyond are not waited for."""


@dataclass(frozen=True, slots=True)
class Position:
    """``seq`` is the last evaluation dealt with; ``later`` counts the attempts at those below it that wait."""

    seq: int
    later: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))

    def dump(self) -> bytes:
        """Serialize for the store.

        >>> Position.load(Position(7, {3: 1}).dump())
        Position(seq=7, later={3: 1})
        """
        return orjson.dumps({"seq": self.seq, "later": sorted(self.later.items())})

    @classmethod
    def load(cls, data: bytes | None) -> Position | None:
        """Restore what `dump` wrote; ``None`` for nothing, and for anything else."""
        try:
            decoded: Any = orjson.loads(data or b"")
            return cls(int(decoded["seq"]), {int(seq): int(attempts) for seq, attempts in decoded["later"]})
        except (ValueError, TypeError, LookupError):
            return None
