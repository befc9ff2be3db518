"""Langfuse's scores: bodies the real client's models accept, and what is made of every answer."""

import base64
import json
from dataclasses import replace

import pytest
from langfuse.api.scores.types.create_score_batch_response import CreateScoreBatchResponse
from langfuse.api.scores.types.create_score_batch_results import CreateScoreBatchResults
from langfuse.api.scores.types.create_score_request import CreateScoreRequest
from pydantic import SecretStr

from collector.errors import ConfigError
from collector.outbound.errors import Refused, Unreachable
from collector.writeback.base import REQUEST_ITEMS, WriteResult
from collector.writeback.langfuse import INGESTION, SCORES, LangfuseWriteBack, event, score
from tests.collector.sources.server import serving
from tests.collector.writeback.examples import ITEM, VERDICT, many

BODY_LIMIT = 1_000_000


class Langfuse:
    """Takes arrays of scores as a new server does, or events as an old one; ``refuses`` says which scores are wrong."""

    def __init__(self, *, arrays=True, events=True, refuses=lambda _: None):
        self.arrays, self.events, self.refuses = arrays, events, refuses
        self.scores = {}
        self.requests = []
        self.answers = []

    def __call__(self, handler):
        data = handler.rfile.read(int(handler.headers["content-length"]))
        body = json.loads(data)
        self.requests.append((handler.path, handler.headers, body))
        if self.answers:
            handler.give(*self.answers.pop(0))
        elif len(data) >= BODY_LIMIT:
            handler.give(413, b"Body exceeded 1mb limit")
        elif handler.path == SCORES:
            self.take_scores(handler, body)
        elif handler.path == INGESTION and self.events:
            self.take_events(handler, body)
        else:
            handler.give(404, b"<html>")

    def take_scores(self, handler, body):
        if not self.arrays:
            handler.give(400, b'{"message":"Invalid request data","error":[{"path":[],"message":"Expected object"}]}')
            return
        errors = [message for one in body if (message := self.keep(one, one["timestamp"]))]
        if errors:
            answer = CreateScoreBatchResults(
                accepted=len(body) - len(errors), rejected=len(errors), errors=[{"message": e} for e in errors]
            )
            handler.give(207, answer.model_dump_json().encode())
        else:
            handler.give(202, CreateScoreBatchResponse().model_dump_json().encode())

    def take_events(self, handler, body):
        errors, successes = [], []
        for one in body["batch"]:
            assert one["type"] == "score-create"
            message = self.keep(one["body"], one["timestamp"])
            status = {"id": one["id"], "status": 400 if message else 201}
            (errors if message else successes).append(status | ({"message": message} if message else {}))
        handler.give(207, json.dumps({"successes": successes, "errors": errors}).encode())

    def keep(self, one, timestamp):
        given = CreateScoreRequest.model_validate(one)
        assert not given.model_extra or set(given.model_extra) <= {"traceId", "observationId", "dataType"}
        assert isinstance(given.value, str) == (one["dataType"] == "CATEGORICAL")
        message = self.refuses(one)
        if not message:
            self.scores[one["id"], timestamp] = one
        return message


def opened(url, **options):
    keys = {"public_key": "pk-lf-1", "secret_key": SecretStr("sk-lf-2")}
    return LangfuseWriteBack(url=url, **(keys | options)).open("write_back[0]")


def write(langfuse, *batches, **options):
    with serving(langfuse) as url:
        target = opened(url, **options)
        try:
            return [target.write(items) for items in batches]
        finally:
            target.close()


def test_a_score_is_numeric_and_a_verdict_categorical_with_the_answers_own_time():
    langfuse = Langfuse()
    assert write(langfuse, [ITEM, VERDICT]) == [WriteResult(2)]
    (number, word) = langfuse.scores.values()
    assert number == {
        "id": number["id"],
        "traceId": ITEM.trace_id,
        "observationId": ITEM.span_id,
        "name": "claim_support",
        "value": 0.5,
        "dataType": "NUMERIC",
        "comment": "1 of 2 claims supported",
        "environment": "production",
        "timestamp": "2026-05-28T20:26:40.000Z",
        "metadata": {
            "metric_version": "1",
            "basis": "passages",
            "answer_id": "answer-1",
            "revision": 0,
            "label": "partial",
        },
    }
    assert (word["name"], word["value"], word["dataType"]) == ("gate:grounded", "pass", "CATEGORICAL")
    [(path, headers, _)] = langfuse.requests
    assert path == SCORES
    assert headers["Authorization"] == "Basic " + base64.b64encode(b"pk-lf-1:sk-lf-2").decode()


