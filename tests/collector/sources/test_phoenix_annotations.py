"""Annotations of answers read from Phoenix, against a server with its two lists of them."""

import base64
import json
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from collector.outbound.errors import Unreachable
from collector.sources import with_scores
from collector.sources.asking import AGES, GROUP, MINUTE
from collector.sources.base import AnswerPlace
from collector.sources.phoenix import PhoenixSource
from tests.collector.sources.server import serving

NOW = 1_790_000_000_000_000_000
DAY = 24 * 60 * MINUTE
DESK = base64.b64encode(b"Project:1").decode()


class Server:
    """Phoenix's lists of annotations: by span or by trace, newest first, refused where nothing is named."""

    def __init__(self):
        self.rows = []
        self.asked = []
        self.status = None

    def annotate(self, name, score=None, *, span=None, trace=None, label=None, **given):
        result = {"score": score, "label": label, "explanation": None}
        number = len(self.rows) + 1
        row = {
            "id": base64.b64encode(f"SpanAnnotation:{number}".encode()).decode(),
            "created_at": f"2026-09-21T10:00:{number:02}+00:00",
            "updated_at": "2026-09-21T10:00:00+00:00",
            "source": "API",
            "user_id": None,
            "name": name,
            "annotator_kind": "LLM",
            "result": result,
            "metadata": {},
            "identifier": "",
        } | given
        row |= {"span_id": span} if trace is None else {"trace_id": trace}
        self.rows.append(row)

    def answer(self, request):
        url = urlsplit(request.path)
        path, query = unquote(url.path), parse_qs(url.query)
        assert len(request.path) < 8_192
        if path == "/v1/projects":
            return self._give(request, [{"id": DESK, "name": "desk"}])
        self.asked.append(path.rpartition("/")[2])
        if self.status is not None:
            return request.give(self.status, b"no")
        by, key = ("span_id", "span_ids") if path.endswith("span_annotations") else ("trace_id", "trace_ids")
        assert path.startswith(f"/v1/projects/{DESK}/")
        assert 0 < len(query[key]) <= 1_000
        found = [row for row in reversed(self.rows) if row.get(by) in query[key]]
        first = int(query.get("cursor", ["0"])[0])
        limit = min(int(query["limit"][0]), 2)
        more = str(first + limit) if first + limit < len(found) else None
        return self._give(request, found[first : first + limit], more)

    @staticmethod
    def _give(request, rows, cursor=None):
        request.give(200, json.dumps({"data": rows, "next_cursor": cursor}).encode(), content_type="application/json")


class Answers:
    """Answers of the store, by when they arrived."""

    def __init__(self):
        self.rows = []

    def arrived(self, at, *, trace=True, span=True):
        seq = len(self.rows) + 1
        self.rows.append((at, AnswerPlace(seq, f"{seq:032x}" if trace else "", f"{seq:016x}" if span else None)))
        return seq

    def __call__(self, *, after, arrived_from, arrived_before, limit):
        found = [place for at, place in self.rows if place.seq > after and arrived_from <= at < arrived_before]
        return found[:limit]


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
def source(server, answers):
    with serving(server.answer) as url:
        _, options = with_scores([PhoenixSource(url=url, scores=True)])
        opened = options.open("sources[0]")
        opened.answers = answers
        yield opened
        opened.close()


def read(source, now, cursor=None):
    scores, more = [], True
    while more:
        page = source.fetch(cursor, now=now)
        assert not page.malformed
        scores += page.scores
        cursor, more = page.cursor, page.more
    return scores, cursor


def test_annotations_of_the_span_and_of_the_trace_are_read(server, answers, source):
    answers.arrived(NOW - 5 * MINUTE)
    span, trace = f"{1:016x}", f"{1:032x}"
    server.annotate("qa", 0.5, span=span, label="partly", identifier="nightly")
    server.annotate("thumbs", label="up", trace=trace, annotator_kind="HUMAN")
    server.annotate("note", None, span=span)
    server.annotate("claim_support", 1, span=span, identifier="groundwire", metadata={"answer_id": "a", "revision": 0})
    scores, _ = read(source, NOW)
    told = [(each.name, each.value, each.label, each.trace_id, each.span_id, each.evaluator) for each in scores]
    assert told == [
        ("qa", 0.5, "partly", trace, span, "nightly"),
        ("thumbs", None, "up", trace, None, "HUMAN"),
        ("claim_support", 1.0, None, trace, span, "groundwire"),
    ]
    assert [each.ours for each in scores] == [False, False, True]


def test_an_answer_is_asked_about_at_growing_ages_and_never_after(server, answers, source):
    answers.arrived(NOW)
    asked, cursor = [], None
    for minute in range(0, 3 * 24 * 60, 2):
        before = len(server.asked)
        _, cursor = read(source, NOW + minute * MINUTE, cursor)
        if len(server.asked) > before:
            asked.append(minute)
    assert asked == [age // MINUTE + 2 for age in AGES]
    assert source.position(cursor) == {"answers_asked_by_minutes": {"2": 1, "20": 1, "180": 1, "1020": 1}}


def test_what_a_judge_says_an_hour_later_is_found(server, answers, source):
    answers.arrived(NOW)
    _, cursor = read(source, NOW + 30 * MINUTE)
    server.annotate("qa", 1, span=f"{1:016x}")
    scores, _ = read(source, NOW + 200 * MINUTE, cursor)
    assert [each.value for each in scores] == [1.0]


def test_many_answers_are_asked_about_in_groups_and_old_ones_not_at_all(server, answers, source):
    answers.arrived(NOW - 3 * DAY)
    for _ in range(2 * GROUP + 1):
        answers.arrived(NOW - 5 * MINUTE)
    for number in (2, 100, 202):
        server.annotate("qa", number, span=f"{number:016x}")
    scores, _ = read(source, NOW)
    assert [each.value for each in scores] == [2.0, 100.0, 202.0]
    assert len(server.asked) == 6


def test_an_answer_without_a_trace_is_passed_over(server, answers, source):
    answers.arrived(NOW - 5 * MINUTE, trace=False)
    answers.arrived(NOW - 5 * MINUTE, span=False)
    assert read(source, NOW)[0] == []
    assert server.asked == ["trace_annotations"]


def test_a_project_without_these_spans_has_nothing_and_a_failure_is_told(server, answers, source):
    answers.arrived(NOW - 5 * MINUTE)
    server.status = 404
    assert read(source, NOW)[0] == []
    server.status = 500
    with pytest.raises(Unreachable, match="500"):
        source.fetch(None, now=NOW)


def test_a_row_that_is_no_score_costs_itself_alone(server, answers, source):
    answers.arrived(NOW - 5 * MINUTE)
    server.annotate("x" * 500, 1, span=f"{1:016x}")
    server.annotate("qa", 1, span=f"{1:016x}")
    page = source.fetch(None, now=NOW)
    assert [each.name for each in page.scores] == ["qa"]
    assert "name: String should have at most 200 characters" in page.malformed[0].reason
