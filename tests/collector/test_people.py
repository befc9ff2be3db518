"""What people ask a running agent at the terminal."""

import contextlib
import io
import itertools
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from collector.cli import shared
from collector.commands.asking import AgentUnreachable, AskedAgent, ask_agent
from collector.commands.progress import Progress
from collector.commands.screen import Terminal
from collector.commands.status import Counted, traffic
from collector.commands.tail import tail
from tests.agent import Agent
from tests.command import command, one_object
from tests.traffic import merged, policy_trace

GATE = {
    "type": "threshold",
    "name": "fresh",
    "metric": "stale_source_use",
    "at_most": 0.2,
    "by": ["domain"],
    "min_answers": 10,
}
TOKEN = "t0k"
ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def judged(directory):
    """An agent that has judged stale answers in one domain, and asks for a token."""
    at = time.time_ns()
    with Agent(directory, gates=[GATE], http={"token": TOKEN}) as agent:
        agent.url = f"http://{agent.http}"
        agent.token = agent.directory / "token"
        agent.token.write_text(TOKEN)
        stale = [policy_trace(i, stale=True, at=at) for i in range(20)]
        fresh = [policy_trace(i, domain="leave", at=at) for i in range(20)]
        agent.post(merged([*stale, *fresh]).SerializeToString())
        asking = AskedAgent(url=agent.url, token_file=agent.token)
        agent.until(lambda: len(asking.get("/v1/decisions")["decisions"]) >= 2)
        yield agent


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    """One agent that every test here asks; a test that sends it anything starts its own."""
    with judged(tmp_path_factory.mktemp("people")) as agent:
        yield agent


def asked(agent, *arguments):
    done = command(*arguments, "--url", agent.url, "--token-file", str(agent.token))
    assert done.stderr == ""
    return done


def lines(agent, *arguments):
    done = asked(agent, *arguments)
    assert done.returncode == 0
    return done.stdout.splitlines()


def body(agent, *arguments):
    return one_object(asked(agent, *arguments, "--json"))


def test_one_screen_says_how_the_agent_is_doing(agent):
    shown = lines(agent, "status")
    assert shown[0].startswith("ready  groundwire ")
    assert any(re.match(r"traffic  \d+ spans, 40 answers since the start", line) for line in shown)
    assert any(line.startswith("fresh  fail ") and "domain=travel" in line for line in shown)
    assert body(agent, "status")["gates"][0]["state"] == "fail"


def test_a_trace_that_is_read_again_is_no_other_answer():
    counted = Counted(
        {
            "groundwire_traces_total": [({"outcome": "answer"}, 175.0)],
            "rag_answers_total": [({"language": "en"}, 150.0), ({"language": "de"}, 10.0)],
        }
    )
    (traffic_line, *_) = traffic(counted, None, None)
    assert traffic_line == "traffic  0 spans, 160 answers since the start, none yet"


@pytest.mark.slow
def test_status_warns_of_a_source_that_fails_and_of_a_token_that_nobody_asks_for(tmp_path):
    source = {"type": "phoenix", "name": "px", "url": "http://127.0.0.1:9", "projects": ["default"]}
    (tmp_path / "token").write_text(TOKEN)
    with Agent(tmp_path, sources=[source]) as agent:
        agent.until(lambda: agent.get("/v1/sources")[1]["sources"][0]["state"] == "failing")
        shown = command("status", "--url", f"http://{agent.http}", "--token-file", str(tmp_path / "token"))
        quiet = command("status", "--url", f"http://{agent.http}", "--json")
    assert "warning  this agent asks for no token, so whoever reaches it reads its answers" in shown.stdout
    assert "warning  source px fails: http://127.0.0.1:9/" in shown.stdout
    assert [each[:15] for each in one_object(quiet)["warnings"]] == ["source px fails"]


def test_decisions_are_shown_the_newest_first_and_no_unknown_gate_passes_for_a_quiet_one(agent):
    shown = [int(line.split()[0]) for line in lines(agent, "decisions")[1:]]
    assert shown == sorted(shown, reverse=True)
    assert shown[0] == body(agent, "decisions", "--gate", "fresh")["decisions"][0]["seq"]
    wrong = command("decisions", "--gate", "frehs", "--url", agent.url, "--token-file", str(agent.token))
    assert wrong.returncode == 2
    assert "unknown gate 'frehs'; did you mean 'fresh'?; known: fresh" in wrong.stderr


