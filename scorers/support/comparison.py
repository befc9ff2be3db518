"""An answer claim by claim beside its context: what a reader needs to see why it was judged as it was."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.schema import Answer
from scorers.base import Absent, Env
from scorers.support.entailed import judge_with
from scorers.support.evidence import context_ids
from scorers.support.model import SupportLabel


@dataclass(frozen=True, slots=True)
class ClaimComparison:
    """One claim, at ``start`` to ``end`` of the answer, with the sentence of the context nearest to it.

    ``verdict`` is its label: supported, unsupported or contradicted, and undecided where another language than English
    leaves it to statements and none settles it. ``supported`` is the probability that the context
    supports it, ``contradicted`` that a passage says otherwise; the label and the two never disagree. ``nearest`` is
    the sentence that decided, else the nearest; ``None`` where no sentence shares a word with it. ``undecided`` says
    what could not be decided by comparing statements.
    """

    words: str
    start: int
    end: int
    supported: float
    contradicted: float
    verdict: SupportLabel
    passage_id: str | None
    nearest: str | None
    differs: str
    undecided: str = ""


def comparisons(answer: Answer, env: Env) -> tuple[ClaimComparison, ...] | Absent:
    """Return every claim of ``answer`` beside its context, in the answer's order, or why there is nothing to compare.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="Returns are free for 14 days.")
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> (found,) = comparisons(Answer(id="a", answer="Returns are free for 30 days.", passages=(passage,)), env)
    >>> found.verdict != "supported", found.nearest, found.differs.split("; ")[0]
    (True, 'Returns are free for 14 days.', 'quantity differs: "30 days" against "14 days"')
    """
    found = judge_with(answer, env)
    if isinstance(found, Absent):
        return found
    ids = context_ids(answer)
    compared = []
    for index in found.claims:
        aligned = found.aligned[index]
        claim, quote, said = aligned.claim.sentence, found.quote(index), found.stated[index]
        decided = bool(said.differs) and said.source is not None
        at = found.nearest(index)
        nearest = None if at is None else aligned.context.sources[at[0]].sentences[at[1]].words
        compared.append(
            ClaimComparison(
                words=claim.words,
                start=claim.start,
                end=claim.end,
                supported=found.supported[index],
                contradicted=found.contradicted[index],
                verdict=found.verdicts[index].label,
                passage_id=None if quote.source is None else ids[quote.source],
                nearest=said.words if decided else nearest,
                differs=quote.differs,
                undecided=said.comparison.undecided,
            )
        )
    return tuple(compared)
