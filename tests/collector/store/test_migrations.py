"""Migrations lead from nothing to the tables as they are declared, and never backwards."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import orjson
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from structlog.testing import capture_logs

from adapters.schema import Answer
from collector.errors import ConfigError
from collector.external.judged import judged
from collector.store.columns import EvaluationContext
from collector.store.migrate import NEWEST, step_up, upgrade
from collector.store.rows import AnswerFilter, AnswerPage, Chunk, Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import DATABASE, open_store
from collector.store.tables import metadata
from gates.inputs.observations import cluster_code
from scorers.base import Evaluation, Score


def schema(connection: sa.Connection) -> dict[str, str]:
    """Every table and index as SQLite remembers it, regardless of white space."""
    rows = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name != 'alembic_version'"
    )
    return {name: re.sub(r"\s+", " ", sql.replace('"', "")) for name, sql in rows}


@pytest.fixture
def empty() -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def rows(connection: sa.Connection) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    names = [name for (name,) in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {name}")] for name in names}


def test_the_steps_from_nothing_give_the_declared_tables(empty: sa.Connection) -> None:
    step_up(empty, "here", current=None)
    assert compare_metadata(MigrationContext.configure(empty, opts={"compare_type": True}), metadata) == []
    declared = sa.create_engine("sqlite://")
    with declared.begin() as connection:
        metadata.create_all(connection)
        assert schema(empty) == schema(connection)
    declared.dispose()


def test_a_new_store_is_what_the_steps_from_nothing_give(empty: sa.Connection) -> None:
    upgrade(empty, "here")
    stepped = sa.create_engine("sqlite://")
    with stepped.begin() as connection:
        step_up(connection, "here", current=None)
        assert schema(empty) == schema(connection)
        assert rows(empty) == rows(connection)
        assert MigrationContext.configure(empty).get_current_revision() == NEWEST
    stepped.dispose()


def test_migrating_twice_changes_nothing(empty: sa.Connection) -> None:
    upgrade(empty, "here")
    before = schema(empty)
    upgrade(empty, "here")
    assert schema(empty) == before
    assert empty.exec_driver_sql("SELECT count(*) FROM books").scalar_one() == 1


def test_a_store_of_the_first_version_keeps_everything(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / DATABASE}")
    with engine.begin() as connection:
        step_up(connection, "here", current=None, to="0001")
        assert "cursors" not in schema(connection)
        connection.exec_driver_sql("UPDATE books SET chunk_seq = 7, accepted = 4, spans_answer = 1")
        connection.exec_driver_sql("INSERT INTO chunks VALUES (7, x'01', 100, 3, x'0203')")
        connection.exec_driver_sql(
            "INSERT INTO traces"
            " (trace_id, first_arrived, last_arrived, waiting_since, has_root, last_seq, spans, bytes)"
            " VALUES (x'01', 100, 100, 100, 1, 7, 3, 2)"
        )
    engine.dispose()
    with closing(open_store(tmp_path)) as store:
        books = store.totals()
        assert (books.accepted, books.adapted, books.pending, books.records) == (4, 1, 3, 0)
        assert [row.chunks for row in store.due(now=1 << 60, idle=0, timeout=0, limit=9, limit_bytes=99)] == [
            (b"\x02\x03",)
        ]
        store.append([Chunk(b"\x02", 200, 1, True, b"")])
        assert store.append_pulled(Pulled("files", b"at", 300)) == frozenset()
        assert (store.totals().accepted, store.cursor("files")) == (5, b"at")
    engine = sa.create_engine(f"sqlite:///{tmp_path / DATABASE}")
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT chunk_seq FROM books").scalar_one() == 8
    engine.dispose()


def test_gates_read_the_evaluations_of_an_earlier_version(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / DATABASE}")
    rows = [
        (1, "a", 1, 0, None, '{"x": 0.5}', None, None),
        (2, "b", 1, 0, "s1", '{"x": 1, "y": 0.25}', "candidate", 0.1),
        (3, "b", 0, 0, "s1", '{"x": 0}', None, None),
        (4, "c", 1, 1, None, '{"x": 0}', None, None),
    ]
    with engine.begin() as connection:
        step_up(connection, "here", current=None, to="0003")
        for seq, name, first, late, cluster, values, arm, share in rows:
            connection.exec_driver_sql(
                "INSERT INTO evaluations VALUES"
                ' (?, ?, ?, 3000, 9000, ?, \'{"s": "é"}\', 0.5, ?, \'{"app": "1"}\', ?, x\'\', ?, ?, ?)',
                (seq, name, seq, first, cluster, values, late, arm, share),
            )
        connection.exec_driver_sql("UPDATE books SET evaluation_seq = 4")
    engine.dispose()
    evaluation = Evaluation(answer_id="d", revision=0, scores=(Score(metric="x", value=1), Score(metric="y", value=0)))
    with closing(open_store(tmp_path)) as store:
        store.record_evaluations([StoredEvaluation(evaluation, 4000, 9000, {"s": "é"}, 0.5, "s1", {"app": "1"})])
        (found,), end = store.timeline_after(0, limit=9)
    assert (end, found.seq.tolist(), found.at_us.tolist()) == (5, [1, 2, 5], [3, 3, 4])
    assert [each.tolist() for each in found.values("y")] == [[1, 2], [0.25, 0.0]]
    assert found.values("x")[1].tolist() == [0.5, 1.0, 1.0]
    assert found.cluster.tolist() == [0, cluster_code("s1"), cluster_code("s1")]
    assert (found.arm.tolist(), found.share.tolist()) == ([0, 2, 0], [0.0, 0.1, 0.0])
    assert found.contexts == (EvaluationContext((("s", "é"),), (("app", "1"),), ("x", "y")),)


def test_answers_of_an_earlier_version_are_listed_and_the_log_says_what_takes_long(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / DATABASE}")
    with engine.begin() as connection:
        step_up(connection, "here", current=None, to="0004")
        for seq, service, pending in ((1, "desk", 0), (2, "shop", 1), (3, "desk", 1)):
            connection.exec_driver_sql(
                "INSERT INTO answers VALUES (?, ?, x'', 0, 100, ?, 1.0, 1, ?, NULL, ?, 0)",
                (seq, f"a-{seq}", f'{{"service": "{service}"}}', pending, f'{{"id": "a-{seq}"}}'.encode()),
            )
    engine.dispose()
    with capture_logs() as logs, closing(open_store(tmp_path)) as store:
        assert store.find_answers(AnswerFilter(slice={"service": "desk"}), limit=9) == AnswerPage((3, 1), None)
        assert [row.answer.id for row in store.pending_answers(limit=9)] == ["a-2", "a-3"]
    assert [(entry["event"].split(";")[0], entry.get("step")) for entry in logs] == [
        ("upgrading the store", "0004"),
        ("store upgraded", None),
    ]
    with capture_logs() as logs:
        open_store(tmp_path).close()
        open_store(tmp_path / "new").close()
    assert logs == []


def test_scores_that_wait_in_an_earlier_version_go_on_waiting(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / DATABASE}")
    waits = {"metric": "external.tone", "value": 1.0, "probability": 1.0, "source": "api", "at": 1, "recorded_at": 2}
    with engine.begin() as connection:
        step_up(connection, "here", current=None, to="0007")
        connection.exec_driver_sql(
            "INSERT INTO external_waiting VALUES (x'01', 'a', 2, ?)",
            (orjson.dumps(waits | {"answer_id": "a", "trace_id": "", "span_id": ""}),),
        )
    engine.dispose()
    with closing(open_store(tmp_path)) as store:
        assert store.external_waiting() == 1
        store.append_pulled(Pulled("files", b"", 100, answers=[StoredAnswer(Answer(id="a"), {}, 1.0, True)]))
        assert [each.outcome for each in store.match_external(judged, before=0, limit=9)] == ["stored"]


def test_a_store_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / DATABASE}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        before = schema(connection)
    with pytest.raises(ConfigError, match=r"groundwire\.db: .*newer version of groundwire \(schema 9999"):
        open_store(tmp_path)
    with engine.begin() as connection:
        assert schema(connection) == before
    engine.dispose()
