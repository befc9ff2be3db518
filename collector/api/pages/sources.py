"""The pages of where answers come from, what they rest on, and what the agent was told to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.operations import HTML, WRONG, Operation
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.pages.site import assets, link
from collector.api.pages.tables import TableFormat, csv_response
from collector.api.parameters import Parameters, SliceParameters, Text, wrong
from collector.api.queries import Patience
from collector.api.serving import Parts
from collector.outbound.status import Reporting
from collector.store.points import RestedDocument
from collector.store.store import Store
from scorers.base import Metric
from scorers.catalog.uri import ends_with

BAD_BY = (
    "stale_source_use",
    "index_copy_outdated",
    "faithfulness",
    "contradiction_absence",
    "composite",
    "unsafe_probability",
)
"""Metrics by which bad answers are counted: where none is asked for, the first of them that has values."""
HALF = 0.5
MALFORMED = 5
"""Traces that could not be read that are shown, the newest first."""
YEAR_SECONDS = 365 * 24 * 3600


class DocumentsParameters(SliceParameters):
    """Which documents are shown, and which answers count as bad."""

    metric: Text | None = Field(default=None, description="The metric by which an answer is bad.")
    format: TableFormat = Field(default="page", description="A page, or the same rows as CSV.")
    slice: Mapping[str, Text] = Field(default_factory=dict, description="Only answers whose {name} is this.")


class AssetParameters(Parameters):
    """Which file is loaded."""

    digest: str = Field(description="Of its content: another content has another address.")
    name: str = Field(description="Its name.")


class SourcePages(PageFrame):
    """Handlers of the pages about sources, documents and the configuration, and of the files that pages load."""

    @Operation("/sources", {200: ("The page.", HTML)}, access="page")
    async def sources_page(self, request: Request) -> Response:
        """Show what the agent reads and writes to, and the spans that nobody reads, as a page."""

        def read(store: Store, _: Patience) -> PageContent:
            parts = self.serving.parts
            return {
                "kinds": [(title, none, [each.report() for each in links]) for title, none, links in _links(parts)],
                "totals": store.totals(),
                "receiving": self.serving.receiving,
                "unread": parts.unread(),
                "malformed": store.malformed(limit=MALFORMED),
            }

        return await self.shown(request, "sources.html", read)

    @Operation("/documents", {200: ("The page.", HTML), 400: WRONG}, access="page")
    async def documents_page(self, request: Request, wanted: DocumentsParameters) -> Response:
        """Show which documents the newest answers rest on, those with most bad answers first, as a page."""
        known = self.metrics
        if wanted.metric is not None and wanted.metric not in known:
            raise HTTPException(400, wrong("metric", f"one of {', '.join(known)}", wanted.metric))
        asked = [known[each] for each in ([wanted.metric] if wanted.metric else BAD_BY) if each in known]

        def found(store: Store) -> tuple[Metric | None, list[RestedDocument]]:
            for metric in asked:
                worse, than = "lower" if metric.better == "higher" else "higher", _bad_beyond(metric)
                if rows := store.documents_rested_on(metric.name, wanted.slice, worse=worse, than=than):
                    return metric, joined(rows)
            return next(iter(asked), None), []

        if wanted.format == "csv":
            return await self.table(request, lambda store, _: _documents_csv(found(store)[1]))

        def read(store: Store, _: Patience) -> PageContent:
            metric, rows = found(store)
            return {
                "rows": rows,
                "csv": link("/documents", metric=metric and metric.name, format="csv", **wanted.slice),
                "metric": metric,
                "than": 0.0 if metric is None else _bad_beyond(metric),
                "metrics": [each for each in known.values() if each.upper is not None],
                "slice": wanted.slice,
                "lagging": _lagging(self.serving.parts.catalog),
            }

        return await self.shown(request, "documents.html", read)

    @Operation("/configuration", {200: ("The page.", HTML)}, access="page")
    async def configuration_page(self, request: Request) -> Response:
        """Show the configuration in force as a page."""
        text = self.serving.described.configuration
        return await self.shown(request, "configuration.html", lambda *_: {"configuration": text})

    @Operation(
        "/static/{digest}/{name}",
        {200: ("The file.", str), 404: "There is no such file."},
        access="open",
        stored=False,
    )
    async def static(self, _request: Request, wanted: AssetParameters) -> Response:
        """Serve a style or a script of the pages."""
        asset = assets().get(wanted.name)
        if asset is None or asset.digest != wanted.digest:
            raise HTTPException(404, "there is no such file; load the page again")
        kept = {"Cache-Control": f"public, max-age={YEAR_SECONDS}, immutable", "X-Content-Type-Options": "nosniff"}
        return Response(asset.content, media_type=asset.media_type, headers=kept)


def _bad_beyond(metric: Metric) -> float:
    return HALF * (metric.upper or 1.0)


def joined(rows: Sequence[RestedDocument]) -> list[RestedDocument]:
    """Return the rows with those of one file as one, whose path some passages have without its beginning.

    A path that two files end with is a row of its own. The most bad answers first, as before.

    >>> whole, part = (RestedDocument(name, 2, 1, None) for name in ("/srv/kb/it/passwords.md", "it/passwords.md"))
    >>> [(row.document, row.answers, row.bad) for row in joined([part, whole])]
    [('/srv/kb/it/passwords.md', 4, 2)]
    """
    found = {row.document: row for row in rows}
    for row in rows:
        whole = [name for name in found if name != row.document and ends_with(name, row.document)]
        if len(whole) == 1:
            one, other = found[whole[0]], found.pop(row.document)
            example = one.example or other.example
            found[one.document] = RestedDocument(
                one.document, one.answers + other.answers, one.bad + other.bad, example
            )
    return sorted(found.values(), key=lambda row: (-row.bad, -row.answers, row.document))


def _documents_csv(rows: Sequence[RestedDocument]) -> Response:
    cells = ((row.document, row.bad, row.answers, row.example or "") for row in rows)
    return csv_response("documents", ("document", "bad_answers", "answers", "newest_bad_answer"), cells)


def _links(parts: Parts) -> tuple[tuple[str, str, Sequence[Reporting]], ...]:
    """Return the kinds of tools that the agent speaks to, what is said where there is none, and those there are."""
    return (
        (
            "Sources that are read",
            "The agent takes in what is sent to it, and reads nothing by itself. Add a source under `sources`.",
            parts.sources,
        ),
        ("Write-back", "Scores are written to no other tool. Add one under `write_back`.", parts.write_back),
        ("Notifiers", "Nobody is notified of decisions. Add a notifier under `notify`.", parts.notify),
    )


def _lagging(catalog: Any) -> list[tuple[str, Mapping[str, int]]]:
    """Return each index that was compared with its sources, with the counts of what lags behind."""
    compared = {} if catalog is None else catalog.compared
    return [(name, found.counts) for name, found in sorted(compared.items())]
