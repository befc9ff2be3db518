import asyncio
import gzip
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from adapters.schema import Answer
from collector.api import app as api_module
from collector.api import exchange, queries
from collector.api import gates as verdictapi
from collector.api import rows as rowsapi
from collector.api.app import Api
from collector.api.bodies import ChangeBody, DecisionBody
from collector.api.readiness import Readiness
from collector.api.serving import Parts
from collector.errors import Transient
from collector.outbound.status import LinkStatus
from collector.receivers.guard import ApiTokens
from collector.store import listing
from collector.store.entries import Entry
from collector.store.rows import Adaptation, Chunk, Decision, Pulled, StoredAnswer, StoredEvaluation, UnreadRecord
from collector.store.sqlite import open_store
from collector.store.store import Store
from gates.base.verdict import SliceVerdict, Verdict
from scorers.base import Evaluation, Score, Unscored
from telemetry.registry import Telemetry
from tests.external import reception

AT = 1_780_000_000_000_000_000


class Judge:
    def __init__(self):
        self.verdicts = {}
        self.fresh, self.trouble = True, ""
        self.tick = 7.5


class Bench:
    def __init__(self, directory, token=None, *, opened=True):
        self.store = open_store(directory)
        self.judge = Judge()
        self.readiness = Readiness([])
        self.api = Api(
            telemetry=Telemetry(metrics=(), dimensions=("service", "domain"), version="1.2.3"),
            readiness=self.readiness,
            gates=("fresh",),
            dimensions=("service", "domain"),
            version="1.2.3",
            reception=reception(),
            tokens=ApiTokens(token),
            metrics=("stale_source_use", "claim_support"),
        )
        self.client = TestClient(self.api.app(), raise_server_exceptions=True)
        if opened:
            self.api.open(Parts(self.store, self.judge))

    def pages(self, path, name, cursor):
        """Return the rows of every page, following ``next``."""
        pages, following = [], ""
        while True:
            body = self.client.get(f"{path}{following}").json()
            pages.append(body[name])
            if body["next"] is None:
                return pages
            following = f"{'&' if '?' in path else '?'}{cursor}={body['next']}"

    def put(self, name, *, domain, stale):
        trace_id = name.encode().ljust(16, b"-")
        self.store.append([Chunk(trace_id, AT, 1, True, b"")])
        (due,) = self.store.due(now=AT + 2, idle=1, timeout=1, limit=1, limit_bytes=10)
        answer = Answer(id=f"id/{name}", question="<script>?", answer="A.", trace_id=trace_id.hex())
        stored = StoredAnswer(answer, {"service": "s", "domain": domain}, 0.5, True)
        self.store.record_adapted([Adaptation(trace_id, due.upto_seq, 0, 1, 0, "answer", AT, (stored,))])
        evaluation = Evaluation(
            answer_id=answer.id,
            revision=0,
            scores=(Score(metric="stale_source_use", value=stale),),
            unscored=(Unscored(metric="claim_support", reason="missing_input", detail="passages"),),
        )
        self.store.record_evaluations([StoredEvaluation(evaluation, AT, AT, stored.slice, 0.5, None, {})])


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "data")
    yield bench
    bench.store.close()


def test_probes_tell_alive_from_ready(bench):
    assert bench.client.get("/healthz").json() == {"status": "ok", "version": "1.2.3"}
    assert bench.client.get("/readyz").json() == {"ready": True, "reasons": [], "warnings": []}
    bench.readiness.waiting = ["draining"]
    response = bench.client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"ready": False, "reasons": ["draining"], "warnings": []})
    assert bench.client.get("/healthz").status_code == 200


def test_a_store_that_is_full_or_corrupt_is_not_ready_and_one_that_lost_rows_is_ready_and_told(bench):
    health = bench.readiness.health
    health.rewound = "3 answers"
    response = bench.client.get("/readyz")
    assert (response.status_code, response.json()["warnings"]) == (200, ["the store has lost rows: 3 answers"])
    health.corrupt = "malformed"
    health.unwritable = "disk full"
    response = bench.client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["reasons"] == [
        "the store cannot be written to: disk full",
        "the store is corrupt: malformed",
    ]
    assert bench.client.get("/healthz").status_code == 200


