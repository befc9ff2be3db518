"""Labels over HTTP and by the command: what is taken, what is refused and why, and what sending again does."""

import json

import pytest
from starlette.testclient import TestClient

from adapters.schema import Answer
from collector.api import labels as labelsapi
from collector.api.app import Api
from collector.api.labels import Labelling
from collector.api.readiness import Readiness
from collector.api.serving import Parts
from collector.receivers.guard import ApiTokens
from collector.store.rows import Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from gates.drift import DriftGate
from scorers import SCORERS
from scorers.base import Evaluation, Score
from telemetry.registry import Telemetry
from tests.external import reception

SECOND = 10**9
NOON = 1_780_000_000 * SECOND
METRICS = {kind.metric.name: kind.metric for kind in SCORERS}
PANEL = [METRICS[name] for name in ("claim_support", "stale_source_use", "composite")]
GATE = {"type": "drift", "metric": "claim_support", "worse": "lower", "labels": "prediction-powered"}
LABEL = {"answer_id": "a", "metric": "claim_support", "label": 0, "label_probability": 0.45}


class Bench:
    def __init__(self, directory, *, gates=({},), token=None):
        self.now = NOON
        self.store = open_store(directory)
        self.telemetry = Telemetry(metrics=(), dimensions=("service",), version="1")
        self.api = Api(
            telemetry=self.telemetry,
            readiness=Readiness([]),
            gates=("grounded",),
            dimensions=("service",),
            reception=reception(),
            version="1",
            tokens=ApiTokens(token),
            clock=lambda: self.now,
            labelling=Labelling(
                metrics=PANEL, gates=[DriftGate(**GATE | {"name": f"g{i}"} | more) for i, more in enumerate(gates)]
            ),
        )
        self.api.open(Parts(self.store, None))
        self.client = TestClient(self.api.app())
        for name in ("a", "b", "waiting"):
            stored = StoredAnswer(Answer(id=name), {"service": "desk"}, 1.0, True)
            self.store.append_pulled(Pulled("files", b"", NOON, answers=[stored]))
        for name in ("a", "b"):
            scores = tuple(Score(metric=each.name, value=0.5) for each in PANEL)
            evaluation = Evaluation(answer_id=name, revision=0, scores=scores)
            self.store.record_evaluations([StoredEvaluation(evaluation, NOON, NOON, {}, 1.0, None, {})])

    def post(self, body, media="application/json"):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post("/v1/labels", content=content, headers={"content-type": media})

    def listed(self, query=""):
        return self.client.get(f"/v1/labels{query}").json()["labels"]

    def counted(self):
        lines = self.telemetry.exposition("")[0].decode().splitlines()
        mine = [line for line in lines if line.startswith("groundwire_labels_total{")]
        found = (line.split('outcome="')[1].split('"} ') for line in mine)
        return {outcome: int(float(value)) for outcome, value in found if float(value)}


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "data")
    yield bench
    bench.store.close()


def test_a_label_is_recorded_and_listed_as_it_was_sent(bench):
    response = bench.post(LABEL | {"labeller": "gold", "at": "2026-05-28T00:00:00Z"})
    assert response.status_code == 200, response.text
    assert response.json() == {
        "received": 1,
        "stored": 1,
        "repeated": 0,
        "conflicting": 0,
        "unmatched": 0,
        "untaken": [],
        "notes": [],
    }
    assert bench.listed() == [
        {
            "seq": 3,
            "answer_id": "a",
            "metric": "claim_support",
            "value": 0.0,
            "probability": 0.45,
            "labeller": "gold",
            "at": "2026-05-28T00:00:00Z",
            "recorded_at": "2026-05-28T20:26:40Z",
        }
    ]
    assert bench.listed("?after=3") == []


def test_a_batch_says_of_each_label_what_became_of_it_and_sending_it_again_changes_nothing(bench):
    batch = {"labels": [LABEL, LABEL | {"answer_id": "b", "label": "good"}, LABEL | {"label": 1}]}
    batch["labels"] += [LABEL | {"answer_id": "waiting"}, LABEL | {"answer_id": "gone"}]
    first = bench.post(batch).json()
    assert {name: first[name] for name in ("received", "stored", "repeated", "conflicting", "unmatched")} == {
        "received": 5,
        "stored": 2,
        "repeated": 0,
        "conflicting": 1,
        "unmatched": 2,
    }
    told = {each["number"]: (each["outcome"], each["reason"]) for each in first["untaken"]}
    assert told[3][0] == "conflicting"
    assert told[3][1].startswith("recorded before as 0 with label_probability 0.45 by human, at 2026-05-28T20:26:40Z")
    assert told[4] == ("unmatched", "the answer is not scored yet; send the label again when it is")
    assert "unknown" in told[5][1]
    bench.now += 60 * SECOND
    again = bench.post(batch).json()
    assert (again["stored"], again["repeated"], again["conflicting"]) == (0, 2, 1)
    assert [(row["answer_id"], row["value"]) for row in bench.listed()] == [("a", 0.0), ("b", 1.0)]
    assert bench.counted() == {"stored": 2, "repeated": 2, "conflicting": 2, "unmatched": 4}


@pytest.mark.parametrize("media", labelsapi.LINES)
def test_labels_come_a_line_as_well(bench, media):
    lines = b"\n\n".join(json.dumps(LABEL | {"answer_id": name}).encode() for name in "ab") + b"\n"
    assert bench.post(lines, media).json()["stored"] == 2


