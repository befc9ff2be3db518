"""The MLflow source against a server that gives what a real one gave (`tests/golden/record_mlflow.py`)."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from adapters.base import AdaptOptions
from adapters.detect import adapt_trace
from adapters.schema import Answer
from adapters.wire.otlp import group
from collector.outbound.errors import Unreachable
from collector.sources.mlflow import LOOK, MLflowPuller, MLflowSource
from collector.sources.mlflow_cursor import LATE, LONG, LONGEST, MAX_SEEN, ListedTrace, MLflowCursor
from tests.collector.sources.server import Handler, serving

RECORDED = Path(__file__).parents[2] / "golden" / "mlflow"
NOW = 1_795_600_000_000_000_000


def recorded(name: str) -> Any:
    return json.loads((RECORDED / f"{name}.json").read_text())


class Server:
    """Lists traces by when they began, a page at a time, and gives their spans."""

    def __init__(self) -> None:
        self.experiments = recorded("experiments")["experiments"]
        self.infos = recorded("search")["traces"]
        self.traces = {each["trace_info"]["trace_id"]: each for each in recorded("traces")["traces"]}
        self.long: list[Any] = []
        self.asked: list[tuple[str, Any]] = []
        self.body: bytes | None = None

    def answer(self, request: Handler) -> None:
        url = urlsplit(request.path)
        length = int(request.headers.get("content-length") or 0)
        given = json.loads(request.rfile.read(length)) if length else parse_qs(url.query)
        self.asked.append((url.path.rsplit("/", 1)[-1], given))
        if self.body is not None:
            request.give(200, self.body)
        elif url.path.endswith("experiments/search"):
            self.give(request, {"experiments": self.experiments})
        elif url.path.endswith("traces/search"):
            wanted = {place["mlflow_experiment"]["experiment_id"] for place in given["locations"]}
            desk = next(each["experiment_id"] for each in self.experiments if each["name"] == "desk")
            rows = self.long if "execution_time_ms" in given["filter"] else self.infos
            rows = rows if desk in wanted else []
            start = int(given.get("page_token", 0))
            token = {"next_page_token": str(start + 2)} if start + 2 < len(rows) else {}
            self.give(request, {"traces": rows[start : start + 2], **token})
        else:
            self.give(request, {"traces": [self.traces[each] for each in given["trace_ids"] if each in self.traces]})

    def give(self, request: Handler, body: Any) -> None:
        request.give(200, json.dumps(body).encode())


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    with serving(server.answer) as found:
        yield found


def opened(url: str, **given: Any) -> Any:
    options = MLflowSource.model_validate({"type": "mlflow", "url": url, "since": "30d", **given})
    return closing(options.open("sources[0]"))


def instant(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()


def pulled(source: MLflowPuller, cursor: bytes | None = None, now: int = NOW) -> tuple[list[Answer], bytes, list[int]]:
    """All answers there are, the cursor behind them, and how many spans each page held."""
    spans, sizes, more = [], [], True
    while more:
        page = source.fetch(cursor, now=now)
        assert not page.malformed
        spans += page.spans
        sizes.append(len(page.spans))
        cursor, more = page.cursor, page.more
    options = AdaptOptions(attributes={"tenant": "tenant"})
    return [answer for trace in group(spans) for answer in adapt_trace(trace, options)], cursor, sizes


def test_traces_of_a_real_server_are_answers_with_what_its_otlp_export_leaves_out(url: str) -> None:
    with opened(url) as source:
        answers, cursor, sizes = pulled(source)
        assert (len(answers), sizes) == (3, [9])
        assert source.position(cursor)["traces"] == 3
    for answer in answers:
        assert (answer.question, answer.answer) == (
            "For how long are books lent?",
            "Books are lent for four weeks [1].",
        )
        assert [(p.id, p.score, p.version) for p in answer.passages] == [
            ("LOAN-1@2", 0.75, "2"),
            ("LOAN-2@1", 0.5, "1"),
        ]
        assert (answer.session_id, answer.user_id, answer.attributes) == ("s-1", "u-1", {"tenant": "branch-north"})
        assert (answer.model, answer.llm_calls, answer.usage.prompt_tokens) == ("librarian-1-0424", 1, 20)
        assert answer.flags == frozenset()


def test_each_trace_is_read_once_in_pages(server: Server, url: str) -> None:
    with opened(url, page=2) as source:
        answers, cursor, sizes = pulled(source)
        assert (len(answers), sizes) == (3, [6, 3])
        assert pulled(source, cursor)[2] == [0]
    assert [len(given["trace_ids"]) for name, given in server.asked if name == "batchGet"] == [2, 1]


def test_a_trace_that_is_stored_behind_later_ones_is_read_then(server: Server, url: str) -> None:
    late = server.infos.pop(0)
    with opened(url) as source:
        _, cursor, _ = pulled(source)
        server.infos.insert(0, late)
        answers, _, _ = pulled(source, cursor)
    assert [answer.trace_id for answer in answers] == [late["trace_id"].removeprefix("tr-")]


def test_a_trace_that_ran_for_hours_is_found_behind_later_ones_once(server: Server, url: str) -> None:
    late = server.infos.pop(0)
    with opened(url) as source:
        _, cursor, _ = pulled(source)
        began = NOW // 1_000_000 - LONGEST * 11 // 12
        state = MLflowCursor.of(cursor)
        assert state is not None
        server.long = [late | {"request_time": instant(began), "execution_duration": "21600.5s"}]
        assert pulled(source, cursor)[0] == [], "it is looked for once a minute"
        answers, cursor, _ = pulled(source, cursor, now=NOW + LOOK)
        assert [answer.trace_id for answer in answers] == [late["trace_id"].removeprefix("tr-")]
        assert pulled(source, cursor, now=NOW + 2 * LOOK)[0] == []
    (asked, *_) = [given["filter"] for name, given in server.asked if "execution_time_ms" in str(given)]
    assert asked == (
        f"trace.execution_time_ms >= {LONG} AND trace.timestamp_ms >= {(NOW + LOOK) // 1_000_000 - LONGEST} "
        f"AND trace.timestamp_ms < {state.at - LATE}"
    )


def test_a_trace_that_ran_long_and_was_read_with_the_others_is_not_read_again(server: Server, url: str) -> None:
    server.infos[0]["execution_duration"] = "400.25s"
    with opened(url) as source:
        answers, cursor, _ = pulled(source)
        server.long = [server.infos.pop(0)]
        assert (len(answers), pulled(source, cursor, now=NOW + LOOK)[0]) == (3, [])


def test_a_trace_under_way_waits_until_it_has_ended(server: Server, url: str) -> None:
    ended = copy.deepcopy(server.infos[0])
    server.infos[0]["state"] = "IN_PROGRESS"
    with opened(url) as source:
        answers, cursor, _ = pulled(source)
        server.infos[0] = ended
        assert (len(answers), len(pulled(source, cursor)[0])) == (2, 1)


@pytest.mark.parametrize(("wanted", "found"), [(["desk"], 3), (["Default"], 0)])
def test_only_experiments_that_are_wanted_are_read(url: str, wanted: list[str], found: int) -> None:
    with opened(url, experiments=wanted) as source:
        assert len(pulled(source)[0]) == found


def test_an_experiment_that_is_not_there_is_told_with_those_that_are(url: str) -> None:
    with opened(url, experiments=["shop"]) as source, pytest.raises(Unreachable, match=r"'shop'; known: Default, desk"):
        source.fetch(None, now=NOW)


def test_spans_that_cannot_be_read_hide_no_others(server: Server, url: str) -> None:
    first = server.infos[0]["trace_id"]
    server.traces[first]["spans"][0]["span_id"] = "?"
    server.traces[first]["spans"][1]["attributes"] = 7
    server.traces[server.infos[1]["trace_id"]] = {"trace_info": {"trace_id": "tr-x"}, "spans": None}
    with opened(url) as source:
        page = source.fetch(None, now=NOW)
    assert len(page.spans) == 4
    assert len(page.malformed) == 3
    assert all("\n" not in str(error) for error in page.malformed)


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"experiments": 1}'])
def test_an_answer_that_is_none_of_mlflows_is_told(server: Server, url: str, body: bytes) -> None:
    server.body = body
    with opened(url) as source, pytest.raises(Unreachable):
        source.fetch(None, now=NOW)


def test_a_cursor_is_bounded_and_reads_back() -> None:
    many = [ListedTrace(f"tr-{n}", n, LONG) for n in range(MAX_SEEN + 10)]
    state = MLflowCursor(since=0, at=0).advanced(many, now=0)
    assert len(state.seen) == len(state.long) == MAX_SEEN
    assert MLflowCursor.of(state.encoded()) == state
    later = state.advanced([ListedTrace("tr-x", LATE * 3, 1)], now=LONGEST * 2)
    assert (dict(later.seen), later.long) == ({"tr-x": LATE * 3}, {})


def test_a_cursor_of_before_long_traces_were_looked_for_reads_back() -> None:
    old = json.dumps({"version": 1, "since": 5, "at": 7, "seen": {"tr-1": 7}, "read": 1}).encode()
    assert MLflowCursor.of(old) == MLflowCursor(5, 7, {"tr-1": 7}, 1)


@pytest.mark.parametrize("cursor", [b"", b"?", b"[]", b'{"version": 9}', b'{"version": 1, "seen": []}'])
def test_a_cursor_that_cannot_be_read_counts_as_none(url: str, cursor: bytes) -> None:
    with opened(url) as source:
        assert len(source.fetch(cursor, now=NOW).spans) == 9
        assert source.position(cursor) == {}
