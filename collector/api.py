"""The HTTP face of the agent: metrics, probes, and the JSON API under ``/v1``."""

from __future__ import annotations

import hmac
import json
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from collector.clock import instant
from collector.openapi import document
from collector.store.base import AnswerRow, Decision, Store
from collector.telemetry import Telemetry
from gates.base import Verdict

MAX_LIMIT = 1000
SCAN_ROWS = 5000
"""How many of the newest answers a filter by value looks through."""
OPEN_PATHS = frozenset({"/healthz", "/readyz"})
"""Probes carry no content and need no token: an orchestrator has none."""


class Readiness(Protocol):
    """Says whether the agent may be sent traffic."""

    def reasons(self) -> Sequence[str]:
        """Return why not; empty when ready."""
        ...


class Verdicts(Protocol):
    """Where the newest verdicts are read."""

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Return the newest verdict by gate."""
        ...


class Api:
    """Handlers over the store and the newest verdicts.

    It serves before there is a store, so that probes are answered while one is migrated: until `open` is called,
    everything under ``/v1`` answers 503.
    """

    def __init__(
        self,
        *,
        telemetry: Telemetry,
        readiness: Readiness,
        gates: Sequence[str],
        dimensions: Sequence[str],
        version: str,
        token: str | None,
    ) -> None:
        self._opened: tuple[Store, Verdicts] | None = None
        self._telemetry = telemetry
        self._readiness = readiness
        self._gates = tuple(gates)
        self._dimensions = tuple(dimensions)
        self._version = version
        self._token = token

    def open(self, store: Store, judge: Verdicts) -> None:
        """Serve from ``store`` and ``judge`` from now on."""
        self._opened = (store, judge)

    def close(self) -> None:
        """Serve probes and metrics only from now on."""
        self._opened = None

    @property
    def _store(self) -> Store:
        return self._parts()[0]

    @property
    def _judge(self) -> Verdicts:
        return self._parts()[1]

    def _parts(self) -> tuple[Store, Verdicts]:
        if self._opened is None:
            raise HTTPException(503, "the store is not open: the agent is starting or stopping", headers={"Retry-After": "1"})
        return self._opened

    def app(self) -> Starlette:
        """Return the ASGI application."""
        routes = [
            Route("/metrics", self._guarded(self.metrics)),
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/openapi.json", self._guarded(self.openapi)),
            Route("/v1/gates", self._guarded(self.gates)),
            Route("/v1/gates/{gate}", self._guarded(self.gate)),
            Route("/v1/decisions", self._guarded(self.decisions)),
            Route("/v1/answers", self._guarded(self.answers)),
            Route("/v1/answers/{answer_id:path}", self._guarded(self.answer)),
            Route("/v1/slices", self._guarded(self.slices)),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _problem})

    def _guarded(self, handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def guarded(request: Request) -> Response:
            if self._token is not None:
                given = request.headers.get("authorization", "")
                if not hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode()):
                    raise HTTPException(401, "a bearer token is required", headers={"WWW-Authenticate": "Bearer"})
            return await handler(request)

        return guarded

    async def metrics(self, request: Request) -> Response:
        """Expose all instruments, in the format the scraper asks for."""
        body, content_type = await run_in_threadpool(self._telemetry.exposition, request.headers.get("accept", ""))
        return Response(body, headers={"Content-Type": content_type})

    async def healthz(self, _request: Request) -> Response:
        """Say that the process serves requests."""
        return JSONResponse({"status": "ok", "version": self._version})

    async def readyz(self, _request: Request) -> Response:
        """Say whether traffic may be sent here: the store is open and migrated, and the agent is not draining."""
        reasons = list(self._readiness.reasons())
        return JSONResponse({"ready": not reasons, "reasons": reasons}, status_code=503 if reasons else 200)

    async def openapi(self, _request: Request) -> Response:
        """Describe this API."""
        return JSONResponse(document(self._version, self._dimensions))

    async def gates(self, _request: Request) -> Response:
        """List all gates with their verdicts, without slices."""
        verdicts = self._judge.verdicts
        items = [gate_body(name, verdicts.get(name), slices=False) for name in self._gates]
        return _json({"gates": items})

    async def gate(self, request: Request) -> Response:
        """Give the verdict of one gate. Always 200 for a gate that exists, whatever its state."""
        name = request.path_params["gate"]
        if name not in self._gates:
            known = ", ".join(self._gates) or "none is configured"
            raise HTTPException(404, f"no gate {name!r}; known gates: {known}")
        return _json(gate_body(name, self._judge.verdicts.get(name), slices=True))

    async def decisions(self, request: Request) -> Response:
        """List verdict changes in order; ``after`` is the last ``seq`` seen."""
        after = _integer(request, "after", 0, low=0)
        limit = _integer(request, "limit", 100, low=1, high=MAX_LIMIT)
        gate = request.query_params.get("gate")
        rows = await run_in_threadpool(self._store.decisions, gate=gate, after=after, limit=limit)
        return _json({"decisions": [decision_body(row) for row in rows]})

    async def answers(self, request: Request) -> Response:
        """List answers, newest first, by slice and by the value of a metric."""
        limit = _integer(request, "limit", 50, low=1, high=MAX_LIMIT)
        before = _integer(request, "before", 0, low=0) or None
        metric = request.query_params.get("metric")
        low, high = _number(request, "min_value"), _number(request, "max_value")
        if metric is None and (low is not None or high is not None):
            raise HTTPException(400, "min_value and max_value need metric")
        cut = {name: request.query_params[name] for name in self._dimensions if name in request.query_params}
        scan = limit if low is None and high is None else SCAN_ROWS
        rows = await run_in_threadpool(
            self._store.answers, limit=scan, before=before, metric=metric, slice_=cut or None
        )
        chosen = [row for row in rows if metric is None or _within(row, metric, low, high)][:limit]
        return _json({"answers": [answer_body(row) for row in chosen]})

    async def answer(self, request: Request) -> Response:
        """Give one answer with its newest evaluation."""
        answer_id = request.path_params["answer_id"]
        row = await run_in_threadpool(self._store.answer, answer_id)
        if row is None:
            raise HTTPException(404, f"no answer {answer_id!r}: unknown, not closed yet, or past its retention")
        return _json(answer_body(row))

    async def slices(self, _request: Request) -> Response:
        """List the slice dimensions."""
        return _json({"dimensions": list(self._dimensions)})


def gate_body(name: str, verdict: Verdict | None, *, slices: bool) -> dict[str, Any]:
    """Return a verdict as the API tells it; before the first judgement it is inconclusive."""
    if verdict is None:
        return {
            "gate": name,
            "state": "inconclusive",
            "code": 0,
            "no_data": True,
            "reason": "not judged yet",
            "evaluated_at": None,
            "policy_version": None,
            "slices": [],
        }
    body: dict[str, Any] = {
        "gate": name,
        "state": verdict.state,
        "code": verdict.code,
        "no_data": verdict.no_data,
        "reason": verdict.reason,
        "evaluated_at": verdict.at.isoformat().replace("+00:00", "Z"),
        "policy_version": verdict.policy_version,
    }
    if slices:
        body["slices"] = [part.model_dump(mode="json") for part in verdict.slices]
    return body


def decision_body(row: Decision) -> dict[str, Any]:
    """Return a row of the decision log as the API tells it."""
    return {
        "seq": row.seq,
        "at": instant(row.at).isoformat().replace("+00:00", "Z"),
        "gate": row.gate,
        "slice": dict(row.slice),
        "state": row.state,
        "previous_state": row.previous_state,
        "verdict": json.loads(row.verdict),
        "previous_hash": row.previous_hash,
        "hash": row.hash,
    }


def answer_body(row: AnswerRow) -> dict[str, Any]:
    """Return an answer as the API tells it."""
    evaluation = row.evaluation
    return {
        "answer": row.stored.answer.model_dump(mode="json", exclude_defaults=True),
        "slice": dict(row.stored.slice),
        "probability": row.stored.probability,
        "sampled": row.stored.sampled,
        "seq": row.seq,
        "arrived_at": instant(row.arrived).isoformat().replace("+00:00", "Z"),
        "evaluation": evaluation.model_dump(mode="json", exclude_none=True) if evaluation is not None else None,
    }


def _within(row: AnswerRow, metric: str, low: float | None, high: float | None) -> bool:
    if row.evaluation is None:
        return False
    for score in row.evaluation.scores:
        if score.metric == metric:
            return (low is None or score.value >= low) and (high is None or score.value <= high)
    return False


def _integer(request: Request, name: str, default: int, *, low: int, high: int = 2**63 - 1) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or not low <= int(text[:20]) <= high:
        raise HTTPException(400, f"{name} must be a whole number from {low} to {high}, got {text[:40]!r}")
    return int(text)


def _number(request: Request, name: str) -> float | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise HTTPException(400, f"{name} must be a finite number, got {text[:40]!r}")
    return value


def _json(body: Any) -> Response:
    # allow_nan=False: NaN is not JSON, and deployment tools take a body with it for plain text.
    return Response(json.dumps(body, allow_nan=False, ensure_ascii=False), media_type="application/json")


async def _problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, status_code=error.status_code, headers=error.headers)
