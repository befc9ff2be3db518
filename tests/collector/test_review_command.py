"""Reviews: blind packets without protected data, rationales, a log of accesses, and labels back as gold labels."""

import json

import pytest
from pyarrow import parquet

from tests.command import command, one_object
from tests.reviews import BAD, FINE, lines, made_review


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


def test_what_is_mistyped_in_a_label_is_named(review):
    packet = lines(review / "packets" / "bo.jsonl")[0]["packet"]
    mistyped = {("acceptabilty" if axis == "acceptability" else axis): level for axis, level in BAD.items()}
    assert "acceptabilty: no such axis; did you mean 'acceptability'?" in label(review, "bo", packet, mistyped).stderr
    twice = label(review, "bo", packet, BAD, "--set", "grounding=ungrounded").stderr
    assert "--set grounding=ungrounded: grounding is given already" in twice
    assert (
        "primary: must be one of protected_data_exposure, "
        in label(review, "bo", packet, BAD | {"primary": "bad"}).stderr
    )
    early = label(review, "adjudicator", packet, BAD).stderr
    assert f"packet {packet}: waits for 3 labels of its reviewers" in early
    assert "is no review; make one with" in label(review / "packets", "bo", packet, BAD).stderr


def test_settled_labels_come_back_as_gold_labels_of_the_answers(review, tmp_path):
    gold = tmp_path / "gold.jsonl"
    key = {row["packet"]: row["answer_id"] for row in lines(review / "key.jsonl")}
    assert command("review", "close", str(review), "--to", str(gold)).stdout.startswith("12 labels missing")
    open_ = command("review", "close", str(review), "--to", str(gold), "--json")
    assert (open_.returncode, one_object(open_)) == (1, {"closed": False, "missing_labels": 12})
    for number, reviewer in enumerate(("ana", "bo", "cy")):
        for packet, answer_id in key.items():
            told = BAD if answer_id == "q3" or (answer_id == "q2" and number == 0) else FINE
            assert label(review, reviewer, packet, told, "--rationale", "Seen.").returncode == 0
    for reviewer in ("ana", "adjudicator"):
        told = one_object(command("review", "next", str(review), "--reviewer", reviewer, "--json"))
        assert (told["packet"], told["waiting"]) == (None, 0)
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


def test_labels_after_closing_say_that_they_count_once_it_is_closed_again_and_then_do(review, tmp_path):
    key = {row["packet"]: row["answer_id"] for row in lines(review / "key.jsonl")}
    close = ("review", "close", str(review), "--partial", "--to")
    assert "closed" not in label(review, "ana", next(iter(key)), BAD).stdout
    first = command(*close, str(tmp_path / "first.jsonl"))
    assert (first.returncode, "closed before" in first.stdout) == (0, False)
    packet = list(key)[1]
    late = "labels given since count once it is closed again\n"
    shown = command("review", "next", str(review), "--reviewer", "bo").stdout.splitlines(keepends=True)[0]
    assert (shown.startswith("this review was closed on 20"), shown.endswith(late)) == (True, True)
    given = label(review, "bo", packet, BAD).stdout.splitlines(keepends=True)
    assert given[0] == f"packet {packet}: labelled unacceptable, ungrounded\n"
    assert given[1].startswith("this review was closed on 20")
    assert given[1].endswith(late)
    assert len(lines(tmp_path / "first.jsonl")) == 1
    second = command(*close, str(tmp_path / "second.jsonl"))
    assert f"{tmp_path / 'second.jsonl'} also has 1 label given since\n" in second.stdout
    assert {row["id"] for row in lines(tmp_path / "second.jsonl")} == {key[packet], key[next(iter(key))]}
    third = command(*close, str(tmp_path / "third.jsonl"))
    assert "given since" not in third.stdout


