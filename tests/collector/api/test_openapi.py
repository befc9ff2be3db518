"""The OpenAPI document says what occurs: every status and body that a request can get, and the bounds of parameters."""

import json
from collections import defaultdict
from dataclasses import replace
from html import escape
from types import MappingProxyType
from urllib.parse import quote, urlencode

import jsonschema
import pytest
from starlette.testclient import TestClient

from adapters.base import AdaptOptions
from adapters.schema import Answer
from collector.agent.running import running
from collector.api.app import APIS, Api
from collector.api.labels import Labelling
from collector.api.openapi import document
from collector.api.pages.site import assets
from collector.api.readiness import Readiness
from collector.api.serving import Described, Parts
from collector.configuration.schema import Config
from collector.errors import Transient
from collector.outbound.status import LinkStatus
from collector.pipeline.compare_task import CompareRequest, compared
from collector.pipeline.coverage_task import covered
from collector.pipeline.keys_task import KeysRequest, keys_found
from collector.receivers.guard import ApiTokens
from collector.reports.shelf import ReportShelf
from collector.store.rows import Decision, Pulled, StoredAnswer
from collector.store.sqlite import open_store
from collector.store.store import Store
from gates.threshold import ThresholdGate
from scorers.base import Env
from scorers.grounding.claim_support import ClaimSupport
from telemetry.registry import Telemetry
from tests.collector.served import Judge, verdict
from tests.external import reception

DIMENSIONS = ("service", "domain")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
KNOWN = {
    ("gate", "path"): "canary",
    ("hook", "path"): "rollback",
    ("seq", "path"): "1",
    ("answer_id", "path"): "a",
    ("metric", "query"): "claim_support",
    ("settings", "query"): "{metric: claim_support, at_least: 0.4}",
    ("version", "query"): "model=m-2",
    ("name", "path"): "groundwire.css",
    ("folder", "path"): "-",
    ("file", "path"): "r.html",
    ("digest", "path"): assets()["groundwire.css"].digest,
}
"""Values that lead somewhere, of parameters whose bounds alone do not."""
BODIES = {
    "/v1/changes": {"kind": "deploy", "id": "d-1", "version": "2", "scope": {"service": "desk"}},
    "/v1/canaries/run": {},
    "/v1/reports": {"sha256": "0" * 64, "title": "Week", "decision": "No fault."},
    "/v1/labels": {"answer_id": "a", "metric": "claim_support", "label": 0, "label_probability": 0.5},
    "/v1/evaluations": {"name": "tone", "value": 1, "answer_id": "a"},
    "/v1/verify": {"answer": "Up to 180 EUR.", "passages": ["Hotels cost up to 180 EUR."]},
    "/v1/flagger/{gate}/{hook}": {
        "name": "desk",
        "namespace": "prod",
        "phase": "Progressing",
        "metadata": {"candidate": "2"},
    },
}
HOSTILE = ("", "\0", "%", "a/b", "../..", "\ufeff", "ä" * 300, "9" * 5000, "-1", "1e400", "NaN", "'; --", "[]")


DOCUMENT = document("1", DIMENSIONS, APIS)
for name, schema in DOCUMENT["components"]["schemas"].items():
    if name.endswith(("Body", "Page")):
        # A field that is not documented fails these tests; to clients more may come.
        schema["additionalProperties"] = False
CONTENTS = (
    b"",
    b"{",
    b"[]",
    b"null",
    b'{"kind": "deploy", "kind": 1}',
    b"[" * 60_000,
    b"\xff",
    b" " * 70_000,
    b" " * 2_200_000,
)


def supported(_, *, timeout):
    assert timeout
    return '{"verdict": "supported"}'


SUMMARY = json.dumps(
    {
        "kind": "run",
        "title": "Week",
        "made_at": "2026-01-01T00:00:00Z",
        "verdict": "fine",
        "decision": "No answer has a fault.",
        "runs": ["x"],
        "answers": 3,
    }
)
GATE = ThresholdGate(type="threshold", name="canary", metric="claim_support", at_least=0.5)


class Catalog:
    compared = MappingProxyType({})

    def report(self):
        return {"state": "ok"}


def examined(request, *, timeout):
    assert timeout
    if isinstance(request, KeysRequest):
        return keys_found(request, AdaptOptions())
    if isinstance(request, CompareRequest):
        return compared(request, Env(now=request.now))
    return covered(request, None)


CATALOG = Catalog()


STATUS = LinkStatus("canaries", name="canaries", type_="http", clock=lambda: 1, counted=())


class Canaries:
    def report(self):
        told = {"endpoint": "http://127.0.0.1:1/ask", **STATUS.report()}
        counts = dict.fromkeys(("standing", "failing", "waiting", "asked_last_hour"), 0)
        return told | counts | {"per_hour": 240, "per_sync": 100, "every_seconds": 3600.0}

    def run_now(self):
        return 0


