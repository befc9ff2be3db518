"""`groundwire evaluate`: a run folder that says what it was made from, and is finished but never changed."""

import json
import signal
import subprocess
import sys

import duckdb
import pytest
from pyarrow import parquet

from tests.command import command

KILLED = """
import os, signal
from collector.runs.journal import Journal
append, scored = Journal.append_lines, []

def killed(self, lines):
    append(self, lines)
    if self._file.name.endswith("scores.jsonl"):
        scored.append(self)
    if len(scored) == 250:
        os.kill(os.getpid(), signal.SIGKILL)

Journal.append_lines = killed
from collector.cli import main
main()
"""
"""The command line, killed by the system in the middle of its scores."""

POLICY = {"id": "p1", "text": "Parcels can be returned for 14 days."}


def suite(path, n=4, days=14):
    rows = [
        {
            "id": f"q{i}",
            "question": "How long?",
            "answer": f"Parcels can be returned for {days} days.",
            "passages": [POLICY],
        }
        for i in range(n)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def evaluate(path, folder, *more):
    arguments = ("--to", str(folder), "--metrics", "claim_support,faithfulness", "--workers", "1", *more)
    return tuple(command("evaluate", str(path), *arguments))


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def rows_of(folder, table="scores"):
    return parquet.read_table(folder / f"{table}.parquet").to_pylist(maps_as_pydicts="strict")


def interrupted(folder, *, after):
    """Leave a run as a kill in the middle of a line does."""
    told = manifest(folder)
    ended = {"answers": None, "failed": None, "observed": None, "tables": None}
    lines = [json.dumps(row | {"evidence": json.loads(row["evidence"] or "[]")}) + "\n" for row in rows_of(folder)]
    for each in folder.iterdir():
        each.unlink()
    (folder / "manifest.json").write_text(json.dumps(told | ended))
    (folder / "scores.jsonl").write_text("".join(lines[:after]) + lines[after][:30])


def test_a_run_holds_its_scores_and_the_checksums_of_what_it_was_made_from(tmp_path):
    path, folder = suite(tmp_path / "suite.jsonl"), tmp_path / "run"
    assert evaluate(path, folder) == (0, f"{folder}: 4 answers scored\n", "")
    told = manifest(folder)
    assert (told["answers"], [each["name"] for each in told["suite"]]) == (4, ["suite.jsonl"])
    assert set(told["metrics"]) == {"claim_support", "faithfulness"}
    assert len(rows_of(folder)) == 8
    assert all(each.stat().st_mode & 0o222 == 0 for each in folder.iterdir())
    assert sorted(each.name for each in folder.iterdir()) == [
        "answers.parquet",
        "checks.parquet",
        "manifest.json",
        "passages.parquet",
        "scores.parquet",
    ]


def test_an_interrupted_run_goes_on_with_no_row_lost_or_doubled(tmp_path):
    path = suite(tmp_path / "suite.jsonl")
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    at = ("--at", "2026-01-01T00:00:00Z")
    evaluate(path, whole, *at)
    evaluate(path, cut, *at)
    interrupted(cut, after=5)
    code, out, _ = evaluate(path, cut)
    assert (code, out) == (0, f"{cut}: 4 answers scored, 2 of them before it was interrupted\n")
    assert [row | {"run": "whole"} for row in rows_of(cut)] == rows_of(whole)
    assert {**manifest(cut), "name": "", "tables": {}} == {**manifest(whole), "name": "", "tables": {}}


def test_a_finished_run_is_never_changed(tmp_path):
    path, folder = suite(tmp_path / "suite.jsonl"), tmp_path / "run"
    evaluate(path, folder)
    before = (folder / "scores.parquet").read_bytes()
    code, out, err = evaluate(path, folder)
    assert (code, out) == (2, "")
    assert err == f"groundwire: {folder}: holds a finished run, which is never changed; name a new folder\n"
    assert (folder / "scores.parquet").read_bytes() == before


def test_a_run_is_not_finished_with_another_suite(tmp_path):
    path, folder = suite(tmp_path / "suite.jsonl"), tmp_path / "run"
    evaluate(path, folder)
    interrupted(folder, after=2)
    suite(path, days=30)
    assert evaluate(path, folder)[2] == f"groundwire: {folder}: was begun with another suite; name a new folder\n"


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    code, _, err = evaluate(suite(tmp_path / "suite.jsonl"), tmp_path / "run")
    assert (code, "holds other files" in err) == (2, True)
    assert [each.name for each in (tmp_path / "run").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": "a", "question": 7}\n{"id": "a"}\n', "line 1"),
        ('{"id": "a", "question": "?", "answer": "x"}\n' * 2, "id: two answers have the id 'a'"),
        ('{"id": "a", "question": "?", "answer": "x"}\n{"id": "b", "ques', "line 2"),
    ],
)
def test_a_suite_that_cannot_be_used_is_refused_before_anything_is_written(tmp_path, text, message):
    path, folder = tmp_path / "suite.jsonl", tmp_path / "run"
    path.write_text(text)
    code, out, err = evaluate(path, folder)
    assert (code, out) == (2, "")
    assert err.startswith(f"groundwire: {path}: ")
    assert message in err
    assert not folder.exists()


