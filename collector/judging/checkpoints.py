"""Saved states of gates: the newest one, and one of up to a day before it that the clock has not leapt over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import structlog

from collector.store.rows import Decision
from collector.store.store import Store
from gates.base.gate import Gate, State
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
        return self._loaded(gate, f"gate:{gate.name}") or FoldedGate(gate.initial(), 0, 0)

    def save(self, gate: Gate, folded: FoldedGate, decisions: Sequence[Decision] = ()) -> None:
        """Save a state with the decisions it led to, in one transaction."""
        data = b"\n".join((gate.policy_version.encode(), gate.dump(folded.state)))
        self._store.save_checkpoint(f"gate:{gate.name}", folded.seq, data, decisions)
        folded.saved_seq = folded.seq

    def load_earlier(self, gate: Gate) -> FoldedGate | None:
        """Return the earlier state, which then counts as unsaved, whatever its number is."""
        earlier = self._loaded(gate, f"earlier:{gate.name}")
        return None if earlier is None else replace(earlier, saved_seq=UNSAVED)

    def save_earlier(self, gate: Gate, folded: FoldedGate, now: int) -> None:
        """Save a state once a day by the clock (microseconds); before it leaps, too, if called before folding."""
        name, policy = f"earlier:{gate.name}", gate.policy_version.encode()
        if name not in self._earlier_at:
            _, data = self._store.load_checkpoint(name) or (0, b"")
            saved_policy, _, rest = data.partition(b"\n")
            self._earlier_at[name] = int(rest.partition(b"\n")[0]) if saved_policy == policy else now - 2 * DAY
        if abs(now - self._earlier_at[name]) >= DAY:
            data = b"\n".join((policy, str(now).encode(), gate.dump(folded.state)))
            self._store.save_checkpoint(name, folded.seq, data)
            self._earlier_at[name] = now

    def _loaded(self, gate: Gate, name: str) -> FoldedGate | None:
        """Return a state saved after the policy it is of and, if it is an earlier one, after its time."""
        saved = self._store.load_checkpoint(name)
        if saved is None:
            return None
        seq, data = saved
        policy, *_, state = data.split(b"\n", 2 if name.startswith("earlier:") else 1)
        if policy.decode() != gate.policy_version:
            return None
        try:
            return FoldedGate(gate.load(state), seq, seq)
        except ValueError as error:
            log.warning(
                "saved gate state unreadable, rebuilding it from stored evaluations", gate=gate.name, error=str(error)
            )
            return None
