"""Langfuse's paths, as any HTTP client sees them; the SDK itself is in tests/collector/test_langfuse_sdk.py."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Callable

import httpx
import pytest
from google.rpc.status_pb2 import Status

from collector.errors import ConfigError
from collector.receivers.guard import basic, bearer
from collector.receivers.settings import LangfuseKeys, OtlpHttp
from tests.collector.receivers.conftest import Agent
from tests.collector.receivers.requests import make_logs, make_request

TRACES, LOGS = "/api/public/otel/v1/traces", "/api/public/otel/v1/logs"
PROTOBUF = {"content-type": "application/x-protobuf"}
PAIR = ("pk-lf-1", "sk-lf-ü")


def showing(public: str, secret: str) -> dict[str, str]:
    return {"authorization": "Basic " + base64.b64encode(f"{public}:{secret}".encode()).decode()}


def send(agent: Agent, path: str = TRACES, headers: dict[str, str] | None = None) -> httpx.Response:
    body = gzip.compress((make_logs() if path == LOGS else make_request()).SerializeToString())
    headers = PROTOBUF | {"content-encoding": "gzip"} | (headers or {})
    return httpx.post(f"{agent.base}{path}", content=body, headers=headers)


@pytest.mark.parametrize("path", [TRACES, LOGS])
def test_the_right_keys_are_admitted_and_answered_as_otlp(start: Callable[..., Agent], path: str) -> None:
    agent = start(keys=PAIR)
    response = send(agent, path, showing(*PAIR))
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-type"] == "application/x-protobuf"
    assert agent.store.totals().accepted == (1 if path == LOGS else 3)


WRONG = [
    {},
    showing("pk-lf-1", "sk-lf-2"),
    showing("pk-lf-2", "sk-lf-ü"),
    showing("", ""),
    {"authorization": "Bearer sk-lf-1"},
    {"authorization": "Basic"},
    {"authorization": "Basic !!!"},
    {"authorization": base64.b64encode(":".join(PAIR).encode()).decode()},
]


@pytest.mark.parametrize("shown", WRONG)
def test_wrong_keys_are_refused_in_the_form_the_path_speaks(start: Callable[..., Agent], shown: dict[str, str]) -> None:
    agent = start(keys=PAIR)
    refused = send(agent, TRACES, shown)
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, 'Basic realm="groundwire"')
    assert "receive.otlp_http.langfuse" in Status.FromString(refused.content).message
    asked = httpx.get(f"{agent.base}/api/public/projects", headers=shown)
    assert (asked.status_code, asked.headers["www-authenticate"]) == (401, 'Basic realm="groundwire"')
    assert "receive.otlp_http.langfuse" in asked.json()["message"]
    assert agent.store.totals().accepted == 0


def test_without_keys_a_listener_without_token_admits_any(agent: Agent) -> None:
    assert [send(agent, TRACES, shown).status_code for shown in ({}, showing("a", "b"))] == [200, 200]


@pytest.mark.parametrize("shown", [{}, showing("a", "b"), {"authorization": "Bearer s3cret"}])
def test_without_keys_a_listener_with_token_admits_none_and_says_what_to_set(
    start: Callable[..., Agent], shown: dict[str, str]
) -> None:
    refused = send(start(token="s3cret"), TRACES, shown)
    assert refused.status_code == 401
    message = Status.FromString(refused.content).message
    assert "set receive.otlp_http.langfuse.public_key and secret_key" in message


def test_each_secret_opens_its_own_paths_only(start: Callable[..., Agent]) -> None:
    agent = start(token="s3cret", keys=PAIR)
    token = {"authorization": "Bearer s3cret"}
    assert send(agent, TRACES, showing(*PAIR)).status_code == 200
    assert send(agent, "/v1/traces", token).status_code == 200
    assert send(agent, TRACES, token).status_code == 401
    assert send(agent, "/v1/traces", showing(*PAIR)).status_code == 401


def test_keys_without_a_token_leave_the_other_paths_open(start: Callable[..., Agent]) -> None:
    agent = start(keys=PAIR)
    assert send(agent, "/v1/traces").status_code == 200
    assert send(agent, TRACES).status_code == 401


def test_the_project_is_told_to_whoever_has_the_keys(start: Callable[..., Agent]) -> None:
    agent = start(keys=PAIR)
    response = httpx.get(f"{agent.base}/api/public/projects", headers=showing(*PAIR))
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    [project] = response.json()["data"]
    assert project["organization"]["name"] == project["name"] == "groundwire"
    refused = httpx.post(f"{agent.base}/api/public/projects", headers=showing(*PAIR))
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET")


def test_health_is_told_to_everyone(start: Callable[..., Agent]) -> None:
    response = httpx.get(f"{start(keys=PAIR).base}/api/public/health")
    assert (response.status_code, response.json()["status"]) == (200, "OK")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/public/scores"),
        ("POST", "/api/public/ingestion"),
        ("POST", "/api/public/media"),
        ("GET", "/api/public/v2/prompts/hello"),
        ("GET", "/api/public/otel/v1/traces/more"),
        ("GET", "/api/public/"),
    ],
)
def test_what_is_not_served_says_so_at_once_and_in_json(agent: Agent, method: str, path: str) -> None:
    response = httpx.request(method, f"{agent.base}{path}", content=b"x" * 100_000 if method == "POST" else b"")
    assert (response.status_code, response.headers["content-type"]) == (404, "application/json")
    assert response.json()["message"] == f"{method} {path} is not supported; only Langfuse's traces are received"
    assert agent.reports.requests == []


@pytest.mark.parametrize("method", ["GET", "PUT", "HEAD"])
def test_other_methods_are_not_allowed_on_the_otlp_path(agent: Agent, method: str) -> None:
    assert httpx.request(method, f"{agent.base}{TRACES}").status_code == 405


def test_the_scheme_of_a_header_may_be_written_in_small_letters() -> None:
    assert bearer("s").admits("bearer s")
    assert basic(("pk", "sk"), token=None).admits(b"BASIC cGs6c2s=")
    assert not bearer("s").admits("bearers")
    assert not basic(("pk", "sk"), token=None).admits("basic CGS6C2S=")


def test_a_guard_compares_bytes_whatever_is_shown() -> None:
    for shown in ("", "Bearer é", "Basic \udcff".encode("utf-8", "surrogateescape"), b"\x00", "x" * 10_000):
        assert not bearer("s3cret").admits(shown)
        assert not basic(PAIR, token=None).admits(shown)
        assert bearer(None).admits(shown)


def problems(**options: object) -> list[str]:
    return list(OtlpHttp.model_validate(options).problems("receive.otlp_http"))


def test_keys_do_not_open_a_listener_to_the_world() -> None:
    keys = {"public_key": "pk", "secret_key": "sk"}
    [problem] = problems(host="0.0.0.0", langfuse=keys)
    assert "receive.otlp_http.host: 0.0.0.0 is reachable from outside" in problem
    assert problems(host="0.0.0.0", langfuse=keys, token="s3cret") == []
    assert problems(host="0.0.0.0", langfuse=keys, allow_unauthenticated=True) == []
    assert problems(langfuse=keys) == []


def test_a_key_pair_has_one_secret() -> None:
    assert problems(langfuse={"public_key": "pk"}) == [
        "receive.otlp_http.langfuse.secret_key: required; or set secret_key_file"
    ]
    [problem] = problems(langfuse={"public_key": "pk", "secret_key": "a", "secret_key_file": "b"})
    assert problem.startswith("receive.otlp_http.langfuse.secret_key_file: set either secret_key or secret_key_file")
    with pytest.raises(ConfigError, match="secret_key: required"):
        LangfuseKeys(public_key="pk").pair("receive.otlp_http.langfuse")


def test_the_secret_key_is_read_from_its_file(tmp_path) -> None:
    path = tmp_path / "secret"
    listener = OtlpHttp.model_validate({"langfuse": {"public_key": "pk", "secret_key_file": path}})
    with pytest.raises(ConfigError, match=r"receive\.otlp_http\.langfuse\.secret_key_file: .*No such file"):
        listener.keys("receive.otlp_http")
    path.write_text("\n")
    with pytest.raises(ConfigError, match="is empty"):
        listener.keys("receive.otlp_http")
    path.write_text("sk\n")
    assert listener.keys("receive.otlp_http") == ("pk", "sk")
    assert OtlpHttp().keys("receive.otlp_http") is None
