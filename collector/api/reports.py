"""The part of the API about reports: their checksums go into the decision log, whose chain then bears them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from adapters.trace import Nanoseconds
from collector.api.exchange import check_media, made, parsed, read_body
from collector.api.operations import WRONG, Operation
from collector.api.serving import Serving
from collector.clock import instant
from collector.security.text import one_line
from collector.store.rows import Decision
from gates.decisions.record import REPORTS, DecisionRecord, Recommendation

HOUR = 3600 * 10**9


class ReportReceipt(BaseModel):
    """A report that was written: its checksum, what it is called, and what it says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the file, in hex.")]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    decision: Annotated[str, Field(min_length=1, max_length=400)]


@dataclass(frozen=True)
class ReportApi:
    """Handlers about reports."""

    serving: Serving

    @Operation(
        "/v1/reports",
        {
            200: "The row of the decision log that has the checksum.",
            400: WRONG,
            413: "The body is larger than 64 KiB.",
            415: "The body is not application/json.",
        },
        body=ReportReceipt,
    )
    async def record(self, request: Request) -> Response:
        """Chain the checksum of a report into the decision log."""
        check_media(request, "application/json")
        try:
            receipt = parsed(await read_body(request), ReportReceipt)
        except ValueError as error:
            raise HTTPException(400, str(error)) from error

        def recorded() -> dict[str, object]:
            store, now = self.serving.parts.store, self.serving.clock()
            store.decide([_row(receipt, now)])
            newest = store.decisions(gate=REPORTS, newest_first=True, limit=1)[0]
            return {"seq": newest.seq, "hash": newest.hash, "sha256": receipt.sha256}

        return await made(recorded)


def _row(receipt: ReportReceipt, now: Nanoseconds) -> Decision:
    at = instant(now)
    reason = one_line(f"report {receipt.title!r}, SHA-256 {receipt.sha256}: {receipt.decision}", 800)
    record = DecisionRecord(
        kind="report",
        gate=REPORTS,
        policy_version="1",
        slice={},
        state="inconclusive",
        previous_state="inconclusive",
        reason=reason,
        at=at,
        since=None,
        expires_at=instant(Nanoseconds(now + HOUR)),
        metrics=(),
        causes_excluded=(),
        causes_open=(),
        recommended=Recommendation(action="none", reason="a report decides nothing by itself"),
    )
    return Decision(
        at=now,
        gate=REPORTS,
        slice={},
        state="inconclusive",
        previous_state="inconclusive",
        verdict=receipt.model_dump_json(),
        record=record.model_dump_json(),
    )
