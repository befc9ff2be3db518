"""Assessments of answers read from MLflow, against a server that gives what a real one gave.

`tests/golden/record_mlflow.py` recorded the replies, of mlflow 3.17.2.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from adapters.external.score import ExternalScore
from collector.outbound.errors import Unreachable
from collector.sources import with_scores
from collector.sources.asking import AGES, MINUTE
from collector.sources.base import AnswerPlace, FetchedPage
from collector.sources.mlflow import MLflowSource
from collector.sources.mlflow_assessments import MAX_ASSESSMENTS
from tests.collector.sources.server import Handler, serving

RECORDED = Path(__file__).parents[2] / "golden" / "mlflow"
NOW = 1_795_600_000_000_000_000


def recorded(name: str) -> Any:
    return json.loads((RECORDED / f"{name}.json").read_text())


class Server:
    """Lists the traces that are named, with their assessments."""

    def __init__(self) -> None:
        self.experiments = recorded("experiments")
        self.rows = recorded("assessed")["traces"]
        self.filters: list[str] = []
        self.status = 200

    def answer(self, request: Handler) -> None:
        given = json.loads(request.rfile.read(int(request.headers.get("content-length") or 0)))
        if urlsplit(request.path).path.endswith("experiments/search"):
            return request.give(200, json.dumps(self.experiments).encode())
        self.filters.append(given["filter"])
        rows = [row for row in self.rows if repr(row["trace_id"]) in given["filter"]]
        return request.give(self.status, json.dumps({"traces": rows}).encode())

    @property
    def traces(self) -> list[str]:
        return [row["trace_id"].removeprefix("tr-") for row in self.rows]


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def source(server: Server) -> Iterator[Any]:
    with serving(server.answer) as url:
        _, options = with_scores([MLflowSource(url=url, scores=True)])
        assert options.name == "mlflow.scores"
        opened = options.open("sources[0]")
        opened.answers = lambda **_: []
        yield opened
        opened.close()


def asked(source: Any, traces: Sequence[str]) -> FetchedPage:
    """What is told of answers of these traces that came five minutes ago."""
    places = [AnswerPlace(number, trace, None) for number, trace in enumerate(traces, 1)]
    source.answers = lambda *, after, arrived_from, arrived_before, limit: (  # noqa: ARG005 - as the store asks
        [each for each in places if each.seq > after] if arrived_before > NOW - 5 * MINUTE else []
    )
    page: FetchedPage = source.fetch(None, now=NOW)
    return page


def told(scores: Sequence[ExternalScore]) -> list[tuple[Any, ...]]:
    return sorted((each.name, each.value, each.label, each.evaluator, each.version) for each in scores)


def test_feedback_that_stands_and_expectations_that_are_values_are_scores(server: Server, source: Any) -> None:
    page = asked(source, server.traces)
    assert told(page.scores) == [
        ("helpful", 1.0, None, "reader@desk.test", None),
        ("helpful", 1.0, None, "reader@desk.test", None),
        ("tone", 1.0, None, "librarian-judge", None),
        ("tone", 4.5, None, "librarian-judge", "2"),
        ("weeks", 4.0, None, "reader@desk.test", None),
    ]
    first = next(each for each in page.scores if each.value == 4.5)
    assert (first.explanation, first.trace_id in server.traces) == ("Kind enough.", True)
    assert [str(each.at) for each in page.scores] == sorted(str(each.at) for each in page.scores)


def test_feedback_that_is_no_single_value_is_named(server: Server, source: Any) -> None:
    (bad,) = asked(source, server.traces).malformed
    (row,) = [each for trace in server.rows for each in trace["assessments"] if each["assessment_name"] == "parts"]
    assert (bad.reason, bad.where) == (
        "give a value or a label",
        f"assessment {row['assessment_id']}",
    )


def test_only_answers_of_traces_are_asked_about_and_each_at_growing_ages(server: Server, source: Any) -> None:
    page = asked(source, [server.traces[0], "no-trace", ""])
    assert server.filters == [f"trace.request_id IN ('tr-{server.traces[0]}')"]
    assert source.position(page.cursor)["answers_asked_by_minutes"] == {
        "2": 3, "20": 0, "180": 0, "1020": 0,
    }  # fmt: skip
    assert len(AGES) == 4
    assert not asked(source, ["no-trace"]).scores
    assert len(server.filters) == 1


def test_a_trace_with_very_many_assessments_is_read_to_a_bound(server: Server, source: Any) -> None:
    (plain,) = [each for row in server.rows for each in row["assessments"] if each["assessment_name"] == "weeks"]
    server.rows[0]["assessments"] = [plain | {"assessment_name": f"m{n}"} for n in range(MAX_ASSESSMENTS + 5)]
    assert len(asked(source, server.traces[:1]).scores) == MAX_ASSESSMENTS


def test_a_server_that_refuses_is_unreachable(server: Server, source: Any) -> None:
    server.status = 503
    with pytest.raises(Unreachable):
        asked(source, server.traces)