def test_sources_say_how_they_are_and_what_of_them_could_not_be_read(bench):
    assert bench.client.get("/v1/sources").json() == {"sources": []}
    status = LinkStatus("source", name="files", type_="files", clock=lambda: AT, counted=("spans",))
    bench.api.open(Parts(bench.store, bench.judge, sources=[status]))
    status.count({"files": []}, spans=3)
    status.attempted("ok", next_attempt=AT)
    unread = [UnreadRecord(f"bad {n}", f"app.log:{n}") for n in range(9)]
    bench.store.append_pulled(Pulled("files", b"", AT, malformed=unread))
    (told,) = bench.client.get("/v1/sources").json()["sources"]
    assert told == {
        "name": "files",
        "type": "files",
        "state": "ok",
        "since": "2026-05-28T20:26:40Z",
        "last_success": "2026-05-28T20:26:40Z",
        "last_error": None,
        "last_error_at": None,
        "next_attempt": "2026-05-28T20:26:40Z",
        "spans": 3,
        "position": {"files": []},
        "last_malformed": told["last_malformed"],
    }
    assert len(told["last_malformed"]) == 5
    assert set(told["last_malformed"][0]) == {"at", "place", "reason"}


def test_probes_are_answered_before_the_store_is_open_and_nothing_else(tmp_path):
    bench = Bench(tmp_path / "data", opened=False)
    bench.readiness.waiting = ["starting"]
    assert bench.client.get("/healthz").status_code == 200
    assert bench.client.get("/readyz").status_code == 503
    assert bench.client.get("/metrics").status_code == 200
    for path in ("/v1/gates", "/v1/gates/fresh", "/v1/answers", "/v1/answers/x", "/v1/decisions"):
        response = bench.client.get(path)
        assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    bench.store.close()


def test_a_gate_that_was_not_judged_yet_is_inconclusive_never_pass(bench):
    body = bench.client.get("/v1/gates/fresh").json()
    assert (body["state"], body["code"], body["no_data"]) == ("inconclusive", 0, True)


def test_a_verdict_carries_its_code_reason_and_slices(bench):
    part = SliceVerdict(slice={"domain": "x"}, state="fail", reason="too stale", n=40, effective_n=40, estimate=0.5)
    bench.judge.verdicts = {
        "fresh": Verdict(
            gate="fresh",
            state="fail",
            at=datetime(2026, 1, 1, tzinfo=UTC),
            reason="1 of 1 slices fail",
            no_data=False,
            policy_version="abc",
            slices=(part,),
        )
    }
    body = bench.client.get("/v1/gates/fresh").json()
    assert (body["code"], body["evaluated_at"]) == (-1, "2026-01-01T00:00:00Z")
    assert body["slices"][0] | {"slice": {"domain": "x"}, "state": "fail", "n": 40} == body["slices"][0]
    (listed,) = bench.client.get("/v1/gates").json()["gates"]
    assert listed["state"] == "fail"
    assert "slices" not in listed


def test_a_verdict_of_a_judge_gone_silent_is_inconclusive_and_says_since_when(bench):
    part = SliceVerdict(slice={"domain": "x"}, state="pass", reason="fine", n=40, effective_n=40)
    bench.judge.verdicts = {
        "fresh": Verdict(
            gate="fresh",
            state="pass",
            at=datetime(2026, 1, 1, tzinfo=UTC),
            reason="all slices pass",
            no_data=False,
            policy_version="abc",
            slices=(part,),
        )
    }
    bench.judge.fresh = False
    expected = {
        "gate": "fresh",
        "state": "inconclusive",
        "code": 0,
        "no_data": True,
        "reason": "not judged since 2026-01-01T00:00:00Z",
        "candidate": None,
        "baseline": None,
        "log_e_rollback": None,
        "log_e_promote": None,
        "n_candidate": None,
        "n_baseline": None,
        "evaluated_at": "2026-01-01T00:00:00Z",
        "evidence_until": None,
        "pending": None,
        "policy_version": "abc",
    }
    assert bench.client.get("/v1/gates/fresh").json() == expected | {"slices": []}
    assert bench.client.get("/v1/gates").json() == {"gates": [expected]}
    bench.judge.fresh = True
    assert bench.client.get("/v1/gates/fresh").json()["state"] == "pass"


def test_an_unknown_gate_is_404_and_the_known_ones_are_named(bench):
    response = bench.client.get("/v1/gates/frehs")
    assert response.status_code == 404
    assert "fresh" in response.json()["error"]


