"""SampledAnswer answers as columns, with all that a change of their mean can be blamed on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gates.attribution.causes import Cause
from gates.evidence.arrays import Bools, Floats, Integers
from gates.inputs.observations import NO_CLUSTER, hashed

LEAST_PROBABILITY = 0.01
"""An answer weighs at most a hundred others, whatever probability was recorded with it."""
MAX_COLUMNS = 32
"""Dimensions and components that are looked at."""
MAX_STRATA = 1000
LEAST_STRATUM = 10
"""Answers of a stratum below which it is taken together with others as small."""
EARLY = 600_000_000
"""How long before a change, in microseconds, answers may show its version: they are not read in the order of time."""
UNKNOWN = ""
"""The value of an answer that names none."""


class SampledAnswer(NamedTuple):
    """One scored answer: ``at`` in microseconds since 1970, ``documents`` those it was given, ``None`` if not known."""

    at: int
    value: float
    probability: float
    cluster: str | None
    slice: Mapping[str, str]
    versions: Mapping[str, str]
    documents: tuple[str, ...] | None = None


class Column(NamedTuple):
    """The value of every answer as a number that points into ``values``."""

    code: Integers
    values: tuple[str, ...]

    def where(self, value: str) -> Bools:
        """Return which answers have a value."""
        has: Bools = self.code == (self.values.index(value) if value in self.values else -1)
        return has


class Suspect(NamedTuple):
    """A change that quality may have fallen with: a row of the ledger, ``at`` in microseconds.

    Of answers up to ``blur`` microseconds earlier it is not known whether it touched them, unless they name a version.
    """

    seq: int
    cause: Cause
    at: int
    component: str
    scope: Mapping[str, str]
    version: str | None = None
    documents: tuple[str, ...] = ()
    blur: int = 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sample:
    """Answers in order of time. ``loss`` is in [0, 1], worse where higher; ``weight`` is one over the probability.

    ``unit`` numbers clusters. Which documents an answer was given is a pair of ``row`` and ``document``;
    ``documents_known`` says of which answers they are known.
    """

    at: Integers
    loss: Floats
    weight: Floats
    unit: Integers
    slices: Mapping[str, Column]
    versions: Mapping[str, Column]
    row: Integers
    document: Integers
    documents: tuple[str, ...]
    documents_known: Bools

    def __len__(self) -> int:
        return len(self.at)

    @classmethod
    def of(cls, answers: Sequence[SampledAnswer], *, higher_is_worse: bool) -> Sample:
        """Return answers as columns. Their values must lie in [0, 1].

        >>> sample = Sample.of([SampledAnswer(2, 1.0, 0.5, None, {"domain": "pay"}, {})], higher_is_worse=False)
        >>> sample.loss.tolist(), sample.weight.tolist(), sample.slices["domain"].values
        ([0.0], [2.0], ('pay',))
        """
        answers = sorted(answers, key=lambda each: each.at)
        value = np.array([each.value for each in answers], dtype=np.float64)
        probability = np.array([each.probability for each in answers], dtype=np.float64)
        cluster = np.array([NO_CLUSTER if not each.cluster else hashed(each.cluster) for each in answers], np.int64)
        # An answer that names no cluster is one by itself: numbers below 0 are no hashes.
        alone = cluster == NO_CLUSTER
        cluster[alone] = -1 - np.flatnonzero(alone)
        named: dict[str, int] = {}
        pairs = [
            (row, named.setdefault(name, len(named)))
            for row, each in enumerate(answers)
            for name in dict.fromkeys(each.documents or ())
        ]
        retrieved = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return cls(
            at=np.array([each.at for each in answers], dtype=np.int64),
            loss=np.clip(value if higher_is_worse else 1.0 - value, 0.0, 1.0),
            weight=1.0 / np.clip(probability, LEAST_PROBABILITY, 1.0),
            unit=np.unique(cluster, return_inverse=True)[1].astype(np.int64),
            slices=_columns([each.slice for each in answers]),
            versions=_columns([each.versions for each in answers]),
            row=retrieved[:, 0],
            document=retrieved[:, 1],
            documents=tuple(named),
            documents_known=np.array([each.documents is not None for each in answers], dtype=np.bool_),
        )

    def with_documents(self, names: Sequence[str]) -> Bools:
        """Return which answers were given one of these documents."""
        wanted_names = set(names)
        wanted = np.array([name in wanted_names for name in self.documents], dtype=np.bool_)
        answers = np.zeros(len(self), dtype=np.bool_)
        if wanted.any():
            answers[self.row[wanted[self.document]]] = True
        return answers

    def touched(self, suspect: Suspect) -> Bools:
        """Return which answers a change has touched: of its scope, from then on, of its version, given its documents.

        Answers that name its version are touched though they are a little earlier. Where no answer names that version,
        time alone decides.
        """
        inside = self._inside(suspect)
        touched = inside & (self.at >= suspect.at)
        column = self.versions.get(suspect.component)
        if column is not None and suspect.version is not None:
            shown = inside & column.where(suspect.version) & (self.at >= suspect.at - EARLY)
            if shown.any():
                touched = shown | (touched & column.where(UNKNOWN))
        return touched

    def blurred(self, suspect: Suspect) -> Bools:
        """Return the answers of which it is not known whether a change has touched them."""
        near = (self.at >= suspect.at - suspect.blur) & (self.at < suspect.at)
        return self._inside(suspect) & near & ~self.touched(suspect)

    def _inside(self, suspect: Suspect) -> Bools:
        inside = np.ones(len(self), dtype=np.bool_)
        for name, value in suspect.scope.items():
            if name in self.slices:
                inside &= self.slices[name].where(value)
        return inside & self.with_documents(suspect.documents) if suspect.documents else inside

    def strata(self, left_out: Sequence[str] = ()) -> tuple[Integers, tuple[str, ...]]:
        """Return the stratum of every answer and the dimensions they are made of, few values first.

        Dimensions that would make too many strata are not among them; strata of few answers are one.
        """
        columns = sorted(
            (len(column.values), name)
            for name, column in self.slices.items()
            if len(column.values) > 1 and name not in left_out
        )
        code = np.zeros(len(self), dtype=np.int64)
        used: list[str] = []
        for size, name in columns:
            crossed = np.unique(code * size + self.slices[name].code, return_inverse=True)[1]
            if crossed.max(initial=0) < MAX_STRATA:
                code, used = crossed.astype(np.int64), [*used, name]
        counts = np.bincount(code) if len(self) else np.zeros(1, np.int64)
        large = counts >= LEAST_STRATUM
        return np.where(large[code], np.cumsum(large)[code], 0), tuple(used)


def _columns(rows: Sequence[Mapping[str, str]]) -> dict[str, Column]:
    # One mapping stands for many answers: each is looked into once.
    distinct: dict[int, tuple[int, Mapping[str, str]]] = {}
    order = np.array([distinct.setdefault(id(row), (len(distinct), row))[0] for row in rows], dtype=np.int64)
    kinds = [row for _, row in distinct.values()]
    columns: dict[str, Column] = {}
    for name in sorted({name for row in kinds for name in row})[:MAX_COLUMNS]:
        values: dict[str, int] = {}
        codes = [values.setdefault(row.get(name, UNKNOWN), len(values)) for row in kinds]
        columns[name] = Column(np.array(codes, dtype=np.int64)[order], tuple(values))
    return columns
