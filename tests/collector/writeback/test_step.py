"""The step: what is written when, where the cursor stands, and that nothing is skipped or blocks the rest."""

import threading
from dataclasses import replace

import pytest

from collector.outbound.errors import Refused, Unreachable
from collector.outbound.link import Runtime
from collector.store.entries import Entry
from collector.store.rows import Adaptation, Chunk, StoredAnswer
from collector.store.sqlite import open_store
from collector.writeback.base import TargetOptions, WriteResult
from collector.writeback.step import (
    MAX_ROWS,
    PATIENCE_SECONDS,
    REFUSED_BATCHES,
    RETRY_SECONDS,
    WATCH_SECONDS,
    WritePosition,
    WriteStep,
)
from telemetry.registry import Telemetry
from tests.collector.writeback.examples import AT, METRICS, SECOND, Judge, answer, evaluated, verdict


class Target:
    """Takes what comes, unless told otherwise: by ``fails`` once a request, by ``bad`` and ``unknown`` for ever."""

    def __init__(self):
        self.items = {}
        self.requests = []
        self.fails = []
        self.bad = lambda _: False
        self.unknown = lambda _: False

    def write(self, items):
        self.requests.append([(item.answer_id, item.name) for item in items])
        if self.fails and (failure := self.fails.pop(0)):
            raise failure
        if any(self.bad(item) for item in items):
            raise Refused("bad item")
        missing = tuple(item for item in items if self.unknown(item))
        known = [item for item in items if not self.unknown(item)]
        self.items |= {(item.answer_id, item.name): item for item in known}
        return WriteResult(len(known), missing)

    def close(self):
        return


class Bench:
    """A step over a real store, with clocks of its own."""

    def __init__(self, directory, *, gates=(), judge=None, **options):
        self.directory = directory
        self.now = AT + 60 * SECOND
        self.seconds = 100.0
        self.target = Target()
        self.judge = judge or Judge()
        self.gates = gates
        self.options = {"type": "test", "url": "http://h", **options}
        self.stop = threading.Event()
        self.store = open_store(directory)
        self.start()

    def start(self):
        """Begin as a new process does."""
        self.telemetry = Telemetry(metrics=(), dimensions=(), version="1")
        self.step = WriteStep(
            TargetOptions(**self.options),
            self.target,
            store=self.store,
            judge=self.judge,
            metrics=METRICS.values(),
            gates=self.gates,
            runtime=Runtime(
                telemetry=self.telemetry,
                clock=lambda: self.now,
                monotonic=lambda: self.seconds,
                random=lambda: 0.5,
                stop=self.stop,
            ),
        )

    def put(self, *names, revision=0, slice_=None, scored_at=AT + SECOND, **fields):
        """Store answers and their evaluations."""
        for name in names:
            number = int(name.rpartition("-")[2])
            about = answer(name, number=number, revision=revision, **fields)
            trace_id = number.to_bytes(16, "big")
            self.store.append([Chunk(trace_id, AT, 1, True, b"")])
            (due,) = self.store.due(now=AT + 9, idle=1, timeout=1, limit=1, limit_bytes=10)
            stored = StoredAnswer(about, slice_ or {"domain": "travel"}, 1.0, True)
            self.store.record_adapted([Adaptation(trace_id, due.upto_seq, revision, 1, 0, "answer", AT, (stored,))])
            row = evaluated(name, revision=revision, slice_=slice_)
            self.store.record_evaluations([replace(row, scored_at=scored_at)])

    def run(self, seconds=0.0):
        """Let time pass, and run until nothing is left to do now; return how much was done."""
        self.seconds += seconds
        self.now += int(seconds * SECOND)
        done = 0
        for _ in range(1000):
            count = self.step.run_once()
            if not count:
                return done
            done += count
        raise AssertionError("the step never ends")

    def metric(self, name, **labels):
        text = self.telemetry.exposition("")[0].decode()
        pairs = ",".join(f'{key}="{value}"' for key, value in {"target": "test", **labels}.items())
        [line] = [
            line
            for line in text.splitlines()
            if line.startswith(f"{name}{{")
            and sorted(line[len(name) + 1 : line.index("}")].split(",")) == sorted(pairs.split(","))
        ]
        return float(line.rpartition(" ")[2])

    def counted(self):
        report = self.step.status.report()
        counts = {name: report[name] for name in ("written", "unknown", "rejected", "skipped", "failed")}
        for name, count in counts.items():
            assert self.metric("groundwire_write_back_items_total", outcome=name) == count
        return {name: count for name, count in counts.items() if count}

    @property
    def cursor(self):
        return WritePosition.load(self.store.cursor("write_back:test"))

    @property
    def written(self):
        return sorted({name for name, _ in self.target.items})


