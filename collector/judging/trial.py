"""A gate with other settings over the newest answers of the store: what it would have said beside what it said."""

from __future__ import annotations

from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True)
class TriedGate:
    """What one gate said: the turns of its verdicts, oldest first, and how it ended."""

    gate: Gate
    events: Sequence[ReplayEvent]
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Trial:
    """Gates over the same scored answers: how many these were, over which time, and how often they were judged."""

    answers: int
    extent: timedelta
    tick: timedelta
    tried: Sequence[TriedGate]


def trial(store: Store, gates: Sequence[Gate], *, newest: int) -> Trial:
    """Replay ``gates``, which listen to the same metrics, over the answers up to number ``newest``.

    Labels by people are left out: with them a gate may say something else.
    """
    pieces, after = list[ScoredColumns | Entry](), max(0, newest - NUMBERS)
    while after < newest:
        found, end = store.timeline_after(after, limit=FOLD_ROWS, upto=newest)
        if end <= after:
            break
        pieces, after = [*pieces, *found], end
    recording = _recording(store, gates, pieces)
    at = recording.batch.at
    extent = timedelta(microseconds=int(at[-1] - at[0])) if len(at) else timedelta()
    tick = max(timedelta(seconds=1), timedelta(seconds=-(-extent // timedelta(seconds=TICKS))))
    tried = []
    for gate in gates:
        replay = Replay(gate=gate, recording=recording, tick=tick)
        events = list(replay.events())[-EVENTS:]
        state, reason = ("inconclusive", "no answers") if replay.verdict is None else _ended(replay)
        tried.append(TriedGate(gate, events, state, reason))
    unscored = recording.batch.unscored
    scored = len(at) if unscored is None else int(np.count_nonzero(~unscored))
    return Trial(scored, extent, tick, tried)


def _ended(replay: Replay) -> tuple[str, str]:
    assert replay.verdict is not None
    return replay.verdict.state, replay.verdict.reason


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
