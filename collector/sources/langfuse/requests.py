"""The requests the puller makes of Langfuse, and what their answers say beside the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal
from urllib.parse import quote

from collector.clock import nanoseconds
from collector.outbound.client import HttpClient, Params
from collector.outbound.errors import Unreachable
from collector.outbound.reply import (
    FORBIDDEN,
    MAX_RETRY_AFTER_SECONDS,
    NOT_FOUND,
    TOO_MANY,
    UNAUTHORIZED,
    Reply,
)
from collector.sources.langfuse.cursor import iso

ScoreApi = Literal["v3", "v2"]
OBSERVATIONS = "/api/public/v2/observations"
TRACES = "/api/public/traces"
SCORES: Mapping[ScoreApi, str] = {"v3": "/api/public/v3/scores", "v2": "/api/public/v2/scores"}
MAX_SCORES = 100
"""Scores of one page: the server gives no more."""
FIELDS = "core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context"
LEAN_FIELDS = "core,basic,time,model,usage,prompt,metrics,trace_context"
"""Without what makes an observation large."""
EXPANDED = ("attributes", "resourceAttributes", "scope")
"""Metadata that the server would cut at 200 characters, and that says what a span was before it came to Langfuse."""
MAX_LEGACY_PAGE = 100
BAD_REQUEST = 400


class BadCursor(Unreachable):
    """The server does not know the cursor it gave for the next page."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its items, the cursor of the next one (empty: it was the last), and its size in bytes."""

    items: list[Any]
    after: str
    size: int


@dataclass(slots=True)
class Requests:
    """Asks one Langfuse server, and stops asking before its rate limit does."""

    client: HttpClient
    environments: Sequence[str] = ()
    metadata_keys: Sequence[str] = ()
    _resumes: int = field(default=0, init=False)
    """Unix nanoseconds before which the rate limit leaves nothing to ask."""

    def place(self, path: str) -> str:
        """Return where ``path`` is, for people."""
        return self.client.url(path)

    def observations(self, *, since: int, until: int, after: str, limit: int, lean: bool, now: int) -> Page | None:
        """Return a page of the observations that began in the window; ``None`` where the server has no such API."""
        reply = self._get(
            OBSERVATIONS,
            {
                "fields": LEAN_FIELDS if lean else FIELDS,
                "expandMetadata": None if lean else ",".join(dict.fromkeys((*EXPANDED, *self.metadata_keys))),
                "limit": limit,
                "cursor": after or None,
                "fromStartTime": iso(since),
                "toStartTime": iso(until),
                "environment": list(self.environments) or None,
            },
            now,
        )
        if reply.status == NOT_FOUND:
            return None
        if reply.status == BAD_REQUEST:
            refused = reply.failure()
            raise BadCursor(refused.reason) if after else refused
        body = _body(reply)
        meta = body.get("meta")
        following = meta.get("cursor") if isinstance(meta, dict) else None
        return Page(_items(body, reply), following if isinstance(following, str) else "", len(reply.body))

    def scores(self, api: ScoreApi, *, since: int, until: int, after: str, now: int) -> Page | None:
        """Return a page of the scores given in the window; ``None`` where the server has no such API.

        The older one counts its pages: ``after`` is the number of the next.
        """
        current = api == "v3"
        reply = self._get(
            SCORES[api],
            {
                "limit": MAX_SCORES,
                "fromTimestamp": iso(since),
                "toTimestamp": iso(until),
                "environment": (",".join(self.environments) if current else list(self.environments)) or None,
                **({"fields": "details,subject", "cursor": after or None} if current else {"page": after or "1"}),
            },
            now,
        )
        if reply.status == NOT_FOUND:
            return None
        if reply.status == BAD_REQUEST:
            raise reply.failure()
        body = _body(reply)
        items, meta = _items(body, reply), body.get("meta")
        following = meta.get("cursor") if isinstance(meta, dict) else None
        if not current:
            following = str(int(after or "1") + 1) if len(items) == MAX_SCORES else None
        return Page(items, following if isinstance(following, str) and items else "", len(reply.body))

    def traces(self, *, since: int, until: int, page: int, now: int) -> list[Any] | None:
        """Return a page of the traces of the window, oldest first; ``None`` where the server has no such API."""
        reply = self._get(
            TRACES,
            {
                "page": page,
                "limit": MAX_LEGACY_PAGE,
                "orderBy": "timestamp.asc",
                "fromTimestamp": iso(since),
                "toTimestamp": iso(until),
                "fields": "core",
                "environment": list(self.environments) or None,
            },
            now,
        )
        return None if reply.status == NOT_FOUND else _items(_body(reply), reply)

    def trace(self, identity: str, *, now: int) -> dict[str, Any] | None:
        """Return a trace with its observations; ``None`` for one that is no longer there."""
        reply = self._get(f"{TRACES}/{quote(identity.encode(errors='replace'), safe='')}", None, now)
        return None if reply.status == NOT_FOUND else _body(reply)

    def _get(self, path: str, params: Params | None, now: int) -> Reply:
        # Further away than any server may ask for, it is this clock that was set back.
        if 0 < self._resumes - now <= MAX_RETRY_AFTER_SECONDS * 1e9:
            seconds = (self._resumes - now) / 1e9
            reason = f"{self.place(path)}: rate limit used up; retrying after {iso(self._resumes)}"
            raise Unreachable(reason, seconds)
        reply = self.client.get(path, params)
        reset = _reset(reply, now)
        if reset is not None and reply.headers.get("x-ratelimit-remaining", "").strip() == "0":
            self._resumes = reset
        if reply.ok or reply.status in (NOT_FOUND, BAD_REQUEST):
            return reply
        refused = reply.failure()
        if reply.status in (UNAUTHORIZED, FORBIDDEN):
            raise Unreachable(f"{refused.reason} (check public_key and secret_key, and that they belong to this url)")
        if reply.status == TOO_MANY and refused.retry_after is None and reset is not None:
            raise Unreachable(refused.reason, (reset - now) / 1e9)
        raise refused