def test_the_worst_answers_are_those_by_what_the_failing_gate_judges(agent):
    shown = lines(agent, "answers", "--worst", "-n", "3")
    assert shown[0].startswith("the worst by stale_source_use (lower is better)")
    assert shown[1].startswith("times")
    assert all("domain=travel" in line for line in shown[2:])
    found = body(agent, "answers", "--worst", "-n", "3")["answers"]
    assert {each["value"] for each in found} == {1.0}
    said = [(each["answer"]["question"], each["answer"]["answer"]) for each in found]
    assert len(set(said)) == len(said), "each question with the same answer once"
    assert lines(agent, "explain", found[0]["answer"]["id"])[0] == found[0]["answer"]["id"]
    (told,) = lines(agent, "answers", "--worst", "--scope", "domain=leave")
    assert told.startswith("no answer is bad by stale_source_use (lower is better), of all answers")


def test_answers_of_one_slice_are_shown_and_an_unknown_dimension_is_refused(agent):
    found = body(agent, "answers", "--scope", "domain=leave", "-n", "5")["answers"]
    assert [each["slice"]["domain"] for each in found] == ["leave"] * 5
    wrong = command("answers", "--scope", "domian=x", "--url", agent.url, "--token-file", str(agent.token))
    assert "--scope domian: no such slice dimension; did you mean 'domain'?; known: service, domain" in wrong.stderr


def test_an_answer_is_explained_with_its_passages_and_the_evidence_of_its_scores(agent):
    found = body(agent, "answers", "--worst", "-n", "1")["answers"][0]["answer"]["id"]
    text = "\n".join(lines(agent, "explain", found))
    assert "question" in text
    assert "passage   " in text
    assert "TRV-1@3 should have been used" in text


def test_a_decision_is_explained_by_its_number(agent):
    newest = body(agent, "decisions")["decisions"][0]["seq"]
    shown = lines(agent, "explain", str(newest))
    assert f"decision {newest} of fresh" in shown[0]
    assert shown[1].startswith("  why ")
    assert body(agent, "explain", str(newest))["seq"] == newest


def test_what_is_neither_an_answer_nor_a_decision_is_not_explained(agent):
    for name, problem in (("nothing", "404 no answer 'nothing'"), ("999999", "404 no decision 999999")):
        done = command("explain", name, "--url", agent.url, "--token-file", str(agent.token))
        assert done.returncode == 2
        assert problem in done.stderr


def test_a_metric_that_is_misspelt_is_refused_with_the_one_that_was_meant(agent):
    for more in ((), ("--worst",)):
        done = command(
            "answers", "--metric", "stale_sorce_use", *more, "--url", agent.url, "--token-file", str(agent.token)
        )
        assert done.returncode == 2
        assert "did you mean 'stale_source_use'?" in done.stderr


@pytest.mark.slow
def test_new_answers_and_decisions_are_followed_as_they_come(tmp_path):
    with judged(tmp_path) as agent:
        shown = followed(agent)
    assert len(shown) >= 3
    assert any("stale_source_use=0" in line for line in shown[2:])


def followed(agent):
    """The lines of a tail during which one more answer is sent and scored."""
    out, complaints = io.StringIO(), []
    asking = AskedAgent(url=agent.url, token_file=agent.token)

    def newest():
        return next(iter(asking.get("/v1/answers", {"limit": 1})["answers"]), None)

    def rounds():
        agent.post(policy_trace("followed", at=time.time_ns()).SerializeToString())
        agent.until(lambda: (row := newest()) and row["evaluation"] is not None and row["seq"] > 40)
        yield

    assert tail(asking, count=2, as_json=False, screen=Terminal(out), rounds=rounds(), complain=complaints.append) == 0
    assert complaints == []
    return out.getvalue().splitlines()


def test_an_agent_that_goes_away_while_it_is_followed_is_told_once(agent, monkeypatch):
    out, complaints = io.StringIO(), []
    asking = AskedAgent(url=agent.url, token_file=agent.token)

    def rounds():
        monkeypatch.setattr(asking_module(), "ask_agent", unreachable)
        yield from itertools.repeat(None, 3)

    tail(asking, count=1, as_json=True, screen=Terminal(out), rounds=rounds(), complain=complaints.append)
    assert complaints == ["away; asking again"]
    assert json.loads(out.getvalue())["answer"]["seq"]


def asking_module():
    from collector.commands import asking

    return asking


def unreachable(*_, **__):
    raise asking_module().AgentUnreachable("away")


