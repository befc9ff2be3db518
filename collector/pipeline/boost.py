"""More answers are scored where a change may have done something, for a while and never beyond a budget.

An answer that a change touches is drawn with a higher probability, and that one is recorded with it. Whether there is
budget left is known before the answer's own draw, so the probability recorded is the one it had: a boost changes how
much is known of a slice, not what its weighted mean tends to.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adapters.schema import Answer
from collector.changes.served import document_ids
from collector.clock import Clock, duration
from collector.pipeline.sampling import BoostOptions, drawn
from collector.store.entries import Entry
from gates.inputs.changes import MEASURING

MAX_TOUCHES = 200
"""Changes that boost at once: the newest."""
_MINUTE = 60 * 10**9


@dataclass(frozen=True, slots=True)
class Touch:
    """What a change touches: answers of its scope, of its documents where it names any, until ``until`` (ns)."""

    scope: Mapping[str, str]
    documents: frozenset[str]
    until: int

    @classmethod
    def of(cls, entry: Entry, length: int) -> Touch:
        """Return what ``entry`` touches for ``length`` (ns)."""
        return cls(entry.scope, frozenset(entry.documents), entry.recorded_at + length)

    def touches(self, slice_: Mapping[str, str], documents: frozenset[str]) -> bool:
        """Whether an answer of this slice, given these documents, is touched."""
        if self.documents and not self.documents & documents:
            return False
        return all(slice_.get(name) == value for name, value in self.scope.items())


class Boost:
    """Draws answers with what changes add. Shared by the threads that bring answers.

    The budget is of the minutes of ``clock``; an agent that starts begins one anew.
    """

    def __init__(self, options: BoostOptions, clock: Clock) -> None:
        self.options = options
        self._clock = clock
        self._duration = duration(options.duration)
        self._lock = threading.Lock()
        self._touches: dict[str, Touch] = {}
        self._minute, self._spent = 0, 0

    def start(self, entries: Iterable[Entry]) -> None:
        """Boost what these changes touch. A change of the measure touches no answer; one known is not begun again."""
        if not self.options.max_per_minute:
            return
        with self._lock:
            for entry in entries:
                if entry.kind not in MEASURING:
                    self._touches.setdefault(entry.id, Touch.of(entry, self._duration))
            now = self._clock()
            live = [item for item in self._touches.items() if item[1].until > now]
            self._touches = dict(live[-MAX_TOUCHES:])

    @property
    def active(self) -> int:
        """How many changes boost now."""
        now = self._clock()
        with self._lock:
            return sum(touch.until > now for touch in self._touches.values())

    def place(self, answer: Answer, slice_: Mapping[str, str], probability: float) -> tuple[float, bool]:
        """Return the inclusion probability of a new answer, at least ``probability``, and whether it is drawn."""
        raised = max(probability, self.options.probability)
        with self._lock:
            if raised > probability and self._left() and self._touched(answer, slice_):
                sampled = drawn(answer.id, raised)
                if sampled and not drawn(answer.id, probability):
                    self._spent += 1
                return raised, sampled
        return probability, drawn(answer.id, probability)

    def take(self) -> bool:
        """Take one answer from the budget of this minute; return whether there was one left."""
        with self._lock:
            left = self._left() > 0
            self._spent += left
        return left

    def _left(self) -> int:
        minute = self._clock() // _MINUTE
        if minute != self._minute:
            self._minute, self._spent = minute, 0
        return max(0, self.options.max_per_minute - self._spent)

    def _touched(self, answer: Answer, slice_: Mapping[str, str]) -> bool:
        now = self._clock()
        documents = document_ids(answer) if self._touches else frozenset()
        return any(touch.until > now and touch.touches(slice_, documents) for touch in self._touches.values())
