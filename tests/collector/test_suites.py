"""The forms in which suites come: PROBE's records as printed, BEIR and TREC, RAGAS, LangSmith, Langfuse, Phoenix."""

import csv
import json
import os
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from langfuse.api import DatasetItem
from langsmith.schemas import Example
from phoenix.client.resources.datasets import Dataset
from pyarrow import parquet

from tests.command import command

QUESTION = """{
  "question_id": "sc-route-0184-p2",
  "domain": "supply_chain",
  "variant": "paraphrase_with_stale_cue",
  "question": "The supplier missed the dock date. Can operations approve air expedite?",
  "flags": ["conflict", "freshness"],
  "required_behavior": "cite_exception_and_route_to_budget_control"
}
"""
PACKET = """{
  "question_id": "sc-route-0184-p2",
  "gold_evidence": [
    {"passage_id": "route-guide-2026-s4", "role": "general_policy", "authority": 0.70, "effective": "2026-01-01",
     "label": "partial"},
    {"passage_id": "nw-budget-memo-2026-q2-s2", "role": "regional_exception", "authority": 0.95,
     "effective": "2026-04-01/2026-06-30", "label": "sufficient"}
  ],
  "near_miss": [{"passage_id": "accessorial-appendix-2025-s7", "reason": "superseded_approval_path"}],
  "prohibited_answer_behavior": ["approve_expedite_without_exception", "cite_2025_accessorial_path"]
}
"""
BUNDLE = """{
  "run_id": "probe-heldout-2026-04-17",
  "system_id": "hybrid_rrf_cross_encoder_probe_gate",
  "question_id": "sc-route-0184-p2",
  "retrieved_passages": [
    {"passage_id": "nw-budget-memo-2026-q2-s2", "rank": 1},
    {"passage_id": "route-guide-2026-s4", "rank": 2},
    {"passage_id": "accessorial-appendix-2025-s7", "rank": 7}
  ],
  "answer": "Do not approve under the standard routing guide alone. The Northwest Q2 budget-control memo supersedes \
the standard missed-dock-date expedite rule for this lane and requires budget-control approval before air expedite \
is authorized.",
  "citations": ["nw-budget-memo-2026-q2-s2", "route-guide-2026-s4"],
  "model": {"generator": "gpt-4o-mini-2026-02", "temperature": 0},
  "metrics": {"ndcg_at_10": 0.94, "authority_recall_at_10": 1.00, "citation_precision": 1.00},
  "adjudication": {"acceptability": "acceptable", "grounding": "fully_grounded"}
}
"""
RETRIEVAL = "ndcg,recall,near_miss_suppression,authority_weighted_recall"


def written(folder, files):
    paths = []
    for name, content in files.items():
        (folder / name).write_text(
            content if isinstance(content, str) else "".join(json.dumps(row) + "\n" for row in content)
        )
        paths.append(str(folder / name))
    return paths


def evaluate(folder, files, *more, metrics=RETRIEVAL):
    to = ("--to", str(folder / "run"), "--metrics", metrics, "--workers", "1", *more)
    return command("evaluate", *written(folder, files), *to)


def rows(folder, table, run=""):
    return parquet.read_table(folder / "run" / run / f"{table}.parquet").to_pylist(maps_as_pydicts="strict")


def values(folder, run=""):
    return {(row["answer_id"], row["metric"]): row["value"] for row in rows(folder, "scores", run)}


def test_probes_records_are_joined_by_their_question(tmp_path):
    ended = evaluate(tmp_path, {"question.json": QUESTION, "packet.json": PACKET, "bundle.json": BUNDLE})
    assert ended == (0, f"{tmp_path / 'run'}: 1 answer scored\n", "")
    (answer,) = rows(tmp_path, "answers")
    record = json.loads(answer["record"])
    assert record["gold"]["required_behavior"] == "cite_exception_and_route_to_budget_control"
    assert record["gold"]["safety_flags"] == ["conflict", "freshness"]
    assert record["gold"]["acceptable"] is True
    assert [each["label"] for each in record["gold"]["passages"]] == ["partial", "sufficient", "superseded"]
    assert record["gold"]["passages"][1]["effective_to"].startswith("2026-07-01")
    assert [each["rank"] for each in record["passages"]] == [0, 1, 6]
    assert (answer["model"], answer["attributes"]["domain"]) == ("gpt-4o-mini-2026-02", "supply_chain")
    assert answer["attributes"]["reported.ndcg_at_10"] == "0.94"
    found = {metric: value for (_, metric), value in values(tmp_path).items()}
    assert (found["ndcg"], found["recall"], found["authority_weighted_recall"]) == (1, 1, 1)
    assert found["near_miss_suppression"] == pytest.approx(0.765, abs=0.001)


