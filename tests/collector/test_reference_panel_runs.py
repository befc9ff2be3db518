"""`groundwire evaluate --panel reference`: metrics of a run that comparisons, reports and sweeps read."""

import json
import shutil
import sys

import pytest

from tests.collector.test_evaluate_command import interrupted, manifest, rows_of
from tests.command import command

ROWS = (
    {"id": "q1", "question": "How long is leave?", "answer": "Leave is 16 weeks.", "reference": "Leave is 20 weeks."},
    {"id": "q2", "question": "Who pays?", "answer": "The employer pays.", "reference": "The employer pays."},
    {"id": "q3", "question": "Is it paid?", "answer": "Yes, it is."},
    {"id": "q4", "question": "Is it paid?", "answer": "", "reference": "It is paid."},
)
APP = """
PASSAGES = [("p", "Leave is 20 weeks for all staff.", 0.9), ("q", "Parking costs 5 EUR a day.", 0.4)]

def answer(question, least=0.0):
    texts = [text for _, text, score in PASSAGES if score >= least]
    return {"answer": " ".join(texts) + " " + question, "documents": texts}
"""


def suite(path, rows=ROWS):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def evaluate(path, folder, *more):
    return tuple(command("evaluate", str(path), "--to", str(folder), "--workers", "1", *more))


def values(folder):
    return {(row["answer_id"], row["metric"]): (row["value"], row["explanation"]) for row in rows_of(folder)}


def test_answers_are_held_against_the_reference_of_their_row_and_others_say_why_not(tmp_path):
    folder = tmp_path / "run"
    wanted = ("--panel", "reference", "--metrics", "F1 score,METEOR,Laplace Perplexity,Bert-Score.f1")
    assert evaluate(suite(tmp_path / "s.jsonl"), folder, *wanted)[0] == 0
    found = values(folder)
    assert found["q1", "F1 score"] == (0.75, None)
    assert found["q2", "F1 score"] == (1.0, None)
    assert found["q3", "F1 score"] == (None, "reference")
    assert found["q4", "Laplace Perplexity"] == (None, "the answer has no words")
    assert "name its folder with --model" in found["q1", "Bert-Score.f1"][1]
    told = manifest(folder)
    assert told["metrics"] == dict.fromkeys(("METEOR", "F1 score", "Laplace Perplexity", "Bert-Score.f1"), "2")
    assert {"nltk", "rouge"} <= told["packages"].keys()


def test_the_panel_stands_beside_the_metrics_of_scorers_and_all_of_it_by_default(tmp_path):
    path = suite(tmp_path / "s.jsonl", ROWS[:1])
    evaluate(path, tmp_path / "run", "--panel", "reference", "--metrics", "claim_support")
    assert len({metric for _, metric in values(tmp_path / "run")}) == 1 + 24


def test_an_interrupted_run_with_the_panel_goes_on(tmp_path):
    path = suite(tmp_path / "s.jsonl")
    more = ("--panel", "reference", "--metrics", "F1 score,BLEU", "--at", "2026-01-01T00:00:00Z")
    evaluate(path, tmp_path / "whole", *more)
    evaluate(path, tmp_path / "cut", *more)
    interrupted(tmp_path / "cut", after=5)
    code, out, err = evaluate(path, tmp_path / "cut", *more)
    assert (code, err) == (0, "")
    assert out.endswith("4 answers scored, 2 of them before it was interrupted\n")
    assert values(tmp_path / "cut") == values(tmp_path / "whole")


def test_a_row_may_expect_a_reference_metric(tmp_path):
    path = suite(tmp_path / "s.jsonl", [ROWS[0] | {"expect": {"at_least": {"F1 score": 0.8}}}])
    code, out, _ = evaluate(path, tmp_path / "run", "--panel", "reference", "--metrics", "BLEU")
    assert code == 2
    code, out, _ = evaluate(path, tmp_path / "run", "--panel", "reference")
    assert code == 1
    assert "F1 score is 0.75, expected at least 0.8" in out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--metrics", "claim_precision_at_1"), "is of the panel claims; add --panel claims"),
        (("--panel", "references"), "--panel references: no such panel; did you mean 'reference'?"),
        (
            ("--metrics", "citation_agreement"),
            "--metrics citation_agreement: stands beside other metrics; name one more",
        ),
        (("--metrics", "BLEU"), "--metrics BLEU: is of the panel reference; add --panel reference"),
        (("--wordnet", "here"), "--wordnet here: only the reference panel reads it; add --panel reference"),
    ],
)
def test_what_belongs_to_the_panel_is_refused_without_it(tmp_path, more, message):
    code, _, err = evaluate(suite(tmp_path / "s.jsonl"), tmp_path / "run", *more)
    assert (code, message in err) == (2, True), err
    assert not (tmp_path / "run").exists()


