"""`groundwire score`: what a user sees of files that are scored."""

import gzip
import io
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.wire.otlp import decode_traces
from adapters.wire.otlp_encode import encode_traces
from collector.commands import reading
from collector.commands.score import score_files
from collector.configuration.file import load
from collector.errors import ConfigError
from tests import command as here
from tests.adapters.files.test_files import as_json

GOLDEN = Path(__file__).parents[1] / "golden" / "traces"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
KEYS = [
    "answer_id",
    "metric",
    "value",
    "outcome",
    "reason",
    "basis",
    "label",
    "explanation",
    "evidence",
    "scorer_version",
    "session_id",
    "attributes",
]
POLICY = {"id": "p1", "text": "Hotels cost up to 180 EUR a night. Parcels can be returned for 14 days."}
ANSWERS = [
    {"id": "good", "question": "What may a hotel cost?", "answer": "Up to 180 EUR a night.", "passages": [POLICY]},
    {
        "id": "bad",
        "question": "How long can I return?",
        "answer": "Parcels can be returned for 30 days.",
        "passages": [POLICY],
    },
    {"id": "none", "question": "Who?", "answer": "I cannot help with that request."},
]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def write(path, rows):
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return path


def run(*files, config="", metrics=(), form="table", workers=1, out=None, err=None):
    out, err = out or io.StringIO(), err or io.StringIO()
    chosen = load(config, where="test")
    code = score_files(files, chosen, metrics=metrics, form=form, now=NOW, workers=workers, out=out, err=err)
    return code, out.getvalue(), err.getvalue()


def command(*arguments, stdin=None, **more):
    line = [sys.executable, "-P", "-m", "collector.cli", "score", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, timeout=120, check=False, input=stdin, **more)


