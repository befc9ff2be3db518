"""Serves the workbench until it is told to stop, and prints the link of each reviewer."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from collector.clock import Clock
from collector.errors import ConfigError
from collector.receivers.server import HttpReceiver
from collector.receivers.settings import HttpListener
from collector.reviews.folder import ADJUDICATOR, ReviewFolder
from collector.security.address import is_loopback
from collector.workbench.app import Workbench

STOP_SECONDS = 5.0
MISDIRECTED = 421


class WorkbenchPlace(NamedTuple):
    """Where a workbench listens, and where browsers find it if a proxy stands before it."""

    host: str
    port: int
    public_url: str | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None


def serve_review(
    folder: Path, reviewers: Sequence[str], place: WorkbenchPlace, *, clock: Clock, say: Callable[[str], None]
) -> int:
    """Serve a review to ``reviewers``, to all of them without any; return 0 when told to stop.

    Raises `ConfigError` for a folder, a name or an address that cannot be used.
    """
    review = ReviewFolder.opened(folder)
    names = list(reviewers) or [*review.reviewers, ADJUDICATOR]
    for name in names:
        review.queue(name)
    listener = _listener(place)
    review.check_log()
    keys = review.keys()
    secure = place.tls_cert is not None or urlsplit(place.public_url or "").scheme == "https"
    workbench = Workbench(review, {name: keys[name] for name in names}, clock, place.public_url, secure)
    asyncio.run(_serve(workbench, listener, place, say))
    return 0


def _listener(place: WorkbenchPlace) -> HttpListener:
    parts = urlsplit(place.public_url or "")
    if place.public_url is not None and (parts.scheme not in {"http", "https"} or not parts.hostname):
        raise ConfigError(
            f"--public-url {place.public_url[:200]}: expected an address such as https://review.example.com"
        )
    allowed = (parts.hostname,) if parts.hostname else ()
    listener = HttpListener(
        host=place.host,
        port=place.port,
        tls_cert=place.tls_cert,
        tls_key=place.tls_key,
        allowed_hosts=allowed,
        allow_unauthenticated=True,
    )
    problem = next(listener.problems("review"), None)
    if problem is not None:
        raise ConfigError(f"--tls-cert, --tls-key: {problem.partition(': ')[2]}")
    if not (is_loopback(place.host) or place.tls_cert is not None or parts.scheme == "https"):
        raise ConfigError(
            f"--host {place.host}: links and answers would go over the network as plain text; give --tls-cert and "
            "--tls-key, or --public-url https://... of a proxy that serves TLS"
        )
    return listener


async def _serve(
    workbench: Workbench, listener: HttpListener, place: WorkbenchPlace, say: Callable[[str], None]
) -> None:
    stop = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    server = HttpReceiver(workbench.app(), listener, where="review", refuse=_refusal)
    await server.start()
    host = f"[{place.host}]" if ":" in place.host else place.host
    scheme = "https" if place.tls_cert is not None else "http"
    base = (place.public_url or f"{scheme}://{host}:{server.port}").rstrip("/")
    for name, key in workbench.keys.items():
        say(f"{name}: {base}/reviewers/{name}?key={key}")
    say("Give each reviewer their own link and no other. Press Ctrl-C to stop; the same links work again later.")
    await stop.wait()
    await server.stop(STOP_SECONDS)


def _refusal(_request: Request, message: str) -> Response:
    said = f"{message.partition(';')[0]}; open the link that was given, or start with --public-url\n"
    return PlainTextResponse(said, MISDIRECTED)
