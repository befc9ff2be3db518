"""Scored answers as columns: what gates fold of evaluations, without their evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import orjson

from gates.base.labels import known_labels
from gates.evidence.arrays import Floats, Integers
from gates.inputs.observations import pairs
from gates.inputs.slices import Slice

VALUE = np.dtype("<f8")
"""How a value is packed; NaN stands for one that was not scored."""


class EvaluationContext(NamedTuple):
    """What many evaluations have in common: slice, versions, and the metrics whose values they hold, in order."""

    slice: Slice
    versions: Slice
    metrics: tuple[str, ...]

    def dump(self) -> bytes:
        """Serialize as JSON; equal contexts give equal bytes.

        >>> context = EvaluationContext((("domain", "travel"),), (), ("faithfulness",))
        >>> EvaluationContext.load(context.dump()) == context
        True
        """
        return orjson.dumps([self.slice, self.versions, self.metrics])

    @classmethod
    def load(cls, data: bytes) -> EvaluationContext:
        """Restore what `dump` wrote."""
        slice_, versions, metrics = orjson.loads(data)
        return cls(tuple(map(tuple, slice_)), tuple(map(tuple, versions)), tuple(metrics))


def label_of(metric: str) -> str:
    """Return the name under which codes of the labels of a metric's scores are kept.

    >>> label_of("faithfulness")
    'faithfulness:label'
    """
    return f"{metric}:label"


TEXTLESS = "answer:missing"
"""The name under which it is kept that an answer has no text; the evaluations of others have no such value."""


def context_of(
    slice_: Mapping[str, str], versions: Mapping[str, str], metrics: Sequence[str], *, textless: bool = False
) -> EvaluationContext:
    """Return the context of an evaluation that had to score ``metrics``, with the labels of those that have any."""
    more = [*(label_of(name) for name in metrics if name in known_labels()), *([TEXTLESS] if textless else [])]
    return EvaluationContext(pairs(slice_), pairs(versions), tuple(sorted([*metrics, *more])))


def packed(values: Mapping[str, float], metrics: Sequence[str]) -> bytes:
    """Return values in the order of ``metrics``.

    >>> np.frombuffer(packed({"b": 0.5}, ("a", "b")), VALUE).tolist()
    [nan, 0.5]
    """
    return np.array([values.get(name, np.nan) for name in metrics], VALUE).tobytes()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoredColumns:
    """Evaluations that gates fold, as columns of equal length in the order of ``seq``.

    ``context`` points into ``contexts``, ``at_us`` is in microseconds since 1970; the others are as in
    `gates.inputs.observations.Batch`. ``blocks`` hold the values by the metrics they are of: which rows, and a row
    each. ``labels`` came among these evaluations, of themselves or of earlier ones.
    """

    contexts: tuple[EvaluationContext, ...]
    context: Integers
    seq: Integers
    at_us: Integers
    probability: Floats
    cluster: Integers
    arm: Integers
    share: Floats
    blocks: tuple[tuple[tuple[str, ...], Integers, Floats], ...]
    labels: tuple[LabelColumns, ...] = ()

    def __len__(self) -> int:
        return len(self.seq)

    @classmethod
    def of(
        cls,
        rows: Sequence[Sequence[Any]],
        contexts: Mapping[int, EvaluationContext],
        labels: tuple[LabelColumns, ...] = (),
    ) -> ScoredColumns:
        """Return rows of seq, at (ns), context, probability, cluster, arm, share and packed values as columns."""
        seq, at, context, probability, cluster, arm, share, values = zip(*rows, strict=True) if rows else [()] * 8
        ids = sorted(set(context))
        place = np.searchsorted(ids, context)
        layouts: dict[tuple[str, ...], list[int]] = {}
        for number, known in enumerate(ids):
            layouts.setdefault(contexts[known].metrics, []).append(number)
        blocks = []
        for metrics, numbers in layouts.items():
            mine = np.flatnonzero(np.isin(place, numbers))
            data = b"".join(values) if len(layouts) == 1 else b"".join(values[row] for row in mine.tolist())
            blocks.append((metrics, mine, np.frombuffer(data, VALUE).astype(np.float64).reshape(len(mine), -1)))
        return cls(
            contexts=tuple(contexts[known] for known in ids),
            context=place.astype(np.int64),
            seq=np.array(seq, np.int64),
            at_us=np.array(at, np.int64) // 1000,
            probability=np.array(probability, np.float64),
            cluster=np.array(cluster, np.int64),
            arm=np.array(arm, np.int64),
            share=np.array(share, np.float64),
            blocks=tuple(blocks),
            labels=labels,
        )

    def asked(self, metric: str) -> Integers:
        """Return which rows had to have a value of ``metric``, whether they have one or not."""
        rows = [each for metrics, each, _ in self.blocks if metric in metrics]
        return np.sort(np.concatenate(rows)) if rows else np.zeros(0, np.int64)

    def values(self, metric: str) -> tuple[Integers, Floats]:
        """Return which rows have a value of ``metric``, and the values."""
        parts = [(rows, matrix[:, metrics.index(metric)]) for metrics, rows, matrix in self.blocks if metric in metrics]
        rows = np.concatenate([each for each, _ in parts] or [np.zeros(0, np.int64)])
        values = np.concatenate([each for _, each in parts] or [np.zeros(0)])
        there = ~np.isnan(values)
        order = np.argsort(rows[there], kind="stable")
        return rows[there][order], values[there][order]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LabelColumns:
    """Labels of one metric by one kind of labeller, as columns in the order of ``seq``, which is that of ``scored``.

    ``scored`` are the evaluations they are of; ``truth`` is what each says their value should be, ``drawn`` how likely
    the answer was to be labelled.
    """

    metric: str
    labeller: str
    scored: ScoredColumns
    truth: Floats
    drawn: Floats

    @classmethod
    def of(cls, rows: Sequence[Sequence[Any]], contexts: Mapping[int, EvaluationContext]) -> tuple[LabelColumns, ...]:
        """Return rows as `ScoredColumns.of` takes them, followed by metric, labeller, truth and probability."""
        kinds: dict[tuple[str, str], list[Sequence[Any]]] = {}
        for row in rows:
            kinds.setdefault((row[-4], row[-3]), []).append(row)
        return tuple(
            cls(
                metric=metric,
                labeller=labeller,
                scored=ScoredColumns.of([row[:-4] for row in mine], contexts),
                truth=np.array([row[-2] for row in mine], np.float64),
                drawn=np.array([row[-1] for row in mine], np.float64),
            )
            for (metric, labeller), mine in kinds.items()
        )
