"""Suites by the calendar: when they are due, across changes of clock, after an outage, and what is logged of them."""

import json
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from collector.agent.steps import reports_of
from collector.clock import nanoseconds
from collector.configuration.file import load
from collector.errors import ConfigError
from collector.evaluating.options import ScheduledEvaluation, ScheduledReport
from collector.evaluating.step import CalendarStep, start_process
from collector.runs.lock import RunUnderWayError, alone_in
from tests.command import command


class Ended:
    def __init__(self, code):
        self.code = code

    def poll(self):
        return self.code

    def kill(self):
        self.code = -9


class Agent:
    """A step with a clock that tests set, and processes that end at once."""

    def __init__(self, folder, *, schedule="0 6 * * *", timezone="Europe/Berlin", code=0):
        self.now, self.started, self.code = None, [], code
        options = ScheduledEvaluation(
            name="nightly", schedule=schedule, timezone=timezone, suite=(Path("s.jsonl"),), to=folder
        )
        self.step = CalendarStep(
            jobs=(options,), clock=lambda: nanoseconds(self.now), stop=threading.Event(), start=self.start
        )

    def start(self, arguments, output):
        self.started.append(Path(arguments[arguments.index("--to") + 1]).name)
        output.write_text("what it said\n")
        folder = output.with_suffix("")
        folder.mkdir()
        told = {"manifest_version": 2, "groundwire": "1", "name": "x", "scored_as_of": "2026-01-01T00:00:00Z"}
        told |= {"configuration": "0" * 64, "suite": [], "metrics": {}, "tables": {} if self.code is not None else None}
        (folder / "manifest.json").write_text(json.dumps(told))
        return Ended(self.code)

    def at(self, *when):
        self.now = datetime(*when, tzinfo=UTC)
        assert self.step.run_once() == 0
        return self.started


def test_an_evaluation_runs_once_each_time_it_is_due_by_local_time(tmp_path):
    agent = Agent(tmp_path)
    assert agent.at(2026, 3, 28, 4, 59) == []
    assert agent.at(2026, 3, 28, 5, 1) == ["20260328T050000Z"]
    assert agent.at(2026, 3, 28, 5, 2) == ["20260328T050000Z"]
    assert agent.at(2026, 3, 29, 4, 1)[1:] == ["20260329T040000Z"], "the clock went forward in the night"


def test_what_was_missed_while_the_agent_was_down_runs_once(tmp_path):
    Agent(tmp_path).at(2026, 3, 20, 5, 0)
    first = Agent(tmp_path)
    first.at(2026, 3, 20, 4, 59)
    first.at(2026, 3, 20, 5, 1)
    again = Agent(tmp_path)
    assert again.at(2026, 3, 23, 12, 0) == ["20260323T050000Z"]
    assert again.at(2026, 3, 23, 12, 1) == ["20260323T050000Z"]


def test_a_clock_that_goes_years_ahead_runs_what_was_due_last_and_at_once(tmp_path):
    agent = Agent(tmp_path, schedule="* * * * *")
    assert agent.at(2026, 1, 1, 4, 0, 30) == []
    assert agent.at(2226, 1, 1, 4, 0, 30) == ["22260101T040000Z"]


def test_a_run_that_was_cut_short_is_finished_first(tmp_path):
    agent = Agent(tmp_path, code=0)
    agent.at(2026, 3, 20, 4, 59)
    agent.at(2026, 3, 20, 5, 1)
    manifest = tmp_path / "20260320T050000Z" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"tables": None}))
    again = Agent(tmp_path)
    again.start = lambda _, output: again.started.append(Path(output).stem) or output.touch() or Ended(0)
    again.step.start = again.start
    assert again.at(2026, 3, 20, 9, 0) == ["20260320T050000Z"]


def test_a_run_whose_manifest_was_damaged_does_not_keep_the_next_one_from_beginning(tmp_path):
    agent = Agent(tmp_path)
    agent.at(2026, 1, 1)
    (first,) = list(agent.at(2026, 1, 1, 6))
    (tmp_path / first / "manifest.json").write_text('{"groundw')
    assert agent.at(2026, 1, 2, 6) == [first, "20260102T050000Z"]


def test_a_run_that_cannot_be_finished_is_left_and_the_next_one_begins(tmp_path):
    agent = Agent(tmp_path, code=0)
    agent.at(2026, 3, 20, 4, 59)
    agent.at(2026, 3, 20, 5, 1)
    manifest = tmp_path / "20260320T050000Z" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"tables": None}))
    again = Agent(tmp_path)
    again.step.start = lambda _, output: again.started.append(Path(output).stem) or output.touch() or Ended(2)
    assert again.at(2026, 3, 20, 9, 0) == ["20260320T050000Z"]
    assert again.at(2026, 3, 20, 9, 1) == ["20260320T050000Z"]
    assert again.at(2026, 3, 21, 9, 0) == ["20260320T050000Z", "20260321T050000Z"]


