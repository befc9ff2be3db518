"""A store that was set back is consistent, and says so only with the mark beside it."""

import io
import json
import shutil
import sqlite3

import pytest

from collector.agent.check import check
from collector.commands.audit import acknowledge, audit
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.store.mark import MARK, NOTE
from collector.store.sqlite import DATABASE, open_store
from tests.collector.store.test_store import chunk, with_answer
from tests.collector.test_audit import decide
from tests.command import command, one_object

NOON = 1_780_000_000_000_000_000


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def attended(data, at=NOON):
    store = open_store(data)
    store.upkeep.begin(at)
    return store


def closed(store, at=NOON):
    store.upkeep.write_mark(at)
    store.close()


def set_back(data):
    """Leave a store that has lost all but the first of three chunks, the answer and the last two decisions."""
    store = attended(data)
    store.append([chunk()])
    decide(store, 1)
    closed(store)
    shutil.copy(data / DATABASE, data.parent / "old")
    store = attended(data)
    with_answer(store, trace=b"b" * 16)
    store.append([chunk(b"c" * 16)])
    decide(store, 2, start=1)
    closed(store)
    shutil.copy(data.parent / "old", data / DATABASE)


def verified(data):
    out = io.StringIO()
    code = audit(data=data, file=None, head=None, as_json=False, out=out)
    return code, out.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        '{"at": 1, "position": {"chunk_seq": "x"}}',
        '{"at": 1, "position": {"decision_seq": [1]}}',
        '{"at": 1, "position": {"answer_seq": null}}',
        '{"at": 1, "position": {"answer_seq": 1.5}}',
        '{"at": 1, "position": {"head": 5}}',
        '{"at": 1e400, "position": {}}',
        f'{{"at": 1{"0" * 40}, "position": {{"chunk_seq": 5}}}}',
        "[" * 200_000,
    ],
)
def test_a_mark_of_whatever_values_keeps_no_agent_from_starting(data, text):
    closed(attended(data))
    (data / MARK).write_text(text)
    assert verified(data)[0] != 0
    store = attended(data)
    assert "unknown which" in store.health.rewound
    closed(store)


def test_a_note_of_losses_that_is_none_is_refused_by_its_name(data):
    closed(attended(data))
    (data / NOTE).write_text('{"rewinds": [{"found_at": 1, "missing": 5}]}')
    store = open_store(data)
    with pytest.raises(ConfigError, match=NOTE):
        store.upkeep.begin(NOON)
    store.close()


def test_a_store_that_lost_nothing_has_nothing_to_tell(data):
    for _ in range(2):
        store = attended(data)
        store.append([chunk()])
        assert store.health.warnings() == ()
        closed(store)
    assert verified(data)[0] == 0


def test_an_old_copy_is_told_with_what_it_lacks_and_stays_so_until_it_is_acknowledged(data):
    set_back(data)
    code, text = verified(data)
    assert code == 1
    lost = (
        "the store has lost rows: 2 chunks of spans (numbers 2 to 3), 1 answer (number 1), "
        "2 decisions (numbers 2 to 3); the store was complete at 2026-05-28T20:26:40Z"
    )
    assert lost in text
    assert "groundwire audit acknowledge" in text
    store = attended(data)
    assert store.health.warnings() == (lost,)
    assert store.health.problems() == ()
    # It grows beyond its mark again, and is no less another store.
    for n in range(5):
        store.append([chunk(bytes([n]) * 16)])
    closed(store)
    store = attended(data)
    assert store.health.warnings() == (lost,)
    assert lost in verified(data)[1]
    out = io.StringIO()
    assert acknowledge(data=data, as_json=False, out=out, clock=lambda: NOON + 1) == 0
    assert lost.removeprefix("the store has lost rows: ") in out.getvalue()
    store.upkeep.look()
    assert store.health.warnings() == ()
    closed(store)
    assert verified(data)[0] == 0
    assert json.loads((data / NOTE).read_text())["rewinds"][0]["acknowledged_at"] == NOON + 1


