"""Scored answers with their labels, as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evaluation.fitting.rows import FittedRow
from gates.evidence.arrays import Bools, Floats, Integers
from scorers.composite.profile import MEMBERS

FAMILIES = tuple(MEMBERS)
FEW = 5
"""Groups below which a mixed stratum goes together with others: parts of 60, 20 and 20 % need five for one each."""


class MetricColumn(NamedTuple):
    """The values of a metric, 0 where there is none, and whether there is one."""

    values: Floats
    present: Bools


class AdjudicatedLabel(NamedTuple):
    """What people say of an answer: whether they accept it, whether it is unsafe, and how it fails, if that is told."""

    acceptable: bool
    unsafe: bool
    category: str | None = None


class AnswerGroups(NamedTuple):
    """The group of each answer as 0 to n - 1, and the stratum of each group."""

    of_answer: Integers
    stratum: Integers


@dataclass(frozen=True)
class LabelledTable:
    """Answers with their labels.

    ``group`` are codes of what belongs together, such as the paraphrases of one question with all their answers;
    ``stratum`` are codes of what parts should have in equal shares.
    """

    rows: Sequence[FittedRow]
    labels: Sequence[AdjudicatedLabel]
    group: Integers
    stratum: Integers

    @classmethod
    def of(
        cls,
        rows: Sequence[FittedRow],
        labels: Sequence[AdjudicatedLabel],
        groups: Sequence[Hashable],
        strata: Sequence[Hashable],
    ) -> LabelledTable:
        """Return a table of rows with their label, group and stratum, each in the order of the rows."""
        return cls(rows, labels, _codes(groups), _codes(strata))

    def __len__(self) -> int:
        """How many answers there are."""
        return len(self.rows)

    def part(self, chosen: Integers | Bools) -> LabelledTable:
        """Return the answers at these places."""
        places = np.arange(len(self))[chosen]
        return LabelledTable(
            [self.rows[place] for place in places],
            [self.labels[place] for place in places],
            self.group[places],
            self.stratum[places],
        )

    @cached_property
    def groups(self) -> AnswerGroups:
        """The groups of answers, each with a stratum that tells of all of its answers, in whatever order they come.

        A group whose answers are of several strata is in one with those that mix the same. Mixtures of fewer than five
        groups go together, as what is balanced by itself must fill three parts.
        """
        _, of_answer = np.unique(self.group, return_inverse=True)
        held: list[set[int]] = [set() for _ in range(int(of_answer.max(initial=-1)) + 1)]
        for group, stratum in zip(of_answer.tolist(), self.stratum.tolist(), strict=True):
            held[group].add(stratum)
        mixtures = [tuple(sorted(strata)) for strata in held]
        counts = Counter(mixtures)
        kept = [each if len(each) == 1 or counts[each] >= FEW else () for each in mixtures]
        code = {mixture: number for number, mixture in enumerate(sorted(set(kept)))}
        return AnswerGroups(of_answer.astype(np.int64), np.array([code[each] for each in kept], np.int64))

    @cached_property
    def acceptable(self) -> Bools:
        """Whether people accept each answer."""
        return np.array([label.acceptable for label in self.labels], np.bool_)

    @cached_property
    def unsafe(self) -> Bools:
        """Whether each answer is unsafe."""
        return np.array([label.unsafe for label in self.labels], np.bool_)

    @cached_property
    def _columns(self) -> dict[str, MetricColumn]:
        return {}

    def column(self, name: str) -> MetricColumn:
        """Return the values of a metric."""
        if name not in self._columns:
            given = [row.values.get(name) for row in self.rows]
            present = np.array([value is not None for value in given], np.bool_)
            self._columns[name] = MetricColumn(np.array([value or 0.0 for value in given], np.float64), present)
        return self._columns[name]

    @cached_property
    def _counted(self) -> dict[str, Bools]:
        return {}

    def counted(self, name: str) -> Bools:
        """Return where the composite counts a metric."""
        if name not in self._counted:
            self._counted[name] = np.array([name in row.counted for row in self.rows], np.bool_)
        return self._counted[name]

    @cached_property
    def regulated(self) -> Bools:
        """Which answers are to regulated-advice tasks."""
        return np.array([row.regulated for row in self.rows], np.bool_)

    def capped(self, name: str, *, ranked: bool = True) -> Bools:
        """Return where a cap applies, or where it would if no source had more authority than another."""
        return np.array([name in (row.caps if ranked else row.unranked) for row in self.rows], np.bool_)

    @cached_property
    def _failures(self) -> dict[str, Floats]:
        return {}

    def failure(self, name: str) -> Floats:
        """Return the probability of one kind of failure, 0 where nothing tells of it."""
        if name not in self._failures:
            self._failures[name] = np.array([row.failures.get(name, 0.0) for row in self.rows], np.float64)
        return self._failures[name]

    def attribute(self, name: str) -> list[str | None]:
        """Return an attribute of each answer."""
        return [row.attributes.get(name) for row in self.rows]

    @cached_property
    def failure_names(self) -> tuple[str, ...]:
        """The kinds of failure that any answer may have."""
        return tuple(sorted({name for row in self.rows for name in row.failures}))


def _codes(values: Sequence[Hashable]) -> Integers:
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], np.int64)
