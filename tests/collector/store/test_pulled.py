"""What a source brought is stored with its cursor, or not at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from adapters.schema import Answer
from collector.store.pulled import CHARACTERS, KEPT
from collector.store.rows import Chunk, Pulled, StoredAnswer, UnreadRecord
from collector.store.sqlite import DATABASE, open_store
from collector.store.store import Store
from tests.stored import newest

TRACE = bytes(range(16))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "data")
    yield opened
    opened.close()


def line(answer_id: str = "a-1", *, sampled: bool = True, **fields: object) -> StoredAnswer:
    return StoredAnswer(Answer.model_validate({"id": answer_id, **fields}), {"service": "shop"}, 0.5, sampled)


def test_a_batch_brings_its_chunks_answers_and_unread_records_and_moves_the_cursor(store: Store) -> None:
    assert store.cursor("files") is None
    fresh = store.append_pulled(
        Pulled(
            "files",
            b"after",
            500,
            chunks=[Chunk(TRACE, 500, 3, True, b"spans")],
            answers=[line("a-1"), line("a-2", sampled=False, trace_id=TRACE.hex())],
            malformed=[UnreadRecord("not JSON", "log.jsonl:3")],
        )
    )
    assert fresh == {"a-1", "a-2"}
    assert store.cursor("files") == b"after"
    assert store.totals().accepted == 3
    assert store.totals().records_by == {"answer": 2, "repeated": 0, "malformed": 1}
    assert [stored.answer.id for stored in store.pending_answers(limit=9)] == ["a-1"]
    assert store.malformed_records("files") == [(500, UnreadRecord("not JSON", "log.jsonl:3"))]
    assert store.malformed_records("phoenix") == []


def test_an_answer_that_comes_again_is_left_alone_and_a_changed_one_is_scored_again(store: Store) -> None:
    store.append_pulled(Pulled("files", b"1", 500, answers=[line(answer="one")]))
    assert store.append_pulled(Pulled("files", b"2", 600, answers=[line(answer="one")])) == frozenset()
    assert store.append_pulled(Pulled("files", b"3", 700, answers=[line(answer="two", revision=1)])) == frozenset()
    assert store.append_pulled(Pulled("files", b"4", 800, answers=[line(answer="old")])) == frozenset()
    [row] = newest(store)
    assert (row.stored.answer.answer, row.arrived) == ("two", 500)
    assert store.totals().records_by == {"answer": 1, "repeated": 3, "malformed": 0}


def test_what_cannot_be_written_leaves_the_cursor_where_it_was(store: Store, tmp_path: Path) -> None:
    store.append_pulled(Pulled("files", b"before", 1))
    other = sa.create_engine(f"sqlite:///{tmp_path / 'data' / DATABASE}")
    with other.connect() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER full BEFORE UPDATE ON cursors BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END"
        )
    other.dispose()
    with pytest.raises(sa.exc.IntegrityError):
        store.append_pulled(Pulled("files", b"after", 2, chunks=[Chunk(TRACE, 2, 1, True, b"")], answers=[line()]))
    assert store.cursor("files") == b"before"
    assert (store.totals().accepted, store.totals().records) == (0, 0)
    assert newest(store) == []


def test_a_cursor_may_move_alone(store: Store) -> None:
    store.set_cursor("write_back", b"1", at=1)
    store.set_cursor("write_back", b"2", at=2)
    assert store.cursor("write_back") == b"2"


def test_answers_are_found_by_id_and_unknown_ones_are_left_out(store: Store) -> None:
    store.append_pulled(Pulled("files", b"1", 1, answers=[line(f"a-{n}") for n in range(1200)]))
    found = store.answers_by_id([f"a-{n}" for n in range(1100)] + ["b"])
    assert len(found) == 1100
    assert found["a-7"] == line("a-7")
    assert store.answers_by_id([]) == {}


def test_only_the_newest_unread_records_are_kept_and_each_once(store: Store) -> None:
    store.append_pulled(Pulled("old", b"", 1, malformed=[UnreadRecord("bad", str(n)) for n in range(10)]))
    many = [UnreadRecord("x" * 2 * CHARACTERS, f"line {n}") for n in range(KEPT - 5)]
    store.append_pulled(Pulled("new", b"", 2, malformed=many))
    store.append_pulled(Pulled("new", b"", 3, malformed=many[:1]))
    assert len(store.malformed_records("old", limit=2 * KEPT)) == 5
    store.append_pulled(Pulled("odd", b"", 1, malformed=[UnreadRecord("\ud800", "\0")]))
    kept = store.malformed_records("new", limit=2 * KEPT)
    assert len(kept) == KEPT - 5
    assert kept[0] == (3, UnreadRecord("x" * CHARACTERS, "line 0"))


def test_an_answer_that_was_pulled_is_pruned_when_it_is_done_and_old(store: Store) -> None:
    store.append_pulled(Pulled("files", b"1", 10, answers=[line(sampled=False)]))
    assert store.prune(chunks_before=100, answers_before=100, limit=9)["answers"] == 1
    assert store.totals().records_by["answer"] == 1
