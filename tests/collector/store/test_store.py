"""What a user of the store would notice, one promise a test."""

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.schema import Answer
from collector.errors import ConfigError, Transient
from collector.store.log import verify
from collector.store.outcomes import TraceOutcome
from collector.store.rows import (
    Adaptation,
    AnswerFilter,
    Chunk,
    Decision,
    DueTrace,
    Pending,
    StoredAnswer,
    StoredEvaluation,
)
from collector.store.sqlite import DATABASE, open_store
from collector.store.store import Store
from collector.store.traces import MAX_TRACE_BYTES
from scorers.base import Evaluation, Score, Unscored
from tests.stored import newest

A, B, C = (bytes([n]) * 16 for n in (1, 2, 3))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "data")
    yield opened
    opened.close()


def chunk(
    trace: bytes = A, arrived: int = 100, n_spans: int = 1, *, has_root: bool = True, data: bytes = b"spans"
) -> Chunk:
    return Chunk(trace, arrived, n_spans, has_root, data)


def due(
    store: Store,
    now: int = 1000,
    idle: int = 5,
    timeout: int = 60,
    limit: int = 100,
    limit_bytes: int = 1 << 20,
    without: tuple[bytes, ...] = (),
) -> list[DueTrace]:
    return store.due(now=now, idle=idle, timeout=timeout, limit=limit, limit_bytes=limit_bytes, without=without)


def adapted(
    trace: DueTrace,
    *,
    answers: Iterable[StoredAnswer] = (),
    outcome: TraceOutcome = "answer",
    n_spans: int | None = None,
    n_duplicates: int = 0,
    **changes: Any,
) -> Adaptation:
    base = Adaptation(
        trace_id=trace.trace_id,
        upto_seq=trace.upto_seq,
        revision=trace.revision,
        n_spans=len(trace.chunks) if n_spans is None else n_spans,
        n_duplicates=n_duplicates,
        outcome=outcome,
        at=2000,
        answers=tuple(answers),
        reason="bad" if outcome == "malformed" else None,
    )
    return replace(base, **changes)


def stored(
    answer_id: str = "a-1",
    revision: int = 0,
    *,
    sampled: bool = True,
    slice_: dict[str, str] | None = None,
    **fields: Any,
) -> StoredAnswer:
    return StoredAnswer(Answer(id=answer_id, revision=revision, **fields), slice_ or {"service": "shop"}, 0.25, sampled)


def evaluated(
    answer_id: str = "a-1", revision: int = 0, scored_at: int = 3000, value: float = 0.5, metric: str = "claim_support"
) -> StoredEvaluation:
    return StoredEvaluation(
        evaluation=Evaluation(
            answer_id=answer_id,
            revision=revision,
            scores=(Score(metric=metric, value=value),),
            unscored=(Unscored(metric="other", reason="missing_input"),),
        ),
        at=2500,
        scored_at=scored_at,
        slice={"service": "shop"},
        probability=0.25,
        cluster="session-1",
        versions={"app": "3"},
    )


def with_answer(store: Store, trace: bytes = A, arrived: int = 100, **fields: Any) -> None:
    store.append([chunk(trace, arrived)])
    [found] = [row for row in due(store) if row.trace_id == trace]
    store.record_adapted([adapted(found, answers=[stored(**fields)])])


def test_a_trace_with_an_ended_root_is_due_after_idle_and_one_without_after_the_timeout(store: Store) -> None:
    store.append([chunk(A, arrived=100, has_root=True), chunk(B, arrived=100, has_root=False)])
    assert due(store, now=104) == []
    assert [(row.trace_id, row.complete) for row in due(store, now=105)] == [(A, True)]
    assert [(row.trace_id, row.complete) for row in due(store, now=160)] == [(A, True), (B, False)]


def test_a_new_chunk_keeps_a_trace_open(store: Store) -> None:
    store.append([chunk(arrived=100)])
    store.append([chunk(arrived=104, has_root=False)])
    assert due(store, now=105) == []
    assert len(due(store, now=109)) == 1


@pytest.mark.parametrize("has_root", [True, False])
def test_a_trace_that_never_falls_silent_is_due_after_ten_timeouts(store: Store, *, has_root: bool) -> None:
    for arrived in range(100, 701, 4):
        store.append([chunk(arrived=arrived, has_root=has_root)])
    assert due(store, now=699) == []
    assert store.pending()["close"] == Pending(1, 100)
    [found] = due(store, now=700)
    assert (found.complete, len(found.chunks)) == (has_root, 151)


