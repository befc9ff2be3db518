"""Plots of what a case-aware judge said: mean scores of runs on a radar, and the sum beside helpfulness.

Source: "Case-Aware LLM-as-a-Judge Evaluation for Enterprise-Scale RAG Systems", figures 6 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from adapters.external.case_record import CASE_INPUTS
from evaluation.reports.content import ReportedRun

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST_AXES = 3
"""Scores that a radar needs to be more than a line."""
MOST_RUNS = 6
RING = 0.25
SIZE = 18


def judged_means(runs: Sequence[ReportedRun]) -> Mapping[str, Mapping[str, float]]:
    """Return by run the mean of each score that a judge gave all of the runs; nothing for fewer than three."""
    means = {
        run.name: {row.metric.removeprefix("external."): row.mean for row in run.metrics if row.family == "external"}
        for run in runs[:MOST_RUNS]
    }
    judged = {name: {each: found[each] for each in CASE_INPUTS if each in found} for name, found in means.items()}
    judged = {name: found for name, found in judged.items() if found}
    shared = [name for name in CASE_INPUTS if all(name in found for found in judged.values())]
    if not judged or len(shared) < LEAST_AXES:
        return {}
    return {name: {each: found[each] for each in shared} for name, found in judged.items()}


def draw_radar(figure: Figure, means: Mapping[str, Mapping[str, float]]) -> None:
    """Draw the mean scores of each run around a circle, 0 in its middle and 1 at its edge."""
    names = list(next(iter(means.values())))
    turns = np.linspace(0.0, 2.0 * np.pi, len(names), endpoint=False)
    axes: Axes = figure.add_subplot(projection="polar")
    for run, found in means.items():
        values = [found[name] for name in names]
        axes.plot([*turns, turns[0]], [*values, values[0]], marker="o", markersize=3, label=run)
        axes.fill(turns, values, alpha=0.08)
    axes.set_xticks(turns, [name.replace("_", " ") for name in names])
    axes.tick_params(axis="x", pad=18)
    axes.set_ylim(0.0, 1.0)
    axes.set_yticks(np.arange(RING, 1.01, RING))
    figure.legend(loc="outside lower center", ncols=2, frameon=False)


def draw_helpfulness(figure: Figure, runs: Sequence[ReportedRun]) -> None:
    """Draw each answer by its helpfulness and its weighted sum."""
    axes: Axes = figure.add_subplot()
    for run in runs:
        helpful, whole = zip(*run.helpfulness, strict=True)
        axes.scatter(helpful, whole, s=SIZE, alpha=0.5, label=run.name, linewidths=0)
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), xlabel="answer helpfulness", ylabel="case_composite")
    if len(runs) > 1:
        figure.legend(loc="outside lower center", ncols=2, frameon=False)
