import json
import threading
from pathlib import Path

import pytest

from adapters.schema import Passage
from collector.catalog import step as step_module
from collector.catalog.options import CatalogOptions
from collector.errors import ConfigError, Transient
from tests.collector.sources.server import free_port, serving

ONE = '{"id": "T", "version": "1"}\n'
TWO = ONE + '{"id": "T", "version": "2", "supersedes": "1"}\n'
NOW = 1_780_000_000_000_000_000


def test_a_changed_file_is_put_in_force_and_the_change_told(agent, file):
    running = agent(path=file).start()
    assert running.listed == ["T@1"]
    assert running.step.report()["changes"] == []
    file.write_text(TWO)
    assert running.look() == ["T@1", "T@2"]
    (change,) = running.step.report()["changes"]
    assert (change["added"]["count"], change["superseded"]["first"][0]["detail"]) == (1, "by T@2")
    assert running.counted('groundwire_catalog_changes_total{kind="added"}') == 1
    assert running.counted('groundwire_catalog_changes_total{kind="superseded"}') == 1
    assert running.counted("groundwire_catalog_documents") == 2
    json.dumps(running.step.report())


def test_a_file_that_is_touched_is_no_change(agent, file):
    running = agent(path=file).start()
    file.touch()
    running.look()
    file.write_text("\n" + ONE)
    running.look()
    assert len(running.applied) == 1


def test_a_file_that_is_still_being_written_is_left_alone(agent, file):
    running = agent(path=file).start()
    file.write_text("")
    running.step.run_once()
    file.write_text(ONE)
    running.step.run_once()
    file.write_text(TWO)
    running.step.run_once()
    assert running.listed == ["T@1"]
    running.step.run_once()
    assert running.listed == ["T@1", "T@2"]
    assert len(running.applied) == 2


def test_a_broken_file_is_refused_once_and_the_one_before_stays(agent, file):
    running = agent(path=file).start()
    file.write_text(ONE + "{")
    assert running.look() == ["T@1"]
    assert "line 2: not JSON" in running.step.report()["refused"][0]
    running.look()
    file.touch()
    running.look()
    assert running.counted("groundwire_catalog_errors_total") == 1
    file.unlink()
    assert running.look() == ["T@1"]
    file.write_text(TWO)
    assert running.look() == ["T@1", "T@2"]
    assert running.step.report()["refused"] == []


def test_a_broken_file_at_the_start_is_no_start(agent, file):
    file.write_text("{")
    running = agent(path=file)
    with pytest.raises(ConfigError, match="line 1: not JSON"):
        running.start()
    file.unlink()
    with pytest.raises(ConfigError, match="no such file"):
        running.start()


def test_what_changed_while_the_agent_was_away_is_told_at_its_start(agent, file):
    running = agent(path=file).start()
    file.write_text(TWO)
    running.restart()
    running.start()
    (change,) = running.step.report()["changes"]
    assert change["added"]["first"][0]["reference"] == "T@2"
    running.restart()
    running.start()
    assert running.step.report()["changes"] == []


def test_each_catalog_that_differs_is_one_change_in_the_ledger(agent, file):
    running = agent(path=file).start()
    assert running.store.changes() == []
    first = running.step.report()["digest"]
    file.write_text(TWO)
    running.look()
    file.write_text(ONE)
    running.look()
    there, back = running.store.changes()
    assert (there.kind, there.source, there.component, there.scope) == ("documents", "catalog", "catalog", {})
    assert (there.previous, there.version, there.documents) == (first, back.previous, ("T",))
    assert (there.note, back.version) == ("1 added: T@2; 1 superseded: T@1", first)


def test_a_change_while_the_agent_was_away_is_recorded_once_however_it_ends(agent, file, monkeypatch):
    running = agent(path=file).start()
    file.write_text(TWO)
    running.restart()

    put = Path.replace

    def killed(path, target):
        if path.name.startswith(step_module.CURRENT):
            raise KeyboardInterrupt
        return put(path, target)

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        running.start()
    assert len(running.store.changes()) == 1
    monkeypatch.undo()
    running.restart()
    running.start()
    assert len(running.store.changes()) == 1


