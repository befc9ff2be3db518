"""The decision log as auditors read it: of a store that an agent may be using, or of a file it was exported to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from collector.store.chain import canonical, hash_of
from collector.store.decisions import decision_of
from collector.store.readonly import read_only
from collector.store.rows import Decision

_NAMES = tuple(item.name for item in fields(Decision))
_KINDS: dict[str, tuple[type, ...]] = {"seq": (int,), "at": (int,), "slice": (dict,)}
_OPTIONAL = frozenset({"previous_state", "record"})
PAGE = 1000


class BrokenRow(Exception):  # noqa: N818 - a finding
    """A row that cannot even be read: its number, or the one it should have, and why."""

    def __init__(self, seq: int, problem: str) -> None:
        super().__init__(problem)
        self.seq = seq
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Audit:
    """What came of an audit: how many rows were read, the last whole one, and what is wrong with the first that is not.

    ``head`` is the hash of the last whole row: who keeps it can tell later whether the log up to there is the same.
    """

    rows: int
    last: int
    head: str
    broken: int | None = None
    problem: str | None = None


def verify(rows: Iterable[Decision], *, newest: int | None = None, head: str | None = None) -> Audit:
    """Prove the chain from its first row on. ``newest`` is the highest number that a row ever had, where it is known.

    ``head`` is a hash kept from before, which the log must still hold. Rows cut off at the end of an export cannot be
    told from rows that came later, except by such a hash.

    >>> verify([]).problem is None, verify([], newest=3).problem
    (True, 'rows are missing; the newest was number 3')
    """
    count, last, previous, has_head = 0, 0, "", head is None
    try:
        for row in rows:
            count += 1
            problem = _problem(row, last=last, previous=previous)
            if problem is not None:
                return Audit(count, last, previous, broken=last + 1, problem=problem)
            last, previous = row.seq, row.hash
            has_head = has_head or row.hash == head
    except BrokenRow as error:
        return Audit(count + 1, last, previous, broken=last + 1, problem=error.problem)
    if newest is not None and last != newest:
        problem = f"rows are missing; the newest was number {newest}"
        return Audit(count, last, previous, broken=last + 1, problem=problem)
    if not has_head:
        return Audit(count, last, previous, broken=last, problem=f"no row has the hash {head}")
    return Audit(count, last, previous)


def _problem(row: Decision, *, last: int, previous: str) -> str | None:
    if row.seq != last + 1:
        return f"row {last} is followed by row {row.seq}"
    if row.previous_hash != previous:
        return "its previous hash is not the hash of the row before"
    if row.hash != hash_of(row):
        return "its content was changed after it was written: the hash does not match"
    return None


@contextmanager
def stored_log(data: str | Path) -> Iterator[tuple[Iterator[Decision], int]]:
    """Yield the rows of the log in the store of ``data``, in order, and the highest number that one ever had.

    Nothing is written and nothing is locked: an agent may be running. All of it is one state of the store. Raises
    `ConfigError` where there is no store.
    """
    with read_only(data) as connection:
        newest = connection.execute(sa.text("SELECT decision_seq FROM books")).scalar_one()
        yield _rows(connection), int(newest)


def _rows(connection: sa.Connection) -> Iterator[Decision]:
    # A store that an earlier version wrote has no records.
    known = {column["name"] for column in sa.inspect(connection).get_columns("decisions")}
    names = [name for name in _NAMES if name in known]
    table = sa.table("decisions", *(sa.column(name) for name in names))
    seq = 0
    while True:
        page = sa.select(table).where(table.c.seq > seq).order_by(table.c.seq).limit(PAGE)
        rows = connection.execute(page).mappings().all()
        for row in rows:
            try:
                yield decision_of(row)
            except ValueError as error:
                raise BrokenRow(row["seq"], f"its slice is not JSON: {error}") from error
        if len(rows) < PAGE:
            return
        seq = rows[-1]["seq"]


def exported(row: Decision) -> str:
    """Return a row as a line of an export; `exported_log` reads it back, and it proves the chain as the store does."""
    return canonical(asdict(row))


def exported_log(lines: Iterable[bytes]) -> Iterator[Decision]:
    """Yield the rows of an export. Raises `BrokenRow` at the first line that is none."""
    last = 0
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line)
            row = Decision(**{name: _checked(name, found) for name in _NAMES})
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise BrokenRow(last + 1, f"line {number} is not a row of an export: {_short(error)}") from error
        yield row
        last = row.seq


def _checked(name: str, found: Any) -> Any:
    value = found.get(name) if name in _OPTIONAL and isinstance(found, dict) else found[name]
    if value is None and name in _OPTIONAL:
        return None
    if not isinstance(value, _KINDS.get(name, (str,))) or isinstance(value, bool):
        raise TypeError(f"{name} is {type(value).__name__}")
    return value


def _short(error: Exception) -> str:
    return f"{type(error).__name__} {str(error)[:100]}"
