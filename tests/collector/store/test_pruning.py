"""What retention does to those who go on writing and reading."""

import sqlite3
import threading
from contextlib import closing

import pytest
import sqlalchemy as sa

from collector.store.pace import PART_BYTES, PART_ROWS, Pace
from collector.store.sqlite import DATABASE, open_store
from tests.collector.store.test_store import A, B, adapted, chunk, due, evaluated, stored


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path / "data")
    yield opened
    opened.close()


def fill(store, n, size=10_000):
    """Store ``n`` traces with an answer each, adapted, scored and folded, and ``size`` bytes of spans each."""
    for start in range(1, n + 1, 100):
        ids = [number.to_bytes(16, "big") for number in range(start, min(start + 100, n + 1))]
        store.append([chunk(trace, arrived=100, data=bytes(size)) for trace in ids])
        found = due(store, limit=n, limit_bytes=1 << 40)
        store.record_adapted([adapted(row, answers=[stored(row.trace_id.hex())]) for row in found])
        store.record_evaluations([evaluated(row.trace_id.hex()) for row in found])
    store.save_checkpoint("gate", 10 * n, b"")


def prune(store, pace, before=5000, limit=10_000):
    return store.prune(chunks_before=before, answers_before=before, limit=limit, pace=pace)


def test_thousands_of_rows_go_in_transactions_of_a_few_hundred(store):
    fill(store, 2000)
    rows, transactions = [0], []

    @sa.event.listens_for(sa.engine.Engine, "after_cursor_execute")
    def count(_connection, cursor, statement, *_):
        if statement.startswith("DELETE"):
            rows[0] += cursor.rowcount if cursor.rowcount > 0 else len(statement) // 20

    @sa.event.listens_for(sa.engine.Engine, "commit")
    def commit(_connection):
        transactions.append(rows[0])
        rows[0] = 0

    try:
        removed = prune(store, Pace(rest=lambda _: None))
    finally:
        sa.event.remove(sa.engine.Engine, "after_cursor_execute", count)
        sa.event.remove(sa.engine.Engine, "commit", commit)
    assert removed == {
        "chunks": 2000,
        "traces": 2000,
        "answers": 2000,
        "evaluations": 2000,
        "external": 0,
        "labels": 0,
        "changes": 0,
    }
    # An evaluation goes with its columns: two rows.
    assert max(transactions) <= 2 * PART_ROWS
    assert sum(1 for part in transactions if part) >= 8000 // PART_ROWS


def test_what_one_transaction_writes_is_a_small_part_of_what_it_removes(store, tmp_path):
    fill(store, 200, size=100_000)
    log = store.upkeep.log
    written = []

    def cut():
        with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def rest(_):
        written.append(log.size())
        cut()

    cut()
    prune(store, Pace(rest=rest))
    assert len(written) > 10
    assert max(written) <= PART_BYTES // 4


def test_an_append_that_waits_gets_in_between_two_transactions(store):
    fill(store, 300, size=10)
    waiting = threading.Event()
    got_in = []
    rests = []

    def append():
        waiting.set()
        store.append([chunk(B, arrived=10_000)])
        got_in.append(len(rests))

    sender = threading.Thread(target=append)

    def rest(_):
        if not rests:
            sender.start()
            assert waiting.wait(30)
            sender.join(30)
        rests.append(1)

    prune(store, Pace(rest=rest))
    assert got_in == [0]
    assert len(rests) > 1


def test_a_trace_of_many_chunks_goes_in_parts_and_its_books_stay_balanced(store):
    part = PART_BYTES // 4
    store.append([chunk(A, arrived=100, n_spans=2, data=bytes(part)) for _ in range(12)])
    [trace] = due(store, limit_bytes=1 << 40)
    store.record_adapted([adapted(trace, answers=[stored()], n_spans=24, n_duplicates=3)])
    sizes = []

    def rest(_):
        with store._read() as connection:
            row = connection.exec_driver_sql("SELECT spans, accounted, bytes, duplicates, pruned FROM traces").one()
            held = connection.exec_driver_sql("SELECT sum(n_spans), sum(length(data)) FROM chunks").one()
        assert (row.spans, row.accounted, row.bytes) == (held[0] or 0, held[0] or 0, held[1] or 0)
        assert row.duplicates <= row.spans
        assert row.pruned
        sizes.append(row.bytes)

    assert store.prune(chunks_before=5000, answers_before=0, limit=10, pace=Pace(rest=rest))["chunks"] == 12
    assert len(sizes) >= 3
    assert sizes[-1] == 0
    totals = store.totals()
    assert totals.accepted == totals.adapted + totals.duplicate == 24


def test_late_spans_between_two_parts_keep_the_trace(store):
    part = PART_BYTES // 4
    store.append([chunk(A, arrived=100, data=bytes(part)) for _ in range(12)])
    [trace] = due(store, limit_bytes=1 << 40)
    store.record_adapted([adapted(trace, answers=[stored()])])

    def rest(_):
        if not late:
            late.append(store.append([chunk(A, arrived=8000)]))

    late = []
    store.prune(chunks_before=5000, answers_before=0, limit=10, pace=Pace(rest=rest))
    [trace] = due(store, now=20_000, limit_bytes=1 << 40)
    assert 1 < len(trace.chunks) < 13
    # The rest must not pass for the whole: the answer stays as it was.
    store.record_adapted([adapted(trace, n_spans=1)])
    assert store.answer("a-1") is not None
    totals = store.totals()
    assert totals.accepted == totals.adapted + totals.duplicate + totals.pending == 13


def test_freed_pages_are_not_written_again_to_erase_them(store):
    with store._write() as connection:
        assert connection.exec_driver_sql("PRAGMA secure_delete").scalar_one() == 2
