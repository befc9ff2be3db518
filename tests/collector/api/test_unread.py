"""The API says which spans nobody reads, and who wrote them."""

from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from collector.api.app import Api
from collector.api.readiness import Readiness
from collector.api.serving import Parts
from collector.pipeline.unread import OTHER, SCOPES, UnreadSpans
from collector.receivers.guard import ApiTokens
from telemetry.registry import Telemetry
from tests.external import reception

NOON = 1_780_000_000 * 10**9


@pytest.fixture
def unread():
    return UnreadSpans(telemetry=Telemetry(metrics=(), dimensions=(), version="1"), clock=lambda: NOON)


def client(unread, token=None):
    made = reception()
    api = Api(
        telemetry=made.telemetry,
        readiness=Readiness([]),
        gates=(),
        dimensions=(),
        reception=made,
        version="1",
        tokens=ApiTokens(token),
    )
    api.open(replace(Parts(None, None), unread=unread.report))
    return TestClient(api.app())


def test_scopes_are_listed_with_their_spans_the_most_frequent_first(unread):
    unread.count({"ai": 7})
    unread.count({"acme.tracer": 20, "ai": 1})
    unread.count({})
    body = client(unread).get("/v1/unread-spans").json()
    last = "2026-05-28T20:26:40Z"
    assert body["scopes"] == [
        {"scope": "acme.tracer", "spans": 20, "last_at": last},
        {"scope": "ai", "spans": 8, "last_at": last},
    ]
    assert body["spans"] == 28
    assert "traces.dialects" in body["advice"]


def test_without_any_the_list_is_empty_and_the_token_is_asked_for(unread):
    assert client(unread).get("/v1/unread-spans").json()["spans"] == 0
    assert client(unread, token="secret").get("/v1/unread-spans").status_code == 401


def test_names_that_senders_make_up_are_bounded(unread):
    for number in range(3 * SCOPES):
        unread.count({f"scope-{number:03}" + "x" * 1_000: 1})
    found = unread.report()
    assert len(found) == SCOPES + 1
    assert found[OTHER].spans == 2 * SCOPES
    assert max(map(len, found)) == 100
