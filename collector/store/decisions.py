"""Checkpoints of gates, and the decision log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from adapters.trace import Nanoseconds
from collector.store.chain import link, slice_key
from collector.store.connections import StorePart
from collector.store.rows import Decision
from collector.store.statements import take_seqs, upsert
from collector.store.tables import checkpoints, decisions


class DecisionStore(StorePart):
    """What gates concluded."""

    def load_checkpoint(self, name: str) -> tuple[int, bytes] | None:
        """Return ``(seq, state)`` as saved last under ``name``."""
        statement = sa.select(checkpoints.c.seq, checkpoints.c.state).where(checkpoints.c.name == name)
        with self._read() as connection:
            row = connection.execute(statement).one_or_none()
        return None if row is None else (row.seq, row.state)

    def save_checkpoint(self, name: str, seq: int, state: bytes, decisions: Sequence[Decision] = ()) -> None:
        """Save a state that has folded evaluations up to ``seq``; append the decisions it led to, in one transaction.

        A decision equal to the newest one of its (gate, slice) is not appended again.
        """
        with self._write() as connection:
            connection.execute(upsert(checkpoints, "seq", "state"), {"name": name, "seq": seq, "state": state})
            for decision in decisions:
                append_decision(connection, decision)

    def decide(self, decisions: Sequence[Decision]) -> None:
        """Append decisions that belong to no gate's state."""
        with self._write() as connection:
            for decision in decisions:
                append_decision(connection, decision)

    def decisions(
        self,
        *,
        gate: str | None = None,
        after: int = 0,
        before: int | None = None,
        newest_first: bool = False,
        limit: int = 100,
    ) -> list[Decision]:
        """Return decisions with a ``seq`` above ``after`` and below ``before``, in order or newest first."""
        order = decisions.c.seq.desc() if newest_first else decisions.c.seq
        chosen = sa.select(decisions.c.seq).where(decisions.c.seq > after)
        if before is not None:
            chosen = chosen.where(decisions.c.seq < before)
        if gate is not None:
            chosen = chosen.where(decisions.c.gate == gate)
        # Chosen by number first, which the index of gates does alone: records are large, and other gates have many.
        chosen = chosen.order_by(order).limit(limit)
        with self._read() as connection:
            return _rows(connection, sa.select(decisions).where(decisions.c.seq.in_(chosen)).order_by(order))

    def decision(self, seq: int) -> Decision | None:
        """Return one decision by its number."""
        with self._read() as connection:
            return next(iter(_rows(connection, sa.select(decisions).where(decisions.c.seq == seq))), None)

    def last_decisions(self) -> list[Decision]:
        """Return the newest verdict change of every (gate, slice)."""
        newest = sa.select(sa.func.max(decisions.c.seq)).where(_CHANGED).group_by(decisions.c.gate, decisions.c.slice)
        with self._read() as connection:
            return _rows(connection, sa.select(decisions).where(decisions.c.seq.in_(newest)).order_by(decisions.c.seq))

    def renewed_decisions(self) -> list[Decision]:
        """Return the newest row of every (gate, slice) that says more of what a failure comes from, in order."""
        newest = sa.select(sa.func.max(decisions.c.seq)).where(_RENEWED).group_by(decisions.c.gate, decisions.c.slice)
        with self._read() as connection:
            return _rows(connection, sa.select(decisions).where(decisions.c.seq.in_(newest)).order_by(decisions.c.seq))

    def last_pass(self, gate: str, slice_: Mapping[str, str]) -> Nanoseconds | None:
        """Return when a (gate, slice) was last decided to pass."""
        passed = sa.select(sa.func.max(decisions.c.at)).where(
            decisions.c.gate == gate, decisions.c.slice == slice_key(slice_), decisions.c.state == "pass", _CHANGED
        )
        with self._read() as connection:
            at: Nanoseconds | None = connection.execute(passed).scalar_one_or_none()
        return at


_RENEWED = sa.func.json_extract(decisions.c.record, "$.kind") == "attribution"
_CHANGED = sa.or_(
    decisions.c.previous_state.is_(None),
    decisions.c.previous_state != decisions.c.state,
    sa.func.json_extract(decisions.c.record, "$.kind") == "severity",
)
"""A row is a change of a verdict or of its severity, not a verification."""


def append_decision(connection: sa.Connection, decision: Decision) -> None:
    """Append a row to the chain, in a transaction of somebody else's; one equal to the newest is left out."""
    of_slice = sa.and_(decisions.c.gate == decision.gate, decisions.c.slice == slice_key(decision.slice))
    newest = sa.select(decisions).where(of_slice).order_by(decisions.c.seq.desc()).limit(1)
    if any(_content(row) == _content(decision) for row in _rows(connection, newest)):
        return
    # Taking the number first locks the log: the row before cannot change until this one is committed.
    seq = take_seqs(connection, "decision_seq", 1)
    previous = connection.execute(sa.select(decisions.c.hash).where(decisions.c.seq == seq - 1)).scalar_one_or_none()
    row = link(decision, seq=seq, previous_hash=previous or "")
    connection.execute(sa.insert(decisions), asdict(row) | {"slice": slice_key(row.slice)})


def _content(decision: Decision) -> tuple[object, ...]:
    return (decision.at, decision.state, decision.previous_state, decision.verdict)


def _rows(connection: sa.Connection, statement: sa.Select[Any]) -> list[Decision]:
    return [decision_of(row) for row in connection.execute(statement).mappings()]


def decision_of(row: Mapping[Any, Any]) -> Decision:
    """Return a row of the table as a decision; columns that an earlier version did not write may be left out."""
    return Decision(**{**row, "slice": json.loads(row["slice"])})