def test_answers_are_filtered_by_slice_and_value(bench):
    bench.put("a", domain="travel", stale=1.0)
    bench.put("b", domain="travel", stale=0.0)
    bench.put("c", domain="leave", stale=1.0)
    get = lambda query: [  # noqa: E731
        row["answer"]["id"] for row in bench.client.get(f"/v1/answers?{query}").json()["answers"]
    ]
    assert get("") == ["id/c", "id/b", "id/a"]
    assert get("domain=travel") == ["id/b", "id/a"]
    assert get("metric=stale_source_use&min_value=1") == ["id/c", "id/a"]
    assert get("metric=stale_source_use&max_value=0.5&domain=travel") == ["id/b"]
    assert get("limit=1") == ["id/c"]
    first = bench.client.get("/v1/answers?limit=1").json()["answers"][0]
    assert get(f"before={first['seq']}") == ["id/b", "id/a"]


def test_an_answer_is_given_with_scores_and_reasons(bench):
    bench.put("a", domain="travel", stale=1.0)
    body = bench.client.get("/v1/answers/id/a").json()
    assert body["probability"] == 0.5
    assert body["evaluation"]["scores"][0]["value"] == 1.0
    assert body["evaluation"]["unscored"][0] == {
        "metric": "claim_support",
        "reason": "missing_input",
        "detail": "passages",
    }
    assert bench.client.get("/v1/answers/id/zzz").status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=1001",
        "limit=x",
        "limit=-1",
        "before=1.5",
        "min_value=nan&metric=claim_support",
        "min_value=inf&metric=claim_support",
        "min_value=1",
        "limit=" + "9" * 5000,
        "limit=٣",
        "limit=00000000000000000001000000",
        "before=" + "0" * 20 + "9" * 25,
        "before=9223372036854775808",
        "metric=stale_source_us",
        'metric="&min_value=1',
    ],
)
def test_a_bad_parameter_is_400_and_named(bench, query):
    response = bench.client.get(f"/v1/answers?{query}")
    assert response.status_code == 400
    assert response.json()["error"].split()[0] in query


def test_an_unknown_metric_is_refused_with_the_known_ones(bench):
    error = bench.client.get("/v1/answers?metric=stale").json()["error"]
    assert (
        error == "metric must be one of stale_source_use, claim_support, got 'stale'; did you mean 'stale_source_use'?"
    )


def test_a_page_of_answers_ends_at_its_bytes_and_before_goes_on(bench, monkeypatch):
    for name in "abcde":
        bench.put(name, domain="travel", stale=1.0)
    monkeypatch.setattr(rowsapi, "PAGE_BYTES", 1)
    pages = bench.pages("/v1/answers?limit=5", "answers", "before")
    assert [[row["answer"]["id"] for row in page] for page in pages] == [[f"id/{name}"] for name in "edcba"]


def test_a_page_ends_after_its_time_with_what_it_has_and_says_where_to_go_on(bench, monkeypatch):
    for i, name in enumerate("abcdef"):
        bench.put(name, domain="travel", stale=float(i % 3 == 0))
        decision = Decision(at=AT + i, gate="fresh", slice={}, state="fail", previous_state=None, verdict="{}")
        bench.store.save_checkpoint("gate:fresh", i, b"", [decision])
    monkeypatch.setattr(queries, "PAGE_SECONDS", 0)
    monkeypatch.setattr(listing, "SPAN", 2)
    pages = bench.pages("/v1/answers?metric=stale_source_use&min_value=1", "answers", "before")
    assert [[row["answer"]["id"] for row in page] for page in pages] == [[], ["id/d"], ["id/a"]]
    pages = bench.pages("/v1/decisions?order=newest", "decisions", "before")
    assert [[row["seq"] for row in page] for page in pages if page] == [[6], [5], [4], [3], [2], [1]]


def test_the_worst_that_a_page_found_are_shown_where_the_search_took_all_its_time(bench, monkeypatch):
    for name in "abcdef":
        bench.put(name, domain="travel", stale=1.0)
    monkeypatch.setattr(queries, "PAGE_SECONDS", 0)
    monkeypatch.setattr(listing, "SPAN", 3)
    pages = bench.pages("/v1/answers?metric=stale_source_use&order=highest", "answers", "before")
    assert [[row["answer"]["id"] for row in page] for page in pages] == [
        ["id/f", "id/e", "id/d"],
        ["id/c", "id/b", "id/a"],
    ]


