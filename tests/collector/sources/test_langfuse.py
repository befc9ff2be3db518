"""Pulling from Langfuse: whatever happens between two requests, every observation arrives, and none twice."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.peers import require_module

require_module("langfuse", "pip install 'groundwire[langfuse]'")

from pydantic import SecretStr, TypeAdapter, ValidationError

from adapters.trace import Span
from collector.errors import ConfigError
from collector.outbound.errors import ReplyTooLarge, Unreachable
from collector.sources.base import FetchedPage
from collector.sources.langfuse import LangfuseSource
from collector.sources.langfuse.cursor import Cursor, decode
from collector.sources.langfuse.requests import Requests
from collector.sources.langfuse.source import LangfusePuller, Times
from tests.collector.sources.langfuse_server import (
    LEGACY,
    MS,
    PUBLIC,
    SECRET,
    V2,
    LangfuseServer,
    MemoryClient,
    iso,
    nanoseconds,
    observation,
    told,
)

S = 1_000 * MS
MIN = 60 * S
T0 = 1_795_168_800 * S
TRACE = "1271fb414973df9f217bd7c8c0b3d4{:02x}"
TIMES = Times(window=10 * MIN, lag=MIN, legacy_lag=5 * MIN, hold=5 * MIN, since=60 * MIN)
BEGIN = Cursor(since=T0, high=T0, width=TIMES.window).encode()


def trace(number: int, start: int, length: int = 2 * S, steps: int = 2) -> list[dict[str, Any]]:
    """A root and steps below it, one after the other."""
    identity, root = TRACE.format(number), f"{number:08x}{0:08x}"
    part = length // (steps + 1)
    below = [
        observation(identity, f"{number:08x}{i:08x}", start + i * part, start + (i + 1) * part, root)
        for i in range(1, steps + 1)
    ]
    return [observation(identity, root, start, start + length), *below]


@dataclass
class Agent:
    """Stores what a source brings together with its cursor, as the frame does."""

    server: LangfuseServer
    times: Times = TIMES
    page: int = 5
    limits: dict[str, int] = field(default_factory=dict)
    cursor: bytes | None = BEGIN
    spans: dict[tuple[str, str], Span] = field(default_factory=dict)
    handed: list[list[Span]] = field(default_factory=list)
    malformed: list[str] = field(default_factory=list)
    source: LangfusePuller = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        requests = Requests(self.server.client())
        self.source = LangfusePuller(requests=requests, times=self.times, page=self.page, **self.limits)

    def fetch(self) -> FetchedPage:
        return self.source.fetch(self.cursor, now=self.server.now)

    def store(self, batch: FetchedPage) -> None:
        self.cursor = batch.cursor
        for span in batch.spans:
            self.spans[span.trace_id, span.span_id] = span
        if batch.spans:
            self.handed.append(list(batch.spans))
        self.malformed += [error.reason for error in batch.malformed]

    def look(self) -> int:
        """Fetch until there is nothing more for now; return how many fetches that took."""
        for number in range(1, 2_000):
            before = self.cursor
            batch = self.fetch()
            self.store(batch)
            if not batch.more or batch.cursor == before:
                return number
        raise AssertionError("it never ends")

    def until(self, end: int, step: int = 30 * S) -> None:
        while self.server.now < end:
            self.server.now = min(end, self.server.now + step)
            self.look()


def identities(rows: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(row["traceId"], row["id"]) for row in rows}


@pytest.fixture
def server() -> LangfuseServer:
    return LangfuseServer(now=T0)


def test_all_observations_of_a_window_arrive_once(server: LangfuseServer) -> None:
    for number in range(10):
        server.ingest(*trace(number, T0 + number * 5 * S))
    server.now = T0 + 10 * MIN
    agent = Agent(server)
    agent.look()
    assert set(agent.spans) == identities(server.observations)
    assert sum(map(len, agent.handed)) == 30
    assert max(server.served.values()) == 1


def test_nothing_of_a_window_is_handed_on_before_its_last_page(server: LangfuseServer) -> None:
    server.ingest(*trace(1, T0, steps=10))
    server.now = T0 + 10 * MIN
    agent = Agent(server)
    for _ in range(2):
        batch = agent.fetch()
        assert (batch.spans, batch.more) == ((), True)
        agent.store(batch)
    assert len(agent.fetch().spans) == 11


def test_a_trace_that_a_window_cuts_waits_and_comes_whole(server: LangfuseServer) -> None:
    rows = trace(1, T0 + 20 * S, length=40 * S)
    server.ingest(*rows)
    agent = Agent(server)
    server.now = T0 + 30 * S + MIN  # the first window ends in the middle of the trace
    agent.look()
    assert not agent.spans
    assert decode(agent.cursor).since == T0 + 15 * S
    server.now += MIN
    agent.look()
    assert [len(handed) for handed in agent.handed] == [3]
    assert set(agent.spans) == identities(rows)


def test_a_trace_whose_root_is_still_under_way_waits_for_it(server: LangfuseServer) -> None:
    root, _, *steps = trace(1, T0, length=120 * S, steps=3)
    first = observation(root["traceId"], "f" * 16, T0 + 3 * MS, T0 + 2 * S, root["id"])
    for row in (first, *steps):
        server.ingest(row, at=nanoseconds(row["endTime"]) + S)
    server.ingest(root, at=T0 + 125 * S)
    agent = Agent(server)
    agent.until(T0 + 2 * MIN)
    assert not agent.spans
    agent.until(T0 + 6 * MIN)
    assert [len(handed) for handed in agent.handed] == [4]


def test_a_root_that_began_in_the_window_before_is_found(server: LangfuseServer) -> None:
    root, step = trace(1, T0 + 28 * S, length=80 * S, steps=1)
    server.ingest(step | {"startTime": iso(T0 + 31 * S)}, at=T0 + 80 * S)
    server.ingest(root, at=T0 + 110 * S)
    agent = Agent(server)
    agent.until(T0 + 90 * S)  # a window ends between the root's start and the step's
    assert decode(agent.cursor).high == T0 + 30 * S
    agent.until(T0 + 6 * MIN)
    assert [len(handed) for handed in agent.handed] == [2]


def test_what_was_handed_on_already_is_not_handed_on_with_the_trace_that_waited(server: LangfuseServer) -> None:
    server.ingest(*trace(1, T0 + 10 * S, length=100 * S), *trace(2, T0 + 20 * S, length=2 * S))
    agent = Agent(server)
    agent.until(T0 + 10 * MIN)
    assert sorted(len({span.trace_id for span in handed}) for handed in agent.handed) == [1, 1]
    assert sum(map(len, agent.handed)) == 6


def test_an_observation_that_comes_late_into_a_trace_that_was_handed_on_is_not_lost(server: LangfuseServer) -> None:
    late, *rows = reversed(trace(2, T0 + 20 * S))
    server.ingest(*trace(1, T0 + 10 * S, length=3 * MIN), *rows)
    server.ingest(late, at=T0 + 130 * S)
    agent = Agent(server)
    agent.until(T0 + 10 * MIN)
    assert set(agent.spans) == identities(server.observations)


def test_a_trace_without_an_end_is_waited_for_only_so_long(server: LangfuseServer) -> None:
    root, *steps = trace(1, T0, steps=2)
    server.ingest(root | {"endTime": None}, *steps)
    agent = Agent(server)
    agent.until(T0 + 5 * MIN)
    assert not agent.spans
    agent.until(T0 + 7 * MIN)
    assert len(agent.spans) == 3
    assert decode(agent.cursor).since == decode(agent.cursor).high - 5 * S


def test_a_trace_without_a_root_is_taken_when_it_has_been_quiet(server: LangfuseServer) -> None:
    _, *steps = trace(1, T0)
    server.ingest(*steps)
    agent = Agent(server)
    agent.until(T0 + 3 * MIN)
    assert len(agent.spans) == 2


def test_what_is_ingested_within_the_lag_is_not_missed(server: LangfuseServer) -> None:
    for number in range(20):
        start = T0 + number * 3 * S
        server.ingest(*trace(number, start), at=start + 50 * S)
    agent = Agent(server)
    agent.until(T0 + 10 * MIN, step=7 * S)
    assert set(agent.spans) == identities(server.observations)
    assert len(agent.spans) == 60


def busy(server: LangfuseServer) -> None:
    for number in range(12):
        server.ingest(*trace(number, T0 + number * 4 * S, length=(1 + number % 5) * 12 * S, steps=3))


@pytest.mark.slow
@pytest.mark.parametrize("stored", [True, False], ids=["after-storing", "before-storing"])
@pytest.mark.parametrize("has_v2", [True, False], ids=["v2", "legacy"])
def test_a_kill_between_any_two_requests_skips_nothing_and_doubles_nothing(*, stored: bool, has_v2: bool) -> None:
    def run(kill: int | None) -> tuple[Agent, int]:
        server = LangfuseServer(now=T0, v2=has_v2)
        busy(server)
        agent = Agent(server)
        fetches = 0
        for now in range(T0 + MIN, T0 + 12 * MIN, 40 * S):
            server.now, going = now, True
            while going:
                fetches += 1
                before, batch = agent.cursor, agent.fetch()
                killed = fetches == kill
                if stored or not killed:
                    agent.store(batch)
                if killed:
                    agent.start()
                going = killed or (batch.more and batch.cursor != before)
        return agent, fetches

    whole, fetches = run(None)
    assert set(whole.spans) == identities(whole.server.observations)
    for kill in range(1, fetches + 1):
        agent, _ = run(kill)
        assert agent.spans == whole.spans
        assert sum(map(len, agent.handed)) == len(agent.spans)


@pytest.mark.parametrize("has_v2", [True, False], ids=["v2", "legacy"])
def test_any_request_may_fail_in_any_way(*, has_v2: bool) -> None:
    failures = [
        (0, {}, b""),
        (500, {}, b"oops"),
        (502, {"Content-Type": "text/html"}, b"<html>bad gateway</html>"),
        (200, {"Content-Type": "text/html"}, b"<html>please log in</html>"),
        told(200, []),
        told(200, {"data": {"a": 1}}),
        told(429, {"message": "Rate limit exceeded"}, **{"Retry-After": "23"}),
    ]
    server = LangfuseServer(now=T0, v2=has_v2)
    busy(server)
    server.before = lambda _path, number: failures[number % len(failures)] if number % 5 < 3 else None
    agent = Agent(server)
    refused: list[str] = []
    for now in range(T0 + MIN, T0 + 60 * MIN, 20 * S):
        server.now, going = now, True
        while going:
            before = agent.cursor
            try:
                batch = agent.fetch()
            except Unreachable as error:
                refused.append(error.reason)
                break
            agent.store(batch)
            going = batch.more and batch.cursor != before
    assert len(refused) > 20
    assert all(reason.isprintable() for reason in refused)
    assert set(agent.spans) == identities(server.observations)
    assert sum(map(len, agent.handed)) == len(agent.spans)


@pytest.mark.parametrize("has_v2", [True, False])
def test_what_began_while_the_clock_was_ahead_is_read_when_it_is_right_again(
    server: LangfuseServer, *, has_v2: bool
) -> None:
    server.v2 = has_v2
    server.ingest(*trace(1, T0))
    agent = Agent(server)
    server.now = T0 + 600 * MIN
    agent.look()
    assert set(agent.spans) == identities(server.observations)
    server.ingest(*trace(2, T0 + 30 * S), *trace(3, T0 + 20 * MIN))
    server.now = T0 + 2 * MIN
    agent.look()
    agent.until(T0 + 40 * MIN)
    assert set(agent.spans) == identities(server.observations)


def test_a_server_without_the_current_api_is_read_by_the_older_one_and_asked_again_later(
    server: LangfuseServer,
) -> None:
    busy(server)
    server.v2 = False
    agent = Agent(server)
    agent.until(T0 + 12 * MIN)
    assert set(agent.spans) == identities(server.observations)
    asked = [path for path, _ in server.requests].count(V2)
    assert asked == 1
    server.v2 = True
    agent.until(T0 + 75 * MIN, step=5 * MIN)
    assert decode(agent.cursor).mode == "v2"
    server.ingest(*trace(99, T0 + 80 * MIN))
    agent.until(T0 + 90 * MIN, step=5 * MIN)
    assert set(agent.spans) == identities(server.observations)


def test_traces_of_one_millisecond_on_many_pages_of_the_older_api_all_come(server: LangfuseServer) -> None:
    server.v2 = False
    for number in range(230):
        server.ingest(observation(f"{number:032x}", f"{number + 1:016x}", T0, T0 + S))
    agent = Agent(server)
    agent.until(T0 + 12 * MIN, step=12 * MIN)
    assert len(agent.spans) == 230


def test_a_trace_deleted_after_it_was_listed_does_not_stop_the_others(server: LangfuseServer) -> None:
    busy(server)
    server.v2 = False
    server.before = lambda path, _: told(404, {"message": "gone"}) if path.endswith(TRACE.format(3)) else None
    agent = Agent(server)
    agent.until(T0 + 12 * MIN)
    assert {span_trace for span_trace, _ in agent.spans} == {TRACE.format(n) for n in range(12) if n != 3}


def test_a_404_of_both_apis_is_a_wrong_address_and_changes_nothing(server: LangfuseServer) -> None:
    server.v2 = server.legacy = False
    agent = Agent(server)
    server.now = T0 + 5 * MIN
    with pytest.raises(Unreachable, match=r"^http://langfuse/api/public/v2/observations: 404 .*check the url"):
        agent.fetch()
    server.v2 = True
    agent.look()
    assert decode(agent.cursor).mode == "v2"


def test_a_window_that_is_too_much_is_divided(server: LangfuseServer) -> None:
    for number in range(40):
        server.ingest(*trace(number, T0 + number * S, length=S // 2))
    server.now = T0 + 10 * MIN
    agent = Agent(server, limits={"max_observations": 20})
    agent.look()
    assert set(agent.spans) == identities(server.observations)
    assert max(map(len, agent.handed)) <= 25
    assert sum(map(len, agent.handed)) == 120


def test_a_millisecond_that_is_too_much_is_handed_on_page_by_page(server: LangfuseServer) -> None:
    server.ingest(*(observation(TRACE.format(1), f"{n + 1:016x}", T0 + S, T0 + S, "aa" * 8) for n in range(50)))
    server.now = T0 + 10 * MIN
    agent = Agent(server, limits={"max_observations": 20})
    agent.look()
    assert len(agent.spans) == 50
    assert max(map(len, agent.handed)) == 5


def test_what_was_held_back_is_handed_on_where_it_is_too_much_to_read_again(server: LangfuseServer) -> None:
    server.ingest(*trace(1, T0, length=4 * MIN))
    for number in range(2, 60):
        server.ingest(*trace(number, T0 + number * 2 * S, length=S))
    agent = Agent(server, limits={"max_observations": 25})
    agent.until(T0 + 12 * MIN)
    assert set(agent.spans) == identities(server.observations)


def test_metadata_the_server_would_cut_is_asked_for_by_name(server: LangfuseServer) -> None:
    resource = {"service.name": "desk", "service.version": "2.1.0", "padding": "x" * 300}
    own = {"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.content": "Alpha. " * 60}
    scope = {"name": "openinference.instrumentation.haystack", "version": "0.1.46"}
    metadata = {"resourceAttributes": resource, "scope": scope, "attributes": own}
    server.ingest(observation(TRACE.format(1), "1" * 16, T0, T0 + S, metadata=metadata))
    server.now = T0 + 10 * MIN
    agent = Agent(server)
    agent.look()
    (span,) = agent.spans.values()
    assert (span.resource, span.scope_name) == (resource, scope["name"])
    assert span.attributes["retrieval.documents.0.document.content"] == "Alpha. " * 60
    assert span.dropped_attributes == 0


def test_only_the_environments_asked_for_are_read() -> None:
    server = LangfuseServer(now=T0 + 10 * MIN)
    rows = trace(1, T0) + [row | {"environment": "staging"} for row in trace(2, T0)]
    server.ingest(*rows, *(row | {"environment": "test"} for row in trace(3, T0)))
    with server.serving() as url:
        options = LangfuseSource(
            url=url,
            public_key=PUBLIC,
            secret_key=SecretStr(SECRET),
            environments=("default", "staging"),
        )
        source = options.open("sources[0]")
        found = source.fetch(BEGIN, now=server.now).spans
        source.close()
    assert {(span.trace_id, span.span_id) for span in found} == identities(rows)


def test_a_self_hosted_server_below_a_path_is_reached_over_http(server: LangfuseServer) -> None:
    busy(server)
    server.now = T0 + 10 * MIN
    with server.serving("/observability/langfuse") as url:
        options = LangfuseSource(
            url=url,
            public_key=PUBLIC,
            secret_key=SecretStr(SECRET),
        )
        source = options.open("sources[0]")
        spans = source.fetch(BEGIN, now=server.now).spans
        source.close()
    assert {(span.trace_id, span.span_id) for span in spans} == identities(server.observations)


def test_wrong_keys_say_which_options_to_look_at(server: LangfuseServer) -> None:
    with server.serving() as url:
        options = LangfuseSource(url=url, public_key=PUBLIC, secret_key=SecretStr("sk-lf-other"))
        source = options.open("sources[0]")
        with pytest.raises(Unreachable, match=r"401 Unauthorized.*check public_key and secret_key") as caught:
            source.fetch(None, now=T0 + 90 * MIN)
        source.close()
    assert "sk-lf-other" not in caught.value.reason


def js_date(ns: int) -> str:
    return datetime.fromtimestamp(ns / 1e9, UTC).strftime("%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)")


def test_a_used_up_rate_limit_is_waited_out_without_asking(server: LangfuseServer) -> None:
    server.ingest(*trace(1, T0, steps=12))
    server.now = T0 + 10 * MIN
    agent = Agent(server)
    limits = {
        "X-RateLimit-Limit": "30",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": js_date(server.now + 20 * S),
    }

    class Limited(MemoryClient):
        def get(self, path: str, params: Any = None) -> Any:
            reply = super().get(path, params)
            reply.headers.update(limits)
            return reply

    agent.source.requests.client = Limited(server)  # type: ignore[assignment]
    agent.store(agent.fetch())
    with pytest.raises(Unreachable, match="rate limit") as caught:
        agent.fetch()
    assert caught.value.retry_after == 20
    assert len(server.requests) == 1
    server.now += 20 * S
    agent.store(agent.fetch())
    assert (len(server.requests), decode(agent.cursor).pages) == (2, 2)  # where it was


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "23"}, 23.0),
        ({"X-RateLimit-Reset": js_date(T0 + 10 * MIN + 40 * S), "X-RateLimit-Remaining": "0"}, 40.0),
        ({}, None),
    ],
)
def test_a_429_is_obeyed_as_it_asks(server: LangfuseServer, headers: dict[str, str], seconds: float | None) -> None:
    server.before = lambda _path, _number: told(429, {"message": "Rate limit exceeded"}, **headers)
    server.now = T0 + 10 * MIN
    with pytest.raises(Unreachable, match="429") as caught:
        Agent(server).fetch()
    assert caught.value.retry_after == seconds


def test_a_server_that_fails_over_large_pages_is_asked_for_smaller_ones(server: LangfuseServer) -> None:
    busy(server)
    server.now = T0 + 10 * MIN

    def before(path: str, _number: int) -> Any:
        limit = int(dict(server.requests[-1][1]).get("limit", 0))
        return (504, {}, b"too slow") if path == V2 and limit > 60 else None

    server.before = before
    agent = Agent(server, page=200)
    for _ in range(2):
        with pytest.raises(Unreachable, match="504"):
            agent.look()
    agent.look()
    assert set(agent.spans) == identities(server.observations)


def test_an_observation_too_large_for_any_page_is_taken_without_its_content(server: LangfuseServer) -> None:
    server.ingest(*trace(1, T0), observation(TRACE.format(2), "2" * 16, T0 + MIN, T0 + MIN + S, input="x" * 500_000))
    server.now = T0 + 10 * MIN

    class Bounded(MemoryClient):
        def get(self, path: str, params: Any = None) -> Any:
            reply = super().get(path, params)
            if len(reply.body) > 100_000:
                raise ReplyTooLarge(f"{path}: 200 with more than 100000 bytes")
            return reply

    agent = Agent(server)
    agent.source.requests.client = Bounded(server)  # type: ignore[assignment]
    for _ in range(10):
        try:
            agent.look()
        except ReplyTooLarge:
            continue
    assert set(agent.spans) == identities(server.observations)
    assert len(agent.malformed) == 1


def test_a_cursor_the_server_no_longer_knows_begins_the_window_again(server: LangfuseServer) -> None:
    busy(server)
    server.now = T0 + 10 * MIN
    failed: list[int] = []

    def before(_path: str, number: int) -> Any:
        if "cursor" in dict(server.requests[-1][1]) and not failed:
            failed.append(number)
            return told(400, {"message": "Invalid cursor format", "error": "InvalidRequestError"})
        return None

    server.before = before
    agent = Agent(server)
    with pytest.raises(Unreachable, match="Invalid cursor format"):
        agent.look()
    agent.look()
    assert set(agent.spans) == identities(server.observations)


def test_a_cursor_that_leads_nowhere_is_the_servers_fault(server: LangfuseServer) -> None:
    row = trace(1, T0)[0]
    server.before = lambda _path, _number: told(200, {"data": [row], "meta": {"cursor": "same"}})
    server.now = T0 + 10 * MIN
    agent = Agent(server)
    with pytest.raises(Unreachable, match=r"^http://langfuse/.*leads to the same page"):
        agent.look()


def test_items_that_are_no_observations_are_counted_and_hide_no_other(server: LangfuseServer) -> None:
    good = trace(1, T0)[0]
    items = [None, {"id": "a"}, {"id": "b", "traceId": "c", "startTime": "soon"}, good]
    server.before = lambda _path, _number: told(200, {"data": items, "meta": {}})
    server.now = T0 + 10 * MIN
    agent = Agent(server)
    agent.look()
    assert (len(agent.spans), len(agent.malformed)) == (1, 3)


@pytest.mark.parametrize("cursor", [b"", b"{}", b"null", b"\xff", b'{"since": -1}', b'{"version": 2}'])
def test_a_cursor_that_cannot_be_read_counts_as_none(server: LangfuseServer, cursor: bytes) -> None:
    busy(server)
    server.now = T0 + 10 * MIN
    agent = Agent(server, cursor=cursor)
    agent.look()
    assert set(agent.spans) == identities(server.observations)
    assert agent.source.position(cursor) == {}


def test_the_position_says_what_was_read_and_what_is_held(server: LangfuseServer) -> None:
    cursor = Cursor(since=T0, high=T0 + S, width=S, until=T0 + MIN, pages=2)
    assert Agent(server).source.position(cursor.encode()) == {
        "api": "v2",
        "read_until": iso(T0 + S),
        "read_again_from": iso(T0),
        "window": {"from": iso(T0), "to": iso(T0 + MIN), "pages": 2},
    }


def test_the_first_run_begins_as_far_back_as_told(server: LangfuseServer) -> None:
    server.now = T0 + 90 * MIN
    server.ingest(*trace(1, T0), *trace(2, T0 + 31 * MIN))
    agent = Agent(server, cursor=None)
    agent.look()
    assert {trace_id for trace_id, _ in agent.spans} == {TRACE.format(2)}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "secret_key: required, or sources[0].secret_key_file"),
        ({"secret_key": "a", "secret_key_file": "b"}, "secret_key_file: give the key or its file, not both"),
    ],
)
def test_what_is_wrong_with_the_options_is_said_with_its_path(given: dict[str, Any], problem: str) -> None:
    options = LangfuseSource.model_validate({"public_key": "pk", **given})
    assert list(options.problems("sources[0]")) == [f"sources[0].{problem}"]


@pytest.mark.parametrize("url", ["ftp://host", "https://u:p@host", "https://host?x=1", "host"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        LangfuseSource.model_validate({"public_key": "pk", "secret_key": "sk", "url": url})


def test_a_key_sent_in_clear_is_warned_about() -> None:
    def warned(url: str) -> list[str]:
        return list(LangfuseSource(public_key="pk", secret_key=SecretStr("sk"), url=url).warnings("sources[0]"))

    assert warned("http://langfuse.internal:3000") == [
        "sources[0].url: http://langfuse.internal:3000: credentials are sent in clear text; use https"
    ]
    assert warned("http://127.0.0.1:3000") == warned("https://langfuse.internal") == []


def test_a_secret_that_cannot_be_read_names_its_key(tmp_path: Any) -> None:
    options = LangfuseSource.model_validate({"public_key": "pk", "secret_key_file": str(tmp_path / "none")})
    with pytest.raises(ConfigError, match=r"sources\[0\]\.secret_key_file"):
        options.open("sources[0]")


def test_no_option_shows_the_secret() -> None:
    options = LangfuseSource(public_key="pk", secret_key=SecretStr("hidden-key"))
    assert "hidden-key" not in repr(options) + options.model_dump_json()


@st.composite
def traffic(draw: st.DrawFn) -> list[tuple[int, dict[str, Any]]]:
    rows = []
    for number in range(draw(st.integers(1, 8))):
        start = T0 + draw(st.integers(0, 240)) * S
        length = draw(st.sampled_from([MS, S, 20 * S, 70 * S]))
        for row in trace(number, start, length, steps=draw(st.integers(0, 3))):
            ended = datetime.fromisoformat(row["endTime"]).timestamp()
            rows.append((int(ended * 1e9) + draw(st.integers(0, 20)) * S, row))
    return rows


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    traffic(),
    st.integers(1, 7),
    st.sampled_from([5, 17, 61, 400]),
    st.lists(st.sampled_from(["go", "fail", "kill", "kill-before-storing"]), max_size=30),
    st.sampled_from([8, 10_000]),
)
def test_whatever_comes_whenever_everything_arrives(
    rows: list[tuple[int, dict[str, Any]]], page: int, step: int, faults: list[str], bound: int
) -> None:
    server = LangfuseServer(now=T0)
    for at, row in rows:
        server.ingest(row, at=at)
    agent = Agent(server, times=replace(TIMES, lag=100 * S), page=page, limits={"max_observations": bound})
    events = iter(faults)
    while server.now < T0 + 20 * MIN:
        server.now += step * S
        going, looks = True, 0
        while going:
            looks += 1
            assert looks < 1_000
            fault, before = next(events, "go"), agent.cursor
            if fault == "fail":
                server.before = lambda _path, _number: (503, {}, b"")
            try:
                batch = agent.fetch()
            except Unreachable:
                break
            finally:
                server.before = lambda _path, _number: None
            if fault != "kill-before-storing":
                agent.store(batch)
            if fault.startswith("kill"):
                agent.start()
            going = fault.startswith("kill") or (batch.more and batch.cursor != before)
    agent.look()  # every look before may have failed
    assert set(agent.spans) == identities(server.observations)
    if bound > 100:
        assert sum(map(len, agent.handed)) == len(agent.spans)


def test_the_cursor_stays_small_however_busy_the_project(server: LangfuseServer) -> None:
    server.ingest(*trace(255, T0, length=4 * MIN))
    for number in range(400):
        server.ingest(
            observation(f"{number:032x}", f"{number + 1:016x}", T0 + number * 100 * MS, T0 + number * 100 * MS)
        )
    agent = Agent(server, page=1000)
    agent.until(T0 + 3 * MIN)
    assert len(json.loads(agent.cursor)["done"]) == 400
    assert len(agent.cursor) < 20_000


def test_the_options_are_a_source_by_their_type() -> None:
    given = {"type": "langfuse", "public_key": "pk", "secret_key": "sk"}
    from collector.sources import AnySource

    assert TypeAdapter(AnySource).validate_python(given).name == "langfuse"


def test_legacy_requests_are_those_of_the_older_client(server: LangfuseServer) -> None:
    busy(server)
    server.v2 = False
    agent = Agent(server)
    agent.until(T0 + 12 * MIN)
    asked = {name for path, query in server.requests if path == LEGACY for name, _ in query}
    assert asked == {"page", "limit", "orderBy", "fromTimestamp", "toTimestamp", "fields"}
