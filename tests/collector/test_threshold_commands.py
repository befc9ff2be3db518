"""`groundwire threshold`: which threshold retrieval should use, as a user asks it."""

import csv
import gzip
import io
import json

import numpy as np
import pytest

from tests.command import command

PANEL = "metrics:\n  recall: {weight: 0.5}\n  perplexity: {weight: 0.5, better: lower, range: [0, 100]}\n"


def sweep_text(better_at=0.8):
    rng = np.random.default_rng(5)
    lines = ["question,threshold,recall,perplexity"]
    for threshold in (0, 0.6, 0.8):
        lift = 0.1 if threshold == better_at else 0.0
        lines += [f"{i},{threshold},{0.5 + lift + rng.normal(0, 0.05):.4f},{40 + rng.normal():.3f}" for i in range(80)]
    return "\n".join(lines) + "\n"


@pytest.fixture
def panel(tmp_path):
    path = tmp_path / "panel.yaml"
    path.write_text(PANEL)
    return path


def run(*arguments):
    return tuple(command("threshold", *map(str, arguments)))


def test_a_sweep_recommends_the_threshold_that_is_shown_to_be_better(tmp_path, panel):
    path = tmp_path / "granite.csv.gz"
    path.write_bytes(gzip.compress(sweep_text().encode()))
    code, out, err = run("sweep", path, "--panel", panel)
    assert (code, err) == (0, "")
    assert out.startswith("granite: baseline 0, 80 questions\n")
    assert "recommendation: use 0.8: the only threshold that is better than the baseline\n" in out
    assert "stability: 0.8 has the highest T-CPS in 100% of resamples" in out


def test_a_sweep_of_equal_thresholds_keeps_the_baseline(tmp_path, panel):
    path = tmp_path / "equal.csv"
    path.write_text(sweep_text(better_at=None))
    code, out, _ = run("sweep", path, "--panel", panel, "--json")
    told = json.loads(out)
    assert code == 0
    assert told["sweeps"][0]["recommendation"]["threshold"] is None
    assert [row["verdict"] for row in told["sweeps"][0]["rows"]] == ["baseline"] + ["no difference shown"] * 2


def test_where_every_threshold_loses_none_is_best_by_balance_and_no_p_value_is_zero(tmp_path, panel):
    path = tmp_path / "worse.csv"
    path.write_text(sweep_text(better_at=0))
    code, out, _ = run("sweep", path, "--panel", panel)
    assert code == 0
    assert "highest CPS at 0, T-CPS at 0; no threshold gains\n" in out
    assert "<0.0001" in out
    assert "0.0000" not in out


def test_what_many_recorded_answers_have_wrong_is_told_once(tmp_path):
    path = recorded(tmp_path / "answers.jsonl", n=5)
    path.write_text(path.read_text().replace('"answer"', '"latency_ms": 3, "answer"'))
    code, _, err = run("measure", path, "--at-least", "0.4")
    assert code == 2
    assert err.count("latency_ms: unknown field") == 2
    assert "and in 4 more records, the last: " in err


