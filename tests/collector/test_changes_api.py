"""The ledger over HTTP: what is taken, what is refused and why, and what announcing twice does."""

import json

import pytest
from starlette.testclient import TestClient

from collector.api.app import Api
from collector.api.readiness import Readiness
from collector.api.serving import Parts
from collector.errors import Transient
from collector.receivers.guard import ApiTokens
from collector.store.sqlite import open_store
from telemetry.registry import Telemetry
from tests.external import reception

SECOND = 10**9
NOON = 1_780_000_000 * SECOND
DEPLOY = {"kind": "deploy", "version": "2", "previous": "1", "scope": {"service": "desk"}, "id": "d-1", "note": "why"}


class Bench:
    def __init__(self, directory, token=None):
        self.now = NOON
        self.store = open_store(directory)
        self.api = Api(
            telemetry=Telemetry(metrics=(), dimensions=("service", "domain"), version="1"),
            readiness=Readiness([]),
            gates=("grounding", "canary"),
            references=("grounding",),
            dimensions=("service", "domain"),
            version="1",
            reception=reception(),
            tokens=ApiTokens(token),
            clock=lambda: self.now,
        )
        self.api.open(Parts(self.store, None))
        self.client = TestClient(self.api.app())

    def post(self, body, **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"content-type": "application/json"} | headers
        return self.client.post("/v1/changes", content=content, headers=headers)

    def listed(self, query=""):
        return self.client.get(f"/v1/changes{query}").json()["changes"]


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "data")
    yield bench
    bench.store.close()


def test_a_change_is_recorded_and_listed_as_it_was_announced(bench):
    response = bench.post(DEPLOY)
    assert response.status_code == 201
    assert response.json() == {
        "seq": 1,
        "at": "2026-05-28T20:26:40Z",
        "recorded_at": "2026-05-28T20:26:40Z",
        "source": "explicit",
        "component": "release",
        "documents": [],
        **DEPLOY,
    }
    assert bench.listed() == [response.json()]


def test_announced_twice_it_is_one_change(bench):
    first = bench.post(DEPLOY)
    bench.now += 60 * SECOND
    again = bench.post(DEPLOY)
    assert (again.status_code, again.json()) == (200, first.json())
    assert len(bench.listed()) == 1


def test_another_change_of_the_same_id_is_a_conflict_and_changes_nothing(bench):
    bench.post(DEPLOY)
    before = bench.listed()
    bench.now += SECOND
    for other in ({"version": "3"}, {"scope": {}}, {"at": "2026-05-28T00:00:00Z"}, {"note": None}):
        response = bench.post(DEPLOY | other)
        assert response.status_code == 409
        assert "d-1" in response.json()["error"]
    assert bench.listed() == before


def test_without_an_id_the_same_moment_is_the_same_change_and_no_moment_is_another(bench):
    timed = {"kind": "index", "version": "7", "at": "2026-05-28T20:00:00+02:00"}
    assert bench.post(timed).status_code == 201
    bench.now += SECOND
    assert bench.post(timed).status_code == 200
    assert bench.listed()[0]["at"] == "2026-05-28T18:00:00Z"
    untimed = {"kind": "index", "version": "7"}
    bench.post(untimed)
    bench.now += SECOND
    assert bench.post(untimed).status_code == 201
    assert len(bench.listed()) == 3


def test_pages_of_the_ledger_follow_one_another(bench):
    for i in range(5):
        bench.post({"kind": "deploy", "version": str(i), "id": str(i)})
    assert [row["version"] for row in bench.listed("?limit=2")] == ["0", "1"]
    seq = bench.listed("?limit=2")[-1]["seq"]
    assert [row["version"] for row in bench.listed(f"?after={seq}&limit=1000")] == ["2", "3", "4"]
    assert bench.client.get("/v1/changes?limit=1001").status_code == 400


def test_documents_are_named_and_a_scorer_names_its_metric(bench):
    row = bench.post({"kind": "documents", "documents": ["HR-1", "HR-2"]}).json()
    assert (row["component"], row["documents"]) == ("documents", ["HR-1", "HR-2"])
    row = bench.post({"kind": "scorer", "component": "claim_support", "version": "4"}).json()
    assert row["component"] == "claim_support"


