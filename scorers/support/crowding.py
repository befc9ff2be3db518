"""Differences of one claim among many, over several passages: more of them are found by chance than are real.

A whole answer makes five claims, and each is compared with the nearest sentences of every passage. What differs then
must be told of the same thing, and surely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.contraries.reading import content, held, keys_of_text, marks_of, negations
from scorers.support.sections import in_other_section
from scorers.text.normalize import behind_particle

MANY = 3
"""Claims of an answer from which on a difference may be one by chance."""

SURE = 0.74
SURE_OF: Mapping[DifferenceKind, float] = dict.fromkeys(("polarity", "scope", "bound", "order"), 0.76)
"""Strengths below which a difference contradicts nothing then, and the same of kinds that prose has in other words.

Of 1,208 right claims in 144 whole answers over three to five passages 50 differed so by less than the second, and of
the 192 wrong ones 5."""

BEYOND, OTHERWISE = 0.15, 0.6
"""How much more of a claim another sentence holds, and the share of what is told that the claim does not come to,
where the other one is what the claim was made of."""
LITTLE, HALF = 0.4, 0.5
"""Shares of a claim and of what is told below which the two are of other things."""

_OF_VALUES = frozenset({"quantity", "entity", "bound", "date", "unit"})


def is_by_chance(difference: Difference, words: str, source: int | None, a: Alignment) -> bool:
    """Tell whether what ``words`` of a source say against one of many claims is none of its case."""
    if a.claim.total < MANY:
        # "A hold overrides the schedule: files are kept for 15 months" makes two statements, with one of the hold.
        parted = ": " in a.claim.sentence.words and difference.kind in _OF_VALUES
        return parted and _told_so(difference, words, source, a)
    if difference.strength < SURE_OF.get(difference.kind, SURE):
        return True
    if difference.kind in _OF_VALUES and _told_so(difference, words, source, a):
        return True
    if source is not None and in_other_section(words, source, a):
        return True
    if difference.kind in ("polarity", "modality") and _as_often_denied(words, source, a):
        return True
    return _told_of_another(words, source, a)


def _told_so(difference: Difference, words: str, source: int | None, a: Alignment) -> bool:
    """Tell whether a claim has the value that is told, too, or whether its own one is told as near to it.

    "400 per item and 2,000 in total" takes neither for the other, nor is 1 April another date than "(winter: 1 October,
    summer: 1 April)".
    """
    claimed, told = quantities_in(difference.claimed, "en"), quantities_in(difference.told, "en")
    own = quantities_in(a.claim.sentence.words[:LONGEST], "en")
    if any(_among(value, own) for value in told):
        return True
    if not claimed:
        return False
    if not told and source is not None and _has_figures(source, a):
        return True
    if difference.kind in ("date", "quantity") and _all_among(claimed, words):
        return True
    share = _share(words, source, a)
    return any(
        weight >= ((LITTLE if share is None else share) - NEARLY) * a.total and _all_among(claimed, told_there)
        for told_there, weight in _sentences(a)
        if told_there not in words and words not in told_there
    )


def _has_figures(source: int, a: Alignment) -> bool:
    """Tell whether a source has all figures of a claim, though not where what is told stands."""
    return all(term in a.context.sources[source].at for term in a.unique if term[0] == "#")


NEARLY = 0.1
"""How much less of a claim the sentence may hold that has its value."""


def _among(value: Quantity, others: Iterable[Quantity]) -> bool:
    return any(same_kind(value, each) and same_value(value, each) for each in others)


def _all_among(values: Sequence[Quantity], words: str) -> bool:
    there = quantities_in(words[:LONGEST], "en")
    return all(_among(value, there) for value in values)


def _sentences(a: Alignment) -> Iterator[tuple[str, float]]:
    """Yield the sentences near a claim, with the weight that each holds of it."""
    for weight, source, at in a.nearest_sentences():
        yield a.context.sources[source].sentences[at].words, -weight


def _as_often_denied(words: str, source: int | None, a: Alignment) -> bool:
    """Tell whether a claim denies as often as a sentence that holds most of it, wherever each of them does."""
    share = _share(words, source, a)
    claim = a.claim.sentence.words[:LONGEST]
    ours, theirs = negations(marks_of(claim[behind_particle(claim) :])), negations(marks_of(words[:LONGEST]))
    return share is not None and share >= OTHERWISE and ours % 2 == theirs % 2


def _told_of_another(words: str, source: int | None, a: Alignment) -> bool:
    """Tell whether what is told holds little of a claim, and has much that the claim has not.

    Then another sentence holds more of the claim, or none is of it.
    """
    share = _share(words, source, a)
    if share is None:
        return False
    told = held(content(marks_of(words[:LONGEST])), keys_of_text(a.claim.sentence.words[:LONGEST]))
    most = max(a.covered, default=0.0) / a.total
    return (most >= share + BEYOND and told < OTHERWISE) or (share < LITTLE and told < HALF)


def _share(words: str, source: int | None, a: Alignment) -> float | None:
    """Return the share of a claim that the sentence with ``words`` holds; ``None`` for what no sentence has."""
    if source is None:
        return None
    base, sentences = a.context.sentence_base[source], a.context.sources[source].sentences
    own = [a.covered[base + at] for at, each in enumerate(sentences) if each.words in words or words in each.words]
    return max(own) / a.total if own else None
