"""Scores of another evaluator as part of a suite: a case-aware judge's records, and what is made of them."""

import json

import pytest
from pyarrow import parquet

from adapters.external.case_record import CASE_INPUTS
from scorers.composite.case_composite import CaseComposite
from scorers.composite.case_profile import PROFILES, weighted_sum
from tests.command import command

TABLE_1 = {
    "gpt-oss, short": (0.6890, 0.7429, 0.6526, 0.6943, 0.7603, 0.9421, 0.7636, 0.7004),
    "llama, short": (0.7431, 0.7647, 0.6429, 0.6143, 0.7274, 0.9354, 0.6956, 0.6459),
    "gpt-oss, long": (0.7586, 0.7941, 0.7411, 0.7724, 0.8360, 0.9559, 0.8783, 0.8208),
    "llama, long": (0.7132, 0.7578, 0.6546, 0.6143, 0.6825, 0.9329, 0.7052, 0.6759),
}
"""Table 1 of the case-aware judge: the means of M1 to M8."""
PRINTED = {"case-aware": (0.7353, 0.7202, 0.8099, 0.7136), "uniform": (0.7432, 0.7212, 0.8197, 0.7170)}
"""Its last line, and the same with uniform weights."""


def record(answer, values, **more):
    told = {f"{name}_score": value for name, value in zip(CASE_INPUTS, values, strict=True)}
    told |= {f"{name}_justification": f"why {name} is so" for name in CASE_INPUTS}
    return {"answer_id": answer, "evaluator": "judge", "version": "gpt-4", **told, **more}


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def evaluate(folder, *files, metrics="case_composite", more=()):
    wanted = ("--metrics", metrics, "--workers", "1")
    return command(
        "evaluate", *map(str, files), "--to", str(folder), *(wanted if metrics else ("--workers", "1")), *more
    )


def scores(folder):
    rows = parquet.read_table(folder / "scores.parquet").to_pylist(maps_as_pydicts="strict")
    return {(row["answer_id"], row["metric"]): row for row in rows}


@pytest.fixture
def answers(tmp_path):
    rows = [
        {"id": "t1", "question": "How do I patch?", "answer": "Apply the patch now.", "session_id": "c1"},
        {"id": "t2", "question": "It fails.", "answer": "Install 2.14 first.", "session_id": "c1"},
    ]
    return write(tmp_path / "answers.jsonl", rows)


@pytest.mark.parametrize("profile", PRINTED)
def test_the_printed_sums_come_out(tmp_path, profile):
    turns = write(tmp_path / "turns.jsonl", [{"id": name, "question": "?", "answer": "Means."} for name in TABLE_1])
    judge = write(tmp_path / "judge.jsonl", [record(name, values) for name, values in TABLE_1.items()])
    config = tmp_path / "profile.yaml"
    config.write_text(f"scorers:\n  - {{type: case_composite, profile: {profile}}}\n")
    code, _, err = evaluate(tmp_path / "run", turns, judge, metrics=None, more=("--config", str(config)))
    assert (code, err) == (0, "")
    found = scores(tmp_path / "run")
    assert tuple(round(found[name, "case_composite"]["value"], 4) for name in TABLE_1) == PRINTED[profile]


def test_the_retrieval_heavy_profile_scales_the_others_and_moves_the_sums_by_less_than_three_percent():
    heavy = PROFILES["retrieval-heavy"]
    assert (heavy["retrieval_correctness"], heavy["context_sufficiency"]) == (0.2, 0.2)
    assert sum(heavy.values()) == pytest.approx(1.0)
    assert heavy["hallucination"] / heavy["answer_type_fit"] == pytest.approx(2.0)
    for values, printed in zip(TABLE_1.values(), PRINTED["case-aware"], strict=True):
        assert weighted_sum(dict(zip(CASE_INPUTS, values, strict=True)), heavy) == pytest.approx(printed, rel=0.03)


def test_weights_of_ones_own_must_sum_to_one():
    with pytest.raises(ValueError, match=r"weights must sum to 1, not 0\.5"):
        CaseComposite(weights={"hallucination": 0.5})


def test_scores_become_values_of_external_metrics_with_their_justification_band_and_judge(tmp_path, answers):
    judge = write(tmp_path / "judge.jsonl", [record("t1", [0.9] * 7 + [0.2]), record("t2", [0.8] * 8)])
    assert evaluate(tmp_path / "run", answers, judge)[0] == 0
    row = scores(tmp_path / "run")["t1", "external.case_resolution_alignment"]
    assert (row["value"], row["label"], row["scorer_version"]) == (0.2, "severe", "judge@gpt-4")
    assert row["explanation"] == "why case_resolution_alignment is so"
    whole = scores(tmp_path / "run")["t1", "case_composite"]
    assert whole["value"] == pytest.approx(0.83)
    assert "worst: case_resolution_alignment 0.20 (severe, by judge@gpt-4)" in whole["explanation"]


def test_a_row_gates_on_a_judges_score_and_on_the_sum(tmp_path, answers):
    expect = {"at_least": {"case_composite": 0.7, "external.case_resolution_alignment": 0.61}}
    wanted = write(tmp_path / "expect.jsonl", [{"id": "t1", "question": "How do I patch?", "expect": expect}])
    judge = write(tmp_path / "judge.jsonl", [record("t1", [0.9] * 7 + [0.2]), record("t2", [0.8] * 8)])
    code, out, _ = evaluate(tmp_path / "run", answers, judge, wanted)
    assert code == 1
    assert "external.case_resolution_alignment is 0.2, expected at least 0.61" in out
    assert "case_composite" not in out


