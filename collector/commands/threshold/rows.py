"""What a sweep is made from: the panel that weighs its metrics, and its rows, from files or run folders."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import orjson
from pydantic import Field, ValidationError, model_validator

from collector.commands.problems import RecordProblems
from collector.commands.progress import Progress
from collector.commands.reading import opened
from collector.commands.threshold.runs import run_rows
from collector.errors import ConfigError
from collector.security.text import one_line
from evaluation.thresholds.composite import PANEL, PANELS, ObservedRange, PanelMetric
from evaluation.thresholds.sweep import QUESTION, THRESHOLD, SweepReader, SweepRowError
from gates.units.names import suggestion
from gates.verdicts.summary import counted
from scorers.base import Value
from scorers.text.yamltext import YamlError, load_yaml

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


def read_sweep(path: Path, panel: Sequence[PanelMetric], progress: Progress) -> SweepReader:
    """Return the sweep in a file, or in a folder of runs. Raises `ConfigError` with file, line and column."""
    if path.is_dir():
        return _read_runs(path, panel, progress)
    reader, problems = SweepReader(one_line(path.name.partition(".")[0] or str(path)), panel), RecordProblems()
    with opened(path) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text, at byte {error.start}") from error
    for number, row in progress.over(_rows(text), str(path), "rows"):
        where = f"line {number}"
        problem = row if isinstance(row, str) else _refused(reader, row, where)
        if problem is not None:
            problems.add(f"{path}: {where}", one_line(problem))
    if not problems.bad and not reader.thresholds:
        raise ConfigError(f"{path}: has no rows; expected question, threshold and a column for each metric")
    if problems.bad:
        raise ConfigError(*problems.lines())
    return reader


def _read_runs(folder: Path, panel: Sequence[PanelMetric], progress: Progress) -> SweepReader:
    reader, problems = SweepReader(one_line(folder.resolve().name), panel), RecordProblems()
    rows = run_rows(folder, [metric.name for metric in panel])
    for where, row in progress.over(rows, str(folder), "rows"):
        problem = row if isinstance(row, str) else _refused(reader, row, where)
        if problem is not None:
            problems.add(where, one_line(problem))
    if problems.bad:
        raise ConfigError(*problems.lines())
    return reader


def _refused(reader: SweepReader, row: Mapping[str, object], place: str) -> str | None:
    try:
        reader.add(row, place=place)
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
