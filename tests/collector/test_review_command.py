"""Reviews: blind packets without protected data, rationales, a log of accesses, and labels back as gold labels."""

import json

import pytest
from pyarrow import parquet

from tests.command import command
from tests.reviews import BAD, FINE, lines


@pytest.fixture
def review(tmp_path):
    rows = [
        {
            "id": f"q{i}",
            "question": "How long? Mail karl.huber@web.de.",
            "answer": f"Answer {i}: 14 days.",
            "model": "secret-model",
            "release": "v9",
            "attributes": {"system": "hybrid"},
            "passages": [{"id": "p-internal", "doc_id": "RET-1", "text": "Parcels: 14 days."}],
            "gold": {"passages": [{"id": "p-internal", "label": "conflicting" if i == 0 else "sufficient"}]},
        }
        for i in range(4)
    ]
    (tmp_path / "suite.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    to = ("--to", str(tmp_path / "run"), "--metrics", "claim_support,first_failed_stage", "--workers", "1")
    command("evaluate", str(tmp_path / "suite.jsonl"), *to)
    made = command(
        "review",
        "make",
        str(tmp_path / "run"),
        "--to",
        str(tmp_path / "review"),
        "--reviewers",
        "ana,bo,cy",
        "--snippets",
        "cy",
    )
    assert made == (0, f"{tmp_path / 'review'}: 4 answers, 3 labels each, for 3 reviewers\n", "")
    return tmp_path / "review"


def label(review, reviewer, packet, told, *more):
    levels = [part for axis, level in told.items() for part in ("--set", f"{axis}={level}")]
    return command("review", "label", str(review), packet, "--reviewer", reviewer, *levels, *more)


def test_packets_are_blind_and_without_protected_data_and_texts_only_for_those_who_may_see_them(review):
    for name in ("ana", "bo", "cy"):
        text = (review / "packets" / f"{name}.jsonl").read_text()
        for told in ("secret-model", "v9", "hybrid", "claim_support", "RET-1", "p-internal", "karl.huber", '"q1"'):
            assert told not in text
        assert ("Parcels: 14 days." in text) == (name == "cy")
        assert len(lines(review / "packets" / f"{name}.jsonl")) == 4
    orders = {
        tuple(each["packet"] for each in lines(review / "packets" / f"{name}.jsonl")) for name in ("ana", "bo", "cy")
    }
    assert len(orders) > 1
    assert (review / "key.jsonl").stat().st_mode & 0o077 == 0


def test_who_saw_and_labelled_what_is_logged_and_a_changed_log_is_refused(review):
    shown = command("review", "next", str(review), "--reviewer", "ana")
    packet = shown.stdout.split()[1]
    assert "characters withheld]" in shown.stdout
    rationale = ("--rationale", "Both sides are named.")
    assert (
        label(review, "ana", packet, FINE, *rationale).stdout
        == f"packet {packet}: labelled acceptable, fully_grounded\n"
    )
    assert [(row["reviewer"], row["packet"], row["action"]) for row in lines(review / "access.jsonl")] == [
        ("ana", packet, "shown"),
        ("ana", packet, "labelled"),
    ]
    assert command("review", "next", str(review), "--reviewer", "ana").stdout.split()[1] != packet
    (review / "access.jsonl").write_text((review / "access.jsonl").read_text().replace("ana", "eve"))
    closed = command("review", "close", str(review), "--to", str(review / "gold.jsonl"), "--partial")
    assert (closed.returncode, "access.jsonl: line 1: was changed after it was written" in closed.stderr) == (2, True)


def test_labels_without_their_reason_of_others_or_given_twice_are_refused(review):
    conflict = next(each for each in lines(review / "packets" / "ana.jsonl") if each["conflict"])["packet"]
    assert (
        "rationale: required for an acceptable answer to a question with a conflict"
        in label(review, "ana", conflict, FINE).stderr
    )
    assert "--reviewer eve: is no reviewer of" in label(review, "eve", conflict, FINE).stderr
    assert "packet 123: is none of ana's" in label(review, "ana", "123", FINE).stderr
    assert label(review, "ana", conflict, BAD).returncode == 0
    assert "has a label of ana already" in label(review, "ana", conflict, BAD).stderr


def test_settled_labels_come_back_as_gold_labels_of_the_answers(review, tmp_path):
    gold = tmp_path / "gold.jsonl"
    key = {row["packet"]: row["answer_id"] for row in lines(review / "key.jsonl")}
    assert command("review", "close", str(review), "--to", str(gold)).stdout.startswith("12 labels missing")
    for number, reviewer in enumerate(("ana", "bo", "cy")):
        for packet, answer_id in key.items():
            told = BAD if answer_id == "q3" or (answer_id == "q2" and number == 0) else FINE
            assert label(review, reviewer, packet, told, "--rationale", "Seen.").returncode == 0
    closed = command("review", "close", str(review), "--to", str(gold))
    assert (closed.returncode, closed.stderr) == (0, "")
    assert "acceptability" in closed.stdout
    assert "4 answers settled, 0 by severity: for a senior adjudicator" in closed.stdout
    assert "verdicts of the scores accepted: " in closed.stdout
    assert {row["id"]: row["gold"]["acceptable"] for row in lines(gold)} == {
        "q0": True,
        "q1": True,
        "q2": True,
        "q3": False,
    }
    to = ("--to", str(tmp_path / "again"), "--metrics", "claim_support", "--workers", "1")
    assert command("evaluate", str(tmp_path / "run"), str(gold), *to).stderr == ""
    (answer,) = [
        row
        for row in parquet.read_table(tmp_path / "again" / "answers.parquet").to_pylist()
        if row["answer_id"] == "q3"
    ]
    assert json.loads(answer["record"])["gold"]["acceptable"] is False
    assert dict(answer["attributes"])["review.primary"] == "stale_source_acceptance"


def test_a_sample_of_a_phase_has_as_many_of_each_stratum_and_closing_says_whether_the_phase_may_end(tmp_path):
    rows = [
        {
            "id": f"q{i}",
            "question": "How long?",
            "answer": "Parcels can be returned for 14 days.",
            "passages": [{"id": "p", "text": "Parcels can be returned for 14 days."}],
            "attributes": {"length": "long" if i < 8 else "short"},
        }
        for i in range(12)
    ]
    (tmp_path / "suite.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run, folder = tmp_path / "run", tmp_path / "review"
    metrics = ("--metrics", "faithfulness", "--workers", "1")
    command("evaluate", str(tmp_path / "suite.jsonl"), "--to", str(run), *metrics)
    made = ("review", "make", str(run), "--to", str(folder), "--reviewers", "ana,bo", "--labels", "2", "--seed", "3")
    assert command(*made, "--sample", "6", "--strata", "length", "--phase", "calibration")[0] == 0
    chosen = [int(row["answer_id"][1:]) for row in lines(folder / "key.jsonl")]
    assert (len(chosen), sum(number < 8 for number in chosen)) == (6, 3)
    for reviewer in ("ana", "bo"):
        for packet in lines(folder / "packets" / f"{reviewer}.jsonl"):
            label(folder, reviewer, packet["packet"], FINE)
    code, out, err = command("review", "close", str(folder), "--to", str(tmp_path / "gold.jsonl"))
    assert (code, err) == (1, "")
    assert "calibration: exit criterion not met: pairwise kappa of severe safety undefined" in out
    [row] = [line.split() for line in out.splitlines() if line.startswith("faithfulness")]
    assert row[:4] == ["faithfulness", "grounding", "6", "100%"]
    assert command(*made[:3], "--to", str(tmp_path / "other"), *made[5:], "--strata", "length")[0] == 2
