"""The exit code of a command is what it promises, whatever becomes of the streams that it writes to."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.schema import Answer
from collector.store.pulled import Pulled
from collector.store.rows import Decision, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from docs.makers.commands import commands
from scorers.base import Evaluation, Score
from tests.collector.sources.server import serving
from tests.forked import CLOSED, FULL, KEPT, LEFT, ended

NOON = 1_790_000_000 * 10**9
CONFIG = "gates: [{type: threshold, name: g, metric: stale_source_use, at_most: 0.2}]"
CANARY = "gates: [{type: release, name: canary, metric: stale_source_use, worse: higher}]"
CATALOG = "documents: [{id: TRV, version: 1.0, text: The hotel limit is 150 EUR.}]"
VERDICT = {"gate": "g", "state": "fail", "reason": "stale", "slices": []}
COUNTS = {"received": 1, "stored": 1, "repeated": 0, "conflicting": 0, "unmatched": 0}
TAKEN = COUNTS | {"untaken": [], "notes": []}
LISTED = {
    "id": "7f",
    "ids": ["1"],
    "documents": ["By train."],
    "metadatas": [{"source": "b.md"}],
    "result": {"points": [{"id": 1, "payload": {"page_content": "By train.", "metadata": {"source": "b.md"}}}]},
    "objects": [{"id": "1", "properties": {"text": "By train.", "source": "b.md"}}],
}
"""What Chroma, Qdrant and Weaviate answer, in one."""
CHANGE = {"seq": 7, "kind": "deploy", "component": "release", "version": "2.1", "at": "2026-10-01T12:00:00Z", "id": "x"}

AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@example.test"]

RECORDED = Path(__file__).parents[1] / "golden" / "traces" / "langchain-basic.otlp.pb"
RESULTS = {
    "adapt": (["answers.jsonl"], 0),
    "answers": (["--url", "URL"], 0),
    "audit acknowledge": (["--data", "data"], 0),
    "audit export": (["--data", "data"], 0),
    "audit verify": (["--data", "data"], 0),
    "boards": ([], 0),
    "catalog check": (["bad.yaml"], 1),
    "catalog coverage": (["old.yaml", "answers.jsonl"], 1),
    "catalog diff": (["old.yaml", "new.yaml"], 1),
    "catalog from chroma": (["docs", "--url", "URL"], 0),
    "catalog from directory": (["docs"], 0),
    "catalog from git": (["docs"], 0),
    "catalog from llamaindex": (["docstore.json"], 0),
    "catalog from qdrant": (["docs", "--url", "URL"], 0),
    "catalog from rows": (["rows.jsonl"], 0),
    "catalog from weaviate": (["docs", "--url", "URL"], 0),
    "catalog lag": (["old.yaml", "old.yaml"], 0),
    "catalog search": (["old.yaml", "hotel limit"], 0),
    "catalog show": (["old.yaml"], 0),
    "change": (["deploy", "--version", "2.1", "--url", "URL"], 0),
    "check": (["--config", "groundwire.yaml"], 0),
    "compare": (["before.jsonl", "after.jsonl"], 0),
    "decisions": (["--url", "URL"], 0),
    "doctor": (["--url", "URL"], 1),
    "evaluations export": (["--data", "data"], 0),
    "explain": (["a", "--url", "URL"], 0),
    "gate": (["g", "--url", "URL"], 1),
    "gate plan": (["--config", "canary.yaml", "--rollout", "1h", "--answers", "1", "--runs", "10"], 0),
    "init": (["answers.jsonl", "--out", "-"], 0),
    "notify test": (["--config", "paged.yaml"], 1),
    "rebaseline": (["g", "--because", "checked", "--url", "URL"], 0),
    "label": (["labels.jsonl", "--url", "URL"], 0),
    "record": (["trace.otlp.pb", "--truth", "truth.yaml", "--name", "case", "--to", "cases", "--force"], 0),
    "replay": (["evaluations.jsonl", "--config", "groundwire.yaml"], 0),
    "rules": ([], 0),
    "score": (["empty.jsonl"], 0),
    "status": (["--url", "URL"], 1),
    "threshold replay": (["retrieved.jsonl", "--workers", "1"], 0),
    "threshold sweep": (["sweep.csv", "--panel", "panel.yaml"], 0),
    "version": ([], 0),
    "--help": ([], 0),
}
"""What to give to each command, and its exit code then."""
SERVING = {"demo", "mcp", "review serve", "run", "tail"}
"""Commands that go on until they are stopped."""
HOSTED = {f"catalog from {name}" for name in ("confluence", "notion", "pgvector", "s3", "sharepoint")}
"""Commands that list a service that no test of streams has; they print as the other listings do."""
WRITING = {"evaluate", "report", "fit", "retrieval compare", "threshold measure"}
WRITING |= {"benchmark generate", "benchmark report", "incident export", "incident verify"}
WRITING |= {"canary list", "canary results", "canary run"}
WRITING |= {f"review {name}" for name in ("close", "label", "make", "next")}
"""Commands that write files, or ask what no test of streams has; they have tests of their own."""
ASKED = {
    "audit verify": "cannot print the audit",
    "change": "cannot print the change",
    "gate": "cannot print the verdict",
    "label": "cannot print what became of the labels",
    "rebaseline": "cannot print the change",
}
"""Their one answer is what they are asked for: who does not take it has none."""
STREAMS = [(CLOSED, KEPT), (FULL, KEPT), (KEPT, CLOSED), (LEFT, KEPT), (LEFT, LEFT)]
SILENT = {"check", "version", "--help"}
"""Standard output that was closed before the start is leave to print nothing."""
REFUSED = {name: ["--no-such-option"] for name in {*RESULTS, *HOSTED, *WRITING} - {"--help"}} | {
    "catalog show": ["none.yaml"],
    "gate": ["g", "--url", "http://["],
    "replay": ["--data", "none", "--config", "groundwire.yaml"],
    "run": ["--set", "http.port=x"],
    "score": ["none.jsonl"],
}
"""What each command cannot use."""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a directory with what the commands read."""
    directory = tmp_path_factory.mktemp("place")
    (directory / "groundwire.yaml").write_text(CONFIG)
    (directory / "canary.yaml").write_text(CANARY)
    (directory / "paged.yaml").write_text("notify: [{type: alertmanager, url: http://127.0.0.1:1}]")
    (directory / "old.yaml").write_text(CATALOG)
    (directory / "new.yaml").write_text(CATALOG.replace("150", "180"))
    (directory / "bad.yaml").write_text(CATALOG.replace("id:", "x:"))
    (directory / "answers.jsonl").write_text('{"id": "a", "question": "q", "answer": "No idea."}\n')
    (directory / "empty.jsonl").write_text("")
    for name, value in (("before", 1.0), ("after", 0.5)):
        scored = {"metric": "claim_support", "value": value, "outcome": "scored", "scorer_version": "1"}
        rows = [json.dumps({"answer_id": f"q{number}"} | scored) for number in range(5)]
        (directory / f"{name}.jsonl").write_text("\n".join(rows) + "\n")
    (directory / "panel.yaml").write_text("metrics:\n  recall: {weight: 1}\n")
    sweep = [f"{question},{threshold},0.{question}" for question in range(1, 6) for threshold in (0, 0.5)]
    (directory / "sweep.csv").write_text("\n".join(["question,threshold,recall", *sweep]) + "\n")
    passage = {"id": "p", "text": "Books are lent for three weeks.", "score": 0.7}
    lent = {"question": "How long?", "answer": "Books are lent for three weeks.", "passages": [passage]}
    (directory / "retrieved.jsonl").write_text("".join(json.dumps({"id": f"q{n}"} | lent) + "\n" for n in range(5)))
    (directory / "labels.jsonl").write_text('{"answer_id": "a", "metric": "m", "label": 0, "label_probability": 1}\n')
    (directory / "trace.otlp.pb").write_bytes(RECORDED.read_bytes())
    (directory / "rows.jsonl").write_text('{"id": "1", "text": "By train.", "metadata": {"source": "b.md"}}\n')
    nodes = {"n": {"__data__": {"id_": "n", "text": "By train.", "metadata": {"source": "b.md"}}, "__type__": "1"}}
    (directory / "docstore.json").write_text(json.dumps({"docstore/data": nodes}))
    (directory / "docs").mkdir()
    (directory / "docs" / "b.md").write_text("By train.")
    for step in (["init", "-q"], ["add", "."], [*AUTHOR, "commit", "-qm", "b"]):
        subprocess.run(["git", "-C", str(directory / "docs"), *step], check=True)
    (directory / "truth.yaml").write_text("question: For how long are books lent?\n")
    row = {"at": "2026-11-01T12:00:00Z", "answer_id": "a", "metric": "stale_source_use", "value": 1, "probability": 1}
    (directory / "evaluations.jsonl").write_text(json.dumps(row | {"slice": {}}) + "\n")
    store = open_store(directory / "data")
    store.append_pulled(Pulled("files", b"", 1, answers=[StoredAnswer(Answer(id="a"), {}, 1.0, sampled=True)]))
    evaluation = Evaluation(answer_id="a", revision=0, scores=(Score(metric="stale_source_use", value=1.0),))
    store.record_evaluations([StoredEvaluation(evaluation, NOON, 1, {}, 1.0, None, {}, document="D")])
    store.save_checkpoint("gate:g", 1, b"", [Decision(NOON, "g", {}, "fail", None, "{}", record="{}")])
    store.close()
    return directory


