"""An answer claim by claim beside its context: what a reader needs to see why it was judged as it was."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.schema import Answer
from scorers.base import Absent, Env
from scorers.support.entailed import EVEN, judge_with
from scorers.support.evidence import context_ids


@dataclass(frozen=True, slots=True)
class ClaimComparison:
    """One claim, at ``start`` to ``end`` of the answer, with the sentence of the context nearest to it.

    ``supported`` is the calibrated probability that the context supports it, ``contradicted`` that a passage says
    otherwise. ``nearest`` is ``None`` where no sentence shares a word with it.
    """

    words: str
    start: int
    end: int
    supported: float
    contradicted: float
    passage_id: str | None
    nearest: str | None
    differs: str

    @property
    def verdict(self) -> str:
        """Say which of ``supported``, ``contradicted`` and ``unsupported`` is likeliest, even odds being enough."""
        if self.supported >= EVEN:
            return "supported"
        return "contradicted" if self.contradicted >= EVEN else "unsupported"


def comparisons(answer: Answer, env: Env) -> tuple[ClaimComparison, ...] | Absent:
    """Return every claim of ``answer`` beside its context, in the answer's order, or why there is nothing to compare.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="Returns are free for 14 days.")
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> (found,) = comparisons(Answer(id="a", answer="Returns are free for 30 days.", passages=(passage,)), env)
    >>> found.verdict != "supported", found.nearest, found.differs
    (True, 'Returns are free for 14 days.', 'number 30 not found (nearest text: 14)')
    """
    found = judge_with(answer, env)
    if isinstance(found, Absent):
        return found
    ids = context_ids(answer)
    compared = []
    for index in found.claims:
        aligned = found.aligned[index]
        claim, at = aligned.claim.sentence, found.nearest(index)
        compared.append(
            ClaimComparison(
                words=claim.words,
                start=claim.start,
                end=claim.end,
                supported=found.supported[index],
                contradicted=found.contradicted[index],
                passage_id=None if at is None else ids[at[0]],
                nearest=None if at is None else aligned.context.sources[at[0]].sentences[at[1]].words,
                differs=found.quote(index).differs,
            )
        )
    return tuple(compared)
