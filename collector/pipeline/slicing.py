"""The slicer's memory: which values of each dimension were admitted under its cap, kept in the store."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence

from adapters.schema import Answer
from collector.store.decisions import DecisionStore
from gates.inputs.slices import Dimension, Slicer, attributes_of, dump_admitted, load_admitted

CHECKPOINT = "slices"


class SliceBook:
    """Cuts answers into slices. A value admitted once stays admitted, across restarts.

    Shared by the threads that bring answers: the adapting step's and those of sources.
    """

    def __init__(self, dimensions: Sequence[Dimension], store: DecisionStore) -> None:
        self._lock = threading.Lock()
        self._slicer = Slicer(tuple(dimensions))
        saved = store.load_checkpoint(CHECKPOINT)
        self._admitted = load_admitted(saved[1]) if saved is not None else {}
        self._saved = self._admitted
        self._overflow: Counter[str] = Counter({dimension.name: 0 for dimension in dimensions})

    def cut(self, answer: Answer) -> Mapping[str, str]:
        """Return the slice of an answer."""
        with self._lock:
            cut = self._slicer.cut(attributes_of(answer), self._admitted)
            self._admitted = cut.admitted
            self._overflow.update(cut.overflowed)
        return cut.slice

    def save(self, store: DecisionStore) -> None:
        """Keep what was admitted since the last call, before any answer that was cut by it is stored."""
        # Held while it is written: nobody may take a value for kept that is not yet.
        with self._lock:
            if self._admitted is not self._saved:
                store.save_checkpoint(CHECKPOINT, 0, dump_admitted(self._admitted))
                self._saved = self._admitted

    def take_overflow(self) -> Mapping[str, int]:
        """Return how many answers went to ``__other__`` since the last call, by dimension."""
        with self._lock:
            taken = dict(self._overflow)
            self._overflow = Counter(dict.fromkeys(taken, 0))
        return taken