def test_a_loss_can_be_acknowledged_before_an_agent_starts(data):
    set_back(data)
    acknowledge(data=data, as_json=False, out=io.StringIO(), clock=lambda: NOON)
    assert verified(data)[0] == 0
    store = attended(data)
    assert store.health.warnings() == ()
    closed(store)


def test_a_log_of_writes_that_is_gone_is_told(data, tmp_path):
    store = attended(data)
    store.append([chunk()])
    store.upkeep.log.checkpoint()
    for n in range(10):
        store.append([chunk(bytes([n]) * 16)])
    store.upkeep.write_mark(NOON)
    # What is on the disk at this moment, as after a crash, but for the log.
    lost = tmp_path / "lost"
    lost.mkdir()
    for name in (DATABASE, MARK):
        shutil.copy(data / name, lost / name)
    store.close()
    rest = attended(lost)
    assert "10 chunks of spans (numbers 2 to 11)" in rest.health.warnings()[0]
    rest.close()


def test_a_database_that_is_gone_is_told(data):
    store = attended(data)
    store.append([chunk()])
    closed(store)
    (data / DATABASE).unlink()
    store = attended(data)
    assert "1 chunk of spans (number 1)" in store.health.warnings()[0]
    store.close()


def test_another_decision_log_of_the_same_length_is_told(data):
    store = attended(data)
    decide(store, 3)
    closed(store)
    with sqlite3.connect(data / DATABASE) as database:
        database.execute("UPDATE decisions SET hash = 'other' WHERE seq = 3")
    database.close()
    store = attended(data)
    assert "the decision log was replaced up to number 3" in store.health.warnings()[0]
    store.close()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"at": 1}', '{"at": 1, "position": {"x": 1}}'])
def test_a_mark_that_cannot_be_read_is_told_and_no_reason_not_to_start(data, text):
    closed(attended(data))
    (data / MARK).write_text(text)
    assert verified(data)[0] == 1
    store = attended(data)
    assert "unknown which, if any" in store.health.warnings()[0]
    closed(store)


def test_nothing_to_acknowledge_is_said(data):
    out = io.StringIO()
    closed(attended(data))
    acknowledge(data=data, as_json=False, out=out, clock=lambda: NOON)
    assert out.getvalue() == f"{data}: no rows are lost\n"
    with pytest.raises(ConfigError, match="no store in this directory"):
        acknowledge(data=data / "other", as_json=False, out=out, clock=lambda: NOON)


def test_check_says_what_is_wrong_with_the_data_directory(data):
    assert not any("data:" in line for line in check(Config(data=data)))
    set_back(data)
    (data / DATABASE).chmod(0o644)
    lines = [line for line in check(Config(data=data)) if line.startswith("data: ")]
    assert "bytes free on the disk" in lines[0]
    assert any("the store has lost rows: 2 chunks" in line for line in lines)
    assert any(f"{DATABASE} is readable by others" in line for line in lines)


def test_check_names_a_data_directory_that_it_cannot_read(data, monkeypatch):
    closed(attended(data))

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("collector.store.inspection.disk_free", refuse)
    with pytest.raises(ConfigError, match=f"data: {data}: cannot be read: Permission denied"):
        check(Config(data=data))


def test_what_is_acknowledged_is_told_to_programs_too(data):
    set_back(data)
    done = command("audit", "acknowledge", "--data", str(data), "--json")
    [lost] = one_object(done, "audit acknowledge")["acknowledged"]
    assert (done.returncode, lost.startswith("2 chunks of spans (numbers 2 to 3)")) == (0, True)
    assert one_object(command("audit", "acknowledge", "--data", str(data), "--json"))["acknowledged"] == []
    assert one_object(command("audit", "verify", "--data", str(data), "--json"), "audit verify")["whole"] is True