def test_json_has_one_evaluation_a_line_with_every_key(tmp_path):
    file = write(tmp_path / "answers.jsonl", ANSWERS)
    code, out, err = run(file, metrics=["question_volatility,claim_support"], form="json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [list(row) for row in rows] == [KEYS] * 6
    assert [(row["answer_id"], row["metric"]) for row in rows] == [
        (answer["id"], metric) for answer in ANSWERS for metric in ("claim_support", "question_volatility")
    ]
    good, _, bad, _, none, _ = rows
    assert good["value"] > bad["value"]
    assert (good["outcome"], good["reason"], good["basis"]) == ("scored", None, "passages")
    assert bad["evidence"][0]["passage_id"] == "p1"
    assert (none["value"], none["outcome"], none["reason"], none["basis"]) == (None, "unscored", "missing_input", None)
    assert (none["explanation"], none["evidence"]) == ("passages", [])


@pytest.mark.slow
def test_the_order_is_that_of_the_answers_with_any_number_of_workers(tmp_path):
    rows = [ANSWERS[number % 3] | {"id": f"a-{number}"} for number in range(60)]
    file = write(tmp_path / "answers.jsonl", rows)
    one, three = (run(file, metrics=["refusal"], form="json", workers=count)[1] for count in (1, 3))
    assert one == three
    assert [json.loads(line)["answer_id"] for line in one.splitlines()] == [row["id"] for row in rows]


def test_a_few_short_answers_are_scored_without_starting_workers_and_as_workers_score_them(tmp_path, monkeypatch):
    rows = [ANSWERS[number % 3] | {"id": f"a-{number}"} for number in range(41)]
    many, few = write(tmp_path / "many.jsonl", rows), write(tmp_path / "few.jsonl", rows[:3])
    scores = {"metrics": ["claim_support,faithfulness"], "form": "json", "workers": 1}
    by_workers = run(many, **scores)[1]

    def started(**_):
        raise AssertionError("a worker was started")

    monkeypatch.setattr("collector.commands.scoring.WorkerPool", started)
    assert run(few, **scores)[1].splitlines() == by_workers.splitlines()[:6]
    long = write(tmp_path / "long.jsonl", [ANSWERS[0] | {"question": "How long? " * 6_000}])
    for file in (many, long):
        with pytest.raises(AssertionError, match="a worker was started"):
            run(file, **scores)


GOLD = {"passages": [{"id": "p1", "label": "sufficient"}, {"id": "p2", "label": "partial"}]}


def test_metrics_that_need_labels_run_on_the_rows_that_have_them(tmp_path):
    labelled = ANSWERS[0] | {"id": "labelled", "gold": GOLD}
    file = write(tmp_path / "answers.jsonl", [ANSWERS[1], labelled])
    rows = [json.loads(line) for line in run(file, form="json")[1].splitlines()]
    gold = {row["metric"]: row for row in rows if row["basis"] == "gold"}
    assert {row["answer_id"] for row in gold.values()} == {"labelled"}
    assert gold["recall"]["value"] == 0.5
    assert {"ndcg", "reciprocal_rank", "hit", "candidate_recall", "context_recall", "context_precision"} <= gold.keys()
    assert not {row["metric"] for row in rows if row["answer_id"] == "bad"} & gold.keys() & {"ndcg", "recall"}
    table = {line.split()[0]: line.split() for line in run(file)[1].splitlines()}
    assert table["recall"][1:3] == ["1", "0.500"]
    assert "missing_input" not in table["recall"]


def test_without_labels_the_table_holds_no_metric_that_needs_them(tmp_path):
    file = write(tmp_path / "answers.jsonl", ANSWERS)
    names = [line.split()[0] for line in run(file)[1].splitlines()]
    assert "claim_support" in names
    assert not {"ndcg", "recall", "hit"} & set(names)
    assert "missing gold (recall)" in run(file, metrics=["recall"])[1]


def test_a_configured_panel_is_run_as_it_stands(tmp_path):
    file = write(tmp_path / "answers.jsonl", [ANSWERS[0] | {"gold": GOLD}])
    out = run(file, config="scorers: [{type: refusal}]")[1]
    assert [line.split()[0] for line in out.splitlines()] == ["metric", "refusal", "1"]


def test_the_table_counts_means_labels_and_absences(tmp_path):
    file = write(tmp_path / "answers.jsonl", ANSWERS)
    code, out, err = run(file, metrics=["refusal", "latency,claim_support"])
    table = {line.split()[0]: line.split() for line in out.splitlines()}
    assert (code, err) == (0, "")
    assert table["metric"] == ["metric", "n", "mean", "p10", "p50", "p90", "labels", "unscored"]
    assert table["refusal"][1] == "3"
    assert table["refusal"][6:] == ["complies", "2,", "refuses", "1"]
    assert table["latency"][1:] == ["0", "-", "-", "-", "-", "missing_input", "3"]
    assert table["claim_support"][1] == "2"
    assert out.splitlines()[-1] == "3 answers"


def test_an_explanation_sets_claims_beside_the_nearest_sentence(tmp_path):
    file = write(tmp_path / "answers.jsonl", ANSWERS[:2])
    out = run(file, form="explain")[1]
    _, bad = out.split("bad\n")
    claim, nearest, differs = bad.split("[1] ")[1].splitlines()[:3]
    assert "Parcels can be returned for 30 days." in claim
    assert claim.startswith(("unsupported, support 0.", "contradicted, support 0."))
    assert nearest.split() == ["nearest", "Parcels", "can", "be", "returned", "for", "14", "days.", "(p1)"]
    assert "number 30 not found" in differs
    assert "14" in differs


def test_hostile_text_cannot_steer_the_terminal(tmp_path):
    hostile = "Blue\x1b[2J\x1b]0;owned\x07 \u202emoc\r\nclaim \x9b31m one day."
    passages = [{"id": "p\x1b[31m", "text": hostile}]
    row = {"id": "a\x1b[0m", "question": hostile, "answer": hostile, "passages": passages}
    out = run(write(tmp_path / "answers.jsonl", [row]), form="explain")[1]
    assert "claims" in out
    assert all(line.isprintable() for line in out.splitlines())
    assert "a\\x1b[0m" in out


def test_what_cannot_be_read_is_told_with_its_place_and_counted(tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(ANSWERS[0]) + "\nnot json\n\n" + '{"question": "q", "anwser": "a"}\n')
    code, out, err = run(file, metrics=["refusal"])
    assert (code, out.splitlines()[-1]) == (0, "1 answer")
    first, second, last = err.splitlines()
    assert first.startswith(f"groundwire: {file}: line 2: not JSON")
    assert second == f"groundwire: {file}: line 4: answer: missing"
    assert last == f"groundwire: {file}: 2 records could not be read"


def test_a_problem_that_many_lines_share_is_told_once_with_its_number(tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(ANSWERS[0]) + "\n" + '{"question": "q", "answer": "a", "pasages": []}\n' * 500)
    instead = "did you mean passages?"
    assert run(file, metrics=["refusal"])[2].splitlines() == [
        f"groundwire: {file}: line 2: pasages: unknown field; {instead}",
        f"groundwire: and in 499 more records, the last: {file}: line 501: pasages: unknown field; {instead}",
        f"groundwire: {file}: 500 records could not be read",
    ]


def test_many_unreadable_lines_are_counted_and_not_all_told(tmp_path):
    file = tmp_path / "answers.jsonl"
    rows = (json.dumps({"question": "q", "answer": "a", f"key_{number}": 1}) + "\n" for number in range(500))
    file.write_text(json.dumps(ANSWERS[0]) + "\n" + "".join(rows))
    err = run(file, metrics=["refusal"])[2]
    assert len(err.splitlines()) == 21
    assert err.splitlines()[-1] == f"groundwire: {file}: 500 records could not be read"


def test_traces_labelled_rows_and_answers_are_scored_together(tmp_path):
    labelled = tmp_path / "rows.jsonl.gz"
    row = {
        "id": "row",
        "split": "dev",
        "question": "q?",
        "passages": [],
        "answer": "So.",
        "label": "answers",
        "extra": {},
    }
    # Two members, as a log that was rotated has them.
    line = (json.dumps(row) + "\n").encode()
    labelled.write_bytes(gzip.compress(line) + gzip.compress(line.replace(b'"row"', b'"row-2"')))
    answers = write(tmp_path / "answers.jsonl", ANSWERS[:1])
    trace = GOLDEN / "langchain-basic.otlp.pb"
    out = run(labelled, trace, answers, metrics=["abstention"], form="json")[1]
    ids = [json.loads(line)["answer_id"] for line in out.splitlines()]
    assert (ids[:2], ids[-1], len(ids)) == (["row", "row-2"], "good", 4)


def test_spans_of_a_trace_on_many_lines_are_one_answer(tmp_path):
    spans = decode_traces((GOLDEN / "langchain-basic.otlp.pb").read_bytes()).spans
    lines = [as_json(spans[place : place + 1]) for place in range(len(spans))]
    lines.insert(2, ANSWERS[0])
    file = write(tmp_path / "spans.jsonl", lines)
    whole = tmp_path / "whole.pb"
    whole.write_bytes(encode_traces(spans))
    expected = json.loads(run(whole, metrics=["latency"], form="json")[1])
    good, traced = map(json.loads, run(file, metrics=["latency"], form="json")[1].splitlines())
    assert good["answer_id"] == "good"
    assert traced == expected


def test_spans_wait_only_until_their_trace_ends(tmp_path):
    spans = decode_traces((GOLDEN / "langchain-basic.otlp.pb").read_bytes()).spans
    file = write(tmp_path / "spans.jsonl", [as_json(spans), *ANSWERS])
    found = list(reading.answers([file], reading.AdaptOptions(), reading.Progress(None)))
    assert [answer.id for _, answer in found][1:] == ["good", "bad", "none"]


def test_lines_beyond_the_limit_are_refused_one_by_one(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MAX_LINE", 1000)
    long = ANSWERS[0] | {"id": "long", "answer": "x" * 5000}
    file = write(tmp_path / "answers.jsonl", [ANSWERS[0], long, ANSWERS[1]])
    _, out, err = run(file, metrics=["refusal"], form="json")
    assert [json.loads(line)["answer_id"] for line in out.splitlines()] == ["good", "bad"]
    assert "line 2: longer than 1000 bytes" in err


def test_what_has_to_be_read_at_once_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MAX_BYTES", 100)
    file = tmp_path / "answers.json"
    file.write_text(json.dumps(ANSWERS))
    with pytest.raises(ConfigError, match="larger than 100 bytes"):
        run(file)


@pytest.mark.slow
def test_the_catalog_is_what_freshness_is_judged_by(tmp_path):
    catalog = tmp_path / "catalog.yaml"
    catalog.write_text(
        "documents:\n  - {id: T, version: 2.0, effective_from: 2024-01-01, text: Hotels cost up to 150 EUR a night.}\n"
        "  - {id: T, version: 3.0, effective_from: 2025-01-01, supersedes: 2.0, text: Hotels cost up to 180 EUR.}\n"
    )
    # The text was withheld from the trace; the catalog has it.
    answer = {
        "question": "What may a hotel cost?",
        "answer": "Hotels cost up to 150 EUR a night.",
        "passages": [{"id": "T@2.0", "doc_id": "T", "version": "2.0"}],
    }
    file = write(tmp_path / "answers.jsonl", [answer])
    done = command(file, "--catalog", catalog, "--metrics", "stale_source_use", "--json", "--at", "2026-01-01")
    row = json.loads(done.stdout)
    assert (done.returncode, row["value"], row["basis"], row["label"]) == (0, 1.0, "catalog", "stale")
    early = command(file, "--catalog", catalog, "--metrics", "stale_source_use", "--json", "--at", "2024-06-01")
    assert json.loads(early.stdout)["label"] == "current"


@pytest.mark.slow
def test_the_panel_is_that_of_the_configuration(tmp_path):
    config = tmp_path / "groundwire.yaml"
    config.write_text("scorers: [{type: refusal}]\n")
    file = write(tmp_path / "answers.jsonl", ANSWERS[:1])
    rows = command(file, "--config", config, "--json").stdout.splitlines()
    assert [json.loads(row)["metric"] for row in rows] == ["refusal"]
    refused = command(file, "--config", config, "--metrics", "abstention")
    assert (refused.returncode, refused.stdout) == (2, b"")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.jsonl",), "nowhere.jsonl: cannot be read"),
        (("answers.jsonl", "--metrics", "refusl"), "did you mean 'refusal'"),
        (("answers.jsonl", "--catalog", "none.yaml"), "none.yaml"),
        (("answers.jsonl", "--config", "none.yaml"), "none.yaml"),
        (("answers.jsonl", "--json", "--explain"), "cannot be combined"),
        (("answers.jsonl", "--at", "soon"), "--at"),
        (("garbage",), "garbage"),
        ((), "FILE"),
    ],
)
def test_what_cannot_be_used_is_exit_code_2(tmp_path, arguments, said):
    write(tmp_path / "answers.jsonl", ANSWERS)
    (tmp_path / "garbage").write_bytes(b"\xff" * 2000)
    code, _, err = here.command("score", *arguments, cwd=tmp_path)
    assert code == 2
    assert said in err


