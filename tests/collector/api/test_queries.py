"""What many or slow requests for rows of the store do to each other, and to everybody else: nothing."""

import json
import queue
import socket
import threading
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from adapters.schema import Answer
from collector.api import queries, serving
from collector.api.serving import Parts
from collector.store import listing
from collector.store.rows import AnswerPage, Pulled, StoredAnswer
from collector.store.sqlite import open_store
from tests.collector.served import Served

FOREVER = sa.text("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")


@pytest.fixture
def served(tmp_path):
    store = open_store(tmp_path / "data")
    stored = StoredAnswer(Answer(id="a", question="q"), {"service": "desk"}, 1.0, True)
    store.append_pulled(Pulled("files", b"", 1, answers=[stored]))
    with Served() as running:
        running.store = store
        running.api.open(Parts(store, running.judge))
        yield running
    store.close()


@contextmanager
def held(monkeypatch):
    """Hold up every search for answers until the end; yields a semaphore that counts those that began."""
    begun, end = threading.Semaphore(0), threading.Event()

    def find(*_, **__):
        begun.release()
        assert end.wait(60)
        return AnswerPage((), None)

    monkeypatch.setattr(listing, "find", find)
    try:
        yield begun
    finally:
        end.set()


def test_slow_lists_hold_up_neither_steps_nor_single_answers_nor_verdicts(served, monkeypatch):
    monkeypatch.setattr(queries, "WAIT_SECONDS", 0.1)
    answered = queue.Queue()

    def ask():
        status, headers, body = served.ask("/v1/answers?service=nobody")
        answered.put((status, headers["retry-after"], json.loads(body)))

    with held(monkeypatch) as begun:
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for _ in range(serving.LISTS):
            assert begun.acquire(timeout=60)
        for _ in range(8 - serving.LISTS):
            assert answered.get(timeout=60) == (503, "1", {"error": "too many queries at once; try again"})
        assert [row.answer.id for row in served.store.pending_answers(limit=9)] == ["a"]
        assert served.store.pending()["score"].count == 1
        assert served.ask("/v1/answers/a")[0] == 200
        assert served.ask("/v1/gates")[0] == 200
        assert served.ask("/metrics")[0] == 200
    for thread in threads:
        thread.join()
    for _ in range(serving.LISTS):
        assert answered.get_nowait() == (200, None, {"answers": [], "next": None})
    assert served.ask("/v1/answers")[0] == 200


def test_a_client_that_leaves_ends_its_query(served, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    def find(connection, *_, **__):
        begun.set()
        try:
            connection.execute(FOREVER)
        finally:
            ended.set()

    monkeypatch.setattr(listing, "find", find)
    monkeypatch.setattr(queries, "QUERY_SECONDS", 1e9)
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as client:
        client.sendall(b"GET /v1/answers HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert begun.wait(60)
        assert not ended.is_set()
    assert ended.wait(60)


def test_a_query_that_takes_too_long_is_cut_off_with_a_hint_to_ask_for_less(served, monkeypatch):
    monkeypatch.setattr(listing, "find", lambda connection, *_, **__: connection.execute(FOREVER))
    monkeypatch.setattr(queries, "QUERY_SECONDS", 0.05)
    status, headers, body = served.ask("/v1/answers")
    assert (status, headers["retry-after"]) == (503, "1")
    assert json.loads(body) == {"error": "query timed out; ask for less"}
    monkeypatch.undo()
    assert served.ask("/v1/answers")[0] == 200