CANARIES = Canaries()


@pytest.fixture
def served(tmp_path):
    """The API over a store with a row of each kind, guarded by a token."""
    store = open_store(tmp_path / "data")
    stored = StoredAnswer(Answer(id="a", question="q"), {"service": "desk"}, 1.0, True)
    store.append_pulled(Pulled("files", b"", 1, answers=[stored]))
    store.save_checkpoint("gate:canary", 1, b"", [Decision(1, "canary", {}, "fail", None, "{}")])
    readiness = Readiness([])
    own = tmp_path / "reports"
    own.mkdir()
    (own / "r.html").write_text(f'<meta name="groundwire-report" content="{escape(SUMMARY)}">')
    api = Api(
        telemetry=Telemetry(metrics=(), dimensions=DIMENSIONS, version="1"),
        readiness=readiness,
        gates=("canary",),
        dimensions=DIMENSIONS,
        version="1",
        reception=reception(declared=({"name": "tone"},)),
        tokens=ApiTokens("s3cret"),
        metrics=("claim_support",),
        described=Described(metrics=[ClaimSupport.metric], gates=[GATE], shelf=ReportShelf({"-": own})),
        labelling=Labelling(metrics=[ClaimSupport.metric]),
    )
    served = Served(api, store, readiness)
    yield served
    store.close()


class Served:
    def __init__(self, api, store, readiness):
        self.api, self.store, self.readiness = api, store, readiness
        self.client = TestClient(api.app(), raise_server_exceptions=False)
        self.occurred = defaultdict(set)
        self.open()

    def open(self, catalog=CATALOG, canaries=CANARIES):
        judge = Judge()
        judge.verdicts = {"canary": verdict("fail", candidate="2")}
        self.api.open(Parts(self.store, judge, catalog=catalog, canaries=canaries, ask=supported, examine=examined))
        self.api.running = running(Config(), started_at=1, ports={})

    def close(self):
        self.api.close()
        self.readiness.waiting = ["starting"]

    def ask(self, method, path, *, to=None, query=(), token="s3cret", **options):
        """Send a request to the path of the document, filled in as ``to``; note the status and return it."""
        url = (to or filled(path)) + (f"?{urlencode(query)}" if query else "")
        headers = ({"Authorization": f"Bearer {token}"} if token else {}) | options.pop("headers", {})
        response = self.client.request(method, url, headers=headers, **options)
        self.occurred[method, path].add(response.status_code)
        described = DOCUMENT["paths"][path][method.lower()]["responses"].get(str(response.status_code), {})
        if "application/json" in described.get("content", {}) and response.headers["content-type"].endswith("json"):
            schema = described["content"]["application/json"]["schema"]
            jsonschema.validate(response.json(), schema | {"components": DOCUMENT["components"]})
        if response.status_code == 401 and not path.startswith(("/v1/", "/metrics")):
            assert list(described["content"]) == ["text/html"]
            assert response.headers["content-type"] == "text/html; charset=utf-8"
            assert response.text.startswith("<!DOCTYPE html>")
        elif response.status_code >= 400 and path not in {"/v1/flagger/{gate}/{hook}", "/readyz"}:
            assert list(response.json()) == ["error"], url
        return response.status_code

    def try_value(self, method, path, parameter, value):
        """Send a value of a parameter, in the query twice as well."""
        name = parameter["name"]
        if parameter["in"] == "query":
            self.ask(method, path, query=asked_with(parameter, value), **given(method, path))
            self.ask(method, path, query=[(name, value)] * 2, **given(method, path))
        elif value and ("/" not in value or name == "answer_id"):
            # An empty part, and a slash where none may be, make another path.
            self.ask(method, path, to=filled(path, **{name: value}), **given(method, path))


def given(method, path):
    """Return what goes with a request beside its parameters."""
    return {} if method == "GET" else {"json": BODIES[path]}


def operations():
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def filled(path, **values):
    for (name, where), value in KNOWN.items():
        if where == "path":
            path = path.replace(f"{{{name}}}", quote(values.get(name, value), safe=""))
    return path


def inside(parameter):
    """Values at the bounds that the document states."""
    schema, known = parameter["schema"], KNOWN.get((parameter["name"], parameter["in"]))
    if known is not None:
        return [known]
    if "enum" in schema:
        return schema["enum"]
    if schema["type"] == "string":
        return ["x" * schema["minLength"], "ä" * schema["maxLength"]]
    if schema["type"] == "number":
        return ["-1e308", "0", "0.5"]
    return [str(schema["minimum"]), str(schema["maximum"])]


