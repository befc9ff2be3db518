"""The exit code of `groundwire gate` is a verdict: whatever goes wrong must never look like one."""

import json
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from xml.etree import ElementTree as ET

import pytest

from collector.commands import gate
from collector.commands.gate import GateQuestion, ask
from collector.errors import ConfigError

PART = {"slice": {"domain": "travel"}, "state": "fail", "reason": "too stale", "n": 40}
VERDICT = {"gate": "fresh", "state": "fail", "reason": "1 of 1 slices fail", "slices": [PART]}
COMMAND = [sys.executable, "-P", "-m", "collector.cli", "gate", "fresh"]


@contextmanager
def serving(body, status=200, **headers):
    """An HTTP server that answers everything with ``body``; gives its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers.get("Authorization"))
            (self.send_response_only if "Date" in headers else self.send_response)(status)
            self.send_header("Content-Length", str(len(body)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Stay quiet."""

    seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.seen = seen
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def playing(answers):
    """An HTTP server that gives these (status, body) in turn, and hangs up for a ``None``; gives its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            playing.asked.append(self.path)
            answer = next(left)
            if answer is None:
                return
            body = json.dumps(answer[1]).encode()
            self.send_response(answer[0])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Stay quiet."""

    left, playing.asked = iter(answers), []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def babbling(reply):
    """A port that answers every connection with ``reply`` and closes it; gives its URL."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(reply)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def asked(url, **options):
    out = StringIO()
    code = ask("fresh", GateQuestion(url=url, **options), out=out, err=StringIO())
    return code, out.getvalue()


def refused(url, **options):
    with pytest.raises(ConfigError) as caught:
        asked(url, **options)
    (problem,) = caught.value.problems
    assert problem.isprintable()
    return problem


@pytest.mark.parametrize(("state", "code"), [("pass", 0), ("fail", 1), ("inconclusive", 3)])
def test_a_verdict_is_printed_and_is_the_exit_code(state, code):
    with serving(json.dumps(VERDICT | {"state": state}).encode()) as url:
        assert asked(url) == (
            code,
            f"fresh: {state} (1 of 1 slices fail)\n  domain=travel: fail (too stale; 40 answers)\n",
        )
        assert json.loads(asked(url, as_json=True)[1]) == VERDICT | {"state": state}


@pytest.mark.parametrize(
    "body",
    [
        b'{"state": "pass"}',
        b'{"state": ["x"]}',
        b'{"state": {}}',
        b"null",
        b"[]",
        b"",
        b"\xff",
        b"[" * 100_000,
        b"9" * 5000,
        json.dumps(VERDICT | {"state": "Pass"}).encode(),
        json.dumps(VERDICT | {"slices": [{}]}).encode(),
        json.dumps(VERDICT | {"slices": {"a": 1}}).encode(),
        json.dumps(VERDICT | {"reason": None}).encode(),
    ],
    ids=lambda body: repr(body[:24]),
)
def test_a_body_that_is_no_verdict_is_an_error_not_a_verdict(body):
    with serving(body) as url:
        assert url in refused(url)


@pytest.mark.slow
@pytest.mark.parametrize("reply", [b"SSH-2.0-OpenSSH_9.6\r\n", b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"])
def test_a_port_that_does_not_speak_http_is_an_error_not_a_verdict(reply):
    with babbling(reply) as url:
        assert "cannot reach the agent" in refused(url)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:abc", "http://a b/", "http://[", "http://\udcff", "http://", "ftp://x"]
)
def test_a_url_that_is_none_is_an_error_not_a_verdict(url):
    with pytest.raises(ConfigError, match="--url"):
        asked(url)


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        (b'{"error": "no gate\\n\\u001b[2J"}', "404 no gate \\x1b[2J"),
        (b"[", "404 Not Found; the response does not come from a Groundwire agent: give its address with --url"),
    ],
)
def test_what_the_server_says_is_repeated_on_one_line(detail, said):
    with serving(detail, status=404) as url:
        assert said in refused(url)


def test_text_from_traffic_cannot_write_to_the_terminal():
    part = PART | {"slice": {"domain": "\x1b[2Jtravel\n" + "x" * 1000}}
    with serving(json.dumps(VERDICT | {"slices": [part]}).encode()) as url:
        _, text = asked(url)
    assert "\x1b" not in text
    assert [len(line) < 400 for line in text.splitlines()] == [True, True]


def test_the_token_is_sent_and_never_shown(tmp_path):
    file = tmp_path / "token"
    file.write_text("s3cret\n")
    with serving(json.dumps(VERDICT).encode()) as url:
        assert asked(url, token_file=file)[0] == 1
    for content in (b"\xff\xfe", b"s3cret\nX: y", "s3cret\u0142".encode()):
        file.write_bytes(content)
        problem = refused("http://127.0.0.1:9", token_file=file)
        assert str(file) in problem
        assert "s3cret" not in problem
    assert str(tmp_path / "none") in refused("http://127.0.0.1:9", token_file=tmp_path / "none")


@pytest.fixture
def slept(monkeypatch):
    """Time that passes only by sleeping; the lengths slept."""
    now, lengths = [0.0], []
    monkeypatch.setattr(gate.time, "monotonic", lambda: now[0])

    def sleep(seconds):
        lengths.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(gate.time, "sleep", sleep)
    return lengths


def test_an_inconclusive_verdict_is_asked_for_again_within_the_wait_ever_more_slowly(slept):
    with serving(json.dumps(VERDICT | {"state": "inconclusive"}).encode()) as url:
        assert asked(url, wait="5s")[0] == 3
        assert slept == [2.0, 3.0]
        slept.clear()
        assert asked(url, wait="10m")[0] == 3
    assert sum(slept) == pytest.approx(600)
    assert max(slept) == 30.0


def test_the_pace_of_the_agent_is_kept_as_long_as_it_is_one(slept):
    for pace, first in (("45", 45.0), ("999999", 60.0), ("soon", 2.0), ("9" * 400, 2.0), ("-1", 2.0)):
        with serving(json.dumps(VERDICT | {"state": "inconclusive"}).encode(), **{"Retry-After": pace}) as url:
            assert asked(url, wait="10m")[0] == 3
        assert slept[0] == first
        slept.clear()


class Terminal(StringIO):
    """A terminal that remembers everything that was written to it."""

    def isatty(self):
        return True


@pytest.mark.usefixtures("slept")
def test_what_is_waited_for_is_shown_on_a_terminal_and_nothing_in_a_pipe(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    shown = []
    monkeypatch.setattr(gate.Progress, "tell", lambda _, text: shown.append(text))
    hostile = (200, VERDICT | {"state": "inconclusive", "reason": "[red]\x1b[2J 40 more answers"})
    with playing([hostile, AWAY, PASS] * 2) as url:
        for err in (Terminal(), StringIO()):
            code = ask("fresh", GateQuestion(url=url, wait="30m"), out=StringIO(), err=err)
            assert code == 0
    assert err.getvalue() == ""
    assert shown[0] == "fresh: no verdict yet, 30m left; [red]\\x1b[2J 40 more answers"
    assert "503 starting" in shown[1]


OK = (200, VERDICT | {"state": "inconclusive"})
PASS = (200, VERDICT | {"state": "pass"})
AWAY = (503, {"error": "starting"})


def test_a_short_outage_does_not_end_the_wait(slept):
    with playing([OK, AWAY, AWAY, None, OK, (502, {}), PASS]) as url:
        assert asked(url, wait="30m")[0] == 0
    assert len(slept) == 6


def test_a_long_outage_ends_the_wait_as_no_verdict(slept):
    with playing([OK, *[AWAY] * 500]) as url:
        assert "503 starting" in refused(url, wait="2h")
    assert 300 <= sum(slept) <= 340
    slept.clear()
    with playing([AWAY] * 500) as url:
        assert "503 starting" in refused(url, wait="1m")
    assert sum(slept) == pytest.approx(60)


def test_what_will_not_change_ends_the_wait_at_once(slept):
    for refusal in ((401, {"error": "a token"}), (404, {"error": "no gate"}), (400, {"error": "bad"}), (200, {})):
        with playing([refusal] * 3) as url:
            refused(url, wait="30m")
        assert slept == []
    for url in ("http://[", "ftp://x"):
        refused(url, wait="30m")
    assert slept == []


def test_without_a_wait_an_agent_that_is_away_is_told_at_once(slept):
    with playing([AWAY, PASS]) as url:
        assert "503" in refused(url)
    assert slept == []


def test_the_release_is_asked_for_and_a_verdict_over_another_is_never_taken():
    with serving(json.dumps(VERDICT | {"state": "pass", "candidate": "2.1+b", "baseline": "2.0"}).encode()) as url:
        assert asked(url, release="2.1+b", baseline="2.0", scope=["service=a b"]) == (
            0,
            "fresh: pass over 2.1+b (1 of 1 slices fail)\n  domain=travel: fail (too stale; 40 answers)\n",
        )
        assert "--release 2.2: the agent returned a verdict over '2.1+b'" in refused(url, release="2.2")
        assert "--baseline 1.9" in refused(url, release="2.1+b", baseline="1.9")
        assert "expected DIMENSION=VALUE" in refused(url, scope=["service"])
    with serving(json.dumps(VERDICT | {"state": "pass"}).encode()) as url:
        assert "over None" in refused(url, release="2.1")


def test_the_question_is_sent_as_it_was_given():
    with playing([PASS] * 2) as url:
        refused(url, release="2.1+b&x=1", scope=["service=a b"])
        asked(url)
        assert playing.asked == ["/v1/gates/fresh?service=a+b&candidate=2.1%2Bb%26x%3D1", "/v1/gates/fresh"]


@pytest.mark.parametrize(("hours", "said"), [(1, "1h ahead of"), (-1, "1h behind"), (0, "")])
def test_clocks_that_differ_are_told_of(hours, said):
    date = formatdate(time.time() + 3600 * hours + 0.5, usegmt=True)
    err = StringIO()
    with serving(json.dumps(VERDICT).encode(), Date=date) as url:
        assert ask("fresh", GateQuestion(url=url), out=StringIO(), err=err) == 1
    told = err.getvalue()
    assert (said in told and "the clock of the agent is" in told) if said else told == ""


def test_junit_has_a_test_for_the_gate_and_for_each_slice_and_survives_hostile_text(tmp_path):
    file = tmp_path / "gate.xml"
    evil = "</failure>]]><x a=\"'&\x00\x1b[2J\ud800\ufffe"
    parts = [
        PART | {"slice": {"domain": evil}, "reason": evil},
        PART | {"slice": {"domain": evil}, "state": "pass"},
        PART | {"slice": {}, "state": "inconclusive", "reason": "too few"},
    ]
    with serving(json.dumps(VERDICT | {"slices": parts}).encode()) as url:
        assert asked(url, junit=file)[0] == 1
    (suite,) = ET.parse(file).getroot()
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "2", "errors": "0", "skipped": "1"}
    cases = list(suite)
    assert [case[0].tag for case in cases] == ["failure", "failure", "system-out", "skipped"]
    names = [case.get("name") for case in cases]
    assert (len(set(names)), names[0], names[3]) == (4, "gate", "all traffic")
    assert cases[0][0].text == "1 of 1 slices fail"
    assert cases[1][0].text.startswith("</failure>]]><x a=\"'&")
    assert cases[3][0].text == "too few; 40 answers"


def test_the_summary_is_appended_and_hostile_text_stays_text(tmp_path):
    file = tmp_path / "summary.md"
    file.write_text("# before\n")
    evil = "a|b\n# x <img src=x> [l](http://e.x) `c` **b** @team www.e.x \\"
    part = PART | {"slice": {"domain": evil}, "reason": evil, "estimate": 0.5, "lower": 0.25, "upper": 0.75}
    with serving(json.dumps(VERDICT | {"slices": [part], "reason": evil, "candidate": evil}).encode()) as url:
        assert asked(url, markdown=file)[0] == 1
    lines = file.read_text().splitlines()
    assert lines[0] == "# before"
    assert lines[1].startswith("### Gate fresh: **FAIL** over a&#124;b &#35; x &#60;img src=x&#62;")
    row = lines[-2]
    assert row.count("|") == 6
    assert "| 40 | 0.5 (0.25 to 0.75) |" in row
    left = row.replace("**FAIL**", "")
    assert not any(mark in left for mark in ("<", "[", "](", "`", "*", "@", "://", "www.", "\\"))


def test_what_waits_to_be_scored_is_told_in_text_and_in_reports(tmp_path):
    junit, markdown = tmp_path / "gate.xml", tmp_path / "summary.md"
    waiting = {"evidence_until": "2026-01-01T12:00:30.25Z", "pending": 4812}
    with serving(json.dumps(VERDICT | waiting).encode()) as url:
        _, text = asked(url, junit=junit, markdown=markdown)
    said = "evidence until 2026-01-01 12:00:30 UTC, 4,812 waiting to be scored"
    assert text.splitlines()[1] == f"  {said}"
    assert said in ET.parse(junit).getroot()[0][0][0].text
    assert "4,812 waiting to be scored" in markdown.read_text()
    with serving(json.dumps(VERDICT | waiting | {"pending": 0}).encode()) as url:
        assert "waiting" not in asked(url)[1]


def test_a_summary_of_very_many_slices_stays_small(tmp_path):
    file = tmp_path / "summary.md"
    parts = [PART | {"slice": {"domain": f"d{n}"}, "reason": "|" * 290} for n in range(2000)]
    with serving(json.dumps(VERDICT | {"slices": parts}).encode()) as url:
        assert asked(url, markdown=file)[0] == 1
    text = file.read_text()
    assert len(text.encode()) < 300_000
    assert " more slices" in text


def test_reports_tell_too_when_there_is_no_verdict(tmp_path):
    junit, summary = tmp_path / "gate.xml", tmp_path / "summary.md"
    with serving(b'{"error": "no gate <fresh>"}', status=404) as url:
        refused(url, junit=junit, markdown=summary)
    (suite,) = ET.parse(junit).getroot()
    assert (suite.get("errors"), suite[0][0].tag) == ("1", "error")
    assert "404 no gate <fresh>" in suite[0][0].text
    assert "### Gate fresh: no verdict" in summary.read_text()
    assert "no gate &#60;fresh&#62;" in summary.read_text()


@pytest.mark.parametrize("option", ["junit", "markdown"])
def test_a_report_that_cannot_be_written_is_told_before_anybody_waits(tmp_path, option, slept):
    with playing([PASS]) as url:
        problem = refused(url, wait="30m", **{option: tmp_path / "none" / "file"})
        assert playing.asked == []
    assert "cannot be written" in problem
    assert slept == []


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_pipe_that_nobody_reads_is_exit_code_2(options):
    with serving(json.dumps(VERDICT | {"state": "pass"}).encode()) as url:
        process = subprocess.Popen(
            [*COMMAND, "--url", url, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        process.stdout.close()
        with process.stderr:
            problem = process.stderr.read()
        assert process.wait(60) == 2
    assert problem.splitlines() == ["groundwire: cannot print the verdict: Broken pipe"]


def test_a_crash_is_exit_code_2_and_one_line():
    crash = "import collector.commands.gate as gate\ndef ask(*_, **__): raise KeyError('x')\ngate.ask = ask\n"
    program = crash + "from collector.cli import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, "gate", "fresh"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (2, "groundwire: KeyError: 'x'\n")


def test_the_exit_code_holds_where_nobody_reads_the_error_either():
    process = subprocess.Popen([*COMMAND, "--url", "http://["], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stderr.close()
    process.stdout.close()
    assert process.wait(60) == 2


def test_a_redirect_is_not_followed_and_takes_no_token_along(tmp_path):
    token = tmp_path / "token"
    token.write_text("s3cret")
    verdict = json.dumps(VERDICT).encode()
    with (
        serving(verdict) as elsewhere,
        serving(b"", 302, Location=f"{elsewhere}/v1/gates/fresh") as url,
        pytest.raises(ConfigError, match="302"),
    ):
        asked(url, token_file=token)
