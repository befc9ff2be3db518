"""Addresses of servers, as a configuration names them."""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator

MAX_PREFIX = 256
# Whole segments of what needs no encoding: a browser takes two slashes at the start for another host.
_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~-]+)+", re.ASCII)
# Of a trace: anything that an address may hold, except for braces, spaces and quotes.
_TAIL = re.compile(r"[!#-;=?-\[\]^_a-z|~]+", re.ASCII)
_URL = re.compile(r"https?://[^/\s?#@\\]+(/[^\s?#@\\]*)?")


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        # Port 0 cannot be connected to; an absent one is that of the scheme.
        good = bool(_URL.fullmatch(url) and parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        # The value is not repeated: it may hold a password.
        raise ValueError("an http or https address without credentials or query, such as https://host:1234/path")
    return url


BaseUrl = Annotated[str, AfterValidator(_checked)]
"""The base URL of a server: with a path prefix perhaps, without credentials, query and fragment."""


def _checked_template(url: str) -> str:
    bare = url.replace("{trace_id}", "").replace("{span_id}", "")
    try:
        _checked(re.split("[?#]", bare, maxsplit=1)[0])
        good = "{trace_id}" in url and "{" not in urlsplit(url).netloc and _TAIL.fullmatch(bare) is not None
    except ValueError:
        good = False
    if not good:
        raise ValueError("the address of a trace with {trace_id}, such as https://traces.example.com/trace/{trace_id}")
    return url


TraceUrl = Annotated[str, AfterValidator(_checked_template)]
"""The address of a trace in another tool: ``{trace_id}`` and ``{span_id}`` stand for the ids, behind the host."""


def trace_address(template: str, trace_id: str, span_id: str | None) -> str | None:
    """Return the address of a trace; ``None`` where it takes a span that is not known.

    >>> trace_address("https://traces.example.com/trace/{trace_id}", "4bf9", None)
    'https://traces.example.com/trace/4bf9'
    >>> trace_address("https://traces.example.com/{trace_id}?span={span_id}", "a/b", None) is None
    True
    """
    if span_id is None and "{span_id}" in template:
        return None
    return template.replace("{trace_id}", quote(trace_id, safe="")).replace("{span_id}", quote(span_id or "", safe=""))


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach ``host``.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def valid_prefix(path: str) -> str:
    """Return a path without a slash at its end; empty for one that could lead to another host, or needs encoding.

    >>> valid_prefix("/tools/groundwire/"), valid_prefix("//example.com"), valid_prefix("/a b"), valid_prefix("/..")
    ('/tools/groundwire', '', '', '')
    """
    plain = path.removesuffix("/")
    if len(plain) > MAX_PREFIX or not _PREFIX.fullmatch(plain) or {".", ".."} & {*plain.split("/")}:
        return ""
    return plain
