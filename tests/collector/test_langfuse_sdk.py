"""The real Langfuse SDK, pointed at a real agent."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent import Agent
from tests.peers import require_module

require_module("langfuse", "pip install 'groundwire[langfuse]'")
require_module("langchain_core", "pip install 'groundwire[langchain]'")

APP = Path(__file__).with_name("langfuse_app.py")
QUESTION = "What is the hotel limit per night?"
PASSAGE = "The hotel limit for domestic travel is 180 EUR per night."
ANSWER = "The hotel limit is 180 EUR per night [1]."


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    keys = {"public_key": "pk-lf-1", "secret_key": "sk-lf-1"}
    with Agent(tmp_path_factory.mktemp("guarded"), receive={"otlp_http": {"langfuse": keys}}) as agent:
        yield agent


@pytest.fixture(scope="module")
def unguarded(tmp_path_factory):
    with Agent(tmp_path_factory.mktemp("open")) as agent:
        yield agent


def run(agent, mode, secret="sk-lf-1", **environment):
    """Run the application to its end; return what it printed and what its SDK logged."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("LANGFUSE", "OTEL"))}
    result = subprocess.run(
        [sys.executable, APP, mode],
        env=inherited
        | {
            "LANGFUSE_BASE_URL": f"http://{agent.otlp_http}",
            "LANGFUSE_PUBLIC_KEY": "pk-lf-1",
            "LANGFUSE_SECRET_KEY": secret,
            "OTEL_SERVICE_NAME": mode,
            "NO_PROXY": "*",
        }
        | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return json.loads(result.stdout), result.stderr


def answer_of(agent, service):
    """Wait for the one answer of a service."""

    def arrived():
        status, body = agent.get(f"/v1/answers?service={service}")
        assert status == 200
        return body["answers"]

    (found,) = agent.until(arrived)
    return found["answer"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["observe", "langchain"])
@pytest.mark.parametrize("compression", ["gzip", "none"])
def test_what_the_sdk_traces_becomes_an_answer(guarded, mode, compression):
    service = f"{mode}-{compression}"
    said, log = run(guarded, mode, OTEL_SERVICE_NAME=service, LANGFUSE_OTEL_COMPRESSION=compression)
    assert said["answer"] == ANSWER
    assert "ERROR" not in log
    found = answer_of(guarded, service)
    assert (found["source"], found["question"], found["answer"]) == ("langfuse", QUESTION, ANSWER)
    assert [passage["text"] for passage in found["passages"]] == [PASSAGE]


@pytest.mark.slow
def test_a_listener_without_token_and_keys_takes_any(unguarded):
    said, log = run(unguarded, "observe", secret="anything")
    assert said["answer"] == ANSWER
    assert "ERROR" not in log
    assert answer_of(unguarded, "observe")["source"] == "langfuse"


@pytest.mark.slow
def test_wrong_keys_are_told_and_the_application_lives(guarded):
    before = guarded.get("/metrics")[1]
    said, log = run(guarded, "observe", secret="sk-lf-2")
    assert said["answer"] == ANSWER
    assert "401" in log or "Unauthorized" in log
    refused = 'groundwire_receive_requests_total{code="401",protocol="http/protobuf"}'
    assert refused not in before
    assert f"{refused} 1.0" in guarded.get("/metrics")[1]
    said, _ = run(guarded, "beside", secret="sk-lf-2")
    assert said["auth_check"] == "UnauthorizedError"


def test_what_the_sdk_asks_beside_does_not_break_the_application(guarded):
    said, _ = run(guarded, "beside")
    assert said["auth_check"] is True
    assert f"http://{guarded.otlp_http}/project/groundwire/traces/" in said["url"]
    assert said["prompt"] == "the fallback"