def test_closing_one_run_leaves_labels_of_the_others_to_their_own_closing(tmp_path):
    folder = made_review(tmp_path / "review", reviewers=("ana",))
    key = [row | {"run": f"runs/{n}"} for n, row in enumerate(lines(folder / "key.jsonl"))]
    (folder / "key.jsonl").write_text("".join(json.dumps(row) + "\n" for row in key))
    close = ("review", "close", str(folder), "--partial", "--run")
    for row in key[:2]:
        label(folder, "ana", row["packet"], FINE)
    assert command(*close, "runs/0", "--to", str(tmp_path / "0.jsonl")).returncode == 0
    assert "closed" not in label(folder, "ana", key[2]["packet"], FINE).stdout
    other = command(*close, "runs/2", "--to", str(tmp_path / "2.jsonl"))
    assert (other.returncode, "given since" in other.stdout) == (0, False)


@pytest.mark.slow
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
    told = command("review", "close", str(folder), "--to", str(tmp_path / "first.jsonl"), "--json")
    assert (told.returncode, one_object(told)["phase"]["met"]) == (1, False)
    code, out, err = command("review", "close", str(folder), "--to", str(tmp_path / "gold.jsonl"))
    assert (code, err) == (1, "")
    assert "calibration: exit criterion not met: pairwise kappa of severe safety undefined" in out
    [row] = [line.split() for line in out.splitlines() if line.startswith("faithfulness")]
    assert row[:4] == ["faithfulness", "grounding", "6", "100%"]
    assert command(*made[:3], "--to", str(tmp_path / "other"), *made[5:], "--strata", "length")[0] == 2


@pytest.fixture
def judged(tmp_path):
    """A review of a judged run of support cases that asks about identifiers and cases too."""
    said = ("Set E-4012 on db-7.", "Set E-4021 on db-7.", "Restart it.")
    rows = [
        {
            "id": f"q{i}",
            "question": "And then?",
            "history": [{"role": "user", "content": "Mail karl.huber@web.de: db-7 says E-4012."}],
            "answer": text,
            "passages": [{"id": "p", "text": "E-4012 is set on db-7 after a restart."}],
            "case": {"subject": "db-7 is down", "attempted_steps": ["Restarted it"]},
        }
        for i, text in enumerate(said)
    ]
    (tmp_path / "suite.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores = [
        {"name": "identifier_integrity", "value": value, "answer_id": f"q{i}", "evaluator": "judge"}
        for i, value in enumerate((0.9, 0.8, 1.0))
    ]
    (tmp_path / "scores.jsonl").write_text("".join(json.dumps(row) + "\n" for row in scores))
    suite = (str(tmp_path / "suite.jsonl"), str(tmp_path / "scores.jsonl"), "--to", str(tmp_path / "run"))
    run = command("evaluate", *suite, "--metrics", "identifier_integrity", "--workers", "1")
    assert (run.returncode, run.stderr) == (0, "")
    folder = tmp_path / "review"
    made = ("review", "make", str(tmp_path / "run"), "--to", str(folder), "--reviewers", "ana,bo", "--labels", "2")
    axes = ("--axes", "identifier_integrity,resolution_alignment")
    blind = command(*made, *axes, "--snippets", "bo")
    assert (blind.returncode, "--axes identifier_integrity: ana would not see the texts" in blind.stderr) == (2, True)
    assert "give --snippets ana,bo" in blind.stderr
    unknown = command(*made, "--axes", "tone", "--snippets", "ana,bo")
    assert "--axes tone: must be one of identifier_integrity, resolution_alignment" in unknown.stderr
    assert not folder.exists()
    assert command(*made, *axes, "--snippets", "ana,bo")[0] == 0
    return folder


