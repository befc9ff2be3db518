"""What a server answered, and what of it people are shown."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import orjson

from collector.clock import nanoseconds
from collector.outbound.errors import Refused, Unreachable
from collector.security.text import one_line

if TYPE_CHECKING:
    import httpx

MAX_RETRY_AFTER_SECONDS = 3600.0
"""Longest pause a server may ask for; what asks for more is asked again after an hour."""
SHOWN = 200
"""Characters of an error's body that are repeated."""
MAX_SAID_BYTES = 16 * 1024
"""How much of an error's body is looked at: what is shown of it may stand behind much white space."""

UNAUTHORIZED, FORBIDDEN, NOT_FOUND, TOO_MANY = 401, 403, 404, 429
AT_FAULT = frozenset({400, 413, 422})
"""Statuses that speak of what was written itself: sent again it would be refused again."""
_REDIRECTS = range(300, 400)
_HINTS = {UNAUTHORIZED: "the credentials are refused", FORBIDDEN: "the credentials do not allow this"}
_MIN_SECRET = 6
"""A shorter value of a header is a word like any other."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What is sent with every request and must not be seen: some servers repeat headers when they fail."""

    values: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, headers: Mapping[str, str], auth: tuple[str, str] | None) -> Secrets:
        """Return the secrets among ``headers``, any of which may be one, and of basic ``auth``.

        >>> secrets = Secrets.of({"authorization": "Bearer abc-123"}, ("pk", "sk-4711"))
        >>> secrets.shown("abc-123, Bearer abc-123, cGs6c2stNDcxMQ== and sk-4711 of pk")
        '***, ***, *** and *** of pk'
        """
        found = {part for value in headers.values() for part in (value, value.rpartition(" ")[2])}
        if auth is not None:
            found |= {auth[1], b64encode(":".join(auth).encode()).decode()}
        # The longest first: one may be a part of another.
        return cls(tuple(sorted((part for part in found if len(part) >= _MIN_SECRET), key=len, reverse=True)))

    def shown(self, said: str) -> str:
        """Return what a server said without them, as a part of one printable line."""
        for value in self.values:
            said = said.replace(value, "***")
        return one_line(" ".join(said.split()), SHOWN)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of any status. ``url`` is without query and credentials; ``headers`` ignore case.

    What a server says is shown to people by `shown` alone: it may repeat what was sent to it, ``secrets`` too.
    """

    url: str
    status: int
    headers: httpx.Headers
    body: bytes
    retry_after: float | None = None
    secrets: Secrets = field(default_factory=Secrets)

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    def json(self) -> Any:
        """Return the body as JSON. Raises `Unreachable` where it is none: a login page, a proxy's error."""
        try:
            return orjson.loads(self.body)
        except orjson.JSONDecodeError as error:
            kind = self.shown(self.headers.get("content-type", "")) or "no content type"
            raise Unreachable(f"{self.url}: {self.status} with a body that is not JSON ({kind}): {error}") from error

    def failure(self) -> Unreachable:
        """Return the error to raise for a status other than success."""
        if self.status in _REDIRECTS:
            target = self.shown(self.headers.get("location", ""))
            hint = f"redirects are not followed; it points to {target!r}"
        else:
            hint = _HINTS.get(self.status, "")
            said = self.shown(self.body[:MAX_SAID_BYTES].decode("utf-8", "replace"))
            hint = ": ".join(part for part in (hint, said) if part)
        status = f"{self.status} {_phrase(self.status)}".rstrip()
        return Unreachable(": ".join(part for part in (self.url, status, hint) if part), self.retry_after)

    def refusal(self) -> Refused | Unreachable:
        """Return the error to raise where something was written: `Refused` if that itself is at fault."""
        failure = self.failure()
        return Refused(failure.reason) if self.status in AT_FAULT else failure

    def shown(self, said: str) -> str:
        """Return what the server said as a part of one printable line, without secrets."""
        return self.secrets.shown(said)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def retry_after(value: str, *, now: int) -> float | None:
    """Read ``Retry-After``, seconds or an HTTP date, as seconds from ``now`` (Unix nanoseconds), an hour at most.

    >>> retry_after("120", now=0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=0), retry_after("soon", now=0)
    (120.0, 60.0, None)
    """
    text = value.strip()
    if text.isascii() and text.isdigit():
        # Beyond nine digits it is more than the bound, whatever it is.
        return min(float(text[:10]), MAX_RETRY_AFTER_SECONDS)
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError):
        return None
    aware = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    try:
        seconds = (nanoseconds(aware) - now) / 1e9
    except OverflowError:
        return None
    return min(max(0.0, seconds), MAX_RETRY_AFTER_SECONDS)
