"""Summary of many scores in bounded memory: count, mean, quantiles, labels and missing values."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import floor, log10
from typing import Any, TextIO

from collector.commands.columns import aligned
from collector.security.text import one_line
from gates.verdicts.summary import counted

QUANTILES = (0.1, 0.5, 0.9)
DIGITS = 3
"""Digits of a value that quantiles know: their number is bounded then, and a table shows no more."""
TOLD = 5
"""Reasons that are told where no metric has a value, and metrics that are named of each."""
WHY = 200
CELL = 32
"""Characters of a column that lists labels or reasons: tables stay readable, and --json has all."""
MISSING = "missing_input"
MAX_LABELS = 50
"""Distinct labels that are counted: scorers have few."""


class Tally:
    """One metric over many answers.

    >>> tally = Tally()
    >>> for value in (0.2, 0.4, 0.9):
    ...     tally.add({"value": value, "label": "low" if value < 0.5 else "high"})
    >>> tally.n, round(tally.mean, 2), tally.quantile(0.5), dict(tally.labels)
    (3, 0.5, 0.4, {'low': 2, 'high': 1})
    """

    def __init__(self) -> None:
        self.n = 0
        self.labels: Counter[str] = Counter()
        self.unscored: Counter[str] = Counter()
        self.absent: Counter[tuple[str, str]] = Counter()
        """Reasons of missing values with what they say beside, of as many as are kept of labels."""
        self._sum = 0.0
        self._values: Counter[float] = Counter()

    def add(self, score: Mapping[str, Any]) -> None:
        """Count a score."""
        value, label = score["value"], score["label"]
        self.n += 1
        self._sum += value
        self._values[_short(value)] += 1
        if label is not None and (label in self.labels or len(self.labels) < MAX_LABELS):
            self.labels[label] += 1

    def miss(self, absence: Mapping[str, Any]) -> None:
        """Count a value that is missing."""
        reason, detail = absence["reason"], absence["detail"] or ""
        self.unscored[reason] += 1
        if (reason, detail) in self.absent or len(self.absent) < MAX_LABELS:
            self.absent[reason, detail] += 1

    @property
    def mean(self) -> float:
        """The mean of at least one value."""
        return self._sum / self.n

    def quantile(self, share: float) -> float:
        """Return the smallest value that at least ``share`` of at least one value do not exceed."""
        values = sorted(self._values)
        reached = list(accumulate(self._values[value] for value in values))
        return values[bisect_left(reached, share * self.n)]


def _short(value: float) -> float:
    if abs(value) <= 1:
        return round(value, DIGITS)
    return round(value, DIGITS - 1 - floor(log10(abs(value))))


def print_summary(tallies: Mapping[str, Tally], n_answers: int, out: TextIO) -> None:
    """Print one row a metric; where none has a value, why, and what to do."""
    if not n_answers:
        out.write("no answers: nothing was scored\n")
        return
    if not any(tally.n for tally in tallies.values()):
        out.writelines(_why_none(tallies, n_answers))
        return
    rows = [["metric", "n", "mean", *(f"p{share * 100:.0f}" for share in QUANTILES), "labels", "unscored"]]
    rows += [[name, *_cells(tally)] for name, tally in tallies.items()]
    out.writelines(aligned(rows, right=range(1, 3 + len(QUANTILES))))
    out.write(f"{counted(n_answers, 'answer')}\n")


def _why_none(tallies: Mapping[str, Tally], n_answers: int) -> Iterator[str]:
    """Yield what all answers lack, that of most metrics first."""
    yield f"no metric has a value for {'the answer' if n_answers == 1 else f'any of {n_answers:,} answers'}\n"
    by_reason: dict[tuple[str, str], list[str]] = {}
    for name, tally in tallies.items():
        for absence in tally.absent:
            by_reason.setdefault(absence, []).append(name)
    ordered = sorted(by_reason.items(), key=lambda item: -len(item[1]))
    for (reason, detail), names in ordered[:TOLD]:
        more = f" and {len(names) - TOLD:,} more" if len(names) > TOLD else ""
        what = "missing " if reason == MISSING else f"{reason.replace('_', ' ')}: "
        yield f"  {what}{one_line(detail, WHY)} ({', '.join(names[:TOLD])}{more})\n"
    if len(ordered) > TOLD:
        yield f"  and {len(ordered) - TOLD:,} more reasons; --json has them all\n"
    if any(reason == MISSING for reason, _ in by_reason):
        yield "give what is missing with each answer: docs/reading.md says which fields and keys are read\n"


def _cells(tally: Tally) -> Iterator[str]:
    yield f"{tally.n:,}"
    values: Sequence[float] = (tally.mean, *map(tally.quantile, QUANTILES)) if tally.n else ()
    yield from (_figure(value) for value in values)
    yield from ("-" for _ in range(1 + len(QUANTILES) - len(values)))
    yield _counted(tally.labels)
    yield _counted(tally.unscored)


def _figure(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.0f}"  # noqa: PLR2004 - three digits either way


def _counted(counts: Counter[str]) -> str:
    """Return how often each name occurs, the most frequent first, as many as a column of `CELL` has room for.

    >>> _counted(Counter(supported=9, unsupported=3, contradicted=2, partial=1))
    'supported 9, unsupported 3, and 2 more'
    """
    told = [f"{one_line(name)} {count:,}" for name, count in counts.most_common()]
    kept = [text for text, width in zip(told, accumulate(len(text) + 2 for text in told), strict=True) if width <= CELL]
    kept = told if len(", ".join(told)) <= CELL else kept or told[:1]
    return ", ".join([*kept, *([f"and {len(told) - len(kept)} more"] if len(told) > len(kept) else [])])