@pytest.fixture
def make(tmp_path):
    made = []

    def bench(**options):
        made.append(Bench(tmp_path / "data", **options))
        return made[-1]

    yield bench
    for bench in made:
        bench.store.close()


def test_the_first_start_begins_with_what_comes_next(make):
    bench = make()
    bench.put("a-1")
    bench.run()
    assert bench.written == []
    bench.put("a-2")
    bench.run(10)
    assert bench.written == ["a-2"]
    assert bench.counted() == {"written": 2}


def test_with_backfill_the_first_start_writes_what_was_scored_before(make):
    bench = make(backfill=True)
    bench.put("a-1", "a-2")
    bench.run()
    assert bench.written == ["a-1", "a-2"]
    bench.start()
    bench.target.items.clear()
    bench.run(10)
    assert bench.written == []


def test_what_retention_removed_before_a_backfill_is_no_failure(make):
    bench = make(backfill=True)
    bench.put("a-1", "a-2")
    bench.store.prune(chunks_before=0, answers_before=2 * AT, limit=1)
    bench.put("a-3")
    bench.run()
    assert "a-3" in bench.written
    assert "failed" not in bench.counted()


def test_a_batch_killed_between_send_and_cursor_is_written_again_and_nothing_is_skipped(make):
    bench = make()
    bench.run()
    bench.put("a-1", "a-2")

    class Killed(BaseException):
        pass

    set_cursor = bench.store.set_cursor

    def kill(*_args, **_options):
        raise Killed

    bench.store.set_cursor = kill
    with pytest.raises(Killed):
        bench.run(10)
    bench.store.set_cursor = set_cursor
    first = dict(bench.target.items)
    bench.start()
    bench.put("a-3")
    bench.run(10)
    assert bench.written == ["a-1", "a-2", "a-3"]
    assert all(bench.target.items[key] == item for key, item in first.items())
    bench.target.requests.clear()
    bench.start()
    bench.run(10)
    assert bench.target.requests == []


def test_an_answer_from_a_file_cannot_be_written_and_is_skipped(make):
    bench = make()
    bench.run()
    bench.put("a-1", span_id=None)
    bench.put("a-2", trace_id="from a file")
    bench.run(10)
    assert bench.target.requests == []
    assert bench.counted() == {"skipped": 4}
    assert bench.step.status.state == "waiting"