def test_json_lines_are_read_as_csv_is(tmp_path, panel):
    table, lines = tmp_path / "same.csv", tmp_path / "lines" / "same.jsonl"
    table.write_text(sweep_text())
    head, *rows = sweep_text().splitlines()
    lines.parent.mkdir()
    lines.write_text(
        "".join(
            json.dumps(
                dict(zip(head.split(","), map(float, row.split(",")), strict=True))
                | {"question": int(row.split(",")[0])}
            )
            + "\n"
            for row in rows
        )
    )
    assert run("sweep", table, "--panel", panel) == run("sweep", lines, "--panel", panel)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("question,threshold,recall\n1,0,0.5\n", "line 2: perplexity: no such column"),
        ("question,threshold,recall,perplexity\n1,0,0.5\n", "line 2: 3 cells, but the header has 4"),
        ("question,threshold,recall,perplexity\n1,0,high,5\n", "line 2: recall: expected a finite number, got 'high'"),
        ('question,threshold,recall,perplexity\n1,0,"0.5', "line 2: not CSV: unexpected end of data"),
        ("question,question\n", "line 1: duplicate column in the header"),
        ("Question,threshold\n1,0\n", "line 1: question: no such column in the header; 'Question' is not in small"),
        ("question;threshold\n1;0\n", "line 1: question: no such column in the header; its cells are cut by ';'"),
        ("question,treshold\n1,0\n", "line 1: threshold: no such column in the header; did you mean 'treshold'?"),
        ("question,threshold,recall,perplexity\n1,0,1,5\n", "threshold: is 0 in all rows, that of the baseline"),
        (
            "question,threshold,recall,perplexity\n1,0,1,5\n1,0.5,0,5\n",
            "the baseline, threshold 0, has 1 question with every metric; 2 are needed",
        ),
        ('{"question": 1, "thresh', "line 1: not a whole JSON object"),
        ("", "has no rows; expected question, threshold and a column for each metric"),
    ],
)
def test_a_sweep_that_cannot_be_used_is_named_with_its_line_and_column(tmp_path, panel, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    code, out, err = run("sweep", path, "--panel", panel)
    assert (code, out) == (2, "")
    assert err.startswith(f"groundwire: {path}: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("metrics: {recall: {weight: 0.5}}", "the weights add up to 0.5, not to 1"),
        ("metrics: {recall: {weight: 1, better: up}}", "metrics.recall.better: Input should be 'higher' or 'lower'"),
        ("metrics: {recall: {weight: 1, range: [1, 0]}}", "range: 1 is not below 0"),
        ("metrics: [", "not YAML"),
    ],
)
def test_a_panel_that_cannot_be_used_says_where(tmp_path, panel, text, message):
    path = tmp_path / "sweep.csv"
    path.write_text(sweep_text())
    panel.write_text(text)
    code, _, err = run("sweep", path, "--panel", panel)
    assert code == 2
    assert message in err