def _body(reply: Reply) -> dict[str, Any]:
    if not reply.ok:
        raise reply.failure()
    body = reply.json()
    if not isinstance(body, dict):
        raise Unreachable(f"{reply.url}: {reply.status} with JSON that is not a Langfuse response")
    return body


def _items(body: dict[str, Any], reply: Reply) -> list[Any]:
    items = body.get("data")
    if not isinstance(items, list):
        raise Unreachable(f"{reply.url}: {reply.status} with JSON that is not a Langfuse response: no list `data`")
    return items


def _reset(reply: Reply, now: int) -> int | None:
    """Return when the rate limit is counted anew, in Unix nanoseconds of this clock; an hour from now at most."""
    at = date_of(reply.headers.get("x-ratelimit-reset", ""))
    if at is None:
        return None
    try:
        server_now: int = nanoseconds(parsedate_to_datetime(reply.headers.get("date", "")))
    except (ValueError, TypeError, IndexError, OverflowError):
        server_now = now
    # The server's clock says when; how long that is still is the same on any clock.
    return now + min(max(nanoseconds(at) - server_now, 0), int(MAX_RETRY_AFTER_SECONDS * 1e9))


def date_of(text: str) -> datetime | None:
    """Read a date as JavaScript prints it, or ISO 8601.

    >>> date_of("Fri Nov 20 2026 10:00:23 GMT+0000 (Coordinated Universal Time)").isoformat()
    '2026-11-20T10:00:23+00:00'
    >>> date_of("2026-11-20T10:00:23.000Z").isoformat(), date_of("soon") is None
    ('2026-11-20T10:00:23+00:00', True)
    """
    text = text.strip()[:200]
    try:
        # JavaScript adds the name of the zone in parentheses.
        return datetime.strptime(text.partition(" (")[0], "%a %b %d %Y %H:%M:%S GMT%z").astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    try:
        at = datetime.fromisoformat(text[:40])
    except ValueError:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
