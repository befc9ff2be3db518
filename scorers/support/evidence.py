"""Evidence of the scorers of support: the claim, the sentence of the context nearest to it, and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adapters.schema import Answer
from scorers.base import Evidence
from scorers.support.judgement import Judgement

WEAKEST = 5
"""Claims that the evidence lists, the worst first."""


def context_ids(answer: Answer) -> list[str]:
    """Return the ids of the context passages, in the order in which they are judged."""
    return [passage.id for passage in answer.context_passages() or ()]


def partly(found: Judgement) -> str:
    """Return a note where the context or the answer was longer than what is read."""
    context = "; only part of the context was read, so support may be understated" if found.truncated else ""
    answer = f"; the last {found.unread:,} characters of the answer were not read" if found.unread else ""
    return context + answer


def counted(found: Judgement) -> str:
    """Say how many claims there are, how many of them are contradicted and in what first, and how many unsupported.

    The first of those contradicted is named by what it says otherwise than the context.
    """
    claims = len(found.claims)
    parts = [f"{claims} claim{'' if claims == 1 else 's'}"]
    if contradicted := found.labelled("contradicted"):
        worst = max(contradicted, key=lambda index: (found.stated[index].strength, found.contradicted[index]))
        said = found.stated[worst].differs
        parts.append(f"{len(contradicted)} contradicted{f' ({said})' if said else ''}")
    if unsupported := found.labelled("unsupported"):
        parts.append(f"{len(unsupported)} unsupported")
    return ", ".join(parts)


def shown(found: Judgement, order: Iterable[int], ids: Sequence[str], said: Sequence[str]) -> tuple[Evidence, ...]:
    """Return evidence of the claims in ``order``; ``said[i]`` tells the figure of claim i."""
    return tuple(_shown(found, index, ids, said[index]) for index in order)


def _shown(found: Judgement, index: int, ids: Sequence[str], said: str) -> Evidence:
    claim, quote = found.aligned[index].claim.sentence, found.quote(index)
    head = f"claim {quote.claim!r}"
    if quote.source is None:
        rest = f"{said}; no sentence in the context shares a word with it" if ids else "the context is empty"
        rest = f"{rest}; {quote.differs}" if found.aligned[index].facts else rest
        return Evidence(kind="claim", detail=f"{head} {rest}", start=claim.start, end=claim.end)
    return Evidence(
        kind="claim",
        detail=f"{head} {said}; nearest {quote.nearest!r}; {quote.differs}",
        passage_id=ids[quote.source],
        start=claim.start,
        end=claim.end,
    )
