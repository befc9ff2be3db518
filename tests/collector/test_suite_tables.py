"""Suites as tables: what spreadsheets, pandas and `datasets` write, and what of it cannot be read."""

import json
import re
from datetime import UTC, datetime
from io import StringIO

import pyarrow as pa
import pytest
from pyarrow import parquet

from collector.commands.progress import watched
from collector.commands.suites.read import read_suite
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.runs.journal import rows_of
from tests.collector.test_suites import rows, written
from tests.command import command

TEXTS = ["Parcels: 14 days, 'as new'.", 'The "label" is inside.']
ROW = {"question": "How long?", "contexts": TEXTS, "answer": "14 days.", "ground_truth": "14 days."}
HEAD = "question;answer;ground_truth;contexts;attributes.domain"


def evaluate(folder, files, *more):
    to = ("--to", str(folder / "run"), "--metrics", "claim_support", "--workers", "1", *more)
    return command("evaluate", *(files if isinstance(files, list) else written(folder, files)), *to)


def test_tables_say_what_the_same_rows_say_as_json(tmp_path):
    printed = repr(TEXTS[0]) + "\n " + repr(TEXTS[1])
    cells = {
        "pandas.csv": f",question,contexts,answer,ground_truth\n0,How long?,{quoted(repr(TEXTS))},14 days.,14 days.\n",
        "numpy.csv": f"question,contexts,answer,ground_truth\nHow long?,{quoted(f'[{printed}]')},14 days.,14 days.\n",
        "tabs.tsv": "Question\tContexts\tAnswer\tGround truth\n"
        f"How long?\t{quoted(json.dumps(TEXTS))}\t14 days.\t14 days.",
        "context.csv": f"user_input,context,response,ground_truth\nHow long?,{quoted(repr(TEXTS))},14 days.,14 days.\n",
        "lines.jsonl": [ROW],
    }
    parquet.write_table(pa.Table.from_pylist([ROW | {"__index_level_0__": 7}]), tmp_path / "hf.parquet")
    # The same row is the same case: each file is a suite of its own.
    for name in (*cells, "hf.parquet"):
        files = written(tmp_path, {name: cells[name]}) if name in cells else [str(tmp_path / name)]
        ended = evaluate(tmp_path / name.replace(".", "-"), files)
        assert (ended.returncode, ended.stderr) == (0, ""), name
        [row] = rows(tmp_path / name.replace(".", "-"), "answers")
        record = json.loads(row["record"])
        assert [passage["text"] for passage in record["passages"]] == TEXTS, name
        assert (row["question"], row["answer"], row["reference"]) == ("How long?", "14 days.", "14 days."), name
        assert "attributes" not in record, name


def test_a_table_of_a_spreadsheet_has_semicolons_a_mark_and_one_text_in_a_cell(tmp_path):
    text = f"\ufeff{HEAD}\r\nHow long?;14 days.;;Parcels: 14 days, as new.;travel\r\n"
    assert evaluate(tmp_path, {"a.csv": text}).returncode == 0
    [row] = rows(tmp_path, "answers")
    record = json.loads(row["record"])
    assert [each["text"] for each in record["passages"]] == ["Parcels: 14 days, as new."]
    assert (row["reference"], record["attributes"]) == (None, {"domain": "travel"})


def test_examples_with_json_in_cells_and_times_in_parquet_are_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "desk.py").write_text("def answer(question):\n    return question\n")
    cell = quoted(json.dumps({"question": "How far?"}))
    (tmp_path / "examples.csv").write_text(
        f"id,inputs,outputs,metadata\n1,{cell},{quoted(json.dumps({'answer': '3'}))},{{}}\n"
    )
    example = {"id": "2", "inputs": {"question": "Who?"}, "outputs": {"answer": "I"}, "created_at": datetime.now(UTC)}
    parquet.write_table(pa.Table.from_pylist([example]), tmp_path / "examples.parquet")
    (tmp_path / "plain.csv").write_text("question\nWhen?\n")
    ended = evaluate(tmp_path, ["examples.csv", "examples.parquet", "plain.csv"], "--application", "desk:answer")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [(each["question"], each["reference"]) for each in rows(tmp_path, "answers")] == [
        ("How far?", "3"), ("Who?", "I"), ("When?", None),
    ]  # fmt: skip


def parts(folder, name, text, *, asks=True):
    (folder / name).write_text(text)
    with watched(StringIO(), StringIO()) as progress:
        suite = read_suite([folder / name], Config().traces.options(), folder, progress, asks=asks, err=StringIO())
    [journal] = suite.configurations.values()
    return [row["answer"] for row in rows_of(journal)]


@pytest.mark.parametrize(
    "head",
    [
        "id,input_question,output_answer,metadata_domain",  # LangSmith
        "id,input.question,output.answer,metadata.domain",  # Phoenix
    ],
)
def test_examples_whose_objects_are_flat_columns_are_read(tmp_path, head):
    [row] = parts(tmp_path, "examples.csv", f"{head}\ne-1,How far?,3 km,travel\n")
    told = (row["id"], row["question"], row["reference"], row["attributes"])
    assert told == ("e-1", "How far?", "3 km", {"domain": "travel"})