def test_runs_compare_by_the_panel_and_less_perplexity_is_better(tmp_path):
    good = [
        {
            "id": f"q{i}",
            "question": "How long?",
            "reference": f"Leave is {i} weeks long.",
            "answer": f"Leave is {i} weeks.",
        }
        for i in range(20)
    ]
    bad = [row | {"answer": "Hotels cost more in summer, as everybody knows."} for row in good]
    more = ("--panel", "reference", "--metrics", "F1 score,Laplace Perplexity")
    evaluate(suite(tmp_path / "good.jsonl", good), tmp_path / "good", *more)
    evaluate(suite(tmp_path / "bad.jsonl", bad), tmp_path / "bad", *more)
    found = command("compare", str(tmp_path / "good"), str(tmp_path / "bad"), "--json")
    assert {row["metric"]: row["verdict"] for row in json.loads(found.stdout)["rows"]} == {
        "F1 score": "worse",
        "Laplace Perplexity": "worse",
    }
    report = tmp_path / "report.md"
    assert command("report", str(tmp_path / "good"), str(tmp_path / "bad"), "--to", str(report)).returncode == 0
    assert "Hold bad: it is worse than good in F1 score, Laplace Perplexity (" in report.read_text()


@pytest.fixture
def thresholds(tmp_path, monkeypatch):
    """Run folders of an application at two thresholds."""
    monkeypatch.delitem(sys.modules, "swept_app", raising=False)
    (tmp_path / "swept_app.py").write_text(APP)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "runs.yaml").write_text(
        "configurations:\n"
        '  all: {application: {type: python, entry: "swept_app:answer", versions: {threshold: "0"}}}\n'
        "  half: {application: {type: python, entry: swept_app:answer, arguments: {least: 0.5},"
        ' versions: {threshold: "0.5", prompt: new}}}\n'
    )
    rows = [
        {"id": f"q{i}", "question": f"How long is leave {i}?", "reference": "Leave is 20 weeks." + " At least." * i}
        for i in range(6)
    ]
    wanted = ("--configurations", "runs.yaml", "--panel", "reference", "--metrics", "F1 score,METEOR")
    assert evaluate(suite(tmp_path / "s.jsonl", rows), tmp_path / "runs", *wanted)[0] == 0
    return tmp_path / "runs"


def test_a_sweep_reads_a_run_for_each_threshold_and_says_what_else_they_differ_in(thresholds, tmp_path):
    panel = tmp_path / "panel.yaml"
    panel.write_text("metrics: {F1 score: {weight: 1, range: [0, 1]}}")
    found = command("threshold", "sweep", str(thresholds), "--panel", str(panel), "--resamples", "1000")
    assert (found.returncode, found.stderr) == (0, "")
    assert "runs: baseline 0, 6 questions" in found.stdout
    assert "recommendation: use 0.5: the only threshold that is better than the baseline" in found.stdout
    assert 'caution: thresholds differ in versions too, so effects may be of that: 0: {}; 0.5: {"prompt":"new"}' in (
        found.stdout
    )


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("METEOR: {weight: 1}", "METEOR: has no value in any row; name other metrics with --panel"),
        ("BLEU: {weight: 1}", "has no metric BLEU; score it with groundwire evaluate --panel reference"),
    ],
)
def test_a_sweep_over_runs_says_which_metric_they_lack(thresholds, tmp_path, weights, message):
    panel = tmp_path / "panel.yaml"
    panel.write_text(f"metrics: {{{weights}}}")
    found = command("threshold", "sweep", str(thresholds), "--panel", str(panel))
    assert (found.returncode, message in found.stderr) == (2, True), found.stderr


def test_a_run_whose_answers_name_no_threshold_is_refused_with_table_row_and_field(tmp_path):
    evaluate(suite(tmp_path / "s.jsonl", ROWS[:2]), tmp_path / "run", "--panel", "reference")
    found = command("threshold", "sweep", str(tmp_path / "run"), "--panel", "lexical")
    answer_id = ROWS[0]["id"]
    assert found.returncode == 2
    assert f"{tmp_path / 'run' / 'answers.parquet'}: row 1, answer {answer_id}: attributes.threshold: missing" in (
        found.stderr
    )


def test_a_question_that_two_runs_have_at_one_threshold_is_told_with_both_places(thresholds, tmp_path):
    shutil.copytree(thresholds / "half", thresholds / "once-more")
    panel = tmp_path / "panel.yaml"
    panel.write_text("metrics: {F1 score: {weight: 1}}")
    found = command("threshold", "sweep", str(thresholds), "--panel", str(panel))
    places = [thresholds / run / "answers.parquet" for run in ("once-more", "half")]
    problem = "question: 'How long is leave 0?' at threshold 0.5 is in"
    assert f"{places[0]}: row 1, answer q0: {problem} {places[1]}: row 1, answer q0 already" in found.stderr


def test_claims_are_held_against_the_first_passages_and_answers_against_their_rubric(tmp_path):
    passages = [
        {"id": "first", "text": "Parking costs 5 EUR a day."},
        {"id": "second", "text": "Leave is 20 weeks. The line manager approves the leave."},
    ]
    rubric = [{"criterion": "Leave is 20 weeks.", "weight": 3}, {"criterion": "Parking costs 5 EUR a day."}]
    row = {"id": "q", "question": "How long?", "answer": "Leave is 20 weeks.", "passages": passages}
    path = suite(tmp_path / "s.jsonl", [row | {"gold": {"rubric": rubric}}])
    named = ("--metrics", "claim_support,rubric_groundedness")
    assert evaluate(path, tmp_path / "run", "--panel", "claims", *named)[0] == 0
    found = {metric: value for (_, metric), (value, _) in values(tmp_path / "run").items()}
    assert (found["claim_precision_at_1"], found["claim_precision_at_3"]) == (0.0, 1.0)
    assert 0.75 <= found["rubric_groundedness"] < 0.85
