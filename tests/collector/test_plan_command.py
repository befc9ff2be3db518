"""What can be expected of the gates of a configuration, as the command line says it."""

import io
import json
import subprocess
import sys

import pytest

from collector.commands.plan import Assumptions, plan
from collector.configuration.file import load
from collector.configuration.schema import Config
from collector.errors import ConfigError

DRIFT = "gates: [{type: drift, name: g, metric: m, worse: higher, by: [domain], reference: 1d, tolerance: 0}]"
CANARY = "gates: [{type: release, name: canary, metric: m, worse: higher}]"
QUICK = {"runs": 10, "weeks": 1, "slices": 5}


def run(text=DRIFT, *, files=(), as_json=False, **given):
    out, err = io.StringIO(), io.StringIO()
    gates = load(text, where="test", inconsistencies=Config.of_gates_alone).gates
    code = plan(gates, Assumptions(**(QUICK | given)), files=files, data=None, as_json=as_json, out=out, err=err)
    assert (code, err.getvalue()) == (0, "")
    return out.getvalue()


@pytest.mark.slow
def test_the_table_says_false_alarms_and_how_soon_a_worse_mean_is_found():
    head, alarms, names, found, at_change = run(to=0.3).splitlines()
    assert head == "g (drift): 5 slices with 60 scored answers an hour, 10 runs"
    assert alarms.startswith("  false alarms a week: ")
    assert alarms.endswith("; accepted: 1")
    assert names.split() == ["mean", "detected", "answers", "median", "time", "median"]
    assert found.split()[:4] == ["0.02", "->", "0.3", "100.0%"]
    assert at_change.split()[:6] == ["0.02", "->", "0.3,", "at", "a", "change"]


def test_a_release_gate_is_told_by_what_becomes_of_candidates():
    head, names, equal, worse, bad = run(CANARY, rollout="2h", answers=1200.0, shares="0.5", to=0.2).splitlines()
    assert head == "canary (release): 1200 scored answers an hour, 10 runs"
    assert names.split() == ["mean", "rolled", "back", "answers", "promoted", "answers"]
    assert "(at most 5%)" in equal
    assert worse.split()[:3] == ["0.02", "->", "0.03"]
    assert bad.split()[:4] == ["0.02", "->", "0.2", "100.0%"]


def test_json_has_a_gate_a_line_and_nothing_that_json_does_not_know():
    told = json.loads(run(CANARY, rollout="1h", answers=1.0, as_json=True), parse_constant=pytest.fail)
    assert (told["gate"], told["false_alarms_per_week"]) == ("canary", None)
    assert told["cases"][0]["promoted_answers"] is None
    assert told["assumed"]["seed"] == 1


@pytest.mark.slow
def test_traffic_is_that_of_a_file_where_one_is_given(tmp_path):
    path = tmp_path / "kept.jsonl"
    rows = [
        {
            "at": f"2026-11-01T{i // 60:02d}:{i % 60:02d}:00Z",
            "answer_id": f"a{i}",
            "metric": "m",
            "value": float(i % 20 == 0),
            "probability": 1,
            "slice": {"domain": "ab"[i % 2]},
        }
        for i in range(1200)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    told = json.loads(run(files=[path], as_json=True, slices=None, to=0.5))
    assumed = told["assumed"]
    assert (assumed["slices"], assumed["level"]) == (2, 0.05)
    assert assumed["answers"] == pytest.approx(30, rel=0.01)
    with pytest.raises(ConfigError, match="the recording has no evaluations of m2"):
        run(DRIFT.replace("metric: m", "metric: m2"), files=[path])


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"level": 0.5, "to": 0.4}, "a mean of 0.4 is no worse than 0.5"),
        ({"level": 0.9, "spread": 0.5}, "must be above 0 and below 0.3"),
        ({"answers": 1e6}, "at most 100,000,000"),
    ],
)
def test_what_cannot_be_assumed_is_refused(given, reason):
    with pytest.raises(ConfigError, match=reason):
        run(**given)


@pytest.mark.parametrize(
    ("given", "named"),
    [({"shares": "0.5,2"}, "--shares"), ({"shares": ""}, "--shares"), ({"rollout": "5"}, "--rollout")],
)
def test_a_rollout_that_cannot_be_is_refused(given, named):
    with pytest.raises(ConfigError, match=named):
        run(CANARY, **given)


def test_no_gate_has_the_name_of_the_command():
    with pytest.raises(ConfigError, match=r"gates\[0\].name: 'plan' is a command"):
        load(CANARY.replace("canary", "plan"), where="x", inconsistencies=Config.of_gates_alone)
    with pytest.raises(ConfigError, match=r"gates\[0\].name: 'plan' is a command"):
        load("gates: [{type: threshold, name: plan, metric: claim_support, at_least: 0.8}]", where="x")


@pytest.mark.slow
def test_the_command_stands_beside_that_of_a_gate(tmp_path):
    config = tmp_path / "gates.yaml"
    config.write_text(CANARY)

    def command(*arguments):
        line = [sys.executable, "-P", "-m", "collector.cli", "gate", *arguments]
        return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path)

    done = command("plan", "--config", str(config), "--runs", "10", "--rollout", "1h")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("canary (release): 60 scored answers an hour")
    asked = command("--url", "http://127.0.0.1:9", "plans")
    assert asked.returncode == 2
    assert "cannot reach the agent" in asked.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "row"),
    [
        ("threshold, name: g, at_least: 70", "85 -> 40"),
        ("drift, name: g, worse: lower, reference: 2d", "90 -> 80"),
        ("objective, name: g, worse: lower, objective: 0.9, good: 60", "95 -> 80"),
    ],
)
def test_the_composite_is_planned_for_in_points(options, row):
    text = f"gates: [{{metric: composite, type: {options}}}]"
    assert run(text, answers=30.0).splitlines()[3].strip().startswith(row)


def test_releases_are_planned_for_in_points():
    canary = "gates: [{type: release, name: g, metric: composite, worse: lower, margin: 5}]"
    given = {"rollout": "3h", "answers": 1200.0, "shares": "0.5", "level": 85.0, "to": 60.0, "spread": 10.0}
    equal, worse, bad = (each.strip() for each in run(canary, **given).splitlines()[2:])
    assert (equal[:8], worse[:8], bad[:8]) == ("85 -> 85", "85 -> 80", "85 -> 60")
    assert bad.split()[3] == "100.0%"
    for wrong in ({"level": 101.0}, {"level": 50.0, "to": -1.0}):
        with pytest.raises(ConfigError, match="composite ranges from 0 to 100"):
            run(canary, **wrong)