def test_the_answers_of_an_experiment_are_recorded_with_what_others_said_of_them(tmp_path):
    documents = quoted(json.dumps([{"page_content": "It is 3 km.", "metadata": {"source": "map.pdf"}}]))
    text = (
        "inputs.question,outputs.answer,outputs.documents,error,reference.answer,feedback.right,example_id,id\n"
        f"How far?,4 km,{documents},,3 km,0.0,e-1,r-1\nWho?,,,TimeoutError(),I,,e-2,r-2\n"
    )
    said, failed = parts(tmp_path, "experiment.csv", text, asks=False)
    assert (said["id"], said["answer"], said["reference"]) == ("e-1", "4 km", "3 km")
    assert (said["passages"][0]["text"], said["judgements"][0]["scores"]) == ("It is 3 km.", {"right": 0.0})
    assert (failed["id"], failed["status"], failed["error"]) == ("e-2", "error", "TimeoutError()")


def test_a_spreadsheet_of_questions_keeps_its_other_columns_and_has_empty_rows(tmp_path):
    text = "No.,Question,Expected answer,Owner\n1,How far?,3 km,Ann\n,,,\n2,Who?,,Bob\n"
    first, second = parts(tmp_path, "sheet.csv", text)
    assert (first["question"], first["reference"], first["attributes"]) == (
        "How far?",
        "3 km",
        {"No.": "1", "Owner": "Ann"},
    )
    assert (second["question"], second.get("reference"), second["attributes"]["Owner"]) == ("Who?", None, "Bob")


def test_columns_of_what_is_expected_and_of_labels_are_tests_and_labels_and_no_attributes(tmp_path):
    head = "question,answer,Expect.must say,expect.must_refuse,expect.at_least.claim_support,gold.acceptable"
    text = f"{head}\nHow far?,3 km,4 km,no,0.5,FALSE\nWho?,Ann,{quoted(json.dumps(['Ann', 'Bo']))},,,\n"
    suite = written(tmp_path, {"sheet.csv": text})
    ended = command("evaluate", *suite, "--to", str(tmp_path / "run"), "--metrics", "latency", "--workers", "1")
    assert (ended.returncode, ended.stderr) == (1, "")
    first, second = rows(tmp_path, "answers")
    assert json.loads(first["expect"]) == {"must_say": ["4 km"], "at_least": {"claim_support": 0.5}}
    assert json.loads(second["expect"]) == {"must_say": ["Ann", "Bo"]}
    record = json.loads(first["record"])
    assert (record["gold"], "attributes" in record) == ({"acceptable": False}, False)
    table = pa.Table.from_pylist([{"question": "How far?", "answer": "3 km", "expect.must_say": ["4 km"]}])
    parquet.write_table(table, tmp_path / "sheet.parquet")
    assert evaluate(tmp_path / "parquet", [str(tmp_path / "sheet.parquet")]).returncode == 1


@pytest.mark.parametrize(
    ("head", "cells", "problem"),
    [
        ("expect.must_sya", "4 km", "line 2: expect.must_sya: unknown; known: must_cite"),
        ("expect.at_least.faithfulness", "much", "line 2: expect.at_least.faithfulness: must be a number, not text"),
        ("gold.accepted", "yes", "line 2: gold.accepted: "),
        ("expect,expect.must_say", "{},b", "line 2: expect: stands in a column of its own and in expect.must_say"),
        ("gold.acceptable,gold.acceptable.x", "yes,no", "line 2: gold.acceptable.x: contradicts another column"),
        ("expect.must_say", '"[""a"", ""b"', "line 2: expect.must_say: begins as a list"),
    ],
)
def test_what_a_row_cannot_expect_is_refused_with_the_line(tmp_path, head, cells, problem):
    with pytest.raises(ConfigError, match=re.escape(problem)):
        parts(tmp_path, "sheet.csv", f"question,answer,{head}\nHow far?,3 km,{cells}\n")


@pytest.mark.parametrize("words", [["score"], ["fit"], ["threshold", "replay"]])
def test_other_commands_say_once_that_a_table_is_for_evaluate(tmp_path, words):
    [path] = written(tmp_path, {"sheet.csv": "id;question;answer\n1;How far?;3 km\n2;Who?;Ann\n"})
    ended = command(*words, path)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert "sheet.csv: is a CSV table, which only `groundwire evaluate` reads; write it as JSON lines" in ended.stderr


