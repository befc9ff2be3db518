"""The pages of what was decided and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.operations import HTML, WRONG, Operation
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.pages.site import link, named
from collector.api.pages.tables import TableFormat, csv_response
from collector.api.parameters import Parameters, RowNumber, Text
from collector.api.queries import Patience
from collector.api.rows import DecisionParameters
from collector.changes.ledger import newest_known
from collector.clock import instant
from collector.judging.verdicts import rfc3339
from collector.store.rows import Decision
from collector.store.store import Store

ROWS = 50
MAX_CSV = 1_000
"""Rows of one CSV file; the next ones are had with `before`."""


class DecisionsPageParameters(Parameters):
    """Which decisions are shown."""

    gate: Text | None = Field(default=None, description="Only this gate's.")
    before: RowNumber = Field(default=0, description="Only rows with a lower seq; 0: all.")
    format: TableFormat = Field(default="page", description="A page, or up to 1,000 rows as CSV.")


class ChangesPageParameters(Parameters):
    """Which changes are shown."""

    before: RowNumber = Field(default=0, description="Only rows with a lower seq; 0: all.")
    format: TableFormat = Field(default="page", description="A page, or up to 1,000 rows as CSV.")


class RecordPages(PageFrame):
    """Handlers of the pages about decisions and changes."""

    @Operation("/decisions", {200: ("The page.", HTML), 400: WRONG}, access="page")
    async def decisions_page(self, request: Request, wanted: DecisionsPageParameters) -> Response:
        """List decisions, newest first, as a page."""
        if wanted.format == "csv":
            return await self.table(request, lambda store, _: _decisions_csv(store, wanted))

        def read(store: Store, _: Patience) -> PageContent:
            rows = store.decisions(gate=wanted.gate, before=wanted.before or None, newest_first=True, limit=ROWS)
            return {
                "rows": [(row, _record(row)) for row in rows],
                "wanted": wanted,
                "gates": self.serving.gates,
                "following": _following("/decisions", rows, gate=wanted.gate),
                "csv": link("/decisions", gate=wanted.gate, format="csv"),
            }

        return await self.shown(request, "decisions.html", read)

    @Operation(
        "/decisions/{seq}", {200: ("The page.", HTML), 400: WRONG, 404: "No row has this number."}, access="page"
    )
    async def decision_page(self, request: Request, wanted: DecisionParameters) -> Response:
        """Show one decision with its record, and what became of it, as a page."""

        def read(store: Store, _: Patience) -> PageContent:
            row = store.decision(wanted.seq)
            if row is None:
                raise HTTPException(404, f"no decision {wanted.seq}: the log has no row of that number")
            later = store.decisions(gate=row.gate, after=row.seq, limit=10 * ROWS)
            record = _record(row)
            worst = [] if record is None else [each["answer_id"] for each in record["answers"]]
            return {
                "row": row,
                "record": record,
                "questions": {name: each.answer.question for name, each in store.answers_by_id(worst).items()},
                "later": [(each, _record(each)) for each in later if each.slice == row.slice][:ROWS],
            }

        return await self.shown(request, "decision.html", read)

    @Operation("/changes", {200: ("The page.", HTML), 400: WRONG}, access="page")
    async def changes_page(self, request: Request, wanted: ChangesPageParameters) -> Response:
        """List the change ledger, newest first, as a page."""
        if wanted.format == "csv":
            return await self.table(request, lambda store, _: _changes_csv(store, wanted))

        def read(store: Store, _: Patience) -> PageContent:
            rows, oldest = newest_known(store, before=wanted.before or None, limit=ROWS)
            following = None if oldest is None else link("/changes", before=oldest)
            return {"rows": rows, "following": following, "wanted": wanted}

        return await self.shown(request, "changes.html", read)


def _decisions_csv(store: Store, wanted: DecisionsPageParameters) -> Response:
    rows = store.decisions(gate=wanted.gate, before=wanted.before or None, newest_first=True, limit=MAX_CSV)
    header = ("seq", "at", "gate", "slice", "state", "previous_state", "reason", "recommended", "hash")

    def cells(row: Decision) -> Sequence[Any]:
        record = _record(row) or {"reason": "", "recommended": {"action": ""}}
        told = (record["reason"], record["recommended"]["action"])
        before = row.previous_state or ""
        return (row.seq, rfc3339(instant(row.at)), row.gate, named(row.slice), row.state, before, *told, row.hash)

    return csv_response("decisions", header, map(cells, rows))


def _changes_csv(store: Store, wanted: ChangesPageParameters) -> Response:
    known, _ = newest_known(store, before=wanted.before or None, limit=MAX_CSV)
    header = ("seq", "at", "kind", "component", "previous", "version", "scope", "documents", "known_by", "note")
    return csv_response(
        "changes",
        header,
        (
            (
                row.seq,
                rfc3339(instant(row.at)),
                row.kind,
                row.component,
                row.previous or "",
                row.version or "",
                named(row.scope),
                " ".join(row.documents),
                "explicit and observed" if both else row.source,
                row.note or "",
            )
            for row, both in known
        ),
    )


def _record(row: Decision) -> Any:
    return None if row.record is None else orjson.loads(row.record)


def _following(path: str, rows: Sequence[Decision], **query: str | None) -> str | None:
    return link(path, **query, before=rows[-1].seq) if len(rows) == ROWS else None
