"""Which hosts a listener answers for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from collector.configuration.schema import Http
from collector.receivers.hosts import PROBES, HostCheck, Hosts, refusal
from collector.receivers.settings import HttpListener, OtlpHttp
from tests.collector.served import Served

LOOPBACK, NAMED = Hosts(frozenset()), Hosts(frozenset({"rag.example"}))


@pytest.mark.parametrize(
    ("options", "hosts"),
    [
        ({}, LOOPBACK),
        ({"host": "::1"}, LOOPBACK),
        ({"host": "localhost"}, LOOPBACK),
        ({"token": "s3cret"}, None),
        ({"token_file": Path("token")}, None),
        ({"host": "0.0.0.0", "allow_unauthenticated": True}, None),
        ({"host": "0.0.0.0", "token": "s3cret"}, None),
        ({"host": "0.0.0.0", "token": "s3cret", "allowed_hosts": ["rag.example"]}, NAMED),
        ({"token": "s3cret", "allowed_hosts": ["rag.example"]}, NAMED),
    ],
)
@pytest.mark.parametrize("kind", [Http, OtlpHttp])
def test_hosts_are_checked_on_loopback_without_a_token_and_where_some_are_named(
    kind: type[HttpListener], options: dict[str, Any], hosts: Hosts | None
) -> None:
    assert kind(**options).hosts == hosts


@pytest.mark.parametrize(
    ("given", "meant"),
    [("RAG.example.", "rag.example"), ("10.0.0.7", "10.0.0.7"), ("FE80::1", "fe80::1"), ("host_1", "host_1")],
)
def test_names_are_kept_as_they_are_compared(given: str, meant: str) -> None:
    assert Http(allowed_hosts=[given]).allowed_hosts == (meant,)


@pytest.mark.parametrize("wrong", ["", ".", "http://rag.example", "rag.example:8080", "*", "*.example", "a b", "[::1]"])
def test_what_is_no_host_name_is_named_as_a_mistake(wrong: str) -> None:
    with pytest.raises(ValidationError, match="allowed_hosts"):
        Http.model_validate({"allowed_hosts": [wrong]})


@pytest.mark.parametrize("header", ["rag.example", "rag.example:1", "RAG.EXAMPLE.", "[fe80::1]:8080", "localhost"])
def test_a_header_is_read_whatever_its_port_and_case(header: str) -> None:
    assert Hosts(frozenset({"rag.example", "fe80::1"})).admit(header)


@pytest.mark.parametrize(
    "header",
    [
        "",
        ":80",
        "rag.example:80@evil",
        "rag.example:x",
        "[::1",
        "::1",
        "[evil.example]",
        "a@localhost",
        "localhost evil",
    ],
)
def test_a_header_that_is_odd_is_for_another_host(header: str) -> None:
    assert not Hosts(frozenset({"rag.example"})).admit(header)


def test_probes_by_address_are_answered_where_an_orchestrator_asks() -> None:
    async def answer(_request: Request) -> Response:
        return PlainTextResponse("ok")

    app = Starlette(routes=[Route(path, answer) for path in ("/healthz", "/readyz", "/metrics")])
    hosts = Hosts(frozenset({"rag.example"}))
    client = TestClient(HostCheck(app, hosts, where="http", unchecked=PROBES, refuse=refusal))
    asked = {path: client.get(path, headers={"host": "10.1.2.3:8080"}) for path in ("/healthz", "/readyz", "/metrics")}
    assert {path: response.status_code for path, response in asked.items()} == {
        "/healthz": 200,
        "/readyz": 200,
        "/metrics": 421,
    }
    assert "http.allowed_hosts" in asked["/metrics"].json()["error"]


@pytest.mark.parametrize("path", ["/metrics", "/healthz", "/v1/gates", "/openapi.json", "/v1/answers"])
def test_a_page_with_a_rebound_name_reads_nothing_of_the_api(path: str) -> None:
    with Served(opened=False) as served:
        status, _, body = served.ask(path, Host=f"evil.example:{served.port}")
        assert status == 421
        assert json.loads(body)["error"].startswith("host 'evil.example:")
        assert served.ask("/healthz", Host=f"localhost:{served.port}")[0] == 200
