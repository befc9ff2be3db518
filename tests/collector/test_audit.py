"""The proof of the decision log: of a store, while its agent runs, and of an export."""

import io
import json
import sqlite3
import subprocess
import sys

import pytest

from collector.commands.audit import audit, export
from collector.errors import ConfigError
from collector.store.chain import hash_of
from collector.store.log import exported_log
from collector.store.rows import Decision
from collector.store.sqlite import DATABASE, open_store

NOON = 1_780_000_000_123_456_789
COMMAND = [sys.executable, "-P", "-m", "collector.cli", "audit"]


def decide(store, n, *, start=0):
    for i in range(start, start + n):
        state, before = ("fail", "pass") if i % 2 else ("pass", None if i == 0 else "fail")
        store.save_checkpoint(
            "gate:g",
            i,
            b"",
            [Decision(NOON + i, "g", {"d": "é\u2028"}, state, before, '{"x": 1e-7}', record='{"y": 1}')],
        )


@pytest.fixture
def data(tmp_path):
    store = open_store(tmp_path / "data")
    decide(store, 6)
    store.close()
    return tmp_path / "data"


def audited(data, *, file=None, head=None):
    out = io.StringIO()
    code = audit(data=data, file=file, head=head, as_json=True, out=out)
    told = json.loads(out.getvalue())
    assert (code == 0) == told["whole"]
    return told


def change(data, statement, *values):
    database = sqlite3.connect(data / DATABASE)
    with database:
        database.execute(statement, values)
    database.close()


def test_a_log_that_nobody_touched_is_whole(data):
    told = audited(data)
    assert (told["whole"], told["rows"], told["last"]) == (True, 6, 6)
    assert len(told["head"]) == 64


def test_a_store_without_decisions_is_whole(tmp_path):
    open_store(tmp_path / "data").close()
    assert audited(tmp_path / "data")["rows"] == 0


@pytest.mark.parametrize(
    ("statement", "row"),
    [
        ("UPDATE decisions SET state = 'pass' WHERE seq = 4", 4),
        ("UPDATE decisions SET verdict = '{\"x\":1e-7}' WHERE seq = 3", 3),
        ("UPDATE decisions SET record = NULL WHERE seq = 2", 2),
        ("UPDATE decisions SET record = '{}' WHERE seq = 6", 6),
        ("UPDATE decisions SET at = at + 1 WHERE seq = 1", 1),
        ("UPDATE decisions SET slice = '{}' WHERE seq = 5", 5),
        ("UPDATE decisions SET slice = '{' WHERE seq = 5", 5),
        ("UPDATE decisions SET previous_state = NULL WHERE seq = 5", 5),
        ("UPDATE decisions SET hash = previous_hash WHERE seq = 5", 5),
        ("DELETE FROM decisions WHERE seq = 3", 3),
        ("DELETE FROM decisions WHERE seq = 1", 1),
        ("DELETE FROM decisions WHERE seq = 6", 6),
        ("DELETE FROM decisions", 1),
        ("UPDATE decisions SET seq = 9 WHERE seq = 6", 6),
    ],
)
def test_whatever_is_done_to_a_row_the_first_broken_one_is_named(data, statement, row):
    change(data, statement)
    told = audited(data)
    assert (told["whole"], told["broken"], told["last"]) == (False, row, row - 1)
    assert told["problem"]


def test_a_row_made_up_with_a_right_hash_does_not_follow_from_the_one_before(data):
    forged = Decision(NOON, "g", {}, "pass", None, "{}", seq=4, previous_hash="0" * 64)
    change(
        data,
        "UPDATE decisions SET at=?, slice='{}', state='pass', previous_state=NULL, verdict='{}', record=NULL,"
        " previous_hash=?, hash=? WHERE seq = 4",
        forged.at,
        forged.previous_hash,
        hash_of(forged),
    )
    assert audited(data)["broken"] == 4


def test_a_log_written_anew_from_the_start_is_told_by_the_head_of_before(data, tmp_path):
    head = audited(data)["head"]
    assert audited(data, head=head)["whole"]
    anew = open_store(tmp_path / "anew")
    decide(anew, 8, start=1)
    anew.close()
    assert audited(tmp_path / "anew")["whole"]
    assert head in audited(tmp_path / "anew", head=head)["problem"]


def test_the_head_of_before_is_still_there_when_the_log_has_grown(data):
    head = audited(data)["head"]
    store = open_store(data)
    decide(store, 2, start=6)
    store.close()
    assert audited(data, head=head)["rows"] == 8


