"""Pictures of sweeps: what each threshold gains, which gains are shown, and how alike the metrics are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from collector.errors import ConfigError
from collector.reports.heatmap import STAMP, draw_correlations
from collector.writing import write_whole
from evaluation.thresholds.report import SweepReport

MISSING = "matplotlib is not installed; install it with: pip install 'groundwire[evaluate]'"
LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


def draw(
    reports: Sequence[SweepReport], correlations: Mapping[str, Mapping[str, float | None]], folder: Path
) -> list[Path]:
    """Write ``gains.svg``, ``significance.svg`` and ``correlations.svg`` into a folder, and return them.

    Raises `ConfigError` where matplotlib is missing, or the folder cannot be written.
    """
    if find_spec("matplotlib") is None:
        raise ConfigError(MISSING)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams["svg.hashsalt"] = "groundwire"
    sizes = {
        "gains.svg": (8.0, 6.0),
        "significance.svg": (8.0, 2.5 + 0.6 * len(reports)),
        "correlations.svg": (8.0, 7.0),
    }
    made = {name: Figure(figsize=size, layout="tight") for name, size in sizes.items()}
    _gains(made["gains.svg"], reports)
    _significance(made["significance.svg"], reports)
    _correlations(made["correlations.svg"], correlations)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error
    for name, figure in made.items():
        drawn = BytesIO()
        figure.savefig(drawn, format="svg", metadata=STAMP)
        write_whole(folder / name, drawn.getvalue())
    return [folder / name for name in made]


def stars(p_value: float) -> str:
    """Return how significant a p-value is called.

    >>> stars(0.004), stars(0.2)
    ('**', '')
    """
    return next((mark for level, mark in LEVELS if p_value < level), "")


def _gains(figure: Any, reports: Sequence[SweepReport]) -> None:
    axes = figure.subplots()
    for place, report in enumerate(reports):
        rows = [row for row in report.rows if row.against is not None]
        thresholds = [row.threshold for row in rows]
        colour = f"C{place}"
        mean = [row.against.gain_percent for row in rows if row.against is not None]
        axes.plot(thresholds, mean, "o-", color=colour, label=f"{report.name}: CPS")
        axes.plot(thresholds, [row.stable_gain_percent for row in rows], "s--", color=colour, alpha=0.6)
    axes.axhline(0.0, color="0.5", linewidth=0.8)
    axes.set(xlabel="similarity threshold", ylabel="gain over baseline, %", title="Gain in CPS (lines), T-CPS (dashed)")
    axes.legend()


def _significance(figure: Any, reports: Sequence[SweepReport]) -> None:
    thresholds = sorted({row.threshold for each in reports for row in each.rows if row.against is not None})
    table = np.full((len(reports), len(thresholds)), np.nan)
    axes = figure.subplots()
    for place, report in enumerate(reports):
        for row in report.rows:
            if row.against is None or row.against.gain_percent is None:
                continue
            at = thresholds.index(row.threshold)
            table[place, at] = row.against.gain_percent
            shown = f"{row.against.gain_percent:+.1f}{stars(row.against.p_value)}"
            held = "\nHolm" if row.against.holm < LEVELS[-1][0] else ""
            axes.text(at, place, shown + held, ha="center", va="center", fontsize=7)
    most = float(np.nanmax(np.abs(table))) if np.isfinite(table).any() else 1.0
    picture = axes.imshow(table, cmap="RdYlGn", vmin=-most, vmax=most, aspect="auto")
    axes.set_xticks(range(len(thresholds)), [f"{each:g}" for each in thresholds])
    axes.set_yticks(range(len(reports)), [each.name for each in reports])
    axes.set(xlabel="similarity threshold", title="Gain in CPS, %; * p < .05, ** < .01, *** < .001, uncorrected")
    figure.colorbar(picture, ax=axes)


def _correlations(figure: Any, correlations: Mapping[str, Mapping[str, float | None]]) -> None:
    pairs = {(one, other): value for one, row in correlations.items() for other, value in row.items()}
    draw_correlations(figure, list(correlations), pairs, "Spearman's correlation of the metrics")
