"""`groundwire compare --labels`, and several runs side by side: two judges of the same answers, parts taken away."""

import json

import numpy as np
import pytest

from tests.command import command


def run_file(path, labels, lift=0.0, seed=0):
    rng = np.random.default_rng(seed)
    rows = [
        {
            "answer_id": f"a{number}",
            "metric": "faithfulness",
            "value": min(1.0, max(0.0, 0.5 + lift + rng.normal(0, 0.05))),
            "outcome": "scored",
            "label": label,
            "scorer_version": "4",
            "attributes": {"domain": "travel"},
        }
        for number, label in enumerate(labels)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def judges(tmp_path):
    """Two judges of 40 answers: they agree on 36."""
    trees = ["supported"] * 30 + ["unsupported"] * 10
    model = ["unsupported"] * 3 + ["supported"] * 28 + ["unsupported"] * 9
    return run_file(tmp_path / "trees.jsonl", trees), run_file(tmp_path / "model.jsonl", model, seed=1)


def compare(*arguments):
    return command("compare", *map(str, arguments))


def test_two_judges_of_the_same_answers_agree_so_far_beyond_chance(judges):
    found = compare(*judges, "--labels")
    assert found.returncode == 0
    row = next(line for line in found.stdout.splitlines() if line.startswith("faithfulness") and "%" in line)
    assert row.split()[1:4] == ["40", "90.0%", "0.75"]
    assert "supported -> unsupported 3, unsupported -> supported 1" in row
    assert "kappa" not in compare(*judges).stdout


def test_what_they_dispute_is_written_answer_by_answer(judges, tmp_path):
    path = tmp_path / "disputed.jsonl"
    assert compare(*judges, "--disputed", path).returncode == 0
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["answer_id"] for row in rows] == ["a0", "a1", "a2", "a30"]
    assert rows[3] == {
        "answer_id": "a30",
        "baseline_answer_id": "a30",
        "run": str(judges[1]),
        "metric": "faithfulness",
        "baseline_label": "unsupported",
        "label": "supported",
        "attributes": {"domain": "travel"},
    }


def test_json_has_the_agreement_of_labels(judges):
    [row] = json.loads(compare(*judges, "--json").stdout)["labels"]
    assert (row["pairs"], row["agreeing"], round(row["kappa"], 2)) == (40, 36, 0.75)
    assert row["changes"][0] == {"before": "supported", "after": "unsupported", "answers": 3}


def test_runs_without_labels_say_so(tmp_path):
    one, other = (run_file(tmp_path / name, [None] * 10, seed=seed) for seed, name in enumerate(("a.jsonl", "b.jsonl")))
    assert "no pair has two labels of one metric\n" in compare(one, other, "--labels").stdout


def test_a_file_that_cannot_be_written_is_named(judges, tmp_path):
    found = compare(*judges, "--disputed", tmp_path / "none" / "disputed.jsonl")
    assert found.returncode == 2
    assert f"--disputed {tmp_path / 'none' / 'disputed.jsonl'}: cannot be written" in found.stderr


def test_several_runs_stand_side_by_side_with_what_each_loses(tmp_path):
    full = run_file(tmp_path / "full.jsonl", [None] * 60)
    without = run_file(tmp_path / "without-reranking.jsonl", [None] * 60, lift=-0.2, seed=1)
    same = run_file(tmp_path / "other-seed.jsonl", [None] * 60, seed=2)
    out = compare(full, without, same).stdout.splitlines()
    assert out[0].split() == ["metric", str(full), str(without), str(same)]
    assert out[1].startswith("faithfulness  0.5")
    assert ") worse" in out[1]
    assert out[1].count("worse") == 1
    assert compare(full, without).stdout.splitlines()[0].startswith(str(without))
