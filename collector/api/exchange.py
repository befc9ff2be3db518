"""Requests and responses of the API: bodies read within bounds, and made where they hold up nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.bodies import encoded


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body of a request. Raises `HTTPException` 413 as soon as it is larger than ``limit`` bytes."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise HTTPException(413, f"the body is larger than {limit} bytes")
        parts.append(part)
    return b"".join(parts)


async def made(body: Callable[[], Any]) -> Response:
    """Return what ``body`` gives, computed and encoded in a thread: the event loop takes in traces as well."""
    return Response(await run_in_threadpool(lambda: encoded(body())), media_type="application/json")