def test_a_filter_that_nobody_matches_looks_at_so_many_answers_and_says_where_to_go_on(bench, monkeypatch):
    for i, name in enumerate("abcdefgh"):
        bench.put(name, domain="leave" if i < 2 else "travel", stale=float(i % 4 == 0))
    monkeypatch.setattr(listing, "MAX_ROWS", 6)
    monkeypatch.setattr(listing, "MAX_EVALUATED", 3)
    nobody = "/v1/answers?domain=nobody"
    assert [bench.client.get(nobody).json(), bench.client.get(f"{nobody}&before=3").json()] == [
        {"answers": [], "next": 3},
        {"answers": [], "next": None},
    ]
    pages = bench.pages("/v1/answers?metric=stale_source_use&min_value=1&domain=leave", "answers", "before")
    assert [[row["answer"]["id"] for row in page] for page in pages] == [[], ["id/a"]]
    pages = bench.pages("/v1/answers?metric=stale_source_use&min_value=2", "answers", "before")
    assert pages == [[], [], []]


def test_no_more_answers_are_read_than_a_page_shows_and_few_at_once(bench, monkeypatch):
    for name in "abcde":
        bench.put(name, domain="travel", stale=1.0)
    monkeypatch.setattr(rowsapi, "PAGE_ROWS", 2)
    sizes = []
    answers = Store.answers
    monkeypatch.setattr(Store, "answers", lambda store, seqs: (sizes.append(len(seqs)), answers(store, seqs))[1])
    assert len(bench.client.get("/v1/answers?metric=stale_source_use&min_value=1&limit=3").json()["answers"]) == 3
    assert sizes == [2, 1]


def test_bodies_are_made_off_the_event_loop(bench, monkeypatch):
    bench.put("a", domain="travel", stale=1.0)
    places = []

    def watched(module, name):
        made = getattr(module, name)

        def spied(*arguments, **options):
            try:
                asyncio.get_running_loop()
                places.append("loop")
            except RuntimeError:
                places.append("thread")
            return made(*arguments, **options)

        monkeypatch.setattr(module, name, spied)

    bench.store.save_checkpoint("gate:g", 1, b"", [Decision(AT, "g", {}, "fail", None, "{}")])
    bench.store.record_changes([Entry("c", AT, AT, "deploy", "explicit", "release")])
    for name in ("answer_body", "encoded"):
        watched(rowsapi, name)
    for model in (ChangeBody, DecisionBody):
        watched(model, "model_validate")
    watched(api_module, "document")
    watched(verdictapi, "verdict_body")
    watched(exchange, "encoded")
    asked = ("answers", "answers/id/a", "gates", "gates/fresh", "decisions", "decisions/1", "changes")
    for path in (*(f"/v1/{name}" for name in asked), "/openapi.json"):
        assert bench.client.get(path).status_code == 200
    assert set(places) == {"thread"}
    assert len(places) > 14


def test_what_nobody_expected_is_an_error_in_json_and_logged_once_per_kind(bench, monkeypatch):
    def broken(*_, **__):
        raise KeyError("secret")

    monkeypatch.setattr(Store, "find_answers", broken)
    monkeypatch.setattr(Store, "decisions", broken)
    with capture_logs() as logs:
        for path in ("/v1/answers", "/v1/answers?limit=2", "/v1/decisions"):
            response = bench.client.get(path)
            assert (response.status_code, response.json()) == (500, {"error": "internal error"})
    assert [(entry["event"], entry["handler"]) for entry in logs] == [
        ("request failed", "answers"),
        ("request failed", "decisions"),
    ]


def test_a_store_that_is_busy_asks_for_another_try(bench, monkeypatch):
    def busy(*_, **__):
        raise Transient("the store cannot be read: database is locked")

    monkeypatch.setattr(Store, "decisions", busy)
    response = bench.client.get("/v1/decisions")
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert response.json() == {"error": "the store cannot be read: database is locked"}


def test_decisions_are_listed_in_order_after_a_seq(bench):
    for i, state in enumerate(["fail", "pass", "fail"]):
        decision = Decision(at=AT + i, gate="fresh", slice={}, state=state, previous_state=None, verdict="{}")
        bench.store.save_checkpoint("gate:fresh", i, b"", [decision])
    rows = bench.client.get("/v1/decisions").json()["decisions"]
    assert [row["state"] for row in rows] == ["fail", "pass", "fail"]
    assert rows[1]["previous_hash"] == rows[0]["hash"]
    later = bench.client.get(f"/v1/decisions?after={rows[0]['seq']}&limit=1").json()["decisions"]
    assert [row["seq"] for row in later] == [rows[1]["seq"]]
    assert bench.client.get("/v1/decisions?gate=other").json()["decisions"] == []


