"""A sweep: the same questions answered at several similarity thresholds, and with none."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from evaluation.thresholds.composite import ObservedRange, PanelMetric, composite_scores
from gates.evidence.arrays import Floats

QUESTION, THRESHOLD = "question", "threshold"
CONFIGURATION, RETRIEVAL = "configuration", "retrieval"
"""Column with what made a row, as a JSON object, where rows have it; and its key that thresholds may differ in."""
TIMES = ("latency_ms", "first_token_ms")
"""Columns with what an answer took, where rows have them."""
MAX_THRESHOLDS = 200
"""A sweep has about ten."""


class SweepRowError(ValueError):
    """What is wrong with a row of a sweep, beginning with the column."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The CPS of each question at each threshold: ``scores``, where ``present`` is 1; both are 0 where there is none.

    Rows are thresholds in rising order, columns are questions. ``baseline`` is the row that others are compared with.
    """

    name: str
    thresholds: Sequence[float]
    baseline: int
    scores: Floats
    present: Floats


@dataclass(slots=True)
class SweepReader:
    """Takes the rows of a sweep: a question, a threshold, and values of metrics, of which any may be missing.

    >>> reader = SweepReader("granite", (PanelMetric("recall", 1.0),))
    >>> reader.add({"question": "1", "threshold": "0.5", "recall": "0.25"}, place="line 2")
    >>> reader.ranges()
    {'recall': ObservedRange(low=0.25, high=0.25)}
    >>> reader.add({"question": "1", "threshold": "0.5", "recall": "0.75"}, place="line 3")
    Traceback (most recent call last):
    evaluation.thresholds.sweep.SweepRowError: question: '1' at threshold 0.5 is in line 2 already
    """

    name: str
    panel: Sequence[PanelMetric]
    _values: dict[tuple[float, str], list[float | None]] = field(default_factory=dict)
    _places: dict[tuple[float, str], str] = field(default_factory=dict)
    _thresholds: set[float] = field(default_factory=set)
    _times: dict[tuple[str, float], list[float]] = field(default_factory=dict)
    _made: dict[float, dict[str, dict[bytes, Any]]] = field(default_factory=dict)

    def add(self, row: Mapping[str, object], *, place: str) -> None:
        """Take the row of a ``place``, such as a line.

        Raises `SweepRowError`, which begins with the column, for one that cannot be used.
        """
        question = row.get(QUESTION)
        if not isinstance(question, str | int) or isinstance(question, bool) or question == "":
            raise SweepRowError(
                f"{QUESTION}: missing" if question in (None, "") else f"{QUESTION}: not a text or number"
            )
        threshold = _number(row, THRESHOLD)
        if threshold is None:
            raise SweepRowError(f"{THRESHOLD}: missing")
        key = (threshold, str(question))
        if key in self._places:
            raise SweepRowError(
                f"{QUESTION}: {str(question)[:60]!r} at threshold {threshold:g} is in {self._places[key]} already"
            )
        made = _object(row)
        self._thresholds.add(threshold)
        if len(self._thresholds) > MAX_THRESHOLDS:
            raise SweepRowError(f"{THRESHOLD}: more than {MAX_THRESHOLDS} thresholds")
        self._values[key] = [_number(row, metric.name) for metric in self.panel]
        self._places[key] = place
        for name, value in made.items():
            seen = self._made.setdefault(threshold, {}).setdefault(name, {})
            seen[msgspec.json.encode(value, order="sorted")] = value
        for name in TIMES:
            if name in row and (took := _number(row, name)) is not None:
                self._times.setdefault((name, threshold), []).append(took)

    def configuration(self) -> Mapping[str, Sequence[Any]]:
        """Return what rows say that they were made by: the distinct values of each key, over all thresholds."""
        names = sorted({name for made in self._made.values() for name in made})
        return {name: list(self._seen(name).values()) for name in names}

    def confounded(self) -> Mapping[str, Mapping[float, Sequence[Any]]]:
        """Return what thresholds differ in beside retrieval, with the values that each has: effects are of these too.

        >>> reader = SweepReader("granite", (PanelMetric("recall", 1.0),))
        >>> for line, (threshold, model) in enumerate([(0, "a"), (0.5, "b")]):
        ...     row = {"question": "1", "threshold": threshold, "recall": 1, "configuration": {"model": model}}
        ...     reader.add(row, place=f"line {line}")
        >>> reader.confounded()
        {'model': {0.0: ['a'], 0.5: ['b']}}
        """
        return {name: values for name, values in self._differing() if name != RETRIEVAL}

    def _differing(self) -> Iterator[tuple[str, Mapping[float, Sequence[Any]]]]:
        for name in self.configuration():
            by_threshold = {each: self._made.get(each, {}).get(name, {}) for each in self.thresholds}
            if len({frozenset(seen) for seen in by_threshold.values()}) > 1:
                yield name, {each: list(seen.values()) for each, seen in by_threshold.items()}

    def _seen(self, name: str) -> Mapping[bytes, Any]:
        return {key: value for made in self._made.values() for key, value in made.get(name, {}).items()}

    def incomplete(self) -> Mapping[str, Sequence[str]]:
        """Return the places of rows without a value of a metric of the panel, by metric: they have no composite score.

        >>> reader = SweepReader("granite", (PanelMetric("recall", 1.0),))
        >>> reader.add({"question": "1", "threshold": "0.5", "recall": ""}, place="line 2")
        >>> reader.incomplete()
        {'recall': ['line 2']}
        """
        found: dict[str, list[str]] = {}
        for key, values in self._values.items():
            for metric, value in zip(self.panel, values, strict=True):
                if value is None:
                    found.setdefault(metric.name, []).append(self._places[key])
        return found

    def columns(self) -> Mapping[str, Sequence[float | None]]:
        """Return the values of each metric of the panel, over all rows."""
        return {metric.name: [row[place] for row in self._values.values()] for place, metric in enumerate(self.panel)}

    def times(self) -> Mapping[str, Mapping[float, float]]:
        """Return the median of what answers took, in milliseconds, by column and threshold; of columns that are there.

        >>> reader = SweepReader("granite", (PanelMetric("recall", 1.0),))
        >>> reader.add({"question": "1", "threshold": 0.5, "recall": 1, "latency_ms": 120}, place="line 2")
        >>> reader.times()
        {'latency_ms': {0.5: 120.0}}
        """
        found: dict[str, dict[float, float]] = {}
        for (name, threshold), values in sorted(self._times.items()):
            found.setdefault(name, {})[threshold] = float(np.median(values))
        return found

    def ranges(self) -> Mapping[str, ObservedRange]:
        """Return the range of each metric that has a value."""
        found: dict[str, ObservedRange] = {}
        for place, metric in enumerate(self.panel):
            values = [row[place] for row in self._values.values()]
            known = [value for value in values if value is not None]
            if known:
                found[metric.name] = ObservedRange(min(known), max(known))
        return found

    @property
    def thresholds(self) -> Sequence[float]:
        """The thresholds seen, in rising order."""
        return sorted(self._thresholds)

    def sweep(self, ranges: Mapping[str, ObservedRange], *, baseline: float) -> Sweep:
        """Return the sweep with its composite scores, each of the answers that have every metric.

        Raises `ValueError` where the baseline is no threshold of the sweep, or the only one.
        """
        thresholds = self.thresholds
        if baseline not in thresholds:
            raise ValueError(f"threshold: no row has {baseline:g}, that of the baseline")
        if len(thresholds) == 1:
            raise ValueError(f"threshold: is {baseline:g} in all rows, that of the baseline; a sweep has two at least")
        questions = {question: place for place, question in enumerate(dict.fromkeys(each for _, each in self._values))}
        scores = np.zeros((len(thresholds), len(questions)))
        present = np.zeros_like(scores)
        whole = [(key, values) for key, values in self._values.items() if None not in values]
        if whole:
            table = np.array([values for _, values in whole], np.float64)
            rows = {threshold: place for place, threshold in enumerate(thresholds)}
            places = tuple(np.array([(rows[one], questions[other]) for (one, other), _ in whole]).T)
            scores[places] = composite_scores(table, self.panel, ranges)
            present[places] = 1.0
        return Sweep(self.name, thresholds, thresholds.index(baseline), scores, present)


def merged(ranges: Sequence[Mapping[str, ObservedRange]]) -> Mapping[str, ObservedRange]:
    """Return the ranges over several sweeps.

    >>> merged([{"recall": ObservedRange(0.1, 0.5)}, {"recall": ObservedRange(0.2, 0.9)}])
    {'recall': ObservedRange(low=0.1, high=0.9)}
    """
    names = dict.fromkeys(name for each in ranges for name in each)
    return {
        name: ObservedRange(
            min(each[name].low for each in ranges if name in each),
            max(each[name].high for each in ranges if name in each),
        )
        for name in names
    }


def _object(row: Mapping[str, object]) -> Mapping[str, Any]:
    """Return what a row says that it was made by. Raises `SweepRowError` where that is no object."""
    told = row.get(CONFIGURATION)
    if told is None or told == "":
        return {}
    try:
        made = msgspec.json.decode(told) if isinstance(told, str) else told
    except msgspec.DecodeError as error:
        raise SweepRowError(f"{CONFIGURATION}: not JSON: {error}") from error
    if not isinstance(made, dict):
        raise SweepRowError(f"{CONFIGURATION}: not a JSON object")
    return made


def _number(row: Mapping[str, object], name: str) -> float | None:
    """Return a finite number, ``None`` for an empty cell. Raises `SweepRowError` for a missing column, or no number."""
    if name not in row:
        raise SweepRowError(f"{name}: no such column")
    value = row[name]
    if value is None or value == "":
        return None
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise SweepRowError(f"{name}: expected a finite number, got {str(value)[:60]!r}")
    return number
