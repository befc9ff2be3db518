"""Housekeeping never holds the writer for long: counted in rows, bytes and transactions, with a clock of the test's."""

from contextlib import contextmanager

import pytest

from collector.store.pace import PART_BYTES, PART_ROWS, PART_SECONDS, REST_SECONDS, Pace, Work, WorkItem


class Bench:
    """A writer that notes what each transaction did; a step of ``seconds`` for each row done."""

    def __init__(self, seconds=0.0):
        self.now = 0.0
        self.seconds = seconds
        self.transactions = []
        self.rests = []
        self.writing = False

    def clock(self):
        return self.now

    def rest(self, seconds):
        assert not self.writing
        self.rests.append(seconds)

    @contextmanager
    def write(self):
        self.writing = True
        self.transactions.append([])
        yield None
        self.writing = False

    def do(self, _connection, keys):
        self.transactions[-1].extend(keys)
        self.now += self.seconds * len(keys)
        return {"rows": len(keys)}

    def run(self, items, pace=None):
        pace = pace or Pace(clock=self.clock, rest=self.rest)
        return pace.through(Work(items, self.do), self.write)


def test_everything_is_done_once_and_in_order():
    bench = Bench()
    assert bench.run([WorkItem(n, 10) for n in range(5000)]) == {"rows": 5000}
    assert [key for part in bench.transactions for key in part] == list(range(5000))


def test_a_transaction_holds_a_bounded_number_of_rows_and_bytes():
    bench = Bench()
    bench.run([WorkItem(n, 1) for n in range(5000)])
    assert max(map(len, bench.transactions)) == PART_ROWS
    bench = Bench()
    bench.run([WorkItem(n, 100_000) for n in range(100)])
    assert max(map(len, bench.transactions)) <= PART_BYTES // 100_000 + 2


def test_a_slow_disk_gets_transactions_of_a_few_rows():
    bench = Bench(seconds=PART_SECONDS)
    pace = Pace(clock=bench.clock, rest=bench.rest)
    bench.run([WorkItem(n, 1) for n in range(200)], pace)
    assert len(bench.transactions[0]) <= 32
    assert all(len(part) == 1 for part in bench.transactions[-50:])
    bench.seconds = 0
    bench.run([WorkItem(n, 1) for n in range(20_000)], pace)
    assert len(bench.transactions[-2]) == PART_ROWS


def test_a_row_larger_than_a_transaction_goes_alone():
    bench = Bench()
    bench.run([WorkItem("a", 1), WorkItem("big", 10 * PART_BYTES), WorkItem("b", 1)])
    assert bench.transactions[:2] == [["a", "big"], ["b"]]


@pytest.mark.parametrize("seconds", [0.0, 0.01])
def test_the_writer_is_free_between_two_transactions(seconds):
    bench = Bench(seconds)
    bench.run([WorkItem(n, 1) for n in range(1000)])
    assert len(bench.rests) == len(bench.transactions) > 1
    assert min(bench.rests) >= REST_SECONDS


def test_an_agent_that_stops_does_not_wait_for_the_rest():
    bench = Bench()
    pace = Pace(clock=bench.clock, rest=lambda _: True)
    bench.run([WorkItem(n, 1) for n in range(5000)], pace)
    assert len(bench.transactions) == 1
