"""What all pages have in common: how they are made and look, what browsers may do with them, and who is turned away.

A page loads nothing but the style and the scripts that the agent serves itself, which a browser may keep, and sends
nothing anywhere. What traffic brought stands in it as text. A browser cannot send a token in a header of its own, so it
asks for a user and a password.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from collector.api.pages.explained import explained, titled
from collector.clock import ago, instant, parsed_time
from collector.security.text import one_line, visible
from gates.inputs.changes import shown_version
from gates.units.duration import format_duration
from gates.verdicts.summary import counted
from telemetry.pages import answer_path, decision_path, gate_path, slice_path

PACKAGE = "collector.api.pages"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
REALM = 'Basic realm="groundwire", charset="UTF-8"'
"""Makes a browser ask for a user and a password."""
MAX_CELL = 200
"""Characters of a text in a table."""
STATES = {"pass": "passes", "fail": "fails", "inconclusive": "is inconclusive"}
DECIDED = {
    "verdict": "verdict",
    "verification": "whether it came back after a rollback",
    "severity": "how severe it is",
    "attribution": "what it comes from",
    "canary": "what a canary found",
    "report": "a report",
}
"""What a record is about, by its kind."""
SECTIONS = (
    ("/", "Overview"),
    ("/answers", "Answers"),
    ("/decisions", "Decisions"),
    ("/changes", "Changes"),
    ("/reports", "Reports"),
    ("/documents", "Documents"),
    ("/catalog", "Catalog"),
    ("/canaries", "Canaries"),
    ("/sources", "Sources"),
    ("/configuration", "Configuration"),
)
"""What stands at the top of each page."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that pages load: its media type, its content, and a digest that changes with it."""

    media_type: str
    content: bytes
    digest: str


@cache
def assets() -> Mapping[str, Asset]:
    """Return the files that pages load, by name."""
    kinds = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
    found = {}
    for file in sorted(resources.files(PACKAGE).joinpath("static").iterdir(), key=lambda each: each.name):
        kind = next((kind for ending, kind in kinds.items() if file.name.endswith(ending)), None)
        if kind is not None:
            content = file.read_bytes()
            found[file.name] = Asset(kind, content, hashlib.sha256(content).hexdigest()[:12])
    return found


def page(template: str, *, now: datetime, prefix: str = "", status: int = 200, **shown: Any) -> HTMLResponse:
    """Return the page that ``template`` makes of what is ``shown``, at ``now``; ``prefix`` goes before its links.

    >>> response = page("message.html", now=datetime(2026, 1, 1, tzinfo=UTC), title="A & B", text="<b>", step="")
    >>> b"<h1>A &amp; B</h1>" in response.body, b"<b>" in response.body
    (True, False)
    """
    return HTMLResponse(_environment().get_template(template).render(now=now, prefix=prefix, **shown), status, HEADERS)


def closed_page(user: str, *, now: datetime, prefix: str = "") -> HTMLResponse:
    """Return what is shown to whoever did not give the token."""
    response = page("closed.html", now=now, prefix=prefix, status=401, user=user)
    response.headers["WWW-Authenticate"] = REALM
    return response


def link(path: str, /, *parts: str, **query: Any) -> str:
    """Return the address of a page; ``parts`` go into the path, and of ``query`` what is not empty.

    >>> link("/slices", "a/b", domain="R&D", before=None)
    '/slices/a%2Fb?domain=R%26D'
    """
    asked = {name: value for name, value in query.items() if value not in (None, "")}
    tail = "".join(f"/{quote(part, safe='')}" for part in parts)
    return path.rstrip("/") + tail + (f"?{urlencode(asked)}" if asked else "") or "/"


def named(slice_: Mapping[str, str]) -> str:
    """Return a slice in words.

    >>> named({"domain": "travel", "region": "eu"}), named({})
    ('domain=travel, region=eu', 'all traffic')
    """
    return ", ".join(f"{name}={one_line(value, 60)}" for name, value in slice_.items()) or "all traffic"


def figure(value: Any) -> str:
    """Return a number as pages write it: at most three digits behind what matters, thousands apart.

    >>> figure(0.0270270), figure(1234567), figure(60.0), figure(None)
    ('0.027', '1,234,567', '60', 'none')
    """
    if value is None:
        return "none"
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return "unbounded"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"  # noqa: PLR2004 - thousands need no decimals


def clock_time(at: datetime | str) -> str:
    """Return an instant to the second, in UTC.

    >>> clock_time("2026-01-01T11:58:00.25Z")
    '2026-01-01 11:58:00 UTC'
    """
    told = at if isinstance(at, datetime) else datetime.fromisoformat(at)
    return f"{told.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def cell(text: Any, limit: int = MAX_CELL) -> str:
    """Return a text of anybody's on one line, cut where it is too long; nothing for ``None``."""
    return "" if text is None else one_line(str(text), limit)


def version_text(version: str | None, kind: str) -> str | None:
    """Return a version that a change of a kind names, as people are told it."""
    return shown_version(version) if version and kind == "documents" else version


def ticked(text: str) -> Markup:
    r"""Return a text with what stands between backticks as code, and with figures that are not torn from their sign.

    >>> str(ticked("see `gates` <b>: 95 %"))
    'see <code>gates</code> &lt;b&gt;: 95\xa0%'
    """
    kept = str(escape(text)).replace(" %", "\N{NO-BREAK SPACE}%")
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", kept))  # noqa: S704 - escaped before


@pass_context
def _at(context: Context, path: str) -> str:
    """Return where a path of this agent is for who reads the page."""
    return f"{context['prefix']}{path}"


def _placed(path_of: Callable[..., str]) -> Callable[..., str]:
    """Return what makes the address of a page from its path, for templates."""

    @pass_context
    def placed(context: Context, *args: Any, **query: Any) -> str:
        return _at(context, path_of(*args, **query))

    return placed


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(PACKAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "figure": figure,
        "ago": lambda at, now: ago(at if isinstance(at, datetime) else parsed_time(at), now),
        "clock": clock_time,
        "cell": cell,
        "counted": counted,
        "version": version_text,
        "visible": lambda text: visible(text, len(text)),
        "named": named,
        "ticked": ticked,
    }
    environment.globals |= {
        "explained": explained,
        "titled": titled,
        "lasting": lambda seconds: format_duration(timedelta(seconds=seconds)),
        "usual": lambda kind: {"deploy": "release"}.get(kind, kind),
        "instant": instant,
        "span": format_duration,
        "at": _at,
        "link": _placed(link),
        "answer_path": _placed(answer_path),
        "decision_path": _placed(decision_path),
        "gate_path": _placed(gate_path),
        "slice_path": _placed(slice_path),
        "sections": SECTIONS,
        "states": STATES,
        "decided": DECIDED,
        "asset": _placed(lambda name: f"/static/{assets()[name].digest}/{name}"),
    }
    return environment
