"""No statement of the store walks through all answers, evaluations, traces or chunks: there may be millions of them."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.schema import Answer
from collector.external.judged import judged
from collector.store.rows import AnswerFilter, Chunk, ExternalRow, Pulled, StoredAnswer
from collector.store.sqlite import open_store
from collector.store.store import Store

TABLES = ("answers", "evaluations", "scored", "labels", "traces", "chunks", "responses")
LARGE = tuple(f"SCAN {table}" for table in TABLES)
SCORE = ExternalRow(
    metric="external.m", value=1, probability=1, source="api", at=1, recorded_at=1, trace_id="t", response_id="r"
)
WAITING = ("ix_answers_pending", "ix_traces_waiting", "ix_traces_waiting_since")
"""Indexes of the rows that wait alone; to walk through them is what they are for."""
READS: dict[str, Callable[[Store], object]] = {
    "due": lambda store: store.due(now=9, idle=1, timeout=1, limit=1, limit_bytes=1),
    "newest_traces": lambda store: store.newest_traces(limit=1, limit_bytes=1),
    "pending_answers": lambda store: store.pending_answers(limit=1),
    "pending": lambda store: store.pending(),
    "backlog": lambda store: store.backlog(now=9, idle=1, timeout=1),
    "evaluations_after": lambda store: store.evaluations_after(1, limit=1),
    "evaluations_waiting": lambda store: store.evaluations_waiting(1),
    "timeline_after": lambda store: store.timeline_after(1, limit=1),
    "labels": lambda store: store.labels(after=1, limit=1),
    "labels_of": lambda store: store.labels_of([1, 2]),
    "traffic": lambda store: store.traffic(arrived_from=0, arrived_before=1),
    "answer": lambda store: store.answer("a"),
    "answers": lambda store: store.answers([1, 2]),
    "answers_after": lambda store: store.answers_after(1, limit=1),
    "answers_by_id": lambda store: store.answers_by_id(["a"]),
    "find by slice": lambda store: store.find_answers(AnswerFilter(slice={"s": "x"}), limit=1),
    "find by value": lambda store: store.find_answers(AnswerFilter(metric="m", low=0), limit=1),
    "worst": lambda store: store.worst("m", {"s": "x"}, highest=True, rows=9, limit=1),
    "judged": lambda store: store.judged("m", {"s": "x"}, after=0, before=None, rows=9, limit=1),
    "record_external": lambda store: store.record_external([SCORE], judged),
    "match_external": lambda store: store.match_external(judged, before=1, limit=1),
    "prune": lambda store: store.prune(chunks_before=1, answers_before=1, limit=1),
}


def plans(store: Store, read: Callable[[Store], object]) -> dict[str, list[str]]:
    """Return how SQLite goes about each statement that ``read`` executes."""
    found: dict[str, list[str]] = {}

    def explain(_conn: Any, cursor: Any, statement: str, parameters: Any, _context: Any, many: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")):
            told = cursor.connection.cursor()
            rows = told.execute(f"EXPLAIN QUERY PLAN {statement}", parameters[0] if many else parameters)
            found[statement] = [row[-1] for row in rows.fetchall()]

    assert isinstance(store, Store)
    engines = [store._connections._writer, store._connections._readers]
    for engine in engines:
        sa.event.listen(engine, "before_cursor_execute", explain)
    read(store)
    for engine in engines:
        sa.event.remove(engine, "before_cursor_execute", explain)
    return found


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with closing(open_store(tmp_path_factory.mktemp("data"))) as opened:
        stored = StoredAnswer(Answer(id="a", question="q", response_ids=("r-1",)), {"s": "x"}, 1.0, True)
        opened.append_pulled(Pulled("files", b"", 1, answers=[stored]))
        opened.append([Chunk(b"t", 1, 1, has_root=True, data=b"")])
        yield opened


@pytest.mark.parametrize("name", READS)
def test_no_large_table_is_walked_through(store: Store, name: str) -> None:
    found = plans(store, READS[name])
    assert found
    for statement, plan in found.items():
        assert [step for step in plan if step.startswith(LARGE) and not step.endswith(WAITING)] == [], statement


def test_where_no_trace_waits_one_statement_says_so(tmp_path: Path) -> None:
    with closing(open_store(tmp_path)) as opened:
        [[step]] = plans(opened, READS["due"]).values()
    assert step == "SEARCH traces USING INDEX ix_traces_waiting (has_root=?)"


def test_a_filter_by_slice_reads_the_index_and_no_answer(store: Store) -> None:
    (plan,) = [plan for statement, plan in plans(store, READS["find by slice"]).items() if "JSON" in statement]
    assert plan == ["SEARCH answers USING COVERING INDEX ix_answers_listed (seq>? AND seq<?)"]


def test_a_gate_with_few_decisions_is_read_without_those_of_others(tmp_path: Path) -> None:
    with closing(open_store(tmp_path)) as opened:
        found = plans(opened, lambda store: store.decisions(gate="g", after=0, newest_first=True))
    assert [step for plan in found.values() for step in plan if "gate=?" in step]
