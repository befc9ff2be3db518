"""What plots of a report show."""

from __future__ import annotations

import pytest

from collector.reports import plots
from evaluation.reports.content import CountFigure, ReportedRun

pytest.importorskip("matplotlib")


def test_answers_are_counted_in_whole_numbers() -> None:
    from matplotlib.figure import Figure

    counted = CountFigure(name="answer completeness", count=1, of=1)
    run = ReportedRun(name="r", answers=1, failed=0, faults=counted, metrics=(), categories=(counted,))
    axes = Figure().add_subplot()
    plots._categories(axes, run)
    assert all(float(tick).is_integer() for tick in axes.get_xticks())
