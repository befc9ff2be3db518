"""Requests and responses of the API: bodies read within bounds, and made where they hold up nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.bodies import encoded

MAX_BODY = 64 * 1024
"""Bytes of a request: an announcement of a hundred documents with long names fits."""
SHOWN = 5
"""Problems of one body that are reported at once."""

JSON_TYPES = {
    **dict.fromkeys(("tuple_type", "list_type", "set_type", "frozen_set_type"), "a list"),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type", "model_attributes_type"), "an object"),
    "string_type": "a text",
    "bool_type": "true or false",
}
"""What a body must be where it is something else, by how pydantic calls the error."""

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
        f"{'.'.join(str(part)[:40] for part in problem['loc']) or 'body'}: {_said(problem)}"
        for problem in problems[:SHOWN]
    ]
    more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
    return "; ".join(lines) + more


def _said(problem: ErrorDetails) -> str:
    """Return what is wrong in words of JSON: who sends it knows no tuples."""
    kind, more = problem["type"], problem.get("ctx", {})
    if kind in JSON_TYPES:
        return f"must be {JSON_TYPES[kind]}"
    if kind == "too_long":
        return f"at most {more['max_length']} entries are taken, got {more['actual_length'] or 'more'}"
    return str(problem["msg"]).removeprefix("Value error, ")


async def made(body: Callable[[], Any]) -> Response:
    """Return what ``body`` gives, computed and encoded in a thread: the event loop takes in traces as well."""
    return Response(await run_in_threadpool(lambda: encoded(body())), media_type="application/json")
