"""`groundwire retrieval compare`: another retriever judged by recorded answers, as a user asks it."""

import http.server
import json
import re
import threading
import xml.etree.ElementTree as ET
from typing import ClassVar

import pytest

from adapters.schema import Answer
from collector.applications.options import ReplyFields
from collector.applications.replies import UnreadableReply, retrieved
from tests.command import command

LEAVE = "Employees receive 20 weeks of paid parental leave."
TRAVEL = "The hotel allowance in Lisbon is 180 EUR per night."
PETS = "Dogs may be brought to the office on Fridays."


class Index(http.server.BaseHTTPRequestHandler):
    """A search service: `answers` says what it finds, `fails` how often it is overloaded first."""

    answers: ClassVar = {}
    fails: ClassVar = 0
    asked: ClassVar = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        type(self).asked.append((self.path, body))
        if type(self).fails:
            type(self).fails -= 1
            self.send_response(503)
            self.end_headers()
            return
        found = type(self).answers.get(body["q"], type(self).answers.get("*", []))
        reply = json.dumps({"hits": [{"doc": {"body": text, "name": name}} for name, text in found]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


@pytest.fixture
def index():
    class Fresh(Index):
        answers, fails, asked = {}, 0, []

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Fresh)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Fresh, f"http://127.0.0.1:{server.server_port}/v1/query"
    server.shutdown()
    server.server_close()
    thread.join()


def retriever(folder, url, more=""):
    path = folder / "next.yaml"
    path.write_text(
        f"retriever:\n  type: http\n  url: {url}\n  body: {{q: '{{question}}', top_k: 3}}\n"
        f"  reply: {{passages: 'hits[].{{text: doc.body, doc_id: doc.name}}'}}\n{more}"
    )
    return path


def recorded(folder, count=200):
    path = folder / "yesterday.jsonl"
    rows = []
    for number in range(count):
        text, name = ((LEAVE, "leave"), (TRAVEL, "travel"))[number % 2]
        rows.append(
            {
                "id": f"a{number}",
                "question": f"{name}?",
                "answer": text,
                "passages": [{"id": "p", "text": text, "doc_id": name}],
                "attributes": {"team": name},
            }
        )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(*arguments, cwd=None):
    return command("retrieval", "compare", *map(str, arguments), "--workers", "1", **({"cwd": cwd} if cwd else {}))


def test_an_index_that_finds_the_same_passages_passes_without_judging_any(tmp_path, index):
    served, url = index
    served.answers = {"leave?": [("leave", LEAVE)], "travel?": [("travel", TRAVEL)]}
    done = run(retriever(tmp_path, url), recorded(tmp_path), "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (told["verdict"], told["unchanged"], told["changed"], told["losing"]) == ("pass", 200, 0, 0)
    # Two hundred answers to two questions: the index is asked twice.
    assert sorted(body["q"] for _, body in served.asked) == ["leave?", "travel?"]
    assert served.asked[0] == ("/v1/query", {"q": served.asked[0][1]["q"], "top_k": 3})


@pytest.mark.slow
def test_an_index_that_lost_a_document_fails_and_names_it(tmp_path, index):
    served, url = index
    served.answers = {"leave?": [("leave", LEAVE)], "travel?": [("pets", PETS)]}
    junit, markdown = tmp_path / "verdict.xml", tmp_path / "verdict.md"
    done = run(retriever(tmp_path, url), recorded(tmp_path), "--by", "team", "--junit", junit, "--markdown", markdown)
    assert done.returncode == 1
    assert "200 answers: context unchanged 100, changed 100\n" in done.stdout
    assert "answers that lose a supported claim: 100\n" in done.stdout
    [line] = [line for line in done.stdout.splitlines() if line.startswith("travel ")]
    assert line.split() == ["travel", "100", "0", "100", "100", "0"]
    assert "verdict: fail: claim_support loses 0.4" in done.stdout
    assert "over team=travel loses" in done.stdout
    suite = ET.parse(junit).getroot().find("testsuite")
    assert {case.get("name"): case.find("failure") is not None for case in suite} == {
        "retriever": True,
        "claim_support all": True,
        "claim_support team=leave": False,
        "claim_support team=travel": True,
    }
    assert markdown.read_text().startswith(f"### Retriever {tmp_path}/next&#46;yaml"[:14])


def test_a_handful_of_answers_is_no_pass(tmp_path, index):
    served, url = index
    served.answers = {"leave?": [("leave", LEAVE)], "travel?": [("travel", TRAVEL)]}
    done = run(retriever(tmp_path, url), recorded(tmp_path, 20))
    assert done.returncode == 3
    assert "verdict: inconclusive: claim_support may lose up to 0.1" in done.stdout


@pytest.mark.slow
def test_an_overloaded_index_is_asked_again_and_a_broken_one_is_given_up(tmp_path, index, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    served, url = index
    served.answers, served.fails = {"*": [("leave", LEAVE)]}, 1
    file = retriever(tmp_path, url, "  concurrency: 1\n")
    assert run(file, recorded(tmp_path), "--json").returncode == 1
    assert len(served.asked) == 3
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(file.read_text().replace("hits[]", "results[]"))
    done = run(wrong, recorded(tmp_path))
    assert done.returncode == 2
    assert (
        "2 questions in a row failed; give the same command again to go on: no list of passages at results[]"
        in done.stderr
    )


def test_a_run_that_was_interrupted_asks_only_what_is_left(tmp_path, index):
    served, url = index
    served.answers = {"leave?": [("leave", LEAVE)], "travel?": [("travel", TRAVEL)]}
    file, rows, kept = retriever(tmp_path, url), recorded(tmp_path), tmp_path / "kept"
    whole = run(file, rows, "--to", kept, "--json").stdout
    lines = (kept / "retrieved.jsonl").read_bytes()
    (kept / "retrieved.jsonl").write_bytes(lines[:-20])
    served.asked.clear()
    assert run(file, rows, "--to", kept, "--json").stdout == whole
    assert len(served.asked) == 1
    other = retriever(tmp_path, url, "max_k: 1\n")
    done = run(other, rows, "--to", kept)
    assert done.returncode == 2
    assert "was begun with another retriever" in done.stderr


def test_a_python_function_is_a_retriever_too(tmp_path, monkeypatch):
    (tmp_path / "our_search.py").write_text(
        f"def search(question):\n    return [{LEAVE!r}] if question == 'leave?' else [{{'text': {TRAVEL!r}}}]\n"
    )
    file = tmp_path / "next.yaml"
    file.write_text("retriever: {type: python, entry: 'our_search:search'}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run(file, recorded(tmp_path), cwd=tmp_path).returncode == 0
    file.write_text("retriever: {type: python, entry: 'our_search:find'}\n")
    done = run(file, recorded(tmp_path), cwd=tmp_path)
    assert done.returncode == 2
    assert "our_search:find: our_search has no function 'find'" in done.stderr


@pytest.mark.slow
def test_what_is_not_in_force_in_new_contexts_is_named_with_what_is(tmp_path, index):
    served, url = index
    served.answers = {"leave?": [("leave", LEAVE)], "travel?": [("travel", TRAVEL), ("travel-2024", "Old rule.")]}
    catalog = tmp_path / "catalog.yaml"
    catalog.write_text(
        "documents:\n- {id: travel, title: Travel}\n- {id: travel-2024, title: Travel, effective_to: 2024-12-31}\n"
    )
    config = tmp_path / "groundwire.yaml"
    config.write_text(f"catalog: {{path: {catalog}}}\n")
    done = run(retriever(tmp_path, url), recorded(tmp_path), "--config", config)
    assert done.returncode == 1, done.stderr
    assert "verdict: fail: stale_context loses 0.5000" in done.stdout
    assert [line.split()[:3] for line in done.stdout.splitlines() if line.startswith("travel-2024")] == [
        ["travel-2024", "expired", "100"]
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("retriever: {type: http, url: 'http://x/y', body: {q: fixed}}", "body or params must hold {question}"),
        ("retriever: {type: http, url: 'http://x/y', method: GET}", "body or params must hold {question}"),
        ("retriever: {type: http, url: 'ftp://x'}", "retriever.http.url: an http or https address"),
        ("retriever: {type: python, entry: 'no spaces here'}", "retriever.python.entry: expected module:function"),
        ("max_k: 2", "retriever: Field required"),
        ("retriever: {type: http, url: 'http://x/y', reply: {passages: '{'}}", "reply.passages: not a JMESPath"),
        ("retreiver: {}", "retreiver: Extra inputs are not permitted"),
    ],
)
def test_a_retriever_file_that_cannot_be_used_names_the_key(tmp_path, text, problem):
    file = tmp_path / "next.yaml"
    file.write_text(text)
    done = run(file, recorded(tmp_path, 2))
    assert done.returncode == 2
    assert problem in done.stderr


def test_answers_that_cannot_be_replayed_are_counted_with_the_reason(tmp_path, index):
    rows = [
        {"id": "1", "question": "q", "answer": "a"},
        {"id": "2", "question": "q", "answer": "a", "passages": [{"id": "p"}]},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run(retriever(tmp_path, index[1]), path)
    assert done.returncode == 2
    assert "no answer can be replayed: no context 1 answer, text of passages withheld 1 answer" in done.stderr
    done = run(retriever(tmp_path, index[1]))
    assert "give files of recorded answers, or --agent" in done.stderr


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ({"hits": {}}, "hits: holds no documents"),
        ({"hits": [{"text": "a"}, {"note": 5}]}, "hits[1]: is no document"),
        ({"hits": [{"text": "a"}] * 1001}, "1001 passages"),
        ([], "no list of passages at hits"),
    ],
)
def test_a_reply_that_cannot_be_used_names_the_field(reply, problem):
    with pytest.raises(UnreadableReply, match=re.escape(problem)):
        retrieved(Answer(id="q", question="?"), reply, ReplyFields(passages="hits"))


def test_passages_without_the_score_that_a_threshold_needs_fail(tmp_path, index):
    served, url = index
    served.answers = {"*": [("leave", LEAVE)]}
    done = run(retriever(tmp_path, url, "at_least: 0.5\n"), recorded(tmp_path))
    assert done.returncode == 3
    assert "a passage has no score, which at_least needs" in done.stdout + done.stderr


def test_a_retriever_that_answers_nothing_is_not_asked_ten_thousand_times(tmp_path, index):
    served, url = index
    served.fails = 10**6
    rows = tmp_path / "many.jsonl"
    passages = [{"id": "p", "text": LEAVE}]
    lines = ({"id": f"a{n}", "question": f"{n}?", "answer": LEAVE, "passages": passages} for n in range(10_000))
    rows.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = run(retriever(tmp_path, url, "  retries: 0\n  give_up: 5\n"), rows)
    assert done.returncode == 2
    assert "retriever: 5 questions in a row failed" in done.stderr
    assert len(served.asked) < 40


@pytest.mark.slow
def test_answers_in_a_language_that_a_metric_is_not_measured_on_are_told(tmp_path, index):
    served, url = index
    served.answers = {"*": [("leave", "Die Elternzeit dauert bis zu drei Jahre.")]}
    passages = [{"id": "p", "text": "Der Urlaub beträgt dreißig Tage im Jahr, für alle Angestellten."}]
    row = {"id": "1", "question": "Wie viele Tage?", "answer": "Der Urlaub beträgt dreißig Tage.", "passages": passages}
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n")
    done = run(retriever(tmp_path, url), path)
    assert done.returncode == 3
    assert "left out: claim_support: not measured on German" in done.stdout
