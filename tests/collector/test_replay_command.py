"""Gates over evaluations that were kept: from files, from a store, and from what a store exported."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.schema import Answer
from collector.commands.evaluations import export
from collector.commands.replay import chosen, replay, tick_of
from collector.configuration.file import load
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.judging.judge import JudgeStep
from collector.store.entries import Entry
from collector.store.pulled import Pulled
from collector.store.rows import StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from scorers.base import Evaluation, Score
from telemetry.registry import Telemetry

START, MINUTE = 1_790_000_000 * 10**9, 60 * 10**9
GATES = """
gates:
  - {type: threshold, name: limit, metric: unheard_of, at_most: 0.2, by: [domain]}
  - {type: threshold, name: other, metric: m, at_least: 0.2}
"""


def gates(text=GATES):
    return load(text, where="test", inconsistencies=Config.of_gates_alone).gates


def line(i, value, domain="travel", metric="unheard_of", **more):
    at = f"2026-11-01T12:{i // 60:02d}:{i % 60:02d}Z"
    fields = {"at": at, "answer_id": f"a{i}", "metric": metric, "value": value, "probability": 1}
    return json.dumps({**fields, "slice": {"domain": domain}, **more}) + "\n"


def run(files, *, given=None, data=None, as_json=False, tick="5m"):
    out, err = io.StringIO(), io.StringIO()
    code = replay(files, given or gates()[:1], data=data, tick=tick_of(tick), as_json=as_json, out=out, err=err)
    return code, out.getvalue(), err.getvalue()


def written(tmp_path, text, name="file.jsonl"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_table_says_per_slice_when_it_fired_and_why(tmp_path):
    lines = [line(i, i % 2) for i in range(200)]
    lines += [line(i, 0, "leave") for i in range(200)]
    code, out, err = run([written(tmp_path, "".join(lines))])
    assert (code, err) == (0, "")
    heads, whole, travel, leave, last = [row.split() for row in out.splitlines()]
    assert heads[:3] == ["gate", "slice", "state"]
    assert whole[:4] == ["limit", "all", "fail", "2026-11-01"]
    assert travel[:7] == ["limit", "domain=travel", "fail", "2026-11-01", "12:05:00Z", "1", "200"]
    assert leave[:6] == ["limit", "domain=leave", "pass", "-", "0", "200"]
    assert last[:2] == ["400", "evaluations,"]


def test_json_is_an_event_a_line_of_all_gates_in_order_of_time(tmp_path):
    lines = [line(i, i % 2) + line(i, 0, metric="m") for i in range(1200)]
    code, out, _ = run([written(tmp_path, "".join(lines))], given=gates(), as_json=True, tick="1m")
    events = [json.loads(each) for each in out.splitlines()]
    assert code == 0
    assert {event["gate"] for event in events} == {"limit", "other"}
    assert [event["at"] for event in events] == sorted(event["at"] for event in events)


def test_files_may_be_packed_and_cut_anywhere(tmp_path):
    lines = [line(i, i % 2) for i in range(200)]
    plain = run([written(tmp_path, "".join(lines))])
    packed = written(tmp_path, gzip.compress("".join(lines[:77]).encode()), "a.gz")
    rest = written(tmp_path, "".join(reversed(lines[70:])).rstrip(), "b.jsonl")
    code, out, err = run([packed, rest])
    assert (code, out) == plain[:2]
    assert err == "groundwire: 7 duplicate lines were counted once\n"


def test_bad_lines_are_named_and_the_others_replayed_with_exit_code_2(tmp_path):
    path = written(tmp_path, line(0, 1) + "{\n" + line(1, 2) + "".join(line(i, 1) for i in range(2, 60)))
    code, out, err = run([path])
    assert code == 2
    assert "domain=travel  fail" in out
    first, second, last = err.splitlines()
    assert first.startswith(f"groundwire: {path}: line 2: ")
    assert second == f"groundwire: {path}: line 3: value: 2 is outside the range of unheard_of, 0 to 1"
    assert last == "groundwire: 2 lines could not be read and were skipped"


def test_what_a_gate_does_not_find_is_said(tmp_path):
    code, out, err = run([written(tmp_path, line(0, 5, metric="x"))], given=gates())
    assert (code, "no evaluations" in out) == (0, True)
    assert "groundwire: limit: no evaluations of unheard_of; the recording has: x\n" in err
    _, _, err = run([written(tmp_path, line(0, 1, slice={"tier": "a"}))])
    assert err == "groundwire: limit: by[0]: no slice dimension 'domain'; there are: tier\n"
    release = gates("gates: [{type: release, name: r, metric: unheard_of, worse: higher}]")
    _, _, err = run([written(tmp_path, line(0, 1, arm="candidate"))], given=release)
    assert err == "groundwire: 1 evaluations name an arm but no share; release gates ignore them\n"
    _, _, err = run([written(tmp_path, line(0, 1, arm="candidate", share=0))], given=release)
    assert "1 evaluations name an arm and a share of 0: no traffic was routed to the candidate" in err


def test_changes_of_gates_and_dimensions_that_are_nowhere_are_said(tmp_path):
    at = {"at": "2026-11-01T12:00:00Z"}
    began = json.dumps({**at, "change": {"kind": "reference", "component": "limt"}}) + "\n"
    deployed = json.dumps({**at, "change": {"kind": "deploy", "scope": {"doman": "travel"}}}) + "\n"
    _, _, err = run([written(tmp_path, line(0, 1) + began + deployed)])
    assert "line 2: no gate 'limt' is replayed" in err
    assert "line 3: scope: no answer has the dimension 'doman'" in err


def test_text_from_a_file_does_not_reach_the_terminal_as_it_is(tmp_path):
    path = written(tmp_path, "".join(line(i, 1, "\x1b[31mred") for i in range(60)) + '{"\x1b": 1}\n')
    _, out, err = run([path])
    assert "\x1b" not in out + err


def test_a_file_without_lines_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("collector.commands.evaluations.MAX_LINE", 1000)
    with pytest.raises(ConfigError, match="no file of evaluations"):
        run([written(tmp_path, b"\0" * 5000)])


@pytest.mark.parametrize("tick", ["5", "500ms", "2d", "x"])
def test_a_tick_has_bounds(tick):
    with pytest.raises(ConfigError, match="--tick"):
        tick_of(tick)


def test_gates_are_chosen_by_name():
    assert [gate.name for gate in chosen(gates(), ["other"])] == ["other"]
    with pytest.raises(ConfigError, match="no such gate; did you mean 'limit'"):
        chosen(gates(), ["limits"])
    with pytest.raises(ConfigError, match="there are no gates: give a configuration"):
        chosen((), [])


@pytest.fixture
def data(tmp_path):
    store = open_store(tmp_path / "data")
    for i in range(60):
        name = f"a{i}"
        store.append_pulled(Pulled("files", b"", 1, answers=[StoredAnswer(Answer(id=name), {}, 0.5, sampled=True)]))
        scores = (Score(metric="unheard_of", value=1.0), Score(metric="seconds", value=7.0))
        evaluation = Evaluation(answer_id=name, revision=0, scores=scores)
        row = StoredEvaluation(
            evaluation,
            START + i * MINUTE,
            1,
            {"domain": "travel"},
            0.5,
            f"c{i}" if i % 2 == 0 else None,
            {"index": "4"},
            document="D",
        )
        store.record_evaluations([row])
    entry = Entry("x", START, START, "documents", "explicit", "catalog", {"domain": "travel"}, "7")
    store.record_changes([entry])
    yield tmp_path / "data"
    store.close()


def test_a_store_is_replayed_while_its_agent_runs_as_what_it_exports(data, tmp_path):
    out = io.StringIO()
    assert export(data=data, metrics=[], out=out) == 0
    rows = [json.loads(each) for each in out.getvalue().splitlines()]
    evaluation, change = rows[0], rows[-1]
    assert len(rows) == 121
    assert evaluation == {
        "at": "2026-09-21T14:13:20Z",
        "answer_id": "a0",
        "metric": "unheard_of",
        "value": 1.0,
        "probability": 0.5,
        "slice": {"domain": "travel"},
        "cluster": "c0",
        "document": "D",
        "versions": {"index": "4"},
        "arm": None,
        "share": None,
        "label": None,
        "label_probability": None,
    }
    assert change["change"] == {"kind": "documents", "scope": {"domain": "travel"}, "version": "7"}
    of_store, of_file = run([], data=str(data)), run([written(tmp_path, out.getvalue())])
    assert of_store == of_file
    assert "domain=travel  fail" in of_store[1]


def test_one_metric_is_exported_by_itself(data):
    out = io.StringIO()
    export(data=data, metrics=["seconds"], out=out)
    assert {json.loads(each).get("metric") for each in out.getvalue().splitlines()} == {"seconds", None}


def test_where_there_is_no_store_there_is_nothing_to_export(tmp_path):
    with pytest.raises(ConfigError, match="no store in this directory"):
        export(data=tmp_path, metrics=[], out=io.StringIO())


def command(*arguments, stdin=b"", cwd):
    line = [sys.executable, "-P", "-m", "collector.cli", "replay", *map(str, arguments)]
    return subprocess.run(line, input=stdin, capture_output=True, timeout=60, check=False, cwd=cwd)


@pytest.mark.slow
def test_the_command_reads_standard_input_and_says_what_is_wrong_with_how_it_was_called(tmp_path):
    config = written(tmp_path, GATES, "gates.yaml")
    lines = "".join(line(i, 1) for i in range(60)).encode()
    done = command("--config", config, "--gate", "limit", "--json", "-", stdin=lines, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [json.loads(each)["state"] for each in done.stdout.splitlines()] == ["fail", "fail"]
    both = command("--config", config, "--data", tmp_path, "-", cwd=tmp_path)
    assert (both.returncode, both.stdout) == (2, b"")
    assert b"not both" in both.stderr
    assert not Path(tmp_path / "groundwire-data").exists()


COMPOSITE = """
gates:
  - {type: threshold, name: floor, metric: composite, at_least: 70, window: 1d}
  - {type: drift, name: drift, metric: composite, worse: lower, reference: 1d, tolerance: 2}
  - {type: release, name: canary, metric: composite, worse: lower, margin: 5}
  - {type: objective, name: slo, metric: composite, worse: lower, objective: 0.9, good: 60}
  - {type: threshold, name: unsafe, metric: unsafe_probability, at_most: 0.2, window: 1d}
