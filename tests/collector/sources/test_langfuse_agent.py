"""A real agent reads real traces from a Langfuse server, is killed again and again, and has each answer once."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.peers import require_module

require_module("langfuse", "pip install 'groundwire[langfuse]'")

from adapters.detect import AdaptOptions, adapt_trace
from adapters.schema import Answer
from adapters.trace import Span
from adapters.wire.otlp import decode_traces, group
from tests.adapters.exports.test_langfuse import observed
from tests.agent import Agent
from tests.collector.sources.langfuse_server import PUBLIC, SECRET, LangfuseServer, told

GOLDEN = Path(__file__).parents[2] / "golden" / "traces"
NAMES = ["basic", "by-hand", "model-fails", "openai", "langchain", "langchain-agent"]
MS = 1_000_000
SAME = ("question", "answer", "status", "error", "passages", "context", "model", "llm_calls", "tool_calls", "flags")
SAME += ("session_id", "user_id", "service", "release", "environment", "stages", "queries", "versions")


def recorded(copy: int, *, at: int) -> list[Span]:
    """The recorded traces, with ids of their own, as if they had begun at ``at``."""
    found = []
    for name in NAMES:
        spans = decode_traces((GOLDEN / f"langfuse-{name}.otlp.pb").read_bytes()).spans
        moved = at - min(span.start_ns for span in spans)
        for span in spans:
            trace_id = f"{copy:04x}{span.trace_id[4:]}"
            found.append(replace(span, trace_id=trace_id, start_ns=span.start_ns + moved, end_ns=span.end_ns + moved))
    return found


def shown(answer: Answer) -> dict[str, Any]:
    given = answer.model_dump(mode="json")
    return {name: given[name] for name in SAME}


@pytest.mark.slow
@pytest.mark.parametrize("has_v2", [True, False], ids=["v2", "legacy"])
def test_killed_again_and_again_the_agent_has_each_answer_once(tmp_path: Path, *, has_v2: bool) -> None:
    server = LangfuseServer(now=2**62, v2=has_v2)
    began = time.time_ns()
    spans: list[Span] = []

    def come(copy: int) -> None:
        fresh = recorded(copy, at=began - 90_000 * MS + copy * 9_000 * MS)
        spans.extend(fresh)
        server.ingest(*map(observed, fresh))

    server.before = lambda _path, number: told(500, {"message": "oops"}) if number % 23 == 11 else None
    with server.serving("/langfuse") as url:
        source = {
            "type": "langfuse",
            "url": url,
            "public_key": PUBLIC,
            "secret_key": SECRET,
            "poll": "200ms",
            "lag": "1s",
            "legacy_lag": "1s",
            "window": "5s",
            "since": "10m",
            "page": 7,
        }
        for copy in range(5):
            come(copy)
        agent = Agent(tmp_path, sources=[source])
        for kill in (9, 25):
            agent.start()
            agent.until(lambda enough=kill: len(server.requests) >= enough)
            agent.kill()
        expected = {answer.id: shown(answer) for trace in group(spans) for answer in adapt_trace(trace, AdaptOptions())}
        with agent:
            agent.until(lambda: len(agent.get("/v1/answers?limit=1000")[1]["answers"]) >= len(expected))
            (status,) = agent.get("/v1/sources")[1]["sources"]
            found = [entry["answer"] for entry in agent.get("/v1/answers?limit=1000")[1]["answers"]]
    assert status["name"] == "langfuse"
    assert len(found) == len(expected)
    given = {answer["id"]: shown(Answer.model_validate(answer)) for answer in found}
    assert given == expected
