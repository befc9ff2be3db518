"""What a new row of the ledger sets off: it is counted, it boosts the sample, and stored answers are drawn late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import get_args

import orjson

from collector.changes.served import document_ids
from collector.clock import Clock, duration
from collector.pipeline.boost import Boost, Touch
from collector.pipeline.sampling import LEAST, drawn
from collector.store.entries import Entry
from collector.store.pages import paged
from collector.store.rows import StoredAnswer
from collector.store.store import Store
from gates.inputs.changes import MEASURING, ChangeKind, ChangeSource
from telemetry import instruments
from telemetry.registry import Telemetry

CURSOR = "late_draws"
ROWS = 200
"""Changes, or stored answers, looked at in one go."""


@dataclass
class _Draw:
    """Answers to be drawn late for one change: those that arrived from ``since`` to ``until``, above ``after``."""

    entry: Entry
    touch: Touch
    since: int
    until: int
    after: int = 0


@dataclass(kw_only=True)
class ChangeStep:
    """Follows the ledger. Whatever writes to it, this is where a change begins to count.

    Answers are drawn late in the order in which they were stored, with the budget that the boost leaves, and each once:
    where it stands is kept, so that a restart goes on from there.
    """

    store: Store
    boost: Boost
    telemetry: Telemetry
    clock: Clock
    _seq: int | None = None
    _draws: dict[int, _Draw] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the counters visible before their first increment, which `increase()` would miss."""
        for kind in get_args(ChangeKind):
            for source in get_args(ChangeSource):
                self.telemetry.add(instruments.CHANGES, 0, kind, source)
        self.telemetry.add(instruments.LATE_DRAWN, 0)

    def run_once(self) -> int:
        """Take up new changes, and draw some answers late; return how much was done."""
        done = self._resume() if self._seq is None else self._follow(self._seq)
        self.telemetry.set(instruments.BOOSTS, self.boost.active)
        return done + self._draw()

    def _resume(self) -> int:
        """Take up the changes that still boost; they were counted by the run before."""
        length = duration(self.boost.options.duration)
        saved = self.store.cursor(CURSOR)
        places = {} if saved is None else {int(seq): after for seq, after in orjson.loads(saved).items()}
        newest, recent = self.store.newest_evaluation(), max(0, self.clock() - length)
        rows = list(paged(lambda seq: self.store.changes(after=seq, limit=ROWS, recorded_from=recent)))
        self._take(rows, places)
        self._seq = rows[-1].seq if rows else newest
        return 0

    def _follow(self, seq: int) -> int:
        rows = self.store.changes(after=seq, limit=ROWS)
        for row in rows:
            self.telemetry.add(instruments.CHANGES, 1, row.kind, row.source)
        self._take(rows, {})
        if rows:
            self._seq = rows[-1].seq
        return len(rows)

    def _take(self, rows: list[Entry], places: dict[int, int]) -> None:
        self.boost.start(rows)
        options = self.boost.options
        if not options.max_per_minute:
            return
        for row in rows:
            if row.kind in MEASURING:
                continue
            since = max(0, min(row.at, row.recorded_at) - duration(options.lookback))
            touch = Touch.of(row, duration(options.duration))
            self._draws[row.seq] = _Draw(row, touch, since, row.recorded_at, places.get(row.seq, 0))

    def _draw(self) -> int:
        """Draw for the oldest change; the next one gets its turn when that is done."""
        now = self.clock()
        self._draws = {seq: draw for seq, draw in self._draws.items() if draw.touch.until > now}
        if not self._draws:
            return 0
        seq, draw = next(iter(self._draws.items()))
        rows = self.store.unsampled(after=draw.after, arrived_from=draw.since, arrived_before=draw.until, limit=ROWS)
        if not rows:
            del self._draws[seq]
            return 0
        after = draw.after
        chosen: dict[str, float] = {}
        for place, stored in rows:
            probability = self._late(draw, stored)
            if probability is not None:
                if not self.boost.take():
                    break
                chosen[stored.answer.id] = probability
            after = place
        drawn_late = self.store.draw_late(chosen)
        if after != draw.after:
            draw.after = after
            self.store.set_cursor(CURSOR, orjson.dumps(dict(self._places())), at=now)
        self.telemetry.add(instruments.LATE_DRAWN, drawn_late)
        # Without budget there is nothing to do before the next minute, however many are left.
        return len(rows) if after == rows[-1][0] else 0

    def _late(self, draw: _Draw, stored: StoredAnswer) -> float | None:
        """Return the probability of the late draw of an answer that is drawn, ``None`` of one that is not.

        One hash decides both draws, so what the late one adds are the answers between both probabilities.
        """
        raised = self.boost.options.probability
        added = raised - stored.probability
        if added < LEAST or not drawn(stored.answer.id, raised) or drawn(stored.answer.id, stored.probability):
            return None
        return added if draw.touch.touches(stored.slice, document_ids(stored.answer)) else None

    def _places(self) -> Iterator[tuple[str, int]]:
        yield from ((str(seq), draw.after) for seq, draw in self._draws.items() if draw.after)
