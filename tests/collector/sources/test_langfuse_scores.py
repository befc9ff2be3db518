"""Scores pulled from Langfuse: each once, the oldest first, whatever API the server has."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.peers import require_module

require_module("langfuse", "pip install 'groundwire[langfuse]'")

from adapters.external.score import ExternalScore
from collector.outbound.errors import Unreachable
from collector.sources import with_scores
from collector.sources.base import FetchedPage
from collector.sources.langfuse import LangfuseSource, scores
from collector.sources.langfuse.cursor import iso
from collector.sources.langfuse.requests import Requests
from collector.sources.langfuse.scores import LangfuseScorePuller, ScoreTimes
from tests.collector.sources.langfuse_server import (
    MS,
    OLDER_SCORES,
    PUBLIC,
    SCORES,
    SECRET,
    LangfuseServer,
    score,
    told,
)

S = 1_000 * MS
MIN = 60 * S
T0 = 1_795_168_800 * S
TRACE = "1271fb414973df9f217bd7c8c0b3d4{:02x}"
TIMES = ScoreTimes(window=10 * MIN, lag=MIN, since=60 * MIN)


@dataclass
class Agent:
    """Keeps what a source brings together with its cursor, as the frame does."""

    server: LangfuseServer
    cursor: bytes | None = None
    scores: list[ExternalScore] = field(default_factory=list)
    malformed: list[str] = field(default_factory=list)

    def fetch(self) -> FetchedPage:
        puller = LangfuseScorePuller(requests=Requests(self.server.client()), times=TIMES, max_pages=2)
        page = puller.fetch(self.cursor, now=self.server.now)
        self.cursor = page.cursor
        self.scores += page.scores
        self.malformed += [f"{each.where}: {each.reason}" for each in page.malformed]
        return page

    def look(self) -> None:
        for _ in range(500):
            if not self.fetch().more:
                return
        raise AssertionError("it never ends")


@pytest.fixture
def server() -> LangfuseServer:
    return LangfuseServer(now=T0)


@pytest.fixture
def agent(server: LangfuseServer) -> Agent:
    return Agent(server)


@pytest.mark.parametrize("current", [True, False])
def test_scores_of_every_kind_are_read_once_by_either_api(server: LangfuseServer, agent: Agent, current: bool) -> None:  # noqa: FBT001
    server.scores_v3 = current
    trace, span = TRACE.format(1), "b7ad6b7169203331"
    server.scores = [
        score(trace, "helpfulness", 4, T0 - 9 * MIN, comment="short", configId="c7"),
        score(trace, "tone", "kind", T0 - 8 * MIN, span),
        score(trace, "thumbs", True, T0 - 7 * MIN, metadata={"evaluator": "users"}),
        score("session-1", "mood", 1, T0 - 7 * MIN, subject={"kind": "session", "id": "session-1"}),
        score(trace, "output", "better so", T0 - 7 * MIN, dataType="CORRECTION"),
    ]
    agent.look()
    server.now += 5 * MIN
    agent.look()
    told_ = [
        (each.name, each.value, each.label, each.trace_id, each.span_id, each.measured_by) for each in agent.scores
    ]
    assert told_ == [
        ("helpfulness", 4.0, None, trace, None, "API@c7"),
        ("tone", None, "kind", trace, span, "API"),
        ("thumbs", 1.0, None, trace, None, "users"),
    ]
    assert agent.malformed == []


def test_a_score_that_comes_later_is_read_with_its_own_time(server: LangfuseServer, agent: Agent) -> None:
    server.scores = [score(TRACE.format(1), "tone", 1, T0 - 5 * MIN)]
    agent.look()
    server.scores.append(score(TRACE.format(1), "tone", 2, T0 + 50 * MIN))
    server.now = T0 + 3 * 60 * MIN
    agent.look()
    assert [each.value for each in agent.scores] == [1.0, 2.0]


@pytest.mark.parametrize(("given_after", "dated_back", "found_by"), [(15, 12, 60), (150, 140, 240), (900, 890, 1_060)])
def test_a_score_that_is_dated_before_what_was_read_is_found_once_later(
    server: LangfuseServer, agent: Agent, given_after: int, dated_back: int, found_by: int
) -> None:
    server.scores = [score(TRACE.format(n), "tone", n, T0 + n * MIN) for n in range(0, 250, 5)]
    for minute in (*range(0, given_after, 30), given_after):
        server.now = T0 + minute * MIN
        agent.look()
    server.scores.append(score(TRACE.format(1), "thumbs", 1, server.now - dated_back * MIN))
    for minute in range(given_after, found_by + 1, 30):
        server.now = T0 + minute * MIN
        agent.look()
    assert [each.name for each in agent.scores].count("thumbs") == 1
    due = {each["id"] for each in server.scores if each["timestamp"] < iso(server.now - MIN)}
    assert len(agent.scores) == len(due)


def test_where_more_scores_are_read_than_are_known_by_id_some_come_twice_and_none_is_lost(
    server: LangfuseServer, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "MAX_SEEN", 10)
    server.scores = [score(TRACE.format(n), "tone", n, T0 - 30 * MIN + n * S) for n in range(50)]
    for minute in range(0, 20 * 60, 60):
        server.now = T0 + minute * MIN
        agent.look()
        assert len(agent.cursor or b"") < 1_000
    assert {each.value for each in agent.scores} == set(range(50))
    assert len(agent.scores) <= 4 * 50


def test_a_cursor_of_an_earlier_version_goes_on_and_is_looked_at_again(server: LangfuseServer, agent: Agent) -> None:
    agent.cursor = json.dumps({"version": 1, "since": T0 - MIN, "width": MIN, "api": "v3"}).encode()
    server.scores = [score(TRACE.format(1), "tone", 1, T0 - 30 * MIN), score(TRACE.format(2), "tone", 2, T0 + MIN)]
    for minute in range(0, 240, 15):
        server.now = T0 + minute * MIN
        agent.look()
    assert [each.value for each in agent.scores] == [2.0, 1.0]


def test_what_is_too_young_is_left_to_the_next_look(server: LangfuseServer, agent: Agent) -> None:
    server.scores = [score(TRACE.format(1), "tone", 1, T0 - MIN // 2)]
    agent.look()
    assert agent.scores == []
    server.now += MIN
    agent.look()
    assert len(agent.scores) == 1


def test_a_window_with_too_many_scores_is_divided_and_the_first_score_is_the_first_given(
    server: LangfuseServer, agent: Agent
) -> None:
    server.scores_v3 = False
    server.scores = [score(TRACE.format(n % 200), f"n{n}", n, T0 - 9 * MIN + n * 100 * MS) for n in range(407)]
    agent.look()
    assert [each.value for each in agent.scores] == list(range(407))
    assert agent.malformed == []


def test_more_scores_of_one_millisecond_than_are_held_are_told_of(server: LangfuseServer, agent: Agent) -> None:
    server.scores_v3 = False
    server.scores = [score(TRACE.format(1), f"n{n}", n, T0 - 9 * MIN) for n in range(201)]
    agent.look()
    assert len(agent.scores) == 200
    assert agent.malformed == ["2026-11-20T09:51:00.000Z: more than 200 scores of one millisecond"]


def test_a_score_that_cannot_be_read_costs_itself_alone(server: LangfuseServer, agent: Agent) -> None:
    bad = score(TRACE.format(1), "tone", "x" * 300, T0 - 9 * MIN)
    server.scores = [bad, score(TRACE.format(2), "tone", "kind", T0 - 8 * MIN)]
    agent.look()
    assert [each.label for each in agent.scores] == ["kind"]
    assert len(agent.malformed) == 1
    assert "label" in agent.malformed[0]


@pytest.mark.parametrize(
    "rows", [[7], [None], [{}], [{"name": 1, "dataType": [], "subject": {"kind": "trace", "id": {}}}]]
)
def test_no_row_stops_the_source(server: LangfuseServer, agent: Agent, rows: list[Any]) -> None:
    server.before = lambda _path, _number: told(200, {"data": rows, "meta": {"limit": 100}})
    agent.look()
    assert agent.scores == []


def test_a_server_without_scores_is_named(server: LangfuseServer, agent: Agent) -> None:
    server.scores_v3 = server.legacy = False
    assert agent.fetch().more
    with pytest.raises(Unreachable, match="v2/scores: 404 Not Found, as for the current API"):
        agent.fetch()
    assert [path for path, _ in server.requests] == [SCORES, OLDER_SCORES]


def test_a_cursor_that_leads_nowhere_is_no_reason_to_spin(server: LangfuseServer, agent: Agent) -> None:
    server.before = lambda _path, _number: told(200, {"data": [7], "meta": {"cursor": "again"}})
    with pytest.raises(Unreachable, match="leads to the same page"):
        agent.fetch()


def test_a_clock_that_was_ahead_is_set_back(server: LangfuseServer, agent: Agent) -> None:
    agent.look()
    server.now -= 30 * MIN
    server.scores = [score(TRACE.format(1), "tone", 1, server.now - 2 * MIN)]
    agent.look()
    assert len(agent.scores) == 1


def test_scores_are_a_source_of_their_own_where_they_are_wanted(server: LangfuseServer) -> None:
    keys = {"public_key": PUBLIC, "secret_key": SECRET}
    plain = LangfuseSource(url="http://x", **keys)
    assert with_scores([plain]) == (plain,)
    with server.serving() as url:
        server.scores = [score(TRACE.format(1), "tone", 1, T0 - 5 * MIN)]
        own, scores = with_scores([LangfuseSource(name="lf", url=url, scores=True, poll="10s", **keys)])
        assert (own.name, scores.name, scores.poll.total_seconds()) == ("lf", "lf.scores", 60)
        opened: Any = scores.open("sources[0]")
        assert [each.value for each in opened.fetch(None, now=T0).scores] == []
        assert opened.position(opened.fetch(None, now=T0).cursor) == {
            "api": "v3",
            "read_until": "2026-11-19T11:00:00.000Z",
        }
        opened.close()
    named = LangfuseSource(name="a.scores", url="http://x", **keys)
    assert [each.partition(":")[0] for each in named.problems("sources[0]")] == ["sources[0].name"]
