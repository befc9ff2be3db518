"""`groundwire compare`: what a user sees of two runs, and of files that cannot be used."""

import gzip
import json
import random

import numpy as np
import pytest
from scipy import stats

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


@pytest.mark.parametrize("shift", [0, 0.1])
def test_a_pipeline_does_not_pass_a_run_that_has_no_value_far_more_often_than_the_baseline(tmp_path, shift):
    before = write(tmp_path / "before.jsonl", [0.5 + 0.01 * (i % 7) for i in range(80)])
    few = [None if i % 5 < 2 else 0.5 + shift + 0.01 * (i % 7) for i in range(80)]
    after = write(tmp_path / "after.jsonl", few)
    code, out, _ = run("--fail-if-worse", before, after)
    assert code == 3
    [row] = [line for line in out.splitlines() if line.startswith("claim_support ")]
    assert row.split()[2:6] == ["48", "0", "to", "32"], "pairs with both values, and how many have none in each run"
    assert row.endswith("more unscored")
    assert "identical in every pair" not in out
    assert run("--fail-if-worse", after, before)[0] == (1 if shift else 0), "to have more values is no worse"
    few = write(tmp_path / "few.jsonl", [None if i < 2 else 0.5 + 0.01 * (i % 7) for i in range(80)])
    code, out, _ = run("--fail-if-worse", before, few)
    assert (code, "identical in 78 of 80 pairs (no value: baseline 0, run 2): claim_support\n" in out) == (0, True)
    told = json.loads(run("--json", before, after)[1])["rows"][0]
    assert (told["unscored"]["baseline"], told["unscored"]["run"], told["unscored"]["test"]["name"]) == (
        0,
        32,
        "McNemar",
    )


def test_a_pipeline_does_not_pass_a_run_without_most_of_the_answers_of_the_baseline(tmp_path):
    before = write(tmp_path / "before.jsonl", [0.5] * 80)
    code, out, _ = run("--fail-if-worse", before, write(tmp_path / "after.jsonl", [0.5] * 5))
    assert code == 3
    assert "not compared: 75 of 80 answers of" in out
    assert run("--fail-if-worse", before, write(tmp_path / "most.jsonl", [0.5] * 72))[0] == 0
    assert run("--fail-if-worse", tmp_path / "after.jsonl", before)[0] == 0, "what the run has beside it loses nothing"


def test_slices_without_a_difference_are_counted_and_not_listed(tmp_path):
    values = {f"m{number}": 0.5 for number in range(3)}
    text = "".join(
        line(f"q{i}", value, metric=name, attributes={"domain": "ab"[i % 2]})
        for name, value in values.items()
        for i in range(4)
    )
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(text)
    out = run("--by", "domain", tmp_path / "a.jsonl", tmp_path / "b.jsonl")[1]
    assert out.splitlines()[1:3] == [
        "identical in every pair: m0, m1, m2",
        "6 rows of slices without a difference: --json lists them",
    ]


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
        (line("q1", 0.5)[:-20], "line 2: not JSON: unexpected end of data, column 86; the record is cut short"),
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
        (line("q0", 1.0, scorer_version="2"), (), "claim_support: was scored by version 2 in"),
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


def two_metrics(path, support, **composite):
    rows = [line(f"q{i}", 50 + i % 9, metric="composite", **composite) for i in range(40)]
    path.write_text("".join(rows) + "".join(line(f"q{i}", support - 0.01 * (i % 7)) for i in range(40)))
    return path


def test_a_metric_with_other_options_is_left_out_with_a_note_and_the_rest_is_compared(tmp_path):
    before = two_metrics(tmp_path / "a.jsonl", 0.9, scorer_version="4")
    after = two_metrics(tmp_path / "b.jsonl", 0.8, scorer_version="4+1a2b3c4d")
    code, out, err = run(before, after)
    assert (code, err) == (0, "")
    assert "claim_support  all" in out
    [note] = [line for line in out.splitlines() if "composite" in line]
    assert note == (
        f"not compared: composite was scored with other options in {after} (4+1a2b3c4d) than in {before} (4); "
        "score both with one configuration"
    )
    told = json.loads(run("--json", before, after)[1])
    assert [row["metric"] for row in told["rows"]] == ["claim_support"]
    assert [each["metric"] for each in told["left_out"]] == ["composite"]


def test_a_metric_made_of_one_of_another_version_is_left_out_as_well(tmp_path):
    before, after = (two_metrics(tmp_path / name, 0.9, scorer_version="4") for name in ("a.jsonl", "b.jsonl"))
    after.write_text(after.read_text().replace('"scorer_version": "1"', '"scorer_version": "2"'))
    with before.open("a") as one, after.open("a") as two:
        for file in (one, two):
            file.writelines(line(f"q{i}", 0.1 * (i % 3), metric="latency") for i in range(40))
    code, out, _ = run(before, after)
    assert code == 0
    assert "not compared: composite is made of claim_support, which was scored by version 2 in" in out
    assert "not compared: claim_support was scored by version 2 in" in out


