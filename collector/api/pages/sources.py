"""The pages of where answers come from, what they rest on, and what the agent was told to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.operations import HTML, WRONG, Operation
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.pages.site import assets
from collector.api.parameters import Parameters, SliceParameters, Text, wrong
from collector.api.queries import Patience
from collector.store.store import Store

BAD_BY = ("stale_source_use", "faithfulness", "contradiction_absence", "composite", "unsafe_probability")
"""Metrics by which bad answers are counted, the first of them that is configured where none is asked for."""
HALF = 0.5
YEAR_SECONDS = 365 * 24 * 3600


class DocumentsParameters(SliceParameters):
    """Which documents are shown, and which answers count as bad."""

    metric: Text | None = Field(default=None, description="The metric by which an answer is bad.")
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
                "kinds": [
                    (title, none, [each.report() for each in links])
                    for title, none, links in (
                        ("Sources", "No source is configured; the agent takes in what is sent to it.", parts.sources),
                        ("Write-back", "Scores are written to no other tool.", parts.write_back),
                        ("Notifiers", "Nobody is notified of decisions; add a notifier under `notify`.", parts.notify),
                    )
                ],
                "totals": store.totals(),
                "unread": parts.unread(),
            }

        return await self.shown(request, "sources.html", read)

    @Operation("/documents", {200: ("The page.", HTML), 400: WRONG}, access="page")
    async def documents_page(self, request: Request, wanted: DocumentsParameters) -> Response:
        """Show which documents the newest answers rest on, those with most bad answers first, as a page."""
        known = self.metrics
        name = wanted.metric or next((each for each in BAD_BY if each in known), None)
        if name is not None and name not in known:
            raise HTTPException(400, wrong("metric", f"one of {', '.join(known)}", name))

        def read(store: Store, _: Patience) -> PageContent:
            metric = None if name is None else known[name]
            rows = []
            than = 0.0
            if metric is not None:
                than = HALF * (metric.upper or 1.0)
                worse = "lower" if metric.better == "higher" else "higher"
                rows = store.documents_rested_on(metric.name, wanted.slice, worse=worse, than=than)
            return {
                "rows": rows,
                "metric": metric,
                "than": than,
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


def _lagging(catalog: Any) -> list[tuple[str, Mapping[str, int]]]:
    """Return each index that was compared with its sources, with the counts of what lags behind."""
    compared = {} if catalog is None else catalog.compared
    return [(name, found.counts) for name, found in sorted(compared.items())]
