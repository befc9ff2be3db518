"""HTTP as pull sources and write-back use it: bounded in time and size, and every failure one readable line.

No redirects (a key must not follow one to another host), no proxies and no certificates named by the environment.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from collector.clock import Clock, nanoseconds, system_clock
from collector.errors import ConfigError
from collector.receivers.base import Garbage
from collector.receivers.base import TooLarge as Inflated
from collector.receivers.body import ENCODINGS, decompress
from collector.sources.base import TooLarge, Unreachable

if TYPE_CHECKING:
    # Imported where a client is made: an agent that asks nobody spares its 10 MB.
    import httpx

TIMEOUT_SECONDS = 30.0
"""From the first byte sent to the last received; a thousand spans of Phoenix take half a second."""
CONNECT_SECONDS = 10.0
MAX_BYTES = 64 * 1024 * 1024
"""Largest answer, decompressed: a thousand spans of 16 kB four times over."""
MAX_RETRY_AFTER_SECONDS = 3600.0
"""Longest pause a server may ask for; what asks for more is asked again after an hour."""
SHOWN = 200
"""Characters of an error's body that are repeated."""

UNAUTHORIZED, FORBIDDEN, NOT_FOUND, TOO_MANY = 401, 403, 404, 429
_REDIRECTS = range(300, 400)
_HINTS = {UNAUTHORIZED: "the credentials are refused", FORBIDDEN: "the credentials do not allow this"}

Params = Mapping[str, str | int | float | bool | Sequence[str] | None]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of any status. ``url`` is without query and credentials; ``headers`` ignore case."""

    url: str
    status: int
    headers: httpx.Headers
    body: bytes
    retry_after: float | None = None

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    def json(self) -> Any:
        """Return the body as JSON. Raises `Unreachable` where it is none: a login page, a proxy's error."""
        try:
            return orjson.loads(self.body)
        except orjson.JSONDecodeError as error:
            kind = self.headers.get("content-type", "no content type")
            raise Unreachable(f"{self.url}: {self.status} with a body that is no JSON ({kind}): {error}") from error

    def refused(self) -> Unreachable:
        """Return the error to raise for a status that was not hoped for."""
        if self.status in _REDIRECTS:
            target = str(self.headers.get("location", ""))[:SHOWN]
            hint = f"redirects are not followed; it points to {target!r}"
        else:
            hint = _HINTS.get(self.status, "")
            said = " ".join(self.body[: SHOWN * 4].decode("utf-8", "replace").split())[:SHOWN]
            shown = "".join(c if c.isprintable() else "?" for c in said)
            hint = ": ".join(part for part in (hint, shown) if part)
        status = f"{self.status} {_phrase(self.status)}".rstrip()
        return Unreachable(": ".join(part for part in (self.url, status, hint) if part), self.retry_after)


