"""The part of the API that shows rows of the store: answers, decisions and changes, each a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.bodies import AnswerBody, ChangeBody, DecisionBody, answer_body, encoded, page_of
from collector.api.changes import Announcement, read_announcement
from collector.api.exchange import check_media, read_body
from collector.api.filters import Limit, OrderedAnswersParameters, chosen_answers
from collector.api.labels import (
    LABEL_OUTCOMES,
    LINES,
    MAX_LABEL_BYTES,
    BadLabelsError,
    LabelBatch,
    LabelBody,
    LabelsBody,
    SentLabel,
    read_labels,
)
from collector.api.operations import WRONG, Operation
from collector.api.parameters import (
    MAX_NUMBER,
    Parameters,
    RowNumber,
    Text,
    Whole,
)
from collector.api.queries import PAGE_SECONDS, Patience, Queries
from collector.api.serving import Serving
from collector.store.entries import Entry
from collector.store.listing import MAX_EVALUATED, MAX_ROWS
from collector.store.rows import AnswerLabel, AnswerRow, Decision
from collector.store.statements import groups
from collector.store.store import Store
from telemetry import instruments

StoredRow = TypeVar("StoredRow", AnswerRow, Decision, Entry, AnswerLabel)

PAGE_ROWS = 100
"""Rows that are read, and in memory, at once."""
PAGE_BYTES = 8 * 1024 * 1024
"""A page ends with the row that brings it here: an answer with its passages can be large, and so can a record."""
EARLY = f"A page ends early at about {PAGE_BYTES >> 20} MiB or after {PAGE_SECONDS:g} s"
SPARSE = (
    f"For one page {MAX_ROWS:,} answers are searched, with metric, version or text {MAX_EVALUATED:,} of the slice: a "
    "page with few answers or none need not be the last. Go on while next is not null."
)


class AnswerParameters(Parameters):
    """Which answer is shown."""

    answer_id: str = Field(description="Id; it may hold slashes.")


class DecisionsParameters(Parameters):
    """Which decisions a page lists."""

    after: RowNumber = Field(default=0, description="Only rows with a higher seq.")
    before: RowNumber = Field(default=0, description="Only rows with a lower seq; 0: all.")
    order: Literal["oldest", "newest"] = Field(default="oldest", description="Which rows come first.")
    gate: Text | None = Field(default=None, description="Only this gate's rows.")
    limit: Limit = 100


class DecisionParameters(Parameters):
    """Which decision is shown."""

    seq: Annotated[int, Field(ge=1, le=MAX_NUMBER, description="Number of the row."), Whole]


class ChangesParameters(Parameters):
    """Which changes a page lists."""

    after: RowNumber = Field(default=0, description="Only rows with a higher seq; numbers are not consecutive.")
    limit: Limit = 100


class LabelsParameters(Parameters):
    """Which labels a page lists."""

    after: RowNumber = Field(default=0, description="Only rows with a higher seq; numbers are not consecutive.")
    limit: Limit = 100


AnswerPageBody = page_of("answers", AnswerBody, "before")
DecisionPage = page_of("decisions", DecisionBody, "after, newest first for before")
ChangePage = page_of("changes", ChangeBody, "after")
LabelPage = page_of("labels", LabelBody, "after")


@dataclass(frozen=True)
class RowApi:
    """Handlers over the rows of the store."""

    serving: Serving

    def __post_init__(self) -> None:
        """Make the counter of labels visible before its first increment."""
        for outcome in (*LABEL_OUTCOMES, "refused"):
            self.serving.telemetry.add(instruments.LABELS, 0, outcome)

    @Operation(
        "/v1/decisions",
        {200: (f"Rows of the hash-chained decision log. {EARLY}.", DecisionPage), 400: WRONG},
        access="page",
    )
    async def decisions(self, request: Request, wanted: DecisionsParameters) -> Response:
        """List verdict changes, oldest first or newest first."""
        newest_first = wanted.order == "newest"

        def page(store: Store, patience: Patience) -> bytes:
            def read(last: int | None) -> Sequence[Decision]:
                low = wanted.after if last is None or newest_first else last
                high = (wanted.before or None) if last is None or not newest_first else last
                return store.decisions(
                    gate=wanted.gate, after=low, before=high, newest_first=newest_first, limit=at_once
                )

            at_once = min(wanted.limit, PAGE_ROWS)
            rows = _following(read)
            return _page("decisions", *_shown(rows, DecisionBody.model_validate, wanted.limit, patience.enough))

        return await self._respond(self.serving.lists, request, page)

    @Operation(
        "/v1/decisions/{seq}",
        {200: ("The row.", DecisionBody), 400: WRONG, 404: "No row has this number."},
        access="page",
    )
    async def decision(self, request: Request, wanted: DecisionParameters) -> Response:
        """Show one row of the decision log."""

        def body(store: Store, _: Patience) -> bytes | None:
            row = store.decision(wanted.seq)
            return None if row is None else encoded(DecisionBody.model_validate(row))

        missing = f"no decision {wanted.seq}: the log has no row of that number"
        return await self._respond(self.serving.lookups, request, body, missing)

    @Operation("/v1/changes", {200: (f"Rows of the ledger. {EARLY}.", ChangePage), 400: WRONG}, access="page")
    async def changes(self, request: Request, wanted: ChangesParameters) -> Response:
        """List the change ledger, oldest first."""

        def page(store: Store, patience: Patience) -> bytes:
            at_once = min(wanted.limit, PAGE_ROWS)
            rows = _following(lambda last: store.changes(after=wanted.after if last is None else last, limit=at_once))
            return _page("changes", *_shown(rows, ChangeBody.model_validate, wanted.limit, patience.enough))

        return await self._respond(self.serving.lists, request, page)

    @Operation(
        "/v1/changes",
        {
            200: ("A change that was announced before, with this id.", ChangeBody),
            201: ("The change, as it was recorded.", ChangeBody),
            400: "What is wrong with the body.",
            409: "There is another change with this id.",
            413: "The body is larger than 64 KiB.",
            415: "The body is not application/json.",
        },
        body=Announcement,
    )
    async def announce(self, request: Request) -> Response:
        """Announce a change."""
        store = self.serving.parts.store
        check_media(request, "application/json")
        body = await read_body(request)
        now = self.serving.clock()
        try:
            announcement = read_announcement(
                body, dimensions=self.serving.dimensions, references=self.serving.references, now=now
            )
        except ValueError as error:
            raise HTTPException(400, str(error)) from error
        entry = announcement.entry(now=now)
        (row,) = await run_in_threadpool(store.record_changes, [entry])
        if not announcement.says(row):
            raise HTTPException(409, f"there is another change with the id {row.id!r}, recorded as number {row.seq}")
        status = 201 if row.recorded_at == entry.recorded_at else 200
        return Response(encoded(ChangeBody.model_validate(row)), status, media_type="application/json")

    @Operation("/v1/labels", {200: (f"Labels. {EARLY}.", LabelPage), 400: WRONG})
    async def labels(self, request: Request, wanted: LabelsParameters) -> Response:
        """List the labels that were recorded, oldest first."""

        def page(store: Store, patience: Patience) -> bytes:
            at_once = min(wanted.limit, PAGE_ROWS)
            rows = _following(lambda last: store.labels(after=wanted.after if last is None else last, limit=at_once))
            return _page("labels", *_shown(rows, LabelBody.model_validate, wanted.limit, patience.enough))

        return await self._respond(self.serving.lists, request, page)

    @Operation(
        "/v1/labels",
        {
            200: ("What became of the labels; of one answer and metric the first label stands.", LabelsBody),
            400: "What is wrong with the labels; none of them was recorded.",
            413: f"The body is larger than {MAX_LABEL_BYTES >> 20} MiB.",
            415: f"The body is neither application/json nor a label a line as {' or '.join(LINES)}.",
        },
        body=LabelBatch | SentLabel,
        lines=LINES,
    )
    async def label(self, request: Request) -> Response:
        """Record labels of scored answers."""
        store, telemetry = self.serving.parts.store, self.serving.telemetry
        media = check_media(request, "application/json", *LINES)
        body, now = await read_body(request, MAX_LABEL_BYTES), self.serving.clock()

        def taken() -> LabelsBody:
            labelling = self.serving.labelling
            rows = labelling.rows(read_labels(body, lines=media != "application/json"), now=now)
            return labelling.answered(store.record_labels(rows))

        try:
            said = await run_in_threadpool(taken)
        except BadLabelsError as error:
            telemetry.add(instruments.LABELS, error.count, "refused")
            raise HTTPException(400, str(error)) from error
        for outcome in LABEL_OUTCOMES:
            telemetry.add(instruments.LABELS, getattr(said, outcome), outcome)
        return Response(said.model_dump_json(), media_type="application/json")

    @Operation(
        "/v1/answers",
        {200: (f"The answers. {EARLY}. {SPARSE}", AnswerPageBody), 400: WRONG},
        access="page",
    )
    async def answers(self, request: Request, wanted: OrderedAnswersParameters) -> Response:
        """List answers with their newest evaluation: the newest first, or those with the lowest or highest values."""
        chosen = chosen_answers(self.serving, wanted)

        def page(store: Store, patience: Patience) -> bytes:
            listing = store.find_answers(
                chosen, limit=wanted.limit, before=wanted.before or None, enough=patience.enough
            )
            rows = (
                row
                for seqs in groups(listing.seqs, PAGE_ROWS)
                for row in sorted(store.answers(seqs), key=lambda row: seqs.index(row.seq))
            )
            if wanted.order != "newest":
                # The search may have taken all the time of a page. What it found is shown for all that: it is not
                # found again by going on from where the search ended.
                bodies, _ = _shown(rows, answer_body, wanted.limit, patience.over)
                return _page("answers", bodies, listing.before)
            bodies, last = _shown(rows, answer_body, wanted.limit, patience.enough)
            # Where all that were found are shown, it goes on where the search ended, which may be far below the last.
            return _page("answers", bodies, listing.before if last in (None, *listing.seqs[-1:]) else last)

        return await self._respond(self.serving.lists, request, page)

    @Operation(
        "/v1/answers/{answer_id}",
        {200: ("The answer.", AnswerBody), 404: "Unknown, not closed yet, or past its retention."},
        access="page",
    )
    async def answer(self, request: Request, wanted: AnswerParameters) -> Response:
        """Show one answer with its newest evaluation."""

        def body(store: Store, _: Patience) -> bytes | None:
            row = store.answer(wanted.answer_id)
            return None if row is None else encoded(answer_body(row))

        missing = f"no answer {wanted.answer_id[:200]!r}: unknown, not closed yet, or past its retention"
        return await self._respond(self.serving.lookups, request, body, missing)

    async def _respond(
        self,
        queries: Queries,
        request: Request,
        body: Callable[[Store, Patience], bytes | None],
        missing: str = "not found",
    ) -> Response:
        store = self.serving.parts.store
        return await queries.respond(request, lambda patience: body(store.asked(patience.over), patience), missing)


def _following(read: Callable[[int | None], Sequence[StoredRow]]) -> Iterator[StoredRow]:
    """Yield rows as ``read`` gives them after the last one, from the start until there are none."""
    last = None
    while rows := read(last):
        yield from rows
        last = rows[-1].seq


def _shown(
    rows: Iterable[StoredRow], body: Callable[[StoredRow], object], limit: int, enough: Callable[[], bool]
) -> tuple[list[bytes], int | None]:
    """Return the bodies of rows until the page is full, and then the number of its last; ``None`` if it is not."""
    bodies: list[bytes] = []
    size = 0
    for row in rows:
        bodies.append(encoded(body(row)))
        size += len(bodies[-1])
        if len(bodies) == limit or size >= PAGE_BYTES or enough():
            return bodies, row.seq
    return bodies, None


def _page(name: str, bodies: Sequence[bytes], following: int | None) -> bytes:
    return b'{"%b": [%b], "next": %b}' % (name.encode(), b", ".join(bodies), encoded(following))