def recorded(path, n=30, **more):
    rng = np.random.default_rng(3)
    right = {"id": "right", "text": "Parcels can be returned for 14 days.", "stage": "retrieve"}
    wrong = {"id": "wrong", "text": "Hotels cost up to 180 EUR a night.", "stage": "retrieve"}
    rows = [
        {
            "id": f"q{i}",
            "question": "How long can I return?",
            "answer": "Parcels can be returned for 14 days.",
            "passages": [right | {"score": rng.uniform(0.7, 0.9)} | more, wrong | {"score": rng.uniform(0.3, 0.5)}],
        }
        for i in range(n)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.slow
def test_recorded_answers_tell_which_threshold_costs_them_nothing(tmp_path):
    path = recorded(tmp_path / "answers.jsonl")
    tried = ("--at-least", "0.4", "--at-least", "0.6", "--at-least", "0.8", "--margin", "0.05", "--workers", "1")
    code, out, err = run("replay", path, *tried, "--json")
    told = json.loads(out)
    assert (code, err, told["answers"], told["recommended"]) == (0, "", 30, 0.6)
    assert [each["admissible"] for each in told["thresholds"]] == [
        "within the margin",
        "within the margin",
        "may cost more",
    ]
    assert [each["kept"] for each in told["thresholds"]][1] == 0.5
    assert told["thresholds"][2]["emptied"] > 0.2
    assert (
        "recommendation: 0.6 is the highest that costs at most 0.05; it keeps 50.0% of the passages"
        in run("replay", path, *tried)[1]
    )


def test_answers_without_logged_scores_cannot_tell(tmp_path):
    path = recorded(tmp_path / "answers.jsonl", n=2, score=None)
    code, out, err = run("replay", path)
    assert (code, out) == (2, "")
    assert err == (
        "groundwire: no answer has a context with scores from retrieval: a passage without a retrieval score 2\n"
    )


def test_an_answer_that_comes_twice_is_refused(tmp_path):
    path = recorded(tmp_path / "answers.jsonl", n=1)
    path.write_text(path.read_text() * 2)
    problem = f"id: two answers have the id 'q0'; the other is in {path}: line 1"
    assert run("replay", path)[2] == f"groundwire: {path}: line 2: {problem}\n"


def labelled(path, thresholds=(0.0, 0.6)):
    """Answers to the same questions at several thresholds: the higher one leaves out what misleads."""
    rows = []
    for number in range(40):
        right = f"Room {number} costs {100 + number} EUR a night. Breakfast is included for every guest."
        for threshold in thresholds:
            said = right if threshold > 0.5 or number % 3 else f"Room {number} may cost something else altogether."
            passages = [
                {"id": "a", "text": right, "score": 0.9},
                {"id": "b", "text": "Pets are welcome.", "score": 0.4},
            ]
            rows.append(
                {
                    "id": f"{number}-{threshold}",
                    "question": f"What does room {number} cost?",
                    "answer": said,
                    "reference": right,
                    "passages": passages,
                    "attributes": {"threshold": str(threshold)},
                    "usage": {"latency_ms": 100 + 900 * threshold},
                }
            )
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.slow
def test_labelled_answers_become_a_sweep_and_a_recommendation(tmp_path):
    answers, table = labelled(tmp_path / "answers.jsonl"), tmp_path / "hotel.csv"
    code, out, err = run("measure", answers, "--to", table, "--workers", "1")
    assert (code, out) == (0, f"{table}: 40 questions at 2 thresholds\n")
    assert err == "groundwire: METEOR is left out: it needs WordNet, the nltk data in the folder that --wordnet names\n"
    code, out, err = run("sweep", table, "--panel", "lexical", "--plots", tmp_path / "plots", "--resamples", "1000")
    assert (code, err) == (0, "")
    assert "recommendation: use 0.6: the only threshold" in out
    assert "median latency_ms by threshold: 0: 100, 0.6: 640\n" in out
    assert "caution" not in out
    for name in ("gains", "significance", "correlations"):
        assert (tmp_path / "plots" / f"{name}.svg").read_text().startswith("<?xml")


@pytest.mark.slow
def test_what_thresholds_would_have_left_of_recorded_passages_is_measured(tmp_path):
    answers = labelled(tmp_path / "answers.jsonl", thresholds=(0.6,))
    code, out, _ = run(
        "measure", answers, "--at-least", "0.5", "--at-least", "0.95", "--normal-k", "2", "--workers", "1"
    )
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert {(row["threshold"], row["context_passages"]) for row in rows} == {("0.0", "2"), ("0.5", "1"), ("0.95", "0")}
    made = {row["threshold"]: json.loads(row["configuration"]) for row in rows}
    assert made["0.0"]["retrieval"] == {"mode": "normal", "k": 2}
    assert made["0.5"]["retrieval"] == {"mode": "score", "at_least": 0.5, "max_k": 100}
    assert made["0.0"] | {"retrieval": None} == made["0.5"] | {"retrieval": None}
    told = {row["threshold"]: float(row["reference_support"]) for row in rows}
    assert told["0.5"] > 0.7
    assert told["0.95"] == 0.0


@pytest.mark.slow
def test_a_generator_answers_anew_from_what_a_threshold_leaves(tmp_path, monkeypatch):
    (tmp_path / "our_app.py").write_text(
        "def answer(question, texts):\n    return texts[0] if texts else 'I do not know.'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    answers = labelled(tmp_path / "answers.jsonl", thresholds=(0.0,))
    wanted = ("--at-least", "0.5", "--at-least", "0.95", "--generator", "our_app:answer", "--workers", "1")
    code, out, _ = run("measure", answers, *wanted)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert {float(row["F1 score"]) for row in rows if row["threshold"] == "0.5"} == {1.0}
    assert max(float(row["F1 score"]) for row in rows if row["threshold"] == "0.95") < 0.2
    assert all(float(row["latency_ms"]) >= 0 for row in rows)


def test_labelled_answers_that_cannot_be_measured_say_why(tmp_path):
    answers = labelled(tmp_path / "answers.jsonl")
    first = json.loads(answers.read_text().splitlines()[0])["id"]
    code, _, err = run("measure", answers, "--threshold-of", "cutoff")
    problem = f"{answers}: line 1: answer {first}: attributes.cutoff: missing; name another with --threshold-of"
    assert (code, problem in err, "(and in 79 more records, the last: " in err) == (2, True, True)
    problem = f"{answers}: line 1: answer {first}: attributes.topic: missing"
    assert problem in run("measure", answers, "--question", "topic")[2]
    listed = answers.with_name("list.json")
    listed.write_text(json.dumps([json.loads(line) for line in answers.read_text().splitlines()]))
    assert f"{listed}: [0]: answer {first}: " in run("measure", listed, "--threshold-of", "cutoff")[2]
    bare = tmp_path / "bare.jsonl"
    bare.write_text(json.dumps({"id": "1", "question": "q", "answer": "a"}) + "\n")
    assert "no answer can be measured: no reference 1" in run("measure", bare, "--at-least", "1")[2]
    assert "has no corpora/wordnet" in run("measure", answers, "--wordnet", tmp_path)[2]
    assert "--generator: needs thresholds" in run("measure", answers, "--generator", "a:b")[2]


@pytest.mark.parametrize(
    ("cell", "message"),
    [("{", "line 2: configuration: not JSON"), ("[]", "line 2: configuration: not a JSON object")],
)
def test_a_configuration_that_cannot_be_read_is_named(tmp_path, panel, cell, message):
    path = tmp_path / "bad.csv"
    path.write_text(f"question,threshold,recall,perplexity,configuration\n1,0,0.5,5,{cell}\n")
    assert f"{path}: {message}" in run("sweep", path, "--panel", panel)[2]


def test_thresholds_that_were_answered_by_several_models_are_told(tmp_path, panel):
    path = tmp_path / "mixed.csv"
    head, *rows = sweep_text().splitlines()
    made = [row + ',"{""model"": ""' + ("new" if ",0.8," in row else "old") + '""}"' for row in rows]
    path.write_text("\n".join([head + ",configuration", *made]) + "\n")
    out = run("sweep", path, "--panel", panel)[1]
    assert "caution: thresholds differ in model too, so effects may be of that: 0: old; 0.6: old; 0.8: new\n" in out
    told = json.loads(run("sweep", path, "--panel", panel, "--json")[1])["sweeps"][0]
    assert told["configuration"] == {"model": ["old", "new"]}
    assert told["confounded"] == {"model": {"0": ["old"], "0.6": ["old"], "0.8": ["new"]}}


def test_rows_without_a_value_that_are_left_out_are_told(tmp_path, panel):
    path = tmp_path / "holes.csv"
    path.write_text(sweep_text().replace("\n", "\nx,0.6,0.5,\ny,0.6,0.5,\nz,0.6,,40\n", 1))
    code, out, _ = run("sweep", path, "--panel", panel)
    assert code == 0
    assert "caution: 2 rows without a value of perplexity left out, the first in line 2\n" in out
    assert "caution: 1 row without a value of recall left out, the first in line 4\n" in out
    told = json.loads(run("sweep", path, "--panel", panel, "--json")[1])["sweeps"][0]
    assert told["incomplete"] == {"perplexity": 2, "recall": 1}


def test_several_sweeps_are_set_side_by_side(tmp_path, panel):
    for name, better in (("granite", 0.8), ("llama", None)):
        (tmp_path / f"{name}.csv").write_text(sweep_text(better_at=better))
    _, out, _ = run("sweep", tmp_path / "granite.csv", tmp_path / "llama.csv", "--panel", panel, "--resamples", "1000")
    lines = out.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("sweep "))
    assert lines[head + 1].split() == ["granite", "0.8", "0.8", "0.8", "agree", "1", "0", "1", "1"]
    assert lines[head + 2].split()[-4:] == ["0", "0", "2", "0"]
    assert next(line for line in lines if line.strip().startswith("1  granite")).split()[2] == "0.8"
    assert "Spearman over configurations: T-CPS with CPS " in out


def test_a_model_in_two_domains_is_set_side_by_side(tmp_path, panel):
    for domain, better in (("farming", 0.8), ("biology", 0.6)):
        path = tmp_path / domain / "granite.csv"
        path.parent.mkdir()
        path.write_text(sweep_text(better_at=better))
    files = (tmp_path / "farming" / "granite.csv", tmp_path / "biology" / "granite.csv")
    _, out, _ = run("sweep", *files, "--panel", panel)
    head = next(number for number, line in enumerate(out.splitlines()) if "best in farming" in line)
    name, first, _, second, _, shift = out.splitlines()[head + 1].split()
    assert (name, first, second, shift) == ("granite", "0.8", "0.6", "-0.20")
    for one in ("farming/granite", "biology/granite"):
        assert f"{one}: baseline" in out
    told = json.loads(run("sweep", *files, "--panel", panel, "--json")[1])
    assert told["domains"]["farming -> biology"][0]["shift"] == pytest.approx(-0.2)
    assert told["sensitivity"]["configurations"] == 6
    assert told["correlations"]["recall"]["recall"] == pytest.approx(1.0)