def test_decisions_are_listed_newest_first_on_request_and_given_by_number(bench):
    for i in range(5):
        gate = "fresh" if i % 2 == 0 else "other"
        decision = Decision(at=AT + i, gate=gate, slice={}, state="fail", previous_state=None, verdict="{}")
        bench.store.save_checkpoint(f"gate:{gate}", i, b"", [decision])

    def listed(query):
        body = bench.client.get(f"/v1/decisions?{query}").json()
        return [row["seq"] for row in body["decisions"]], body["next"]

    assert listed("order=newest&limit=1&gate=other") == ([4], 4)
    assert listed("order=newest&limit=2") == ([5, 4], 4)
    assert listed("order=newest&limit=2&before=4") == ([3, 2], 2)
    assert listed("order=newest&before=3&after=1") == ([2], None)
    assert listed("order=oldest&limit=2") == listed("limit=2") == ([1, 2], 2)
    assert listed("after=2&before=5&gate=fresh") == ([3], None)
    assert bench.client.get("/v1/decisions?order=latest").json() == {
        "error": "order must be one of oldest, newest, got 'latest'"
    }
    row = bench.client.get("/v1/decisions/4").json()
    assert (row["seq"], row["gate"]) == (4, "other")
    missing = bench.client.get("/v1/decisions/6")
    assert (missing.status_code, missing.json()) == (404, {"error": "no decision 6: the log has no row of that number"})


def test_everything_but_the_probes_needs_the_token(tmp_path):
    bench = Bench(tmp_path / "data", token="s3cret")
    for path in (
        "/metrics",
        "/v1/gates",
        "/v1/gates/fresh",
        "/v1/answers",
        "/v1/decisions",
        "/v1/slices",
        "/openapi.json",
    ):
        assert bench.client.get(path).status_code == 401
        assert bench.client.get(path, headers={"Authorization": "Bearer wrong"}).status_code == 401
        assert bench.client.get(path, headers={"Authorization": "Bearer s3cret"}).status_code == 200
    assert bench.client.get("/healthz").status_code == 200
    assert bench.client.get("/readyz").status_code == 200
    bench.store.close()


def test_metrics_come_in_the_format_the_scraper_asks_for(bench):
    plain = bench.client.get("/metrics")
    assert plain.headers["content-type"].startswith("text/plain")
    openmetrics = bench.client.get("/metrics", headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    assert openmetrics.headers["content-type"].startswith("application/openmetrics-text")
    assert openmetrics.text.endswith("# EOF\n")


@pytest.mark.parametrize("version", ["abc", "1.x", "x" * 5000, "..", "9" * 5000])
def test_a_scraper_that_asks_for_no_version_gets_the_text_format(bench, version):
    for kind in ("application/openmetrics-text", "text/plain"):
        response = bench.client.get("/metrics", headers={"Accept": f"{kind};version={version}"})
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/plain")


def test_every_route_is_in_the_openapi_document_and_nothing_else(bench):
    document = bench.client.get("/openapi.json").json()
    routes = {route.path.replace(":path", "") for route in bench.client.app.routes} - {"/openapi.json"}
    assert set(document["paths"]) == routes
    text = json.dumps(document)
    for reference in {part.split('"')[0] for part in text.split('"$ref": "')[1:]}:
        assert reference.rsplit("/", 1)[1] in document["components"]["schemas"]


def test_other_methods_and_paths_are_refused_in_json(bench):
    refused = bench.client.post("/v1/gates")
    assert (refused.status_code, refused.json()) == (405, {"error": "method POST not allowed; use GET, HEAD"})
    assert sorted(bench.client.put("/v1/changes").headers["allow"].split(", ")) == ["GET", "HEAD", "POST"]
    assert bench.client.get("/nothing").json() == {"error": "Not Found"}


def test_metrics_come_compressed_where_the_scraper_takes_that(bench):
    with bench.client.stream("GET", "/metrics", headers={"accept-encoding": "gzip"}) as response:
        packed = b"".join(response.iter_raw())
    assert response.headers["content-encoding"] == "gzip"
    plain = bench.client.get("/metrics", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(packed) == plain.content


def test_probes_are_answered_while_metrics_are_written(bench, monkeypatch):
    writing, done = threading.Event(), threading.Event()

    def slow(*_):
        writing.set()
        assert done.wait(60)
        return b"", {}

    monkeypatch.setattr(Telemetry, "scrape", slow)
    with bench.client as client, ThreadPoolExecutor(3) as pool:
        scrapes = [pool.submit(client.get, "/metrics") for _ in range(3)]
        assert writing.wait(60)
        assert client.get("/healthz").status_code == 200
        assert not any(scrape.done() for scrape in scrapes)
        done.set()
        assert [scrape.result(60).status_code for scrape in scrapes] == [200, 200, 200]
