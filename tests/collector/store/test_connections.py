"""Whoever asks from outside never takes what the pipeline works with, and is stopped when it is over."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from collector.errors import Transient
from collector.store import sqlite
from collector.store.sqlite import open_store
from collector.store.store import Store

FOREVER = sa.text("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(sqlite, "QUERY_WAIT", 0.01)
    opened = open_store(tmp_path / "data")
    assert isinstance(opened, Store)
    yield opened
    opened.close()


def test_steps_read_while_all_connections_of_queries_are_taken(store: Store) -> None:
    with ExitStack() as taken:
        for _ in range(sqlite.QUERIES):
            taken.enter_context(store._connections.query(lambda: False))
        with pytest.raises(Transient, match="too many queries at once"):
            store.asked(lambda: False).totals()
        assert store.totals().accepted == 0
        with ExitStack() as steps:
            for _ in range(2 * sqlite.READERS):
                steps.enter_context(store._connections.read())
    assert store.asked(lambda: False).totals().accepted == 0


def test_steps_that_find_no_connection_free_try_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store._connections._readers.pool, "_timeout", 0.01)
    with ExitStack() as taken:
        for _ in range(2 * sqlite.READERS):
            taken.enter_context(store._connections.read())
        with pytest.raises(Transient, match="all connections are in use"):
            store.totals()


def test_a_query_is_cut_off_when_it_is_over_and_its_connection_serves_the_next(store: Store) -> None:
    over = threading.Event()
    ended: list[str] = []

    def run() -> None:
        try:
            with store._connections.query(over.is_set) as connection:
                ended.append("begun")
                connection.execute(FOREVER)
        except Transient as error:
            ended.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(sqlite.QUERIES)]
    for thread in threads:
        thread.start()
    over.set()
    for thread in threads:
        thread.join()
    assert sorted(ended) == ["begun"] * 4 + ["query timed out; ask for less"] * 4
    assert store.asked(lambda: False).totals().accepted == 0
