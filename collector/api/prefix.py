"""The path below which people reach the agent, if a reverse proxy gives it one.

A proxy that takes the path off says so in ``X-Forwarded-Prefix``. One that passes requests on as they are needs
``http.public_url`` with the path: it is taken off here.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from collector.security.address import valid_prefix

HEADER = "x-forwarded-prefix"
_KEY = "groundwire.prefix"


class Prefixed:
    """An ASGI application whose pages may lie below a path; ``public_url`` is where people find it, if it is known."""

    def __init__(self, app: ASGIApp, public_url: str | None = None) -> None:
        self._app = app
        self._own = valid_prefix(urlsplit(public_url or "").path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request as if it had come without the prefix, and remember that."""
        if scope["type"] == "http":
            told = valid_prefix(Headers(scope=scope).get(HEADER, ""))
            path: str = scope["path"]
            below = next((each for each in (told, self._own) if each and f"{path}/".startswith(f"{each}/")), "")
            scope = {**scope, "path": path.removeprefix(below) or "/", _KEY: told or below}
        await self._app(scope, receive, send)


def prefix_of(request: Request) -> str:
    """Return what stands before every path of a page that is shown to who asks; empty where nothing does."""
    return str(request.scope.get(_KEY, ""))