def outside(parameter):
    """Values beyond the bounds that the document states, and of other types."""
    schema = parameter["schema"]
    if "enum" in schema:
        return ["", "x", schema["enum"][0].upper()]
    if schema["type"] == "string":
        return ["", "x" * (schema.get("maxLength", 10_000) + 1), "\0", "a\nb"]
    if schema["type"] == "number":
        return ["", "x", "nan", "inf", "1e400"]
    return ["", "x", "1.5", str(schema["minimum"] - 1), str(schema["maximum"] + 1), "9" * 5000, "٣"]


def asked_with(parameter, value):
    """Return the query of a request with a value: bounds and orders of values go with a metric."""
    name = parameter["name"]
    return [("metric", "claim_support")] * (name in {"min_value", "max_value", "label", "order"}) + [(name, value)]


@pytest.mark.slow
def test_what_is_within_the_documented_bounds_is_served_and_what_is_not_is_refused(served):
    for method, path, operation in operations():
        for parameter in operation.get("parameters", ()):
            for value in inside(parameter) if parameter["in"] == "query" else ():
                assert served.ask(method, path, query=asked_with(parameter, value)) == 200, (path, parameter, value)
            if parameter["in"] == "query":
                # A form of a browser sends what was left empty.
                for value in outside(parameter) if path.startswith("/v1/") else outside(parameter)[1:]:
                    status = served.ask(method, path, query=asked_with(parameter, value))
                    assert status == 400, (path, parameter["name"], value)
    for value in outside({"schema": {"type": "integer", "minimum": 1, "maximum": 2**63 - 1}})[1:]:
        assert served.ask("GET", "/v1/decisions/{seq}", to=filled("/v1/decisions/{seq}", seq=value)) == 400


@pytest.mark.slow
def test_every_status_that_occurs_is_documented_and_every_documented_one_occurs(served, monkeypatch):
    for method, path, operation in operations():
        served.ask(method, path, **given(method, path))
        served.ask(method, path, token=None, **given(method, path))
        served.ask(method, path, token="wrong", **given(method, path))
        served.ask(method, path, query=[("unknown", "x")], **given(method, path))
        for parameter in operation.get("parameters", ()):
            for value in (*outside(parameter), *HOSTILE):
                served.try_value(method, path, parameter, value)
    for path, body in BODIES.items():
        for content in CONTENTS:
            served.ask("POST", path, content=content, headers={"Content-Type": "application/json"})
        served.ask("POST", path, content=json.dumps(body), headers={"Content-Type": "text/plain"})
        served.ask("POST", path, json=body | {"version": "3"})
    served.ask("GET", "/v1/decisions/{seq}", to="/v1/decisions/999")
    served.ask("GET", "/decisions/{seq}", to="/decisions/999")
    served.open(catalog=None, canaries=None)
    without = ("/v1/catalog", "/v1/catalog/coverage", "/v1/catalog/lag", "/catalog")
    for path in (*without, "/v1/canaries", "/v1/canaries/results", "/canaries"):
        served.ask("GET", path)
    served.ask("POST", "/v1/canaries/run", json={})
    served.open()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "asked", refuse)
        patch.setattr(Store, "record_changes", refuse)
        patch.setattr(Store, "record_labels", refuse)
        patch.setattr(Store, "record_external", refuse)
        served.api.opened = replace(served.api.parts, ask=refuse, examine=refuse)
        for method, path, _ in operations():
            served.ask(method, path, **given(method, path))
    served.close()
    for method, path, _ in operations():
        served.ask(method, path, **given(method, path))
    for method, path, operation in operations():
        documented = {int(status) for status in operation["responses"]}
        assert served.occurred[method, path] == documented, (method, path)


def refuse(*_, **__):
    raise Transient("too many queries at once")


def test_methods_that_are_not_documented_are_refused_with_those_that_are(served):
    documented = defaultdict(set)
    for method, path, _ in operations():
        documented[path].add(method)
    for path, known in documented.items():
        for method in set(METHODS) - known:
            response = served.client.request(method, filled(path), headers={"Authorization": "Bearer s3cret"})
            if path.startswith("/v1/flagger/"):
                # Whatever hinders an answer is a refusal there.
                assert response.status_code == 409
                continue
            assert response.status_code == 405, (method, path)
            assert set(response.headers["allow"].split(", ")) - {"HEAD"} == known
            assert response.json()["error"].startswith(f"method {method} not allowed; use ")


def test_a_path_that_is_not_documented_does_not_exist(served):
    for path in ("/v1", "/v1/", "/v1/answer", "/v1/decisions/", "/v1/decisions/1/2", "/v2/answers", "/metrics/x"):
        response = served.client.get(path, headers={"Authorization": "Bearer s3cret"}, follow_redirects=False)
        assert response.status_code in {404, 307}, path