def test_a_trace_that_goes_on_after_it_was_adapted_waits_since_its_first_new_chunk(store: Store) -> None:
    for arrived in range(100, 701, 4):
        store.append([chunk(arrived=arrived)])
    [first] = due(store, now=700)
    for arrived in (704, 706):
        store.append([chunk(arrived=arrived, has_root=False)])
    store.record_adapted([adapted(first)])
    assert store.pending()["close"] == Pending(1, 704)
    for arrived in range(708, 1305, 4):
        store.append([chunk(arrived=arrived, has_root=False)])
    assert due(store, now=1303) == []
    [again] = due(store, now=1304)
    assert (again.revision, again.complete) == (1, True)
    store.record_adapted([adapted(again)])
    assert store.pending()["close"] == Pending(0, None)
    store.append([chunk(arrived=1310)])
    assert store.pending()["close"] == Pending(1, 1310)


def test_with_a_timeout_of_centuries_traces_close_by_their_root(store: Store) -> None:
    store.append([chunk(A), chunk(B, has_root=False)])
    assert [row.trace_id for row in due(store, now=1 << 62, timeout=1 << 61)] == [A, B]
    assert [row.trace_id for row in due(store, now=1000, timeout=1 << 61)] == [A]


def test_a_trace_without_end_goes_before_those_that_began_to_wait_after_it(store: Store) -> None:
    for arrived in range(100, 1001, 4):
        store.append([chunk(A, arrived)])
    store.append([chunk(B, arrived=900), chunk(C, arrived=901)])
    assert [row.trace_id for row in due(store, limit=1)] == [A]
    assert [row.trace_id for row in due(store)] == [A, B, C]