def test_writing_again_has_the_same_ids_and_times_and_another_answer_has_not():
    langfuse = Langfuse()
    write(langfuse, many(3), many(3), [replace(ITEM, answer_id="answer-0", revision=2, value=0.9)])
    assert len(langfuse.scores) == 3
    assert sorted(one["value"] for one in langfuse.scores.values()) == [0.5, 0.5, 0.9]
    write(langfuse, [replace(ITEM, name="latency")])
    assert len(langfuse.scores) == 4


@pytest.mark.parametrize("environment", ["Prod", "langfuse-x", "a b", "x" * 41, "", None, "pröd"])
def test_an_environment_that_langfuse_does_not_take_is_left_out(environment):
    assert "environment" not in score(replace(ITEM, environment=environment))


def test_the_largest_request_keeps_below_the_limit_of_the_body():
    worst = replace(ITEM, explanation="\N{GRINNING FACE}" * 500, label='"' * 500, answer_id="\x01" * 200)
    langfuse = Langfuse()
    items = [replace(worst, name=f"{n}") for n in range(REQUEST_ITEMS)]
    assert write(langfuse, items) == [WriteResult(REQUEST_ITEMS)]


def test_what_a_207_rejects_is_settled_and_not_sent_again():
    langfuse = Langfuse(refuses=lambda one: "too large" if one["name"] == "bad" else None)
    items = [ITEM, replace(ITEM, name="bad"), VERDICT]
    assert write(langfuse, items) == [WriteResult(2, (), 1, ("too large",))]
    assert len(langfuse.requests) == 1


def test_an_older_server_gets_the_same_scores_as_events_and_is_remembered():
    langfuse = Langfuse(arrays=False, refuses=lambda one: "bad value" if one["name"] == "bad" else None)
    assert write(langfuse, [ITEM, VERDICT, replace(ITEM, name="bad")], [ITEM]) == [
        WriteResult(2, (), 1, ("bad value",)),
        WriteResult(1),
    ]
    assert [path for path, _, _ in langfuse.requests] == [SCORES, INGESTION, INGESTION]
    assert len(langfuse.scores) == 2


def test_an_event_has_the_id_of_its_content():
    assert event(ITEM) == event(replace(ITEM))
    assert event(ITEM)["id"] != event(replace(ITEM, value=0.75, revision=1))["id"]
    assert event(ITEM)["body"]["id"] == event(replace(ITEM, value=0.75, revision=1))["body"]["id"]
    assert "timestamp" not in event(ITEM)["body"]


@pytest.mark.parametrize("status", [400, 404, 405, 422])
def test_a_server_without_either_endpoint_is_what_its_first_answer_says(status):
    langfuse = Langfuse(events=False)
    langfuse.answers = [(status, b"no arrays")]
    with pytest.raises((Refused, Unreachable), match=f"{status}.*no arrays"):
        write(langfuse, [ITEM])


def test_an_older_server_that_was_replaced_is_found_out():
    langfuse = Langfuse(arrays=False)
    with serving(langfuse) as url:
        target = opened(url)
        target.write([ITEM])
        langfuse.arrays, langfuse.events = True, False
        with pytest.raises(Unreachable, match="404"):
            target.write([ITEM])
        assert target.write([ITEM]) == WriteResult(1)
        target.close()
    assert [path for path, _, _ in langfuse.requests] == [SCORES, INGESTION, INGESTION, SCORES]


def test_a_server_known_to_take_arrays_is_not_taken_for_an_older_one():
    langfuse = Langfuse()
    with serving(langfuse) as url:
        target = opened(url)
        target.write([ITEM])
        langfuse.answers = [(400, b"bad")]
        with pytest.raises(Refused, match=r"400.*bad"):
            target.write([ITEM])
        target.close()
    assert {path for path, _, _ in langfuse.requests} == {SCORES}


