"""Gates fold evaluations, labels and changes in the one order in which they were committed, which no restart changes.

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
from collector.judging.checkpoints import Checkpoints, FoldedGate
from collector.judging.dating import LEAP, change_dated, dated
from collector.store.columns import TEXTLESS, EvaluationContext, ScoredColumns, label_of
from collector.store.entries import Entry
from collector.store.store import Store
from gates.base.gate import Gate, State, change_reaches
from gates.evidence.arrays import Floats, Integers
from gates.inputs.observations import NO_LABEL, Batch, Group, pairs
from gates.units.duration import format_duration

FOLD_ROWS = 10_000
"""Evaluations and changes read at once; bounds memory when a gate is rebuilt from the whole history."""
MAX_GROUPS = 50_000
"""Contexts remembered with what each gate's metric sees of them; beyond it they are worked out again."""

log = structlog.get_logger(__name__)


@dataclass(kw_only=True)
class Folding:
    """The states of all gates; each page of the timeline is read once for all gates that have come as far.

    ``redated`` counts evaluations by gate whose times were not believed.
    """

    store: Store
    gates: Sequence[Gate]
    checkpoints: Checkpoints = field(init=False)
    redated: Counter[str] = field(default_factory=Counter)
    _folded: dict[str, FoldedGate] = field(default_factory=dict)
    _panels: Panels = field(init=False)
    _groups: dict[tuple[EvaluationContext, str], Group] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with nothing read."""
        self.checkpoints = Checkpoints(self.store)
        self._panels = Panels(self.store)

    def of(self, gate: Gate) -> FoldedGate:
        """Return a gate's state: the one of this run, else what was saved, else one to be made from all there is."""
        if gate.name not in self._folded:
            self._folded[gate.name] = self.checkpoints.load(gate)
        return self._folded[gate.name]

    def run(self, now: int) -> int:
        """Fold what is new into every gate, at ``now`` (ns); return how many evaluations there were."""
        count = 0
        for gate in self.gates:
            self._set_back(gate, now // 1000)
            self.checkpoints.save_earlier(gate, self.of(gate), now // 1000)
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

    def _set_back(self, gate: Gate, now: int) -> None:
        """Let a gate with evidence from after now go on from its earlier checkpoint, if that is from before."""
        folded = self.of(gate)
        newest = gate.newest(folded.state)
        if newest is None or newest - now <= LEAP or newest == folded.doubted:
            return
        folded.doubted = newest
        earlier = self.checkpoints.load_earlier(gate)
        ahead = format_duration(timedelta(seconds=(newest - now) // 10**6))
        if earlier is None or (gate.newest(earlier.state) or 0) > now:
            log.warning("clock is behind the evidence of a gate; waiting for it to catch up", gate=gate.name, by=ahead)
            return
        log.warning("clock was set back; gate restored from an earlier checkpoint", gate=gate.name, by=ahead)
        earlier.doubted = newest
        self._folded[gate.name] = earlier

    def _advanced(self, gate: Gate, state: State, piece: ScoredColumns | Entry, now: int) -> State:
        newest = gate.newest(state)
        if isinstance(piece, ScoredColumns):
            seen = self.batch(piece, gate.metrics, labels=gate.counts_labels, unscored=gate.counts_unscored)
            batch, changed = dated(self._with_labels(seen, piece, gate), newest, now)
            self.redated[gate.name] += changed
            return gate.fold(state, batch)
        if change_reaches(gate, piece.kind, piece.component):
            return gate.change(state, change_dated(change_of(piece), newest, now))
        return state

    def batch(
        self, scored: ScoredColumns, metrics: Iterable[str], *, labels: bool = False, unscored: bool = False
    ) -> Batch:
        """Return what gates that listen to ``metrics`` see, with the labels of their scores if they count them.

        With ``unscored`` answers without a value are there as well.
        """
        columns = [(metric, *scored.values(metric)) for metric in sorted(metrics)]
        if unscored:
            columns = [(metric, *with_missing(rows, values, scored.asked(metric))) for metric, rows, values in columns]
        values = np.concatenate([values for _, _, values in columns])
        missing = np.isnan(values)
        rows = np.concatenate([rows for _, rows, _ in columns])
        many = len(scored.contexts)
        group = np.concatenate([scored.context[rows] + many * place for place, (_, rows, _) in enumerate(columns)])
        order = np.argsort(rows, kind="stable")
        rows = rows[order]
        return Batch(
            groups=tuple(self._group(context, metric) for metric, _, _ in columns for context in scored.contexts),
            group=group[order],
            at=scored.at_us[rows],
            value=np.where(missing, 0.0, values)[order],
            probability=scored.probability[rows],
            cluster=scored.cluster[rows],
            arm=scored.arm[rows],
            share=scored.share[rows],
            label=np.concatenate([labels_of(scored, metric, at) for metric, at, _ in columns])[order]
            if labels
            else None,
            unscored=missing[order] if missing.any() else None,
            textless=np.isin(rows, scored.values(TEXTLESS)[0]) if missing.any() else None,
        )

    def _with_labels(self, answers: Batch, piece: ScoredColumns, gate: Gate) -> Batch:
        """Return answers with the labels among them that are evidence to a gate, each where it came."""
        taken = [each for each in piece.labels if each.metric in gate.metrics and gate.takes_labels_by(each.labeller)]
        if not taken:
            return answers
        parts = [answers, *(self.batch(each.scored, {each.metric}) for each in taken)]
        answered = np.sort(np.concatenate([piece.values(metric)[0] for metric in gate.metrics]))
        seqs = [piece.seq[answered], *(each.scored.seq for each in taken)]
        nothing = np.zeros(len(answers))
        # A negative probability marks the label of an answer that is there already.
        truth, drawn = [nothing, *(each.truth for each in taken)], [nothing, *(-each.drawn for each in taken)]
        return _merged(parts, truth, drawn, np.argsort(np.concatenate(seqs), kind="stable"))

    def _group(self, context: EvaluationContext, metric: str) -> Group:
        key = (context, metric)
        if key not in self._groups:
            if len(self._groups) >= MAX_GROUPS:
                self._groups.clear()
            self._groups[key] = Group(
                metric, context.slice, pairs(self._panels.versions(dict(context.versions), metric))
            )
        return self._groups[key]


def _merged(parts: Sequence[Batch], truth: Sequence[Floats], drawn: Sequence[Floats], order: Integers) -> Batch:
    """Return batches as one with its rows in this order. No gate that takes labels by people counts those of scores."""
    begins = np.cumsum([0, *(len(part.groups) for part in parts)]).tolist()
    groups = [part.group + begin for part, begin in zip(parts, begins, strict=False)]
    return Batch(
        groups=tuple(group for part in parts for group in part.groups),
        group=np.concatenate(groups)[order],
        at=np.concatenate([part.at for part in parts])[order],
        value=np.concatenate([part.value for part in parts])[order],
        probability=np.concatenate([part.probability for part in parts])[order],
        cluster=np.concatenate([part.cluster for part in parts])[order],
        arm=np.concatenate([part.arm for part in parts])[order],
        share=np.concatenate([part.share for part in parts])[order],
        truth=np.concatenate(truth)[order],
        drawn=np.concatenate(drawn)[order],
    )


def with_missing(rows: Integers, values: Floats, asked: Integers) -> tuple[Integers, Floats]:
    """Return the rows that were ``asked`` for a value, and the values of those that have one; of the others no number.

    >>> [each.tolist() for each in with_missing(np.array([4]), np.array([0.5]), np.array([1, 4, 7]))]
    [[1, 4, 7], [nan, 0.5, nan]]
    """
    every = np.full(len(asked), np.nan)
    every[np.searchsorted(asked, rows)] = values
    return asked, every


def labels_of(scored: ScoredColumns, metric: str, rows: Integers) -> Integers:
    """Return the codes of the labels of a metric's scores in these rows."""
    codes = np.full(len(scored), NO_LABEL, np.int64)
    there, values = scored.values(label_of(metric))
    codes[there] = values.astype(np.int64)
    return codes[rows]