"""
"""A release is held to a composite of at least 70 points, and to a chance of at most 0.2 that an answer is unsafe."""


def points(tmp_path):
    """Two days of answers with a composite of 90 and 80 in turn; from the third on those of a candidate have 40."""
    store = open_store(tmp_path / "points")
    rows = []
    for i in range(3 * 720):
        candidate = i >= 2 * 720 and i % 2 == 0
        value = 40.0 if candidate else 90.0 - 10.0 * (i // 2 % 2)
        scores = (Score(metric="composite", value=value), Score(metric="unsafe_probability", value=0.01))
        at = START + i * 2 * MINUTE
        rows.append(
            StoredEvaluation(
                Evaluation(answer_id=f"a{i}", revision=0, scores=scores),
                *(at, at, {"service": "desk"}, 1.0, None, {"release": "2" if candidate else "1"}),
                arm=("candidate" if candidate else "baseline") if i >= 2 * 720 else None,
                share=0.5 if i >= 2 * 720 else None,
            )
        )
    store.record_evaluations(rows)
    return store


@pytest.mark.slow
def test_gates_on_the_composite_judge_in_points_in_an_agent_and_in_a_replay(tmp_path):
    configured = load(COMPOSITE, where="test", inconsistencies=Config.inconsistencies)
    store = points(tmp_path)
    telemetry = Telemetry(metrics=configured.metrics, dimensions=("service",), version="test")
    end = START + 3 * 24 * 60 * MINUTE
    step = JudgeStep(store=store, gates=configured.gates, telemetry=telemetry, clock=lambda: end, tick=10.0)
    step.run_once()
    store.close()
    told = {name: (verdict.state, verdict.slices[0]) for name, verdict in step.verdicts.items()}
    assert {name: state for name, (state, _) in told.items()} == {
        "floor": "fail",
        "drift": "fail",
        "canary": "fail",
        "slo": "fail",
        "unsafe": "pass",
    }
    floor, drift, canary, slo = (told[name][1] for name in ("floor", "drift", "canary", "slo"))
    assert floor.estimate == pytest.approx(62.5, abs=0.1)
    assert floor.reason.endswith("; limit 70")
    assert (drift.estimate, canary.estimate) == (pytest.approx(62.5, abs=1), pytest.approx(-45.0, abs=0.5))
    assert drift.evidence["level"] == pytest.approx(85 - 2, abs=3)
    assert canary.lower < -40 < canary.upper + 10 < 0
    assert slo.estimate == pytest.approx(0.5, abs=0.001), "of an objective, the share of good answers in what burns"
    code, out, err = run([], given=configured.gates, data=str(tmp_path / "points"), as_json=True)
    assert (code, err) == (0, "")
    last = {event["gate"]: event for event in map(json.loads, out.splitlines())}
    assert {name: event["state"] for name, event in last.items()} == {name: state for name, (state, _) in told.items()}
    assert last["canary"]["estimate"] < -40
    text = io.StringIO()
    export(data=str(tmp_path / "points"), metrics=["composite"], out=text)
    assert json.loads(text.getvalue().splitlines()[0])["value"] == 90.0


def test_a_value_beyond_its_range_is_a_bad_line_and_ranges_can_be_given(tmp_path):
    stars = "gates: [{type: threshold, name: stars, metric: stars, bounds: [1, 5], at_least: 3}]"
    lines = [line(i, 4 + i % 2, metric="stars") for i in range(100)] + [line(100, 0, metric="stars")]
    code, out, err = run([written(tmp_path, "".join(lines))], given=gates(stars))
    assert code == 2
    assert "line 101: value: 0 is outside the range of stars, 1 to 5" in err
    assert "pass" in out
    two = stars.replace("}]", "}, {type: threshold, name: b, metric: stars, bounds: [0, 5], at_least: 3}]")
    with pytest.raises(ConfigError, match=r"gates\[1\]\.bounds: another gate says that 'stars' has values from 1 to 5"):
        gates(two)


ACCEPTANCE = """
gates:
  - type: acceptance
    name: rule
    metric: composite
    at_least: 75
    unsafe_at_most: 0.1
    blocking: [protected_data_exposure]
    by: [domain]
