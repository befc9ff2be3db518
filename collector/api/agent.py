"""The part of the API about the agent itself: metrics, probes, and how it gets on with what it speaks to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from anyio import CapacityLimiter, to_thread
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from adapters.keys import KeysFound
from collector.api.bodies import JsonBody, Time, encoded
from collector.api.exchange import made
from collector.api.operations import WRONG, Operation
from collector.api.parameters import Parameters, Whole
from collector.api.queries import Patience
from collector.api.running import AgentBody
from collector.api.serving import Serving
from collector.clock import instant
from collector.judging.verdicts import rfc3339
from collector.pipeline.keys_task import SECONDS, KeysRequest

MAX_TRACE_BYTES = 8 * 1024 * 1024
"""Bytes of the traces whose keys are listed."""
GRACE_SECONDS = 3.0
"""What a worker has beyond the time in which it begins with another trace, for that one."""
MALFORMED_SHOWN = 5
"""Records that could not be read, of each source: enough to see what is wrong with it."""
ADVICE = (
    "No dialect reads these scopes, so their model calls and searches are in no answer. Describe them under "
    "`traces.dialects`; docs/sources.md says what is read."
)


class UnreadScopeBody(BaseModel):
    """Spans of one instrumentation scope that nobody reads."""

    scope: str = Field(description="Name of the instrumentation; `other` for those beyond the first twenty.")
    spans: int
    last_at: Time


class UnreadSpansBody(BaseModel):
    """Spans of a model or a search that no dialect reads."""

    spans: int = Field(description="All of them since the start; 0: everything is read.")
    scopes: Sequence[UnreadScopeBody] = Field(description="The most frequent first.")
    advice: str


class MalformedTraceBody(BaseModel):
    """A trace whose spans could not be made into answers."""

    trace_id: str = Field(description="In lower-case hex.")
    at: Time
    reason: str


class MalformedTracesBody(BaseModel):
    """Traces that could not be read."""

    count: int = Field(description="All of them since the store was made.")
    traces: Sequence[MalformedTraceBody] = Field(description="The newest first.")


class KeysParameters(Parameters):
    """The traces that are looked at."""

    traces: Annotated[int, Field(ge=1, le=1000, description="How many of the newest traces are looked at."), Whole] = (
        200
    )


@dataclass(frozen=True)
class AgentApi:
    """Handlers that say how the agent is doing. Probes carry no content and need no token: an orchestrator has none."""

    serving: Serving
    # One exposition is made at a time, beside what other requests run in threads: it takes the processor, and many
    # at once would end no sooner.
    scrapes: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))

    @Operation("/metrics", {200: ("All instruments.", str)}, stored=False)
    async def metrics(self, request: Request) -> Response:
        """Prometheus exposition, in the format and the encoding the scraper asks for."""
        accept, encoding = (request.headers.get(name, "") for name in ("accept", "accept-encoding"))
        body, headers = await to_thread.run_sync(self.serving.telemetry.scrape, accept, encoding, limiter=self.scrapes)
        return Response(body, headers=headers)

    @Operation("/healthz", {200: "The process serves requests."}, access="open", stored=False)
    async def healthz(self, _request: Request) -> Response:
        """Liveness: the process serves requests."""
        return JSONResponse({"status": "ok", "version": self.serving.version})

    @Operation(
        "/readyz",
        {
            200: "Ready for traffic; `warnings` name what needs attention nevertheless.",
            503: ("Not ready; `reasons` say why: the store cannot be written, or is corrupt.", dict[str, Any]),
        },
        access="open",
        stored=False,
    )
    async def readyz(self, _request: Request) -> Response:
        """Readiness: the store is open and can be written, and the agent is not draining."""
        readiness = self.serving.readiness
        reasons, warnings = list(readiness.reasons()), list(readiness.warnings())
        body = {"ready": not reasons, "reasons": reasons, "warnings": warnings}
        return JSONResponse(body, status_code=503 if reasons else 200)

    @Operation("/v1/agent", {200: ("The agent, its clock, and what of its configuration is in force.", AgentBody)})
    async def agent(self, _request: Request) -> Response:
        """Say where the agent listens and what it judges, to find out why nothing arrives or is judged."""
        running, at = self.serving.running, rfc3339(instant(self.serving.clock()))
        if self.serving.opened is None or running is None:
            raise HTTPException(503, "the agent is starting", headers={"Retry-After": "1"})
        return await made(lambda: {"version": self.serving.version, "at": at, **running.model_dump()})

    @Operation("/v1/slices", {200: "The configured dimensions."}, stored=False)
    async def slices(self, _request: Request) -> Response:
        """List the slice dimensions."""
        return JSONResponse({"dimensions": list(self.serving.dimensions)})

    @Operation("/v1/sources", {200: "Each source: state, last success and error, what it delivered, and its position."})
    async def sources(self, request: Request) -> Response:
        """List the sources the agent reads, with the newest records of each that could not be read."""
        parts = self.serving.parts

        def body(patience: Patience) -> bytes:
            store, sources = parts.store.asked(patience.over), []
            for report in (source.report() for source in parts.sources):
                unread = [
                    {"at": rfc3339(instant(at)), "place": record.place, "reason": record.reason}
                    for at, record in store.malformed_records(report["name"], limit=MALFORMED_SHOWN)
                ]
                sources.append({**report, "last_malformed": unread})
            return encoded({"sources": sources})

        return await self.serving.lookups.respond(request, body)

    @Operation("/v1/unread-spans", {200: ("The spans that nobody reads.", UnreadSpansBody)})
    async def unread_spans(self, _request: Request) -> Response:
        """Say which spans of a model or a search no dialect reads, by instrumentation scope, since the start."""
        report = self.serving.parts.unread

        def body() -> JsonBody:
            scopes = [
                {"scope": scope, "spans": found.spans, "last_at": rfc3339(instant(found.last_at))}
                for scope, found in report().items()
            ]
            return {"spans": sum(each["spans"] for each in scopes), "scopes": scopes, "advice": ADVICE}

        return await made(body)

    @Operation("/v1/malformed-traces", {200: ("Traces that could not be read.", MalformedTracesBody)})
    async def malformed_traces(self, request: Request) -> Response:
        """Count the traces that could not be made into answers, and say of the newest ones why."""
        parts = self.serving.parts

        def body(patience: Patience) -> bytes:
            store = parts.store.asked(patience.over)
            newest = [
                {"trace_id": trace_id.hex(), "at": rfc3339(instant(at)), "reason": reason}
                for trace_id, at, reason in store.malformed(limit=MALFORMED_SHOWN)
            ]
            return encoded({"count": store.totals().outcomes["malformed"], "traces": newest})

        return await self.serving.lookups.respond(request, body)

    @Operation("/v1/span-keys", {200: ("Keys, those that most traces carry first.", KeysFound), 400: WRONG})
    async def span_keys(self, request: Request, wanted: KeysParameters) -> Response:
        """List the keys that spans of the newest traces carry, with their values: what traffic can be sliced by."""
        parts = self.serving.parts

        def body(patience: Patience) -> bytes:
            newest = parts.store.asked(patience.over).newest_traces(limit=wanted.traces, limit_bytes=MAX_TRACE_BYTES)
            return parts.examine(KeysRequest(tuple(newest)), timeout=SECONDS + GRACE_SECONDS).encode()

        return await self.serving.lists.respond(request, body)

    @Operation("/v1/write-back", {200: "Each target: state, last error, what was written, and its position."})
    async def write_back(self, _request: Request) -> Response:
        """List the targets of write-back."""
        targets = self.serving.parts.write_back
        return await made(lambda: {"write_back": [target.report() for target in targets]})

    @Operation("/v1/notify", {200: "Each notifier: state, last error, what was sent, and its position."})
    async def notify(self, _request: Request) -> Response:
        """List the notifiers."""
        notifiers = self.serving.parts.notify
        return await made(lambda: {"notify": [notifier.report() for notifier in notifiers]})
