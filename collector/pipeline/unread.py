"""Spans of a model or a search that no dialect reads: by whom, how many, and when the last one came."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from adapters.trace import Nanoseconds
from collector.clock import Clock
from telemetry import instruments
from telemetry.registry import Telemetry

SCOPES = 20
SCOPE_CHARACTERS = 100
OTHER = "other"
"""What instrumentation scopes beyond the first are counted under: senders name them."""


class UnreadScope(NamedTuple):
    """How many spans of one instrumentation scope nobody read, and when the last of them was adapted."""

    spans: int
    last_at: Nanoseconds


@dataclass(frozen=True, kw_only=True)
class UnreadSpans:
    """Counts them since the start. The step that adapts writes it, requests read it."""

    telemetry: Telemetry
    clock: Clock
    _scopes: dict[str, UnreadScope] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Make the counter visible before its first increment, which `increase()` would miss."""
        self.telemetry.add(instruments.UNREAD_SPANS, 0, OTHER)

    def count(self, unread: Mapping[str, int]) -> None:
        """Count the spans of a trace by the scope that they are of."""
        for scope, spans in unread.items():
            with self._lock:
                name = self._label(scope)
                before = self._scopes.get(name)
                self._scopes[name] = UnreadScope(spans + (before.spans if before else 0), self.clock())
            self.telemetry.add(instruments.UNREAD_SPANS, spans, name)

    def report(self) -> Mapping[str, UnreadScope]:
        """Return what was counted by scope, the most frequent first."""
        with self._lock:
            return dict(sorted(self._scopes.items(), key=lambda item: -item[1].spans))

    def _label(self, scope: str) -> str:
        name = scope[:SCOPE_CHARACTERS]
        room = len(self._scopes.keys() - {OTHER}) < SCOPES
        return name if room or name in self._scopes else OTHER
