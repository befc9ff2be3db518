"""Checkpoints of gates and the decision log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from collector.store.base import Decision
from collector.store.chain import link, slice_key
from collector.store.rows import take_seqs, upsert
from collector.store.tables import checkpoints, decisions


def load_checkpoint(connection: sa.Connection, name: str) -> tuple[int, bytes] | None:
    """Return what was saved last under ``name``."""
    statement = sa.select(checkpoints.c.seq, checkpoints.c.state).where(checkpoints.c.name == name)
    row = connection.execute(statement).one_or_none()
    return None if row is None else (row.seq, row.state)


def save_checkpoint(connection: sa.Connection, name: str, seq: int, state: bytes, made: Sequence[Decision]) -> None:
    """Save a state, and append the decisions it led to."""
    insert = upsert(connection.dialect.name, checkpoints)
    connection.execute(
        insert.on_conflict_do_update(
            index_elements=[checkpoints.c.name], set_={"seq": insert.excluded.seq, "state": insert.excluded.state}
        ),
        {"name": name, "seq": seq, "state": state},
    )
    for decision in made:
        _append(connection, decision)


def _append(connection: sa.Connection, decision: Decision) -> None:
    same = sa.select(decisions).where(decisions.c.gate == decision.gate, decisions.c.slice == slice_key(decision.slice))
    newest = connection.execute(same.order_by(decisions.c.seq.desc()).limit(1)).one_or_none()
    if newest is not None and _content(_decision(newest)) == _content(decision):
        return
    # Taking the number first locks the log: the row before cannot change until this one is committed.
    seq = take_seqs(connection, "decision_seq", 1)
    previous = connection.execute(sa.select(decisions.c.hash).where(decisions.c.seq == seq - 1)).scalar_one_or_none()
    row = link(decision, seq=seq, previous_hash=previous or "")
    connection.execute(
        sa.insert(decisions),
        {
            "seq": row.seq,
            "at": row.at,
            "gate": row.gate,
            "slice": slice_key(row.slice),
            "state": row.state,
            "previous_state": row.previous_state,
            "verdict": row.verdict,
            "previous_hash": row.previous_hash,
            "hash": row.hash,
            "record": row.record,
        },
    )


def listed(
    connection: sa.Connection, *, gate: str | None, after: int, before: int | None, newest_first: bool, limit: int
) -> list[Decision]:
    """Return decisions above ``after`` and below ``before``, in order or newest first."""
    order = decisions.c.seq.desc() if newest_first else decisions.c.seq
    chosen = sa.select(decisions.c.seq).where(decisions.c.seq > after)
    if before is not None:
        chosen = chosen.where(decisions.c.seq < before)
    if gate is not None:
        chosen = chosen.where(decisions.c.gate == gate)
    # Chosen by number first, which the index of gates does alone: records are large, and those of other gates are many.
    statement = sa.select(decisions).where(decisions.c.seq.in_(chosen.order_by(order).limit(limit))).order_by(order)
    return [_decision(row) for row in connection.execute(statement)]


def numbered(connection: sa.Connection, seq: int) -> Decision | None:
    """Return one decision."""
    row = connection.execute(sa.select(decisions).where(decisions.c.seq == seq)).one_or_none()
    return None if row is None else _decision(row)


def last(connection: sa.Connection) -> list[Decision]:
    """Return the newest change of verdict of every (gate, slice)."""
    newest = sa.select(sa.func.max(decisions.c.seq)).where(turned()).group_by(decisions.c.gate, decisions.c.slice)
    statement = sa.select(decisions).where(decisions.c.seq.in_(newest)).order_by(decisions.c.seq)
    return [_decision(row) for row in connection.execute(statement)]


def turned() -> sa.ColumnElement[bool]:
    """Return the condition that a row is a change of a verdict, not a verification."""
    return sa.or_(decisions.c.previous_state.is_(None), decisions.c.previous_state != decisions.c.state)


def _content(decision: Decision) -> tuple[object, ...]:
    return (decision.at, decision.state, decision.previous_state, decision.verdict)


def _decision(row: sa.Row[Any]) -> Decision:
    return Decision(
        at=row.at,
        gate=row.gate,
        slice=json.loads(row.slice),
        state=row.state,
        previous_state=row.previous_state,
        verdict=row.verdict,
        seq=row.seq,
        previous_hash=row.previous_hash,
        hash=row.hash,
        record=row.record,
    )
