"""The pictures of a benchmark's report: evaluators against acceptability, and what goes with what.

Source: PROBE, Table 4 and Figure 2.
"""

from __future__ import annotations

from collections.abc import Mapping

from collector.reports.heatmap import draw_correlations, draw_estimates, figure_of, size_of, svg_of
from evaluation.fitting.report import BenchmarkReport

EVALUATORS, CORRELATIONS = "evaluators.svg", "correlations.svg"


def pictures(told: BenchmarkReport) -> Mapping[str, bytes]:
    """Return the pictures by the names of their files."""
    return {EVALUATORS: _evaluators(told), CORRELATIONS: _correlations(told)}


def _evaluators(told: BenchmarkReport) -> bytes:
    rows = sorted(told.evaluators, key=lambda row: (-row.figures.spearman.value, row.name))
    figure = figure_of((8.0, 1.5 + 0.45 * len(rows)))
    draw_estimates(
        figure,
        [row.name for row in rows],
        [(row.figures.spearman.value, *row.figures.spearman.interval) for row in rows],
        "Spearman's correlation with acceptability, held out, with 95 % intervals",
        "Evaluators and what people accept",
    )
    return svg_of(figure)


def _correlations(told: BenchmarkReport) -> bytes:
    """Draw the metrics that vary, acceptability last."""
    known = {(row.first, row.second): row.rho for row in told.correlations}
    names = list(dict.fromkeys(name for pair, rho in known.items() if rho is not None for name in pair))
    figure = figure_of(size_of(names))
    draw_correlations(figure, names, known, "Spearman's correlations of metrics and acceptability, held out")
    return svg_of(figure)
