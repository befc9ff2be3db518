"""A full disk: what is refused, what is given up, and how the store heals itself."""

import random
import subprocess
import sys
import threading
from contextlib import closing

import pytest
from structlog.testing import capture_logs

from collector.errors import ConfigError, Transient
from collector.store.pace import Pace
from collector.store.reserve import LEAST, NAME
from collector.store.sqlite import open_store
from collector.upkeep.retention import KeepStep
from collector.upkeep.upkeep import UpkeepStep
from telemetry.registry import Telemetry
from tests.collector.store.test_pruning import fill
from tests.collector.store.test_store import chunk
from tests.descriptors import out_of_descriptors
from tests.disk import fill_up, small_disk
from tests.stored import newest

MEGABYTE = 1024 * 1024


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk") as place:
        yield place


class House:
    """A store with those who care for it; whatever came before ``now`` is past its retention."""

    def __init__(self, data, now=5000):
        self.store = open_store(data)
        self.store.upkeep.begin(1)
        self.health = self.store.health
        self.telemetry = Telemetry(metrics=(), dimensions=(), version="1")
        self.now = now
        self.seconds = 0.0
        keep = KeepStep(
            store=self.store,
            telemetry=self.telemetry,
            clock=lambda: self.now,
            chunks=0,
            answers=0,
            pace=Pace(rest=lambda _: None),
        )
        self.step = UpkeepStep(
            upkeep=self.store.upkeep,
            keep=keep,
            telemetry=self.telemetry,
            clock=lambda: self.now,
            monotonic=lambda: self.seconds,
            stop=threading.Event(),
        )

    def run(self):
        self.seconds += 10
        self.step.run_once()

    def exposed(self):
        return self.telemetry.exposition("")[0].decode()

    def append_until_full(self):
        n = 10**6
        while True:
            n += 1
            try:
                self.store.append([chunk(n.to_bytes(16, "big"), arrived=10_000, data=random.randbytes(100_000))])
            except Transient as error:
                return n, str(error)


@pytest.fixture
def house(disk):
    house = House(disk / "data")
    with closing(house.store):
        yield house


def test_a_full_disk_is_told_and_healed_by_removing_what_is_past_its_retention(disk, house):
    fill(house.store, 1000)
    house.run()
    assert house.store.upkeep.reserve.held == LEAST
    fill_up(disk)
    _, refused = house.append_until_full()
    assert "database or disk is full" in refused
    # Nothing tries any more: what is put aside is for those who make room.
    assert "the store cannot be written to" in house.health.problems()[0]
    with pytest.raises(Transient):
        house.store.set_cursor("c", b"", at=1)
    with capture_logs() as logs:
        house.run()
    assert house.health.problems() == ()
    events = [entry["event"] for entry in logs]
    assert events == [
        "store not writable",
        "reserve released to make room",
        "store writable again",
    ]
    assert newest(house.store, limit=10) == []
    for n in range(20):
        house.store.append([chunk(n.to_bytes(16, "little"), arrived=10_000, data=bytes(100_000))])
    assert "groundwire_store_writable 1.0" in house.exposed()
    assert "groundwire_store_reserve_bytes 0.0" in house.exposed()


def test_the_reserve_is_put_back_when_there_is_room_again(disk, house):
    fill(house.store, 1000)
    fill_up(disk)
    house.append_until_full()
    house.run()
    assert house.store.upkeep.reserve.held == 0
    (disk / "others").unlink()
    house.run()
    assert house.store.upkeep.reserve.held == LEAST
    assert (disk / "data" / NAME).stat().st_blocks * 512 >= LEAST


def test_what_is_not_past_its_retention_is_never_removed_and_senders_are_refused_until_there_is_room(disk, house):
    fill(house.store, 1000)
    house.now = 50
    fill_up(disk)
    house.append_until_full()
    for _ in range(3):
        house.run()
    [reason] = house.health.problems()
    assert "0 bytes are free on its disk" in reason
    assert "nothing is left to prune; free disk space" in reason
    assert len(newest(house.store, limit=2000)) == 1000
    # There is nothing to remove, so the reserve stays for the day when there is.
    assert house.store.upkeep.reserve.held == LEAST
    assert "groundwire_store_writable 0.0" in house.exposed()
    (disk / "others").unlink()
    house.run()
    assert house.health.problems() == ()
    house.store.append([chunk()])


