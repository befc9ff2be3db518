"""MLflow: the traces of its experiments, pulled over REST from a tracking server, in the order in which they began."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from collector.sources.mlflow_cursor import MAX_ID, MLflowCursor
from collector.sources.mlflow_server import MLflowServer, unknown
from gates.units.duration import Duration

MAX_PAGE = 100
"""Traces whose spans are asked for at once."""
LATE = 10 * 60 * 1000
"""How long after it began a trace may be stored and is still read, in milliseconds."""
_MOST_LISTS = 200
"""Lists of a look: 40,000 traces in `LATE`."""
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

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return the next traces that ended and were not read before."""
        state = MLflowCursor.of(cursor)
        if state is None:
            start = max(0, Nanoseconds(now) - duration(self._options.since)) // _MS
            state = MLflowCursor(since=start, at=start)
        chosen: list[tuple[str, int]] = []
        more = False
        for trace_id, began in self._ended(state):
            if trace_id in state.seen:
                continue
            if len(chosen) == self._options.page:
                more = True
                break
            chosen.append((trace_id, began))
        if not chosen:
            return FetchedPage(state.encoded())
        decoded = spans_of_traces(self._server.traces([trace_id for trace_id, _ in chosen]))
        after = state.advanced(chosen, late=LATE)
        return FetchedPage(after.encoded(), spans=decoded.spans, malformed=decoded.malformed, more=more)

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say how many traces were read, and up to which time."""
        state = MLflowCursor.of(cursor)
        return {} if state is None else state.shown()

    def close(self) -> None:
        """Close the connection."""
        self._server.client.close()

    def _ended(self, state: MLflowCursor) -> Iterator[tuple[str, int]]:
        """Yield the traces that ended, and when each began, oldest first."""
        began = f"trace.timestamp_ms >= {max(state.since, state.at - LATE)}"
        for row, reply in self._server.search(self._server.places(), began, most=_MOST_LISTS):
            if row.get("state", "STATE_UNSPECIFIED") in _ENDED:
                yield _listed(row, reply)


def _listed(row: Mapping[str, Any], reply: Reply) -> tuple[str, int]:
    trace_id, began = row.get("trace_id"), row.get("request_time")
    try:
        if isinstance(trace_id, str) and 0 < len(trace_id) <= MAX_ID and isinstance(began, str):
            return trace_id, int(datetime.fromisoformat(began).timestamp() * 1000)
    except ValueError:
        pass  # told below, as any other row that is none
    raise unknown(reply)