def test_an_answer_that_probe_accepts_shows_nothing_prohibited_and_no_failure(tmp_path):
    names = "prohibited_behavior_absence,required_behavior,citation_coverage,failure_category"
    evaluate(tmp_path, {"question.json": QUESTION, "packet.json": PACKET, "bundle.json": BUNDLE}, metrics=names)
    assert {metric: value for (_, metric), value in values(tmp_path).items()} == {
        "prohibited_behavior_absence": 1,
        "required_behavior": 1,
        "citation_coverage": 1,
        "failure_category": 0,
    }


def test_systems_of_one_file_of_bundles_are_runs_of_their_own(tmp_path):
    bundles = [json.loads(BUNDLE) | {"system_id": name} for name in ("bm25", "hybrid")]
    ended = evaluate(tmp_path, {"packet.json": PACKET, "bundles.jsonl": bundles})
    said = "1 answer scored; 1 row has no question"
    assert ended.stdout.splitlines() == [f"{tmp_path / 'run' / name}: {said}" for name in ("bm25", "hybrid")]
    assert values(tmp_path, "bm25") == values(tmp_path, "hybrid")


BEIR = {
    "corpus.jsonl": [{"_id": f"d{n}", "title": "Returns", "text": f"Parcels of kind {n}: 14 days."} for n in range(4)],
    "queries.jsonl": [
        {"_id": "q1", "text": "How long for kind 1?"},
        {"_id": "q2", "text": "And kind 2?", "metadata": {}},
    ],
    "test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\nq2\td3\t1\n",
    "bm25.run": "q1 Q0 d1 1 9.5 bm25\nq1 Q0 d0 2 3.5 bm25\nq2 Q0 d0 1 8.0 bm25\nq2 Q0 d3 2 7.0 bm25\n",
}


def test_beirs_files_and_a_run_of_trec_are_a_suite(tmp_path):
    ended = evaluate(tmp_path, BEIR, metrics="ndcg,recall,reciprocal_rank")
    assert (ended.returncode, ended.stderr) == (0, "")
    found = values(tmp_path)
    assert (found["q1", "reciprocal_rank"], found["q2", "reciprocal_rank"], found["q2", "recall"]) == (1, 0.5, 0.5)
    assert all(row["text_sha256"] for row in rows(tmp_path, "passages"))


def test_graded_judgements_of_trec_tell_partial_from_sufficient(tmp_path):
    files = {"qrels.txt": "q1 0 d1 2\nq1 0 d2 1\nq1 0 d3 0\n", "a.run": "q1 Q0 d2 1 2.0 s\nq1 Q0 d1 2 1.0 s\n"}
    evaluate(tmp_path, files, metrics="ndcg")
    assert values(tmp_path)["q1", "ndcg"] == pytest.approx((0.5 + 1 / 1.5849625) / (1 + 0.5 / 1.5849625))


