"""Gates fold what was scored and what changed, in the one order in which it was committed, which no restart changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import structlog

from collector.clock import instant
from collector.pipeline.panel import Panels
from collector.store.base import Store
from collector.store.columns import Context, Scored
from collector.store.entries import Entry
from gates.base import Gate, State
from gates.changes import Change
from gates.observations import Batch, Group, pairs
from gates.record import JUDGE

FOLD_ROWS = 10_000
"""Evaluations and changes read at once; bounds memory when a gate is rebuilt from the whole history."""
MAX_GROUPS = 50_000
"""Contexts remembered with what each gate's metric sees of them; beyond it they are worked out again."""

log = structlog.get_logger(__name__)


@dataclass
class Folded:
    """A gate's state and the last evaluation or change in it."""

    state: State
    seq: int
    saved_seq: int


@dataclass(kw_only=True)
class Folding:
    """The states of all gates; each page of the timeline is read once for all gates that have come as far."""

    store: Store
    gates: Sequence[Gate]
    _folded: dict[str, Folded] = field(default_factory=dict)
    _panels: Panels = field(init=False)
    _groups: dict[tuple[Context, str], Group] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with nothing read."""
        self._panels = Panels(self.store)

    def of(self, gate: Gate) -> Folded:
        """Return a gate's state: the one of this run, else what was saved, else one to be made from all there is."""
        if gate.name not in self._folded:
            self._folded[gate.name] = self._restored(gate)
        return self._folded[gate.name]

    def run(self) -> int:
        """Fold what is new into every gate; return how many evaluations there were."""
        count = 0
        while self.gates:
            after = min(self.of(gate).seq for gate in self.gates)
            ahead = [self.of(gate).seq for gate in self.gates if self.of(gate).seq > after]
            pieces, end = self.store.timeline_after(after, limit=FOLD_ROWS, upto=min(ahead, default=None))
            if end <= after:
                break
            for gate in self.gates:
                folded = self.of(gate)
                if folded.seq == after:
                    for piece in pieces:
                        folded.state = self._advanced(gate, folded.state, piece)
                    folded.seq = end
            count += sum(len(piece) for piece in pieces if isinstance(piece, Scored))
        return count

    def _restored(self, gate: Gate) -> Folded:
        saved = self.store.load_checkpoint(f"gate:{gate.name}")
        if saved is not None:
            seq, data = saved
            version, _, state = data.partition(b"\n")
            if version.decode() == gate.policy_version:
                try:
                    return Folded(gate.load(state), seq, seq)
                except ValueError as error:
                    log.warning("a gate is made anew from stored evaluations", gate=gate.name, error=str(error))
        # No checkpoint, or one of another policy or version: rebuild from every evaluation still stored.
        return Folded(gate.initial(), 0, 0)

    def _advanced(self, gate: Gate, state: State, piece: Scored | Entry) -> State:
        if isinstance(piece, Scored):
            return gate.fold(state, self.batch(piece, gate.metrics))
        # A measure that changed is news only to who listens to it; a judge may stand behind any.
        if piece.kind != "scorer" or piece.component in (*gate.metrics, JUDGE):
            return gate.change(state, change_of(piece))
        return state

    def batch(self, scored: Scored, metrics: Iterable[str]) -> Batch:
        """Return what gates that listen to ``metrics`` see."""
        found = [(metric, *scored.values(metric)) for metric in sorted(metrics)]
        rows = np.concatenate([rows for _, rows, _ in found])
        many = len(scored.contexts)
        group = np.concatenate([scored.context[rows] + many * place for place, (_, rows, _) in enumerate(found)])
        order = np.argsort(rows, kind="stable")
        rows = rows[order]
        return Batch(
            groups=tuple(self._group(context, metric) for metric, _, _ in found for context in scored.contexts),
            group=group[order],
            at=scored.at[rows],
            value=np.concatenate([values for _, _, values in found])[order],
            probability=scored.probability[rows],
            cluster=scored.cluster[rows],
            arm=scored.arm[rows],
            share=scored.share[rows],
        )

    def _group(self, context: Context, metric: str) -> Group:
        key = (context, metric)
        if key not in self._groups:
            if len(self._groups) >= MAX_GROUPS:
                self._groups.clear()
            self._groups[key] = Group(
                metric, context.slice, pairs(self._panels.versions(dict(context.versions), metric))
            )
        return self._groups[key]


def change_of(row: Entry) -> Change:
    """Return what a gate sees of a row of the change ledger."""
    return Change(at=instant(row.at), kind=row.kind, scope=row.scope, version=row.version)
