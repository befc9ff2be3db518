"""Verification over HTTP: what is taken, what is said, and what is refused."""

import json
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from adapters.base import AdaptOptions, PassageKeys
from collector.api.app import Api
from collector.api.readiness import Readiness
from collector.api.serving import Parts
from collector.errors import Transient
from collector.pipeline.tasks import set_up
from collector.receivers.guard import ApiTokens
from tests.external import reception

NOON = 1_780_000_000 * 10**9
LIMIT = "Hotels cost up to 180 EUR a night."


class Bench:
    def __init__(self, token=None, **keys):
        made = reception()
        self.api = Api(
            telemetry=made.telemetry,
            readiness=Readiness([]),
            gates=(),
            dimensions=("service",),
            reception=made,
            version="1",
            tokens=ApiTokens(token),
            clock=lambda: NOON,
        )
        handler = set_up(AdaptOptions(), (), None, 5.0)
        parts = Parts(None, None, ask=lambda asked, timeout: handler(asked) if timeout else "")
        self.api.open(replace(parts, passages=PassageKeys(**keys)))
        self.client = TestClient(self.api.app())

    def verify(self, body, media="application/json", **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post("/v1/verify", content=content, headers={"content-type": media, **headers})


@pytest.fixture(scope="module")
def bench():
    return Bench()


@pytest.mark.parametrize(
    ("answer", "verdict"), [("Up to 180 EUR a night [1].", "supported"), ("Up to 250 EUR a night [1].", "contradicted")]
)
def test_an_answer_is_held_against_its_passages(bench, answer, verdict):
    said = bench.verify({"question": "What may a hotel cost?", "answer": answer, "passages": [LIMIT]}).json()
    assert said["verdict"] == verdict
    assert bool(said["reasons"]) == (verdict == "contradicted")


@pytest.mark.parametrize(
    "passage",
    [
        {"text": LIMIT, "id": "p", "doc_id": "T", "version": "2", "effective_to": "2025-03-01"},
        {"page_content": LIMIT, "metadata": {"doc_id": "T", "version": "2", "effective_to": "2025-03-01"}},
        {"content": LIMIT, "meta": {"doc_id": "T", "version": "2", "effective_to": "2025-03-01"}},
    ],
)
def test_passages_are_taken_as_frameworks_have_them(bench, passage):
    said = bench.verify({"passages": [passage]}).json()
    assert (said["verdict"], said["reasons"][0]["detail"]) == ("stale", "T@2 has expired")


def test_keys_of_the_configuration_are_read():
    dated = {"text": LIMIT, "metadata": {"gilt_bis": "2025-03-01"}}
    said = Bench(effective_to="gilt_bis").verify({"passages": [dated]})
    assert said.json()["verdict"] == "stale"


def test_what_the_asker_may_not_see_is_told(bench):
    body = {"passages": [{"text": LIMIT, "permitted": ["board"]}]}
    assert bench.verify(body | {"asker_groups": ["staff"]}).json()["verdict"] == "not_permitted"
    assert bench.verify(body | {"asker_groups": ["board"]}).json()["verdict"] == "usable"


def test_an_answer_is_judged_for_when_it_was_asked(bench):
    body = {"passages": [{"text": LIMIT, "effective_to": "2025-03-01"}], "asked_at": "2025-01-01T00:00:00Z"}
    assert bench.verify(body).json()["verdict"] == "usable"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({}, "give an answer, passages, or both"),
        ({"passages": [7]}, "passages.0: must be a text, or an object"),
        ({"passages": [{"metadata": {}}]}, "passages.0: no text in it"),
        ({"passages": [LIMIT] * 51}, "passages: "),
        ({"passages": [LIMIT] * 51}, "passages: at most 50 entries are taken, got 51"),
        ({"passages": "no"}, "passages: must be a list"),
        ({"passages": {"text": LIMIT}}, "passages: must be a list"),
        ({"passages": [["no"]]}, "passages.0: must be a text, or an object"),
        ({"answer": 7}, "answer: must be a text"),
        ({"question": ["no"], "answer": "x"}, "question: must be a text"),
        ({"answer": "x", "asker_groups": "staff"}, "asker_groups: must be a list"),
        ({"answer": "x", "asker_groups": [7]}, "asker_groups.0: must be a text"),
        ({"answer": "x", "asked_at": 7}, "asked_at: must be a time as text, like 2026-03-01T12:00:00Z"),
        ([], "body: must be an object"),
        (7, "body: must be an object"),
        ({"answer": "x" * 32_001}, "answer: "),
        ({"answer": "x", "asker_groups": ["a b"]}, "asker_groups.0: a group has no blank and no comma"),
        ({"answer": "x", "verdict": "?"}, "verdict: "),
        (b"[" * 6_000, "more than 5,000 JSON objects"),
        (b"{", "the body is not JSON"),
    ],
)
def test_what_cannot_be_verified_is_refused_with_the_reason(bench, body, problem):
    response = bench.verify(body)
    assert response.status_code == 400
    assert problem in response.json()["error"]


def test_a_page_in_a_browser_and_who_lacks_the_token_are_refused(bench):
    assert bench.verify({"answer": "x"}, "text/plain").status_code == 415
    closed = Bench(token="secret")
    assert closed.verify({"answer": "x"}).status_code == 401
    assert closed.verify({"answer": "x", "passages": [LIMIT]}, authorization="Bearer secret").status_code == 200
    assert bench.verify(b" " * 600_000).status_code == 413


def test_a_verification_that_takes_too_long_is_given_up():
    def late(_, *, timeout):
        raise Transient(f"took more than {timeout:g} s")

    slow = Bench()
    slow.api.open(Parts(None, None, ask=late))
    response = slow.verify({"answer": "x", "passages": [LIMIT]})
    assert (response.status_code, response.json()["error"]) == (503, "took more than 2 s")