def test_due_traces_are_found_by_index_and_those_that_wait_for_nothing_are_never_read(
    store: Store, tmp_path: Path
) -> None:
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    store.append([chunk(arrived=1000, has_root=False)])
    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        assert due(store, now=1001) == []
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as database:
        plans = [
            [step[3] for step in database.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            for statement, parameters in asked
            if statement.startswith("SELECT")
        ]
    by_silence = "SEARCH traces USING INDEX ix_traces_waiting (has_root=? AND last_arrived<?)"
    assert plans == [
        ["SEARCH traces USING INDEX ix_traces_waiting (has_root=?)"],
        [by_silence],
        [by_silence],
        ["SEARCH traces USING INDEX ix_traces_waiting_since (waiting_since<?)"],
        [by_silence.replace("<", ">")],
    ]


def test_due_traces_come_longest_waiting_first_whatever_closed_them(store: Store) -> None:
    store.append([chunk(A, arrived=300), chunk(B, arrived=100, has_root=False), chunk(C, arrived=200)])
    assert [row.trace_id for row in due(store)] == [B, C, A]
    assert [row.trace_id for row in due(store, limit=2)] == [B, C]


def test_due_stops_at_the_byte_limit_but_returns_at_least_one_trace(store: Store) -> None:
    store.append([chunk(A, arrived=1, data=b"x" * 100), chunk(B, arrived=2, data=b"x" * 100), chunk(C, arrived=3)])
    assert [row.trace_id for row in due(store, limit_bytes=10)] == [A]
    assert [row.trace_id for row in due(store, limit_bytes=200)] == [A, B]


def test_what_is_worked_on_already_is_left_out_and_the_next_takes_its_place(store: Store) -> None:
    for trace, arrived in ((A, 1), (B, 2), (C, 3)):
        with_answer(store, trace, arrived, answer_id=trace.hex())
    answers = [row.answer.id for row in store.pending_answers(limit=2)]
    assert answers == [A.hex(), B.hex()]
    assert [row.answer.id for row in store.pending_answers(limit=2, without=answers)] == [C.hex()]
    store.append([chunk(trace, arrived=10) for trace in (A, B, C)])
    assert [row.trace_id for row in due(store, limit=1, without=(A,))] == [B]
    assert due(store, without=(A, B, C)) == []


def test_of_a_trace_without_end_only_the_first_chunks_are_given_and_it_is_not_complete(store: Store) -> None:
    part = bytes(MAX_TRACE_BYTES // 4)
    store.append([Chunk(A, 100 + i, 1, True, part) for i in range(6)])
    (found,) = due(store, 1000)
    assert (len(found.chunks), found.complete) == (4, False)
    assert store.totals().accepted == 6


def test_a_late_chunk_reopens_an_adapted_trace_with_all_of_its_chunks(store: Store) -> None:
    store.append([chunk(data=b"one", n_spans=2)])
    [first] = due(store)
    store.record_adapted([adapted(first, n_spans=2)])
    assert due(store) == []
    store.append([chunk(arrived=900, data=b"two", has_root=False)])
    [again] = due(store)
    assert (again.chunks, again.revision, again.adapted_spans, again.complete) == ((b"one", b"two"), 1, 2, True)


def test_a_chunk_that_comes_while_its_trace_is_adapted_is_not_forgotten(store: Store) -> None:
    store.append([chunk(data=b"one")])
    [first] = due(store)
    store.append([chunk(data=b"two")])
    store.record_adapted([adapted(first)])
    assert store.totals().adapted == 1
    assert store.totals().pending == 1
    assert due(store)[0].chunks == (b"one", b"two")


def test_totals_follow_a_trace_from_one_outcome_to_another(store: Store) -> None:
    store.append([chunk(n_spans=3)])
    [first] = due(store)
    store.record_adapted([adapted(first, outcome="malformed", n_spans=0)])
    assert (store.totals().malformed, list(store.malformed())) == (3, [(A, 2000, "bad")])
    store.append([chunk(n_spans=2)])
    [again] = due(store)
    store.record_adapted([adapted(again, outcome="answer", n_spans=4, n_duplicates=1)])
    books = store.totals()
    assert (books.accepted, books.adapted, books.duplicate, books.malformed, books.pending) == (5, 4, 1, 0, 0)
    assert books.outcomes == {"answer": 1, "not_an_answer": 0, "malformed": 0}
    assert list(store.malformed()) == []


def test_a_result_older_than_what_is_recorded_changes_nothing(store: Store) -> None:
    store.append([chunk()])
    [first] = due(store)
    store.append([chunk()])
    [both] = due(store)
    store.record_adapted([adapted(both, outcome="not_an_answer")])
    store.record_adapted([adapted(first, answers=[stored()])])
    assert store.totals().not_an_answer == 2
    assert store.answer("a-1") is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trace_id": B}, "not in the store"),
        ({"upto_seq": 9}, "no chunk 9"),
        ({"n_duplicates": 2}, "cannot hold 2 copies in 1 spans"),
        ({"n_duplicates": -1}, "cannot hold -1 copies"),
    ],
)
def test_an_impossible_result_is_refused_and_nothing_of_its_batch_is_written(
    store: Store, change: dict[str, Any], message: str
) -> None:
    store.append([chunk(), chunk(C)])
    first, other = due(store)
    with pytest.raises(ValueError, match=message):
        store.record_adapted([adapted(other), adapted(first, **change)])
    assert len(due(store)) == 2


def test_one_trace_twice_in_a_batch_of_results_is_refused(store: Store) -> None:
    store.append([chunk()])
    [found] = due(store)
    with pytest.raises(ValueError, match="twice"):
        store.record_adapted([adapted(found), adapted(found)])
    assert due(store) == [found]


def test_only_the_newest_thousand_malformed_traces_are_kept(store: Store) -> None:
    store.append([chunk(n.to_bytes(16, "big"), arrived=n) for n in range(1, 1102)])
    for at, trace in enumerate(due(store, limit=2000, now=10_000)):
        if at % 100 == 0:
            batch = []
        batch.append(adapted(trace, outcome="malformed", at=at, reason="r" * 9000))
        if at % 100 == 99 or at == 1100:
            store.record_adapted(batch)
    kept = list(store.malformed(limit=2000))
    assert [at for _, at, _ in kept] == list(range(1100, 100, -1))
    assert len(kept[0][2]) == 500


def test_an_answer_comes_back_as_it_was_stored(store: Store) -> None:
    with_answer(store, question="Wie hoch?", answer="180 €", passages=(), context=None, versions={"app": "3"})
    row = store.answer("a-1")
    assert row.stored == stored(question="Wie hoch?", answer="180 €", passages=(), versions={"app": "3"})
    assert (row.arrived, row.evaluation, row.seq) == (100, None, 1)
    assert store.answer("a-2") is None


