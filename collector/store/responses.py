"""By which responses of models answers are known: a judge elsewhere may know nothing else of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

import sqlalchemy as sa

from collector.store.statements import rows_by
from collector.store.tables import answers, responses

_NOTE = sa.insert(responses).prefix_with("OR IGNORE")
_FIRST = (
    sa.select(responses.c.answer_seq)
    .where(responses.c.response == sa.bindparam("of_response"))
    .order_by(responses.c.answer_seq)
    .limit(1)
)


def digest_of(response_id: str) -> bytes:
    """Return what the store keeps of the id of a response.

    >>> len(digest_of("chatcmpl-1"))
    16
    """
    return blake2b(response_id.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def note_responses(connection: sa.Connection, told: Iterable[tuple[int, Sequence[str] | None]]) -> None:
    """Note of answers, by number, which responses they were made from; what is noted stays."""
    rows = [{"answer_seq": seq, "response": digest_of(each)} for seq, ids in told for each in ids or ()]
    if rows:
        connection.execute(_NOTE, rows)


def answers_of_responses(connection: sa.Connection, ids: Iterable[str]) -> dict[str, Any]:
    """Return the rows of the answers that responses went into, by the id of the response.

    Caches and simulated models give one id to many responses; of the answers that have it, the first is meant.
    """
    seqs: dict[str, int] = {}
    for each in ids:
        seq = connection.execute(_FIRST, {"of_response": digest_of(each)}).scalar_one_or_none()
        if seq is not None:
            seqs[each] = seq
    rows = rows_by(connection, answers.c.seq, sorted(set(seqs.values())))
    return {name: rows[seq] for name, seq in seqs.items() if seq in rows}
