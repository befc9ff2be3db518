"""The pages of reports: those that the agent wrote by the calendar, and those that were put into its folders."""

from __future__ import annotations

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.operations import HTML, WRONG, Operation
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.pages.site import HEADERS, link
from collector.api.pages.tables import TableFormat, csv_response
from collector.api.parameters import Parameters
from collector.api.queries import Patience
from collector.api.reports import ROWS, ListedReport, ReportListParameters, listed
from collector.judging.verdicts import rfc3339
from collector.reports.shelf import OWN_REPORTS
from collector.store.store import Store

MAX_CSV = 1_000
"""Rows of one CSV file."""
REPORT_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox",
}
"""A report is a file that somebody may have changed: it runs nothing, loads nothing, and is of no origin.

Its own policy admits its own style alone; both hold.
"""
WORDS = {"release": "release", "hold": "hold", "repair": "repair", "fine": "no fault", "unclear": "not shown"}
LOOKS = {"release": "pass", "fine": "pass", "hold": "fail", "repair": "inconclusive", "unclear": "inconclusive"}


class ReportsPageParameters(ReportListParameters):
    """Which reports are shown."""

    format: TableFormat = Field(default="page", description="A page, or up to 1,000 rows as CSV.")


class ReportParameters(Parameters):
    """Which report is shown."""

    folder: str = Field(description="Name of the schedule whose folder it is in; `-` is the agent's own folder.")
    file: str = Field(description="Name of the file.")


class ReportPages(PageFrame):
    """Handlers of the pages about reports."""

    @Operation("/reports", {200: ("The page.", HTML), 400: WRONG}, access="page")
    async def reports_page(self, request: Request, wanted: ReportsPageParameters) -> Response:
        """List reports, newest first, with what they decide, as a page."""
        if wanted.format == "csv":
            return await self.table(request, lambda store, patience: self._csv(store, patience, wanted.skip))

        def read(store: Store, patience: Patience) -> PageContent:
            body = listed(self.serving, store, patience, skip=wanted.skip, limit=ROWS)
            return {
                "body": body,
                "wanted": wanted,
                "words": WORDS,
                "looks": LOOKS,
                "own": self.serving.described.shelf.folders.get(OWN_REPORTS),
                "following": None if body.next is None else link("/reports", skip=body.next),
            }

        return await self.shown(request, "reports.html", read)

    @Operation(
        "/reports/{folder}/{file}",
        {200: ("The report.", HTML), 404: "There is no such report."},
        access="page",
    )
    async def report_page(self, request: Request, wanted: ReportParameters) -> Response:
        """Serve a report as it was written; nothing in it can run or load."""

        def read(_store: Store, _: Patience) -> Response:
            content = self.serving.described.shelf.content(wanted.folder, wanted.file)
            if content is None:
                raise HTTPException(404, "there is no such report: it was removed, or is no report of Groundwire")
            return Response(content, media_type="text/html; charset=utf-8", headers=REPORT_HEADERS)

        return await self.table(request, read)

    def _csv(self, store: Store, patience: Patience, skip: int) -> Response:
        body = listed(self.serving, store, patience, skip=skip, limit=MAX_CSV)
        header = (
            *("path", "written_at", "kind", "title", "verdict", "decision", "runs", "answers", "made_at"),
            *("size", "sha256", "recorded"),
        )
        return csv_response("reports", header, map(_cells, body.reports))


def _cells(row: ListedReport) -> tuple[str | int, ...]:
    return (
        row.path,
        rfc3339(row.written_at),
        row.kind,
        row.title,
        row.verdict,
        row.decision,
        "; ".join(row.runs),
        row.answers,
        row.made_at,
        row.size,
        row.sha256 or "",
        row.recorded or "",
    )
