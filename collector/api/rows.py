"""The part of the API that shows rows of the store: answers, decisions and changes, each a page at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.bodies import answer_body, change_body, decision_body, encoded
from collector.api.changes import MAX_BODY, read_announcement
from collector.api.exchange import read_body
from collector.api.parameters import integer, number, one_of, text
from collector.api.queries import Patience, Queries
from collector.clock import Clock
from collector.store.entries import Entry
from collector.store.rows import AnswerFilter, AnswerRow, Decision
from collector.store.statements import groups
from collector.store.store import Store

Row = TypeVar("Row", AnswerRow, Decision, Entry)

MAX_LIMIT = 1000
"""Rows of one page."""
PAGE_ROWS = 100
"""Rows that are read, and in memory, at once."""
PAGE_BYTES = 8 * 1024 * 1024
"""A page ends with the row that brings it here: an answer with its passages can be large, and so can a record."""
LISTS = 2
"""Pages that are made at once."""
LOOKUPS = 2
"""Single rows that are read at once: they do not wait for pages."""
ORDERS = ("oldest", "newest")


class RowsApi:
    """Handlers over the rows of a store.

    ``store`` gives it, and raises `HTTPException` 503 where it is not open. ``metrics`` are the names answers can be
    filtered by; without any, every name is taken.
    """

    def __init__(
        self,
        store: Callable[[], Store],
        *,
        dimensions: Sequence[str],
        metrics: Sequence[str],
        clock: Clock,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._dimensions = tuple(dimensions)
        self._metrics = tuple(metrics)
        self._clock = clock
        self._lists = Queries(LISTS, monotonic=monotonic)
        self._lookups = Queries(LOOKUPS, monotonic=monotonic)

    async def answers(self, request: Request) -> Response:
        """List answers, newest first, by slice and by the value of a metric."""
        limit = integer(request, "limit", 50, low=1, high=MAX_LIMIT)
        before = integer(request, "before", 0, low=0) or None
        metric = one_of(request, "metric", self._metrics) if self._metrics else text(request, "metric")
        low, high = number(request, "min_value"), number(request, "max_value")
        if metric is None and (low is not None or high is not None):
            raise HTTPException(400, "min_value and max_value need metric")
        cut = {name: value for name in self._dimensions if (value := text(request, name)) is not None}
        wanted = AnswerFilter(slice=cut, metric=metric, low=low, high=high)
        store = self._store()

        def page(patience: Patience) -> bytes:
            asked = store.asked(patience.over)
            found = asked.find_answers(wanted, limit=limit, before=before, enough=patience.enough)
            rows = (row for seqs in groups(found.seqs, PAGE_ROWS) for row in asked.answers(seqs))
            parts, last = _shown(rows, answer_body, limit, patience)
            # Where all that were found are shown, it goes on where the search ended, which may be far below the last.
            return _page("answers", parts, found.before if last in (None, *found.seqs[-1:]) else last)

        return await self._listed(request, page)

    async def answer(self, request: Request) -> Response:
        """Give one answer with its newest evaluation."""
        answer_id = request.path_params["answer_id"]
        store = self._store()

        def found(patience: Patience) -> bytes | None:
            row = store.asked(patience.over).answer(answer_id)
            return None if row is None else encoded(answer_body(row))

        missing = f"no answer {answer_id[:200]!r}: unknown, not closed yet, or past its retention"
        return await self.looked_up(request, found, missing)

    async def decisions(self, request: Request) -> Response:
        """List verdict changes, oldest first or newest first."""
        after = integer(request, "after", 0, low=0)
        before = integer(request, "before", 0, low=0) or None
        limit = integer(request, "limit", 100, low=1, high=MAX_LIMIT)
        gate = text(request, "gate")
        newest_first = one_of(request, "order", ORDERS) == "newest"
        store = self._store()

        def page(patience: Patience) -> bytes:
            asked, at_once = store.asked(patience.over), min(limit, PAGE_ROWS)

            def read(last: int | None) -> list[Decision]:
                low = after if last is None or newest_first else last
                high = before if last is None or not newest_first else last
                return asked.decisions(gate=gate, after=low, before=high, newest_first=newest_first, limit=at_once)

            return _page("decisions", *_shown(_following(read), decision_body, limit, patience))

        return await self._listed(request, page)

    async def decision(self, request: Request) -> Response:
        """Give one row of the decision log."""
        seq = integer(request, "seq", 0, low=1, given=request.path_params["seq"])
        store = self._store()

        def found(patience: Patience) -> bytes | None:
            row = store.asked(patience.over).decision(seq)
            return None if row is None else encoded(decision_body(row))

        return await self.looked_up(request, found, f"no decision {seq}: the log has no row of that number")

    async def ledger(self, request: Request) -> Response:
        """List the change ledger, or record a change in it."""
        return await (self._announce(request) if request.method == "POST" else self._changes(request))

    async def _changes(self, request: Request) -> Response:
        after = integer(request, "after", 0, low=0)
        limit = integer(request, "limit", 100, low=1, high=MAX_LIMIT)
        store = self._store()

        def page(patience: Patience) -> bytes:
            asked, at_once = store.asked(patience.over), min(limit, PAGE_ROWS)

            def read(last: int | None) -> list[Entry]:
                return asked.changes(after=after if last is None else last, limit=at_once)

            return _page("changes", *_shown(_following(read), change_body, limit, patience))

        return await self._listed(request, page)

    async def _announce(self, request: Request) -> Response:
        store = self._store()
        # A page in a browser can send a form or plain text to any address it likes, but no JSON without being let.
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HTTPException(415, "a change is announced as application/json")
        body = await read_body(request, MAX_BODY)
        now = self._clock()
        try:
            announcement = read_announcement(body, dimensions=self._dimensions, now=now)
        except ValueError as error:
            raise HTTPException(400, str(error)) from error
        entry = announcement.entry(now=now)
        (row,) = await run_in_threadpool(store.record_changes, [entry])
        if not announcement.says(row):
            raise HTTPException(409, f"there is another change with the id {row.id!r}, recorded as number {row.seq}")
        created = row.recorded_at == entry.recorded_at
        return Response(encoded(change_body(row)), 201 if created else 200, media_type="application/json")

    async def _listed(self, request: Request, page: Callable[[Patience], bytes]) -> Response:
        return Response(await self._lists.run(request, page), media_type="application/json")

    async def looked_up(
        self, request: Request, found: Callable[[Patience], bytes | None], missing: str = "not found"
    ) -> Response:
        """Answer with what ``found`` reads quickly, as a single row is; 404 with ``missing`` where that is none."""
        body = await self._lookups.run(request, found)
        if body is None:
            raise HTTPException(404, missing)
        return Response(body, media_type="application/json")


def _following(read: Callable[[int | None], Sequence[Row]]) -> Iterator[Row]:
    """Yield rows as ``read`` gives them after the last one, from the start until there are none."""
    last = None
    while part := read(last):
        yield from part
        last = part[-1].seq


def _shown(
    rows: Iterable[Row], body: Callable[[Row], Mapping[str, Any]], limit: int, patience: Patience
) -> tuple[list[bytes], int | None]:
    """Return the bodies of rows until the page is full, and then the number of its last; ``None`` if it is not."""
    parts: list[bytes] = []
    size = 0
    for row in rows:
        parts.append(encoded(body(row)))
        size += len(parts[-1])
        if len(parts) == limit or size >= PAGE_BYTES or patience.enough():
            return parts, row.seq
    return parts, None


def _page(name: str, parts: Sequence[bytes], following: int | None) -> bytes:
    return b'{"%b": [%b], "next": %b}' % (name.encode(), b", ".join(parts), encoded(following))
