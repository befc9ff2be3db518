"""Gates fold what was scored and what changed, in the one order in which it was committed, which no restart changes.

After the clock was set back a gate may hold evidence from a time that has not come, and what is of now is too late for
it until that time comes. So each gate has a second checkpoint, up to a day old; where that is from before, the gate
goes on from there, and times that cannot be are not believed (`collector.judging.dating`). Where it is not, the clock
is as likely to be wrong as the evidence: nothing is done, and the verdict says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import numpy as np
import structlog

from collector.changes.ledger import change_of
from collector.changes.panel import Panels
from collector.judging.dating import LEAP, change_dated, dated
from collector.store.columns import EvaluationContext, ScoredColumns
from collector.store.entries import Entry
from collector.store.store import Store
from gates.base import Gate, State
from gates.decisions.record import JUDGE
from gates.inputs.observations import MICROSECOND, Batch, Group, pairs
from gates.units.duration import format_duration

FOLD_ROWS = 10_000
"""Evaluations and changes read at once; bounds memory when a gate is rebuilt from the whole history."""
DAY = timedelta(days=1) // MICROSECOND
UNSAVED = -1
MAX_GROUPS = 50_000
"""Contexts remembered with what each gate's metric sees of them; beyond it they are worked out again."""

log = structlog.get_logger(__name__)


@dataclass
class Folded:
    """A gate's state and the last evaluation or change in it; ``doubted`` is up to when evidence was found too late."""

    state: State
    seq: int
    saved_seq: int
    doubted: int | None = None


@dataclass(kw_only=True)
class Folding:
    """The states of all gates; each page of the timeline is read once for all gates that have come as far.

    ``redated`` counts evaluations by gate whose times were not believed.
    """

    store: Store
    gates: Sequence[Gate]
    redated: Counter[str] = field(default_factory=Counter)
    _earlier: dict[str, int] = field(default_factory=dict)
    _folded: dict[str, Folded] = field(default_factory=dict)
    _panels: Panels = field(init=False)
    _groups: dict[tuple[EvaluationContext, str], Group] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with nothing read."""
        self._panels = Panels(self.store)

    def of(self, gate: Gate) -> Folded:
        """Return a gate's state: the one of this run, else what was saved, else one to be made from all there is."""
        if gate.name not in self._folded:
            self._folded[gate.name] = self._restored(gate)
        return self._folded[gate.name]

    def run(self, now: int) -> int:
        """Fold what is new into every gate, at ``now`` (ns); return how many evaluations there were."""
        count = 0
        for gate in self.gates:
            self._set_back(gate, now // 1000)
            self._keep_earlier(gate, now // 1000)
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
                        folded.state = self._advanced(gate, folded.state, piece, now // 1000)
                    folded.seq = end
            count += sum(len(piece) for piece in pieces if isinstance(piece, ScoredColumns))
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

    def _set_back(self, gate: Gate, now: int) -> None:
        """Let a gate with evidence from after now go on from its earlier checkpoint, if that is from before."""
        folded = self.of(gate)
        newest = gate.newest(folded.state)
        if newest is None or newest - now <= LEAP or newest == folded.doubted:
            return
        folded.doubted = newest
        earlier = self._loaded_earlier(gate)
        ahead = format_duration(timedelta(seconds=(newest - now) // 10**6))
        if earlier is None or (gate.newest(earlier.state) or 0) > now:
            log.warning("the clock is behind a gate's evidence; it stays until time comes", gate=gate.name, by=ahead)
            return
        log.warning("the clock was set back; a gate is folded again from before", gate=gate.name, by=ahead)
        # Not what is saved, whatever its number is.
        earlier.saved_seq, earlier.doubted = UNSAVED, newest
        self._folded[gate.name] = earlier

    def _keep_earlier(self, gate: Gate, now: int) -> None:
        """Save a gate's state before anything of now is folded, once a day by the clock: so before it leaps, too."""
        name = gate.name
        if name not in self._earlier:
            saved = self.store.load_checkpoint(f"earlier:{name}")
            policy, at, _ = (b"", b"", b"") if saved is None else saved[1].split(b"\n", 2)
            self._earlier[name] = int(at) if policy.decode() == gate.policy_version else now - 2 * DAY
        if abs(now - self._earlier[name]) < DAY:
            return
        folded = self.of(gate)
        data = b"\n".join((gate.policy_version.encode(), str(now).encode(), gate.dump(folded.state)))
        self.store.save_checkpoint(f"earlier:{name}", folded.seq, data)
        self._earlier[name] = now

    def _loaded_earlier(self, gate: Gate) -> Folded | None:
        saved = self.store.load_checkpoint(f"earlier:{gate.name}")
        if saved is None:
            return None
        policy, _, state = saved[1].split(b"\n", 2)
        try:
            return Folded(gate.load(state), saved[0], saved[0]) if policy.decode() == gate.policy_version else None
        except ValueError:
            # Of another version: as good as none.
            return None

    def _advanced(self, gate: Gate, state: State, piece: ScoredColumns | Entry, now: int) -> State:
        newest = gate.newest(state)
        if isinstance(piece, ScoredColumns):
            batch, changed = dated(self.batch(piece, gate.metrics), newest, now)
            self.redated[gate.name] += changed
            return gate.fold(state, batch)
        # A measure that changed is news only to who listens to it; a judge may stand behind any.
        if piece.kind != "scorer" or piece.component in (*gate.metrics, JUDGE):
            return gate.change(state, change_dated(change_of(piece), newest, now))
        return state

    def batch(self, scored: ScoredColumns, metrics: Iterable[str]) -> Batch:
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
            at=scored.at_us[rows],
            value=np.concatenate([values for _, _, values in found])[order],
            probability=scored.probability[rows],
            cluster=scored.cluster[rows],
            arm=scored.arm[rows],
            share=scored.share[rows],
        )

    def _group(self, context: EvaluationContext, metric: str) -> Group:
        key = (context, metric)
        if key not in self._groups:
            if len(self._groups) >= MAX_GROUPS:
                self._groups.clear()
            self._groups[key] = Group(
                metric, context.slice, pairs(self._panels.versions(dict(context.versions), metric))
            )
        return self._groups[key]
