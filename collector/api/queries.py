"""Queries of the store for requests: few at once, each for a limited time, and none for a client that has left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

T = TypeVar("T")

PAGE_SECONDS = 2.0
"""After this a page ends with what it has, and says where to go on."""
QUERY_SECONDS = 10.0
"""After this a query is cut off, whatever it is at."""
WAIT_SECONDS = 1.0
"""How long a request waits for its turn."""
RETRY_SECONDS = 1
"""How long a request that got no turn should wait before it tries again."""


class Patience:
    """How long one request may keep the store. Safe to use from any thread."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._began = monotonic()
        self._left = False

    def enough(self) -> bool:
        """Whether a page should end here."""
        return self.spent(PAGE_SECONDS)

    def spent(self, seconds: float) -> bool:
        """Whether that much time is over, or nobody waits for it."""
        return self._left or self._monotonic() - self._began >= seconds

    def over(self) -> bool:
        """Whether to stop at once: it took too long, or nobody waits for it."""
        return self.spent(QUERY_SECONDS)

    def leave(self) -> None:
        """Say that nobody waits for it any more."""
        self._left = True


class Queries:
    """Runs queries of the store in threads, ``at_once`` of them; further requests wait a moment, then get 503."""

    def __init__(self, at_once: int, *, monotonic: Callable[[], float]) -> None:
        self._turns = asyncio.Semaphore(at_once)
        self._monotonic = monotonic

    async def run(self, request: Request, read: Callable[[Patience], T]) -> T:
        """Return what ``read`` gives; it is told when its time is over, and when the client of ``request`` has left.

        Raises `HTTPException` 503 where too many are running.
        """
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._turns.acquire()
        except TimeoutError:
            again = {"Retry-After": str(RETRY_SECONDS)}
            raise HTTPException(503, "too many queries at once; try again", headers=again) from None
        patience = Patience(self._monotonic)
        reading = asyncio.ensure_future(run_in_threadpool(read, patience))
        reading.add_done_callback(self._ended)
        leaving = asyncio.ensure_future(_left(request))
        try:
            await asyncio.wait((reading, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                patience.leave()
            return await asyncio.shield(reading)
        finally:
            # Where this request was cancelled, its thread ends by itself, and its turn with it.
            patience.leave()
            leaving.cancel()

    async def respond(
        self, request: Request, read: Callable[[Patience], bytes | None], missing: str = "not found"
    ) -> Response:
        """Answer with the JSON that ``read`` gives; 404 with ``missing`` where that is none."""
        body = await self.run(request, read)
        if body is None:
            raise HTTPException(404, missing)
        return Response(body, media_type="application/json")

    def _ended(self, reading: asyncio.Future[T]) -> None:
        self._turns.release()
        if not reading.cancelled():
            # Of a client that has left, nobody else looks at what came of it.
            reading.exception()


async def _left(request: Request) -> None:
    """Return when the client closes its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
