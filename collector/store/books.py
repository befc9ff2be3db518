"""The books: every span and record ever accepted, and what became of it."""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa

from collector.store.connections import StorePart
from collector.store.rows import Totals
from collector.store.tables import books, traces


class BookStore(StorePart):
    """The totals over everything ever accepted."""

    def totals(self) -> Totals:
        """Return the books over everything ever accepted."""
        with self._read() as connection:
            kept = connection.execute(sa.select(books)).one()
            # Counted from the traces rather than taken as the difference: the law must be able to fail.
            waiting = sa.select(sa.func.coalesce(sa.func.sum(traces.c.spans - traces.c.accounted), 0)).where(
                traces.c.last_seq > traces.c.adapted_seq
            )
            return Totals(
                accepted=kept.accepted,
                adapted=kept.spans_answer,
                not_an_answer=kept.spans_not_an_answer,
                malformed=kept.spans_malformed,
                duplicate=kept.spans_duplicate,
                pending=int(connection.execute(waiting).scalar_one()),
                outcomes={
                    "answer": kept.traces_answer,
                    "not_an_answer": kept.traces_not_an_answer,
                    "malformed": kept.traces_malformed,
                },
                records=kept.records,
                records_by={
                    "answer": kept.records_answer,
                    "repeated": kept.records_repeated,
                    "malformed": kept.records_malformed,
                },
            )


def add_to_books(connection: sa.Connection, change: Counter[str]) -> None:
    """Add ``change`` to the totals."""
    values = {books.c[name]: books.c[name] + n for name, n in change.items() if n}
    if values:
        connection.execute(sa.update(books).values(values))
