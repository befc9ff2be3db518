"""Where an entry lies: which spellings of a URI mean one place."""

from __future__ import annotations

_ROUTES = ("/", "!")
"""A fragment that begins so is the address of a page within an application, and no place within a page."""


def place_of(uri: str) -> str:
    """Return a URI without the slash at the end of its path; everything else tells two places apart, the query too.

    >>> place_of("https://docs.test/refunds/"), place_of("https://docs.test/refunds/?v=3#when")
    ('https://docs.test/refunds', 'https://docs.test/refunds?v=3#when')
    """
    head, mark, fragment = _split(uri)
    path, asks, query = head.partition("?")
    return f"{path.rstrip('/') or path}{asks}{query}{mark}{fragment.rstrip('/') or fragment}"


def page_of(uri: str) -> str:
    """Return the place without the fragment, which says where on the page something is.

    >>> page_of("https://docs.test/refunds#when"), page_of("https://docs.test/#/refunds")
    ('https://docs.test/refunds', 'https://docs.test#/refunds')
    """
    head, mark, fragment = _split(uri)
    return place_of(head) if not fragment.startswith(_ROUTES) else place_of(head + mark + fragment)


def listed_at(uri: str | None) -> tuple[str, ...]:
    """Return the places at which an entry with this URI is found: its own, and the page that this is on."""
    return () if uri is None else tuple(dict.fromkeys((place_of(uri), page_of(uri))))


def _split(uri: str) -> tuple[str, str, str]:
    head, mark, fragment = uri.partition("#")
    return (head, mark, fragment) if fragment else (head, "", "")