def test_a_run_that_was_killed_before_it_made_anything_runs_when_the_agent_is_back(tmp_path):
    (tmp_path / "20260320T050000Z.log").touch()
    agent = Agent(tmp_path)
    assert agent.at(2026, 3, 20, 7, 0) == ["20260320T050000Z"]
    assert agent.at(2026, 3, 20, 7, 1) == ["20260320T050000Z"]
    assert Agent(tmp_path).at(2026, 3, 20, 8, 0) == []


def test_a_run_that_said_why_it_failed_is_not_begun_again(tmp_path):
    (tmp_path / "20260320T050000Z.log").write_text("groundwire: s.jsonl: cannot be read\n")
    assert Agent(tmp_path).at(2026, 3, 20, 7, 0) == []


def test_a_run_that_another_process_writes_is_waited_for(tmp_path):
    folder = tmp_path / "20260320T050000Z"
    agent = Agent(tmp_path)
    with alone_in(folder), capture_logs() as logs:
        assert agent.at(2026, 3, 20, 7, 0) == []
        assert agent.at(2026, 3, 20, 7, 1) == []
        with pytest.raises(RunUnderWayError, match="another process is writing this run"), alone_in(folder):
            pass
    assert [each["event"] for each in logs] == ["scheduled run of an earlier process goes on"]
    agent.start = lambda _, output: agent.started.append(Path(output).stem) or output.touch() or Ended(0)
    agent.step.start = agent.start
    assert agent.at(2026, 3, 20, 7, 2) == ["20260320T050000Z"]


@pytest.mark.parametrize(
    ("code", "event", "level"),
    [
        (0, "scheduled run ended", "info"),
        (1, "scheduled run missed what rows expect", "warning"),
        (2, "scheduled run failed", "error"),
    ],
)
def test_how_a_run_ended_is_logged_with_what_it_said(tmp_path, code, event, level):
    agent = Agent(tmp_path, code=code)
    agent.at(2026, 3, 20, 4, 59)
    with capture_logs() as logs:
        agent.at(2026, 3, 20, 5, 1)
    assert (logs[-1]["event"], logs[-1]["log_level"], logs[-1]["name"]) == (event, level, "nightly")
    assert code == 0 or logs[-1]["said"] == "what it said"


def test_a_stop_of_the_agent_ends_a_run(tmp_path):
    agent = Agent(tmp_path, code=None)
    agent.at(2026, 3, 20, 4, 59)
    agent.step.stop.set()
    agent.now = datetime(2026, 3, 20, 5, 1, tzinfo=UTC)
    agent.step.run_once()
    assert agent.started == []


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("schedule", "0 6 * *", "expected five fields"),
        ("schedule", "0 6 * * 1", "name days of the week"),
        ("schedule", "0 25 * * mon", "evaluations[0].schedule: "),
        ("timezone", "Mars/Base", "no such time zone"),
    ],
)
def test_a_schedule_that_cannot_be_kept_is_refused_with_its_key(key, value, problem):
    told = {"name": "n", "schedule": "0 6 * * mon", "suite": ["s.jsonl"], "to": "runs"} | {key: value}
    with pytest.raises(ConfigError) as error:
        load(json.dumps({"evaluations": [told]}), where="groundwire.yaml")
    assert problem in str(error.value)
    assert f"evaluations.0.{key}" in str(error.value) or f"evaluations[0].{key}" in str(error.value)


@pytest.mark.slow
def test_a_real_process_writes_a_run(tmp_path):
    suite = tmp_path / "s.jsonl"
    suite.write_text(json.dumps({"id": "a", "question": "?", "answer": "Yes."}) + "\n")
    process = start_process(
        ["evaluate", str(suite), "--to", str(tmp_path / "run"), "--metrics", "latency"], tmp_path / "log"
    )
    assert process.wait(120) == 0
    assert (tmp_path / "run" / "scores.parquet").exists()
    told = f"{tmp_path / 'run'}: 1 answer scored\n"
    told += "latency: no value in the only answer (missing_input: usage.latency_ms)\n"
    assert (tmp_path / "log").read_text() == told