def test_answers_out_of_the_sample_wait_for_no_scorer(store: Store) -> None:
    with_answer(store, sampled=False)
    assert store.pending_answers(limit=10) == []
    assert store.answer("a-1").stored.sampled is False


def test_a_higher_revision_replaces_an_answer_and_is_scored_again_but_counts_for_no_gate(store: Store) -> None:
    with_answer(store, answer="old")
    store.record_evaluations([evaluated()])
    assert store.pending_answers(limit=10) == []
    assert store.answer("a-1").evaluation == evaluated().evaluation
    with_answer(store, arrived=900, answer="new", revision=1)
    assert [row.answer.answer for row in store.pending_answers(limit=10)] == ["new"]
    assert store.answer("a-1").evaluation is None
    store.record_evaluations([evaluated(revision=1, scored_at=4000)])
    assert [(row.evaluation.revision, row.first) for row in store.evaluations_after(0, limit=10)] == [
        (0, True),
        (1, False),
    ]
    assert store.answer("a-1").scored_at == 4000


def test_the_evaluation_of_an_old_revision_does_not_take_the_new_one_off_the_list(store: Store) -> None:
    with_answer(store, answer="old")
    with_answer(store, arrived=900, answer="new", revision=1)
    store.record_evaluations([evaluated(revision=0)])
    assert [row.answer.revision for row in store.pending_answers(limit=10)] == [1]


def test_a_lower_revision_never_replaces_a_higher_one(store: Store) -> None:
    with_answer(store, answer="new", revision=1)
    with_answer(store, arrived=900, answer="old", revision=0)
    assert store.answer("a-1").stored.answer.answer == "new"


def test_the_same_answer_again_is_not_scored_again(store: Store) -> None:
    with_answer(store, flags=frozenset({"stitched", "incomplete_trace"}))
    store.record_evaluations([evaluated()])
    with_answer(store, arrived=900, flags=frozenset({"incomplete_trace", "stitched"}))
    assert store.pending_answers(limit=10) == []


def test_of_two_answers_with_one_id_in_a_batch_the_higher_revision_stays(store: Store) -> None:
    store.append([chunk()])
    [found] = due(store)
    store.record_adapted([adapted(found, answers=[stored(revision=1, answer="new"), stored(answer="old")])])
    assert store.answer("a-1").stored.answer.answer == "new"


def test_evaluations_come_back_in_order_with_everything(store: Store) -> None:
    with_answer(store)
    store.record_evaluations([evaluated(), evaluated("elsewhere")])
    first, second = store.evaluations_after(0, limit=10)
    assert first == replace(evaluated(), seq=1)
    assert [row.seq for row in store.evaluations_after(1, limit=10)] == [second.seq] == [2]
    assert len(store.evaluations_after(0, limit=1)) == 1


def test_answers_are_listed_newest_first_by_page_metric_and_slice(store: Store) -> None:
    for number, trace in enumerate((A, B, C)):
        name = "shop" if number else "o\"d'd"
        with_answer(store, trace, arrived=100, answer_id=f"a-{number}", slice_={"service": name, "region": "eu"})
    store.record_evaluations([evaluated("a-1")])

    def ids(**query: Any) -> list[str]:
        return [row.stored.answer.id for row in newest(store, **query)]

    assert ids() == ["a-2", "a-1", "a-0"]
    page = store.find_answers(AnswerFilter(), limit=2)
    assert (len(page.seqs), page.before) == (2, page.seqs[-1])
    assert ids(before=page.before) == ["a-0"]
    assert store.find_answers(AnswerFilter(), limit=3).before is None
    assert ids(metric="claim_support") == ["a-1"]
    assert ids(metric="other") == []
    assert ids(slice={"service": "shop", "region": "eu"}) == ["a-2", "a-1"]
    assert ids(slice={"service": "o\"d'd"}) == ["a-0"]
    assert ids(slice={"service": "SHOP"}) == ids(slice={"service": "shop", "region": "us"}) == []