@pytest.mark.slow
def test_runs_are_compared_by_their_folders_unless_one_was_changed_or_did_not_end(tmp_path):
    good, bad = tmp_path / "good", tmp_path / "bad"
    evaluate(suite(tmp_path / "a.jsonl", n=12), good)
    evaluate(suite(tmp_path / "b.jsonl", n=12, days=30), bad)
    code, out, _ = command("compare", str(good), str(bad), "--fail-if-worse")
    assert (code, "worse" in out) == (1, True)
    (bad / "scores.parquet").chmod(0o644)
    whole = (bad / "scores.parquet").read_bytes()
    (bad / "scores.parquet").write_bytes(whole + b" ")
    assert "was changed after the run ended" in command("compare", str(good), str(bad)).stderr
    (bad / "scores.parquet").write_bytes(whole)
    interrupted(bad, after=3)
    assert "the run did not end" in command("compare", str(good), str(bad)).stderr


def test_duckdb_reads_the_tables_of_a_run(tmp_path):
    folder = tmp_path / "run"
    evaluate(suite(tmp_path / "suite.jsonl"), folder)
    found = duckdb.sql(
        f"SELECT s.metric, count(*), avg(s.value), any_value(a.question) FROM '{folder}/scores.parquet' s "
        f"JOIN '{folder}/answers.parquet' a USING (run, answer_id) GROUP BY ALL ORDER BY 1"
    ).fetchall()
    assert [(metric, n, question) for metric, n, _, question in found] == [
        ("claim_support", 4, "How long?"),
        ("faithfulness", 4, "How long?"),
    ]
    passages = duckdb.sql(f"SELECT passage_id, text_sha256 FROM '{folder}/passages.parquet'").fetchall()
    assert (len(passages), {name for name, _ in passages}) == (4, {"p1"})
    assert manifest(folder)["observed"]["chunks"]["count"] == len({digest for _, digest in passages}) == 1


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_with_no_row_lost_or_doubled(tmp_path):
    path, whole, killed = suite(tmp_path / "suite.jsonl", n=600), tmp_path / "whole", tmp_path / "killed"
    at = ("--at", "2026-01-01T00:00:00Z")
    evaluate(path, whole, *at)
    arguments = [
        "evaluate",
        str(path),
        "--to",
        str(killed),
        "--metrics",
        "claim_support,faithfulness",
        "--workers",
        "1",
    ]
    ended = subprocess.run([sys.executable, "-c", KILLED, *arguments, *at], check=False, timeout=120)
    assert ended.returncode == -signal.SIGKILL
    assert 0 < len((killed / "scores.jsonl").read_bytes().splitlines()) < 1200
    assert not (killed / "scores.parquet").exists()
    code, out, _ = evaluate(path, killed)
    assert (code, "before it was interrupted" in out) == (0, True)
    assert [row | {"run": "whole"} for row in rows_of(killed)] == rows_of(whole)


@pytest.mark.slow
def test_a_composite_with_other_caps_is_not_compared_and_what_else_was_scored_is(tmp_path):
    path, folders = suite(tmp_path / "suite.jsonl", n=8), []
    for name, options in (("usual", ""), ("strict", ", caps: {stale_source: 50}")):
        config = tmp_path / f"{name}.yaml"
        config.write_text(f"scorers: [{{type: claim_support}}, {{type: composite{options}}}]\n")
        folders.append(tmp_path / "runs" / name)
        more = ("--config", str(config))
        assert command("evaluate", str(path), "--to", str(folders[-1]), "--workers", "1", *more)[0] == 0
    usual, strict = (
        {row["scorer_version"] for row in rows_of(each) if row["metric"] == "composite"} for each in folders
    )
    assert usual.isdisjoint(strict)
    code, out, _ = command("compare", *map(str, folders))
    assert code == 0
    assert "not compared: composite was scored with other options" in out
    assert "identical in every pair: claim_support" in out
    page = tmp_path / "report.md"
    assert command("report", *map(str, folders), "--to", str(page))[0] == 0
    assert "not compared: composite was scored with other options in strict" in page.read_text()