def test_an_agent_that_is_not_there_is_named_with_how_to_start_one():
    for arguments in (("status",), ("decisions",), ("answers",), ("explain", "x"), ("tail",)):
        done = command(*arguments, "--url", "http://127.0.0.1:9")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "groundwire: --url http://127.0.0.1:9: cannot reach the agent: connection refused; start one with "
            "`groundwire run`, or give its address with --url\n"
        )


def test_a_token_that_is_missing_or_wrong_is_asked_for_by_its_key(agent, tmp_path):
    missing = command("decisions", "--url", agent.url)
    assert "401 a bearer token is required; give the file that `http.token_file` of the agent names with" in (
        missing.stderr
    )
    (tmp_path / "other").write_text("other")
    wrong = command("decisions", "--url", agent.url, "--token-file", str(tmp_path / "other"))
    assert "does not hold the token of this agent" in wrong.stderr


def test_address_and_token_may_come_from_the_environment(agent, monkeypatch):
    monkeypatch.setenv("GROUNDWIRE_URL", agent.url)
    monkeypatch.setenv("GROUNDWIRE_TOKEN_FILE", str(agent.token))
    assert command("decisions").returncode == 0


def drawn(width, heads, rows, **options):
    out = io.StringIO()
    Terminal(out, width=width).table(heads, rows, **options)
    return out.getvalue().splitlines()


WHY = ("gate", "state", "why")


def test_a_sentence_is_folded_where_it_does_not_fit_and_says_where_it_is_cut():
    rows = [("g", "fail", "w" * 200), ("日本語", "pass", "in force")]
    below = ["gate    state", "    why", "g       fail", *["    " + "w" * 56] * 2, f"    {'w' * 53}..."]
    assert drawn(60, WHY, rows, states=1) == [*below, "日本語  pass", "    in force"]
    beside = ["gate  state  why", "g     fail   " + "w" * 67, " " * 13 + "w" * 67, " " * 13 + "w" * 66]
    assert drawn(80, WHY, rows[:1], states=1) == beside
    assert drawn(None, WHY, rows[:1]) == ["gate  state  why", "g     fail   " + "w" * 200]


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_nothing_but_a_sentence_is_cut_on_a_narrow_terminal(width):
    heads = ("when", "id", "composite", "slice", "status", "question")
    row = ("2m14s ago", "fcb6bb81b7e9f68e79c7ea924db541d3", "59.8", "service=assistant, domain=hr", "ok", "why " * 90)
    shown = drawn(width, heads, [row], right={2})
    assert max(map(len, shown)) <= width
    assert all(any(cell in line for line in shown) for cell in (*heads, *row[:-1]))
    assert shown[-1].endswith("...")


def test_the_state_of_a_row_has_its_colour_on_whichever_line_it_stands():
    out = io.StringIO()
    heads, row = ("decision", "when", "gate", "slice", "state"), ("17", "2m ago", "freshness", "domain=travel", "fail")
    Terminal(out, width=40, colour=True).table(heads, [row], states=4)
    assert out.getvalue().splitlines()[-1] == "    domain=travel  \x1b[1;31mfail\x1b[0m"


def test_a_note_is_read_in_whole_on_a_narrow_terminal():
    out = io.StringIO()
    text = "traffic  2,163 spans, 721 answers since the start, the last 3m50s ago"
    Terminal(out, width=40).sentence(text)
    lines_ = out.getvalue().splitlines()
    assert max(map(len, lines_)) <= 40
    assert " ".join(line.strip() for line in lines_) == text


def test_states_have_a_colour_only_where_it_is_wanted():
    for colour, shown in ((True, "\x1b[1;31mfail\x1b[0m"), (False, "fail")):
        out = io.StringIO()
        Terminal(out, colour=colour).table(("gate", "state", "why"), [("g", "fail", "w")], states=1)
        assert out.getvalue().splitlines()[1] == f"g     {shown}   w"


