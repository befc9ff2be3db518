"""What a source is: something the agent reads by itself, page by page, and resumes where it left off.

A source knows how to fetch and where it stands. Storing belongs to `collector.sources.pull`; timing, retrying, counting
and logging to the frame of every link, `collector.outbound.link`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from pydantic import Field, TypeAdapter, ValidationError

from adapters.base import MalformedRecord
from adapters.external.score import ExternalScore
from adapters.schema import Answer
from adapters.trace import Span
from collector.outbound.options import Closable, LinkOptions
from gates.units.duration import Duration

SCORES = ".scores"
"""What the name of a source of scores ends with."""
SCORES_POLL = timedelta(minutes=1)
"""Time between two looks for scores, at least: whoever gives them takes longer."""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What one fetch brought, and where the source stands after it.

    ``cursor`` is stored in one transaction with everything else here. ``more`` says to look again at once.
    """

    cursor: bytes
    spans: Sequence[Span] = ()
    answers: Sequence[Answer] = ()
    malformed: Sequence[MalformedRecord] = ()
    more: bool = False
    scores: Sequence[ExternalScore] = ()


Read = TypeVar("Read")


def decoded(kind: TypeAdapter[Read], cursor: bytes | None) -> Read | None:
    """Read a cursor that was stored as JSON; ``None`` where there is none, or one that cannot be read.

    >>> decoded(TypeAdapter(int), b"3"), decoded(TypeAdapter(int), b"{}"), decoded(TypeAdapter(int), None)
    (3, None, None)
    """
    if cursor is None:
        return None
    try:
        return kind.validate_json(cursor)
    except ValidationError:
        return None


@runtime_checkable
class Source(Closable, Protocol):
    """An opened source."""

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return what lies behind ``cursor`` (``None``: from the start): one bounded page, or one closed window.

        ``now`` is Unix nanoseconds. Pure but for reading: with the same cursor it may be called again, and whatever the
        page before did not get stored comes once more. A cursor it cannot read counts as none. Raises `Unreachable`.
        """
        ...

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say for people where ``cursor`` stands, as a small JSON object; ``{}`` where it cannot be read."""
        ...


class AnswerPlace(NamedTuple):
    """Where a stored answer is from: its number in the store, its trace, and the outermost span of its run."""

    seq: int
    trace_id: str
    span_id: str | None


class FindAnswers(Protocol):
    """Finds answers in the store."""

    def __call__(self, *, after: int, arrived_from: int, arrived_before: int, limit: int) -> Sequence[AnswerPlace]:
        """Return answers with a higher ``seq`` that arrived in a span of time (Unix nanoseconds), in order."""
        ...


@runtime_checkable
class AsksAboutAnswers(Protocol):
    """A source that has to be asked about each answer. The step says how it finds them, before the first fetch."""

    answers: FindAnswers | None


class SourceOptions(LinkOptions):
    """The options every source has. The fields of a subclass are its YAML options, tagged by ``type``."""

    poll: Duration = Field(
        default=timedelta(seconds=10), description="Time between two looks while there is nothing new."
    )
    resource: Mapping[str, str] = Field(
        default_factory=dict,
        description="Resource attributes added to every span of this source, such as `service.name`.",
    )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong: a name that is given away."""
        yield from super().problems(where)
        if self.name.endswith(SCORES):
            yield f"{where}.name: names that end with {SCORES} are those of scores of other sources; choose another"

    def of_scores(self) -> SourceOptions | None:
        """Return the source of the scores that are kept there, where they are wanted: it has a pace of its own."""
        return None


class ScoredSourceOptions(SourceOptions):
    """Options of a source that keeps scores of answers as well."""

    scores: bool = Field(
        default=False,
        description="Whether to read scores, too, that evaluators and users gave there; `external` says what is taken.",
    )


def scores_beside(options: ScoredSourceOptions, kind: type[ScoredSourceOptions]) -> ScoredSourceOptions | None:
    """Return a source as one of ``kind``, under a name of its own; ``None`` where its scores are not wanted."""
    if not options.scores:
        return None
    slower = {"name": f"{options.name}{SCORES}", "poll": max(options.poll, SCORES_POLL), "scores": False}
    return kind.model_construct(**(dict(options) | slower))