def test_a_store_starts_on_a_full_disk_and_heals_itself(disk):
    first = House(disk / "data")
    fill(first.store, 1000)
    first.store.close()
    fill_up(disk)
    house = House(disk / "data")
    house.run()
    assert house.health.problems() == ()
    house.store.append([chunk(b"l" * 16, arrived=10_000)])
    assert house.store.totals().accepted == 1001
    house.store.close()


def test_without_a_reserve_a_store_on_a_full_disk_says_so(disk):
    first = House(disk / "data")
    fill(first.store, 10)
    first.store.close()
    (disk / "data" / NAME).unlink()
    fill_up(disk)
    with pytest.raises(ConfigError, match="0 bytes free on this disk"):
        open_store(disk / "data")


@pytest.mark.parametrize("kind", ["", "y"])
def test_a_reserve_of_another_size_is_made_anew(tmp_path, kind):
    house = House(tmp_path / "data")
    with closing(house.store):
        reserve = house.store.upkeep.reserve
        (tmp_path / "data" / NAME).write_text(kind)
        assert reserve.take()
        assert reserve.held == reserve.size
        assert reserve.give_up() == reserve.size
        assert reserve.give_up() == 0


def test_a_file_that_must_not_grow_is_told_as_well(tmp_path):
    """A limit on the size of files, which also holds where nobody may mount anything."""
    program = """
import resource, sys
from collector.errors import Transient
from collector.store.sqlite import open_store
from tests.collector.store.test_store import chunk
from tests.disk import fill_up, small_disk
from tests.stored import newest
store = open_store(sys.argv[1])
store.upkeep.begin(1)
resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 20, resource.RLIM_INFINITY))
try:
    for n in range(1000):
        store.append([chunk(n.to_bytes(16, "big"), data=bytes(100_000))])
except Transient:
    print(store.health.problems()[0])
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "data")], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "the store cannot be written to: disk I/O error\n", done.stderr


def test_a_store_is_written_on_while_no_more_files_can_be_opened(tmp_path):
    house = House(tmp_path)
    with capture_logs() as told, out_of_descriptors():
        for _ in range(3):
            house.run()
            assert house.health.problems() == ()
            house.store.append([chunk()])
            assert house.health.problems() == ()
    assert told == []
    house.run()
    house.store.close()


def test_damage_that_a_statement_meets_makes_the_agent_unready(tmp_path):
    house = House(tmp_path / "data")
    fill(house.store, 100)
    house.store.close()
    file = tmp_path / "data" / "groundwire.db"
    whole = bytearray(file.read_bytes())
    # The books and what describes the tables stay readable: the pages of answers lie behind them.
    middle = len(whole) // 2 // 8192 * 8192
    whole[middle:] = b"\xff" * (len(whole) - middle)
    file.write_bytes(whole)
    house = House(tmp_path / "data")
    with closing(house.store):
        with pytest.raises(Exception, match="malformed"):
            newest(house.store, limit=100)
        with capture_logs() as logs:
            house.run()
        assert house.health.problems() == ("the store is corrupt: database disk image is malformed",)
        assert [entry["event"] for entry in logs] == ["the store is corrupt"]
        assert "groundwire_store_corrupt 1.0" in house.exposed()


def test_a_reader_that_never_ends_is_told_once(tmp_path, monkeypatch):
    monkeypatch.setattr("collector.upkeep.upkeep.STUCK_PAGES", 100)
    house = House(tmp_path / "data")
    with closing(house.store), capture_logs() as logs:
        with house.store._read() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM chunks")
            for n in range(3):
                house.store.append([chunk(n.to_bytes(16, "big"), data=bytes(2 * MEGABYTE))])
                house.run()
        house.run()
    assert [entry["event"] for entry in logs] == [
        "a store reader does not finish; the write-ahead log grows until it does"
    ]
