"""For which host a request is: what keeps web pages away from a listener that asks for no token.

A page can have its own name resolve to 127.0.0.1 after it was loaded (DNS rebinding). Its requests then go to the agent
of whoever reads it, and the browser lets it read the answers. What it cannot change is the ``Host`` that they carry.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import structlog
from pydantic import AfterValidator
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from collector.security.address import is_loopback

log = structlog.get_logger(__name__)

MISDIRECTED = 421
"""The server does not answer for this host (RFC 9110, section 15.5.20)."""
PROBES = frozenset({"/healthz", "/readyz"})
_HOST = re.compile(r"(?:\[(?P<literal>[0-9a-fA-F:.]+)\]|(?P<name>[^:@/\[\]\s]+))(?::\d*)?")
_NAME = re.compile(r"[a-z0-9]([a-z0-9_.-]*[a-z0-9])?")
_SHOWN = 100


def _checked(host: str) -> str:
    name = host.lower().removesuffix(".")
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        if not _NAME.fullmatch(name):
            raise ValueError("expected a host name without scheme and port, such as groundwire.example.org") from None
        return name


HostName = Annotated[str, AfterValidator(_checked)]
"""A name or an address, in lower case."""


@dataclass(frozen=True, slots=True)
class Hosts:
    """The hosts that are answered for: ``names``, and this machine by its loopback."""

    names: frozenset[str]

    def admit(self, header: str) -> bool:
        """Whether the value of a ``Host`` header is one of them, whatever the port.

        >>> hosts = Hosts(frozenset({"rag.example.org"}))
        >>> [hosts.admit(host) for host in ("localhost:8080", "127.0.0.1", "[::1]:8080", "RAG.example.org")]
        [True, True, True, True]
        >>> [hosts.admit(host) for host in ("example.org", "localhost.example.org", "127.0.0.1.nip.io:8080", "")]
        [False, False, False, False]
        """
        parts = _HOST.fullmatch(header)
        if parts is None:
            return False
        host = (parts["literal"] or parts["name"]).lower().removesuffix(".")
        return is_loopback(host) or host in self.names


def refusal(_request: Request, message: str) -> Response:
    """Answer a request to the API that is for another host."""
    return JSONResponse({"error": message}, MISDIRECTED)


class HostCheck:
    """Hands to ``app`` what is for one of ``hosts``, and what names none: browsers always do.

    ``where`` is the listener's path in the configuration, ``unchecked`` are paths that are for everyone.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Hosts,
        *,
        where: str,
        unchecked: frozenset[str],
        refuse: Callable[[Request, str], Response],
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._where = where
        self._unchecked = unchecked
        self._refuse = refuse
        self._logged = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request."""
        given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if scope["path"] in self._unchecked or all(map(self._hosts.admit, given)):
            await self._app(scope, receive, send)
            return
        wrong = next(host for host in given if not self._hosts.admit(host))[:_SHOWN]
        if not self._logged:
            self._logged = True
            log.warning(
                "request for an unknown host refused; further ones are not logged", where=self._where, host=wrong
            )
        message = f"host {wrong!r} is not served here; use localhost, or add it to {self._where}.allowed_hosts"
        await self._refuse(Request(scope, receive), message)(scope, receive, send)
