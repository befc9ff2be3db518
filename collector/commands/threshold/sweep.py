"""`groundwire threshold sweep`: labelled runs at several similarity thresholds, and which threshold to use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from collector.commands.objects import object_line
from collector.commands.progress import watched
from collector.commands.threshold.plots import draw
from collector.commands.threshold.rows import panel_of, read_sweep
from collector.commands.threshold.tables import cautions, domain_table, median_times, side_by_side, sweep_table
from collector.errors import ConfigError
from collector.security.text import one_line
from evaluation.thresholds.composite import ObservedRange
from evaluation.thresholds.report import SweepReport, ThresholdRow, associations, report
from evaluation.thresholds.sensitivity import DomainShift, domain_shifts, metric_correlations, weight_sensitivity
from evaluation.thresholds.sweep import SweepReader, merged

FINE = 0


class SweepChoices(NamedTuple):
    """How sweeps are judged: see the options of the command."""

    baseline: float | None
    panel: Path | None
    plots: Path | None
    alpha: float
    seed: int
    resamples: int


def sweep_files(files: Sequence[Path], choices: SweepChoices, *, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Judge the sweep in each file, print a table and a recommendation, and return 0.

    All files share the ranges of the metrics, so that their scores can be compared. Raises `ConfigError`, with file,
    line and column, for what cannot be used.
    """
    panel, fixed = panel_of(choices.panel)
    with watched(out, err, at_end=True) as progress:
        readers = [read_sweep(path, panel, progress) for path in files]
        ranges = {**merged([reader.ranges() for reader in readers]), **fixed}
        lacking = [metric.name for metric in panel if metric.name not in ranges]
        if lacking:
            hint = "; name other metrics with --panel" + (" (lexical needs no model)" if choices.panel is None else "")
            raise ConfigError(f"{files[0]}: {lacking[0]}: has no value in any row{hint}")
        progress.tell("comparing")
        reports = [_judged(path, reader, ranges, choices) for path, reader in zip(files, readers, strict=True)]
        sensitivity = weight_sensitivity(reports)
        columns = {m.name: [v for reader in readers for v in reader.columns()[m.name]] for m in panel}
        correlations = metric_correlations(columns)
        shifts = _shifts(files, reports)
        reports = _told_apart(files, reports)
        drawn = [] if choices.plots is None else draw(reports, correlations, choices.plots)
    if as_json:
        related = associations(reports)
        told: dict[str, Any] = {
            "alpha": choices.alpha,
            "seed": choices.seed,
            "resamples": choices.resamples,
            "panel": [metric._asdict() | ranges[metric.name]._asdict() for metric in panel],
            "spearman": related and {"stable_mean": related[0], "stable_cv": related[1]},
            "sensitivity": sensitivity._asdict(),
            "correlations": correlations,
            "domains": {
                f"{one} -> {other}": [shift._asdict() | {"shift": shift.shift} for shift in found]
                for (one, other), found in shifts.items()
            },
            "sweeps": [
                _object(each)
                | {
                    "times": _times_object(reader),
                    "configuration": reader.configuration(),
                    "confounded": _by_threshold(reader.confounded()),
                    "incomplete": {name: len(places) for name, places in reader.incomplete().items()},
                }
                for each, reader in zip(reports, readers, strict=True)
            ],
        }
        out.write(object_line(told))
    else:
        for each, reader in zip(reports, readers, strict=True):
            out.writelines(sweep_table(each, choices.alpha))
            out.writelines(median_times(reader))
            out.writelines(cautions(reader))
        out.writelines(side_by_side(reports, choices.alpha))
        out.writelines(domain_table(shifts))
        if (related := associations(reports)) is not None:
            out.write(f"Spearman over configurations: T-CPS with CPS {related[0]:.3f}, with CV {related[1]:.3f}\n")
        if sensitivity.by_reward is not None:
            out.write(
                f"weights: {sensitivity.steady} of {sensitivity.configurations} configurations keep their rank by "
                f"T-CPS with all 25; the reward explains {sensitivity.by_reward:.2%} of what weights change\n"
            )
        out.writelines(f"{path}\n" for path in drawn)
    return FINE


def _shifts(files: Sequence[Path], reports: Sequence[SweepReport]) -> Mapping[tuple[str, str], Sequence[DomainShift]]:
    """Return how sweeps of one name move between folders: each is a domain, the first is compared with others."""
    domains: dict[str, list[SweepReport]] = {}
    for path, each in zip(files, reports, strict=True):
        domains.setdefault(one_line(path.resolve().parent.name), []).append(each)
    first, *others = domains
    found = {(first, other): domain_shifts(domains[first], domains[other]) for other in others}
    return {names: shifts for names, shifts in found.items() if shifts}


def _told_apart(files: Sequence[Path], reports: Sequence[SweepReport]) -> list[SweepReport]:
    """Return the reports, those of one name with the folder of their file before it."""
    often = Counter(each.name for each in reports)
    return [
        replace(each, name=f"{one_line(path.resolve().parent.name)}/{each.name}") if often[each.name] > 1 else each
        for path, each in zip(files, reports, strict=True)
    ]


def _by_threshold(found: Mapping[str, Mapping[float, Sequence[Any]]]) -> dict[str, dict[str, Sequence[Any]]]:
    return {name: {f"{threshold:g}": values for threshold, values in by.items()} for name, by in found.items()}


def _times_object(reader: SweepReader) -> dict[str, dict[str, float]]:
    return {
        name: {f"{threshold:g}": took for threshold, took in found.items()} for name, found in reader.times().items()
    }


def _judged(path: Path, reader: SweepReader, ranges: Mapping[str, ObservedRange], choices: SweepChoices) -> SweepReport:
    baseline = reader.thresholds[0] if choices.baseline is None else choices.baseline
    try:
        sweep = reader.sweep(ranges, baseline=baseline)
        rng = np.random.default_rng(choices.seed)
        return report(sweep, rng, alpha=choices.alpha, resamples=choices.resamples)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from error


def _object(sweep: SweepReport) -> dict[str, Any]:
    chosen = sweep.recommendation
    return {
        "name": sweep.name,
        "rows": [_row_object(row) for row in sweep.rows],
        "best": {"mean": sweep.best_mean, "stable": sweep.best_stable, "balance": sweep.best_balance},
        "recommendation": {
            "threshold": chosen.threshold,
            "reason": chosen.reason,
            "by_questions": chosen.by_questions,
            "by_weights": chosen.by_weights,
            "rivals": [{"threshold": threshold, "by_questions": share} for threshold, share in chosen.rivals],
        },
    }


def _row_object(row: ThresholdRow) -> dict[str, Any]:
    against = row.against
    return {
        "threshold": row.threshold,
        "questions": row.questions,
        "mean": row.mean,
        "cv": row.cv,
        "stable": row.stable,
        "stable_gain_percent": row.stable_gain_percent,
        "balance": row.balance,
        "against": None if against is None else against._asdict() | {"interval": list(against.interval)},
        "verdict": row.verdict,
    }
