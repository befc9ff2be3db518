"""Corruption is looked for in the background, and what was not looked at is said."""

import threading

import pytest

from collector.errors import Transient
from collector.store import integrity
from collector.store.integrity import Checked, IntegrityCheck
from collector.store.sqlite import DATABASE, PAGE_BYTES, open_store
from tests.collector.store.test_store import chunk


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(integrity, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(integrity, "NICE", 0)
    store = open_store(tmp_path / "data")
    for n in range(200):
        store.append([chunk(n.to_bytes(16, "big"), data=bytes(3000))])
    store.close()
    return tmp_path / "data"


def check(data, stop=None, **options):
    store = open_store(data)
    try:
        return IntegrityCheck(data / DATABASE, log=store.upkeep.log, stop=stop or threading.Event(), **options).run()
    finally:
        store.close()


def test_a_database_in_order_is_found_so_while_it_is_written(data):
    assert check(data) == Checked(None, ())


@pytest.mark.parametrize("page", [bytes(PAGE_BYTES), b"\xff" * PAGE_BYTES])
def test_a_page_that_is_garbage_is_found(data, page):
    file = bytearray((data / DATABASE).read_bytes())
    middle = len(file) // PAGE_BYTES // 2 * PAGE_BYTES
    file[middle : middle + PAGE_BYTES] = page
    (data / DATABASE).write_bytes(file)
    problem = check(data).problem
    assert problem is not None
    assert problem.startswith("chunks: ") or "malformed" in problem


def test_what_takes_too_long_is_given_up_and_named(data, monkeypatch):
    monkeypatch.setattr(integrity, "LOOK_SECONDS", 0)
    times = iter(range(0, 10**9, 1000))
    found = None
    # The check of so small a table may be over before it can be given up.
    for _ in range(50):
        found = check(data, clock=lambda: next(times))
        if found.unchecked:
            break
    assert found.problem is None
    assert found.unchecked


def test_an_agent_that_stops_does_not_wait_for_it(data):
    stop = threading.Event()
    stop.set()
    assert check(data, stop) is None


def test_a_database_that_cannot_be_opened_is_looked_at_later(data, tmp_path):
    store = open_store(data)
    missing = IntegrityCheck(tmp_path / "nothing", log=store.upkeep.log, stop=threading.Event())
    with pytest.raises(Transient):
        missing.run()
    store.close()