@pytest.mark.parametrize(
    ("more", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": ""}, True)]
)
def test_colour_is_for_terminals_that_do_not_refuse_it(more, coloured, monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in more.items():
        monkeypatch.setenv(name, value)
    assert shared.screen().colour is coloured
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert shared.screen() == Terminal(sys.stdout)


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_error(agent):
    script = [sys.executable, "-P", "-m", "collector.cli", "answers", "-n", "40", "--json"]
    started = subprocess.Popen(
        [*script, "--url", agent.url, "--token-file", str(agent.token)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with started.stderr:
        started.stdout.read(10)
        started.stdout.close()
        assert (started.wait(60), started.stderr.read()) == (0, b"")


def test_completion_offers_commands(tmp_path):
    def completed(**more):
        script = [sys.executable, "-P", "-c", "from collector.cli import main; main()"]
        environment = {**os.environ, **more}
        return subprocess.run(
            script, env=environment, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path
        ).stdout

    offered = completed(_GROUNDWIRE_COMPLETE="complete_bash", COMP_WORDS="groundwire de", COMP_CWORD="1")
    assert set(offered.split()) == {"demo", "decisions"}
    for shell, registers in (("bash", "complete -o default"), ("zsh", "compdef"), ("fish", "complete --command")):
        assert registers in completed(_GROUNDWIRE_COMPLETE=f"source_{shell}")


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """What a real bash offers after Tab, by the script that `--show-completion` prints."""
    folder = tmp_path_factory.mktemp("shell")
    (folder / "groundwire").write_text(f'#!/bin/sh\nexec {sys.executable} -P -m collector.cli "$@"\n')
    (folder / "groundwire").chmod(0o755)
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    script = subprocess.run(
        ["groundwire"], env=environment | {"_GROUNDWIRE_COMPLETE": "source_bash"}, capture_output=True, check=True
    ).stdout

    def offered(*words, **more):
        typed = " ".join(shlex.quote(word) for word in words)
        text = script.decode() + (
            f"\nCOMP_WORDS=(groundwire {typed}); COMP_CWORD={len(words)}\n"
            '_groundwire_completion groundwire; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(
            ["bash", "-c", text], env=environment | more, cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.stderr == ""
        return done.stdout.split()

    return offered


@pytest.mark.slow
def test_tab_offers_the_gates_metrics_and_slices_of_the_agent(agent, shell):
    known = {"GROUNDWIRE_URL": agent.url, "GROUNDWIRE_TOKEN_FILE": str(agent.token)}
    gates = {"fresh"}
    assert set(shell("gate", "", **known)) == gates
    assert set(shell("decisions", "--gate", "", **known)) == gates
    assert "claim_support" in shell("answers", "--metric", "claim_s", **known)
    assert "domain=travel" in shell("answers", "--scope", "", **known)
    assert shell("answers", "--scope", "domain", "=", "tr", **known) == ["travel"], "bash takes = for the end of a word"
    assert "travel" in shell("answers", "--scope", "domain", "=", **known)


def test_tab_offers_nothing_where_no_agent_answers_and_says_nothing(shell):
    assert shell("gate", "", GROUNDWIRE_URL="http://127.0.0.1:9") == []


@pytest.mark.slow
def test_tab_offers_what_the_configuration_names(shell, tmp_path):
    file = tmp_path / "groundwire.yaml"
    gate = "{type: threshold, name: fresh, metric: stale_source_use, at_most: 0.1}"
    file.write_text(f"gates: [{gate}]\nnotify: [{{type: webhook, name: team, url: 'http://h/', secret_file: /s}}]\n")
    assert shell("gate", "plan", "--config", str(file), "--gate", "") == ["fresh"]
    assert shell("notify", "test", "--config", str(file), "") == ["team"]
    assert "http.port=8080" in shell("run", "--set", "http.p")
    assert shell("run", "--set", "logs.format", "=", "") == ["auto"]
    assert "claim_support" in shell("score", "--metrics", "claim_s")
    assert shell("score", "--metrics", "latency,claim_su") == ["latency,claim_support"]
    assert shell("boards", "on") == ["on-call"]
    assert shell("change", "dep") == ["deploy"]


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_is_short_and_long(option):
    assert command("answers", option).stdout.startswith("Usage: groundwire answers")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "mine.yaml"), "Give a configuration as --config mine.yaml"),
        (("change", "modell", "--version", "2"), "unknown kind; did you mean 'model'?"),
        (("replay",), "give files of evaluations, or the store of an agent with --data FOLDER"),
        (("gate", "plan"), "give a configuration that has some with --config FILE"),
    ],
)
def test_a_command_that_is_nearly_right_is_answered_with_what_to_write(arguments, said, tmp_path):
    done = command(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_check_says_for_programs_what_is_in_order_and_what_is_not(tmp_path):
    (tmp_path / "good.yaml").write_text("sources: [{type: files, paths: [later.jsonl]}]\n")
    (tmp_path / "bad.yaml").write_text("gates: [{type: treshold, name: a, metric: claim_support}]\n")
    good = command("check", "--config", "good.yaml", "--json", cwd=tmp_path)
    told = json.loads(good.stdout)
    assert (good.returncode, told["ok"], told["problems"]) == (0, True, [])
    assert "no file matches yet" in told["warnings"][0]
    bad = command("check", "--config", "bad.yaml", "--json", cwd=tmp_path)
    assert (bad.returncode, bad.stderr, json.loads(bad.stdout)["ok"]) == (2, "", False)
    assert "did you mean 'threshold'?" in json.loads(bad.stdout)["problems"][0]
    both = command("check", "--json", "--print", cwd=tmp_path)
    assert "not both" in both.stderr


class Told:
    def __init__(self):
        self.said = []

    def update(self, text):
        self.said.append(text)


def test_long_work_tells_how_much_is_done_and_how_long_the_rest_takes():
    told, clock = Told(), itertools.count(0, 10)
    list(Progress(told, monotonic=lambda: next(clock)).over(range(4), "planning", "steps", every=2))
    assert told.said == [
        "planning",
        "planning: 2 of 4 steps, 50 %, about 10s left",
        "planning: 4 of 4 steps, 100 %, about 1s left",
    ]


def test_a_file_is_read_with_the_time_left_by_its_bytes():
    told, clock = Told(), itertools.count(0, 30)
    progress = Progress(told, monotonic=lambda: next(clock))
    list(progress.over(iter("abcd"), "reading", every=2, share=iter([0.25, None]).__next__))
    assert told.said == ["reading", "reading: 2 records, 25 %, about 1m30s left", "reading: 4 records"]


def test_a_failed_decision_becomes_rows_of_a_suite_that_fail_as_they_are(agent, tmp_path):
    keys, rows = tmp_path / "keys", tmp_path / "rows.jsonl"
    keys.write_text("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n")
    failed = next(each for each in body(agent, "decisions")["decisions"] if each["state"] == "fail")
    named = ("--to", str(rows), "--key-file", str(keys))
    asking = ("--url", agent.url, "--token-file", str(agent.token))
    exported = command("incident", "export", str(failed["seq"]), *named, *asking)
    assert exported.stdout.startswith(f"{rows}: 1 row, ")
    assert not exported.stderr, "the decision names each case once"
    found = [json.loads(line) for line in rows.read_text().splitlines()]
    assert {row["expect"]["at_most"]["stale_source_use"] for row in found} == {0.5}
    assert not any({"trace_id", "session_id", "user_id"} & row.keys() for row in found)
    verified = command("incident", "verify", str(rows), "--key-file", str(keys))
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "1 of 1 row" in verified.stdout
    unknown = command("incident", "export", "9999", *named[:1], str(tmp_path / "none"), *named[2:], "--url", agent.url)
    assert unknown.returncode == 2


@pytest.mark.slow
def test_another_retriever_is_judged_by_the_answers_that_the_agent_keeps(agent, tmp_path, monkeypatch):
    (tmp_path / "empty_index.py").write_text("def search(query):\n    return []\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "next.yaml"
    file.write_text("retriever: {type: python, entry: 'empty_index:search'}\n")
    taken = ("--agent", agent.url, "--token-file", str(agent.token), "--scope", "domain=travel")
    done = command("retrieval", "compare", str(file), *taken, "--workers", "1", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["verdict"], told["answers"], told["changed"]) == (1, "fail", 20, 20)
    assert {each["doc_id"] for each in told["documents"]}
    done = command("retrieval", "compare", str(file), *taken, "--sample", "5", "--workers", "1", "--json")
    assert json.loads(done.stdout)["answers"] == 5


def test_an_agent_whose_answers_log_no_similarity_is_told_so(agent):
    done = command("threshold", "replay", "--agent", agent.url, "--token-file", str(agent.token))
    assert done.returncode == 2
    assert "scores from retrieval: a passage without a retrieval score " in done.stderr


def test_an_agent_that_takes_too_long_is_not_called_unreachable():
    with socket.create_server(("127.0.0.1", 0)) as busy:
        url = f"http://127.0.0.1:{busy.getsockname()[1]}"
        with pytest.raises(AgentUnreachable, match=r"/v1/gates: no answer within 0\.05 s; try again"):
            ask_agent(url, "/v1/gates", token_file=None, seconds=0.05)