def test_rows_of_ragas_new_and_old_as_lines_and_as_csv(tmp_path):
    new = {
        "user_input": "How long?",
        "retrieved_contexts": ["Parcels: 30 days.", "Parcels: 14 days."],
        "response": "14 days.",
        "reference": "14 days.",
        "reference_contexts": ["Parcels: 14 days."],
    }
    old = {"question": "How far?", "contexts": ["Up to 3 km."], "answer": "3 km.", "ground_truth": "3 km."}
    talk = {
        "user_input": [
            {"type": "human", "content": "Hello"},
            {"type": "ai", "content": "Hi"},
            {"type": "human", "content": "How long?"},
            {"type": "ai", "content": "14 days."},
        ],
        "reference": "14 days.",
    }
    with (tmp_path / "old.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(old))
        writer.writeheader()
        writer.writerow({name: str(value) for name, value in old.items()})
    ended = evaluate(
        tmp_path,
        {"new.jsonl": [new, talk], "old.csv": (tmp_path / "old.csv").read_text()},
        metrics="reciprocal_rank,claim_support",
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    first, conversation, printed = rows(tmp_path, "answers")
    assert values(tmp_path)[first["answer_id"], "reciprocal_rank"] == 0.5
    record = json.loads(conversation["record"])
    assert (record["question"], record["answer"], [turn["role"] for turn in record["history"]]) == (
        "How long?",
        "14 days.",
        ["user", "assistant"],
    )
    assert (printed["question"], printed["reference"]) == ("How far?", "3 km.")
    assert json.loads(printed["record"])["passages"][0]["text"] == "Up to 3 km."


@pytest.mark.parametrize("name", ["context", "retrieved_documents"])
def test_passages_under_another_name_of_the_field_are_read(tmp_path, name):
    row = {"user_input": "How long?", name: ["Parcels: 14 days."], "response": "14 days."}
    assert evaluate(tmp_path, {"a.jsonl": [row]}, metrics="claim_support").returncode == 0
    [answer] = rows(tmp_path, "answers")
    assert [each["text"] for each in json.loads(answer["record"])["passages"]] == ["Parcels: 14 days."]


def test_a_metric_that_was_asked_for_and_has_no_value_is_told_with_the_reason(tmp_path):
    row = {"user_input": "How long?", "found": ["Parcels: 14 days."], "response": "14 days."}
    ended = evaluate(tmp_path, {"a.jsonl": [row, row | {"user_input": "How far?"}]}, metrics="claim_support,refusal")
    assert ended.returncode == 0
    [told] = [line for line in ended.stdout.splitlines() if "no value" in line]
    assert told == "claim_support: no value in any of 2 answers (missing_input: passages)"


def langsmith():
    example = Example(
        id=uuid4(),
        dataset_id=uuid4(),
        inputs={"question": "How long?"},
        outputs={"answer": "14 days."},
        metadata={"domain": "returns"},
    )
    return example.model_dump(mode="json")


def langfuse():
    now = datetime(2026, 1, 1, tzinfo=UTC)
    item = DatasetItem(
        id="i-1",
        status="ACTIVE",
        input={"question": "How long?"},
        expected_output="14 days.",
        metadata={"domain": "returns"},
        dataset_id="d-1",
        dataset_name="faq",
        created_at=now,
        updated_at=now,
        media_references=[],
    )
    return json.loads(item.json())


def phoenix():
    example = {
        "id": "RXg6MQ==",
        "node_id": "RXg6MQ==",
        "input": {"question": "How long?"},
        "output": {"answer": "14 days."},
        "metadata": {"domain": "returns"},
        "updated_at": "2026-01-01T00:00:00+00:00",
    }
    info = {
        "id": "D1",
        "name": "faq",
        "metadata": {},
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
    }
    return Dataset(info, {"dataset_id": "D1", "version_id": "V1", "examples": [example]}).to_dict()


@pytest.mark.parametrize("export", [langsmith, langfuse, phoenix])
def test_data_sets_of_other_tools_are_asked_and_compared_with_their_reference(tmp_path, export):
    (tmp_path / f"desk_{export.__name__}.py").write_text(
        "def answer(question):\n    return {'answer': '14 days.', 'documents': []}\n"
    )
    files = {"export.json": json.dumps(export(), default=str)}
    to = ("--to", str(tmp_path / "run"), "--metrics", "claim_support", "--workers", "1")
    ended = command(
        "evaluate", *written(tmp_path, files), *to, "--application", f"desk_{export.__name__}:answer", cwd=tmp_path
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    (answer,) = rows(tmp_path, "answers")
    assert (answer["question"], answer["answer"], answer["reference"]) == ("How long?", "14 days.", "14 days.")
    assert answer["attributes"]["domain"] == "returns"


def test_archived_items_are_left_out_and_counted(tmp_path):
    kept = {"id": "i-1", "input": "How long?", "expectedOutput": "14 days.", "status": "ACTIVE"}
    files = {
        "items.jsonl": [kept, kept | {"id": "i-2", "status": "ARCHIVED"}],
        "answers.jsonl": [{"id": "i-1", "answer": "14 days."}],
    }
    ended = evaluate(tmp_path, files, metrics="claim_support")
    assert (ended.returncode, ended.stderr) == (0, "groundwire: 1 archived item of the suite left out\n")


def test_a_run_folder_is_a_suite_to_score_again(tmp_path):
    evaluate(tmp_path, BEIR, metrics="ndcg")
    again = tmp_path / "again"
    ended = command("evaluate", str(tmp_path / "run"), "--to", str(again), "--metrics", "ndcg", "--workers", "1")
    assert ended.stdout == f"{again}: 2 answers scored; 2 rows have no answer\n"
    scored = parquet.read_table(again / "scores.parquet").to_pylist(maps_as_pydicts="strict")
    assert [row | {"run": "run"} for row in scored] == rows(tmp_path, "scores")


ANSWERED = {"id": "q-1", "question": "How long?", "answer": "14 days."}
SUFFICIENT = {"id": "p", "label": "sufficient"}


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"a.json": '{\n  "question_id": "q-1",\n  "quest'}, "a.json: line 3: not JSON"),
        (
            {"a.jsonl": '{"question_id": "q-1", "question": "?"}\n{"question_id": "q-2", "que\n'},
            "a.jsonl: line 2: not JSON",
        ),
        ({"a.jsonl": [{"question_id": "q-1", "question": 7}]}, "a.jsonl: line 1: question: must be text, not a number"),
        ({"a.jsonl": [{"question_id": "", "question": "?"}]}, "a.jsonl: line 1: question_id: required"),
        (
            {"a.jsonl": [json.loads(PACKET) | {"gold_evidence": [{"passage_id": "p", "label": "perfect"}]}]},
            "a.jsonl: line 1: gold_evidence[0].label: 'perfect' is none of sufficient, partial",
        ),
        (
            {"a.jsonl": [json.loads(PACKET) | {"near_miss": [{"passage_id": "route-guide-2026-s4", "reason": "x"}]}]},
            "a.jsonl: line 1: gold_evidence: 'route-guide-2026-s4' is labelled twice",
        ),
        (
            {
                "a.jsonl": [
                    json.loads(PACKET) | {"gold_evidence": [{"passage_id": "p", "effective": "2026-06-30/2026-01-01"}]}
                ]
            },
            "a.jsonl: line 1: gold_evidence[0].effective: ends before it begins",
        ),
        (
            {
                "a.jsonl": [{"question_id": "q-1", "question": "How long?"}],
                "b.jsonl": [{"question_id": "q-1", "question": "How far?"}],
            },
            "b.jsonl: line 1: question: 'How far?' contradicts 'How long?' in ",
        ),
        ({"bundle.json": BUNDLE, "again.json": BUNDLE}, "id: two answers have the id"),
        (
            {
                "a.jsonl": [{"question_id": "q-1", "question": "?"}, {"question_id": "q-2", "question": "?"}],
                "b.jsonl": [{"question_id": "q-1", "answer": "Yes."}],
            },
            "a.jsonl: line 2: id: 'q-2' has no answer",
        ),
        (
            {"a.jsonl": [{"question_id": "q-1", "question": "?"}]},
            "has questions and no answers; name answers to them, or an application",
        ),
        (
            {"q.tsv": "query-id\tcorpus-id\tscore\nq1\td1\thigh\n"},
            "q.tsv: line 2: score: must be a whole number, not 'high'",
        ),
        ({"q.txt": "q1 0 d1 1\nq1 0 d1 0\n"}, "q.txt: line 2: score: 0 contradicts 1 in "),
        ({"q.txt": "q1 0 d1 1\nq1 0\n"}, "q.txt: line 2: 2 columns: qrels have 3 or 4, a run 6"),
        ({"a.csv": "user_input,response\nHow long?\n"}, "a.csv: line 2: has fewer cells than the header has columns"),
        ({"a.jsonl": [ANSWERED | {"expect": {"must_sight": ["p"]}}]}, "a.jsonl: line 1: expect.must_sight: unknown"),
        ({"a.jsonl": [ANSWERED | {"pasages": []}]}, "a.jsonl: line 1: pasages: unknown field; did you mean passages?"),
        ({"a.jsonl": ""}, "a.jsonl: has no answers"),
        (
            {"a.jsonl": '\n\n{"id": "q", "question": "?", "answer": "Yes."}\n\n{"id": "r", "quest": 1}\n'},
            "a.jsonl: line 5: quest: unknown field",
        ),
        (
            {"a.jsonl": [ANSWERED | {"id": str(number), "pasages": []} for number in range(3)]},
            "did you mean passages? (and in 2 more records, the last: ",
        ),
        (
            {"a.jsonl": [ANSWERED | {"gold": {"passages": [SUFFICIENT, SUFFICIENT | {"label": "superseded"}]}}]},
            "a.jsonl: line 1: gold.passages[1].label: 'superseded' contradicts 'sufficient' of 'p'",
        ),
        (
            {"a.jsonl": [ANSWERED | {"expect": {"at_least": {"claim_support": 50}}}]},
            "a.jsonl: line 1: expect: at_least.claim_support: 50 is no value of this metric, which has 0 to 1",
        ),
        (
            {"a.jsonl": '{"id": "q", "question": "?", "answer": "Yes."}\n{"question": "?", "score": NaN}\n'},
            "a.jsonl: line 2: score: NaN is no number of JSON: write null",
        ),
        (
            {"a.jsonl": [{"frage": "Wie lange?", "answer": "14 Tage."}]},
            "a.jsonl: line 1: frage: unknown field, and `question` is missing; if it is that, rename it",
        ),
        ({"a.json": [{"qestion": "How long?"}]}, "a.json: line 1: qestion: unknown field; did you mean question?"),
        (
            {"a.csv": "question,answer,Answer\nHow long?,14 days,15 days\n"},
            "a.csv: line 1: has the column 'answer' twice",
        ),
        (
            {"a.csv": 'question,answer,contexts\nHow long?,14 days,"[""Parcels: 14 days"", ""Let"\n'},
            'a.csv: line 2: contexts: begins as a list (["Pa) and ends as none',
        ),
        ({"a.csv": 'question,answer\n"How long?,14 days\n'}, "a.csv: line 2: not CSV: a cell begins with a quote here"),
        ({"r.run": "q1 Q0 d1 1 9.5 a\nq1 Q0 d1 2 9 a\n"}, "r.run: line 2: docno: 'd1' was found for 'q1' by a already"),
        ({"q.tsv": BEIR["test.tsv"]}, "q.tsv: has judgements, but no file has their queries"),
    ],
)
def test_a_suite_that_is_corrupt_cut_short_or_contradicts_itself_is_refused_with_its_place(tmp_path, files, problem):
    ended = evaluate(tmp_path, files)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert problem in ended.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["corpus.jsonl", "documents.jsonl"])
