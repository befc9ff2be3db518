"""Scores by other evaluators whose answers have not come: kept until they do, or for a day, and then named."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson
import sqlalchemy as sa

from collector.store.connections import StorePart
from collector.store.responses import digest_of
from collector.store.rows import ExternalReceipt, ExternalRow
from collector.store.statements import groups, upsert
from collector.store.tables import answers, cursors, external_unmatched, external_waiting, responses

MAX_WAITING = 100_000
"""Scores that wait for their answers; those beyond are given up at once."""
MAX_UNMATCHED = 1_000
"""Scores that were given up and are still named: the newest."""
CROWDED = "too many scores wait for their answers"
_SEEN_ANSWERS, _SEEN_RESPONSES = "external", "external.responses"
"""Under which names the store notes up to which answer and which response waiting scores were looked for."""

Waiting = Mapping[bytes, ExternalRow]
"""Scores that wait, by the digest of what they say."""


class WaitingScores(StorePart):
    """Scores that wait for their answers, and those that were given up."""

    def external_waiting(self) -> int:
        """Return how many scores wait for their answers."""
        with self._read() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(external_waiting)).scalar_one())

    def external_unmatched(self, *, limit: int) -> list[tuple[ExternalRow, str]]:
        """Return scores that were given up, each with the reason: those that came last first."""
        order = (external_unmatched.c.recorded_at.desc(), external_unmatched.c.id)
        with self._read() as connection:
            rows = connection.execute(sa.select(external_unmatched).order_by(*order).limit(limit))
            return [(_row(row), row.reason) for row in rows]


class News(NamedTuple):
    """What came since waiting scores were last looked for: ids of answers, digests of responses.

    ``answer`` and ``response`` are the numbers up to which that goes; ``moved`` tells whether either is higher.
    """

    answer: int
    response: int
    moved: bool
    answers: Sequence[str]
    responses: Sequence[bytes]


def news_of(connection: sa.Connection, limit: int) -> News:
    """Return ``limit`` answers and responses at most that came since `set_seen`."""
    waits = connection.execute(sa.select(external_waiting.c.id).limit(1)).first() is not None
    answer, ids = _since(connection, _SEEN_ANSWERS, answers.c.seq, answers.c.answer_id, limit, waits=waits)
    response, digests = _since(connection, _SEEN_RESPONSES, responses.c.id, responses.c.response, limit, waits=waits)
    moved = (answer, response) != tuple(_seen(connection, name) for name in (_SEEN_ANSWERS, _SEEN_RESPONSES))
    return News(answer, response, moved, ids, digests)


def set_seen(connection: sa.Connection, news: News) -> None:
    """Note up to where waiting scores were looked for."""
    for name, number in ((_SEEN_ANSWERS, news.answer), (_SEEN_RESPONSES, news.response)):
        connection.execute(upsert(cursors, "state", "at"), {"name": name, "state": str(number).encode(), "at": 0})


def waiting_for(connection: sa.Connection, news: News) -> Waiting:
    """Return the scores that wait for what came."""
    # The id of a trace's first answer is the trace's, and begins the ids of the others.
    refs = sorted({each for name in news.answers for each in (name, name.partition("-")[0])})
    found: dict[bytes, ExternalRow] = {}
    for column, keys in ((external_waiting.c.ref, refs), (external_waiting.c.response, sorted(set(news.responses)))):
        for group in groups(keys):
            rows = connection.execute(sa.select(external_waiting).where(column.in_(group)))
            found |= {row.id: _row(row) for row in rows}
    return found


def waiting_since(connection: sa.Connection, before: int) -> Waiting:
    """Return the scores that wait since before an instant."""
    rows = connection.execute(sa.select(external_waiting).where(external_waiting.c.recorded_at < before))
    return {row.id: _row(row) for row in rows}


def forget_waiting(connection: sa.Connection, ids: Collection[bytes]) -> None:
    """Let scores wait no longer."""
    for some in groups(sorted(ids)):
        connection.execute(sa.delete(external_waiting).where(external_waiting.c.id.in_(some)))


def keep_waiting(connection: sa.Connection, receipts: Sequence[ExternalReceipt]) -> list[ExternalReceipt]:
    """Keep what waits as far as there is room; return the receipts with what is given up for want of it."""
    if all(each.outcome != "waiting" for each in receipts):
        return list(receipts)
    room = MAX_WAITING - connection.execute(sa.select(sa.func.count()).select_from(external_waiting)).scalar_one()
    kept: dict[bytes, dict[str, Any]] = {}
    settled: list[ExternalReceipt] = []
    for receipt in receipts:
        if receipt.outcome == "waiting" and len(kept) >= room:
            settled.append(ExternalReceipt("unmatched", receipt.row, CROWDED))
            continue
        settled.append(receipt)
        if receipt.outcome == "waiting":
            row = receipt.row
            response = digest_of(row.response_id) if row.response_id else None
            waits = _kept(row) | {"ref": row.answer_id or row.trace_id, "response": response}
            kept[waits["id"]] = waits
    if kept:
        connection.execute(sa.insert(external_waiting).prefix_with("OR IGNORE"), list(kept.values()))
    return settled


def note_unmatched(connection: sa.Connection, receipts: Iterable[ExternalReceipt]) -> None:
    """Remember the newest scores that were given up, and why."""
    given_up = [_kept(each.row) | {"reason": each.reason} for each in receipts if each.outcome == "unmatched"]
    if not given_up:
        return
    connection.execute(upsert(external_unmatched, "recorded_at", "reason", "body"), given_up[-MAX_UNMATCHED:])
    order = (external_unmatched.c.recorded_at.desc(), external_unmatched.c.id)
    newest = sa.select(external_unmatched.c.id).order_by(*order).limit(MAX_UNMATCHED)
    connection.execute(sa.delete(external_unmatched).where(external_unmatched.c.id.not_in(newest)))


def _kept(row: ExternalRow) -> dict[str, Any]:
    # When it came is no part of what it says: sent again it is the same.
    said = orjson.dumps(asdict(row) | {"recorded_at": 0, "at": 0}, option=orjson.OPT_SORT_KEYS)
    key = blake2b(said, digest_size=16).digest()
    return {"id": key, "recorded_at": row.recorded_at, "body": orjson.dumps(asdict(row))}


def _row(row: sa.Row[Any]) -> ExternalRow:
    return ExternalRow(**orjson.loads(row.body))


def _seen(connection: sa.Connection, name: str) -> int:
    saved = connection.execute(sa.select(cursors.c.state).where(cursors.c.name == name)).scalar_one_or_none()
    return 0 if saved is None else int(saved)


def _since(
    connection: sa.Connection, name: str, number: sa.Column[Any], value: sa.Column[Any], limit: int, *, waits: bool
) -> tuple[int, list[Any]]:
    """Return up to which number waiting scores are looked for now, and what came since they were."""
    seen = _seen(connection, name)
    if not waits:
        newest = connection.execute(sa.select(sa.func.max(number))).scalar_one() or 0
        # Nothing waits: a few thousand answers more or less are not worth a write.
        return (newest if newest - seen >= limit else seen), []
    rows = connection.execute(sa.select(number, value).where(number > seen).order_by(number).limit(limit)).all()
    return (rows[-1][0] if rows else seen), [row[1] for row in rows]
