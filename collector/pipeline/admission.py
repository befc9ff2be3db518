"""What happens to every answer, wherever it comes from: cut into its slice, looked at, drawn or not, and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adapters.schema import Answer
from collector.changes.observe import Observer
from collector.pipeline.boost import Boost
from collector.pipeline.sampling import Sampling
from collector.pipeline.slicing import SliceBook
from collector.store.rows import StoredAnswer
from collector.store.store import Store
from telemetry import instruments
from telemetry.registry import Telemetry


@dataclass(frozen=True, kw_only=True)
class Admission:
    """The one door for answers, shared by the threads that bring them."""

    store: Store
    slices: SliceBook
    sampling: Sampling
    observer: Observer
    boost: Boost

    def admit(self, answers: Sequence[Answer]) -> list[StoredAnswer]:
        """Return answers, each with its slice and its place in or out of the sample, for the caller to store.

        What they bring of new slices and versions is kept first: what is stored is never ahead of it. A change that
        they show is boosted from here on.
        """
        cut = [(answer, self.slices.cut(answer)) for answer in answers]
        for answer, slice_ in cut:
            self.observer.look(answer, slice_)
        self.slices.save(self.store)
        self.boost.start(self.observer.save(self.store))
        return [self._placed(answer, slice_) for answer, slice_ in cut]

    def _placed(self, answer: Answer, slice_: Mapping[str, str]) -> StoredAnswer:
        probability, sampled = self.boost.place(answer, slice_, self.sampling.probability_of(slice_))
        return StoredAnswer(answer, slice_, probability, sampled=sampled)


def count_answer(stored: StoredAnswer, telemetry: Telemetry) -> None:
    """Count an answer that was not there before."""
    answer, cut = stored.answer, stored.slice
    telemetry.add(instruments.ANSWERS, 1, slice_=cut)
    telemetry.add(instruments.ANSWERS_SAMPLED, 1 if stored.sampled else 0, slice_=cut)
    telemetry.add(instruments.ANSWERS_FAILED, 1 if answer.status == "error" else 0, slice_=cut)
    telemetry.add(instruments.ANSWERS_SCORED, 0, slice_=cut)
    if answer.usage.latency_ms is not None:
        seconds = answer.usage.latency_ms / 1000
        telemetry.observe(instruments.ANSWER_LATENCY, seconds, slice_=cut, trace_id=answer.trace_id)
    if answer.usage.total_tokens is not None:
        telemetry.observe(instruments.ANSWER_TOKENS, answer.usage.total_tokens, slice_=cut)
