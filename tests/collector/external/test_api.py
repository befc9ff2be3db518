"""Scores over HTTP: what is taken, what became of each, and what is refused."""

import json

import pytest
from starlette.testclient import TestClient

from adapters.external.case_record import CASE_INPUTS
from adapters.schema import Answer
from collector.api.app import Api
from collector.api.readiness import Readiness
from collector.api.serving import Parts
from collector.configuration.schema import Config
from collector.external.judged import judged
from collector.receivers.guard import ApiTokens
from collector.store.rows import Pulled, StoredAnswer
from collector.store.sqlite import open_store
from tests.external import reception

NOON = 1_780_000_000 * 10**9
TONE = {"name": "tone", "bounds": [1, 5], "values": {"rude": 1}, "evaluators": ["judge"]}
SCORE = {"name": "tone", "value": 4, "answer_id": "a", "evaluator": "judge", "version": "2"}
TRACE = "0af7651916cd43dd8448eb211c80319c"


class Bench:
    def __init__(self, directory, token=None, declared=(TONE, {"name": "helpfulness", "bounds": [0, 10]})):
        self.store = open_store(directory)
        made = reception(clock=lambda: NOON, declared=declared)
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
        self.api.open(Parts(self.store, None))
        self.client = TestClient(self.api.app())
        answers = [Answer(id="a"), Answer(id="b"), Answer(id=TRACE, trace_id=TRACE)]
        stored = [StoredAnswer(each, {"service": "desk"}, 1.0, True) for each in answers]
        self.store.append_pulled(Pulled("files", b"", NOON, answers=stored))

    def post(self, body, media="application/json", **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post("/v1/evaluations", content=content, headers={"content-type": media, **headers})


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "data")
    yield bench
    bench.store.close()


def test_a_score_stands_beside_its_answer(bench):
    said = bench.post(SCORE | {"explanation": "kind", "at": "2026-05-28T00:00:00Z"}).json()
    assert (said["received"], said["stored"], said["untaken"]) == (1, 1, [])
    answer = bench.client.get("/v1/answers/a").json()
    assert answer["external"] == [
        {
            "metric": "external.tone",
            "value": 4.0,
            "label": None,
            "explanation": "kind",
            "evaluator": "judge@2",
            "source": "api",
            "at": "2026-05-28T00:00:00Z",
            "recorded_at": "2026-05-28T20:26:40Z",
        }
    ]


def test_rows_of_tools_are_taken_as_they_export_them_a_line_each(bench):
    langfuse = {"id": "1", "traceId": TRACE, "name": "helpfulness", "value": 7, "dataType": "NUMERIC", "source": "EVAL"}
    langsmith = {"run_id": TRACE, "key": "tone", "score": 5, "feedback_source": {"type": "judge"}}
    body = b"\n".join(json.dumps(each).encode() for each in (langfuse, langsmith))
    said = bench.post(body, "application/x-ndjson").json()
    assert said["stored"] == 2, said
    found = bench.client.get(f"/v1/answers/{TRACE}").json()["external"]
    assert {(each["metric"], each["value"], each["evaluator"]) for each in found} == {
        ("external.helpfulness", 7.0, "EVAL"),
        ("external.tone", 5.0, "judge"),
    }


def test_each_score_that_is_not_stored_is_named_with_the_reason(bench):
    sent = [
        SCORE,
        SCORE | {"value": 9},
        SCORE | {"name": "sarcasm"},
        SCORE | {"evaluator": "somebody"},
        SCORE | {"value": None, "label": "odd"},
        SCORE | {"answer_id": "later"},
        SCORE | {"value": 3},
        SCORE | {"evaluator": "groundwire"},
    ]
    said = bench.post({"evaluations": sent}).json()
    assert {(each["number"], each["outcome"]) for each in said["untaken"]} == {
        (2, "refused"),
        (3, "undeclared"),
        (4, "undeclared"),
        (5, "refused"),
        (6, "waiting"),
        (7, "conflicting"),
        (8, "own"),
    }
    reasons = {each["number"]: each["reason"] for each in said["untaken"]}
    assert reasons[2] == "9 is outside the bounds of tone, 1 to 5"
    assert reasons[3] == "no metric under `external` takes scores of this name"
    assert reasons[4] == "tone takes no scores of evaluator somebody: see its `evaluators`"
    assert reasons[5] == "label 'odd' has no value: give it one under `values` of tone"
    assert reasons[7] == "stored before as 4 by judge@2; that score stands"
    counts = [said[name] for name in ("stored", "repeated", "conflicting", "waiting", "undeclared", "refused", "own")]
    assert (counts, said["received"]) == ([1, 0, 1, 1, 2, 2, 1], 8)


