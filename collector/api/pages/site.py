"""What all pages for people have in common: how they look, what browsers may do with them, and who is turned away.

A page runs no script, loads nothing and is kept by no cache. A browser cannot send a token in a header of its own, so
it asks for a user and a password.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape

STYLE = (
    "body{font:15px/1.5 sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:.5em 0 1.5em}th,td{border-bottom:1px solid #ccc;padding:.25em .8em .25em 0;"
    "text-align:left;vertical-align:top;overflow-wrap:anywhere}th{font-weight:600}td.n{text-align:right}"
)
_ALLOWED = b64encode(sha256(STYLE.encode()).digest()).decode()
HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_ALLOWED}'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
REALM = 'Basic realm="groundwire", charset="UTF-8"'
"""Makes a browser ask for a user and a password."""


def page(title: str, body: str) -> str:
    """Return a page; ``body`` is HTML.

    >>> page("A & B", "<p>Text.</p>").partition("<body>")[2]
    '<h1>A &amp; B</h1><p>Text.</p></body></html>'
    """
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>"
    )


def closed_page(user: str) -> str:
    """Return what is shown to whoever did not give the token."""
    return page(
        "Token required",
        "<p>This agent shows its pages only to those who have its token (<code>http.token_file</code> or "
        "<code>http.token</code> of its configuration).</p>"
        f"<p>Load the page again and give the user <code>{escape(user)}</code> and the token as the password. Programs "
        "send it as a header: <code>Authorization: Bearer TOKEN</code>.</p>",
    )
