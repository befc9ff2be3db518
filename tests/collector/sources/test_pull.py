"""The frame stores what a source brings with its cursor, and bears whatever the source does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.base import MalformedRecord
from adapters.documents.passages import NO_KEYS
from adapters.external.score import ExternalScore
from adapters.schema import Answer
from adapters.trace import Span
from adapters.wire.otlp import decode_traces
from collector.errors import Transient
from collector.external.options import ExternalMetric
from collector.outbound.backoff import CAP_SECONDS
from collector.outbound.errors import Unreachable
from collector.outbound.link import Runtime
from collector.sources.base import FetchedPage, SourceOptions
from collector.sources.pull import PullStep
from collector.store.sqlite import open_store
from collector.store.store import Store
from gates.inputs.slices import Dimension
from telemetry.registry import Telemetry
from tests.admission import admission
from tests.external import reception
from tests.stored import newest

TRACE = "0af7651916cd43dd8448eb211c80319c"
TONE = ExternalMetric(name="tone", bounds=(1, 5))
START = 1_780_000_000_000_000_000


class Scripted(SourceOptions):
    type: Literal["scripted"] = "scripted"


class Script:
    """A source that does as it is told, and remembers what it was asked."""

    def __init__(self, *turns: FetchedPage | Exception) -> None:
        self.turns = list(turns)
        self.asked: list[bytes | None] = []
        self.during = lambda: None

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        assert now >= START
        self.asked.append(cursor)
        self.during()
        turn = self.turns.pop(0) if self.turns else FetchedPage(cursor or b"")
        if isinstance(turn, Exception):
            raise turn
        return turn

    def position(self, cursor: bytes) -> dict[str, Any]:
        return {"at": cursor.decode()}

    def close(self) -> None:
        return


class Frame:
    """A step with clocks that stand still until they are moved."""

    def __init__(self, store: Store, *turns: FetchedPage | Exception, **options: Any) -> None:
        self.now = 0.0
        self.store = store
        self.source = Script(*turns)
        self.telemetry = Telemetry(metrics=(TONE.metric,), dimensions=("service",), version="1")
        self.stop = threading.Event()
        self.step = PullStep(
            Scripted(**options),
            self.source,
            keys=NO_KEYS,
            store=store,
            admission=admission(
                store,
                dimensions=(Dimension(name="service"),),
                telemetry=self.telemetry,
                clock=lambda: START + int(self.now * 1e9),
            ),
            reception=reception(self.telemetry, declared=[TONE]),
            runtime=Runtime(
                telemetry=self.telemetry,
                clock=lambda: START + int(self.now * 1e9),
                monotonic=lambda: self.now,
                random=lambda: 0.5,
                stop=self.stop,
            ),
        )

    def metric(self, name: str) -> float:
        lines = self.telemetry.exposition("")[0].decode().splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"groundwire_source_{name}"))

    @property
    def report(self) -> dict[str, Any]:
        return dict(self.step.status.report())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "data")
    yield opened
    opened.close()


def span(number: int = 1, **fields: Any) -> Span:
    return Span(TRACE, f"{number:016x}", None, "chat", 1, 2, **fields)


def test_a_batch_is_stored_with_its_cursor_counted_and_told(store: Store) -> None:
    batch = FetchedPage(
        b"1",
        spans=[span(1), span(2)],
        answers=[Answer(id="a", question="q")],
        malformed=[MalformedRecord("no JSON", "app.log:3")],
    )
    frame = Frame(store, batch)
    assert frame.step.run_once() == 4
    assert frame.source.asked == [None]
    assert store.cursor("scripted") == b"1"
    assert store.totals().accepted == 2
    assert store.totals().records_by == {"answer": 1, "repeated": 0, "malformed": 1}
    assert [(at, row.place) for at, row in store.malformed_records("scripted")] == [(START, "app.log:3")]
    assert frame.metric("spans_total{") == 2
    assert frame.metric("answers_total{") == 1
    assert frame.metric("malformed_total{") == 1
    assert frame.metric('requests_total{outcome="ok"') == 1
    told = frame.report
    assert (told["state"], told["spans"], told["answers"], told["malformed"]) == ("ok", 2, 1, 1)
    assert told["position"] == {"at": "1"}


def test_what_is_configured_for_the_source_is_given_to_spans_and_to_answers_that_do_not_say_it(store: Store) -> None:
    resource = {"service.name": "desk", "service.version": "7", "team": "x"}
    answers = [Answer(id="a"), Answer(id="b", service="own")]
    frame = Frame(store, FetchedPage(b"1", [span(resource={"team": "y", "host": "h"})], answers), resource=resource)
    frame.step.run_once()
    [due] = store.due(now=1 << 62, idle=0, timeout=0, limit=9, limit_bytes=1 << 20)
    assert decode_traces(due.chunks[0]).spans[0].resource == {"host": "h", **resource}
    rows = {row.stored.answer.id: row.stored for row in newest(store)}
    assert [rows[name].answer.service for name in "ab"] == ["desk", "own"]
    assert rows["a"].answer.release == "7"
    assert rows["a"].slice == {"service": "desk"}


def test_scores_are_taken_in_before_the_cursor_moves(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    given = [ExternalScore(name="tone", value=4, answer_id="a"), ExternalScore(name="other", value=1, answer_id="a")]
    first = FetchedPage(b"1", answers=[Answer(id="a", question="q")])
    frame = Frame(store, first, FetchedPage(b"2", scores=given), FetchedPage(b"2", scores=given))
    frame.step.run_once()
    frame.now = 100
    with monkeypatch.context() as patch:
        patch.setattr(store, "append_pulled", None)
        with pytest.raises(TypeError):
            frame.step.run_once()
    (row,) = newest(store)
    assert [(each.metric, each.value, each.source) for each in row.external] == [("external.tone", 4.0, "scripted")]
    assert store.cursor("scripted") == b"1"
    frame.now = 200
    frame.step.run_once()
    assert (store.cursor("scripted"), frame.report["scores"]) == (b"2", 2)
    assert [each.value for each in newest(store)[0].external] == [4.0]


def test_an_answer_that_comes_again_is_counted_once(store: Store) -> None:
    again = [Answer(id="a", question="q")]
    frame = Frame(store, FetchedPage(b"1", answers=again, more=True), FetchedPage(b"2", answers=again))
    frame.step.run_once()
    frame.step.run_once()
    assert store.cursor("scripted") == b"2"
    assert frame.metric("answers_total{") == 1
    assert store.totals().records_by == {"answer": 1, "repeated": 1, "malformed": 0}


def test_the_next_look_is_a_poll_away_unless_there_is_more(store: Store) -> None:
    frame = Frame(store, FetchedPage(b"1", more=True), FetchedPage(b"2"), poll="10s")
    assert frame.step.run_once() == 1
    assert frame.step.run_once() == 0
    frame.now = 9.9
    frame.step.run_once()
    assert frame.source.asked == [None, b"1"]
    frame.now = 10.0
    frame.step.run_once()
    assert frame.source.asked == [None, b"1", b"2"]


def test_more_behind_a_cursor_that_stands_still_is_no_reason_to_spin(store: Store) -> None:
    frame = Frame(store, *[FetchedPage(b"1", [span()], more=True)] * 9)
    frame.step.run_once()
    frame.step.run_once()
    frame.step.run_once()
    assert len(frame.source.asked) == 2


def test_nothing_new_writes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = Frame(store, FetchedPage(b"1"))
    frame.step.run_once()
    monkeypatch.setattr(store, "append_pulled", None)
    frame.now = 100
    assert frame.step.run_once() == 0
    assert frame.report["state"] == "ok"


def test_a_source_out_of_reach_is_waited_for_longer_and_longer_and_goes_on_where_it_was(store: Store) -> None:
    frame = Frame(store, FetchedPage(b"1"), *[Unreachable("http://x/spans: refused")] * 12)
    frame.step.run_once()
    frame.now = 10.0
    waits = []
    for _ in range(12):
        assert frame.step.run_once() == 0
        waits.append(frame.step.due - frame.now)
        frame.now = frame.step.due
    assert waits[:4] == [1.0, 1.5, 2.5, 4.5]
    assert max(waits) <= CAP_SECONDS
    assert (frame.report["state"], frame.report["last_error"]) == ("failing", "http://x/spans: refused")
    assert frame.metric("up{") == 0
    assert frame.metric('requests_total{outcome="unreachable"') == 12
    assert set(frame.source.asked[1:]) == {b"1"}
    frame.step.run_once()
    assert (frame.report["state"], frame.metric("up{")) == ("ok", 1)
    frame.now += 20
    frame.source.turns.append(Unreachable("again"))
    frame.step.run_once()
    assert frame.step.due - frame.now == 1.0


@pytest.mark.parametrize("error", [ValueError("a bug"), Transient("the store cannot be read")])
def test_what_is_no_fault_of_the_source_is_raised_to_the_frame_and_waited_out(store: Store, error: Exception) -> None:
    frame = Frame(store, error, FetchedPage(b"1"))
    with pytest.raises(type(error)):
        frame.step.run_once()
    assert frame.step.run_once() == 0
    assert len(frame.source.asked) == 1
    assert frame.metric('requests_total{outcome="error"') == 1
    assert frame.report["state"] == "failing"
    frame.now = 100
    frame.step.run_once()
    assert store.cursor("scripted") == b"1"


def test_a_batch_that_could_not_be_stored_is_fetched_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = Frame(store, FetchedPage(b"1", [span()]), FetchedPage(b"1", [span()]))

    def full(*_: Any) -> None:
        raise Transient("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(store, "append_pulled", full)
        with pytest.raises(Transient):
            frame.step.run_once()
    frame.now = 100
    frame.step.run_once()
    assert frame.source.asked == [None, None]
    assert store.totals().accepted == 1


def test_what_a_fetch_brings_after_the_stop_is_left_to_the_next_start(store: Store) -> None:
    frame = Frame(store, FetchedPage(b"1", [span()]))
    frame.source.during = frame.stop.set
    assert frame.step.run_once() == 0
    assert store.cursor("scripted") is None
    closed = Frame(store, Unreachable("closed"))
    closed.source.during = closed.stop.set
    assert closed.step.run_once() == 0
    assert closed.report["state"] == "waiting"
    closed = Frame(store, OSError("closed"))
    closed.source.during = closed.stop.set
    with pytest.raises(OSError, match="closed"):
        closed.step.run_once()
    assert closed.report["state"] == "waiting"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["batch", "more", "down", "wait", "bug", "store", "restart"]), max_size=30))
def test_whatever_happens_in_between_every_page_is_stored_once_and_none_is_skipped(
    tmp_path_factory: pytest.TempPathFactory, turns: list[str]
) -> None:
    store = open_store(tmp_path_factory.mktemp("pull"))

    class Pages(Script):
        def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
            del now
            match turn[0]:
                case "down":
                    raise Unreachable("down")
                case "wait":
                    raise Unreachable("429", 30)
                case "bug":
                    raise KeyError("data")
            page = int(cursor or b"0") + 1
            return FetchedPage(b"%d" % page, [span(page)], more=turn[0] == "more")

    turn = [""]
    frame = Frame(store)
    frame.step.source = Pages()
    good = 0
    for kind in turns:
        turn[0] = kind
        if kind == "restart":
            frame = Frame(store)
            frame.step.source = Pages()
            continue
        if kind == "store":
            append, store.append_pulled = store.append_pulled, None  # type: ignore[method-assign,assignment]
        try:
            frame.step.run_once()
            good += kind in ("batch", "more")
        except (KeyError, TypeError):
            pass
        finally:
            if kind == "store":
                store.append_pulled = append  # type: ignore[method-assign]
        frame.now += 10_000
    assert store.totals().accepted == good
    found = store.due(now=1 << 62, idle=0, timeout=0, limit=9, limit_bytes=1 << 30)
    ids = [read.span_id for due in found for chunk in due.chunks for read in decode_traces(chunk).spans]
    assert ids == [f"{number:016x}" for number in range(1, good + 1)]
    store.close()