def test_documents_of_beir_without_titles_are_no_questions(tmp_path, name):
    untitled = [{field: each[field] for field in ("_id", "text")} for each in BEIR["corpus.jsonl"]]
    others = {file: BEIR[file] for file in ("queries.jsonl", "test.tsv", "bm25.run")}
    ended = evaluate(tmp_path, {name: untitled, **others}, metrics="ndcg")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert {each["answer_id"] for each in rows(tmp_path, "answers")} == {"q1", "q2"}
    assert all(each["text_sha256"] for each in rows(tmp_path, "passages"))


def test_judgements_label_answers_that_were_recorded(tmp_path):
    answers = [{"id": name, "question": "?", "answer": "14 days.", "passages": [{"id": "d1"}]} for name in ("q1", "q2")]
    ended = evaluate(tmp_path, {"answers.jsonl": answers, "test.tsv": BEIR["test.tsv"]}, metrics="recall")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [each["value"] for each in rows(tmp_path, "scores")] == [1.0, 0.0]


def test_utf_16_and_pipes_are_refused_with_what_to_do(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "q", "question": "?", "answer": "Yes."}), encoding="utf-16")
    os.mkfifo(tmp_path / "pipe")
    for name, problem in (
        ("a.jsonl", "is UTF-16 text; save it as UTF-8"),
        ("pipe", "is a pipe, and is read more than"),
    ):
        ended = command("evaluate", str(tmp_path / name), "--to", str(tmp_path / "run"))
        assert (ended.returncode, ended.stdout) == (2, "")
        assert f"{tmp_path / name}: {problem}" in ended.stderr
