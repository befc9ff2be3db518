"""Numbers, times and dates of a claim: whether the context has them, where, and of what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from scorers.support.alignment import Alignment
from scorers.support.context import reach
from scorers.text.normalize import FIGURE, SPELLED, word_set

NAMES = (
    "figures", "figures_unseen", "figures_unseen_share", "figures_not_near", "figure_neighbours_lost",
    "spelled_unseen", "dates_unseen", "clocks_unseen", "figure_swapped", "unit_elsewhere", "figure_before",
    "comparison_differs", "figures_exchanged", "counted_new", "counted_new_spelled",
)  # fmt: skip

REACH = 8
"""Positions within which a word is said of a number."""

_MORE = word_set("above exceed exceeding least minimum more over")
_LESS = word_set("almost below fewer less maximum most nearly under")


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    items, marks = a.claim.terms.items, a.claim.terms.marks
    told = [i for i, mark in enumerate(marks) if mark & FIGURE]
    if not told:
        return _NONE
    at = [i for i in told if not marks[i] & SPELLED]
    spelled = sum(1 for i, mark in enumerate(marks) if mark & SPELLED and not a.match[items[i]])
    unseen = [i for i in at if not seen(a, items[i])]
    absent = sum(1 for i in told if items[i] not in a.near)
    there = [i for i in told if a.found[items[i]].positions]
    lost = max((_lost(a, i) for i in there), default=0.0)
    near_figures = {
        term
        for read in a.near_reads
        for term, mark in zip(read.items, read.marks, strict=True)
        if mark & FIGURE and not mark & SPELLED
    }
    own = {items[i] for i in at}
    swapped = min(len(own - near_figures), len(near_figures - own))
    elsewhere = before = 0
    for i in at:
        after = items[i + 1] if i + 1 < len(items) else ""
        ahead = items[i - 1] if i else ""
        for source in a.context.sources:
            figures = source.units.get(after)
            if figures and items[i] not in figures:
                elsewhere += 1
                break
        for source in a.context.sources:
            figures = source.leads.get(ahead)
            if figures and items[i] not in figures:
                before += 1
                break
    return (
        float(len(at)),
        float(len(unseen)),
        len(unseen) / len(at) if at else 0.0,
        float(absent),
        lost,
        float(spelled),
        float(sum(1 for i in unseen if items[i].startswith("#month") or len(items[i]) == _YEAR)),
        float(sum(1 for i in unseen if ":" in items[i])),
        float(swapped),
        float(elsewhere),
        float(before),
        _comparison(a) if at else 0.0,
        float(len(told) > 1 and exchanged(a)),
        *_counted(a, told),
    )


_NONE = (0.0,) * len(NAMES)
"""The values of a claim without a figure."""


def exchanged(a: Alignment) -> bool:
    """Return whether two figures of a nearest sentence have changed places in the claim.

    Each is tied to the word nearest to it there; the two words follow each other in the claim as they do there and the
    figures do not, or the figures do and the words do not. Figures side by side are a range, a date or a score.
    """
    spoken = _once(a.claim.terms.items)
    for read in a.near_reads:
        place = {term: at for term, at in _once(read.items).items() if term in spoken}
        figures = [term for term in place if term[0] == "#"]
        words = [term for term in place if term[0] != "#"]
        if len(figures) < 2 or len(words) < 2:  # noqa: PLR2004 - it takes two to change places
            continue
        for one, other in pairwise(figures):
            if place[other] - place[one] == 1 or abs(spoken[other] - spoken[one]) == 1:
                continue
            first = min(words, key=lambda term: abs(place[term] - place[one]))
            second = min((term for term in words if term != first), key=lambda term: abs(place[term] - place[other]))
            if any(_apart(place, word, one, other) or _apart(spoken, word, one, other) for word in (first, second)):
                continue
            kept = (spoken[first] < spoken[second]) == (place[first] < place[second])
            if (spoken[one] < spoken[other]) != kept:
                return True
    return False


def _apart(place: Mapping[str, int], word: str, one: str, other: str) -> bool:
    return min(abs(place[word] - place[one]), abs(place[word] - place[other])) > _TIED


_TIED = 4


def _once(items: Sequence[str]) -> dict[str, int]:
    """Return where each term stands that stands there once, in order."""
    place: dict[str, int] = {}
    for at, term in enumerate(items):
        place[term] = -1 if term in place else at
    return {term: at for term, at in place.items() if at >= 0}


def _counted(a: Alignment, told: list[int]) -> tuple[float, float]:
    """Return how many figures, in digits and in letters, count something of which the context tells no such number."""
    items, marks = a.claim.terms.items, a.claim.terms.marks
    new = [0.0, 0.0]
    for i in told:
        pair = items[i : i + 2]
        if len(pair) > 1 and pair not in a.context.pairs:
            new[bool(marks[i] & SPELLED)] += 1
    return new[0], new[1]


_YEAR = 5


def figures_of(a: Alignment) -> list[int]:
    """Return where the claim has figures in digits; numerals of passages ("passage 2") are none."""
    items, marks = a.claim.terms.items, a.claim.terms.marks
    return [
        i
        for i, mark in enumerate(marks)
        if mark & FIGURE and not mark & SPELLED and not (i and items[i - 1] in _NUMBERED)
    ]


_NUMBERED = word_set(
    "annex appendix articl chapter claus document figur footnot item pag paragraph part passag rul section sourc step"
    " tabl"
)


def figure_at_odds(a: Alignment, at: int) -> bool:
    """Return whether neither context nor question has the figure at ``at``, or the context only of another unit."""
    term = a.claim.terms.items[at]
    if term in a.claim.question:
        return False
    if not seen(a, term):
        return True
    after = a.claim.terms.items[at + 1] if at + 1 < len(a.claim.terms.items) else ""
    if after not in UNITS:
        return False
    told = [figures for source in a.context.sources if (figures := source.units.get(after)) is not None]
    return bool(told) and not any(term in figures for figures in told)


UNITS = word_set(
    "capsul chf cm day dose drop eur gb gbp gram hour jpy kg km liter litre mb meter metre mile minut mm month night"
    " percent pill point pound puff sachet second tablespoon tablet tb teaspoon usd week year"
)
"""Stems of units: a figure of the claim must stand before the same one in the context, where it is told there."""


def seen(a: Alignment, term: str) -> bool:
    """Return whether the context has a figure; a clock time also where one side leaves open which half of the day."""
    if a.match[term]:
        return True
    hour, colon, minute = term[1:].partition(":")
    if not colon or not hour.isdigit():
        return False
    other = (int(hour) + _HALF) % (2 * _HALF)
    open_ = not _tells_half(int(hour), a.claim.sentence.words)
    return any(
        f"#{other}:{minute}" in source.at
        and (open_ or not (_tells_half(other, source.text) or any(map(_of_24_hours, source.at))))
        for source in a.context.sources
    )


_HALF = 12


def _tells_half(hour: int, text: str) -> bool:
    """Tell whether an hour is told with its half of the day: one past 12, or one with "am" or "pm"."""
    return hour > _HALF or any(int(found["hour"]) % _HALF == hour % _HALF for found in _WITH_HALF.finditer(text))


_WITH_HALF = re.compile(r"\b(?P<hour>\d{1,2})(?:[:.]\d\d)?\s?[ap]\.?m\b", re.IGNORECASE)


def _of_24_hours(term: str) -> bool:
    """Tell whether a term is a time past noon: a text with one counts 24 hours, so that its 9:00 is in the morning."""
    hour, colon, _ = term[1:].partition(":")
    return bool(colon) and term[0] == "#" and hour.isdigit() and int(hour) > _HALF


def _lost(a: Alignment, index: int) -> float:
    items = a.claim.terms.items
    around = items[max(0, index - 4) : index] + items[index + 1 : index + 5]
    total = sum([a.weight[t] for t in around], 0.0)
    near = reach(a.found[items[index]].positions, REACH)
    there = sum([a.weight[t] for t in around if t != items[index] and near & a.found[t].positions], 0.0)
    return 1 - there / total if total else 0.0


def _comparison(a: Alignment) -> float:
    """Return 1 where the claim says more or less of a number and the nearest sentences say the other."""
    claim = a.claim.terms.words
    more, less = not _MORE.isdisjoint(claim), not _LESS.isdisjoint(claim)
    if more == less:
        return 0.0
    there_more, there_less = (
        any(not words.isdisjoint(read.words) for read in a.near_reads) for words in (_MORE, _LESS)
    )
    return float(there_more not in (there_less, more))
