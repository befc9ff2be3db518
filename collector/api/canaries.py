"""The part of the API about canaries: which stand, what came of them, and asking them now; and their page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.bodies import Recorded, RowBody, encoded
from collector.api.exchange import check_media, made, parsed, read_body
from collector.api.operations import HTML, WRONG, Operation
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.parameters import Parameters, Text, Whole
from collector.api.queries import Patience
from collector.api.serving import CanaryPart, Serving
from collector.store.canaries import CanaryResult, StandingCanary
from collector.store.store import Store
from scorers.canaries.canary import CanaryKind
from scorers.canaries.checking import FAULTS

SHOWN = 100
"""Results that the page shows."""
MISSING = "No canaries are configured."
CanaryState = Literal["failing", "ok", "waiting"]


class CanaryBody(BaseModel):
    """A canary that stands, and what came of it last."""

    model_config = ConfigDict(frozen=True)

    id: str
    kind: CanaryKind
    document: str = Field(description="`id@version` of the entry that wrote it.")
    section: str | None
    question: str
    statement: str = Field(description="What the version in force says.")
    former: tuple[str, ...] = Field(description="What versions before said in its place.")
    permitted: tuple[str, ...] | None = Field(description="Groups that may see it; null for everyone.")
    state: CanaryState
    outcome: str | None = Field(description="What came of it last; null before it was asked.")
    detail: str | None
    created_at: Recorded
    due_at: Recorded
    asked_at: Recorded | None
    failing_since: Recorded | None


class CanaryListBody(BaseModel):
    """The canaries that stand, those that fail first, and how the endpoint is doing."""

    model_config = ConfigDict(frozen=True)

    report: Mapping[str, Any]
    canaries: tuple[CanaryBody, ...]


class CanaryResultBody(RowBody):
    """What came of asking a canary once."""

    seq: int
    canary: str
    at: Recorded
    outcome: str
    trace_id: str = Field(description="Trace of the request, for the application's own tracing.")
    latency_ms: float
    check: Mapping[str, Any]


class CanaryResultsBody(BaseModel):
    """Results, the newest first; ``next`` is what to give as `before` for those that follow."""

    model_config = ConfigDict(frozen=True)

    results: tuple[CanaryResultBody, ...]
    next: int | None


class CanaryParameters(Parameters):
    """Which canaries are listed."""

    state: Annotated[CanaryState | None, Field(description="Only those that fail, pass, or were not asked.")] = None
    limit: Annotated[int, Field(ge=1, le=10_000, description="At most this many."), Whole] = 1000


class CanaryResultParameters(Parameters):
    """Which results are listed."""

    canary: Text | None = Field(default=None, description="Only results of this canary.")
    outcome: Text | None = Field(default=None, description="Only results with this outcome.")
    before: Annotated[int | None, Field(ge=1, le=2**63 - 1, description="Only results with a lower number."), Whole] = (
        None
    )
    limit: Annotated[int, Field(ge=1, le=1000, description="At most this many."), Whole] = 100


class CanaryRunRequest(BaseModel):
    """Nothing needs to be said."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class CanaryApi:
    """Handlers about canaries."""

    serving: Serving

    @Operation("/v1/canaries", {200: ("Canaries, those that fail first.", CanaryListBody), 400: WRONG, 404: MISSING})
    async def canaries(self, request: Request, wanted: CanaryParameters) -> Response:
        """List the canaries that stand, with what came of each last."""
        part = self._part()

        def body(patience: Patience) -> bytes:
            rows = _listed(self.serving.parts.store.asked(patience.over))
            chosen = [one for one in rows if wanted.state in (None, one.state)][: wanted.limit]
            return encoded(CanaryListBody(report=part.report(), canaries=tuple(chosen)).model_dump(mode="json"))

        return await self.serving.lists.respond(request, body)

    @Operation(
        "/v1/canaries/results",
        {200: ("What came of canaries, the newest first.", CanaryResultsBody), 400: WRONG, 404: MISSING},
    )
    async def results(self, request: Request, wanted: CanaryResultParameters) -> Response:
        """List what came of canaries."""
        self._part()

        def body(patience: Patience) -> bytes:
            rows = self.serving.parts.store.asked(patience.over).canary_results(
                canary=wanted.canary, outcome=wanted.outcome, before=wanted.before, limit=wanted.limit
            )
            following = rows[-1].seq if len(rows) == wanted.limit else None
            shown = CanaryResultsBody(results=tuple(map(_result, rows)), next=following)
            return encoded(shown.model_dump(mode="json"))

        return await self.serving.lists.respond(request, body)

    @Operation(
        "/v1/canaries/run",
        {
            200: "How many canaries are due now; the budget of an hour holds.",
            400: WRONG,
            404: MISSING,
            413: "The body is larger than 64 KiB.",
            415: "The body is not application/json.",
        },
        body=CanaryRunRequest,
    )
    async def run(self, request: Request) -> Response:
        """Ask every canary now, within the budget of an hour."""
        check_media(request, "application/json")
        try:
            parsed(await read_body(request) or b"{}", CanaryRunRequest)
        except ValueError as error:
            raise HTTPException(400, str(error)) from error
        part = self._part()
        return await made(lambda: {"due": part.run_now()})

    @Operation("/canaries", {200: ("The page.", HTML)}, access="page")
    async def page(self, request: Request) -> Response:
        """Show canaries that fail, those that stand, and the newest results as a page."""
        return await PageFrame(self.serving).shown(request, "canaries.html", lambda store, _: self._shown(store))

    def _shown(self, store: Store) -> PageContent:
        part = self.serving.parts.canaries
        if part is None:
            return {"report": None}
        rows = _listed(store)
        return {
            "report": part.report(),
            "failing": [one for one in rows if one.state == "failing"],
            "others": [one for one in rows if one.state != "failing"][:SHOWN],
            "left_out": max(0, sum(one.state != "failing" for one in rows) - SHOWN),
        }

    def _part(self) -> CanaryPart:
        part = self.serving.parts.canaries
        if part is None:
            raise HTTPException(404, "no canaries are configured")
        return part


def _listed(store: Store) -> list[CanaryBody]:
    """Return the canaries that stand, those that fail first, then the newest."""
    rows = sorted(store.canaries(), key=lambda one: (one.outcome not in FAULTS, -(one.asked_at or 0), one.id))
    return [_standing(one) for one in rows]


def _standing(row: StandingCanary) -> CanaryBody:
    said = orjson.loads(row.body)
    version = said.get("version")
    return CanaryBody(
        id=row.id,
        kind=said["kind"],
        document=said["doc_id"] if version is None else f"{said['doc_id']}@{version}",
        section=said.get("section"),
        question=said["question"],
        statement=said["statement"],
        former=tuple(said.get("former") or ()),
        permitted=None if said.get("permitted") is None else tuple(said["permitted"]),
        state="waiting" if row.outcome is None else "failing" if row.outcome in FAULTS else "ok",
        outcome=row.outcome,
        detail=row.detail,
        created_at=row.created_at,
        due_at=row.due_at,
        asked_at=row.asked_at,
        failing_since=row.failing_since,
    )


def _result(row: CanaryResult) -> CanaryResultBody:
    return CanaryResultBody(
        seq=row.seq,
        canary=row.canary,
        at=row.at,
        outcome=row.outcome,
        trace_id=row.trace_id,
        latency_ms=row.latency_ms,
        check=orjson.loads(row.body),
    )