def test_labels_of_two_judges_are_set_side_by_side_though_no_value_of_theirs_is_compared(tmp_path):
    before, after = tmp_path / "trees.jsonl", tmp_path / "model.jsonl"
    for path, version in ((before, "2"), (after, "2+1a2b3c4d")):
        labels = ["ab"[i % 2] if version == "2" else "a" for i in range(40)]
        rows = [line(f"q{i}", 0.5, scorer_version=version, label=label) for i, label in enumerate(labels)]
        path.write_text("".join(rows))
    code, out, err = run("--labels", "--disputed", tmp_path / "disputed.jsonl", before, after)
    assert (code, err) == (0, "")
    assert "not compared: claim_support was scored with other options" in out
    assert "b -> a 20" in out
    assert len((tmp_path / "disputed.jsonl").read_text().splitlines()) == 20


def test_a_pipeline_does_not_take_a_metric_that_was_left_out_for_one_that_is_no_worse(tmp_path):
    before = two_metrics(tmp_path / "a.jsonl", 0.8, scorer_version="4")
    after = two_metrics(tmp_path / "b.jsonl", 0.9, scorer_version="5")
    assert run("--fail-if-worse", before, after)[0] == 3
    assert run("--fail-if-worse", "--metrics", "claim_support", before, after)[0] == 0
    assert run("--fail-if-worse", after, before)[0] == 1


def test_a_run_is_not_compared_with_itself(runs):
    assert run(runs[0], runs[0])[::2] == (2, "groundwire: give two or more different runs: the baseline first\n")


def conversations(path, shift, *, version="1", seed=5, turns=3):
    draw = random.Random(seed)
    rows = []
    for number in range(40):
        level = draw.random() * 0.6
        for turn in range(turns):
            value = level + 0.1 * draw.random() + shift * (1 + number % 3) / 2
            more = {"session_id": f"c{number}", "attributes": {"length": "long" if number % 2 else "short"}}
            rows.append(line(f"c{number}-{turn}", value, metric="case_composite", scorer_version=version, **more))
    path.write_text("".join(rows))
    return path


def means(path):
    found = {}
    for row in map(json.loads, path.read_text().splitlines()):
        found.setdefault(row["session_id"], []).append(row["value"])
    return np.array([np.mean(found[name]) for name in sorted(found)])


def test_conversations_are_compared_by_the_means_of_their_turns_and_tested_by_ranks(tmp_path):
    before, after = conversations(tmp_path / "a.jsonl", 0), conversations(tmp_path / "b.jsonl", 0.05, seed=6)
    code, out, _ = run("--by-conversation", "--test", "ranks", "--json", before, after)
    [row] = json.loads(out)["rows"]
    differences = means(after) - means(before)
    assert (code, row["pairs"], row["groups"]) == (0, 40, 40)
    assert row["difference"] == pytest.approx(differences.mean(), abs=1e-12)
    assert row["p_holm"] == pytest.approx(stats.wilcoxon(differences).pvalue, abs=1e-12)
    assert row["test"]["p_value"] == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, abs=1e-12)
    low, high = row["interval"]
    assert low < differences.mean() < high
    table = run("--by-conversation", "--test", "ranks", before, after)[1]
    assert "40 conversations; 0 conversations only in the baseline" in table
    assert "p Wilcoxon (Holm)" in table


def test_a_conversation_has_a_slice_where_all_its_turns_agree(tmp_path):
    before, after = conversations(tmp_path / "a.jsonl", 0), conversations(tmp_path / "b.jsonl", 0.3)
    out = run("--by-conversation", "--by", "length", "--json", before, after)[1]
    assert [(row["slice"], row["pairs"]) for row in json.loads(out)["rows"]] == [
        (None, 40),
        ({"length": "long"}, 20),
        ({"length": "short"}, 20),
    ]


def test_an_answer_without_a_conversation_is_named(runs):
    code, _, err = run("--by-conversation", *runs)
    assert code == 2
    assert "good.jsonl: answer 'q0' has no session_id; its conversation is not known" in err


