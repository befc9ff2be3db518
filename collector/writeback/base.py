"""What write-back is: scores and verdicts go to a tool people already use, one file a kind of target.

A target knows how to write one batch to one server. Choosing what to write belongs to `collector.writeback.step`;
timing, retrying, counting and logging to the frame of every link, `collector.outbound.link`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import Field

from collector.outbound.options import Closable, LinkOptions, ServerOptions

REQUEST_ITEMS = 100
"""Most items of one request. An item is some 4 kB at most, and Langfuse takes 1 MB."""
REASONS = 10
"""Reasons for a refusal that are kept for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteBackItem:
    """One thing to be seen beside one answer: the value of a metric, or the verdict of a gate.

    ``trace_id`` and ``span_id`` are the lower-case hex ids of the answer's root span. ``started_at`` is the answer's
    own time, ``scored_at`` the panel's, in Unix nanoseconds. A metric has a ``value`` and perhaps a ``label``, a
    verdict a ``label`` alone. ``metadata`` is small and flat.
    """

    answer_id: str
    revision: int
    trace_id: str
    span_id: str
    environment: str | None
    name: str
    started_at: int
    scored_at: int
    value: float | None = None
    label: str | None = None
    explanation: str | None = None
    metadata: Mapping[str, str | int | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What became of a request that a server took: ``count`` items written, ``unknown`` ones whose span it lacks.

    ``rejected`` items it refused for good, for the ``reasons`` given, which need not be one each.
    """

    count: int
    unknown: tuple[WriteBackItem, ...] = ()
    rejected: int = 0
    reasons: tuple[str, ...] = ()

    def __add__(self, other: WriteResult) -> WriteResult:
        """Return the result of two requests."""
        return WriteResult(
            self.count + other.count,
            self.unknown + other.unknown,
            self.rejected + other.rejected,
            tuple(dict.fromkeys(self.reasons + other.reasons))[:REASONS],
        )


class Target(Closable, Protocol):
    """An opened target."""

    def write(self, items: Sequence[WriteBackItem]) -> WriteResult:
        """Write up to `REQUEST_ITEMS` items; writing one again replaces it, or can be recognized as the same.

        Raises `Refused` where some item is at fault or all together are too much: nothing was settled; `Unreachable`
        where it may work later.
        """
        ...


class TargetOptions(ServerOptions, LinkOptions):
    """The options every target has. The fields of a subclass are its YAML options, tagged by ``type``."""

    metrics: tuple[str, ...] | None = Field(
        default=None, min_length=1, description="Metrics to write; defaults to all of the panel."
    )
    verdicts: bool = Field(
        default=True, description="Whether each gate's verdict on the answer's slice is written, named `gate:NAME`."
    )
    when: Mapping[str, str] = Field(
        default_factory=dict, description="Write only answers of this slice: dimensions, and the values they must have."
    )
    backfill: bool = Field(
        default=False,
        description="Whether the first start also writes what was scored before it.",
    )

    def mismatches(self, where: str, metrics: Sequence[str], dimensions: Sequence[str]) -> Iterator[str]:
        """Yield the metrics and slice dimensions that nobody knows, each as ``path: problem``."""
        for index, name in enumerate(self.metrics or ()):
            if name not in metrics:
                known = ", ".join(sorted(metrics)) or "none"
                yield f"{where}.metrics[{index}]: no scorer gives {name!r}; known: {known}"
        for name in self.when:
            if name not in dimensions:
                yield f"{where}.when.{name}: no slice dimension {name!r}"