"""


def accepted(i, domain="travel", *, leaked=False):
    label = "protected_data_exposure" if leaked else "none"
    told = {"composite": 90, "unsafe_probability": 0.02, "failure_category": int(leaked)}
    more = {"failure_category": {"label": label}}
    return "".join(line(i, value, domain, metric, **more.get(metric, {})) for metric, value in told.items())


def test_an_answer_counts_once_however_many_metrics_of_it_are_judged_and_no_metric_is_called_missing(tmp_path):
    lines = [accepted(i) for i in range(40)]
    code, out, err = run([written(tmp_path, "".join(lines))], given=gates(ACCEPTANCE))
    assert (code, err) == (0, "")
    travel = next(row for row in out.splitlines() if "domain=travel" in row.split()[1])
    assert travel.split()[5] == "40"
    told = "domain=travel has 40 answers in the last 28d, at least 100 are needed: wait for 60 more"
    assert travel.count("40 answers") == 1
    assert travel.endswith(told)


def test_what_fired_is_told_with_its_reason_and_not_only_by_a_word(tmp_path):
    lines = [accepted(i, leaked=i == 20) for i in range(120)]
    _, out, _ = run([written(tmp_path, "".join(lines))], given=gates(ACCEPTANCE), tick="1m")
    travel = next(row for row in out.splitlines() if "domain=travel" in row.split()[1])
    assert "blocking: 1 of 60 answers in the last 28d is a blocking failure (protected_data_exposure)" in travel


def test_a_suite_that_failed_is_told_though_a_later_release_passed(tmp_path):
    suite = "gates: [{type: regression, name: suite, metric: m, worse: lower}]"
    values = {"1": (0.9, 0.9), "2": (0.9, 0.1), "3": (0.9, 0.9)}
    lines = [
        line(300 * run_ + case, value, metric="m", slice={"case": f"c{case}"}, versions={"release": version})
        for run_, (version, both) in enumerate(values.items())
        for case, value in enumerate(both)
    ]
    _, out, _ = run([written(tmp_path, "".join(lines))], given=gates(suite))
    row = out.splitlines()[1].split()
    assert row[:6] == ["suite", "all", "pass", "2026-11-01", "12:10:00Z", "1"]


RELEASE = "gates: [{type: release, name: canary, metric: m, worse: lower}]"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({}, True),
        ({"arm": "candidate", "share": 0.5}, False),
        ({"versions": {"release": "1"}}, False),
    ],
)
def test_releases_that_only_versions_tell_apart_are_named_with_what_to_add(tmp_path, more, told):
    lines = [line(i, 1, metric="m", **{"versions": {"release": str(1 + i // 50)}, **more}) for i in range(100)]
    _, _, err = run([written(tmp_path, "".join(lines))], given=gates(RELEASE))
    assert ("canary: answers name 2 versions of release (1, 2), but no arm" in err) is told
    change = json.dumps({"at": "2026-11-01T12:00:50Z", "change": {"kind": "deploy", "version": "2"}}) + "\n"
    _, _, err = run([written(tmp_path, "".join([*lines, change]))], given=gates(RELEASE))
    assert "versions of release" not in err
