"""MLflow: the traces of its experiments, pulled over REST from a tracking server, in the order in which they began."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import Field

from adapters.exports.mlflow import spans_of_traces
from adapters.trace import Nanoseconds
from collector.clock import duration
from collector.outbound.credentials import ApiKeyOptions
from collector.outbound.reply import Reply
from collector.security.address import BaseUrl
from collector.sources.base import FetchedPage, ScoredSourceOptions, Source, SourceOptions, scores_beside
from collector.sources.mlflow_assessments import MLflowAssessmentPuller
from collector.sources.mlflow_cursor import LATE, LONG, LONGEST, MAX_ID, ListedTrace, MLflowCursor
from collector.sources.mlflow_server import MLflowServer, unknown
from gates.units.duration import Duration

MAX_PAGE = 100
"""Traces whose spans are asked for at once."""
LOOK = 60 * 10**9
"""Time (ns) between two looks for long traces."""
_MOST_LISTS = 200
"""Lists of a look: 40,000 traces in `LATE`."""
_MOST_LONG = 50
"""Lists of a look for long traces: 10,000 in `LONGEST`, fewer than are known by id."""
_MS = 1_000_000
_ENDED = ("OK", "ERROR", "STATE_UNSPECIFIED")


class MLflowSource(ApiKeyOptions, ScoredSourceOptions):
    """Pulls traces from an MLflow tracking server."""

    type: Literal["mlflow"] = "mlflow"
    url: BaseUrl = Field(description="Base URL of the tracking server, with its path prefix if it has one.")
    timeout: Duration = Field(
        default=timedelta(seconds=30), le=timedelta(minutes=5), description="Time limit of one request."
    )
    experiments: tuple[str, ...] | None = Field(
        default=None,
        min_length=1,
        description="Names or ids of the experiments to read; defaults to all, including new ones as they appear.",
    )
    since: Duration = Field(
        default=timedelta(days=1),
        description="How far back the very first look reads; traces that began earlier are never read.",
    )
    page: int = Field(default=50, ge=1, le=MAX_PAGE, description="Traces per request.")

    def open(self, where: str) -> Source:
        """Return the source. Raises `ConfigError` for a key or a certificate that cannot be read."""
        return MLflowPuller(self.server(where), self)

    def of_scores(self) -> SourceOptions | None:
        """Return the source of the assessments that are kept there, where they are wanted."""
        return scores_beside(self, MLflowAssessments)

    def server(self, where: str) -> MLflowServer:
        """Return the server. Raises `ConfigError` for a key or a certificate that cannot be read."""
        return MLflowServer(self.client(where), url=self.url, experiments=self.experiments)


class MLflowAssessments(MLflowSource):
    """The assessments of answers on an MLflow tracking server."""

    def open(self, where: str) -> Source:
        """Return the source. Raises `ConfigError` for a key or a certificate that cannot be read."""
        return MLflowAssessmentPuller(self.server(where), since=duration(self.since))


class MLflowPuller:
    """Reads one tracking server."""

    def __init__(self, server: MLflowServer, options: MLflowSource) -> None:
        self._server = server
        self._options = options
        self._look_at = 0

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return the next traces that ended and were not read before."""
        state = MLflowCursor.of(cursor)
        if state is None:
            start = max(0, Nanoseconds(now) - duration(self._options.since)) // _MS
            state = MLflowCursor(since=start, at=start)
        chosen: list[ListedTrace] = []
        more = False
        for trace in self._ended(state, now):
            if trace.id in state.seen or trace.id in state.long or trace in chosen:
                continue
            if len(chosen) == self._options.page:
                more = True
                break
            chosen.append(trace)
        if not more and now >= self._look_at:
            self._look_at = now + LOOK
        if not chosen:
            return FetchedPage(state.encoded())
        decoded = spans_of_traces(self._server.traces([trace.id for trace in chosen]))
        after = state.advanced(chosen, now=now // _MS)
        return FetchedPage(after.encoded(), spans=decoded.spans, malformed=decoded.malformed, more=more)

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say how many traces were read, and up to which time."""
        state = MLflowCursor.of(cursor)
        return {} if state is None else state.shown()

    def close(self) -> None:
        """Close the connection."""
        self._server.client.close()

    def _ended(self, state: MLflowCursor, now: int) -> Iterator[ListedTrace]:
        """Yield the traces that ended, oldest first: of the last minutes, and those that were long under way."""
        recent = max(state.since, state.at - LATE)
        places = self._server.places()
        yield from self._listed(places, f"trace.timestamp_ms >= {recent}", _MOST_LISTS)
        first = max(state.since, now // _MS - LONGEST)
        if now >= self._look_at and first < recent:
            long = (
                f"trace.execution_time_ms >= {LONG} AND trace.timestamp_ms >= {first} AND trace.timestamp_ms < {recent}"
            )
            yield from self._listed(places, long, _MOST_LONG)

    def _listed(self, places: Sequence[Any], chosen: str, most: int) -> Iterator[ListedTrace]:
        for row, reply in self._server.search(places, chosen, most=most):
            if row.get("state", "STATE_UNSPECIFIED") in _ENDED:
                yield _listed(row, reply)


def _listed(row: Mapping[str, Any], reply: Reply) -> ListedTrace:
    trace_id, began, ran = row.get("trace_id"), row.get("request_time"), row.get("execution_duration")
    try:
        if isinstance(trace_id, str) and 0 < len(trace_id) <= MAX_ID and isinstance(began, str):
            lasted = float(ran.removesuffix("s")) if isinstance(ran, str) else 0.0
            return ListedTrace(trace_id, int(datetime.fromisoformat(began).timestamp() * 1000), lasted * 1000)
    except ValueError:
        pass  # told below, as any other row that is none
    raise unknown(reply)
