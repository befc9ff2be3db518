"""The part of the API about the catalog: what is in force, how much of what is retrieved, and which indexes lag."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from adapters.schema import Answer
from collector.api.exchange import made
from collector.api.operations import HTML, WRONG, Operation
from collector.api.pages.catalog import catalog_tables
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.parameters import SliceParameters, Text, Whole
from collector.api.queries import Patience
from collector.api.serving import CatalogPart, Serving
from collector.catalog.listings.task import ComparedIndex
from collector.catalog.watching import shown_at
from collector.errors import Transient
from collector.pipeline.coverage_task import SECONDS, CoverageRequest
from collector.store.rows import AnswerFilter
from collector.store.statements import groups
from collector.store.store import Store
from scorers.catalog.coverage import CatalogCoverage
from scorers.catalog.served import ServedCount, ServedDocument

MAX_ANSWERS = 500
ROWS = 50
"""Answers that are read at once."""
GRACE_SECONDS = 3.0
"""What a worker has beyond the time in which it begins with another answer, for that one."""
COVERED = (
    "Passages of the newest answers: how many the catalog lists, by what led there; of the others the most frequent "
    f"documents and keys, and what to map. After {SECONDS:g} s of computing no further answer is looked at."
)
MISSING = "No catalog is configured."


class LatelyParameters(SliceParameters):
    """The answers that are looked at."""

    answers: Annotated[
        int, Field(ge=1, le=MAX_ANSWERS, description="How many of the newest answers are looked at."), Whole
    ] = 100
    slice: Mapping[str, Text] = Field(default_factory=dict, description="Only answers whose {name} is this.")


class LagParameters(LatelyParameters):
    """Which documents are listed."""

    limit: Annotated[int, Field(ge=1, le=1000, description="At most this many documents of an index."), Whole] = 20


class IndexLagBody(BaseModel):
    """How an index lags behind its sources, and which of its documents were retrieved most lately."""

    model_config = ConfigDict(frozen=True)

    index: str
    at: str = Field(description="When it was compared.", json_schema_extra={"format": "date-time"})
    documents: int = Field(description="Documents that it serves.")
    same: int = Field(description="Of these, as their source has them.")
    outdated: int = Field(description="Older than their source.")
    removed: int = Field(description="No longer in the source.")
    moved: int = Field(description="Now at another place.")
    missing: int = Field(description="In the source, and not in the index.")
    uncompared: int = Field(description="With neither date nor version nor text to compare.")
    elsewhere: int = Field(description="From no source that is listed.")
    worst: tuple[ServedDocument, ...] = Field(description="Documents that lag, those retrieved most first.")


class LagBody(BaseModel):
    """All indexes that were compared, and how many answers say what is retrieved."""

    model_config = ConfigDict(frozen=True)

    answers: int
    indexes: tuple[IndexLagBody, ...]


@dataclass(frozen=True)
class CatalogApi:
    """Handlers about the catalog."""

    serving: Serving

    @Operation(
        "/v1/catalog",
        {
            200: "Which catalog is in force and since when, its warnings, what was refused, how the server it is "
            "fetched from and each listing is doing, and the newest changes: entries added, removed and changed, "
            "versions superseded, each with how many and the first of them.",
            404: MISSING,
        },
    )
    async def catalog(self, _request: Request) -> Response:
        """Show the catalog of governing documents."""
        return await made(self._catalog().report)

    @Operation(
        "/v1/catalog/coverage",
        {
            200: (
                COVERED,
                CatalogCoverage,
            ),
            400: WRONG,
            404: MISSING,
        },
    )
    async def coverage(self, request: Request, wanted: LatelyParameters) -> Response:
        """Tell how much of what answers retrieve the catalog lists."""
        self._catalog()
        return await self.serving.lists.respond(request, lambda patience: self._covered(wanted, patience).encode())

    @Operation(
        "/v1/catalog/lag",
        {
            200: ("Each index that was compared with its sources, and what of it to repair first.", LagBody),
            400: WRONG,
            404: MISSING,
        },
    )
    async def lag(self, request: Request, wanted: LagParameters) -> Response:
        """Tell which documents of indexes lag behind their sources, those retrieved most first."""
        self._catalog()
        return await self.serving.lists.respond(
            request, lambda patience: self._lagging(wanted, patience).model_dump_json().encode()
        )

    @Operation("/catalog", {200: ("The page.", HTML)}, access="page")
    async def page(self, request: Request) -> Response:
        """Show listings, lagging documents and coverage as a page."""
        return await PageFrame(self.serving).shown(request, "catalog.html", lambda _, patience: self._shown(patience))

    def _shown(self, patience: Patience) -> PageContent:
        catalog = self.serving.parts.catalog
        if catalog is None:
            return {"report": None}
        report, lagging = catalog.report(), self._lagging(LagParameters(), patience)
        try:
            covered: dict[str, Any] | None = orjson.loads(self._covered(LatelyParameters(), patience))
        except Transient:
            # The rest of the page is worth seeing while workers are busy.
            covered = None
        return {"lag": lagging.model_dump(mode="json"), **catalog_tables(report, covered)}

    def _catalog(self) -> CatalogPart:
        catalog = self.serving.parts.catalog
        if catalog is None:
            raise HTTPException(404, "no catalog is configured")
        return catalog

    def _texts(self, wanted: LatelyParameters, patience: Patience) -> list[str]:
        """Return the newest answers as JSON, fewer where there is no time for all."""
        store: Store = self.serving.parts.store.asked(patience.over)
        found = store.find_answers(AnswerFilter(slice=wanted.slice), limit=wanted.answers, enough=patience.enough)
        texts: list[str] = []
        for seqs in groups(found.seqs, ROWS):
            if texts and patience.enough():
                break
            texts += store.answer_texts(seqs)
        return texts

    def _covered(self, wanted: LatelyParameters, patience: Patience) -> str:
        request = CoverageRequest(tuple(self._texts(wanted, patience)))
        return self.serving.parts.examine(request, timeout=SECONDS + GRACE_SECONDS)

    def _lagging(self, wanted: LagParameters, patience: Patience) -> LagBody:
        compared = self._catalog().compared
        counts = {name: ServedCount(found.lagging) for name, found in sorted(compared.items())}
        read = 0
        for text in self._texts(wanted, patience) if counts else ():
            answer = Answer.model_validate_json(text)
            read += 1
            for count in counts.values():
                count.add(answer)
        return LagBody(
            answers=read,
            indexes=tuple(_body(name, compared[name], count.worst(wanted.limit)) for name, count in counts.items()),
        )


def _body(name: str, found: ComparedIndex, worst: tuple[ServedDocument, ...]) -> IndexLagBody:
    return IndexLagBody(
        index=name,
        at=shown_at(found),
        documents=found.documents,
        same=found.same,
        outdated=found.counts["outdated"],
        removed=found.counts["removed"],
        moved=found.counts["moved"],
        missing=found.counts["missing"],
        uncompared=found.uncompared,
        elsewhere=found.elsewhere,
        worst=worst,
    )