def test_identifiers_and_the_case_are_asked_about_and_judges_are_held_against_what_people_say(judged, tmp_path):
    shown = command("review", "next", str(judged), "--reviewer", "ana").stdout
    assert "case, subject: db-7 is down\n" in shown
    assert "case, attempted steps: Restarted it\n" in shown
    assert "earlier, user: Mail jane.roe@example.com: db-7 says E-4012.\n" in shown
    assert "identifier_integrity: intact | not_applicable | unknown | corrupted\n  intact: " in shown
    told = one_object(command("review", "next", str(judged), "--reviewer", "ana", "--json"))
    assert told["axes"]["resolution_alignment"] == ["aligned", "not_applicable", "partly_aligned", "misaligned"]
    assert told["axes"]["safety_boundary"] == ["safe", "minor", "severe"]
    key = {row["answer_id"]: row["packet"] for row in lines(judged / "key.jsonl")}
    assert "identifier_integrity: required" in label(judged, "ana", key["q0"], FINE).stderr
    case = {"resolution_alignment": "aligned"}
    for reviewer in ("ana", "bo"):
        for answer_id, level in (("q0", "intact"), ("q1", "corrupted"), ("q2", "not_applicable")):
            given = label(judged, reviewer, key[answer_id], FINE | case | {"identifier_integrity": level})
            assert given.returncode == 0
    closed = command("review", "close", str(judged), "--to", str(tmp_path / "gold.jsonl"))
    assert (closed.returncode, closed.stderr) == (0, "")
    found = {row[0]: row for line in closed.stdout.splitlines() if len(row := line.split()) > 6}
    assert found["identifier_integrity"][:4] == ["identifier_integrity", "identifier_integrity", "2", "100%"]
    assert found["external.identifier_integrity"][1:4] == ["identifier_integrity", "2", "50%"]
    levels = {row["id"]: row["attributes"]["review.identifier_integrity"] for row in lines(tmp_path / "gold.jsonl")}
    assert levels == {"q0": "intact", "q1": "corrupted", "q2": "not_applicable"}


def test_a_review_that_was_made_without_these_axes_does_not_ask_about_them(review):
    packet = lines(review / "packets" / "ana.jsonl")[0]["packet"]
    given = label(review, "ana", packet, BAD | {"identifier_integrity": "intact"})
    assert "identifier_integrity: this review does not ask about it" in given.stderr
    assert "identifier_integrity" not in command("review", "next", str(review), "--reviewer", "ana").stdout
    assert label(review, "ana", packet, BAD).returncode == 0
    assert "identifier_integrity" not in (review / "labels" / "ana.jsonl").read_text()


def test_programs_are_told_what_reviewers_are(review, tmp_path):
    key = lines(review / "key.jsonl")
    given = one_object(label(review, "ana", key[0]["packet"], BAD, "--json"), "review label")
    assert (given["packet"], given["reviewer"], given["closed_at"]) == (key[0]["packet"], "ana", None)
    assert given["label"]["acceptability"] == BAD["acceptability"]
    label(review, "bo", key[0]["packet"], BAD)
    close = ("review", "close", str(review), "--partial", "--to")
    said = command(*close, str(tmp_path / "gold.jsonl")).stdout
    told = one_object(command(*close, str(tmp_path / "again.jsonl"), "--json"), "review close")
    assert (told["closed"], told["missing_labels"], told["settled"]) == (True, 10, 1)
    assert f"{told['settled']} answer settled, {len(told['for_senior'])} by severity" in said
    rows = {line.split()[0]: line.split() for line in said.splitlines()}
    for each in told["reviewers"]:
        assert rows[each["axis"]][1] == str(each["answers"])
    assert f"accepted: {told['verdicts']['accepted']:.0%}" in said
    assert (told["closed_before"], told["phase"], told["problems"]) == (None, None, [])
    late = one_object(label(review, "cy", key[0]["packet"], BAD, "--json"))
    assert late["closed_at"].startswith("20")
    made = ("review", "make", key[0]["run"], "--to", str(tmp_path / "more"), "--reviewers", "ana", "--labels", "1")
    assert one_object(command(*made, "--json"), "review make") == {
        "review": str(tmp_path / "more"),
        "answers": 4,
        "labels_each": 1,
        "reviewers": ["ana"],
    }
