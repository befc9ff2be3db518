"""The exit code of `groundwire gate` is a verdict: whatever goes wrong must never look like one."""

import json
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO

import pytest

from collector.commands import gate
from collector.commands.gate import ask
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
            self.send_response(status)
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
    code = ask("fresh", **({"url": url, "token_file": None, "wait": None, "as_json": False, "out": out} | options))
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


@pytest.mark.parametrize("reply", [b"SSH-2.0-OpenSSH_9.6\r\n", b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"])
def test_a_port_that_does_not_speak_http_is_an_error_not_a_verdict(reply):
    with babbling(reply) as url:
        assert "could not be asked" in refused(url)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:abc", "http://a b/", "http://[", "http://\udcff", "http://", "ftp://x"]
)
def test_a_url_that_is_none_is_an_error_not_a_verdict(url):
    with pytest.raises(ConfigError, match="--url"):
        asked(url)


@pytest.mark.parametrize(
    ("detail", "said"), [(b'{"error": "no gate\\n\\u001b[2J"}', "404 no gate  [2J"), (b"[", "404")]
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


def test_an_inconclusive_verdict_is_asked_for_again_within_the_wait(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(gate.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(gate.time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    with serving(json.dumps(VERDICT | {"state": "inconclusive"}).encode()) as url:
        assert asked(url, wait="5s")[0] == 3
    assert now[0] == 5.0


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
    assert problem.splitlines() == ["groundwire: the verdict could not be printed: Broken pipe"]


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
        ask("fresh", url=url, token_file=token, wait=None, as_json=False, out=StringIO())