def test_two_evaluators_of_the_same_answers_are_held_against_each_other(tmp_path):
    first = conversations(tmp_path / "gpt.jsonl", 0, version="gpt-4")
    second = conversations(tmp_path / "llama.jsonl", -0.05, version="llama", seed=5)
    assert run(first, second)[0] == 2, "scores by two evaluators are no comparison of two releases"
    code, out, _ = run("--evaluators", "--by-conversation", "--by", "length", "--json", first, second)
    told = json.loads(out)
    whole, *parts = told["rows"]
    assert (code, whole["pairs"], [part["pairs"] for part in parts]) == (0, 40, [20, 20])
    assert whole["evaluators"] == ["gpt-4", "llama"]
    assert whole["spearman"]["r"] == pytest.approx(stats.spearmanr(means(first), means(second)).statistic, abs=1e-12)
    assert whole["first"] - whole["second"] == pytest.approx((means(first) - means(second)).mean(), abs=1e-12)
    [order] = told["orders"]
    assert order["same"] is (order["first"] == order["second"])
    table = run("--evaluators", "--by-conversation", "--by", "length", first, second)[1]
    assert "llama.jsonl beside" in table
    assert "case_composite by length: " in table


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--evaluators", "--fail-if-worse"), "--evaluators: goes without --fail-if-worse"),
        (("--test", "sign"), "--test sign: must be means or ranks"),
        (("--by-conversation", "--group", "domain"), "--by-conversation: pairs conversations"),
    ],
)
def test_options_that_do_not_go_together_are_named(runs, arguments, said):
    code, _, err = run(*arguments, *runs)
    assert code == 2
    assert said in err


def test_a_release_that_finds_more_conflicts_is_told_of_and_not_called_worse(tmp_path):
    found = [0.9 if i % 2 else 0.1 for i in range(60)]
    before = write(tmp_path / "before.jsonl", [0.1] * 60, metric="source_conflict")
    code, out, _ = run("--fail-if-worse", before, write(tmp_path / "after.jsonl", found, metric="source_conflict"))
    assert (code, "higher" in out, "worse" in out) == (0, True, False)


def evaluated(tmp_path, said, name, *, asked="abca", ids=None):
    rows = [
        {"user_input": f"Who pays for {n}?", "retrieved_contexts": ["A"], "response": say}
        | ({} if ids is None else {"id": ids[place]})
        for place, (n, say) in enumerate(zip(asked, said, strict=True))
    ]
    suite = tmp_path / f"{name}.jsonl"
    suite.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ended = command("evaluate", str(suite), "--to", str(tmp_path / name), "--metrics", "refusal", "--workers", "1")
    assert ended.returncode == 0
    return tmp_path / name


def test_rows_without_ids_are_paired_by_what_was_asked(tmp_path):
    good, bad = ["The buyer pays."] * 4, ["The buyer pays.", *["I am sorry, but I cannot help with that."] * 3]
    today, following = evaluated(tmp_path, good, "today"), evaluated(tmp_path, bad, "next")
    code, out, err = run(today, following)
    assert (code, err, "4 pairs; 0 answers only in the baseline" in out) == (0, "", True)
    assert "identical in every pair" not in out, "what changed is compared, and not left out"


def test_answers_of_one_id_to_different_questions_are_no_pairs(tmp_path):
    good, ids = ["The buyer pays."] * 12, [f"q{i}" for i in range(12)]
    today = evaluated(tmp_path, good, "today", asked="abcdefghijkl", ids=ids)
    shifted = evaluated(tmp_path, good, "next", asked="bcdefghijkla", ids=ids)
    code, out, err = run("--fail-if-worse", today, shifted)
    assert (code, out) == (2, "")
    assert "12 of 12 pairs by id ask different questions, the first: answer 'q0' is to 'Who pays for a?' in" in err
    assert "and to 'Who pays for b?' in" in err
    assert "pair them by --pair question" in err
    assert "12 pairs; 0 answers only in the baseline" in run("--pair", "question", today, shifted)[1]
    ended = command("report", str(today), str(shifted), "--to", str(tmp_path / "report.md"))
    assert (ended.returncode, "12 of 12 pairs by id ask different questions" in ended.stderr) == (2, True)
    mended = evaluated(tmp_path, good, "mended", asked="zbcdefghijkl", ids=ids)
    code, out, _ = run("--fail-if-worse", today, mended)
    assert (code, "1 of 12 pairs by id asks a different question, the first: answer 'q0'" in out) == (0, True)


def test_files_of_answers_without_ids_to_one_question_are_told_once_to_be_runs_of_their_own(tmp_path):
    for name in ("today", "next"):
        evaluated(tmp_path, ["The buyer pays."] * 4, name)
    files = (str(tmp_path / "today.jsonl"), str(tmp_path / "next.jsonl"))
    ended = command("evaluate", *files, "--to", str(tmp_path / "both"), "--workers", "1")
    assert ended.returncode == 2
    [line] = ended.stderr.splitlines()
    assert "evaluate each file as a run of its own and compare the runs, or give the rows ids" in line


def test_runs_that_have_few_answers_in_common_are_not_compared(tmp_path):
    before = write(tmp_path / "before.jsonl", [0.1] * 10)
    lines = (tmp_path / "before.jsonl").read_text().splitlines()
    after = tmp_path / "after.jsonl"
    after.write_text(
        "".join(line.replace('"q', '"other' if place > 2 else '"q') + "\n" for place, line in enumerate(lines))
    )
    code, _, err = run("--fail-if-worse", before, after)
    assert code == 2
    assert "have only 3 answer ids in common, of 10 and 10; pair them by --pair question" in err
