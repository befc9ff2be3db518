"""Links from panels to the pages of the agent, with Grafana's variables for what a value is about.

Source: https://grafana.com/docs/grafana/latest/panels-visualizations/configure-data-links/
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

PAGES = "${agent}"
"""The address of the pages, a variable of every board."""
LOCAL = "http://127.0.0.1:8080"
"""Where the pages are if nobody says otherwise."""


def gate_link(gate: str | None = None) -> str:
    """Return the page of a gate, by default of the one that a series is labelled with.

    >>> gate_link("fresh"), gate_link()
    ('${agent}/gates/fresh', '${agent}/gates/${__field.labels.gate:percentencode}')
    """
    return f"{PAGES}/gates/{_gate(gate, 'field.labels')}"


def slice_link(dimensions: Sequence[str], gate: str | None = None, *, of_row: bool = False) -> str:
    """Return the page of the slice that a series, or with ``of_row`` a row of a table, is labelled with.

    >>> slice_link(["domain"], "fresh")
    '${agent}/slices/fresh?domain=${__field.labels.domain:percentencode}'
    """
    if not dimensions:
        return gate_link(gate)
    source = "data.fields" if of_row else "field.labels"
    pairs = "&".join(f"{name}=${{__{source}.{name}:percentencode}}" for name in dimensions)
    return f"{PAGES}/slices/{_gate(gate, source)}?{pairs}"


def answers_link(metric: str) -> str:
    """Return the page of the answers with a value of a metric."""
    return f"{PAGES}/answers?metric={quote(metric, safe='')}"


def _gate(gate: str | None, source: str) -> str:
    return f"${{__{source}.gate:percentencode}}" if gate is None else quote(gate, safe="")
