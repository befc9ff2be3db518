"""`groundwire compare`: what a user sees of two runs, and of files that cannot be used."""

import gzip
import json

import pytest

from tests.command import command


def line(answer, value, *, metric="claim_support", **more):
    outcome = "unscored" if value is None else "scored"
    row = {"answer_id": answer, "metric": metric, "value": value, "outcome": outcome, "scorer_version": "1"}
    return json.dumps(row | more) + "\n"


def write(path, values, **more):
    path.write_text("".join(line(f"q{i}", value, **more) for i, value in enumerate(values)))
    return path


def run(*arguments):
    return tuple(command("compare", *map(str, arguments)))


@pytest.fixture
def runs(tmp_path):
    good = [0.9 - 0.01 * (i % 7) for i in range(100)]
    bad = [value - 0.2 - 0.01 * (i % 3) for i, value in enumerate(good)]
    return write(tmp_path / "good.jsonl", good), write(tmp_path / "bad.jsonl", bad)


def test_a_worse_run_is_shown_with_its_difference_interval_and_verdict(runs):
    code, out, err = run(*runs)
    assert (code, err) == (0, "")
    assert "bad.jsonl against" in out
    assert "100 pairs" in out
    assert "-0.2099  [-0.2115, -0.2083]   <0.0001     0.0023  worse" in out


def test_a_pipeline_can_fail_on_a_worse_run(runs):
    assert run("--fail-if-worse", *runs)[0] == 1
    assert run("--fail-if-worse", *reversed(runs))[0] == 0


def test_json_has_every_statistic_and_no_bare_mean(runs):
    code, out, _ = run("--json", *runs)
    told = json.loads(out)
    [row] = told["rows"]
    assert code == 0
    assert (told["resamples"], told["seed"], row["pairs"], row["verdict"]) == (10_000, 0, 100, "worse")
    assert row["interval"][0] < row["difference"] < row["interval"][1] < 0
    assert row["test"]["name"] == "paired t"
    assert row["detectable"] > 0


def test_a_slice_is_compared_by_an_attribute_and_a_run_may_be_gzipped(tmp_path):
    rows = [line(f"q{i}", i % 2, attributes={"domain": "travel" if i < 6 else "shop"}) for i in range(12)]
    packed = tmp_path / "run.jsonl.gz"
    packed.write_bytes(gzip.compress("".join(rows).encode()))
    plain = tmp_path / "base.jsonl"
    plain.write_text(
        "".join(
            line(f"q{i}", 1 if i < 6 else i % 2, **each)
            for i, each in enumerate({"attributes": json.loads(row)["attributes"]} for row in rows)
        )
    )
    code, out, _ = run(plain, packed, "--by", "domain", "--json")
    assert code == 0
    assert [(row["slice"], row["differing"]) for row in json.loads(out)["rows"]] == [
        (None, 3),
        ({"domain": "shop"}, 0),
        ({"domain": "travel"}, 3),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (line("q1", 0.5)[:-20], "line 2: not a whole JSON object: Input data was truncated"),
        (line("q1", "high"), "line 2: value: Expected `float | null`, got `str`"),
        (line("q0", 0.4), "line 2: answer_id: 'q0' has a score of claim_support already, in line 1"),
        (line("q1", None, outcome="scored"), "line 2: value: missing, but the outcome is scored"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_with_file_line_and_field(tmp_path, text, message):
    base, bad = write(tmp_path / "base.jsonl", [0.5]), tmp_path / "bad.jsonl"
    bad.write_text(line("q0", 0.5) + text)
    assert run(base, bad) == (2, "", f"groundwire: {bad}: {message}\n")


@pytest.mark.parametrize(
    ("second", "arguments", "message"),
    [
        (line("q0", 1.0, scorer_version="2"), (), "claim_support was scored by version 2, and by version 1 in"),
        (line("q0", 1.0, metric="latency"), (), "have no metric in common"),
        (line("other", 1.0), (), "have no answer ids in common"),
        (line("q0", 1.0), ("--metrics", "claim_suport"), "did you mean 'claim_support'?"),
        (line("q0", 1.0), ("--by", "domain"), "no paired answer has an attribute domain"),
        ("\n", (), "has no scores; write them with: groundwire score --json FILE"),
    ],
)
def test_runs_that_cannot_be_compared_say_why(tmp_path, second, arguments, message):
    base, other = write(tmp_path / "base.jsonl", [0.5]), tmp_path / "other.jsonl"
    other.write_text(second)
    code, out, err = run(base, other, *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_run_is_not_compared_with_itself(runs):
    assert run(runs[0], runs[0])[::2] == (2, "groundwire: give two or more different runs: the baseline first\n")
