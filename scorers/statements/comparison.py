"""Compares a claim with the sentences of its sources, as statements rather than as words."""

from __future__ import annotations

from collections.abc import Sequence

from scorers.statements.alignment import align
from scorers.statements.base import Comparison, Difference, Kind, Outcome
from scorers.statements.clauses import Clause, read_clauses
from scorers.statements.judging import Judgement, judge
from scorers.statements.questions import answered
from scorers.text.caching import cached_by_text

__all__ = ["Comparison", "Difference", "Kind", "Outcome", "compare"]

OPERATING_POINT = 0.5
"""From this strength on a difference makes a claim contradicted."""

MAX_SOURCES = 2_000
"""Source sentences that are looked through for one claim."""

CANDIDATES = 4
"""Source sentences that a claim is compared with, the nearest ones."""

FLOOR = 0.35
"""Share of a claim's words that a source sentence must have to be compared."""


def compare(claim: str, sources: Sequence[str], question: str | None = None) -> Comparison:
    """Return whether a source agrees with a claim, contradicts it, or neither can be told.

    ``sources`` are sentences, or sentences put together as `reading` does; a "Yes" or "No" is taken with the question.

    >>> compare("Yes, gift cards can be returned.", ["Gift cards cannot be returned."]).outcome
    'contradicts'
    >>> compare("Gift cards are non-returnable.", ["Gift cards cannot be returned."]).outcome
    'agrees'
    """
    words, reply = answered(claim, question)
    results = [_compared(clause, sources) for clause in read_clauses(words)]
    against = max(
        (r for r in results if r.difference), key=lambda r: r.difference.strength if r.difference else 0.0, default=None
    )
    if against is None and reply is not None and not any(r.outcome == "agrees" for r in results):
        said = _compared(reply, sources)
        if said.difference is not None and said.difference.kind in ("polarity", "opposite", "modality"):
            return said
        if not results:
            return said
    if against is not None:
        return against
    if results and all(result.outcome == "agrees" for result in results):
        return results[0]
    return next(
        (r for r in results if r.outcome == "undecided"), Comparison("undecided", undecided="the claim states nothing")
    )


def _compared(clause: Clause, sources: Sequence[str]) -> Comparison:
    near = candidates(clause, sources)
    if not near:
        return Comparison("undecided", undecided="no source sentence is close enough to the claim")
    best: tuple[float, int, Difference] | None = None
    agreed: tuple[float, int] | None = None
    for index in near:
        found = judged(clause, sources, index)
        if found is None:
            continue
        if found.agrees:
            agreed = max(agreed or (0.0, 0), (found.near, index))
        elif found.differences:
            top = found.differences[0]
            if best is None or top.strength > best[0]:
                best = (top.strength, index, top)
    if agreed is not None:
        return Comparison("agrees", source=agreed[1])
    if best is not None and best[0] >= OPERATING_POINT:
        return Comparison("contradicts", best[2], best[1])
    if best is not None:
        return Comparison(
            "undecided", source=best[1], undecided=f"whether {best[2].claimed!r} and {best[2].told!r} say the same"
        )
    return Comparison("undecided", source=near[0], undecided="the source says it in other words")


def judged(clause: Clause, sources: Sequence[str], index: int) -> Judgement | None:
    """Return the judgement of the clause of a source that is nearest to a clause of a claim."""
    aligned = [align(clause, each) for each in read_clauses(sources[index])]
    if not aligned:
        return None
    elsewhere = frozenset().union(*(_index(text)[0] for at, text in enumerate(sources[:MAX_SOURCES]) if at != index))
    aligned.sort(key=lambda a: -a.near)
    first = judge(aligned[0], elsewhere=elsewhere)
    for other in aligned[1:3]:
        second = judge(other, elsewhere=elsewhere)
        if second.agrees and other.near > 0.6 * aligned[0].near:
            return second
    return first


@cached_by_text(maxsize=8_192, longest=600)
def _index(text: str) -> tuple[frozenset[str], frozenset[int]]:
    """Return the roots and the concepts of a source sentence."""
    items = [item for clause in read_clauses(text) for item in clause.items]
    return frozenset(item.word.root for item in items), frozenset(c for item in items for c in item.word.concepts)


def candidates(clause: Clause, sources: Sequence[str]) -> list[int]:
    """Return the indices of the source sentences that hold most of a clause, the best first."""
    words = [(item.word.root, item.word.concepts, item.weight) for item in clause.items]
    total = sum(weight for _, _, weight in words) or 1.0
    ranked = []
    for at, text in enumerate(sources[:MAX_SOURCES]):
        roots, concepts = _index(text)
        held = sum(w if root in roots else 0.8 * w if not concepts.isdisjoint(own) else 0.0 for root, own, w in words)
        if held >= FLOOR * total:
            ranked.append((-held, at))
    ranked.sort()
    return [at for _, at in ranked[:CANDIDATES]]