def test_decisions_are_chained_and_any_change_breaks_the_chain_where_it_was_made(store: Store) -> None:
    def decision(at: int, slice_: dict[str, str] | None = None) -> Decision:
        return Decision(at=at, gate="g", slice=slice_ or {}, state="fail", previous_state=None, verdict='{"n":1}')

    store.save_checkpoint("gate:g", 4, b"one", [decision(1), decision(2, {"b": "2", "a": "1"})])
    store.save_checkpoint("gate:g", 5, b"two", [decision(3), replace(decision(4), gate="h", state="pass")])
    log = store.decisions()
    assert [(row.seq, row.at, dict(row.slice)) for row in log[:2]] == [(1, 1, {}), (2, 2, {"a": "1", "b": "2"})]
    assert verify(log).problem is None
    assert verify(log[1:]).broken == 1
    assert verify([]).problem is None
    for name, value in (("at", 9), ("state", "pass"), ("verdict", "{}"), ("hash", "0" * 64), ("previous_hash", "")):
        assert verify([*log[:2], replace(log[2], **{name: value}), log[3]]).broken == 3
    assert verify([log[0], *log[2:]]).broken == 2
    assert [row.at for row in store.decisions(gate="g", after=1, limit=1)] == [2]
    assert [row.at for row in store.last_decisions()] == [2, 3, 4]
    assert store.load_checkpoint("gate:g") == (5, b"two")
    assert store.load_checkpoint("gate:unknown") is None


def test_pending_says_what_waits_where_and_since_when(store: Store) -> None:
    store.append([chunk(A, arrived=300), chunk(B, arrived=200)])
    assert store.pending()["close"] == Pending(2, 200)
    with_answer(store, C, arrived=50)
    assert store.pending()["score"] == Pending(1, 50)
    store.record_evaluations([evaluated(), evaluated("other", scored_at=3500)])
    assert store.pending()["score"] == Pending(0, None)
    assert store.pending()["judge"] == Pending(0, None)
    store.save_checkpoint("gate:g", 1, b"")
    assert store.pending()["judge"] == Pending(1, 3500)


def test_pruning_removes_what_is_done_and_old_and_leaves_the_books(store: Store) -> None:
    with_answer(store, A, arrived=100)
    store.record_evaluations([evaluated()])
    store.append([chunk(B, arrived=100), chunk(C, arrived=800)])
    store.record_adapted([adapted(row, outcome="not_an_answer") for row in due(store) if row.trace_id == C])
    before = store.totals()
    removed = store.prune(chunks_before=500, answers_before=50, limit=100)
    assert removed == {
        "chunks": 1,
        "traces": 0,
        "answers": 0,
        "evaluations": 0,
        "external": 0,
        "labels": 0,
        "changes": 0,
    }
    assert store.answer("a-1") is not None
    removed = store.prune(chunks_before=900, answers_before=5000, limit=100)
    assert removed == {
        "chunks": 1,
        "traces": 2,
        "answers": 1,
        "evaluations": 1,
        "external": 0,
        "labels": 0,
        "changes": 0,
    }
    assert store.totals() == before
    assert [row.trace_id for row in due(store)] == [B]
    assert not any(store.prune(chunks_before=5000, answers_before=5000, limit=100).values())
    assert store.timeline_after(0, limit=9) == ([], 1)


def test_what_evaluations_have_in_common_is_kept_once_and_as_long_as_one_of_them(store: Store, tmp_path: Path) -> None:
    def contexts() -> int:
        with closing(sqlite3.connect(tmp_path / "data" / "groundwire.db")) as database:
            return int(database.execute("SELECT count(*) FROM contexts").fetchone()[0])

    store.record_evaluations([evaluated("a"), evaluated("b", scored_at=7000)])
    store.record_evaluations([replace(evaluated("c"), slice={"service": "desk"})])
    assert contexts() == 2
    store.save_checkpoint("gate:g", 3, b"")
    store.prune(chunks_before=0, answers_before=5000, limit=100)
    assert contexts() == 2
    store.prune(chunks_before=0, answers_before=8000, limit=100)
    assert contexts() == 0


def test_pruning_never_removes_what_waits_to_be_scored_or_judged(store: Store) -> None:
    with_answer(store, A, answer_id="unscored")
    with_answer(store, B, answer_id="unjudged")
    with_answer(store, C, answer_id="done")
    store.record_evaluations([evaluated("done"), evaluated("unjudged", scored_at=3001)])
    store.save_checkpoint("gate:g", 1, b"")
    removed = store.prune(chunks_before=9000, answers_before=9000, limit=100)
    assert removed["answers"] == removed["evaluations"] == 1
    assert [row.stored.answer.id for row in newest(store)] == ["unjudged", "unscored"]
    assert [row.evaluation.answer_id for row in store.evaluations_after(0, limit=10)] == ["unjudged"]


