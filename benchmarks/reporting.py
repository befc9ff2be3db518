"""How figures are printed: one block a data set, one line a figure, those of others below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from cards import told
from labelled import Labelled
from measuring import Rows, Statistic, auroc, with_interval

from collector.models.entailment import LocalEntailment


@dataclass(frozen=True, kw_only=True)
class Report:
    """Prints; ``resamples`` of every interval, ``limit`` on rows of a file, ``model`` to judge claims by, if any."""

    published: Mapping[str, Sequence[str]]
    resamples: int
    limit: int | None
    model: LocalEntailment | None = None

    def begin(self, name: str, rows: Rows, *, unscored: int = 0) -> None:
        """Print the head of a block, and what others have."""
        absent = f", {unscored} unscored" if unscored else ""
        positive = float(rows.positive.mean()) if rows.n else 0.0
        print(f"\n{name}: {rows.n} rows of {rows.n_groups} sources, {positive:.2f} positive{absent}")
        self.context(name)

    def context(self, name: str) -> None:
        """Print what others have, whether the figures to come are in sample, and what cross-validation gave."""
        for line in self.published.get(name, ("no published figure for this task on these rows is known to us",)):
            print(f"  {'others':<30} {line}")
        for head, line in told(name):
            print(f"  {head:<30} {line}")

    def figure(self, name: str, rows: Rows, statistic: Statistic, note: str = "") -> None:
        """Print one figure with its interval."""
        print(f"  {name:<30} {with_interval(rows, statistic, self.resamples)}{f'  {note}' if note else ''}", flush=True)

    def floor(self, name: str, rows: Rows, given: Sequence[Labelled], trivial: Callable[[Labelled], float]) -> None:
        """Print the AUROC of something trivial on the same rows, in the direction that serves it."""
        values = np.array([trivial(each) for each in given], dtype=float)
        plain = replace(rows, score=values)
        falls = auroc(plain) < 0.5
        self.figure(f"floor: {name}, AUROC", replace(rows, score=-values) if falls else plain, auroc)

    def absent(self, name: str, why: str) -> None:
        """Say that there is no figure."""
        print(f"\n{name}: {why}")