def test_a_ledger_that_cannot_be_written_holds_the_catalog_back_until_it_can(agent, file, monkeypatch):
    running = agent(path=file).start()
    file.write_text(TWO)
    write = type(running.store).record_changes

    def full(*_, **__):
        raise Transient("the disk is full")

    monkeypatch.setattr(type(running.store), "record_changes", full)
    with pytest.raises(Transient):
        running.look()
    assert running.listed == ["T@1"]
    monkeypatch.setattr(type(running.store), "record_changes", write)
    assert running.look() == ["T@1", "T@2"]
    assert len(running.store.changes()) == 1


def test_files_of_a_directory_appear_change_and_vanish(agent, tmp_path):
    folder = tmp_path / "policies"
    folder.mkdir()
    running = agent(path=folder).start()
    assert running.listed == []
    (folder / "a.jsonl").write_text(ONE)
    assert running.look() == ["T@1"]
    (folder / "sub").mkdir()
    (folder / "sub" / "b.yaml").write_text("documents: [{id: U, supersedes: T@1}]")
    assert running.look() == ["T@1", "U"]
    (folder / "a.jsonl").unlink()
    assert running.look() == ["T@1", "U"], "what U supersedes is gone: refused"
    assert "U supersedes T@1, which is not in the catalog" in running.step.report()["refused"][0]
    (folder / "sub" / "b.yaml").write_text("documents: [{id: U}]")
    assert running.look() == ["U"]
    (folder / "sub" / "b.yaml").unlink()
    assert running.look() == []
    (folder / "sub").rmdir()
    folder.rmdir()
    assert running.look() == [], "a directory that is gone is told, and nothing is thrown away"
    assert running.step.report()["refused"]


def test_no_more_than_two_catalogs_lie_on_disk(agent, file, tmp_path):
    running = agent(path=file).start()
    for n in range(4):
        file.write_text(json.dumps({"id": f"T{n}"}))
        running.look()
    assert len(list((tmp_path / "data" / "catalog").glob("*.packed"))) == 2
    assert running.listed == ["T3"]


@pytest.mark.slow
def test_large_files_are_read_in_a_process_of_their_own(agent, file, monkeypatch):
    monkeypatch.setattr(step_module, "SMALL_BYTES", 0)
    running = agent(path=file).start()
    file.write_text(TWO)
    assert running.look() == ["T@1", "T@2"]
    file.write_text("{")
    assert running.look() == ["T@1", "T@2"]
    assert "not JSON" in running.step.report()["refused"][0]


class Server:
    """A catalog over HTTP, with an entity tag, that can be made to misbehave."""

    def __init__(self):
        self.body = ONE.encode()
        self.status = 200
        self.kind = "application/x-ndjson"
        self.asked = []
        self.hang = None

    def answer(self, request):
        self.asked.append(dict(request.headers))
        if self.hang is not None:
            self.hang.wait(30)
        tag = f'"{hash(self.body)}"'
        if request.headers.get("if-none-match") == tag:
            request.give(304)
        else:
            request.give(self.status, self.body, etag=tag, Content_Type=self.kind)


@pytest.fixture
def server():
    server = Server()
    with serving(server.answer) as url:
        server.url = f"{url}/catalog?team=hr"
        yield server


def test_a_fetched_file_is_asked_for_again_with_its_tag(agent, server):
    running = agent(http={"url": server.url}).start()
    assert running.listed == ["T@1"]
    assert running.look(30) == ["T@1"]
    assert len(server.asked) == 1, "it was not time yet"
    running.look(31)
    assert len(server.asked) == 2
    assert server.asked[1]["if-none-match"].startswith('"')
    server.body = TWO.encode()
    assert running.look(61) == ["T@1", "T@2"]
    assert running.step.report()["http"]["state"] == "ok"


def test_a_token_is_sent_and_never_shown(agent, server, tmp_path):
    (tmp_path / "token").write_text("hush-hush-4711\n")
    server.status, server.body = 403, b"hush-hush-4711 may not"
    running = agent(http={"url": server.url, "token_file": tmp_path / "token"}).start()
    assert server.asked[0]["authorization"] == "Bearer hush-hush-4711"
    assert "hush" not in json.dumps(running.step.report())
    assert "403" in running.step.report()["http"]["last_error"]


def test_a_server_that_is_away_at_the_start_leaves_an_empty_catalog_until_it_is_back(agent):
    running = agent(http={"url": f"http://127.0.0.1:{free_port()}/c.jsonl"}).start()
    assert running.listed == []
    assert running.step.report()["http"]["state"] == "failing"


