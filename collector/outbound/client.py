"""HTTP as links use it: bounded in time and size, and every failure one readable line.

No redirects (a key must not follow one to another host), no proxies and no certificates named by the environment.
"""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from collector.clock import Clock, system_clock
from collector.errors import ConfigError
from collector.outbound.errors import ReplyTooLarge, Unreachable
from collector.outbound.reply import SHOWN, Reply, Secrets, retry_after
from collector.security.decompress import ENCODINGS, MalformedBody, decompress
from collector.security.decompress import TooLarge as Inflated

if TYPE_CHECKING:
    # Imported where a client is made: an agent that asks nobody spares its 10 MB.
    import httpx

TIMEOUT_SECONDS = 30.0
"""From the first byte sent to the last received; a thousand spans of Phoenix take half a second."""
CONNECT_SECONDS = 10.0
_NUMBER = re.compile(r"^\[Errno -?\d+\] ")
MAX_BYTES = 64 * 1024 * 1024
"""Largest answer, decompressed: a thousand spans of 16 kB four times over."""
MAX_ANSWER_BYTES = 1024 * 1024
"""Largest answer to something that was written: it says what became of that, and no more."""
MAX_VALUES = 2_000_000
"""Most values in an answer, which as JSON take up to a hundred bytes of memory each, and three as text."""

Params = Mapping[str, str | int | float | bool | Sequence[str] | None]


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
        self._secrets = Secrets.of(headers or {}, auth)
        try:
            address = httpx.URL(base_url)
        except httpx.InvalidURL as error:
            raise ConfigError(f"{base_url}: {error}") from error
        self._client = httpx.Client(
            base_url=address,
            headers={"user-agent": "groundwire", "accept-encoding": "gzip, deflate", **(headers or {})},
            auth=auth,
            timeout=httpx.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout)),
            verify=_trust(ca_file),
            follow_redirects=False,
            trust_env=False,
            limits=httpx.Limits(max_connections=1),
        )

    def get(self, path: str, params: Params | None = None, *, headers: Mapping[str, str] | None = None) -> Reply:
        """Ask for ``path`` below the base URL; a parameter that is ``None`` is left out. Raises `Unreachable`."""
        given = {name: value for name, value in (params or {}).items() if value is not None}
        return self._exchange(
            self._client.build_request("GET", path, params=given or None, headers=headers, extensions=self._watching())
        )

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

    def url(self, path: str) -> str:
        """Return the address of ``path`` for people."""
        return _shown(self._client.build_request("GET", path).url)

    def close(self) -> None:
        """Close the connection; an exchange under way ends with `Unreachable`."""
        self._hang_up()
        self._client.close()

    def _exchange(self, request: httpx.Request) -> Reply:
        import httpx

        url = _shown(request.url)
        late = threading.Event()

        def expire() -> None:
            late.set()
            self._hang_up()

        # The library's timeouts are for one read: whoever sends a byte now and then could hold the thread for ever.
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
        wait = retry_after(response.headers.get("retry-after", ""), now=self._clock())
        return Reply(url, response.status_code, response.headers, body, wait, self._secrets)

    def _said(self, error: Exception, *, late: bool) -> str:
        import httpx

        if late or isinstance(error, httpx.TimeoutException):
            what = "no connection" if isinstance(error, httpx.ConnectTimeout) else "no complete answer"
            return f"{what} within {self._timeout:g} s"
        # The number that the system gives an error tells people nothing that its words do not.
        return _NUMBER.sub("", " ".join(str(error).split()))[:SHOWN] or type(error).__name__

    def _body(self, response: httpx.Response, url: str) -> bytes:
        too_large = f"{url}: {response.status_code} with more than {self._max_bytes} bytes"
        parts: list[bytes] = []
        size = 0
        # As it was sent: the library unpacks a piece whole, which makes a gigabyte of a few packed kilobytes.
        for part in response.iter_raw():
            size += len(part)
            if size > self._max_bytes:
                raise ReplyTooLarge(too_large)
            parts.append(part)
        encoding = response.headers.get("content-encoding", "").strip().lower() or "identity"
        if encoding not in ENCODINGS:
            raise Unreachable(
                f"{url}: {response.status_code} compressed with {encoding[:SHOWN]!r}, which was not requested"
            )
        try:
            body = decompress(b"".join(parts), encoding, limit=self._max_bytes, reserve=lambda _: None)
        except MalformedBody as error:
            raise Unreachable(f"{url}: {response.status_code}: {error}") from None
        except Inflated:
            raise ReplyTooLarge(too_large) from None
        if sum(map(body.count, (b",", b"[", b"{"))) > MAX_VALUES:
            raise ReplyTooLarge(
                f"{url}: {response.status_code} with more than {MAX_VALUES} values in {len(body)} bytes"
            )
        return body

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


def _shown(url: httpx.URL) -> str:
    return str(url.copy_with(query=None, fragment=None, username=None, password=None))


def _trust(ca_file: Path | None) -> ssl.SSLContext | bool:
    if ca_file is None:
        return True
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(f"{ca_file}: no certificates found: {error}") from error
