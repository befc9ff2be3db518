"""One scored answer as a gate sees it, and many of them as columns: the form in which a gate folds them at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field

from adapters.caching import cached
from adapters.schema import Instant
from gates.evidence.arrays import Bools, Floats, Integers
from gates.inputs.slices import Slice
from gates.units.instants import microseconds
from scorers.base import Value

Labeller = Literal["human", "gold", "model"]
"""Who found what a metric should have said: people, an answer whose quality is known, or a model in their place."""
NO_LABEL = 0
"""The label of a score that carries none."""
NOT_DRAWN, UNKNOWN_DRAW = 0.0, 1e-12
"""The inclusion probability of the label of an answer that nobody labelled, and of a label that tells none."""
NO_CLUSTER = 0
"""The cluster of an answer that names none."""

ARMS = {None: 0, "baseline": 1, "candidate": 2}
"""How the release an answer was routed to is written in its column."""


class Observation(Value):
    """One scored answer as a gate sees it.

    ``at`` is the answer's own time, and never later than the moment the agent saw it: a gate has no clock to tell a
    wrong one. ``probability`` is the recorded inclusion probability, in (0, 1]. ``cluster`` groups answers whose
    failures are not independent (a conversation); where none is named, those of one tick that rest on the same
    ``document`` are one. ``arm`` and ``share`` are set where traffic is split between two
    releases. ``value`` is ``None`` where the answer came, but was not scored. ``label`` is the text that the score
    carries, or as a number what a person found the value of the metric to be; gates that take labels go by it if
    ``label_probability`` tells how likely the answer was to be labelled.
    """

    at: Instant
    answer_id: str
    metric: str
    value: Annotated[float, Field(allow_inf_nan=False)] | None
    probability: float = Field(gt=0, le=1)
    slice: Mapping[str, str] = Field(default_factory=dict)
    cluster: str | None = None
    document: str | None = None
    versions: Mapping[str, str] = Field(default_factory=dict)
    arm: Literal["candidate", "baseline"] | None = None
    share: float | None = Field(default=None, gt=0, lt=1)
    label: Annotated[float, Field(allow_inf_nan=False)] | str | None = None
    label_probability: float | None = Field(default=None, gt=0, le=1)


class Group(NamedTuple):
    """What many observations have in common: their metric, and slice and versions as sorted pairs."""

    metric: str
    slice: Slice
    versions: Slice


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Batch:
    """Observations as columns of equal length, in order of arrival.

    ``group`` points into ``groups``. ``at`` is in microseconds since 1970. ``cluster`` is what `cluster_code`
    returns; ``arm`` is coded by `ARMS`; ``share`` is 0 where routing is not known. ``label`` is what `label_code`
    returns; without it, values of a gate that counts labels are 1 for good and 0 for bad. ``truth`` is what people
    found the value to be, ``drawn`` with what probability the answer was labelled (`NOT_DRAWN` where it was not); a
    negative one marks a row that brings the label of an answer which is there already. ``unscored`` are rows of answers
    that came without a value, which is 0 there, ``textless`` those of them that have none because the answer has no
    text. ``ids`` serve messages only.
    """

    groups: tuple[Group, ...]
    group: Integers
    at: Integers
    value: Floats
    probability: Floats
    cluster: Integers
    arm: Integers
    share: Floats
    label: Integers | None = None
    truth: Floats | None = None
    drawn: Floats | None = None
    unscored: Bools | None = None
    textless: Bools | None = None
    ids: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.at)

    @classmethod
    def of(cls, observations: Iterable[Observation]) -> Batch:
        """Return observations as columns.

        >>> from datetime import UTC, datetime
        >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
        >>> one = Observation(at=noon, answer_id="a", metric="m", value=1, probability=0.5, slice={"domain": "travel"})
        >>> batch = Batch.of([one, one])
        >>> len(batch), batch.groups
        (2, (Group(metric='m', slice=(('domain', 'travel'),), versions=()),))
        """
        seen = list(observations)
        codes: dict[Group, int] = {}
        clusters = {(each.cluster, each.document) for each in seen}
        coded = {names: cluster_code(*names) for names in clusters}
        group = [codes.setdefault(Group(e.metric, pairs(e.slice), pairs(e.versions)), len(codes)) for e in seen]
        return cls(
            groups=tuple(codes),
            group=np.array(group, dtype=np.int64),
            at=np.array([microseconds(each.at) for each in seen], dtype=np.int64),
            value=np.array([each.value or 0.0 for each in seen], dtype=np.float64),
            probability=np.array([each.probability for each in seen], dtype=np.float64),
            cluster=np.array([coded[each.cluster, each.document] for each in seen], dtype=np.int64),
            arm=np.array([ARMS[each.arm] for each in seen], dtype=np.int64),
            share=np.array([each.share or 0.0 for each in seen], dtype=np.float64),
            label=np.array([label_code(each.label) for each in seen], dtype=np.int64),
            truth=np.array([found(each.label) for each in seen], dtype=np.float64),
            drawn=np.array([draw_of(each.label, each.label_probability) for each in seen], dtype=np.float64),
            unscored=np.array([each.value is None for each in seen], dtype=np.bool_),
            ids=tuple(each.answer_id for each in seen),
        )

    def of_metric(self, metric: str, lower: float = 0.0, upper: float = 1.0) -> Bools:
        """Return which rows have a value of ``metric``. Raises `ValueError` where one is outside its range."""
        rows = self._about(metric)
        rows = rows if self.unscored is None else rows & ~self.unscored
        wrong = np.flatnonzero(rows & ~((self.value >= lower) & (self.value <= upper)))
        if wrong.size:
            row = int(wrong[0])
            name = self.ids[row] if row < len(self.ids) else f"row {row}"
            raise ValueError(f"{metric} of {name} is {self.value[row]}, outside {lower:g} to {upper:g}")
        return rows

    def without_value(self, metric: str) -> Bools:
        """Return which rows say that an answer came without a value of ``metric``."""
        rows = self._about(metric)
        return np.zeros(len(self), np.bool_) if self.unscored is None else rows & self.unscored

    def without_text(self, metric: str) -> Bools:
        """Return which rows say that an answer came without text, and so without a value of ``metric``."""
        rows = self.without_value(metric)
        return np.zeros(len(self), np.bool_) if self.textless is None else rows & self.textless

    def _about(self, metric: str) -> Bools:
        mine = np.array([group.metric == metric for group in self.groups], dtype=np.bool_)
        return mine[self.group] if len(self) else np.zeros(0, dtype=np.bool_)


def pairs(mapping: Mapping[str, str]) -> Slice:
    """Return a mapping as sorted pairs."""
    return tuple(sorted(mapping.items()))


def cluster_code(cluster: str | None, document: str | None = None) -> int:
    """Return the code of a cluster: positive where it is named, negative for a document, whose cluster is of one tick.

    >>> cluster_code("s-1") == cluster_code("s-1", "HR-010") > 0 > cluster_code(None, "HR-010"), cluster_code(None)
    (True, 0)
    """
    if cluster is not None:
        return hashed(cluster)
    return NO_CLUSTER if document is None else -hashed(document)


def found(label: str | float | None) -> float:
    """Return what a person found a value to be, 0 where nobody did.

    >>> found(1), found("supported"), found(None)
    (1.0, 0.0, 0.0)
    """
    return 0.0 if label is None or isinstance(label, str) else float(label)


def draw_of(label: str | float | None, probability: float | None) -> float:
    """Return with what probability a person labelled an answer, `NOT_DRAWN` where nobody did.

    >>> draw_of(1, 0.2), draw_of("supported", 0.2), draw_of(1, None) == UNKNOWN_DRAW
    (0.2, 0.0, True)
    """
    if label is None or isinstance(label, str):
        return NOT_DRAWN
    return UNKNOWN_DRAW if probability is None else probability


@cached(maxsize=1_024)
def label_code(label: str | float | None) -> int:
    """Return the code of a score's label: 53 bits, which a float holds; 0 where there is none, or only a person's.

    >>> label_code(None), label_code(1), 0 < label_code("supported") < 2**53
    (0, 0, True)
    """
    return (hashed(label) >> 10) or 1 if isinstance(label, str) else NO_LABEL


def hashed(text: str) -> int:
    """Return 63 bits of ``text``, the same in every process, and never `NO_CLUSTER`.

    Two of a million texts meet with a probability of one in ten million (birthday bound), and then share a bet.
    """
    data = text.encode("utf-8", "surrogatepass")
    return (int.from_bytes(blake2b(data, digest_size=8).digest(), "big") >> 1) or 1
