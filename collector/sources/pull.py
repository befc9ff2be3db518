"""The frame around every source: fetch, store with the cursor, and when that fails, wait and try again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from adapters.schema import Answer
from collector.clock import Clock
from collector.outbound.backoff import Backoff
from collector.outbound.errors import Unreachable
from collector.outbound.status import LinkStatus
from collector.pipeline.admission import Admission, count_answer
from collector.sources.base import Batch, Source, SourceOptions
from collector.sources.chunks import chunks_of
from collector.store.rows import Pulled, StoredAnswer, UnreadRecord
from collector.store.store import Store
from telemetry import instruments
from telemetry.registry import Telemetry

Outcome = Literal["ok", "asked_to_wait", "unreachable", "error"]
COUNTED = ("spans", "answers", "malformed")
_SERVICE_FIELDS = {
    "service.name": "service",
    "service.version": "release",
    "deployment.environment.name": "environment",
}
"""What an answer calls the resource attributes that it has a field for."""


@dataclass(kw_only=True)
class PullStep:
    """One source as a step of the pipeline. ``monotonic`` (seconds) says when it is looked at again.

    It never raises for what the other side does; what is raised is the store's or a bug, and is waited out as well.
    """

    options: SourceOptions
    source: Source
    store: Store
    admission: Admission
    telemetry: Telemetry
    clock: Clock
    monotonic: Callable[[], float]
    random: Callable[[], float]
    stop: threading.Event
    status: LinkStatus = field(init=False)

    def __post_init__(self) -> None:
        """Make the source visible before its first look."""
        name = self.options.name
        self.status = LinkStatus("source", name=name, type_=self.options.type, clock=self.clock, counted=COUNTED)
        self._backoff = Backoff(random=self.random)
        self._due = self.monotonic()
        for outcome in get_args(Outcome):
            self.telemetry.add(instruments.SOURCE_REQUESTS, 0, name, outcome)
        for counter in (instruments.SOURCE_SPANS, instruments.SOURCE_ANSWERS, instruments.SOURCE_MALFORMED):
            self.telemetry.add(counter, 0, name)
        self.telemetry.set(instruments.SOURCE_UP, 1, name)
        self.telemetry.set(instruments.SOURCE_SUCCESS, self.clock() / 1e9, name)

    def run_once(self) -> int:
        """Look once, if it is time; return how much came."""
        if self.monotonic() < self._due:
            return 0
        try:
            cursor = self.store.cursor(self.options.name)
            batch = self.source.fetch(cursor, now=self.clock())
            if self.stop.is_set():
                # The store may be closed by now; the next start fetches it again.
                return 0
            return self._store(batch, cursor)
        except Unreachable as error:
            if not self.stop.is_set():
                asked = error.retry_after is not None
                self._rest(error.reason, error.retry_after, "asked_to_wait" if asked else "unreachable")
            return 0
        except Exception as error:
            if not self.stop.is_set():
                self._rest(f"{type(error).__name__}: {error}", None, "error")
            raise

    def _store(self, batch: Batch, before: bytes | None) -> int:
        now = self.clock()
        chunks, unread = chunks_of(batch.spans, arrived=now, resource=self.options.resource)
        unread += [UnreadRecord(error.reason, error.where or "") for error in batch.malformed]
        answers = self.admission.admit([self._placed(answer) for answer in batch.answers])
        moved = batch.cursor != before
        fresh: frozenset[str] = frozenset()
        if moved or chunks or answers or unread:
            fresh = self.store.append_pulled(
                Pulled(self.options.name, batch.cursor, now, chunks=chunks, answers=answers, malformed=unread)
            )
        n_spans = sum(chunk.n_spans for chunk in chunks)
        self._backoff.succeeded()
        # More behind a cursor that stands still would be the same again, for ever.
        rest = 0.0 if batch.more and moved else self.options.poll.total_seconds()
        self._due = self.monotonic() + rest
        self._count(answers, fresh, n_spans=n_spans, n_unread=len(unread))
        self.status.succeeded(
            next_attempt=now + int(rest * 1e9),
            position=self.source.position(batch.cursor),
            spans=n_spans,
            answers=len(fresh),
            malformed=len(unread),
        )
        return n_spans + len(answers) + len(unread) + (1 if batch.more and moved else 0)

    def _placed(self, answer: Answer) -> Answer:
        """Return ``answer`` with what the configuration knows of its service, where the line does not say it."""
        known = {field_: self.options.resource.get(key) for key, field_ in _SERVICE_FIELDS.items()}
        missing = {name: value for name, value in known.items() if value and getattr(answer, name) is None}
        return answer.model_copy(update=missing) if missing else answer

    def _count(self, answers: Sequence[StoredAnswer], fresh: frozenset[str], *, n_spans: int, n_unread: int) -> None:
        name, telemetry = self.options.name, self.telemetry
        newest = {stored.answer.id: stored for stored in answers if stored.answer.id in fresh}
        for stored in newest.values():
            count_answer(stored, telemetry)
        telemetry.add(instruments.SOURCE_REQUESTS, 1, name, "ok")
        telemetry.add(instruments.SOURCE_SPANS, n_spans, name)
        telemetry.add(instruments.SOURCE_ANSWERS, len(fresh), name)
        telemetry.add(instruments.SOURCE_MALFORMED, n_unread, name)
        telemetry.set(instruments.SOURCE_UP, 1, name)
        telemetry.set(instruments.SOURCE_SUCCESS, self.clock() / 1e9, name)

    def _rest(self, reason: str, retry_after: float | None, outcome: Outcome) -> None:
        seconds = self._backoff.failed(retry_after)
        self._due = self.monotonic() + seconds
        asked_to_wait = outcome == "asked_to_wait"
        self.telemetry.add(instruments.SOURCE_REQUESTS, 1, self.options.name, outcome)
        self.telemetry.set(instruments.SOURCE_UP, 1 if asked_to_wait else 0, self.options.name)
        self.status.failed(reason, next_attempt=self.clock() + int(seconds * 1e9), asked_to_wait=asked_to_wait)