def test_what_no_judge_scored_is_taken_from_metrics_or_named(tmp_path):
    turn = {
        "id": "t1",
        "question": "How do I apply the firmware patch?",
        "answer": "Apply the firmware patch now.",
        "passages": [{"id": "p", "text": "Version 2.14 must be installed before applying the firmware patch."}],
    }
    turns = write(tmp_path / "turns.jsonl", [turn])
    three = ("answer_helpfulness", "answer_type_fit", "case_issue_identification")
    judge = [{"name": name, "value": 0.9, "answer_id": "t1", "evaluator": "judge"} for name in three]
    evaluate(tmp_path / "run", turns, write(tmp_path / "judge.jsonl", judge))
    row = scores(tmp_path / "run")["t1", "case_composite"]
    assert (row["value"], row["reason"]) == (None, "missing_input")
    assert row["explanation"] == "a score of retrieval_correctness, identifier_integrity, by a judge or by people"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [record("t1", [0.5] * 7 + [1.5])],
            "judge.jsonl: line 1: case_resolution_alignment_score: must be from 0 to 1",
        ),
        ([record("t1", [0.5] * 8), record("t9", [0.5] * 8)], "judge.jsonl: line 2: answer_id: 't9' is no answer"),
        ([record("t1", [0.5] * 8), record("t1", [0.5] * 8)], "answer_helpfulness: was scored by judge@gpt-4 already"),
        (
            [record("t1", [0.5] * 8), record("t2", [0.5] * 8, version="llama")],
            "answer_helpfulness: was scored by judge@llama",
        ),
        (
            [record("t1", [0.5] * 8) | {"final_score": 0.5}],
            "judge.jsonl: line 1: final_score: unknown field",
        ),
        ([{"name": "tone", "value": "warm", "answer_id": "t1"}], "judge.jsonl: line 1: value: must be a number"),
        ([{"name": "tone", "label": "warm", "answer_id": "t1"}], "label 'warm' has no value: declare tone"),
    ],
)
def test_a_record_that_cannot_be_used_is_named_with_file_line_and_field(tmp_path, answers, rows, said):
    code, _, err = evaluate(tmp_path / "run", answers, write(tmp_path / "judge.jsonl", rows))
    assert code == 2
    assert said in err
    assert not (tmp_path / "run").exists()


def test_scores_of_answers_that_are_asked_anew_are_refused(tmp_path, answers, monkeypatch):
    (tmp_path / "desk.py").write_text("def answer(question):\n    return 'Yes.'\n")
    monkeypatch.chdir(tmp_path)
    judge = write(tmp_path / "judge.jsonl", [record("t1", [0.5] * 8)])
    code, _, err = evaluate(tmp_path / "run", answers, judge, more=("--application", "desk:answer"))
    assert code == 2
    assert "judge.jsonl: line 1: answer_id: 't1' is about to be asked anew" in err


def test_a_finished_run_is_scored_with_a_judge_that_came_later_and_keeps_what_it_said(tmp_path, answers):
    evaluate(tmp_path / "asked", answers, metrics="claim_support")
    judge = write(tmp_path / "judge.jsonl", [record("t1", [0.5] * 8), record("t2", [0.7] * 8)])
    assert evaluate(tmp_path / "judged", tmp_path / "asked", judge)[0] == 0
    assert evaluate(tmp_path / "again", tmp_path / "judged")[0] == 0
    assert scores(tmp_path / "again")["t2", "case_composite"]["value"] == pytest.approx(0.7)


def test_scores_of_several_configurations_name_theirs(tmp_path):
    rows = [{"id": "t1", "question": "?", "answer": name, "configuration": name} for name in ("old", "new")]
    turns = write(tmp_path / "turns.jsonl", rows)
    judged = [record("t1", [value] * 8, configuration=name) for name, value in (("old", 0.4), ("new", 0.9))]
    judge = write(tmp_path / "judge.jsonl", judged)
    assert evaluate(tmp_path / "runs", turns, judge)[0] == 0
    assert scores(tmp_path / "runs" / "new")["t1", "case_composite"]["value"] == pytest.approx(0.9)
    nameless = write(tmp_path / "nameless.jsonl", [record("t1", [0.4] * 8)])
    code, _, err = evaluate(tmp_path / "other", turns, nameless)
    assert code == 2
    assert "nameless.jsonl: line 1: configuration: required, as the suite has the answers of several" in err


def test_declared_labels_and_names_are_used_offline_as_in_the_agent(tmp_path, answers):
    config = tmp_path / "groundwire.yaml"
    config.write_text("external:\n  - {name: manner, scores: [tone], values: {warm: 1, cold: 0}}\n")
    said = [{"name": "tone", "label": "warm", "answer_id": "t1"}, {"name": "tone", "label": "cold", "answer_id": "t2"}]
    judge = write(tmp_path / "judge.jsonl", said)
    code, _, err = evaluate(tmp_path / "run", answers, judge, metrics="claim_support", more=("--config", str(config)))
    assert (code, err) == (0, "")
    assert scores(tmp_path / "run")["t1", "external.manner"]["value"] == 1.0
