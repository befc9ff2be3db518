"""Suites as tests: exit codes, the table of what was missed, JUnit, and the example of the month-end close."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

from pyarrow import parquet

from tests.command import command

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "suites" / "month-end-close.jsonl"
RULE = {"id": "p1", "doc_id": "RET-1", "version": "2", "text": "Parcels can be returned for 14 days."}


def row(name, answer, expect, **more):
    citations = [{"start": len(answer), "end": len(answer), "marker": "", "passage_id": "p1"}]
    told = {"id": name, "question": "How long?", "answer": answer, "passages": [RULE], "citations": citations}
    return told | {"expect": expect} | more


def evaluate(folder, rows, *more):
    path = folder / "suite.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return command(
        "evaluate", str(path), "--to", str(folder / "run"), "--metrics", "claim_support", "--workers", "1", *more
    )


def test_the_example_finds_every_defect_at_its_stage_and_blocks_it(tmp_path):
    ended = command("evaluate", str(EXAMPLE), "--to", str(tmp_path / "run"), "--by", "workflow", "--workers", "1")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "run: 6 of 6 rows with expectations kept" in ended.stdout
    checks = parquet.read_table(tmp_path / "run" / "checks.parquet").to_pylist()
    stages = {each["answer_id"]: each["observed"] for each in checks if each["expectation"].startswith("first_failed")}
    assert stages == {
        "supported answer": "pass",
        "invented bypass": "answer faithfulness",
        "wrong citation": "citation support",
        "empty answer": "answer completeness",
        "dropped context": "context selection",
        "missing candidate": "candidate retrieval",
    }
    decisions = [each for each in checks if each["expectation"].startswith("release")]
    assert (len(decisions), all(each["kept"] for each in decisions)) == (6, True)


def test_a_missed_expectation_exits_with_1_and_says_what_was_expected_and_why_it_was_missed(tmp_path):
    rows = [
        row(
            "right",
            "Parcels can be returned for 14 days.",
            {"must_cite": ["RET-1@2"], "at_least": {"claim_support": 0.5}},
        ),
        row(
            "wrong",
            "Parcels can be returned for 90 days.",
            {"must_not_refuse": True, "at_least": {"claim_support": 0.5}},
        ),
        row("free", "Anything.", None),
    ]
    ended = evaluate(tmp_path, rows, "--junit", str(tmp_path / "out.xml"), "--by", "missing")
    assert ended.returncode == 1
    assert "run  wrong  claim_support at least 0.5  claim_support is 0." in ended.stdout
    assert "run: 1 of 2 rows with expectations kept" in ended.stdout
    assert "--by missing: no row with expectations has this attribute" in ended.stdout
    (suite,) = ET.parse(tmp_path / "out.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    failures = {case.get("name"): case.find("failure") for case in suite}
    assert failures["right"] is None
    assert failures["wrong"].get("message") == "claim_support at least 0.5"


def test_a_metric_that_only_an_expectation_needs_is_scored_as_well(tmp_path):
    ended = evaluate(tmp_path, [row("a", "I cannot help with that.", {"must_refuse": True})])
    assert (ended.returncode, ended.stderr) == (0, "")
    scored = {each["metric"] for each in parquet.read_table(tmp_path / "run" / "scores.parquet").to_pylist()}
    assert scored == {"claim_support", "refusal"}


def test_an_expectation_that_needs_the_reference_panel_is_named_with_its_line(tmp_path):
    rows = [row("a", "Yes.", None), row("b", "Yes.", {"at_least": {"F1 score": 0.5}})]
    ended = evaluate(tmp_path, rows)
    assert ended.returncode == 2
    assert ended.stderr.endswith(": line 2: expect: F1 score is of the reference panel; add --panel reference\n")
    assert "suite.jsonl: line 2" in ended.stderr


def test_text_of_traffic_cannot_break_out_of_a_report(tmp_path):
    rows = [row('x" <y>\x1b[31m', "Parcels can be returned for 90 days.", {"must_say": ["</failure>\x1b[2J"]})]
    ended = evaluate(tmp_path, rows, "--junit", str(tmp_path / "out.xml"))
    assert "\x1b" not in ended.stdout + (tmp_path / "out.xml").read_text()
    assert len(ET.parse(tmp_path / "out.xml").getroot().findall(".//failure")) == 1


def test_each_configuration_of_a_suite_is_a_run_and_all_are_checked(tmp_path):
    rows = [
        row("a", f"Parcels can be returned for {days} days.", {"at_least": {"claim_support": 0.5}})
        | {"configuration": name}
        for name, days in (("today", 14), ("next", 90))
    ]
    ended = evaluate(tmp_path, rows)
    assert ended.returncode == 1
    assert "today: 1 of 1 row with expectations kept" in ended.stdout
    assert "next: 0 of 1 row with expectations kept" in ended.stdout
    assert sorted(each.name for each in (tmp_path / "run").iterdir()) == ["next", "today"]


def test_configurations_whose_folders_would_have_one_name_are_runs_of_their_own_under_their_names(tmp_path):
    rows = [
        row("a", "Parcels can be returned for 14 days.", {"must_not_refuse": True}) | {"configuration": name}
        for name in ("chunks 500:", "chunks 500?")
    ]
    ended = evaluate(tmp_path, rows, "--junit", str(tmp_path / "out.xml"))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "run/chunks_500_ (chunks 500:): 1 answer scored\n" in ended.stdout
    assert "run/chunks_500_-2 (chunks 500?): 1 answer scored\n" in ended.stdout
    suites = [suite.get("name") for suite in ET.parse(tmp_path / "out.xml").getroot()]
    assert suites == ["groundwire evaluate chunks 500:", "groundwire evaluate chunks 500?"]


def test_a_catalog_that_is_not_there_is_named_with_where_it_was_looked_for(tmp_path):
    config = tmp_path / "groundwire.yaml"
    config.write_text("catalog: {path: no-such-catalog.jsonl}\n")
    ended = evaluate(tmp_path, [row("a", "14 days.", None)], "--config", str(config))
    assert ended.returncode == 2
    assert ended.stderr.startswith(
        f"groundwire: {config}: catalog.path: {Path.cwd() / 'no-such-catalog.jsonl'}: no such"
    )
    assert "a relative path begins at the working directory" in ended.stderr


def test_rows_without_a_question_or_an_answer_are_counted_apart(tmp_path):
    rows = [row("a", "Parcels can be returned for 14 days.", None) for _ in range(3)]
    rows = [{**each, "id": str(number)} for number, each in enumerate(rows)]
    del rows[1]["question"]
    rows[2] |= {"answer": None, "citations": None}
    ended = evaluate(tmp_path, rows)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "run: 3 answers scored; 1 row has no answer; 1 row has no question\n" in ended.stdout
