"""Heat maps of correlations, and evaluators side by side: the same bytes for the same figures."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STAMP: Mapping[str, Any] = {"Date": None, "Creator": "groundwire"}
"""Without a date, the same figures make the same file."""
SMALL = 7
CELL = 0.42
"""Inches of a cell: two digits and a sign fit."""

Correlations = Mapping[tuple[str, str], float | None]
"""Correlations of pairs of metrics, in one order or the other."""


def draw_correlations(figure: Figure, names: Sequence[str], correlations: Correlations, title: str) -> None:
    """Draw the correlations of every two of ``names``; a pair without one stays empty."""
    table = np.array([[_found(correlations, one, other) for other in names] for one in names], np.float64)
    axes: Axes = figure.subplots()
    picture = axes.imshow(table, cmap="RdBu", vmin=-1.0, vmax=1.0)
    for (row, column), value in np.ndenumerate(table):
        if np.isfinite(value):
            colour = "white" if abs(value) > 0.6 else "black"  # noqa: PLR2004 - where the colour is dark
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=SMALL, color=colour)
    shown = [name.replace("_", " ") for name in names]
    axes.set_xticks(range(len(names)), shown, rotation=45, ha="right", fontsize=SMALL + 1)
    axes.set_yticks(range(len(names)), shown, fontsize=SMALL + 1)
    axes.set_title(title)
    figure.colorbar(picture, ax=axes, shrink=0.7)


def draw_estimates(
    figure: Figure, names: Sequence[str], estimates: Sequence[tuple[float, float, float]], label: str, title: str
) -> None:
    """Draw values with their intervals, each as value, low and high, the first on top."""
    axes: Axes = figure.subplots()
    for place, (value, low, high) in enumerate(reversed(estimates)):
        axes.plot([low, high], [place, place], color="0.4", linewidth=2, solid_capstyle="butt")
        axes.plot([value], [place], "o", color="C0")
        axes.annotate(f"{value:.2f}", (value, place), (0, 6), textcoords="offset points", ha="center", fontsize=SMALL)
    axes.set_yticks(range(len(names)), list(reversed(names)))
    axes.set_ylim(-0.7, len(names) - 0.3)
    axes.set(xlabel=label, title=title)


def size_of(names: Sequence[str]) -> tuple[float, float]:
    """Return the size of a heat map of these names, in inches."""
    side = 3.0 + CELL * len(names)
    return side + 1.0, side


def figure_of(size: tuple[float, float]) -> Figure:
    """Return an empty figure of a size in inches, which needs no display."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    mpl.rcParams["svg.hashsalt"] = "groundwire"
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def svg_of(figure: Figure) -> bytes:
    """Return a figure as SVG."""
    written = io.BytesIO()
    figure.savefig(written, format="svg", metadata=STAMP)
    return written.getvalue()


def _found(correlations: Correlations, one: str, other: str) -> float:
    if one == other:
        return 1.0
    value = correlations.get((one, other), correlations.get((other, one)))
    return float("nan") if value is None else value
