"""The log of writes stays within its limit, and who keeps it from that is told."""

import sqlite3
from contextlib import closing

import pytest

from collector.store.sqlite import DATABASE, open_store
from tests.collector.store.test_store import chunk

MEGABYTE = 1024 * 1024


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path / "data")
    yield opened
    opened.close()


def append(store, n):
    store.append([chunk(n.to_bytes(16, "big"), data=bytes(MEGABYTE))])


def test_a_log_that_is_folded_begins_anew(store):
    for n in range(60):
        append(store, n)
        if n % 10 == 9:
            assert store.upkeep.log.checkpoint().left == 0
    assert store.upkeep.log.size() < 16 * MEGABYTE
    assert store.size() > 60 * MEGABYTE


def test_a_log_nobody_folds_stays_within_its_limit_all_the_same(store):
    for n in range(150):
        append(store, n)
    assert store.upkeep.log.size() < 40 * MEGABYTE


def test_a_reader_that_never_ends_keeps_the_log_and_is_seen(store, tmp_path):
    append(store, 1)
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM chunks").fetchone()
        append(store, 2)
        for _ in range(2):
            folded = store.upkeep.log.checkpoint()
            assert folded.left > 100
    assert store.upkeep.log.checkpoint().left == 0


def test_the_faster_the_log_grows_the_sooner_it_is_folded(store):
    log = store.upkeep.log
    append(store, 1)
    assert log.checkpoint_when_due(100.0, aim=10) is not None
    assert log.checkpoint_when_due(100.0, aim=10) is None
    append(store, 2)
    assert log.checkpoint_when_due(102.0, aim=10) is not None
    assert log.checkpoint_when_due(102.2, aim=10) is None
    assert log.checkpoint_when_due(102.3, aim=10) is not None
