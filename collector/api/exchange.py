"""Requests and responses of the API: bodies read within bounds, and made where they hold up nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.bodies import encoded

MAX_BODY = 64 * 1024
"""Bytes of a request: an announcement of a hundred documents with long names fits."""
SHOWN = 5
"""Problems of one body that are reported at once."""

M = TypeVar("M", bound=BaseModel)


def check_media(request: Request, *allowed: str) -> str:
    """Return the content type of a request. Raises `HTTPException` 415 unless it is one of those allowed.

    A page in a browser can send a form or plain text to any address it likes, but no JSON without being let.
    """
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media not in allowed:
        raise HTTPException(415, f"the content type must be {' or '.join(allowed)}")
    return media


async def read_body(request: Request, most: int = MAX_BODY) -> bytes:
    """Return the body of a request. Raises `HTTPException` 413 as soon as it is larger than ``most`` bytes."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise HTTPException(413, f"the body is larger than {most} bytes")
        parts.append(part)
    return b"".join(parts)


def parsed(body: bytes, model: type[M]) -> M:
    """Return the JSON of a body as a model. Raises `ValueError` that says on one line what is wrong with it."""
    try:
        return model.model_validate(orjson.loads(body))
    except orjson.JSONDecodeError as error:
        raise ValueError(f"the body is not JSON: {error}") from error
    except ValidationError as error:
        raise ValueError(problems_of(error)) from error


def problems_of(error: ValidationError) -> str:
    """Return on one line what is wrong with a body: the first `SHOWN` problems, and how many more there are."""
    problems = error.errors(include_url=False, include_input=False)
    lines = [
        f"{'.'.join(str(part)[:40] for part in problem['loc']) or 'body'}: "
        + str(problem["msg"]).removeprefix("Value error, ")
        for problem in problems[:SHOWN]
    ]
    more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
    return "; ".join(lines) + more


async def made(body: Callable[[], Any]) -> Response:
    """Return what ``body`` gives, computed and encoded in a thread: the event loop takes in traces as well."""
    return Response(await run_in_threadpool(lambda: encoded(body())), media_type="application/json")
