"""Plots of a report as SVG, the same bytes for the same figures: no display, no dates, no random names."""

from __future__ import annotations

import io
from base64 import b64encode
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from collector.errors import ConfigError
from collector.reports.heatmap import draw_correlations, figure_of, size_of
from collector.reports.judgeplots import MOST_RUNS, draw_helpfulness, draw_radar, judged_means
from evaluation.reports.content import DifferenceFigure, ReportContent, ReportedRun
from evaluation.reports.figures import NONE, NOT_JUDGED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MISSING = "matplotlib is not installed; install it with: pip install 'groundwire[evaluate]'"
GREY, TEAL, RED, AMBER = "#7a8691", "#0f8a80", "#d1495b", "#c8811a"
"""Middle tones, which are seen on a light page and on a dark one."""
STYLE: Any = {
    "svg.hashsalt": "groundwire",
    "svg.fonttype": "path",
    "font.size": 10,
    "text.color": GREY,
    "axes.labelcolor": GREY,
    "axes.edgecolor": GREY,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "text.usetex": False,
    "text.parse_math": False,
}
WIDTH = 6.4
"""Inches: a phone shows it at three quarters of its size, so that its letters can be read."""
DIFFERENCES = "Differences to the baseline, with 95 % intervals; without a range in parts of the larger mean"
MOST = 24
LONGEST = 44


def needs_matplotlib() -> None:
    """Raise `ConfigError` where nothing can be drawn for want of a package."""
    if find_spec("matplotlib") is None:
        raise ConfigError(MISSING)


def plots_of(content: ReportContent) -> tuple[tuple[str, str], ...]:
    """Return the plots of a report: what each shows, and its data URI."""
    drawn = []
    overall = [row for row in content.differences if row.slice == "all" and row.difference and row.low is not None]
    if overall:
        drawn.append((DIFFERENCES, _uri(_differences, overall[:MOST])))
    drawn.extend(
        (f"What is wrong with answers of {run.name}", _uri(_categories, run)) for run in content.runs if run.categories
    )
    if len(content.runs) == 1 and content.runs[0].slices:
        drawn.append(
            (f"Share of answers with a fault, by slice of {content.runs[0].name}", _uri(_slices, content.runs[0]))
        )
    drawn.extend(
        (f"How the judge's scores of {run.name} go together (Pearson's correlation)", _heat_map(run))
        for run in content.runs
        if run.correlations
    )
    means = judged_means(content.runs)
    if means:
        drawn.append(("Mean scores by the judge", _square(draw_radar, means)))
    helpful = [run for run in content.runs if run.helpfulness][:MOST_RUNS]
    if helpful:
        drawn.append(("The judge's sum beside helpfulness, an answer a dot", _square(draw_helpfulness, helpful)))
    return tuple(drawn)


def _uri(draw: Any, shown: Any) -> str:
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        rows = draw(axes, shown)
        figure.set_size_inches(WIDTH, 0.9 + 0.3 * rows)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        axes.tick_params(axis="y", length=0)
        return _data_uri(figure)


def _heat_map(run: ReportedRun) -> str:
    import matplotlib as mpl

    pairs = {(first, second): r for first, second, r in run.correlations}
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    with mpl.rc_context(STYLE):
        figure = figure_of(size_of(names))
        draw_correlations(figure, names, pairs, "")
        return _data_uri(figure)


def _square(draw: Any, shown: Any) -> str:
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        figure = figure_of((7.0, 6.0))
        draw(figure, shown)
        return _data_uri(figure)


def _data_uri(figure: Figure) -> str:
    written = io.BytesIO()
    figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": "Groundwire"})
    return "data:image/svg+xml;base64," + b64encode(written.getvalue()).decode()


def _differences(axes: Axes, rows: list[DifferenceFigure]) -> int:
    for place, row in enumerate(reversed(rows)):
        colour = {"better": TEAL, "worse": RED}.get(row.verdict, GREY)
        low, middle, high = (float(value or 0.0) / row.span for value in (row.low, row.difference, row.high))
        axes.plot([low, high], [place, place], color=colour, linewidth=2, solid_capstyle="butt")
        axes.plot([middle], [place], "o", color=colour, markersize=5)
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_yticks(range(len(rows)), [_short(f"{row.metric}, {row.run}") for row in reversed(rows)])
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlabel("run less baseline, in parts of the metric's range")
    return len(rows)


def _categories(axes: Axes, run: ReportedRun) -> int:
    from matplotlib.ticker import MaxNLocator

    rows = run.categories[:MOST]
    for place, row in enumerate(reversed(rows)):
        colour = {NONE: TEAL, NOT_JUDGED: GREY}.get(row.name, RED)
        axes.barh(place, row.count, color=colour, height=0.6)
        axes.text(row.count, place, f" {row.count:,}", va="center")
    axes.set_yticks(range(len(rows)), [_short(row.name.replace("_", " ")) for row in reversed(rows)])
    axes.set_xlabel("answers")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(x=0.12)
    return len(rows)


def _slices(axes: Axes, run: ReportedRun) -> int:
    rows = run.slices[:MOST]
    for place, row in enumerate(reversed(rows)):
        axes.barh(place, row.faults / row.n, color=AMBER, height=0.6)
        axes.text(row.faults / row.n, place, f" {row.faults:,} of {row.n:,}", va="center")
    axes.set_yticks(range(len(rows)), [_short(f"{row.attribute}={row.value}") for row in reversed(rows)])
    axes.set_xlim(0, max([row.faults / row.n for row in rows] + [0.05]) * 1.25)
    axes.set_xlabel("share of answers with a fault")
    return len(rows)


def _short(text: str) -> str:
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "\u2026"