class HttpClient:
    """A client of one server. One thread sends; `close` may come from another and ends what is under way.

    ``timeout`` bounds a whole exchange in seconds, ``max_bytes`` the decompressed answer. ``ca_file`` is a PEM file of
    the authorities to trust instead of the public ones.
    """

    def __init__(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        timeout: float = TIMEOUT_SECONDS,
        max_bytes: int = MAX_BYTES,
        ca_file: Path | None = None,
        clock: Clock = system_clock,
    ) -> None:
        import httpx

        self._timeout = timeout
        self._max_bytes = max_bytes
        self._clock = clock
        self._socket: socket.socket | None = None
        self._client = httpx.Client(
            base_url=base_url,
            headers={"user-agent": "groundwire", "accept-encoding": "gzip, deflate", **(headers or {})},
            auth=auth,
            timeout=httpx.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout)),
            verify=_trust(ca_file),
            follow_redirects=False,
            trust_env=False,
            limits=httpx.Limits(max_connections=1),
        )

    def get(self, path: str, params: Params | None = None) -> Reply:
        """Ask for ``path`` below the base URL; a parameter that is ``None`` is left out. Raises `Unreachable`."""
        given = {name: value for name, value in (params or {}).items() if value is not None}
        return self._exchange(self._client.build_request("GET", path, params=given, extensions=self._watching()))

    def post(
        self,
        path: str,
        json: Any = None,
        *,
        params: Params | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send ``json``, or ``content`` as it is, to ``path``. Raises `Unreachable`."""
        given = {name: value for name, value in (params or {}).items() if value is not None}
        if content is None:
            content, headers = orjson.dumps(json), {"content-type": "application/json", **(headers or {})}
        return self._exchange(
            self._client.build_request(
                "POST", path, params=given, content=content, headers=headers, extensions=self._watching()
            )
        )

    def close(self) -> None:
        """Close the connection; an exchange under way ends with `Unreachable`."""
        self._hang_up()
        self._client.close()

    def _exchange(self, request: httpx.Request) -> Reply:
        import httpx

        url = str(request.url.copy_with(query=None, fragment=None, username=None, password=None))
        late = threading.Event()

        def expire() -> None:
            late.set()
            self._hang_up()

        # The library's time-outs are for one read: whoever sends a byte now and then could hold the thread for ever.
        timer = threading.Timer(self._timeout, expire)
        timer.daemon = True
        timer.start()
        try:
            response = self._client.send(request, stream=True)
            try:
                body = self._body(response, url)
            finally:
                response.close()
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, RuntimeError) as error:
            raise Unreachable(f"{url}: {self._said(error, late=late.is_set())}") from error
        finally:
            timer.cancel()
        if late.is_set():
            raise Unreachable(f"{url}: no complete answer within {self._timeout:g} s")
        return Reply(url, response.status_code, response.headers, body, self._retry_after(response.headers))

    def _said(self, error: Exception, *, late: bool) -> str:
        import httpx

        if late or isinstance(error, httpx.TimeoutException):
            what = "no connection" if isinstance(error, httpx.ConnectTimeout) else "no complete answer"
            return f"{what} within {self._timeout:g} s"
        return " ".join(str(error).split())[:SHOWN] or type(error).__name__

    def _body(self, response: httpx.Response, url: str) -> bytes:
        too_large = f"{url}: {response.status_code} with more than {self._max_bytes} bytes"
        parts: list[bytes] = []
        size = 0
        # As it was sent: the library unpacks a piece whole, which makes a gigabyte of a few packed kilobytes.
        for part in response.iter_raw():
            size += len(part)
            if size > self._max_bytes:
                raise TooLarge(too_large)
            parts.append(part)
        encoding = response.headers.get("content-encoding", "").strip().lower() or "identity"
        if encoding not in ENCODINGS:
            raise Unreachable(
                f"{url}: {response.status_code} packed with {encoding[:SHOWN]!r}, which was not asked for"
            )
        try:
            return decompress(b"".join(parts), encoding, limit=self._max_bytes, claim=lambda _: None)
        except Garbage as error:
            raise Unreachable(f"{url}: {response.status_code}: {error}") from None
        except Inflated:
            raise TooLarge(too_large) from None

    def _retry_after(self, headers: httpx.Headers) -> float | None:
        return retry_after(headers.get("retry-after", ""), now=self._clock())

    def _watching(self) -> dict[str, Callable[[str, Mapping[str, Any]], None]]:
        def watch(event: str, info: Mapping[str, Any]) -> None:
            if event in {"connection.connect_tcp.complete", "connection.start_tls.complete"}:
                self._socket = info["return_value"].get_extra_info("socket")

        return {"trace": watch}

    def _hang_up(self) -> None:
        # Shut down, not closed: that wakes a thread which waits in a read, and leaves the descriptor to its owner.
        if self._socket is not None:
            try:
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                return


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


def _trust(ca_file: Path | None) -> ssl.SSLContext | bool:
    if ca_file is None:
        return True
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(f"{ca_file}: no certificates: {error}") from error
