"""Applications that an evaluation asks: over HTTP and as functions, with retries, bounds, secrets, after a kill."""

import json
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pyarrow import parquet

from adapters.schema import Answer
from collector.applications.options import ReplyFields
from collector.applications.replies import Timing, UnreadableReply, answered
from tests.command import command


class Desk(ThreadingHTTPServer):
    """Answers questions; ``script`` says with which statuses first, for each question."""

    daemon_threads = True

    def __init__(self, script=(), hold=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.hold = dict(script), hold
        self.asked, self.headers, self.bodies = Counter(), [], []
        self.under_way = self.most = 0
        self.lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        desk, question = self.server, body.get("question") or body["input"]["text"]
        with desk.lock:
            desk.under_way += 1
            desk.most = max(desk.most, desk.under_way)
            number = desk.asked[question]
            desk.asked[question] += 1
            desk.headers.append(dict(self.headers))
            desk.bodies.append(body)
        if desk.hold is not None:
            desk.hold(question)
        statuses = desk.script.get(question, ())
        status = statuses[number] if number < len(statuses) else 200
        reply = {
            "output": {"text": f"{question} 14 days [1].", "found": [{"id": "p1", "text": "Parcels: 14 days."}]},
            "answer": f"{question} 14 days [1].",
            "documents": [{"id": "p1", "text": "Parcels: 14 days."}],
            "model": "m-1",
        }
        data = json.dumps(reply if status == 200 else {"error": "busy"}).encode()
        with desk.lock:
            desk.under_way -= 1
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@contextmanager
def served(*arguments, **options):
    desk = Desk(*arguments, **options)
    thread = threading.Thread(target=desk.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield desk, f"http://127.0.0.1:{desk.server_port}/ask"
    finally:
        desk.shutdown()
        thread.join()
        desk.server_close()


def suite(folder, n=3):
    path = folder / "suite.jsonl"
    path.write_text("".join(json.dumps({"id": f"q{i}", "question": f"Question {i}?"}) + "\n" for i in range(n)))
    return str(path)


def configured(folder, application, **more):
    path = folder / "runs.yaml"
    path.write_text(json.dumps({"configurations": {"a": {"application": application, **more}}}))
    return str(path)


def evaluate(folder, suite_path, *more):
    return command(
        "evaluate",
        suite_path,
        "--to",
        str(folder / "run"),
        "--metrics",
        "claim_support",
        "--workers",
        "1",
        *more,
        cwd=folder,
    )


def answers(folder, run=""):
    return parquet.read_table(folder / "run" / run / "answers.parquet").to_pylist(maps_as_pydicts="strict")


def test_an_endpoint_is_asked_and_its_reply_read_by_the_usual_names(tmp_path):
    with served() as (_, url):
        ended = evaluate(tmp_path, suite(tmp_path), "--application", url)
    assert ended == (0, f"{tmp_path / 'run'}: 3 answers scored\n", "")
    found = answers(tmp_path)
    assert [row["answer_id"] for row in found] == ["q0", "q1", "q2"]
    record = json.loads(found[0]["record"])
    assert (record["passages"][0]["id"], record["citations"][0]["passage_id"], found[0]["model"]) == ("p1", "p1", "m-1")
    assert all(row["latency_ms"] > 0 for row in found)
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["application"]["at"] == url


def test_template_paths_secrets_and_versions_are_as_configured(tmp_path, monkeypatch):
    monkeypatch.setenv("DESK_TOKEN", "Bearer s3cret")
    application = {
        "type": "http",
        "body": {"input": {"text": "{question}", "case": "case {id}"}, "top_k": 5},
        "headers": {"authorization": {"env": "DESK_TOKEN"}, "x-tenant": "acme"},
        "reply": {"answer": "output.text", "passages": "output.found"},
        "versions": {"prompt": "p-3"},
    }
    with served() as (desk, url):
        path = configured(
            tmp_path, application | {"url": url}, seeds={"sampling": 7}, files={"prompts": ["suite.jsonl"]}
        )
        ended = evaluate(tmp_path, suite(tmp_path), "--configurations", path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert {"input": {"text": "Question 0?", "case": "case q0"}, "top_k": 5} in desk.bodies
    assert {(each["authorization"], each["x-tenant"]) for each in desk.headers} == {("Bearer s3cret", "acme")}
    manifest = json.loads((tmp_path / "run" / "a" / "manifest.json").read_text())
    assert manifest["seeds"] == {"sampling": 7}
    assert [each["name"] for each in manifest["files"]["prompts"]] == ["suite.jsonl"]
    assert manifest["observed"]["versions"] == {"prompt": {"p-3": 3}}
    assert "s3cret" not in "".join(each.read_bytes().decode("latin-1") for each in (tmp_path / "run" / "a").iterdir())


def test_a_secret_that_is_not_set_is_named_before_anything_is_asked(tmp_path):
    path = configured(
        tmp_path, {"type": "http", "url": "http://127.0.0.1:9/ask", "headers": {"x-key": {"env": "NOT_SET_KEY"}}}
    )
    ended = evaluate(tmp_path, suite(tmp_path), "--configurations", path)
    assert ended.stderr == "groundwire: headers.x-key.env: the environment variable NOT_SET_KEY is not set\n"
    assert not (tmp_path / "run").exists()


def test_what_may_pass_is_tried_again_and_what_cannot_is_kept_as_failed(tmp_path, monkeypatch):
    monkeypatch.setattr("collector.outbound.backoff.FIRST_SECONDS", 0.001)
    monkeypatch.setattr("collector.outbound.backoff.FLOOR_SECONDS", 0.001)
    with served({"Question 0?": (503, 503), "Question 1?": (400,), "Question 2?": (500, 500, 500)}) as (desk, url):
        ended = evaluate(tmp_path, suite(tmp_path, 4), "--application", url)
    assert ended.stdout == f"{tmp_path / 'run'}: 4 answers scored; 2 questions got no answer\n"
    assert dict(desk.asked) == {"Question 0?": 3, "Question 1?": 1, "Question 2?": 3, "Question 3?": 1}
    found = {row["answer_id"]: row for row in answers(tmp_path)}
    assert [found[name]["status"] for name in ("q0", "q1", "q2", "q3")] == ["ok", "error", "error", "ok"]
    assert "400 Bad Request" in found["q1"]["error"]


@pytest.mark.slow
def test_no_more_questions_are_under_way_than_configured(tmp_path):
    together = threading.Barrier(2)
    with served(hold=lambda _: together.wait(20)) as (desk, url):
        path = configured(tmp_path, {"type": "http", "url": url, "concurrency": 2})
        ended = evaluate(tmp_path, suite(tmp_path, 8), "--configurations", path)
    assert (ended.returncode, desk.most) == (0, 2)


def test_a_run_stops_where_nothing_answers_and_goes_on_later(tmp_path):
    path = suite(tmp_path, 3)
    with served() as (_, url):
        pass
    application = {"type": "http", "url": url, "retries": 0}
    junit = ("--junit", tmp_path / "junit.xml")
    stopped = evaluate(tmp_path, path, "--configurations", configured(tmp_path, application), *junit)
    assert stopped.returncode == 2
    suites = ET.parse(tmp_path / "junit.xml").getroot()
    assert suites.find("testsuite").get("errors") == "1"
    assert "3 questions in a row failed" in suites.find("testsuite/testcase/error").get("message")
    assert "3 questions in a row failed; give the same command again to go on" in stopped.stderr
    assert not (tmp_path / "run" / "a" / "answers.parquet").exists()


def test_a_function_is_asked_sync_or_async_with_what_it_takes(tmp_path):
    (tmp_path / "functions_asked.py").write_text(
        "async def later(question, id, top_k=1):\n    return f'{id} {top_k} {question}'\n"
        "def fails(question):\n    raise KeyError('no index')\n"
        "def sleeps(question):\n    import threading\n    threading.Event().wait()\n"
    )
    path = suite(tmp_path)
    python = {"type": "python", "entry": "functions_asked:later", "arguments": {"top_k": 7}}
    ended = evaluate(tmp_path, path, "--configurations", configured(tmp_path, python))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert answers(tmp_path, "a")[0]["answer"] == "q0 7 Question 0?"
    manifest = json.loads((tmp_path / "run" / "a" / "manifest.json").read_text())
    assert [each["name"] for each in manifest["files"]["code"]] == ["functions_asked.py"]
    for name, why in (("fails", "KeyError: 'no index'"), ("sleeps", "no answer within 0.05 s")):
        python = {"type": "python", "entry": f"functions_asked:{name}", "retries": 0, "timeout": "50ms"}
        (tmp_path / name).mkdir()
        ended = evaluate(tmp_path, path, "--to", str(tmp_path / name), "--configurations", configured(tmp_path, python))
        assert (ended.returncode, why in ended.stderr) == (2, True)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("no_such_module_here:answer", "no_such_module_here:answer: cannot be imported: ModuleNotFoundError"),
        ("json:no_such", "json:no_such: json has no function 'no_such'"),
        ("json", "--application: expected module:function"),
    ],
)
def test_a_function_that_is_not_there_is_named(tmp_path, entry, problem):
    assert problem in evaluate(tmp_path, suite(tmp_path), "--application", entry).stderr


@pytest.mark.slow
def test_a_run_that_is_killed_while_it_asks_goes_on_with_no_answer_lost_or_doubled(tmp_path):
    path, stuck, go_on = suite(tmp_path, 40), threading.Event(), threading.Event()

    def hold(question):
        if question == "Question 25?" and not go_on.is_set():
            stuck.set()
            go_on.wait(60)

    with served(hold=hold) as (desk, url):
        arguments = [
            "evaluate",
            path,
            "--to",
            str(tmp_path / "run"),
            "--metrics",
            "claim_support",
            "--application",
            url,
        ]
        with subprocess.Popen([sys.executable, "-m", "collector.cli", *arguments, "--workers", "1"]) as process:
            assert stuck.wait(60)
            process.kill()
        go_on.set()
        ended = evaluate(tmp_path, path, "--application", url)
    assert (ended.returncode, "of them before it was interrupted" in ended.stdout) == (0, True)
    assert [row["answer_id"] for row in answers(tmp_path)] == [f"q{i}" for i in range(40)]
    scored = parquet.read_table(tmp_path / "run" / "scores.parquet").to_pylist()
    assert [row["answer_id"] for row in scored] == [f"q{i}" for i in range(40)]
    assert desk.asked["Question 0?"] == 1


@pytest.mark.parametrize(
    ("media", "page", "told"),
    [
        (
            "text/html; charset=utf-8",
            b"<html>Please sign in</html>",
            "replied with a page (text/html), not with an answer; is a login or a proxy before it?",
        ),
        (
            "text/event-stream",
            b'data: {"delta": "14 "}\n\ndata: {"delta": "days."}\n\n',
            "by `stream: false` in `body`",
        ),
    ],
)
def test_a_login_page_is_no_answer_and_a_stream_of_parts_is_none(tmp_path, media, page, told):
    class Login(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", media)
            self.send_header("content-length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Login) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/ask"
        ended = evaluate(tmp_path, suite(tmp_path), "--application", url)
        server.shutdown()
        thread.join()
    assert ended.returncode == 2
    assert told in ended.stderr


def test_a_reply_with_names_of_its_own_is_told_where_to_describe_them():
    now = datetime(2026, 1, 1, tzinfo=UTC)
    asked, reply = Answer(id="q", question="Wie lange?"), {"antwort": "14 Tage.", "quellen": []}
    with pytest.raises(UnreadableReply, match=r"keys antwort, quellen; name its place as reply\.answer in a file of"):
        answered(asked, reply, ReplyFields(), Timing(now, now, 5.0), {})
    assert answered(asked, reply, ReplyFields(answer="antwort"), Timing(now, now, 5.0), {}).answer == "14 Tage."
