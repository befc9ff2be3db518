"""MLflow: the traces of its experiments, pulled over REST from a tracking server, in the order in which they began.

Source: mlflow/protos/service.proto and mlflow/server/handlers.py of mlflow 3.17; `batchGet` needs 3.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import Field

from adapters.exports.mlflow import spans_of_traces
from adapters.trace import Nanoseconds
from collector.clock import duration
from collector.outbound.client import HttpClient
from collector.outbound.credentials import ApiKeyOptions
from collector.outbound.errors import Unreachable
from collector.outbound.reply import Reply
from collector.security.address import BaseUrl
from collector.sources.base import FetchedPage, Source, SourceOptions
from collector.sources.mlflow_cursor import MAX_ID, MLflowCursor
from gates.units.duration import Duration

MAX_PAGE = 100
"""Traces whose spans are asked for at once."""
LATE = 10 * 60 * 1000
"""How long after it began a trace may be stored and is still read, in milliseconds."""
_LISTED = 200
_MOST_LISTS = 200
"""Lists of a look: 40,000 traces in `LATE`."""
_EXPERIMENTS = 1_000
_MS = 1_000_000
_ENDED = ("OK", "ERROR", "STATE_UNSPECIFIED")


class MLflowSource(ApiKeyOptions, SourceOptions):
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
        return MLflowPuller(self.client(where), self)


class MLflowPuller:
    """Reads one tracking server."""

    def __init__(self, client: HttpClient, options: MLflowSource) -> None:
        self._client = client
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
        decoded = spans_of_traces(self._spans([trace_id for trace_id, _ in chosen]))
        after = state.advanced(chosen, late=LATE)
        return FetchedPage(after.encoded(), spans=decoded.spans, malformed=decoded.malformed, more=more)

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say how many traces were read, and up to which time."""
        state = MLflowCursor.of(cursor)
        return {} if state is None else state.shown()

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _ended(self, state: MLflowCursor) -> Iterator[tuple[str, int]]:
        """Yield the traces that ended, and when each began, oldest first."""
        places = [
            {"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": experiment}}
            for experiment in self._experiments()
        ]
        asked: dict[str, Any] = {
            "locations": places,
            "filter": f"trace.timestamp_ms >= {max(state.since, state.at - LATE)}",
            "order_by": ["timestamp_ms ASC"],
            "max_results": _LISTED,
        }
        token = None
        for _ in range(_MOST_LISTS):
            reply = self._client.post(
                "/api/3.0/mlflow/traces/search", {**asked, **({"page_token": token} if token else {})}
            )
            body = _body(reply)
            for row in _rows(body, "traces", reply):
                if isinstance(row, dict) and row.get("state", "STATE_UNSPECIFIED") in _ENDED:
                    yield _listed(row, reply)
            token = body.get("next_page_token")
            if not token:
                return

    def _experiments(self) -> list[str]:
        """Return the ids of the experiments to read. Raises `Unreachable` if none of those configured is there."""
        reply = self._client.post("/api/2.0/mlflow/experiments/search", {"max_results": _EXPERIMENTS})
        known = {
            str(row["experiment_id"])[:MAX_ID]: str(row.get("name"))
            for row in _rows(_body(reply), "experiments", reply)
            if isinstance(row, dict) and "experiment_id" in row
        }
        wanted = self._options.experiments
        if wanted is None:
            return sorted(known)
        found = sorted(identity for identity, name in known.items() if identity in wanted or name in wanted)
        if not found:
            names = ", ".join(sorted(known.values())[:10]) or "none"
            missing = ", ".join(map(repr, wanted[:10]))
            raise Unreachable(f"{self._options.url}: no experiment {missing}; known: {names}")
        return found

    def _spans(self, trace_ids: list[str]) -> list[Any]:
        reply = self._client.get("/api/3.0/mlflow/traces/batchGet", {"trace_ids": trace_ids})
        return _rows(_body(reply), "traces", reply)


def _body(reply: Reply) -> Mapping[str, Any]:
    if not reply.ok:
        raise reply.failure()
    body = reply.json()
    if not isinstance(body, dict):
        raise _unknown(reply)
    return body


def _rows(body: Mapping[str, Any], name: str, reply: Reply) -> list[Any]:
    rows = body.get(name, [])
    if not isinstance(rows, list):
        raise _unknown(reply)
    return rows


def _listed(row: Mapping[str, Any], reply: Reply) -> tuple[str, int]:
    trace_id, began = row.get("trace_id"), row.get("request_time")
    try:
        if isinstance(trace_id, str) and 0 < len(trace_id) <= MAX_ID and isinstance(began, str):
            return trace_id, int(datetime.fromisoformat(began).timestamp() * 1000)
    except ValueError:
        pass  # told below, as any other row that is none
    raise _unknown(reply)


def _unknown(reply: Reply) -> Unreachable:
    return Unreachable(f"{reply.url}: {reply.status} with a body that is not a list of MLflow's")
