"""Figures that were copied wrongly: the answer has one figure where the sentence that it takes it from has another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adapters.schema import Answer
from scorers.base import Absent
from scorers.memory import Memory
from scorers.support.alignment import Alignment
from scorers.support.figures import figure_at_odds, figures_of
from scorers.support.judgement import judge
from scorers.text.normalize import FIGURE, SPELLED

ALIKE = 0.7
"""A claim says what a sentence says, its figures aside, if the sentence has this share of its other words."""


def transposes(answer: Answer, memory: Memory) -> bool:
    """Return whether a figure of ``answer`` that its context does not have is another one of it, copied wrongly.

    It has the digits of a figure of the nearest sentences in another order; or it stands at the same word as a figure
    there, in a claim that says the same in its other words. A figure that the answer works out or invents does neither.

    >>> from adapters.schema import Passage
    >>> passages = (Passage(id="p", text="Hotels in Sofia cost up to 180 EUR a night."),)
    >>> [
    ...     transposes(Answer(id="a", answer=text, passages=passages), Memory())
    ...     for text in ("Hotels in Sofia cost 810 EUR.", "Sofia has 12 offices.")
    ... ]
    [True, False]
    """
    found = judge(answer, memory)
    return not isinstance(found, Absent) and any(
        _mistaken(aligned, at) for aligned in found.aligned for at in figures_of(aligned) if figure_at_odds(aligned, at)
    )


def _mistaken(aligned: Alignment, at: int) -> bool:
    items = aligned.claim.terms.items
    own, beside = items[at], set(items[max(0, at - 1) : at] + items[at + 1 : at + 2])
    for read in aligned.near_reads:
        for other in _figures(read.items, read.marks):
            if read.items[other] in items:
                continue
            if _digits(own) == _digits(read.items[other]) and len(_digits(own)) > 1:
                return True
            around = read.items[max(0, other - 1) : other] + read.items[other + 1 : other + 2]
            if not beside.isdisjoint(around) and _alike(aligned, read.items):
                return True
    return False


def _figures(items: Sequence[str], marks: Sequence[int]) -> Iterator[int]:
    return (
        place for place, mark in enumerate(marks) if mark & FIGURE and not mark & SPELLED and items[place][0] == "#"
    )


def _digits(figure: str) -> list[str]:
    return sorted(letter for letter in figure if letter.isdigit())


def _alike(aligned: Alignment, there: Sequence[str]) -> bool:
    words = {term for term in aligned.claim.terms.items if term[0] != "#"}
    total = sum(aligned.weight[term] for term in words)
    return sum(aligned.weight[term] for term in words.intersection(there)) >= ALIKE * total > 0
