"""One POST of one message: what every notifier does, and how an answer to it is read."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from collector.notify.base import Message, NotifierOptions
from collector.outbound.client import HttpClient
from collector.outbound.options import Refused

REFUSALS = frozenset({400, 413, 422})
"""Statuses that speak of the message itself: sent again it would be refused again."""
MAX_ANSWER_BYTES = 1024 * 1024


class Post:
    """A client of one address. Anything but 2xx is a failure; redirects are not followed."""

    def __init__(self, options: NotifierOptions, where: str, *, below: str = "") -> None:
        """Post to the ``below`` of the URL. Raises `ConfigError` for a token or a certificate that cannot be read."""
        parts = urlsplit(options.url)
        # Joined by hand: the library ends a base URL with a slash, and some receivers tell the difference.
        self._path = (parts.path.rstrip("/") + below if below else parts.path) or "/"
        self._client = HttpClient(
            f"{parts.scheme}://{parts.netloc}",
            headers=options.bearer(where),
            timeout=options.timeout.total_seconds(),
            max_bytes=MAX_ANSWER_BYTES,
            ca_file=options.ca_file,
        )

    def __call__(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send. Raises `Refused` where the message is at fault, `Unreachable` for anything else but success."""
        reply = self._client.post(self._path, content=message.body, headers=headers)
        if reply.ok:
            return
        problem = reply.refused()
        raise Refused(problem.reason) if reply.status in REFUSALS else problem

    def close(self) -> None:
        """Close the connection."""
        self._client.close()