def agent(handler):
    """Answer as an agent does, and as a store of vectors that is asked for what it serves."""
    if "docs" in handler.path or "7f" in handler.path:
        handler.give(200, json.dumps(LISTED).encode())
        return
    if handler.path == "/v1/answers/a":
        handler.give(200, json.dumps({"answer": {"id": "a"}, "slice": {}, "evaluation": None}).encode())
        return
    posted = TAKEN if handler.path == "/v1/labels" else CHANGE
    handler.give(200, json.dumps(posted if handler.command == "POST" else VERDICT).encode())


def run(place, cases):
    """Return what became of each case, by command and streams."""
    with serving(agent) as url:
        given = [
            ([*name.split(), *(url if word == "URL" else word for word in words)], out, err)
            for name, words, out, err in cases
        ]
        results = ended(given, cwd=place)
    return {(name, out, err): result for (name, _, out, err), result in zip(cases, results, strict=True)}


def test_every_command_is_held_to_this():
    assert set(RESULTS) | SERVING | HOSTED | WRITING == set(commands()) | {"--help"}


@pytest.mark.slow
def test_with_json_every_command_prints_objects_and_exits_as_it_does_without(place):
    options = {name: each.help for name, entry in commands().items() for each in entry.params if "--json" in each.opts}
    given = {name: words for name, (words, _) in RESULTS.items() if name in options}
    given["init"] = ["answers.jsonl", "--out", "told.yaml"]
    found = run(place, [(name, [*words, "--json"], KEPT, KEPT) for name, words in given.items()])
    for (name, *_), (code, out, err) in found.items():
        assert code == RESULTS[name][1], (name, out, err)
        lines = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
        assert all(isinstance(line, dict) for line in lines), (name, out)
        assert len(lines) == 1 or "per line" in options[name], (name, out)
        assert out.isascii(), name