def test_good_and_bad_are_the_best_and_the_worst_value_of_the_metric(bench):
    for metric, bad, good in (("claim_support", 0.0, 1.0), ("stale_source_use", 1.0, 0.0), ("composite", 0.0, 100.0)):
        words = (("a", "bad"), ("b", "good"))
        sent = [LABEL | {"answer_id": name, "metric": metric, "label": word} for name, word in words]
        bench.post({"labels": sent})
        values = [row["value"] for row in bench.listed() if row["metric"] == metric]
        assert values == [bad, good]


def test_the_metric_may_be_left_out_where_gates_judge_one_by_labels(bench):
    said = {name: value for name, value in LABEL.items() if name != "metric"}
    assert bench.post(said).json()["stored"] == 1
    assert bench.listed()[0]["metric"] == "claim_support"


def test_labels_that_no_gate_judges_by_are_kept_and_that_is_told(tmp_path):
    bench = Bench(tmp_path / "data", gates=())
    said = bench.post(LABEL).json()
    assert said["stored"] == 1
    assert said["notes"] == [
        "no gate judges claim_support by labels: set `labels: prediction-powered` on a drift gate over it"
    ]
    bench.store.close()


@pytest.mark.parametrize(
    ("judge", "labeller", "note"),
    [
        (
            None,
            "model",
            "gate g0 takes labels of claim_support by people, not by labeller model: give it",
        ),
        (
            {"failures": 200, "found": 180, "good": 400, "accepted": 390},
            "human",
            "gate g0 takes labels of claim_support by a model, not by labeller human: leave its `label_judge` out",
        ),
    ],
)
def test_labels_by_another_labeller_than_the_gate_goes_by_are_told(tmp_path, judge, labeller, note):
    bench = Bench(tmp_path / "data", gates=({"label_judge": judge},))
    assert bench.post(LABEL | {"labeller": labeller}).json()["notes"][0].startswith(note)
    bench.store.close()


REFUSED = [
    (b"", "not JSON"),
    (b"[]", "body: "),
    ({"labels": []}, "labels: "),
    ({"labels": [LABEL] * 5001}, "labels: "),
    ({"answer_id": "a"}, "labels.0.label: Field required; labels.0.label_probability: Field required"),
    (LABEL | {"label": "supported"}, "label: must be a number, or good or bad"),
    (LABEL | {"label": True}, "label: must be a number, or good or bad"),
    (LABEL | {"label": 1.5}, "label 1: label: 1.5 is outside the range of claim_support, 0 to 1"),
    (LABEL | {"label_probability": 0}, "label_probability: "),
    (LABEL | {"label_probability": 1.1}, "label_probability: "),
    (LABEL | {"labeller": "cat"}, "labeller: "),
    (LABEL | {"metric": "ndcg"}, "metric: unknown metric 'ndcg'; known: claim_support, stale_source_use, composite"),
    (LABEL | {"answer_id": ""}, "answer_id: "),
    (LABEL | {"answer_id": "a\0"}, "answer_id: has a character that cannot be stored"),
    (LABEL | {"at": "2026-05-28T20:40:00Z"}, "at: must be in the past"),
    (LABEL | {"probability": 0.5}, "probability: Extra inputs are not permitted"),
    ({"labels": [LABEL, LABEL | {"label": 7}, LABEL | {"label": -1}]}, "label 2: label: 7 is outside"),
]


@pytest.mark.parametrize(("body", "why"), REFUSED, ids=[why[:40] for _, why in REFUSED])
def test_what_is_no_label_is_refused_with_the_reason_and_nothing_is_recorded(bench, body, why):
    response = bench.post(body)
    assert response.status_code == 400, response.text
    assert why in response.json()["error"]
    assert len(response.json()["error"]) < 1000
    assert bench.listed() == []
    assert bench.counted()["refused"] >= 1


def test_bad_lines_are_named_by_their_numbers(bench):
    lines = b'{"answer_id": 1}\n\nx\n' + json.dumps(LABEL).encode()
    error = bench.post(lines, "application/x-ndjson").json()["error"]
    assert error.startswith("line 1: answer_id: ")
    assert "; line 3: not JSON: " in error
    assert bench.counted() == {"refused": 2}


def test_without_one_metric_that_gates_judge_by_labels_it_has_to_be_named(tmp_path):
    said = {name: value for name, value in LABEL.items() if name != "metric"}
    for place, (gates, why) in enumerate(
        [
            ((), "metric: required, because no gate judges by labels"),
            (({}, {"metric": "stale_source_use", "worse": "higher"}), "claim_support, stale_source_use by labels"),
        ]
    ):
        bench = Bench(tmp_path / str(place), gates=gates)
        assert why in bench.post(said).json()["error"]
        bench.store.close()


@pytest.mark.parametrize("media", ["text/plain", "", "application/x-www-form-urlencoded"])
def test_what_a_web_page_could_send_unasked_is_refused(bench, media):
    assert bench.post(LABEL, media).status_code == 415


def test_a_body_without_end_is_cut_off(bench):
    assert bench.post(b" " * (2 * 1024 * 1024) + b"{}").status_code == 413


def test_nothing_is_read_or_written_without_the_token(tmp_path):
    bench = Bench(tmp_path / "data", token="s3cret")
    assert bench.post(LABEL).status_code == bench.client.get("/v1/labels").status_code == 401
    assert bench.store.labels() == []
    bench.store.close()