@pytest.fixture
def lines(data, tmp_path):
    out = io.StringIO()
    assert export(data=data, out=out) == 0
    file = tmp_path / "log.jsonl"
    file.write_text(out.getvalue())
    return file


def test_an_export_proves_the_same(data, lines):
    assert audited(data, file=lines) == audited(data) | {"log": str(lines)}
    rows = list(exported_log(lines.read_bytes().splitlines()))
    assert [row.seq for row in rows] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("spoil", "row"),
    [
        (lambda rows: [*rows[:2], rows[2].replace('"fail"', '"pass"', 1), *rows[3:]], 3),
        (lambda rows: rows[:3] + rows[4:], 4),
        (lambda rows: rows[1:], 1),
        (lambda rows: [rows[1], rows[0], *rows[2:]], 1),
        (lambda rows: [*rows[:3], rows[2], *rows[3:]], 4),
        (lambda rows: [*rows[:2], "{", *rows[3:]], 3),
        (lambda rows: [*rows[:2], "[]", *rows[3:]], 3),
        (lambda rows: [*rows[:2], "null", *rows[3:]], 3),
        (lambda rows: [*rows[:2], '{"seq": true}', *rows[3:]], 3),
        (lambda rows: [*rows[:2], "[" * 100_000, *rows[3:]], 3),
        (lambda rows: [*rows[:5], rows[5][:-40]], 6),
    ],
)
def test_an_export_that_was_changed_names_the_first_broken_row(data, lines, spoil, row):
    lines.write_text("\n".join(spoil(lines.read_text().splitlines())))
    told = audited(data, file=lines)
    assert (told["whole"], told["broken"]) == (False, row)


def test_an_export_cut_off_between_rows_is_told_by_the_head(data, lines):
    head = audited(data)["head"]
    lines.write_text("\n".join(lines.read_text().splitlines()[:4]))
    assert audited(data, file=lines)["rows"] == 4
    assert not audited(data, file=lines, head=head)["whole"]


def test_a_store_of_before_there_were_records_is_proved_too(data):
    change(data, "DELETE FROM decisions")
    change(data, "UPDATE books SET decision_seq = 0")
    store = open_store(data)
    store.save_checkpoint("gate:g", 9, b"", [Decision(NOON, "g", {}, "fail", None, "{}")])
    store.close()
    change(data, "ALTER TABLE decisions DROP COLUMN record")
    assert audited(data)["rows"] == 1


def test_what_is_no_store_and_no_file_is_no_log(tmp_path):
    with pytest.raises(ConfigError, match="no store in this directory"):
        audited(tmp_path)
    (tmp_path / DATABASE).write_bytes(b"not a database, but long enough to look like one" * 100)
    with pytest.raises(ConfigError, match="not a database"):
        audited(tmp_path)
    with pytest.raises(ConfigError, match="cannot be read"):
        audited(tmp_path, file=tmp_path / "none.jsonl")


def test_a_store_that_may_only_be_read_is_proved_and_left_alone(data):
    before = {name: (data / name).stat().st_mtime_ns for name in (DATABASE, "lock")}
    data.chmod(0o500)
    try:
        assert audited(data)["rows"] == 6
    finally:
        data.chmod(0o700)
    assert {name: (data / name).stat().st_mtime_ns for name in before} == before


def run(*arguments):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.slow
def test_the_exit_code_tells_whole_from_broken_from_nothing_to_read_while_an_agent_has_the_store(data, tmp_path):
    store = open_store(data)
    decide(store, 2, start=6)
    done = run("verify", "--data", str(data))
    assert done.returncode == 0
    assert done.stdout.startswith(f"{data}: intact, 8 rows, head ")
    exported = run("export", "--data", str(data))
    assert (exported.returncode, len(exported.stdout.splitlines())) == (0, 8)
    decide(store, 1, start=8)
    store.close()
    change(data, "UPDATE decisions SET state = 'pass' WHERE seq = 2")
    done = run("verify", "--data", str(data))
    assert done.returncode == 1
    assert "broken at row 2: its content was changed after it was written" in done.stdout
    file = tmp_path / "log.jsonl"
    file.write_text(exported.stdout)
    assert run("verify", str(file)).returncode == 0
    assert run("verify", "--data", str(tmp_path / "none")).returncode == 2
    assert not (tmp_path / "none").exists()
