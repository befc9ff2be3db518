"""Saved states of gates: the newest one, and one of up to a day before it that the clock has not leapt over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import structlog

from collector.store.rows import Decision
from collector.store.store import Store
from gates.base import Gate, State
from gates.units.instants import MICROSECOND

DAY = timedelta(days=1) // MICROSECOND
UNSAVED = -1

log = structlog.get_logger(__name__)


@dataclass
class FoldedGate:
    """A gate's state and the last evaluation or change in it; ``doubted`` is up to when evidence was found too late."""

    state: State
    seq: int
    saved_seq: int
    doubted: int | None = None


class Checkpoints:
    """The states of gates in the store. One of another policy or version is as good as none."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._earlier_at: dict[str, int] = {}

    def load(self, gate: Gate) -> FoldedGate:
        """Return the newest state saved, or one to be rebuilt from every evaluation still stored."""
        saved = self._store.load_checkpoint(f"gate:{gate.name}")
        seq, data = saved or (0, b"")
        return _loaded(gate, seq, *data.split(b"\n", 1)) or FoldedGate(gate.initial(), 0, 0)

    def save(self, gate: Gate, folded: FoldedGate, decisions: Sequence[Decision] = ()) -> None:
        """Save a state with the decisions it led to, in one transaction."""
        data = b"\n".join((gate.policy_version.encode(), gate.dump(folded.state)))
        self._store.save_checkpoint(f"gate:{gate.name}", folded.seq, data, decisions)
        folded.saved_seq = folded.seq

    def load_earlier(self, gate: Gate) -> FoldedGate | None:
        """Return the earlier state, which then counts as unsaved, whatever its number is."""
        seq, policy, _, state = self._earlier(gate)
        earlier = _loaded(gate, seq, policy, state)
        if earlier is not None:
            earlier.saved_seq = UNSAVED
        return earlier

    def save_earlier(self, gate: Gate, folded: FoldedGate, now: int) -> None:
        """Save a state once a day by the clock (microseconds); before it leaps, too, if called before folding."""
        if gate.name not in self._earlier_at:
            _, policy, at, _ = self._earlier(gate)
            self._earlier_at[gate.name] = int(at) if policy.decode() == gate.policy_version else now - 2 * DAY
        if abs(now - self._earlier_at[gate.name]) >= DAY:
            data = b"\n".join((gate.policy_version.encode(), str(now).encode(), gate.dump(folded.state)))
            self._store.save_checkpoint(f"earlier:{gate.name}", folded.seq, data)
            self._earlier_at[gate.name] = now

    def _earlier(self, gate: Gate) -> tuple[int, bytes, bytes, bytes]:
        saved = self._store.load_checkpoint(f"earlier:{gate.name}")
        if saved is None:
            return 0, b"", b"", b""
        policy, at, state = saved[1].split(b"\n", 2)
        return saved[0], policy, at, state


def _loaded(gate: Gate, seq: int, policy: bytes, state: bytes = b"") -> FoldedGate | None:
    if policy.decode() != gate.policy_version:
        return None
    try:
        return FoldedGate(gate.load(state), seq, seq)
    except ValueError as error:
        log.warning("saved gate state unreadable", gate=gate.name, error=str(error))
        return None
