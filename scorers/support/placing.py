"""Claims that put their case on one side of a limit by its name: "five nights are within the guest limit".

What the context sets there decides: three nights. Of time that is left until something, less than it is past it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import bare
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close, family, one_unit
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.bounded import is_age
from scorers.support.bracketing import Bracketed, bracketed
from scorers.support.context import Context
from scorers.support.contraries.reading import held, keys_of_text, marks_of
from scorers.support.labelled import LabelledValue, most_named, named_in, roots_of
from scorers.support.parity import CONDITIONED
from scorers.support.parity import named_in as named_words
from scorers.support.placements import LEAST, MOST, Placement, placements
from scorers.text.normalize import behind_particle

SURE = 0.8
"""How sure it is that a claim is wrong that puts its case on the other side of a limit."""
HELD = 0.6
"""Share of what a claim says beside its case that the sentence of the limit must have."""
MOST_QUANTITIES = 4
"""Figures of a claim beyond which it lists values and tells no case."""

_SETS = re.compile(
    r"\b(?:limit\w*|max(?:imum)?|min(?:imum)?|most|least|up to|within|terms?|periods?|windows?|deadline|allowance"
    r"|threshold|cap(?:ped)?|quota|probation|excess|deductible|permitted|allowed|required|last|wait|valid|warrant\w*|guarantee\w*"
    r"|lasts?|runs? for|covers?|opens?|closes?|stays?|ke(?:pt|eps?)|stored|held|available)\b",
    re.IGNORECASE,
)
"""What says of a figure that it is a limit, where it has no bound itself."""
_PARTS = re.compile(
    r"[,;:]\s+(?:(?:and|so|therefore|hence|thus|which means(?: that)?)\s+)*"
    r"|\s(?:so|because|and)\s(?=(?:you|it|they|we|he|she|the|no|your|an?)\b)",
    re.IGNORECASE,
)
_SPARED = re.compile(
    r"\b(?:(?:do|does|will) not|don't|doesn't|won't) (?:need|have to|require)|\bno need\b|\bneed not\b"
)
_REFUSED = re.compile(
    r"\b(?:not|cannot|no|never|too late|refused|rejected|declined|excluded|must|needs?|needed|required|ha(?:ve|s) to)\b"
    r"|n't\b",
    re.IGNORECASE,
)
_GRANTED = re.compile(
    r"\b(?:may|can|allowed|permitted|free|covered|accepted|reimbursed|refunded|eligible|entitled|fine|ok|okay|in time"
    r"|qualif(?:y|ies))\b",
    re.IGNORECASE,
)
"""What spares, refuses and grants something."""
_BY = re.compile(r"(?:over|above|beyond|past|under|below|short|[a-z]{1,20} than)\b", re.IGNORECASE)
"""What a figure right before it says by how much: "100 kg over the maximum"."""
_WAITS = re.compile(r"\b(?:wait\w*|at least|last|between|until|not before|earliest|minimum|apart)\b", re.IGNORECASE)
"""What says of a time that it must pass."""
_BEFORE = re.compile(
    r"\s(?:[a-z]+\s){0,1}(?:before|prior|in advance|ahead|beforehand|to go|left|remaining|until|notice)\b",
    re.IGNORECASE,
)
_AGED = re.compile(r"\b(?:old(?:er)?|young(?:er)?|aged?)\b", re.IGNORECASE)
_OF_IT = re.compile(r"\s(?:of|at|is|:)\s?", re.IGNORECASE)
_YEAR = "year"


def placed(a: Alignment) -> Bracketed | None:
    """Return what the context sets for the limit on one side of which a claim puts a figure; ``None`` of no such."""
    words = a.claim.sentence.words[:LONGEST]
    stated = words[behind_particle(words) :].lstrip()
    if a.context.structured or CONDITIONED.search(stated):
        return None
    own = quantities_in(stated, "en")
    if len(own) > MOST_QUANTITIES:
        return None
    for each in placements(stated):
        told = next((one for one in own if one.dimension in _MEASURED and _is_named(one, each, stated)), None)
        found = [
            limit
            for case, text in _cases(each, own, told, stated, a.claim.asked[:LONGEST])
            if (limit := _limited(each, case, text, told, own, a)) is not None
        ]
        if found:
            return _concluded(stated, each, max(found, key=_surest), a)
    return None


class _Limited(NamedTuple):
    """What a limit says of a case, which it is, and how much of a claim its sentence has."""

    said: Bracketed
    case: Quantity
    limit: Quantity
    hits: int


def _surest(found: _Limited) -> int:
    return found.hits


def _is_named(each: Quantity, place: Placement, stated: str) -> bool:
    """Tell whether a claim tells the limit itself: "the limit of 100 EUR", "the 48-hour deadline"."""
    if place.start <= each.start < place.end:
        return True
    return each.start >= place.end and _OF_IT.fullmatch(stated, place.end, each.start) is not None


def _cases(
    place: Placement, own: Sequence[Quantity], told: Quantity | None, stated: str, asked: str
) -> Iterator[tuple[Quantity, str]]:
    """Yield the figures that a claim may put on one side, the nearest first; without any that of its question."""
    fitting = [each for each in own if each is not told and _plain(each) and (told is None or _alike(each, told))]
    by = _BY.match(stated, place.start) is not None
    before = [
        each for each in fitting if each.end <= place.start and not (by and stated[each.end : place.start].isspace())
    ]
    if before:
        yield from ((each, stated) for each in reversed(before))
    elif not own and place.passing:
        given = [each for each in quantities_in(asked, "en") if _plain(each)]
        yield from ((each, asked) for each in given if len(given) == 1)


def _plain(each: Quantity) -> bool:
    return each.bound in ("=", "after", "~") and each.upper is None and each.dimension in _MEASURED


_MEASURED = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "data", "percent", "count",
                       "temperature"})  # fmt: skip


def _alike(case: Quantity, told: Quantity) -> bool:
    """Tell whether a limit is of what a case is measured by."""
    if family(case) != family(told):
        return case.dimension == "count" and not case.unit and told.unit == _YEAR
    if case.dimension == "count":
        return not told.unit or case.unit == told.unit
    return one_unit(case, told) and (case.rate == told.rate or not case.rate or not told.rate)


def _concluded(stated: str, place: Placement, found: _Limited, a: Alignment) -> Bracketed | None:
    """Return what a limit says of a case; ``None`` where a claim concludes from its side what may be wrong."""
    beside = [] if found.said.difference else list(_beside(stated, place, found.case))
    if not beside:
        return found.said
    if bracketed(a) is not None:
        return None  # the rule says itself what goes for the case
    told = keys_of_text(" ".join(_with_next(found.said, a.context)))
    good = _is_good(place, found.limit)
    for part in beside:
        says = _says_good(part)
        if says != good and (says is not None or held(named_words(marks_of(part)), told) < HELD):
            return None
    return found.said


def _beside(stated: str, place: Placement, case: Quantity) -> Iterator[str]:
    """Yield the parts of a claim that say something else than on which side its case is."""
    start = 0
    for end in (*(each.end() for each in _PARTS.finditer(stated)), len(stated)):
        if not any(start <= at < end for at in (place.start, case.start)) and named_words(marks_of(stated[start:end])):
            yield stated[start:end]
        start = end


def _is_good(place: Placement, limit: Quantity) -> bool | None:
    """Tell whether the side of a case is the one on which something is granted; ``None`` where that is not clear."""
    if place.waited or LEAST.search(place.group):
        return place.above
    if MOST.search(place.group) or limit.bound == "<=":
        return not place.above
    return place.above if limit.bound == ">=" else None


def _says_good(part: str) -> bool | None:
    """Tell whether a part of a claim grants something, or refuses or asks for it; ``None`` where it does neither."""
    if _SPARED.search(part):
        return True
    if _REFUSED.search(part):
        return False
    return True if _GRANTED.search(part) else None


def _limited(
    place: Placement, case: Quantity, text: str, named: Quantity | None, own: Sequence[Quantity], a: Alignment
) -> _Limited | None:
    """Return what the limit says of which side a case is on; ``None`` where it is not clear which one that is."""
    if named is not None:
        same = (each for each in a.context.values.values if _alike(case, each.quantity))
        values, hits = [each for each in same if close(each.quantity.value, named.value)][:1], 0
    else:
        values, hits = _limits(place, case, own, a)
    sides = {_above(case, each, text, place) for each in values}
    if len(sides) > 1:
        values = [each for each in values if each.quantity.bound in _BOUNDS]
        sides = {_above(case, each, text, place) for each in values}
    if len(sides) != 1 or None in sides:
        return None
    value, (above,) = values[0], sides
    differs = Difference("bound", case.written, value.quantity.told, SURE) if above != place.above else None
    return _Limited(Bracketed(_source_of(value.words, a.context), value.words, differs), case, value.quantity, hits)


_BOUNDS = frozenset({"<", "<=", ">", ">="})
_ENDS_OF = (("maximum", frozenset({"<", "<="})), ("minimum", frozenset({">", ">="})))
"""Bounds that are the one limit or the other, which are looked at first."""


def _above(case: Quantity, limit: LabelledValue, text: str, place: Placement) -> bool | None:
    """Tell whether a case is above a limit, ``None`` where it is the limit; of time that is left, below it is above."""
    told = limit.quantity
    if case.dimension != told.dimension:
        case, told = bare(case), bare(told)
    if told.upper is not None:
        return _outside(case, told, place)
    if close(case.value, told.value):
        return None
    left = _BEFORE.match(text, case.end) is not None
    if left != (_BEFORE.match(limit.words, limit.quantity.end) is not None) and left and not place.passing:
        return None
    return (case.value > told.value) != (left and place.passing)


def _outside(case: Quantity, told: Quantity, place: Placement) -> bool | None:
    """Tell whether a case is past a range: above its end, or below its beginning where that is what is said."""
    if case.value < told.value:
        return True if place.ranged else None if not LEAST.search(place.group) else False
    if LEAST.search(place.group) and not place.ranged:
        return True
    return case.value > (told.upper or told.value)


def _limits(place: Placement, case: Quantity, own: Sequence[Quantity], a: Alignment) -> tuple[list[LabelledValue], int]:
    """Return the values of a context that may be the limit of which a claim speaks: those of which it says most."""
    roots = named_in(a.claim.sentence.words[:LONGEST]) | named_in(a.claim.asked[:LONGEST])
    fitting = [
        each
        for each in a.context.values.values
        if _alike(case, each.quantity)
        and (case.unit or case.dimension != "count" or _is_of_age(each))
        and _sets(each, place)
        # "Cancel with one month's notice" is told beside the term, and is none.
        and not any(
            one is not case and _alike(one, each.quantity) and close(one.value, each.quantity.value) for one in own
        )
    ]
    held = [len(roots_of(each.words) & roots) for each in fitting]
    most = max(held, default=0)
    if not most and (len(fitting) != 1 or (case.unit and case.dimension != "temperature")):
        return [], 0  # the one age or temperature of a context needs no other words
    best = [each for each, hits in zip(fitting, held, strict=True) if hits == most]
    ends = next((ends for word, ends in _ENDS_OF if word in place.group.lower()), _BOUNDS)
    best = [each for each in best if each.quantity.bound in ends] or best
    return most_named(best, roots - roots_of(place.group)), most


def _is_of_age(value: LabelledValue) -> bool:
    told = value.quantity
    return is_age(told, value.words) or _AGED.search(f"{told.bound_word} {told.written}") is not None


def _sets(value: LabelledValue, place: Placement) -> bool:
    """Tell whether a value is a limit, and none of the other kind: a minimum is no maximum."""
    bound = value.quantity.bound
    if value.quantity.upper is not None:
        return not place.waited
    if place.waited:
        return bound != "<=" and _WAITS.search(value.words) is not None
    if bound in ("=", "~", "after", "before") and not _SETS.search(value.words):
        return False
    if LEAST.search(place.group):
        return bound != "<=" or LEAST.search(value.words) is not None
    return bound != ">=" or not MOST.search(place.group) or MOST.search(value.words) is not None


def _with_next(said: Bracketed, context: Context) -> Iterator[str]:
    """Yield the words of a limit, and the sentences behind them, in which what goes otherwise may be told."""
    yield said.words
    for one, other in pairwise(context.sources[said.source].sentences):
        if said.words in one.words or one.words in said.words:
            yield other.words


def _source_of(words: str, context: Context) -> int:
    for index in range(len(context.sources)):
        if any(words in told for told in context.told(index).at.values()):
            return index
    return 0
