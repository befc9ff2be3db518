"""Labels that somebody sends: what they may say, and the rows of the store that they become."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args

import orjson
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    model_validator,
)

from adapters.schema import Instant
from adapters.trace import Nanoseconds
from collector.api.bodies import Recorded, RowBody
from collector.api.changes import AHEAD, storable, text_only
from collector.api.exchange import SHOWN, problems_of
from collector.api.parameters import Text
from collector.clock import instant, nanoseconds
from collector.judging.verdicts import rfc3339
from collector.store.rows import AnswerLabel, LabelOutcome, LabelReceipt
from gates.base.gate import Gate
from gates.inputs.observations import Labeller
from gates.units.names import suggestion
from scorers.base import Metric

MAX_LABELS = 5_000
"""Labels of one request."""
MAX_LABEL_BYTES = 2 * 1024 * 1024
"""Bytes of one request with labels: that many with long ids fit."""
MAX_REFUSED = 100
"""Labels of one request that are named because they were not taken; all are counted."""
LABEL_OUTCOMES = get_args(LabelOutcome)
"""What may become of a label that was read."""
LINES = ("application/x-ndjson", "application/jsonl")
"""Content types of a label a line."""


def _found(value: Any) -> float | str:
    if value in ("good", "bad") and isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < float("inf"):
        raise ValueError("must be a number, or good or bad")
    return float(value)


LabelValue = Annotated[
    float | Literal["good", "bad"], PlainValidator(_found, json_schema_input_type=float | Literal["good", "bad"])
]


class SentLabel(BaseModel):
    """What somebody found a metric should have said of an answer that was scored.

    ``label`` is the value it should have had, in its unit, or ``good`` or ``bad`` for the best and the worst there is.
    ``label_probability`` is how likely the answer was to be labelled. ``metric`` may be left out where gates judge one
    metric by labels. ``at`` is when the answer was labelled; now, if left out.

    >>> SentLabel(answer_id="a-17", label="bad", label_probability=0.45).labeller
    'human'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer_id: Annotated[str, Field(min_length=1, max_length=1024), AfterValidator(storable)]
    metric: Text | None = None
    label: LabelValue
    label_probability: float = Field(gt=0, le=1, strict=True)
    labeller: Labeller = "human"
    at: Annotated[Instant, BeforeValidator(text_only)] | None = None