def test_a_file_of_tests_without_any_says_so(tmp_path):
    ended = evaluate(tmp_path, {"a.jsonl": [ROW]}, "--junit", str(tmp_path / "t.xml"))
    said = f"--junit {tmp_path / 't.xml'}: has no tests: no row has `expect`, which says what to test"
    assert (ended.returncode, ended.stderr) == (0, f"groundwire: {said}\n")


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("Frage,Antwort", "line 2: has no column `question`; rename the one that is it: Frage, Antwort"),
        (
            "question,anwser",
            "line 2: anwser: unknown column; if it is `answer`, rename it, else call it attributes.anwser",
        ),
        ("prompt,answer", "line 2: prompt: unknown column; if it is `question`, rename it"),
        ("question,answer_text", "line 2: answer_text: unknown column; if it is `answer`, rename it"),
        ("user_input,Generated answer", "line 2: Generated answer: unknown column; if it is `answer`, rename it"),
    ],
)
def test_a_column_that_may_be_what_a_case_needs_is_named(tmp_path, head, problem):
    with pytest.raises(ConfigError, match=re.escape(problem)):
        parts(tmp_path, "sheet.csv", f"{head}\nHow far?,3 km\n")


@pytest.mark.parametrize("first", ["sep=;", "\ufeffSEP=;"])
def test_the_line_of_a_spreadsheet_that_names_the_separator_is_no_header(tmp_path, first):
    text = f"{first}\r\nquestion;note\r\nHow far, in km?;a,b,c,d\r\n"
    [read] = parts(tmp_path, "sheet.csv", text)
    assert (read["question"], read["attributes"]) == ("How far, in km?", {"note": "a,b,c,d"})
    with pytest.raises(ConfigError, match="line 3: has fewer cells"):
        parts(tmp_path, "sheet.csv", f"{first}\nquestion;note\nHow far?\n")


def test_passages_stay_where_the_reference_goes_by_a_name_of_ragas(tmp_path):
    row = {
        "question": "How far?",
        "answer": "3 km [1].",
        "passages": ["It is 3 km."],
        "ground_truth": "3 km",
        "topic": "a",
    }
    [read] = parts(tmp_path, "rows.jsonl", json.dumps(row), asks=False)
    assert ([each["text"] for each in read["passages"]], read["reference"]) == (["It is 3 km."], "3 km")
    assert (len(read["citations"]), read["attributes"]) == (1, {"topic": "a"})


def test_queries_that_a_part_of_a_collection_does_not_judge_are_left_out_and_counted(tmp_path):
    queries = [{"_id": name, "text": f"{name}?"} for name in ("q1", "q2", "q3")]
    run = "".join(f"q1 Q0 d{number} {number} {9 - number} bm25\n" for number in range(3))
    qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\n"
    ended = evaluate(tmp_path, {"queries.jsonl": queries, "test.tsv": qrels, "run.trec": run})
    assert (ended.returncode, ended.stderr) == (0, "groundwire: 2 questions without judgements left out\n")
    assert [each["answer_id"] for each in rows(tmp_path, "answers")] == ["q1"]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"a.json": '{"question_id": "q",\n "answer": "Yes.",\n}'}, "a.json: line 2: not JSON: trailing comma is not"),
        ({"a.json": '{"question_id":\n "q"}\n"labels": 1\n}'}, "move it inside, or write one record a line"),
        (
            {"a.json": {"user_input": {"0": "How?"}, "response": {"0": "So."}}},
            "is a table by columns",
        ),
    ],
)
def test_what_people_get_wrong_is_refused_with_what_to_do(tmp_path, files, problem):
    ended = evaluate(
        tmp_path, {name: each if isinstance(each, str) else json.dumps(each) for name, each in files.items()}
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert problem in ended.stderr


def test_tables_that_cannot_be_read_are_named(tmp_path):
    (tmp_path / "latin.csv").write_bytes("question,answer\nWie groß?,1 m.\n".encode("cp1252"))
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    (tmp_path / "folder" / "qrels").mkdir(parents=True)
    (tmp_path / "folder" / "qrels" / "test.tsv").touch()
    for name, problem in (
        ("latin.csv", "not UTF-8; a spreadsheet can save it as CSV UTF-8"),
        ("broken.parquet", "cannot be read"),
        ("folder", "it has qrels/test.tsv"),
    ):
        ended = evaluate(tmp_path, [str(tmp_path / name)])
        assert (ended.returncode, ended.stdout) == (2, ""), name
        assert name in ended.stderr
        assert problem in ended.stderr


def test_a_metric_that_is_misspelt_is_told_of_whatever_panel_it_is_of(tmp_path):
    for name, problem in (
        ("Bleu", "no such metric; did you mean 'BLEU'?"),
        ("claim_suport", "did you mean 'claim_support'?"),
        ("zzz", "no such metric in the panel; there are composite, "),
    ):
        ended = command("evaluate", *written(tmp_path, {"a.jsonl": [ROW]}), "--to", "run", "--metrics", name)
        assert (ended.returncode, problem in ended.stderr) == (2, True), ended.stderr


def quoted(cell):
    return '"' + cell.replace('"', '""') + '"'
