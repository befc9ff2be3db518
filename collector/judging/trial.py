"""A gate with other settings over the newest answers of the store: what it would have said beside what it said."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from collector.changes.ledger import change_of
from collector.judging.folding import FOLD_ROWS, Folding
from collector.store.columns import ScoredColumns
from collector.store.entries import Entry
from collector.store.store import Store
from gates.base.gate import Gate
from gates.inputs.observations import Batch
from gates.replay.reader import Recording, ReplayedChange
from gates.replay.replay import Replay, ReplayEvent

NUMBERS = 20_000
"""Evaluations that are replayed, the newest."""
TICKS = 100
"""How often a gate is judged on the way."""
EVENTS = 200
"""Turns that are told of, the newest."""
AT_ONCE = 4
"""Trials that are kept half done, the ones that were asked for last; some 3 MB each."""
IDLE_NS = 30 * 10**9
"""After this nobody waits for a trial that is half done: whoever asks again wants one over the answers of then."""


@dataclass(frozen=True, slots=True)
class TriedGate:
    """What one gate said: the turns of its verdicts, oldest first, and how it ended."""

    gate: Gate
    events: Sequence[ReplayEvent]
    state: str
    reason: str


class Trial:
    """Gates, which listen to the same metrics, over the scored answers up to number ``newest``; read on making it.

    ``answers`` are scored over the time of ``extent``, each gate is judged once a ``tick``. Labels by people are left
    out: with them a gate may say something else.
    """

    def __init__(self, store: Store, gates: Sequence[Gate], *, newest: int) -> None:
        recording = _recording(store, gates, _read(store, newest))
        at, unscored = recording.batch.at, recording.batch.unscored
        self.answers = len(at) if unscored is None else int(np.count_nonzero(~unscored))
        self.extent = timedelta(microseconds=int(at[-1] - at[0])) if len(at) else timedelta()
        self.tick = max(timedelta(seconds=1), timedelta(seconds=-(-self.extent // timedelta(seconds=TICKS))))
        self.tried: list[TriedGate] = []
        self.done = False
        self._judged, self._expected = 0, len(gates) * (self.extent // self.tick + 2)
        self._steps = self._run([Replay(gate=gate, recording=recording, tick=self.tick) for gate in gates])

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1, as far as can be told."""
        return 1.0 if self.done else min(0.99, self._judged / self._expected)

    def advance(self, enough: Callable[[], bool]) -> None:
        """Go on until it is done or that is ``enough``, which is asked after each verdict."""
        for _ in self._steps:
            self._judged += 1
            if enough():
                return
        self.done = True

    def _run(self, replays: Sequence[Replay]) -> Iterator[None]:
        for replay in replays:
            told = deque[ReplayEvent](maxlen=EVENTS)
            for events in replay.by_verdict():
                told += events
                yield
            verdict = replay.verdict
            state, reason = ("inconclusive", "no answers") if verdict is None else (verdict.state, verdict.reason)
            self.tried.append(TriedGate(replay.gate, tuple(told), state, reason))


class Trials:
    """Trials that go on where they were whenever they are asked for, so that no request takes as long as a trial.

    Safe to use from many threads.
    """

    def __init__(self) -> None:
        self._half_done: dict[tuple[str, ...], tuple[int, Trial]] = {}
        self._lock = threading.Lock()

    def advanced(self, store: Store, gates: Sequence[Gate], *, now: int, enough: Callable[[], bool]) -> Trial:
        """Return the trial of these gates as far as it comes until that is ``enough``; it began by ``now`` (ns).

        While one thread goes on with a trial, another that asks for the same begins its own.
        """
        key = tuple(gate.model_dump_json() for gate in gates)
        with self._lock:
            asked, trial = self._half_done.pop(key, (0, None))
        if trial is None or now - asked > IDLE_NS:
            trial = Trial(store, gates, newest=store.newest_evaluation())
        trial.advance(enough)
        if not trial.done:
            with self._lock:
                # Of two that asked at once, the one that has come further goes on.
                _, other = self._half_done.pop(key, (0, trial))
                self._half_done[key] = now, max(trial, other, key=lambda each: each.share)
                for oldest in list(self._half_done)[:-AT_ONCE]:
                    del self._half_done[oldest]
        return trial


def _read(store: Store, newest: int) -> Sequence[ScoredColumns | Entry]:
    """Return the newest evaluations, and the changes between them."""
    pieces, after = list[ScoredColumns | Entry](), max(0, newest - NUMBERS)
    while after < newest:
        found, end = store.timeline_after(after, limit=FOLD_ROWS, upto=newest)
        if end <= after:
            break
        pieces, after = [*pieces, *found], end
    return pieces


def _recording(store: Store, gates: Sequence[Gate], pieces: Sequence[ScoredColumns | Entry]) -> Recording:
    """Return what was read in the order of its times."""
    folding, metrics = Folding(store=store, gates=()), {name for gate in gates for name in gate.metrics}
    labels = any(gate.counts_labels for gate in gates)
    unscored = any(gate.counts_unscored for gate in gates)
    parts = [
        folding.batch(piece, metrics, labels=labels, unscored=unscored)
        for piece in pieces
        if isinstance(piece, ScoredColumns) and len(piece)
    ]
    batch = _in_order(parts)
    changes = [
        ReplayedChange(change_of(piece), piece.component)
        for piece in sorted((each for each in pieces if isinstance(each, Entry)), key=lambda each: each.at)
    ]
    return Recording(batch=batch, arrived=batch.at, changes=tuple(changes))


def _in_order(parts: Sequence[Batch]) -> Batch:
    if not parts:
        return Batch.of([])
    begins = np.cumsum([0, *(len(part.groups) for part in parts)]).tolist()
    order = np.argsort(np.concatenate([part.at for part in parts]), kind="stable")

    def column(name: str) -> np.ndarray:
        return np.concatenate([getattr(part, name) for part in parts])[order]

    labels = [part.label for part in parts if part.label is not None]

    def told(name: str) -> np.ndarray | None:
        columns = [getattr(part, name) for part in parts]
        if all(each is None or not each.any() for each in columns):
            return None
        whole = [
            np.zeros(len(part), np.bool_) if each is None else each for part, each in zip(parts, columns, strict=True)
        ]
        return np.concatenate(whole)[order]

    return Batch(
        groups=tuple(group for part in parts for group in part.groups),
        group=np.concatenate([part.group + begin for part, begin in zip(parts, begins, strict=False)])[order],
        at=column("at"),
        value=column("value"),
        probability=column("probability"),
        cluster=column("cluster"),
        arm=column("arm"),
        share=column("share"),
        label=np.concatenate(labels)[order] if len(labels) == len(parts) else None,
        unscored=told("unscored"),
        textless=told("textless"),
    )
