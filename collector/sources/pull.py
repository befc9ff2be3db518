"""Every source as a step: a page is fetched, and stored together with the cursor behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, get_args

from adapters.base import PassageKeys
from adapters.canary import is_canary_answer
from adapters.documents.given import described
from adapters.schema import Answer
from collector.external.reception import Reception
from collector.outbound.link import Attempt, Counter, Link, Runtime
from collector.pipeline.admission import Admission, count_answer
from collector.sources.base import AnswerPlace, AsksAboutAnswers, FetchedPage, Source, SourceOptions
from collector.sources.chunks import chunks_of
from collector.store.rows import Pulled, UnreadRecord
from collector.store.store import Store
from telemetry import instruments

_SERVICE_FIELDS = {
    "service.name": "service",
    "service.version": "release",
    "deployment.environment.name": "environment",
}
"""What an answer calls the resource attributes that it has a field for."""


class PullStep(Link[SourceOptions]):
    """Fetches a page from one source, and stores it with the cursor."""

    kind = "source"
    up = instruments.SOURCE_UP
    counters: ClassVar = {
        "spans": Counter(instruments.SOURCE_SPANS),
        "answers": Counter(instruments.SOURCE_ANSWERS),
        "malformed": Counter(instruments.SOURCE_MALFORMED),
        # What became of each is counted where they are taken in.
        "scores": None,
    }

    def __init__(
        self,
        options: SourceOptions,
        source: Source,
        *,
        keys: PassageKeys,
        store: Store,
        admission: Admission,
        reception: Reception,
        runtime: Runtime,
    ) -> None:
        super().__init__(options, runtime)
        self.source = source
        self._keys = keys
        self._store = store
        self._reception = reception
        if isinstance(source, AsksAboutAnswers):
            source.answers = self._answers
        self._admission = admission
        self._cursor: bytes | None = None
        for attempt in get_args(Attempt):
            self.telemetry.add(instruments.SOURCE_REQUESTS, 0, self.name, attempt)
        self.telemetry.set(instruments.SOURCE_SUCCESS, self.clock() / 1e9, self.name)

    def exchange(self) -> int:
        """Fetch and store one page; return how much it held."""
        cursor = self._store.cursor(self.name)
        page = self.source.fetch(cursor, now=self.clock())
        # The store may be closed by now; the next start fetches it again.
        return 0 if self.stop.is_set() else self._keep(page, cursor)

    def position(self) -> Mapping[str, Any]:
        """Return where the source stands."""
        return {} if self._cursor is None else self.source.position(self._cursor)

    def attempted(self, attempt: Attempt) -> None:
        """Count how a look at the source ended."""
        self.telemetry.add(instruments.SOURCE_REQUESTS, 1, self.name, attempt)
        if attempt == "ok":
            self.telemetry.set(instruments.SOURCE_SUCCESS, self.clock() / 1e9, self.name)

    def _keep(self, page: FetchedPage, before: bytes | None) -> int:
        now = self.clock()
        chunks, unread = chunks_of(page.spans, arrived=now, resource=self.options.resource)
        unread += [UnreadRecord(error.reason, error.where or "") for error in page.malformed]
        answers = self._admission.admit(
            [self._placed(answer) for answer in page.answers if not is_canary_answer(answer)]
        )
        # Before the cursor moves: what is interrupted here comes again, and is known then.
        self._take(page)
        moved = page.cursor != before
        fresh: frozenset[str] = frozenset()
        if moved or chunks or answers or unread:
            fresh = self._store.append_pulled(
                Pulled(self.name, page.cursor, now, chunks=chunks, answers=answers, malformed=unread)
            )
        for stored in {row.answer.id: row for row in answers if row.answer.id in fresh}.values():
            count_answer(stored, self.telemetry)
        n_spans = sum(chunk.n_spans for chunk in chunks)
        self._cursor = page.cursor
        self.count(spans=n_spans, answers=len(fresh), malformed=len(unread), scores=len(page.scores))
        # More behind a cursor that stands still would be the same again, for ever.
        more = page.more and moved
        self.succeeded(rest=0.0 if more else self.options.poll.total_seconds())
        return n_spans + len(answers) + len(unread) + len(page.scores) + more

    def _take(self, page: FetchedPage) -> None:
        if page.scores:
            rows, _ = self._reception.rows(page.scores, source=self.name)
            self._reception.store(self._store, [row for _, row in rows])

    def _answers(self, *, after: int, arrived_from: int, arrived_before: int, limit: int) -> list[AnswerPlace]:
        found = self._store.answers_arrived(
            after=after, arrived_from=arrived_from, arrived_before=arrived_before, limit=limit
        )
        return [AnswerPlace(seq, answer.trace_id or "", answer.span_id) for seq, answer in found]

    def _placed(self, answer: Answer) -> Answer:
        """Return ``answer`` with what metadata and the configuration know of it, where the line does not say it."""
        answer = described(answer, self._keys)
        known = {field_: self.options.resource.get(key) for key, field_ in _SERVICE_FIELDS.items()}
        missing = {name: value for name, value in known.items() if value and getattr(answer, name) is None}
        return answer.model_copy(update=missing) if missing else answer
