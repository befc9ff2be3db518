"""Phoenix's annotations: what is sent, and what is made of every answer."""

import json
from typing import get_args, get_type_hints
from urllib.parse import parse_qs, urlsplit

import pytest
from phoenix.client.__generated__ import v1
from pydantic import SecretStr

from collector.errors import ConfigError
from collector.outbound.errors import Refused, Unreachable
from collector.writeback.base import WriteResult
from collector.writeback.phoenix import PhoenixWriteBack
from tests.collector.sources.server import serving
from tests.collector.writeback.examples import ITEM, VERDICT, many


class Phoenix:
    """Holds spans and annotations as Phoenix does: one span it lacks refuses a whole request."""

    def __init__(self, *spans):
        self.spans = set(spans)
        self.annotations = {}
        self.requests = []
        self.answers = []

    def __call__(self, handler):
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        self.requests.append((handler.path, handler.headers, body))
        if self.answers:
            handler.give(*self.answers.pop(0))
            return
        url = urlsplit(handler.path)
        assert (handler.command, url.path, parse_qs(url.query)) == ("POST", "/v1/span_annotations", {"sync": ["true"]})
        assert set(body) == set(v1.AnnotateSpansRequestBody.__annotations__)
        for annotation in body["data"]:
            check(v1.SpanAnnotationData, annotation)
            check(v1.AnnotationResult, annotation["result"])
        missing = {annotation["span_id"] for annotation in body["data"]} - self.spans
        if missing:
            handler.give(404, f"Spans with IDs {', '.join(missing)} do not exist.".encode(), Content_Type="text/plain")
            return
        for annotation in body["data"]:
            self.annotations[annotation["name"], annotation["span_id"], annotation["identifier"]] = annotation
        answer = {"data": [{"id": f"U3BhbkFubm90YXRpb246{n}"} for n, _ in enumerate(body["data"])]}
        handler.give(200, json.dumps(answer).encode(), Content_Type="application/json")


def check(typed, given):
    """Hold an object to a TypedDict of the real client: its keys, and the required ones."""
    hints = get_type_hints(typed)
    assert set(given) <= set(hints)
    assert typed.__required_keys__ <= set(given)
    if "annotator_kind" in hints:
        assert given["annotator_kind"] in get_args(hints["annotator_kind"])


@pytest.fixture
def phoenix():
    return Phoenix(*(item.span_id for item in many(8)), ITEM.span_id)


def write(phoenix, items, **options):
    with serving(phoenix) as url:
        target = PhoenixWriteBack(url=url, **options).open("write_back[0]")
        try:
            return target.write(items)
        finally:
            target.close()


def test_a_score_and_a_verdict_become_annotations_by_code(phoenix):
    assert write(phoenix, [ITEM, VERDICT]) == WriteResult(2)
    score, verdict = phoenix.annotations.values()
    assert score == {
        "span_id": ITEM.span_id,
        "name": "claim_support",
        "annotator_kind": "CODE",
        "result": {"score": 0.5, "label": "partial", "explanation": "1 of 2 claims supported"},
        "metadata": {"metric_version": "1", "basis": "passages", "answer_id": "answer-1", "revision": 0},
        "identifier": "groundwire",
    }
    assert (verdict["name"], verdict["result"]["score"], verdict["result"]["label"]) == ("gate:grounded", None, "pass")


def test_writing_again_replaces(phoenix):
    write(phoenix, many(3))
    write(phoenix, many(3))
    assert len(phoenix.annotations) == 3
    write(phoenix, many(3), identifier="another agent")
    assert len(phoenix.annotations) == 6


def test_the_key_is_sent_as_bearer_token_and_may_be_in_a_file(phoenix, tmp_path):
    write(phoenix, [ITEM])
    write(phoenix, [ITEM], api_key=SecretStr("k3y"))
    file = tmp_path / "key"
    file.write_text("f1le\n")
    write(phoenix, [ITEM], api_key_file=file)
    assert [headers.get("Authorization") for _, headers, _ in phoenix.requests] == [None, "Bearer k3y", "Bearer f1le"]
    with pytest.raises(ConfigError, match=r"write_back\[0\]\.api_key_file: .*gone"):
        write(phoenix, [ITEM], api_key_file=tmp_path / "gone")


def test_spans_that_phoenix_does_not_know_do_not_keep_the_others_from_being_written(phoenix):
    items = many(12)
    assert write(phoenix, items) == WriteResult(8, tuple(items[8:]))
    assert len(phoenix.annotations) == 8
    assert len(phoenix.requests) == 2


def test_a_batch_of_unknown_spans_only_is_answered_by_one_request(phoenix):
    items = many(12)[8:]
    assert write(phoenix, items) == WriteResult(0, tuple(items))
    assert len(phoenix.requests) == 1


def test_a_404_that_names_no_span_of_ours_is_a_wrong_server_not_an_unknown_span(phoenix):
    for body in (b"Not Found", b'{"detail":"Not Found"}', b"Spans with IDs ffffffffffffffff do not exist.", b"\xff"):
        phoenix.answers = [(404, body)]
        with pytest.raises(Unreachable, match="404"):
            write(phoenix, [ITEM])


def test_a_server_that_says_404_for_ever_is_not_asked_for_ever(phoenix):
    items = many(8)
    phoenix.answers = [(404, item.span_id.encode()) for item in items]
    with pytest.raises(Unreachable):
        write(phoenix, items)
    assert len(phoenix.requests) == 3


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_request_that_phoenix_cannot_read_is_refused(phoenix, status):
    phoenix.answers = [(status, b"no such thing")]
    with pytest.raises(Refused, match=f"{status}.*no such thing"):
        write(phoenix, [ITEM])


@pytest.mark.parametrize("status", [301, 401, 403, 405, 429, 500, 502, 503, 507])
def test_every_other_status_is_a_server_that_cannot_be_used_now(phoenix, status):
    phoenix.answers = [(status, b"")]
    with pytest.raises(Unreachable, match=str(status)):
        write(phoenix, [ITEM])


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"data": []}', b'{"data": {}}', b"null"])
def test_a_200_that_is_not_phoenixs_answer_is_a_wrong_server(phoenix, body):
    phoenix.answers = [(200, body)]
    with pytest.raises(Unreachable):
        write(phoenix, [ITEM])


def test_a_key_given_twice_is_a_problem():
    options = PhoenixWriteBack(url="http://h", api_key=SecretStr("a"), api_key_file="b")
    assert list(options.problems("write_back[0]")) == ["write_back[0].api_key_file: give the key or its file, not both"]