class LabelBatch(BaseModel):
    """Many labels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    labels: Annotated[tuple[SentLabel, ...], Field(min_length=1, max_length=MAX_LABELS)]

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, given: Any) -> Any:
        """Take one label for a batch of one."""
        return {"labels": [given]} if isinstance(given, dict) and "labels" not in given else given


class UntakenLabel(BaseModel):
    """A label that was not recorded: its number in the request, from 1, and why."""

    number: int
    answer_id: str
    metric: str
    outcome: Literal["conflicting", "unmatched"]
    reason: str


class LabelsBody(BaseModel):
    """What became of the labels of a request; the counts below ``received`` add up to it."""

    received: int
    stored: int = Field(description="New, and now evidence.")
    repeated: int = Field(description="Recorded before, and the same.")
    conflicting: int = Field(description="Recorded before, and another: the first label of an answer stands.")
    unmatched: int = Field(description="Of no score that gates count.")
    untaken: Sequence[UntakenLabel] = Field(description=f"The first {MAX_REFUSED} conflicting and unmatched ones.")
    notes: Sequence[str] = Field(description="Metrics whose labels no gate judges by now; they are kept all the same.")


class LabelBody(RowBody):
    """A label, as it was recorded."""

    seq: int
    answer_id: str
    metric: str
    value: float = Field(description="What the metric should have been, in its unit.")
    probability: float = Field(description="That the answer was labelled.")
    labeller: Labeller
    at: Annotated[Recorded, Field(description="When it was labelled.")]
    recorded_at: Annotated[Recorded, Field(description="When the agent learned of it.")]


class BadLabelsError(ValueError):
    """A request with labels that cannot be read; ``count`` of them."""

    def __init__(self, reason: str, count: int = 1) -> None:
        super().__init__(reason)
        self.count = count


def read_labels(body: bytes, *, lines: bool) -> tuple[SentLabel, ...]:
    """Read labels of JSON, or with ``lines`` of a JSON object a line. Raises `BadLabelsError` on one line.

    >>> read_labels(b'{"answer_id": "a", "label": 1, "label_probability": 0.1}', lines=False)[0].label
    1.0
    """
    if lines:
        return read_lines(body)
    try:
        return LabelBatch.model_validate(orjson.loads(body)).labels
    except orjson.JSONDecodeError as error:
        raise BadLabelsError(f"the body is not JSON: {error}") from error
    except ValidationError as error:
        bad = {problem["loc"][:2] for problem in error.errors(include_url=False, include_input=False)}
        raise BadLabelsError(problems_of(error), len(bad)) from error


def read_lines(body: bytes, *, most: int = MAX_LABELS) -> tuple[SentLabel, ...]:
    """Read a label a line; blank lines are skipped. Raises `BadLabelsError` that names the first bad lines."""
    found: list[SentLabel] = []
    problems: list[str] = []
    bad = 0
    for number, line in enumerate(body.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(SentLabel.model_validate(orjson.loads(line)))
        except orjson.JSONDecodeError as error:
            problem = f"not JSON: {error}"
        except ValidationError as error:
            problem = problems_of(error)
        else:
            continue
        bad += 1
        if len(problems) < SHOWN:
            problems.append(f"line {number}: {problem}")
    if bad:
        more = f"; and {bad - SHOWN} more lines" if bad > SHOWN else ""
        raise BadLabelsError("; ".join(problems) + more, bad)
    if not found:
        raise BadLabelsError("there is no label")
    if len(found) > most:
        raise BadLabelsError(f"{len(found):,} labels are more than the {most:,} of one request; send them in parts")
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class Labelling:
    """What labels can be of: the ``metrics`` that are computed, and the ``gates`` that may judge by them."""

    metrics: Sequence[Metric] = ()
    gates: Sequence[Gate] = field(default=())

    @property
    def judged(self) -> tuple[str, ...]:
        """The metrics that gates judge by labels."""
        return tuple(sorted({metric for gate in self.gates if gate.takes_labels for metric in gate.metrics}))

    def rows(self, sent: Sequence[SentLabel], *, now: Nanoseconds) -> list[AnswerLabel]:
        """Return the rows of labels received ``now`` (ns). Raises `BadLabelsError` for those that mean nothing."""
        rows: list[AnswerLabel] = []
        problems: list[str] = []
        bad = 0
        for number, label in enumerate(sent, 1):
            try:
                rows.append(self._row(label, now))
            except ValueError as error:
                bad += 1
                if len(problems) < SHOWN:
                    problems.append(f"label {number}: {error}")
        if bad:
            more = f"; and {bad - SHOWN} more" if bad > SHOWN else ""
            raise BadLabelsError("; ".join(problems) + more, bad)
        return rows

    def answered(self, receipts: Sequence[LabelReceipt]) -> LabelsBody:
        """Return what became of labels."""
        counts = Counter(receipt.outcome for receipt in receipts)
        return LabelsBody(
            received=len(receipts),
            stored=counts["stored"],
            repeated=counts["repeated"],
            conflicting=counts["conflicting"],
            unmatched=counts["unmatched"],
            untaken=[each for each, _ in zip(_untaken(receipts), range(MAX_REFUSED), strict=False)],
            notes=sorted({*self._unjudged(receipts)}),
        )

    def _unjudged(self, receipts: Sequence[LabelReceipt]) -> Iterator[str]:
        for metric, labeller in {(each.label.metric, each.label.labeller) for each in receipts}:
            mine = [gate for gate in self.gates if gate.takes_labels and metric in gate.metrics]
            if not mine:
                yield f"no gate judges {metric} by labels: set `labels: prediction-powered` on a drift gate over it"
            elif not any(gate.takes_labels_by(labeller) for gate in mine):
                names = ", ".join(gate.name for gate in mine)
                takes = "people" if labeller == "model" else "a model"
                hint = "give it `label_judge`" if labeller == "model" else "leave its `label_judge` out"
                yield f"gate {names} takes labels of {metric} by {takes}, not by labeller {labeller}: {hint}"

    def _row(self, label: SentLabel, now: Nanoseconds) -> AnswerLabel:
        metric = self._metric(label.metric)
        if label.at is not None and not 0 <= nanoseconds(label.at) <= now + AHEAD:
            raise ValueError(f"at: must be in the past; it is {instant(now).isoformat()} here")
        return AnswerLabel(
            answer_id=label.answer_id,
            metric=metric.name,
            value=_value(label.label, metric),
            probability=label.label_probability,
            labeller=label.labeller,
            at=now if label.at is None else min(nanoseconds(label.at), now),
            recorded_at=now,
        )

    def _metric(self, name: str | None) -> Metric:
        known = {metric.name: metric for metric in self.metrics}
        if name is None:
            if len(self.judged) != 1:
                which = f"gates judge {', '.join(self.judged)} by labels" if self.judged else "no gate judges by labels"
                raise ValueError(f"metric: required, because {which}")
            (name,) = self.judged
        if name not in known:
            near = suggestion(name[:40], known)
            raise ValueError(f"metric: unknown metric {name[:40]!r}{near}; known: {', '.join(known) or 'none'}")
        return known[name]


def _value(found: float | str, metric: Metric) -> float:
    """Return what a metric should have been. Raises `ValueError` where it cannot be that."""
    best, worst = (metric.upper, metric.lower) if metric.better == "higher" else (metric.lower, metric.upper)
    if isinstance(found, str):
        value = best if found == "good" else worst
        if value is None:
            raise ValueError(f"label: {metric.name} has no bound, so {found} is no value of it; give a number")
        return value
    if found < metric.lower or (metric.upper is not None and found > metric.upper):
        upper = "and up" if metric.upper is None else f"to {metric.upper:g}"
        raise ValueError(f"label: {found:g} is outside the range of {metric.name}, {metric.lower:g} {upper}")
    return found


def _untaken(receipts: Sequence[LabelReceipt]) -> Iterator[UntakenLabel]:
    for number, (outcome, label, reason) in enumerate(receipts, 1):
        if outcome in ("conflicting", "unmatched"):
            why = reason or (
                f"recorded before as {label.value:g} with label_probability {label.probability:g} by {label.labeller},"
                f" at {rfc3339(instant(label.recorded_at))}; that label stands"
            )
            yield UntakenLabel(
                number=number, answer_id=label.answer_id, metric=label.metric, outcome=outcome, reason=why
            )