REFUSED = [
    (b"", "not JSON"),
    (b"{", "not JSON"),
    (b"[" * 10_000, "not JSON"),
    (b"\xff", "not JSON"),
    (b"NaN", "not JSON"),
    ([], "body: must be an object"),
    ({}, "kind: Field required"),
    ({"kind": "rollout"}, "kind: Input should be 'deploy', 'documents'"),
    ({"kind": "deploy", "verison": "2"}, "verison: Extra inputs are not permitted"),
    ({"kind": "deploy", "version": ""}, "version: "),
    ({"kind": "deploy", "version": "x" * 257}, "version: "),
    ({"kind": "deploy", "version": 2}, "version: "),
    ({"kind": "deploy", "version": "2\n3"}, "version: has a character that cannot be printed"),
    (b'{"kind": "deploy", "version": "\\ud800"}', ""),
    ({"kind": "deploy", "note": "a\0b"}, "note: has a character that cannot be stored"),
    ({"kind": "deploy", "scope": {"tenant": "x"}}, "scope: unknown slice dimension 'tenant'; known: service, domain"),
    ({"kind": "deploy", "scope": {"service": "x" * 129}}, "scope.service: "),
    ({"kind": "deploy", "scope": {"service": None}}, "scope.service: "),
    ({"kind": "deploy", "scope": {f"d{i}": "x" for i in range(17)}}, "scope: "),
    ({"kind": "deploy", "documents": ["HR-1"]}, "documents: allowed only for changes of kind documents"),
    ({"kind": "documents", "documents": ["x"] * 101}, "documents: "),
    ({"kind": "scorer", "version": "4"}, "component: required for a change of a scorer"),
    ({"kind": "deploy", "at": "yesterday"}, "at: "),
    ({"kind": "deploy", "at": 1780000000}, "at: must be a time as text"),
    ({"kind": "deploy", "at": "2026-05-28T20:26:40"}, "at: "),
    ({"kind": "deploy", "at": "2026-05-28T20:40:00Z"}, "at: must be in the past"),
    ({"kind": "deploy", "at": "1960-01-01T00:00:00Z"}, "at: must be in the past"),
    ({"kind": "deploy", "at": "0001-01-01T00:00:00+14:00"}, "at: "),
    ({"kind": "deploy", "id": ""}, "id: "),
    (
        {"kind": "deploy"},
        "version: neither version nor scope is given: give the version that took effect, or the scope",
    ),
    ({"kind": "prompt", "previous": "1", "id": "x", "scope": {}, "note": "n"}, 'say "everywhere": true; then every'),
    ({"kind": "scorer", "component": "claim_support"}, "version: neither version nor scope"),
    ({"kind": "documents", "documents": []}, "scope of the traffic it affects, or the documents that changed. "),
    ({"kind": "deploy", "everywhere": False}, "version: neither version nor scope is given"),
    ({"kind": "deploy", "everywhere": "yes please"}, "everywhere: "),
    ({"kind": "deploy", "everywhere": True, "scope": {"service": "desk"}}, "everywhere: scope names a part"),
]


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "deploy", "version": "2"},
        {"kind": "deploy", "scope": {"service": "desk"}},
        {"kind": "documents", "documents": ["HR-1"]},
        {"kind": "scorer", "component": "claim_support", "version": "4"},
        {"kind": "retriever", "everywhere": True},
    ],
)
def test_one_thing_that_says_what_a_change_is_about_is_enough(bench, body):
    assert bench.post(body).status_code == 201


@pytest.mark.parametrize(("body", "why"), REFUSED, ids=[why[:30] or repr(body)[:20] for body, why in REFUSED])
def test_what_is_no_change_is_refused_with_the_reason_and_nothing_is_recorded(bench, body, why):
    response = bench.post(body)
    assert response.status_code == 400, response.text
    assert why in response.json()["error"]
    assert len(response.json()["error"]) < 1000
    assert bench.listed() == []


def test_a_clock_that_runs_a_little_ahead_is_no_reason_to_refuse(bench):
    row = bench.post({"kind": "deploy", "version": "2", "at": "2026-05-28T20:30:00Z"}).json()
    assert row["at"] == row["recorded_at"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
def test_what_a_web_page_could_send_unasked_is_refused(bench, kind):
    assert bench.post(DEPLOY, **{"content-type": kind}).status_code == 415
    assert bench.listed() == []


def test_a_body_without_end_is_cut_off(bench):
    response = bench.post(b" " * (64 * 1024) + b"{}")
    assert response.status_code == 413


def test_nothing_is_read_or_written_without_the_token(tmp_path):
    bench = Bench(tmp_path / "data", token="s3cret")
    assert bench.post(DEPLOY).status_code == 401
    assert bench.client.get("/v1/changes").status_code == 401
    assert bench.post(DEPLOY, authorization="Bearer s3cret").status_code == 201
    assert len(bench.store.changes()) == 1
    bench.store.close()


def test_a_store_that_cannot_be_written_is_asked_again_later(bench, monkeypatch):
    def full(*_, **__):
        raise Transient("the disk is full")

    monkeypatch.setattr(type(bench.store), "record_changes", full)
    response = bench.post(DEPLOY)
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")


def test_before_the_store_is_open_nothing_is_taken(bench):
    bench.api.close()
    assert bench.post(DEPLOY).status_code == 503


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_not_there(bench, method):
    assert getattr(bench.client, method)("/v1/changes").status_code == 405


ANEW = {"kind": "reference", "component": "grounding", "note": "answers are shorter since May, as was wanted"}


def test_a_reference_begun_anew_is_a_row_that_says_of_which_gate_where_and_why(bench):
    response = bench.post(ANEW | {"scope": {"service": "desk"}})
    assert response.status_code == 201
    (row,) = bench.listed()
    assert {name: row[name] for name in ANEW} == ANEW
    assert (row["scope"], row["source"], row["version"]) == ({"service": "desk"}, "explicit", None)
    assert bench.store.changes_of("grounding", limit=9) == []


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"component": None}, "component: missing; gates that do: grounding"),
        ({"component": "canary"}, "component: 'canary' learns no reference; gates that do: grounding"),
        ({"note": None}, "note: say why the reference is begun anew"),
        ({"note": " "}, "note: say why the reference is begun anew"),
        ({"version": "2"}, "version: a reference has none; leave out version and previous"),
    ],
)
def test_a_reference_is_not_begun_anew_without_its_gate_or_a_reason(bench, wrong, reason):
    response = bench.post(ANEW | wrong)
    assert (response.status_code, response.json()["error"]) == (400, reason)
    assert bench.listed() == []
