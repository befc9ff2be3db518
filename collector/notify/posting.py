"""Notifiers that send with one POST a notification: all there are."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from collector.notify.base import Notification, Notifier, NotifierOptions
from collector.outbound.client import MAX_ANSWER_BYTES


class PostingNotifier(Notifier):
    """Sends to one address. Anything but 2xx is a failure; redirects are not followed."""

    def __init__(self, options: NotifierOptions, where: str, *, below: str = "") -> None:
        """Post to the ``below`` of the URL. Raises `ConfigError` for a token or a certificate that cannot be read."""
        parts = urlsplit(options.url)
        # Joined by hand: the library ends a base URL with a slash, and some receivers tell the difference.
        self._path = (parts.path.rstrip("/") + below if below else parts.path) or "/"
        base = f"{parts.scheme}://{parts.netloc}"
        self._client = options.client(where, base=base, max_bytes=MAX_ANSWER_BYTES)

    def headers(self, notification: Notification, *, now: int) -> Mapping[str, str]:
        """Return the headers of a notification that is sent at ``now``."""
        del now
        return notification.headers

    def send(self, notification: Notification, *, now: int) -> None:
        """Send. Raises `Refused` where the notification is at fault, `Unreachable` for anything else but success."""
        reply = self._client.post(self._path, content=notification.body, headers=self.headers(notification, now=now))
        if not reply.ok:
            raise reply.refusal()

    def close(self) -> None:
        """Close the connection."""
        self._client.close()