def test_a_body_that_is_too_large_is_refused():
    langfuse = Langfuse()
    langfuse.answers = [(413, b"too large")]
    with pytest.raises(Refused, match="413"):
        write(langfuse, [ITEM])


@pytest.mark.parametrize("answers", [[(429, b"")], [(400, b"object expected"), (429, b"")]])
def test_a_server_that_is_asked_too_often_says_when_to_come_back(answers):
    left = list(answers)

    def answer(handler):
        handler.rfile.read(int(handler.headers["content-length"]))
        handler.give(*left.pop(0), Retry_After="7")

    with serving(answer) as url:
        target = opened(url)
        with pytest.raises(Unreachable, match="429") as caught:
            target.write([ITEM])
        target.close()
    assert caught.value.retry_after == 7
    assert left == []


@pytest.mark.parametrize("status", [302, 401, 403, 500, 503])
def test_every_other_status_is_a_server_that_cannot_be_used_now(status):
    langfuse = Langfuse()
    langfuse.answers = [(status, b"")]
    with pytest.raises(Unreachable, match=str(status)):
        write(langfuse, [ITEM])


@pytest.mark.parametrize(
    "answer",
    [
        (200, b"<html>"),
        (207, b"[]"),
        (207, b"{}"),
        (207, b'{"rejected": "1"}'),
        (207, b'{"rejected": 5, "accepted": 0, "errors": []}'),
        (207, b'{"rejected": -1}'),
    ],
)
def test_an_answer_that_is_not_langfuses_is_a_wrong_server(answer):
    langfuse = Langfuse()
    langfuse.answers = [answer]
    with pytest.raises(Unreachable):
        write(langfuse, [ITEM])


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"errors": {}}',
        b'{"successes": [], "errors": [{"id": "x", "status": 500, "message": "boom"}]}',
        b'{"errors": [{"id": "x", "status": 429}]}',
        b'{"errors": ["x"]}',
        b'{"errors": [{"status": "400"}]}',
    ],
)
def test_events_that_failed_for_the_servers_sake_are_tried_again(body):
    langfuse = Langfuse()
    langfuse.answers = [(405, b""), (207, body)]
    with pytest.raises(Unreachable):
        write(langfuse, [ITEM])


def test_messages_of_any_form_are_kept_short_and_once():
    langfuse = Langfuse()
    errors = [{"message": "a\nb"}, {"message": "a b"}, {"message": None}, {}, 5, {"message": "x" * 5000}]
    langfuse.answers = [(207, json.dumps({"accepted": 0, "rejected": 6, "errors": errors}).encode())]
    assert write(langfuse, many(6)) == [WriteResult(0, (), 6, ("a b", "x" * 197 + "..."))]


def test_of_a_thousand_messages_a_few_are_kept():
    langfuse = Langfuse()
    errors = [{"message": f"m{index}", "status": 500} for index in range(1000)]
    langfuse.answers = [(405, b""), (207, json.dumps({"errors": errors}).encode())]
    with pytest.raises(Unreachable) as caught:
        write(langfuse, [ITEM])
    assert len(caught.value.reason) < 400


def test_a_secret_key_is_required_once_and_may_be_in_a_file(tmp_path):
    problems = LangfuseWriteBack(url="http://h", public_key="pk").problems
    assert list(problems("w")) == ["w.secret_key: required, or w.secret_key_file"]
    both = LangfuseWriteBack(url="http://h", public_key="pk", secret_key=SecretStr("a"), secret_key_file="b")
    assert list(both.problems("w")) == ["w.secret_key_file: give the key or its file, not both"]
    with pytest.raises(ConfigError, match=r"write_back\[0\]\.secret_key_file"):
        opened("http://h", secret_key=None, secret_key_file=tmp_path / "gone")
    file = tmp_path / "key"
    file.write_text("sk-file\n")
    langfuse = Langfuse()
    write(langfuse, [ITEM], secret_key=None, secret_key_file=file)
    [(_, headers, _)] = langfuse.requests
    assert base64.b64decode(headers["Authorization"].split()[1]) == b"pk-lf-1:sk-file"
