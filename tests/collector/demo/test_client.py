from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from collector.demo.client import AgentError, Client

VERDICT = {
    "gate": "g",
    "state": "fail",
    "reason": "1 of 2 slices fail",
    "slices": [
        {"slice": {"domain": "travel"}, "state": "fail", "n": 20, "estimate": 0.6, "lower": 0.4, "upper": 0.8},
        {"slice": {"domain": "leave"}, "state": "pass", "n": 22, "estimate": 0.0, "lower": 0.0, "upper": 0.1},
    ],
}


class Canned:
    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.asked: list[str] = []

    def on(self, path: str, body: Any, *, status: int = 200) -> None:
        self.answers[path] = (status, body if isinstance(body, bytes) else json.dumps(body).encode())


@pytest.fixture
def canned() -> Iterator[tuple[Canned, Client]]:
    canned = Canned()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            canned.asked.append(self.path)
            status, body = canned.answers.get(self.path.partition("?")[0], (404, b"no such path"))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Stay quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield canned, Client(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()


def test_a_verdict_is_read_with_its_slices_by_name(canned: tuple[Canned, Client]) -> None:
    agent, client = canned
    agent.on("/v1/gates/g", VERDICT)
    view = client.gate("g")
    assert (view.state, view.states(), view.answers) == ("fail", {"leave": "pass", "travel": "fail"}, 42)


def test_an_offender_names_what_it_used_and_what_governed(canned: tuple[Canned, Client]) -> None:
    agent, client = canned
    evidence = [
        {"kind": "passage", "detail": "rests on T@2", "passage_id": "T@2", "doc_id": "T", "version": "2", "start": 0},
        {"kind": "document", "detail": "T@3 should have been used", "doc_id": "T", "version": "3"},
    ]
    row = {
        "answer": {"id": "a", "trace_id": "ab", "question": "q?", "answer": "150 EUR [1]."},
        "evaluation": {
            "scores": [{"metric": "latency", "value": 1.0}, {"metric": "stale", "value": 1.0, "evidence": evidence}]
        },
    }
    agent.on("/v1/answers", {"answers": [row]})
    (offender,) = client.offenders("stale", domain="travel", limit=5)
    assert (offender.used, offender.should_have_used) == ("T version 2", "T version 3")
    assert agent.asked == ["/v1/answers?limit=5&metric=stale&min_value=1&domain=travel"]


@pytest.mark.parametrize("rows", [{}, {"answers": [{}]}, {"answers": [{"answer": {}, "evaluation": {"scores": []}}]}])
def test_what_is_no_list_of_answers_is_an_error(canned: tuple[Canned, Client], rows: Any) -> None:
    agent, client = canned
    agent.on("/v1/answers", rows)
    with pytest.raises(AgentError, match="/v1/answers"):
        client.offenders("stale", domain="travel", limit=5)


def test_only_200_is_ready(canned: tuple[Canned, Client]) -> None:
    agent, client = canned
    assert not client.ready()
    agent.on("/readyz", {}, status=503)
    assert not client.ready()
    agent.on("/readyz", {})
    assert client.ready()


def test_nobody_listening_is_not_ready_and_an_error_when_read() -> None:
    client = Client("http://127.0.0.1:9")
    assert not client.ready()
    with pytest.raises(AgentError, match="GET /v1/gates/g"):
        client.gate("g")


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b'{"state": "pass"}', b'{"state": "pass", "reason": "", "slices": [1]}']
)
def test_what_is_no_verdict_is_an_error_that_names_the_path(canned: tuple[Canned, Client], body: bytes) -> None:
    agent, client = canned
    agent.on("/v1/gates/g", body)
    with pytest.raises(AgentError, match="/v1/gates/g"):
        client.gate("g")


def test_an_error_of_the_agent_is_passed_on_with_its_text(canned: tuple[Canned, Client]) -> None:
    agent, client = canned
    agent.on("/v1/gates/g", b'{"error": "no gate"}', status=404)
    with pytest.raises(AgentError, match=r"404.*no gate"):
        client.gate("g")
