"""What a board is, as data: rows of panels with their queries. `dashboards.boards` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dashboards.promql import ANY, RATE_INTERVAL, quantile, rate, total
from scorers.base import Unit
from telemetry.exposure import OptionalPart
from telemetry.instrument import Instrument

Visualization = Literal["series", "verdict", "verdict_history", "value", "share", "slices", "failures", "alerts"]
PanelUnit = Unit | Literal["bytes", "count", "per_second", "verdict"]

NO_PARTS: frozenset[OptionalPart] = frozenset()


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a panel. A ``quiet`` one returns nothing while all is well."""

    expr: str
    legend: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel: what it shows, in which ``unit``, and how it is drawn. ``limit`` is drawn as a line.

    ``link`` is the address that its values lead to, and ``empty`` is shown where there is no value. A panel about a
    ``part`` of the agent is drawn only if that is configured.
    """

    title: str
    description: str
    unit: PanelUnit
    queries: tuple[Query, ...]
    visualization: Visualization = "series"
    width: int = 12
    height: int = 8
    limit: float | None = None
    bounds: tuple[float, float] | None = None
    min_interval: str | None = None
    part: OptionalPart | None = None
    link: str | None = None
    empty: str = "Nothing in this time"


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A titled row of panels; ``collapsed`` rows are opened by a click."""

    title: str
    panels: tuple[Panel, ...] = field(default=())
    collapsed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board: ``name`` is that of its file, ``dimensions`` are the slice dimensions that it can be held to."""

    name: str
    title: str
    description: str
    rows: tuple[PanelRow, ...]
    dimensions: Sequence[str] = ()
    since: str = "now-6h"

    @property
    def panels(self) -> tuple[Panel, ...]:
        """All panels, in order."""
        return tuple(panel for row in self.rows for panel in row.panels)


def legend(names: Iterable[str], *, none: str = "all traffic") -> str:
    """Return a legend of these labels.

    >>> legend(["domain", "region"]), legend([])
    ('{{domain}} {{region}}', 'all traffic')
    """
    return " ".join(f"{{{{{name}}}}}" for name in names) or none


def rate_query(
    counter: Instrument, *by: str, pairs: Mapping[str, str] = ANY, prefix: str = "", suffix: str = ""
) -> Query:
    """Return the rate of a counter by these labels, and the legend that they make."""
    labels = ": ".join(f"{{{{{name}}}}}" for name in by)
    return Query(total(by, rate(counter, RATE_INTERVAL, pairs)), f"{prefix}{labels}{suffix}")


def quantile_queries(
    histogram: Instrument, pairs: Mapping[str, str] = ANY, shown: Sequence[float] = (0.5, 0.95, 0.99)
) -> tuple[Query, ...]:
    """Return quantiles of a histogram, with ``p95`` and its like as legends."""
    return tuple(Query(quantile(q, histogram, pairs=pairs), f"p{q * 100:g}") for q in shown)
