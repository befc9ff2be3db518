"""The addresses of the agent's pages, which alerts and boards link to. They are permanent."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, urlencode

OVERVIEW, CHANGES, CATALOG = "/", "/changes", "/catalog"
CANARIES, REPORTS_PAGE = "/canaries", "/reports"
OF_NO_GATE = {"canaries": CANARIES, "reports": REPORTS_PAGE}
"""The pages of what stands in the decision log under a name that no gate has."""


def gate_path(gate: str, slice_: Mapping[str, str] | None = None) -> str:
    """Return the path of the page of a gate, or of one of its slices.

    >>> gate_path("fresh"), gate_path("fresh", {"domain": "travel & leave"})
    ('/gates/fresh', '/slices/fresh?domain=travel+%26+leave')
    """
    if gate in OF_NO_GATE:
        return OF_NO_GATE[gate]
    given = {name: value for name, value in (slice_ or {}).items() if value}
    return slice_path(gate, given) if given else f"/gates/{quote(gate, safe='')}"


def slice_path(gate: str, slice_: Mapping[str, str]) -> str:
    """Return the path of the page of a slice; of a gate without slices it is the one of all traffic.

    >>> slice_path("fresh", {"domain": "travel"}), slice_path("fresh", {})
    ('/slices/fresh?domain=travel', '/slices/fresh')
    """
    asked = f"?{urlencode(slice_)}" if slice_ else ""
    return f"/slices/{quote(gate, safe='')}{asked}"


def answer_path(answer_id: str) -> str:
    """Return the path of the page of an answer."""
    return f"/answers/{quote(answer_id, safe='')}"


def decision_path(seq: int) -> str:
    """Return the path of the page of a decision."""
    return f"/decisions/{seq}"


def report_path(folder: str, file: str) -> str:
    """Return the path at which a report of an agent's folder is served.

    >>> report_path("weekly", "20260302T060000Z.html")
    '/reports/weekly/20260302T060000Z.html'
    """
    return f"{REPORTS_PAGE}/{quote(folder, safe='')}/{quote(file, safe='')}"


def address(public_url: str, path: str) -> str:
    """Return the address of a page of an agent that people reach at ``public_url``.

    >>> address("https://example.com/groundwire/", "/gates/fresh")
    'https://example.com/groundwire/gates/fresh'
    """
    return public_url.rstrip("/") + path