def test_only_the_newest_revision_of_an_answer_is_written(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    bench.put("a-1", revision=1)
    bench.run(10)
    assert {item.revision for item in bench.target.items.values()} == {1}
    assert bench.counted() == {"written": 2, "skipped": 2}


def test_of_an_answer_scored_twice_the_later_run_is_written(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    bench.store.record_evaluations([replace(evaluated("a-1"), scored_at=AT + 5 * SECOND)])
    bench.run(10)
    assert {item.scored_at for item in bench.target.items.values()} == {AT + 5 * SECOND}
    assert len(bench.target.requests) == 1


def test_only_answers_of_the_slice_asked_for_are_written(make):
    bench = make(when={"domain": "travel"})
    bench.run()
    bench.put("a-1")
    bench.put("a-2", slice_={"domain": "leave"})
    bench.run(10)
    assert bench.written == ["a-1"]
    assert bench.counted() == {"written": 2}


def test_an_answer_that_retention_removed_first_is_counted_as_failed_and_holds_up_nothing(make):
    bench = make()
    bench.run()
    bench.put("a-1", "a-2")
    while any(bench.store.prune(chunks_before=2 * AT, answers_before=2 * AT, limit=10).values()):
        continue
    bench.put("a-3")
    bench.run(10)
    assert bench.written == ["a-3"]
    assert bench.counted() == {"written": 2, "failed": 2}


def test_changes_between_evaluations_are_no_lost_scores(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    for name in ("b", "c"):
        bench.store.record_changes([Entry(name, AT, AT, "index", "explicit", "index", version=name)])
    bench.put("a-2")
    bench.run(10)
    assert bench.written == ["a-1", "a-2"]
    assert bench.counted() == {"written": 4}


def test_a_change_beside_a_removed_evaluation_hides_it_not(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    while any(bench.store.prune(chunks_before=2 * AT, answers_before=2 * AT, limit=10).values()):
        continue
    bench.store.record_changes([Entry("b", 3 * AT, 3 * AT, "index", "explicit", "index", version="b")])
    bench.put("a-2")
    bench.run(10)
    assert bench.counted() == {"written": 2, "failed": 1}


def test_a_target_that_is_down_is_tried_ever_more_rarely_and_loses_nothing(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    bench.target.fails = [Unreachable("http://h: 503")] * 3
    assert bench.run(10) == 0
    assert len(bench.target.requests) == 1
    assert bench.metric("groundwire_write_back_up") == 0
    report = bench.step.status.report()
    assert (report["state"], report["last_error"]) == ("failing", "http://h: 503")
    bench.run(0.9)
    assert len(bench.target.requests) == 1
    for pause in (0.2, 1.6, 2.6):
        bench.run(pause)
    assert len(bench.target.requests) == 4
    assert bench.written == ["a-1"]
    assert bench.metric("groundwire_write_back_up") == 1
    assert bench.step.status.state == "ok"


def test_items_refused_for_good_are_found_and_hold_up_nothing(make):
    bench = make()
    bench.run()
    names = [f"a-{n}" for n in range(1, 60)]
    bench.put(*names)
    bench.target.bad = lambda item: (item.answer_id, item.name) in {("a-7", "claim_support"), ("a-31", "claim_support")}
    bench.run(10)
    assert bench.written == sorted(names)
    assert bench.counted() == {"written": 2 * 59 - 2, "rejected": 2}
    assert bench.step.status.report()["position"]["last_rejections"] == ["bad item"]
    assert bench.step.status.state == "ok"
    assert len(bench.target.requests) < 60


def test_a_server_that_refuses_everything_is_taken_for_wrong_and_slowed_down(make):
    bench = make()
    bench.run()
    bench.put(*(f"a-{n}" for n in range(1, 40)))
    bench.target.bad = lambda _: True
    bench.run(10)
    assert bench.counted() == {"rejected": 2 * REFUSED_BATCHES}
    assert bench.step.status.state == "failing"
    assert bench.metric("groundwire_write_back_up") == 0
    rejected = bench.counted()["rejected"]
    bench.run(0.2)
    assert bench.counted()["rejected"] == rejected
    bench.target.bad = lambda _: False
    for _ in range(3):
        bench.run(10)
    assert bench.counted() == {"rejected": rejected, "written": 2 * 39 - rejected}
    assert bench.step.status.state == "ok"


def test_a_span_that_comes_later_is_written_then(make):
    bench = make()
    bench.run()
    bench.put("a-1", "a-2")
    bench.target.unknown = lambda item: item.answer_id == "a-1"
    bench.run(10)
    assert bench.written == ["a-2"]
    assert bench.cursor.later == ((1, 1),)
    bench.put("a-3")
    bench.run(5)
    assert bench.written == ["a-2", "a-3"]
    bench.target.unknown = lambda _: False
    bench.run(RETRY_SECONDS[0])
    assert bench.written == ["a-1", "a-2", "a-3"]
    assert bench.cursor == WritePosition(3)
    assert bench.counted() == {"written": 6}


def test_a_span_that_never_comes_is_given_up_after_a_bounded_number_of_attempts(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    bench.target.unknown = lambda _: True
    bench.run(10)
    for pause in RETRY_SECONDS:
        assert bench.counted() == {}
        bench.run(pause - 6)
        assert bench.counted() == {}
        bench.run(6)
    assert bench.counted() == {"unknown": 2}
    assert len(bench.target.requests) == 1 + len(RETRY_SECONDS)
    bench.run(10_000)
    assert len(bench.target.requests) == 1 + len(RETRY_SECONDS)
    assert bench.cursor == WritePosition(1)


def test_a_restart_remembers_the_spans_that_were_unknown(make):
    bench = make()
    bench.run()
    bench.put("a-1", "a-2")
    bench.target.unknown = lambda item: item.answer_id == "a-1"
    bench.run(10)
    bench.start()
    bench.target.unknown = lambda _: False
    bench.run(1)
    assert bench.written == ["a-1", "a-2"]


def test_of_an_answer_whose_span_was_waited_for_only_the_newest_revision_is_written(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    bench.target.unknown = lambda _: True
    bench.run(10)
    bench.target.unknown = lambda _: False
    bench.put("a-1", revision=1)
    bench.run(RETRY_SECONDS[0] + 10)
    assert {item.revision for item in bench.target.items.values()} == {1}
    assert bench.cursor == WritePosition(2)
    assert bench.counted() == {"written": 2, "skipped": 2}


def test_a_score_whose_span_was_waited_for_is_not_written_over_a_later_one(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    bench.target.unknown = lambda _: True
    bench.run(10)
    bench.target.unknown = lambda _: False
    bench.store.record_evaluations([replace(evaluated("a-1"), scored_at=AT + 5 * SECOND)])
    bench.run(5)
    assert {item.scored_at for item in bench.target.items.values()} == {AT + 5 * SECOND}
    bench.run(RETRY_SECONDS[0])
    assert {item.scored_at for item in bench.target.items.values()} == {AT + 5 * SECOND}
    assert bench.counted() == {"written": 2, "skipped": 2}


def test_an_answer_removed_while_its_span_was_waited_for_is_counted_as_failed(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    bench.target.unknown = lambda _: True
    bench.run(10)
    while any(bench.store.prune(chunks_before=2 * AT, answers_before=2 * AT, limit=10).values()):
        continue
    bench.run(RETRY_SECONDS[0] + 10)
    assert bench.cursor == WritePosition(1)
    assert bench.counted() == {"failed": 1}


def test_verdicts_are_written_beside_the_scores(make):
    bench = make(gates=("grounded",), judge=Judge(verdict(travel="fail")))
    bench.run()
    bench.put("a-1")
    bench.run(10)
    assert bench.target.items["a-1", "gate:grounded"].label == "fail"
    assert bench.counted() == {"written": 3}


def test_the_first_batch_waits_for_gates_to_be_judged_and_not_for_ever(make):
    bench = make(gates=("grounded",))
    bench.run()
    bench.put("a-1")
    bench.run(PATIENCE_SECONDS / 2)
    assert bench.written == []
    bench.run(PATIENCE_SECONDS)
    assert bench.target.items["a-1", "gate:grounded"].label == "inconclusive"


def test_how_much_waits_and_how_old_it_is_can_be_seen_while_the_target_is_down(make):
    bench = make()
    bench.run()
    bench.put("a-1", "a-2")
    bench.target.fails = [Unreachable("down")]
    bench.run(10)
    assert bench.metric("groundwire_write_back_pending") == 2
    assert bench.metric("groundwire_write_back_lag_seconds") == (bench.now - AT) / SECOND - 1
    bench.run(WATCH_SECONDS)
    bench.run(WATCH_SECONDS)
    assert bench.metric("groundwire_write_back_pending") == 0
    assert bench.metric("groundwire_write_back_lag_seconds") == 0


def test_a_write_that_the_stop_cut_short_is_left_to_the_next_start(make):
    bench = make()
    bench.run()
    bench.put("a-1")
    bench.target.fails = [Unreachable("closed")]
    bench.stop.set()
    bench.run(10)
    assert bench.step.status.state == "waiting"
    bench.run(10)
    assert bench.cursor == WritePosition(0)
    bench.stop.clear()
    bench.start()
    bench.run(10)
    assert bench.cursor == WritePosition(1)


def test_a_long_backlog_is_written_in_bounded_batches(make):
    bench = make(backfill=True)
    bench.put(*(f"a-{n}" for n in range(1, 3 * MAX_ROWS)))
    bench.run()
    assert len(bench.written) == 3 * MAX_ROWS - 1
    assert max(map(len, bench.target.requests)) <= 100


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"seq": "x", "later": []}', b'{"seq": 1, "later": 2}'])
def test_a_cursor_that_cannot_be_read_counts_as_none(data):
    assert WritePosition.load(data) is None
