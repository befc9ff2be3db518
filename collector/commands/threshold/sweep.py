"""`groundwire threshold sweep`: labelled runs at several similarity thresholds, and which threshold to use."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TextIO

import numpy as np
import orjson
from pydantic import Field, ValidationError, model_validator

from collector.commands.progress import Progress, watched
from collector.commands.reading import opened
from collector.commands.threshold.plots import draw
from collector.commands.threshold.runs import run_rows
from collector.commands.threshold.tables import cautions, domain_table, median_times, side_by_side, sweep_table
from collector.errors import ConfigError
from collector.security.text import one_line
from evaluation.thresholds.composite import PANEL, PANELS, ObservedRange, PanelMetric
from evaluation.thresholds.report import (
    SweepReport,
    ThresholdRow,
    associations,
    report,
)
from evaluation.thresholds.sensitivity import DomainShift, domain_shifts, metric_correlations, weight_sensitivity
from evaluation.thresholds.sweep import QUESTION, THRESHOLD, SweepReader, SweepRowError, merged
from gates.units.names import suggestion
from gates.verdicts.summary import counted
from scorers.base import Value
from scorers.text.yamltext import YamlError, load_yaml

FINE = 0
REPORTED = 20
"""Unusable rows of one file that are reported one by one; the rest are counted."""
MAX_BYTES = 1024 * 1024 * 1024
MAX_PANEL_BYTES = 1_000_000
WHOLE = 1e-9
"""By how much weights may miss 1."""


class PanelEntry(Value):
    """A metric of a panel file: its weight, its better end, and its range, by default that of the files."""

    weight: Annotated[float, Field(gt=0, le=1)]
    better: Literal["higher", "lower"] = "higher"
    range: tuple[Annotated[float, Field(allow_inf_nan=False)], Annotated[float, Field(allow_inf_nan=False)]] | None = (
        None
    )

    @model_validator(mode="after")
    def _ordered(self) -> PanelEntry:
        if self.range is not None and self.range[0] >= self.range[1]:
            raise ValueError(f"range: {self.range[0]:g} is not below {self.range[1]:g}")
        return self


class PanelFile(Value):
    """A panel file: the metrics of the composite score, whose weights add up to 1."""

    metrics: Annotated[dict[str, PanelEntry], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def _whole(self) -> PanelFile:
        total = sum(entry.weight for entry in self.metrics.values())
        if abs(total - 1.0) > WHOLE:
            raise ValueError(f"the weights add up to {total:g}, not to 1")
        return self


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
        readers = [_read(path, panel, progress) for path in files]
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
                }
                for each, reader in zip(reports, readers, strict=True)
            ],
        }
        out.write(orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE).decode())
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


def _by_threshold(found: Mapping[str, Mapping[float, Sequence[Any]]]) -> dict[str, dict[str, Sequence[Any]]]:
    return {name: {f"{threshold:g}": values for threshold, values in by.items()} for name, by in found.items()}


def _times_object(reader: SweepReader) -> dict[str, dict[str, float]]:
    return {
        name: {f"{threshold:g}": took for threshold, took in found.items()} for name, found in reader.times().items()
    }


def panel_of(path: Path | None) -> tuple[Sequence[PanelMetric], Mapping[str, ObservedRange]]:
    """Return the panel in a file or of a name, by default PaSSER's, and the ranges it fixes. Raises `ConfigError`."""
    if path is None:
        return PANEL, {}
    if str(path) in PANELS:
        return PANELS[str(path)], {}
    try:
        with opened(path) as stream:
            text = stream.read(MAX_PANEL_BYTES + 1)
        if len(text) > MAX_PANEL_BYTES:
            raise ConfigError(f"{path}: larger than {MAX_PANEL_BYTES} bytes")
        panel = PanelFile.model_validate(load_yaml(text.decode()))
    except (YamlError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    except ValidationError as error:
        raise ConfigError(
            *(f"{path}: {'.'.join(map(str, each['loc'])) or 'metrics'}: {each['msg']}" for each in error.errors())
        ) from error
    metrics = [PanelMetric(name, entry.weight, entry.better) for name, entry in panel.metrics.items()]
    return metrics, {name: ObservedRange(*entry.range) for name, entry in panel.metrics.items() if entry.range}


def _read(path: Path, panel: Sequence[PanelMetric], progress: Progress) -> SweepReader:
    if path.is_dir():
        return _read_runs(path, panel, progress)
    reader, problems, bad = SweepReader(one_line(path.name.partition(".")[0] or str(path)), panel), [], 0
    with opened(path) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text, at byte {error.start}") from error
    for number, row in progress.over(_rows(text), str(path), "rows"):
        problem = row if isinstance(row, str) else _refused(reader, row, number)
        if problem is not None:
            bad += 1
            if bad <= REPORTED:
                problems.append(f"{path}: line {number}: {one_line(problem)}")
    if bad > REPORTED:
        problems.append(f"{path}: {counted(bad, 'line')} cannot be used")
    if not bad and not reader.thresholds:
        problems.append(f"{path}: has no rows; expected question, threshold and a column for each metric")
    if problems:
        raise ConfigError(*problems)
    return reader


def _read_runs(folder: Path, panel: Sequence[PanelMetric], progress: Progress) -> SweepReader:
    reader, problems = SweepReader(one_line(folder.resolve().name), panel), []
    rows = run_rows(folder, [metric.name for metric in panel])
    for number, (where, row) in enumerate(progress.over(rows, str(folder), "rows"), 1):
        problem = row if isinstance(row, str) else _refused(reader, row, number)
        if problem is not None:
            problems.append(f"{where}: {one_line(problem)}")
    if len(problems) > REPORTED:
        problems[REPORTED:] = [f"{folder}: {counted(len(problems), 'row')} cannot be used"]
    if problems:
        raise ConfigError(*problems)
    return reader


def _refused(reader: SweepReader, row: Mapping[str, object], number: int) -> str | None:
    try:
        reader.add(row, number=number)
    except SweepRowError as error:
        return str(error)
    return None


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, object] | str]]:
    """Yield the rows of CSV, or of JSON lines, with their line; a text says what is wrong with a line."""
    if text.lstrip().startswith("{"):
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield number, _json_row(line)
        return
    reader = csv.reader(io.StringIO(text), strict=True)
    head: list[str] = []
    try:
        for cells in reader:
            if not cells:
                continue
            if not head:
                head = [cell.strip() for cell in cells]
                if (problem := _header_problem(head)) is not None:
                    yield reader.line_num, problem
                    return
            elif len(cells) != len(head):
                yield reader.line_num, f"{counted(len(cells), 'cell')}, but the header has {len(head)}"
            else:
                yield reader.line_num, dict(zip(head, cells, strict=True))
    except csv.Error as error:
        yield reader.line_num, f"not CSV: {error}"


def _header_problem(head: Sequence[str]) -> str | None:
    """Return what is wrong with a header, ``None`` if nothing is."""
    if len(set(head)) < len(head):
        return "duplicate column in the header"
    for name in (QUESTION, THRESHOLD):
        if name not in head:
            cut = next((sign for sign in ";\t|" if len(head) == 1 and sign in head[0]), None)
            how = "" if cut is None else f"; its cells are cut by {cut!r}: write commas"
            alike = next((each for each in head if each.casefold() == name), None)
            meant = f"; {alike!r} is not in small letters" if alike is not None else suggestion(name, head)
            return f"{name}: no such column in the header{how or meant}"
    return None


def _json_row(line: str) -> Mapping[str, object] | str:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return f"not a whole JSON object: {error}"
    return row if isinstance(row, dict) else "not a JSON object"


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
