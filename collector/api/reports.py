"""The part of the API about reports: which there are, and their checksums in the hash-chained decision log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from adapters.trace import Nanoseconds
from collector.api.exchange import check_media, made, parsed, read_body
from collector.api.operations import WRONG, Operation
from collector.api.parameters import Parameters, Whole
from collector.api.queries import Patience
from collector.api.serving import Serving
from collector.clock import instant
from collector.evaluating.calendar import due_after
from collector.evaluating.options import ScheduledReport
from collector.reports.shelf import KeptReport, unwritten
from collector.security.text import one_line
from collector.store.rows import Decision
from collector.store.store import Store
from evaluation.reports.content import ReportKind, ReportVerdict
from gates.decisions.record import REPORTS, DecisionRecord, Recommendation
from telemetry.pages import report_path

HOUR = 3600 * 10**9
ROWS = 50
"""Reports of one page."""
MAX_RECORDED = 1_000
"""Newest checksums of the decision log that reports are found by."""
MAX_NAMED = 20
"""Files that are named because they are no reports."""


class ReportReceipt(BaseModel):
    """A report that was written: its checksum, what it is called, and what it says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the file, in hex.")]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    decision: Annotated[str, Field(min_length=1, max_length=400)]


class ListedReport(BaseModel):
    """A report that an agent has: where it is served, what it says, and the decision that its checksum stands in."""

    path: str = Field(description="Path at which it is served.")
    folder: str = Field(description="Name of the schedule whose folder it is in; `-` is the agent's own folder.")
    file: str
    kind: ReportKind
    title: str
    verdict: ReportVerdict
    decision: str
    runs: Sequence[str] = Field(description="What it compares, the baseline first, or is about.")
    answers: int
    made_at: str = Field(description="As of when its answers were scored.")
    written_at: datetime
    size: int = Field(description="Bytes.")
    sha256: str | None = Field(
        description="SHA-256, in hex; null for one that has gone, or that there was no time for."
    )
    recorded: int | None = Field(description="Number of the decision that has this checksum, if one has.")


class ScheduledReportBody(BaseModel):
    """Reports that an agent writes by the calendar."""

    name: str
    schedule: str
    timezone: str
    folder: str
    next_due: datetime | None = Field(description="When it is due next; null for never.")
    unwritten: str | None = Field(description="Name of one that was begun after the newest one and is not there.")
    said: str = Field(description="The last line that its run printed.")


class ReportsBody(BaseModel):
    """The reports that an agent has, newest first, and those that it writes."""

    reports: Sequence[ListedReport]
    next: int | None = Field(description="`skip` of the next page; null on the last.")
    schedules: Sequence[ScheduledReportBody]
    more: bool = Field(description="Whether a folder holds older ones that are not listed.")
    others: Sequence[str] = Field(description="HTML files of the folders that are no reports of Groundwire.")
    problems: Sequence[str] = Field(description="Folders that cannot be read.")


class ReportListParameters(Parameters):
    """Which reports are listed."""

    skip: Annotated[int, Field(ge=0, le=1_000_000), Whole] = Field(default=0, description="Leave out the newest ones.")


def listed(serving: Serving, store: Store, patience: Patience, *, skip: int, limit: int) -> ReportsBody:
    """Return what is listed of reports, from the one after the newest ``skip``.

    Checksums are those that were taken while there was ``patience``; a large file needs some for the first time.
    """
    shelf = serving.described.shelf
    found = shelf.listing()
    seqs = {
        ReportReceipt.model_validate_json(row.verdict).sha256: row.seq
        for row in store.decisions(gate=REPORTS, newest_first=True, limit=MAX_RECORDED)
    }
    shown = found.reports[skip : skip + limit]
    return ReportsBody(
        reports=[_listed(one, None if patience.enough() else shelf.digest(one), seqs) for one in shown],
        next=skip + limit if len(found.reports) > skip + limit else None,
        schedules=[_scheduled(each, instant(serving.clock())) for each in serving.described.reports],
        more=found.more,
        others=found.others[:MAX_NAMED],
        problems=found.problems,
    )


def _listed(report: KeptReport, digest: str | None, seqs: Mapping[str, int]) -> ListedReport:
    return ListedReport(
        path=report_path(report.folder, report.file),
        folder=report.folder,
        file=report.file,
        written_at=instant(report.written_at),
        size=report.size,
        sha256=digest,
        recorded=seqs.get(digest or ""),
        **report.summary.model_dump(),
    )


def _scheduled(options: ScheduledReport, now: datetime) -> ScheduledReportBody:
    missing = unwritten(options.to)
    return ScheduledReportBody(
        name=options.name,
        schedule=options.schedule,
        timezone=options.timezone,
        folder=str(options.to),
        next_due=due_after(options, now),
        unwritten=None if missing is None else missing[0],
        said="" if missing is None else one_line(missing[1]),
    )


@dataclass(frozen=True)
class ReportApi:
    """Handlers about reports."""

    serving: Serving

    @Operation(
        "/v1/reports",
        {200: ("The reports, newest first, and the schedules.", ReportsBody), 400: WRONG},
        access="page",
    )
    async def reports(self, request: Request, wanted: ReportListParameters) -> Response:
        """List the reports of the agent's folders."""
        store = self.serving.parts.store

        def body(patience: Patience) -> bytes:
            asked = store.asked(patience.over)
            return listed(self.serving, asked, patience, skip=wanted.skip, limit=ROWS).model_dump_json().encode()

        return await self.serving.lists.respond(request, body)

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