def test_what_is_whole_in_a_file_that_was_cut_short_is_scored_and_the_rest_is_named(tmp_path):
    (tmp_path / "broken.gz").write_bytes(gzip.compress(b'{"question": "q", "answer": "a"}\n' * 9)[:-12])
    code, out, err = here.command("score", "broken.gz", "--json", "--metrics", "refusal", cwd=tmp_path)
    assert (code, len(out.splitlines())) == (0, 1)
    assert "broken.gz: gzip data ends early, at byte 34" in err
    assert "2 records could not be read" in err


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_it_quietly(tmp_path):
    file = write(tmp_path / "answers.jsonl", [ANSWERS[0] | {"id": f"a-{n}"} for n in range(400)])
    line = f"{sys.executable} -P -m collector.cli score {file} --json --metrics refusal,abstention | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["answer_id"] == "a-0"


@pytest.mark.slow
def test_standard_input_is_read_and_an_empty_file_is_no_error(tmp_path):
    rows = command("-", "--json", "--metrics", "refusal", stdin=json.dumps(ANSWERS[2]).encode())
    assert json.loads(rows.stdout)["label"] == "refuses"
    (tmp_path / "empty.jsonl").write_text("")
    assert command(tmp_path / "empty.jsonl", "--json").returncode == 0


