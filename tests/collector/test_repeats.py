"""`groundwire evaluate --repeats`: what moves where nothing changes."""

import json
import sys

import pytest

from tests.collector.test_evaluate_command import manifest, rows_of
from tests.command import command, one_object

APP = """
PASSAGES = [{"id": "p1", "doc_id": "LEAVE", "text": "Leave is 20 weeks."},
            {"id": "p2", "doc_id": "PAY", "text": "The employer pays."}]
SEEN = []

def answer(question, repeat=1, id=""):
    SEEN.append(id)
    place = 1 if repeat == 3 and question.startswith("How") else 0
    return {"answer": f"{PASSAGES[place]['text']} [{place + 1}]", "documents": PASSAGES}
"""
ROWS = (
    {
        "id": "q1",
        "question": "How long is leave?",
        "reference": "Leave is 20 weeks.",
        "expect": {"must_cite": ["LEAVE"]},
    },
    {"id": "q2", "question": "Is leave long?", "reference": "Leave is 20 weeks.", "expect": {"must_cite": ["LEAVE"]}},
)


@pytest.fixture
def suite(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "asked_again", raising=False)
    (tmp_path / "asked_again.py").write_text(APP)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def evaluate(path, folder, *more):
    wanted = ("--panel", "reference", "--metrics", "F1 score,BLEU", "--workers", "1")
    return command("evaluate", str(path), "--to", str(folder), *wanted, *more)


def test_each_question_is_asked_again_and_what_moves_is_told(suite, tmp_path):
    found = evaluate(suite, tmp_path / "run", "--application", "asked_again:answer", "--repeats", "4")
    assert (found.returncode, found.stderr) == (1, "")
    assert "run: 2 questions asked again, 8 answers\n" in found.stdout
    row = next(line for line in found.stdout.splitlines() if line.startswith("F1 score"))
    assert row.split()[-5:] == ["1", "of", "2", "-", "0"]
    assert "run: answers to the same question share 75% of the documents that they cite\n" in found.stdout
    assert "run: 7 of 8 rows with expectations kept\n" in found.stdout
    assert "run: 1 of 2 questions kept in some repetitions only: q1\n" in found.stdout
    assert [row["answer_id"] for row in rows_of(tmp_path / "run", "answers")] == [
        f"{name}#{number}" for number in range(1, 5) for name in ("q1", "q2")
    ]
    assert manifest(tmp_path / "run")["metrics"]["citation_agreement"] == "1"


def test_programs_are_told_of_repetitions_what_people_are(suite, tmp_path):
    again = ("--application", "asked_again:answer", "--repeats", "4", "--by", "repeat")
    done = evaluate(suite, tmp_path / "run", *again, "--json")
    told = one_object(done, "evaluate")
    [run] = told["runs"]
    assert (done.returncode, run["folder"], run["answers"]) == (1, str(tmp_path / "run"), 8)
    assert (run["resumed"], run["failed"], run["shared_citations"]) == (0, 0, 0.75)
    assert {each["metric"]: each["changing"] for each in run["repeats"]}["F1 score"] == 1
    assert told["expectations"] == [{"run": "run", "rows": 8, "kept": 7, "kept_in_some_repetitions": ["q1"]}]
    [missed] = told["missed"]
    assert (missed["run"], missed["answer_id"], "LEAVE" in missed["expected"]) == ("run", "q1#3", True)
    assert told["by"] == "repeat"
    assert told["slices"][2] == {"run": "run", "value": "3", "rows": 2, "kept": 1}


def test_repetitions_are_one_group_of_a_comparison(suite, tmp_path):
    for name in ("one", "other"):
        evaluate(suite, tmp_path / name, "--application", "asked_again:answer", "--repeats", "3")
    told = command("compare", str(tmp_path / "one"), str(tmp_path / "other"), "--json")
    rows = {row["metric"]: row for row in json.loads(told.stdout)["rows"]}
    assert {(row["pairs"], row["groups"]) for row in rows.values()} == {(6, 2)}
    assert rows["citation_agreement"]["better"] == "higher"


def test_a_report_tells_of_questions_that_were_asked_again(suite, tmp_path):
    evaluate(suite, tmp_path / "run", "--application", "asked_again:answer", "--repeats", "4")
    for ending in ("md", "html"):
        report = tmp_path / f"report.{ending}"
        assert command("report", str(tmp_path / "run"), "--to", str(report)).returncode == 0
        assert "Asked again" in report.read_text()
        assert "repeat_of=" not in report.read_text().partition("The worst answers")[0]


def test_recorded_answers_in_other_words_agree_or_not(suite, tmp_path):
    passages = [{"id": "p1", "doc_id": "LEAVE", "text": "Leave is 20 weeks."}, {"id": "p2", "text": "Else."}]
    rows = [
        {"id": "base", "question": "How long?", "answer": "20 weeks [p1].", "passages": passages},
        {"id": "other", "question": "Which length?", "answer": "20 weeks [p1].", "passages": passages},
        {"id": "third", "question": "What length?", "answer": "Else [p2].", "passages": passages},
        {"id": "alone", "question": "Why?", "answer": "So [p1].", "passages": passages},
    ]
    for row in rows[1:3]:
        row["attributes"] = {"paraphrase_of": "base"}
    for row in rows:
        start = row["answer"].index("[")
        cited = row["answer"][start + 1 : start + 3]
        row["citations"] = [{"start": start, "end": start + 4, "marker": f"[{cited}]", "passage_id": cited}]
    suite.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert evaluate(suite, tmp_path / "run", "--metrics", "citation_agreement").returncode == 0
    rows = rows_of(tmp_path / "run")
    assert {row["metric"] for row in rows} == {"F1 score", "BLEU", "citation_agreement"}
    found = {row["answer_id"]: row["value"] for row in rows if row["metric"] == "citation_agreement"}
    assert found.pop("alone", None) is None
    assert found == {"base": 0.5, "other": 0.5, "third": 0.0}


def test_agreement_in_citations_has_no_value_where_nothing_is_asked_again(suite, tmp_path):
    suite.write_text(json.dumps({"id": "q", "question": "Why?", "answer": "So."}) + "\n")
    found = evaluate(suite, tmp_path / "run", "--metrics", "citation_agreement")
    assert found.returncode == 2
    assert "--metrics citation_agreement: no question is asked again; give --repeats, or rows" in found.stderr


def test_recorded_answers_cannot_be_asked_again(suite, tmp_path):
    suite.write_text(json.dumps({"id": "q", "question": "Why?", "answer": "So."}) + "\n")
    found = evaluate(suite, tmp_path / "run", "--repeats", "2")
    assert (found.returncode, found.stdout) == (2, "")
    assert "--repeats: nobody is asked again for recorded answers; name an --application" in found.stderr


def test_a_row_with_the_name_of_a_repetition_is_refused(suite, tmp_path):
    suite.write_text("".join(json.dumps({"id": name, "question": "Why?"}) + "\n" for name in ("q", "q#2")))
    found = evaluate(suite, tmp_path / "run", "--application", "asked_again:answer", "--repeats", "2")
    assert "id: 'q#2' is the name of a repetition; rename the row" in found.stderr