def test_a_report_is_written_each_week_under_the_time_it_was_due(tmp_path):
    report = ScheduledReport(
        name="weekly", schedule="0 7 * * mon", to=tmp_path, by=("domain",), url="http://127.0.0.1:8080"
    )
    started, now = [], datetime(2026, 3, 1, 12, tzinfo=UTC)

    def start(arguments, output):
        started.append(arguments)
        output.touch()
        output.with_suffix(".html").write_text("<html>")
        return Ended(0)

    def step():
        stop = threading.Event()
        return CalendarStep(jobs=(report,), clock=lambda: nanoseconds(now), stop=stop, start=start)

    one = step()
    one.run_once()
    now = datetime(2026, 3, 2, 7, 1, tzinfo=UTC)
    one.run_once()
    one.run_once()
    step().run_once()
    written = str(tmp_path / "20260302T070000Z.html")
    [arguments] = started
    assert arguments[:5] == ["report", "--since", "604800s", "--to", written]
    assert arguments[5:] == ["--worst", "10", "--url", "http://127.0.0.1:8080", "--by", "domain", "--record"]


@pytest.mark.parametrize(
    ("http", "problem"),
    [
        ({"port": 0}, "reports[0].url: needed where `http.port` is 0"),
        ({"token": "t-0123456789abcdef"}, "reports[0].token_file: needed where `http.token` is given"),
    ],
)
def test_a_report_that_could_not_reach_its_agent_is_refused(http, problem):
    report = {"name": "weekly", "schedule": "0 7 * * mon", "to": "reports"}
    with pytest.raises(ConfigError) as error:
        load(json.dumps({"reports": [report], "http": http}), where="groundwire.yaml")
    assert problem in str(error.value)


def test_an_agent_reaches_itself_for_its_reports_by_its_port_and_token_file(tmp_path):
    (tmp_path / "token").write_text("t-0123456789abcdef")
    given = {"port": 9123, "token_file": str(tmp_path / "token")}
    report = {"name": "weekly", "schedule": "0 7 * * mon", "to": "reports"}
    config = load(json.dumps({"reports": [report], "http": given}), where="groundwire.yaml")
    [own] = reports_of(config)
    arguments = own.arguments(Path("reports/x"))
    assert arguments[arguments.index("--url") + 1] == "http://127.0.0.1:9123"
    assert arguments[arguments.index("--token-file") + 1] == str(tmp_path / "token")


def test_an_evaluation_by_the_calendar_has_the_panels_that_it_names():
    told = {"name": "nightly", "schedule": "0 6 * * *", "suite": ("s.jsonl",), "to": "runs"}
    options = ScheduledEvaluation(**told, panels=("reference", "claims"), wordnet=Path("/nltk"))
    arguments = options.arguments(Path("runs/x"))
    assert arguments[-6:] == ["--wordnet", "/nltk", "--panel", "reference", "--panel", "claims"]
    stray = ScheduledEvaluation(**told, model=Path("/encoder"))
    assert "evaluations[0]: model and wordnet are read by the reference panel alone; add it to panels" in list(
        stray.problems("evaluations[0]")
    )


def checked(folder, section, data):
    job = {"name": "weekly", "schedule": "0 7 * * mon", "to": str(folder)}
    job |= {"suite": ["nowhere.jsonl"]} if section == "evaluations" else {}
    return command("check", "--data", str(data), "--set", f"{section}={json.dumps([job])}")


@pytest.mark.parametrize("section", ["reports", "evaluations"])
def test_check_tells_of_a_folder_that_no_run_can_write(tmp_path, section):
    there, new = tmp_path / "there", tmp_path / "a" / "b"
    there.mkdir()
    for folder in (there, new):
        code, out, err = checked(folder, section, tmp_path / "data")
        assert (code, err) == (0, "")
        assert f"{section}[0]: ok, weekly writes into {folder}" in out
    assert not list(there.iterdir())
    assert not new.parent.exists()
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    for folder, why in (
        (tmp_path / "file", "a file is in its place"),
        (tmp_path / "file" / "in", f"{tmp_path / 'file'} is a file"),
        (tmp_path / "link" / "in", f"{tmp_path / 'link'} leads nowhere"),
        (Path("/proc/groundwire"), "/proc: "),
    ):
        code, out, err = checked(folder, section, tmp_path / "data")
        assert (code, out) == (2, "")
        assert f"groundwire: {section}[0].to: {folder}: cannot be written: {why}" in err


def test_check_warns_of_a_suite_that_is_not_there(tmp_path):
    code, out, _ = checked(tmp_path, "evaluations", tmp_path / "data")
    assert code == 0
    assert "warning: evaluations[0].suite[0]: nowhere.jsonl is not there; the run will fail without it" in out