def test_scores_that_were_given_up_are_named_with_the_reason(bench):
    bench.post(SCORE | {"answer_id": None, "response_id": "chatcmpl-1"})
    assert bench.client.get("/v1/evaluations").json()["unmatched"] == []
    bench.store.match_external(judged, before=NOON + 1, limit=9)
    (given_up,) = bench.client.get("/v1/evaluations").json()["unmatched"]
    assert given_up == {
        "metric": "external.tone",
        "value": 4.0,
        "evaluator": "judge@2",
        "source": "api",
        "received_at": "2026-05-28T20:26:40Z",
        "answer_id": "",
        "trace_id": "",
        "span_id": "",
        "response_id": "chatcmpl-1",
        "reason": "its answer did not come within a day",
    }


def test_the_agent_says_what_it_takes_who_measures_and_what_nobody_declared(bench):
    bench.post({"evaluations": [SCORE, SCORE | {"name": "sarcasm"}, SCORE | {"answer_id": "later"}]})
    said = bench.client.get("/v1/evaluations").json()
    assert said["metrics"][0] == {
        "metric": "external.tone",
        "scores": ["tone"],
        "evaluators": ["judge"],
        "bounds": [1.0, 5.0],
        "better": "higher",
        "measured_by": ["judge@2"],
    }
    assert (said["waiting"], said["undeclared"]) == (1, {"sarcasm": 1})


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"{", "the body is not JSON"),
        (b"[]", "there is no score"),
        (b"[7]", "evaluation 1: must be an object"),
        (b'{"evaluations": {}}', "evaluations: must be a list"),
        (
            json.dumps(SCORE | {"answer_id": None}).encode(),
            "evaluation 1: body: give answer_id, trace_id or response_id",
        ),
        (b"[" + b"{}," * 100_001 + b"{}]", "more than 100,000 JSON objects"),
        (json.dumps([SCORE] * 5_001).encode(), "5,001 scores are more than the 5,000 of one request"),
    ],
)
def test_what_cannot_be_read_is_refused_as_a_whole(bench, body, problem):
    response = bench.post(body)
    assert response.status_code == 400
    assert problem in response.json()["error"]


def test_a_page_in_a_browser_cannot_send_scores_and_nobody_without_the_token(tmp_path, bench):
    assert bench.post(SCORE, "text/plain").status_code == 415
    closed = Bench(tmp_path / "closed", token="secret")
    assert closed.post(SCORE).status_code == 401
    assert closed.post(SCORE, authorization="Bearer secret").status_code == 200
    closed.store.close()


def test_a_record_of_a_case_aware_judge_is_eight_scores_and_their_sum(tmp_path):
    config = Config.model_validate(
        {
            "external": [{"name": "s_final", "profile": "case-aware"}],
            "gates": [{"type": "threshold", "name": "cases", "metric": "external.s_final", "at_least": 0.7}],
        }
    )
    bench = Bench(tmp_path / "data", declared=config.external)
    values = dict(zip(CASE_INPUTS, (0.6890, 0.7429, 0.6526, 0.6943, 0.7603, 0.9421, 0.7636, 0.7004), strict=True))
    record = {f"{name}_score": value for name, value in values.items()}
    record |= {f"{name}_justification": "because" for name in values} | {"answer_id": "a", "evaluator": "judge"}
    said = bench.post(record).json()
    assert (said["received"], said["stored"], said["undeclared"]) == (9, 9, 0)
    found = {each["metric"]: each for each in bench.client.get("/v1/answers/a").json()["external"]}
    assert round(found["external.s_final"]["value"], 4) == 0.7353
    assert (found["external.s_final"]["label"], found["external.s_final"]["evaluator"]) == ("minor", "judge")
    assert found["external.hallucination"]["explanation"] == "because"
    assert bench.post(record).json()["repeated"] == 9
    parts = [{"name": name, "value": 0.5, "answer_id": "b", "evaluator": "judge"} for name in CASE_INPUTS]
    assert bench.post(parts[:-1]).json()["stored"] == 7
    assert bench.post({**record, "hallucination_score": 2}).json()["error"] == (
        "evaluation 1: hallucination_score: must be from 0 to 1"
    )
    bench.store.close()
