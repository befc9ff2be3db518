"""Parameters of requests, each within its bounds: what is not is refused, by name and with what was given."""

from __future__ import annotations

import math
from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request

MAX_NUMBER = 2**63 - 1
"""The highest number a row can have."""
MAX_DIGITS = len(str(MAX_NUMBER))
"""Beyond it a number is not even read."""
MAX_TEXT = 256
"""Characters of a name or of a slice's value; none that is stored has more."""


def integer(
    request: Request, name: str, default: int, *, low: int, high: int = MAX_NUMBER, given: str | None = None
) -> int:
    """Return a whole number; ``given`` where it is not in the query. Raises `HTTPException` 400."""
    found = request.query_params.get(name) if given is None else given
    if found is None:
        return default
    value = int(found) if len(found) <= MAX_DIGITS and found.isascii() and found.isdigit() else None
    if value is None or not low <= value <= high:
        raise HTTPException(400, f"{name} must be a whole number from {low} to {high}, got {found[:40]!r}")
    return value


def number(request: Request, name: str) -> float | None:
    """Return a finite number, if it is there. Raises `HTTPException` 400."""
    found = request.query_params.get(name)
    if found is None:
        return None
    try:
        value = float(found)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise HTTPException(400, f"{name} must be a finite number, got {found[:40]!r}")
    return value


def text(request: Request, name: str) -> str | None:
    """Return a text, if it is there. Raises `HTTPException` 400."""
    found = request.query_params.get(name)
    if found is not None and not (0 < len(found) <= MAX_TEXT and found.isprintable()):
        raise HTTPException(400, f"{name} must be 1 to {MAX_TEXT} printable characters, got {found[:40]!r}")
    return found


def one_of(request: Request, name: str, known: Sequence[str]) -> str | None:
    """Return one of the words ``known``, if it is there. Raises `HTTPException` 400."""
    found = request.query_params.get(name)
    if found is not None and found not in known:
        raise HTTPException(400, f"{name} must be one of {', '.join(known)}, got {found[:40]!r}")
    return found
