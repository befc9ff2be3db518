"""How a metric of a slice went: means over spans of time, with what they are held against and what changed."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np
from pydantic import BaseModel, Field

from collector.api.bodies import SliceBody, Time
from collector.api.parameters import SliceParameters, Text
from collector.changes.ledger import one_each
from collector.clock import instant
from collector.judging.verdicts import rfc3339
from collector.store.points import MetricPoints
from collector.store.store import Store
from gates.base.gate import Gate
from gates.base.verdict import SliceVerdict, Verdict

TimelineWindow = Literal["1h", "6h", "1d", "7d", "28d", "all"]
WINDOWS: Mapping[TimelineWindow, timedelta | None] = {
    "1h": timedelta(hours=1),
    "6h": timedelta(hours=6),
    "1d": timedelta(days=1),
    "7d": timedelta(days=7),
    "28d": timedelta(days=28),
    "all": None,
}
MAX_SPANS = 120
"""Means of one timeline: more are not told apart on a screen."""
SPANS_SECONDS = (1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800)
"""Lengths of the spans: a clock shows where they end."""
MAX_CHANGES = 200
MICROSECONDS = 1_000_000


class TimelineParameters(SliceParameters):
    """Which timeline is asked for, and how."""

    gate: str = Field(description="Name of the gate whose metric it is.")
    window: TimelineWindow = Field(default="all", description="How far back it goes.")
    format: Literal["json", "csv"] = Field(default="json", description="JSON, or its points as CSV.")
    slice: Mapping[str, Text] = Field(default_factory=dict, description="Only answers whose {name} is this.")


class TimelinePoint(BaseModel):
    """What the answers of one span came to."""

    at: Time = Field(description="Where the span begins.")
    answers: int
    mean: float = Field(description="Weighted by the inverse of the probability of each answer to be scored.")


class TimelineChange(BaseModel):
    """A change that touches the slice."""

    seq: int
    at: Time
    kind: str
    component: str
    version: str | None
    previous: str | None


class TimelineBody(BaseModel):
    """A metric of a slice over time, and what its gate holds it against."""

    gate: str
    metric: str
    judged: str = Field(description="What is averaged: the values of the metric, or the share with a good label.")
    better: Literal["higher", "lower"]
    slice: SliceBody
    seconds: int = Field(description="Length of a span.")
    partial: bool = Field(description="Older answers were not read.")
    limit: float | None = Field(description="The value that the gate does not let the metric pass.")
    reference: float | None = Field(description="What the metric is compared with now.")
    lower: float | None = Field(description="Bounds of the gate's estimate now.")
    upper: float | None
    alarmed_at: Time | None
    changes: Sequence[TimelineChange]
    points: Sequence[TimelinePoint]


def timeline(
    store: Store, gate: Gate, verdict: Verdict | None, wanted: TimelineParameters, *, now: int
) -> TimelineBody:
    """Return the timeline of the gate's first metric; ``now`` is in Unix nanoseconds."""
    metric = judged_metric(gate)
    labels: tuple[str, ...] = getattr(gate, "good_labels", ())
    window = WINDOWS[wanted.window]
    since = 0 if window is None else now - int(window.total_seconds()) * 10**9
    points = store.points(metric, wanted.slice, since=since, good_labels=labels)
    seconds, spans = averaged(points)
    begun = moment_ns(points.at[0]) if len(points.at) else now
    part = next((each for each in verdict.slices if each.slice == wanted.slice), None) if verdict else None
    return TimelineBody(
        gate=gate.name,
        metric=metric,
        judged=f"share of answers with {metric} {' or '.join(labels)}" if labels else metric,
        better="higher" if labels else _better(gate),
        slice=wanted.slice,
        seconds=seconds,
        partial=points.partial,
        limit=gate.limit,
        points=spans,
        changes=_changes(store, wanted.slice, since=max(since, begun)),
        **_held_against(part),
    )


def judged_metric(gate: Gate) -> str:
    """Return the metric that a gate judges, or the first of several."""
    return str(getattr(gate, "metric", None) or min(gate.metrics))


def as_csv(body: TimelineBody) -> str:
    """Return the points as CSV."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("at", "answers", "mean"))
    writer.writerows((point.at, point.answers, point.mean) for point in body.points)
    return out.getvalue()


def averaged(points: MetricPoints, most: int = MAX_SPANS) -> tuple[int, list[TimelinePoint]]:
    """Return the length of a span in seconds, and the mean of each span that has answers, in order.

    >>> half = MetricPoints(np.array([0, 1, 90_000_000]), np.array([0.0, 1.0, 1.0]), np.ones(3), partial=False)
    >>> seconds, found = averaged(half, most=2)
    >>> seconds, [(each.at, each.answers, each.mean) for each in found]
    (60, [('1970-01-01T00:00:00Z', 2, 0.5), ('1970-01-01T00:01:00Z', 1, 1.0)])
    """
    if not len(points.at):
        return SPANS_SECONDS[0], []
    extent = (points.at[-1] - points.at[0]) / MICROSECONDS
    seconds = next((each for each in SPANS_SECONDS if extent / each < most), SPANS_SECONDS[-1])
    place = points.at // (seconds * MICROSECONDS)
    starts = np.flatnonzero(np.diff(place, prepend=place[0] - 1))
    weight = 1.0 / points.probability
    counts = np.diff(np.append(starts, len(place)))
    means = np.add.reduceat(points.value * weight, starts) / np.add.reduceat(weight, starts)
    begins = place[starts] * seconds
    return seconds, [
        TimelinePoint(at=rfc3339(datetime.fromtimestamp(int(begin), UTC)), answers=int(count), mean=float(mean))
        for begin, count, mean in zip(begins, counts, means, strict=True)
    ]


def moment_ns(microseconds: int) -> int:
    """Return an instant in nanoseconds."""
    return int(microseconds) * 1000


def _better(gate: Gate) -> Literal["higher", "lower"]:
    worse = getattr(gate, "worse", None)
    return "lower" if worse == "higher" or getattr(gate, "at_most", None) is not None else "higher"


def _held_against(part: SliceVerdict | None) -> dict[str, float | str | None]:
    if part is None:
        return dict.fromkeys(("reference", "lower", "upper", "alarmed_at"))
    return {
        "reference": part.evidence.get("reference"),
        "lower": part.lower,
        "upper": part.upper,
        "alarmed_at": None if part.alarmed_at is None else rfc3339(part.alarmed_at),
    }


def _changes(store: Store, slice_: Mapping[str, str], *, since: int) -> list[TimelineChange]:
    """Return the newest changes since an instant that touch the slice, oldest first."""
    return [
        TimelineChange(
            seq=each.seq,
            at=rfc3339(instant(each.at)),
            kind=each.kind,
            component=each.component,
            version=each.version,
            previous=each.previous,
        )
        for each in one_each(store.newest_changes(limit=MAX_CHANGES))
        if each.at >= since and all(slice_.get(name, value) == value for name, value in each.scope.items())
    ]