def test_a_late_span_of_a_pruned_trace_does_not_replace_its_answer(store: Store) -> None:
    store.append([chunk(n_spans=12)])
    [first] = due(store)
    store.record_adapted([adapted(first, answers=[stored(answer="whole")], n_spans=12)])
    store.prune(chunks_before=500, answers_before=0, limit=100)
    store.append([chunk(arrived=900, n_spans=1)])
    [late] = due(store)
    assert (late.adapted_spans, late.revision, len(late.chunks)) == (12, 1, 1)
    store.record_adapted([adapted(late, answers=[stored(answer="part", revision=1)], outcome="answer")])
    assert store.answer("a-1").stored.answer.answer == "whole"
    assert store.totals().adapted == 13
    assert due(store) == []


def test_sequence_numbers_go_on_after_everything_was_pruned(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.append([chunk()])
    store.record_adapted([adapted(row, outcome="not_an_answer") for row in due(store)])
    store.prune(chunks_before=500, answers_before=500, limit=100)
    store.close()
    store = open_store(tmp_path)
    store.append([chunk()])
    assert due(store)[0].upto_seq == 2
    store.close()


def test_many_threads_read_and_write_at_once(store: Store) -> None:
    barrier = threading.Barrier(8)

    def work(number: int) -> None:
        barrier.wait()
        for step in range(10):
            store.append([chunk(bytes([number]) * 16, n_spans=1 + step % 2)])
            store.totals()
            due(store)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(1, 9)))
    assert store.totals().accepted == 8 * 15
    assert [len(row.chunks) for row in due(store)] == [10] * 8


def test_a_closed_store_refuses_every_call_and_may_be_closed_again(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.close()
    store.close()
    with pytest.raises(RuntimeError, match="closed"):
        store.append([chunk()])
    with pytest.raises(RuntimeError, match="closed"):
        store.totals()


def test_what_cannot_be_written_is_transient_and_leaves_nothing_behind(store: Store, tmp_path: Path) -> None:
    store.append([chunk()])
    database = sqlite3.connect(tmp_path / "data" / DATABASE)
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.close()
    with store._connections._writer.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(Transient, match="full"):
        store.append([chunk(B, n_spans=5, data=b"x" * 100_000)])
    assert store.totals().accepted == 1
    with store._connections._writer.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    store.append([chunk(B)])
    assert store.totals().accepted == 2


def test_a_second_agent_on_one_directory_is_told_who_owns_it(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with pytest.raises(ConfigError, match=rf"in use by another agent \(process {os.getpid()}\)"):
        open_store(tmp_path)
    store.close()
    open_store(tmp_path).close()


def test_the_data_directory_is_private(tmp_path: Path) -> None:
    open_store(tmp_path / "deep" / "data").close()
    assert (tmp_path / "deep" / "data").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"not a database, but long enough to look at" * 100, b"SQLite format 3\0broken"])
def test_a_file_that_is_no_store_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / DATABASE).write_bytes(content)
    with pytest.raises(ConfigError, match=DATABASE):
        open_store(tmp_path)


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"file/data: Not a directory"):
        open_store(tmp_path / "file" / "data")


def test_a_database_that_is_not_a_directory_is_refused() -> None:
    with pytest.raises(ConfigError, match="postgresql:// is not supported"):
        open_store("postgresql://user:secret@host/db")


CRASH = """
    import sys
    from collector.store.rows import Chunk
    from collector.store.sqlite import open_store
    store = open_store(sys.argv[1])
    for number in range(1, 1_000_000):
        store.append([Chunk(number.to_bytes(16, "big"), number, 3, True, b"x" * 3000)])
        print(number, flush=True)
"""


@pytest.mark.parametrize("after", [1, 40, 150])
def test_what_was_appended_survives_sigkill(tmp_path: Path, after: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CRASH), str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        for line in writer.stdout:
            if int(line) == after:
                writer.send_signal(signal.SIGKILL)
                break
        rest = writer.stdout.read().split("\n")[:-1]
    acknowledged = int(rest[-1]) if rest else after
    store = open_store(tmp_path)
    found = due(store, now=1 << 60, limit=1_000_000, limit_bytes=1 << 40)
    store.close()
    # At most one commit can have been made without its number having been printed.
    assert len(found) in {acknowledged, acknowledged + 1}
    assert {int.from_bytes(row.trace_id, "big") for row in found} == set(range(1, len(found) + 1))