@pytest.mark.slow
def test_a_result_that_is_not_taken_is_told_by_the_exit_code_and_never_changes_it_otherwise(place):
    # One way out serves all commands: each is run over half of the streams, those with words of their own over all.
    given = {name: STREAMS if name in ASKED else STREAMS[at % 2 :: 2] for at, name in enumerate(sorted(RESULTS))}
    given = {name: [(KEPT, KEPT), *streams] for name, streams in given.items()}
    found = run(place, [(name, RESULTS[name][0], *each) for name, streams in given.items() for each in streams])
    for name, (_, code) in RESULTS.items():
        whole = found[name, KEPT, KEPT]
        assert whole[0] == code, (name, whole)
        assert whole[1], name
        silent = (code, "", "") if name in SILENT else (2, "", "groundwire: standard output: closed\n")
        lost = f"groundwire: {ASKED.get(name, 'standard output: cannot be written')}: No space left on device\n"
        left = (
            (2, "", lost.replace("No space left on device", "Broken pipe")) if name in ASKED else (code, "", whole[2])
        )
        expected = {
            (KEPT, KEPT): whole,
            (KEPT, CLOSED): (code, whole[1], ""),
            (CLOSED, KEPT): silent,
            (FULL, KEPT): (2, "", lost),
            (LEFT, KEPT): left,
            (LEFT, LEFT): (left[0], "", ""),
        }
        assert {each: found[name, *each] for each in given[name]} == {each: expected[each] for each in given[name]}, (
            name
        )


@pytest.mark.slow
def test_what_cannot_be_used_is_exit_code_2_whatever_the_streams_are(place):
    # One way out serves all commands: each is refused over one kind of streams, and one command over all of them.
    streams = [(CLOSED, CLOSED), (LEFT, LEFT), (KEPT, FULL)]
    cases = [(name, words, *streams[at % len(streams)]) for at, (name, words) in enumerate(REFUSED.items())]
    found = run(place, [*cases, *[("score", REFUSED["score"], *each) for each in streams]])
    assert {(out, err) for _, out, err in found} == set(streams)
    assert {case: result for case, result in found.items() if result[0] != 2} == {}


@pytest.mark.slow
def test_an_agent_whose_log_nobody_reads_ends_with_0_and_opens_no_file_in_the_place_of_a_closed_stream(tmp_path):
    command = [sys.executable, "-P", "-m", "collector.cli", "run", "--data", "data"]
    for port in ("http.port", "receive.otlp_http.port", "receive.otlp_grpc.port"):
        command += ["--set", f"{port}=0"]
    line = " ".join([*command, "<&-", ">&-"])
    with subprocess.Popen(["sh", "-c", f"exec {line}"], stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert any(json.loads(entry)["event"] == "ready" for entry in process.stderr)
        opened = Path(f"/proc/{process.pid}/fd")
        assert {str((opened / number).readlink()) for number in "01"} == {os.devnull}
        process.stderr.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