def test_what_was_fetched_outlives_server_and_agent(agent, server):
    running = agent(http={"url": server.url}).start()
    server.status = 500
    server.body = b"oops"
    assert running.look(61) == ["T@1"]
    assert running.step.report()["http"]["state"] == "failing"
    running.restart()
    assert running.start().listed == ["T@1"]
    server.status, server.body = 200, TWO.encode()
    assert running.look(600) == ["T@1", "T@2"]


def test_a_failing_server_is_asked_less_and_less_often(agent, server):
    server.status = 503
    running = agent(http={"url": server.url}).start()
    for _ in range(100):
        running.look(0.2)
    assert 2 < len(server.asked) < 45


def test_a_body_that_is_no_catalog_is_refused_and_the_one_before_outlives_a_restart(agent, server):
    running = agent(http={"url": server.url}).start()
    server.body = b"{"
    assert running.look(61) == ["T@1"]
    assert running.step.report()["refused"][0].startswith(server.url.partition("?")[0])
    running.look(61)
    assert len(running.applied) == 1
    running.restart()
    assert running.start().listed == ["T@1"]
    server.body = TWO.encode()
    assert running.look(61) == ["T@1", "T@2"]


def test_a_body_that_was_good_waits_for_a_broken_file(agent, server, file):
    file.write_text('{"id": "F"}')
    running = agent(path=file, http={"url": server.url}).start()
    file.write_text("{")
    server.body = TWO.encode()
    assert running.look(61) == ["F", "T@1"]
    file.write_text('{"id": "G"}')
    assert running.look(1) == ["G", "T@1", "T@2"]


def test_wrong_and_boundless_answers_are_told(agent, server):
    server.kind = "text/html"
    running = agent(http={"url": server.url, "max_bytes": 100}).start()
    assert "catalog.http.format" in running.step.report()["http"]["last_error"]
    server.kind, server.body = "text/csv", b"id\n" + b"T" * 1000
    running.look(600)
    assert "more than 100 bytes" in running.step.report()["http"]["last_error"]
    server.body = b"id,version\nT,1\n"
    assert running.look(600) == ["T@1"]


def test_a_server_that_hangs_is_given_up(agent, server):
    server.hang = threading.Event()
    running = agent(http={"url": server.url, "timeout": "200ms"}).start()
    assert "within 0.2 s" in running.step.report()["http"]["last_error"]
    server.hang.set()
    server.hang = None
    assert running.look(600) == ["T@1"]


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("ftp://h/c.csv", "expected http:// or https:// and a host"),
        ("http:///c.csv", "expected http:// or https:// and a host"),
        ("http://[/c.csv", "expected http:// or https:// and a host"),
        ("http://u:p@h/c.csv", "must not contain a user name or password; use token_file"),
    ],
)
def test_addresses_that_cannot_be_are_named(url, problem):
    assert list(CatalogOptions.model_validate({"http": {"url": url}}).problems()) == [f"catalog.http.url: {problem}"]


def test_what_passages_say_is_learned_and_outlives_a_restart(agent):
    running = agent(learn={"entries": 3}).start()
    assert running.listed == []
    newer = Passage(id="q", doc_id="T", version="2", supersedes=("1",))
    running.answered(Passage(id="p", doc_id="T", version="1"), newer)
    assert running.look(61) == ["T@1", "T@2"]
    assert running.counted("groundwire_catalog_learned_documents") == 2
    running.restart()
    assert running.start().listed == ["T@1", "T@2"]
    running.answered(*(Passage(id=f"N{n}@1") for n in range(5)))
    assert running.look(30) == ["T@1", "T@2"], "not yet time"
    assert running.look(31) == ["N2@1", "N3@1", "N4@1"]


def test_what_a_file_declares_is_not_learned_over(agent, file):
    running = agent(path=file, learn={}).start()
    running.answered(Passage(id="p", doc_id="T", version="2", supersedes=("1",)), Passage(id="U@1"))
    assert running.look(61) == ["T@1", "U@1"]


def test_a_state_nobody_can_read_is_learned_anew(agent):
    running = agent(learn={}).start()
    running.answered(Passage(id="U@1"))
    running.store.set_cursor("catalog/learned", b"rubbish", at=NOW)
    running.restart()
    assert running.start().listed == ["U@1"]