def test_progress_is_shown_on_a_terminal_and_nothing_in_a_pipe(tmp_path, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    file = write(tmp_path / "answers.jsonl", ANSWERS)
    for form, out, shown in (("table", Terminal(), True), ("json", Terminal(), False), ("json", io.StringIO(), True)):
        err = Terminal()
        run(file, metrics=["refusal"], form=form, out=out, err=err)
        assert ("scoring" in err.getvalue()) is shown


def test_answers_without_any_value_are_told_what_they_lack_and_what_to_do(tmp_path):
    rows = [{"id": name, "question": "Why?", "answer": "So it is."} for name in "ab"]
    (tmp_path / "bare.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    wanted = ("--metrics", "claim_support,faithfulness,latency,policy_boundary_handling")
    done = here.command("score", "bare.jsonl", *wanted, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    first, *why, last = done.stdout.splitlines()
    assert first == "no metric has a value for any of 2 answers"
    assert sorted(why) == [
        "  missing passages (claim_support, faithfulness)",
        "  missing usage.latency_ms (latency)",
        "  not applicable: no policy rules are configured (policy_boundary_handling)",
    ]
    assert last == "give what is missing with each answer: docs/reading.md says which fields and keys are read"


def test_many_metrics_without_a_value_are_named_in_part(tmp_path):
    rows = {"id": "a", "question": "Why?", "answer": "So it is."}
    (tmp_path / "bare.jsonl").write_text(json.dumps(rows) + "\n")
    lacking = (
        "claim_support,faithfulness,numeric_fidelity,redundancy,score_margin,retrieval_silence,answer_completeness"
    )
    told = here.command("score", "bare.jsonl", "--metrics", lacking, cwd=tmp_path).stdout
    assert told.startswith("no metric has a value for the answer\n  missing passages (")
    assert told.splitlines()[1].endswith(" and 2 more)")


def test_a_file_without_answers_prints_no_table(tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "bad.jsonl").write_text('{"question": "Why?"}\n')
    said = "no answers: nothing was scored\n"
    for name, code, told in (("empty.jsonl", 0, said), ("bad.jsonl", 2, "")):
        done = here.command("score", name, cwd=tmp_path)
        assert (done.returncode, done.stdout, "1 record could not be read" in done.stderr) == (code, told, code == 2)


def test_rows_of_a_suite_are_scored_and_explained_without_what_they_expect(tmp_path):
    rows = [{**ANSWERS[0], "expect": {"must_cite": ["p1"]}, "configuration": "today"}]
    ended = here.command("score", str(write(tmp_path / "suite.jsonl", rows)), "--explain", "--metrics", "claim_support")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Up to 180 EUR a night." in ended.stdout
    assert ended.stdout.endswith("\n1 answer\n")
