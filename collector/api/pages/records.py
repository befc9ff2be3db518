"""The pages of what was decided and what changed."""

from __future__ import annotations

from typing import Any

import orjson
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.operations import HTML, WRONG, Operation
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.pages.site import link
from collector.api.parameters import Parameters, RowNumber, Text
from collector.api.queries import Patience
from collector.api.rows import DecisionParameters
from collector.store.rows import Decision
from collector.store.store import Store

ROWS = 50


class DecisionsPageParameters(Parameters):
    """Which decisions are shown."""

    gate: Text | None = Field(default=None, description="Only this gate's.")
    before: RowNumber = Field(default=0, description="Only rows with a lower seq; 0: all.")


class ChangesPageParameters(Parameters):
    """Which changes are shown."""

    before: RowNumber = Field(default=0, description="Only rows with a lower seq; 0: all.")


class RecordPages(PageFrame):
    """Handlers of the pages about decisions and changes."""

    @Operation("/decisions", {200: ("The page.", HTML), 400: WRONG}, access="page")
    async def decisions_page(self, request: Request, wanted: DecisionsPageParameters) -> Response:
        """List decisions, newest first, as a page."""

        def read(store: Store, _: Patience) -> PageContent:
            rows = store.decisions(gate=wanted.gate, before=wanted.before or None, newest_first=True, limit=ROWS)
            return {
                "rows": [(row, _record(row)) for row in rows],
                "wanted": wanted,
                "gates": self.serving.gates,
                "following": _following("/decisions", rows, gate=wanted.gate),
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
            return {
                "row": row,
                "record": _record(row),
                "later": [(each, _record(each)) for each in later if each.slice == row.slice][:ROWS],
            }

        return await self.shown(request, "decision.html", read)

    @Operation("/changes", {200: ("The page.", HTML), 400: WRONG}, access="page")
    async def changes_page(self, request: Request, wanted: ChangesPageParameters) -> Response:
        """List the change ledger, newest first, as a page."""

        def read(store: Store, _: Patience) -> PageContent:
            rows = store.newest_changes(before=wanted.before or None, limit=ROWS)
            return {"rows": rows, "following": _following("/changes", rows), "wanted": wanted}

        return await self.shown(request, "changes.html", read)


def _record(row: Decision) -> Any:
    return None if row.record is None else orjson.loads(row.record)


def _following(path: str, rows: Any, **query: str | None) -> str | None:
    return link(path, **query, before=rows[-1].seq) if len(rows) == ROWS else None
