"""What the timetables of a context say of the days and times of a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.support.contraries.reading import RuleWord, held, hits, keys_in
from scorers.support.timetables.parts import CHANGING
from scorers.support.timetables.reading import OpenHours, named_in, slots_in
from scorers.support.timetables.values import DAY_LENGTH, WEEK
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle
from scorers.text.sentences import is_title

SURE = 0.85
"""How sure it is that a claim with another day or time than its timetable is wrong."""
ALIKE = 0.5
"""Share of what a claim names that a slot must name to be of the same thing."""
MOST_SENTENCES = 400
"""Sentences of a context that are read for timetables."""
MOST_SLOTS = 60
"""Slots of a context from which on it is no timetable of one thing."""
WHOLE = 2
"""Days that slots must tell for the days not told to be closed: of "on Mondays until 8 pm" nothing follows."""


class Timed(NamedTuple):
    """What a timetable says of a claim: it agrees, or ``difference`` tells what it says otherwise.

    ``whole`` tells that the claim names nothing else than a slot does.
    """

    source: int
    words: str
    difference: Difference | None = None
    whole: bool = False


class _Told(NamedTuple):
    """A slot of a context with its source and its sentence."""

    slot: OpenHours
    source: int
    words: str


def timed(a: Alignment) -> Timed | None:
    """Return what the timetables of a context say of a claim; ``None`` where they tell nothing of it."""
    words = a.claim.sentence.words[:LONGEST]
    claimed: Sequence[OpenHours] = slots_in(words[behind_particle(words) :])
    if not claimed or any(each.vague for each in claimed) or a.context.structured or _NOT_UNTIL.search(words):
        return None
    told = [each for each in a.context.once(_told) if not _defines(each.words, words)]
    if not told or len(told) > MOST_SLOTS:
        return None
    claimed = _on_days_asked(claimed, a.claim.asked[:LONGEST], told)
    found = [_of_slot(each, told) for each in claimed]
    said = [each for each in found if each is not None]
    against = next((each for each in said if each.difference is not None), None)
    if against is not None:
        # "Last admission is one hour before closing": what follows from a time is told nowhere.
        return None if a.derived or a.cases else against
    if len(said) < len(found):
        return None
    named = named_in(words)
    valued = any(each.dimension != "clock" for each in quantities_in(words, "en"))
    return said[0]._replace(whole=said[0].whole and not valued and len(named) == len(claimed[0].named))


def _on_days_asked(claimed: Sequence[OpenHours], question: str, told: Sequence[_Told]) -> Sequence[OpenHours]:
    """Return the slots of a claim without any day on the days of its question: "from 10 to 4" of one about Sundays."""
    asked = {each.days: each.shown for each in slots_in(question) if each.days is not None and not each.which}
    if len(asked) != 1 or any(each.days is not None for each in claimed):
        return claimed
    ((days, shown),) = asked.items()
    known = keys_in([mark for each in told for mark in each.slot.named])
    named = tuple([mark for mark in named_in(question) if not known.isdisjoint(mark.keys)])
    return [each._replace(days=days, named=each.named or named, shown=f"{each.shown} ({shown})") for each in claimed]


def _defines(told: str, claim: str) -> bool:
    """Tell whether a sentence defines by its hours a term that a claim does not have."""
    term = _DEFINED.match(told)
    return term is not None and term["term"].lower() not in claim.lower()


_NOT_UNTIL = re.compile(r"(?:\b(?:not|never|nobody|cannot)|n't|\bno one)\b[^,;:]{1,80}?\buntil\b", re.IGNORECASE)
"""What begins only then: "nobody is paged until Monday" denies nothing of Monday."""
_DEFINED = re.compile(r"(?P<term>(?:working|business|core|peak|quiet) hours) (?:are|mean)\b", re.IGNORECASE)
"""A term that a rule defines: only a claim with the term is of it."""


def is_timed(*words: str) -> bool:
    """Tell whether what differs is of days and times, and of nothing else.

    >>> is_timed("8 pm", "noon"), is_timed("weekends", "weekdays"), is_timed("open", "closed")
    (True, True, True)
    >>> is_timed("daily card limit", "limit"), is_timed("within 48 hours", "within 24 hours")
    (False, False)
    """
    timed = any(slots_in(each) or not CHANGING.isdisjoint(glance(each)) for each in words)
    return timed and not any(named_in(each) for each in words)


def _told(context: Context) -> tuple[_Told, ...]:
    """Return the slots of the prose of a context: "it" names what the sentence before does, a line what its title."""
    found: list[_Told] = []
    for index, source in enumerate(context.sources):
        before: tuple[RuleWord, ...] = ()
        head: tuple[RuleWord, ...] = ()
        for each in islice(source.sentences, MOST_SENTENCES):
            words = each.words
            slots = () if each.kind == "question" else slots_in(words)
            stands_for = before if _REFERRING.match(words) else head
            found += [_Told(slot._replace(named=slot.named or stands_for), index, words) for slot in slots]
            before = named_in(words)
            if not slots:
                head = before if each.kind == "heading" or is_title(source.text, each) else ()
    return tuple(found)


_REFERRING = re.compile(r"(?:it|they|this|these|its|their)\b", re.IGNORECASE)


def _of_slot(claimed: OpenHours, every: Sequence[_Told]) -> Timed | None:
    """Return what a context says of one slot of a claim."""
    told = _of_the_same(claimed, every)
    if not told or any(each.slot.vague for each in told):
        return None
    if claimed.days is not None and (claimed.which or any(each.slot.which for each in told)):
        return _of_month(claimed, told)
    for wrong in (_wrong_days(claimed, told), *_wrong_times(claimed, told)):
        if wrong is not None:
            return wrong
    return _agreeing(claimed, told)


def _of_the_same(claimed: OpenHours, every: Sequence[_Told]) -> list[_Told]:
    """Return the slots that name most of what a claim does."""
    if not claimed.named:
        return list(every)
    shares = [held(claimed.named, keys_in(each.slot.named)) for each in every]
    most = max(shares)
    own = [each for each, share in zip(every, shares, strict=True) if share == most >= ALIKE]
    own = _nearest(claimed, own)
    sources = {each.source for each in own or every}
    words = keys_in([mark for each in own for mark in each.slot.named])
    sentences = {each.words for each in own}
    own += [each for each in every if each.words not in sentences and _all_of(each.slot, words)]
    # "We are open" goes on with what is told beside it.
    return own + [each for each in every if not each.slot.named and each.source in sources]


def _nearest(claimed: OpenHours, told: Sequence[_Told]) -> list[_Told]:
    """Return slots without those beside which their sentence has one that names nothing else than the claim."""
    words = keys_in(claimed.named)
    exact = {(each.source, each.words) for each in told if hits(each.slot.named, words) == len(each.slot.named)}
    return [
        each
        for each in told
        if (each.source, each.words) not in exact or hits(each.slot.named, words) == len(each.slot.named)
    ]


def _all_of(slot: OpenHours, words: frozenset[WordKey]) -> bool:
    return not slot.vague and bool(slot.named) and hits(slot.named, words) == len(slot.named)


def _of_month(claimed: OpenHours, told: Sequence[_Told]) -> Timed | None:
    """Return what a slot says that is of one week of a month, or of every second one, where it is the only one."""
    its = [each for each in told if each.slot.days is not None]
    if len(its) != 1 or claimed.days is None:
        return None
    one = its[0]
    if one.slot.days != claimed.days:
        return _against("entity", claimed, one)
    kept = claimed.which <= one.slot.which and bool(claimed.which) == bool(one.slot.which)
    return None if kept else _against("scope", claimed, one)


def _wrong_days(claimed: OpenHours, told: Sequence[_Told]) -> Timed | None:
    """Return what speaks against the days of a claim."""
    opened = _days([each for each in told if not each.slot.closed])
    shut = _days([each for each in told if each.slot.closed]) - opened
    days = claimed.days
    if days is None:
        return None
    anyway = any(each.slot.days is None and not each.slot.closed for each in told)
    if claimed.closed:
        wrong = days & opened
        if claimed.opens is not None or claimed.closes is not None or not wrong:
            return None
        return _against("polarity", claimed, _with(wrong, told, closed=False))
    wrong = days & shut
    if wrong:
        return _against("polarity", claimed, _with(wrong, told, closed=True))
    if claimed.only and opened - days and not anyway:
        return _against("scope", claimed, _with(opened - days, told, closed=False))
    closed_else = len(opened) >= WHOLE or any(each.slot.only for each in told)
    if closed_else and not anyway and (days & WEEK) - opened:
        return _against("scope" if len(days) > 1 else "entity", claimed, _with(opened, told, closed=False))
    return None


def _wrong_times(claimed: OpenHours, told: Sequence[_Told]) -> Iterator[Timed | None]:
    """Yield what speaks against the times of a claim."""
    if claimed.closed:
        return
    if claimed.opens is not None and claimed.closes is not None:
        both = [each for each in _telling("opens", claimed, told) if each.slot.closes is not None]
        if both and not any(_keeps(claimed, each.slot, ("opens", "closes")) for each in both):
            yield _against("quantity", claimed, both[0])
    for at in ("opens", "closes"):
        its = _telling(at, claimed, told) if getattr(claimed, at) is not None else []
        if its and not any(_keeps(claimed, each.slot, (at,)) for each in its):
            yield _against("quantity", claimed, its[0])


def _keeps(claimed: OpenHours, told: OpenHours, sides: Sequence[str]) -> bool:
    """Tell whether times of a claim are those of a slot."""
    return all((getattr(claimed, at) - getattr(told, at)) % DAY_LENGTH == 0 for at in sides)


def _telling(at: str, claimed: OpenHours, told: Sequence[_Told]) -> list[_Told]:
    """Return the slots that tell when it opens or closes on the days of a claim, those of fewest days alone."""
    its = [each for each in told if not each.slot.closed and getattr(each.slot, at) is not None]
    if claimed.days is None:
        return its
    found: list[_Told] = []
    for day in claimed.days:
        those = [each for each in its if each.slot.days is None or day in each.slot.days]
        least = min((_width(each.slot) for each in those), default=0)
        found += [each for each in those if _width(each.slot) == least]
    return found


def _width(slot: OpenHours) -> int:
    return len(WEEK) + 1 if slot.days is None else len(slot.days)


def _agreeing(claimed: OpenHours, told: Sequence[_Told]) -> Timed | None:
    """Return a slot of a context where its slots tell all days and times of a claim.

    That something is told "at any time" is told of many things: it agrees with none.
    """
    if claimed.closes == DAY_LENGTH:
        return None
    opened = _days([each for each in told if each.slot.closed == claimed.closed])
    anyway = [each for each in told if each.slot.days is None and each.slot.closed == claimed.closed]
    if claimed.days is not None and not claimed.days <= opened and not anyway:
        return None
    for at in ("opens", "closes"):
        if getattr(claimed, at) is None:
            continue
        if not any(_keeps(claimed, each.slot, (at,)) for each in _telling(at, claimed, told)):
            return None
    return Timed(
        told[0].source, told[0].words, whole=hits(claimed.named, keys_in(told[0].slot.named)) == len(claimed.named)
    )


def _days(told: Sequence[_Told]) -> frozenset[int]:
    return frozenset().union(*(each.slot.days or () for each in told))


def _with(days: frozenset[int], told: Sequence[_Told], *, closed: bool) -> _Told:
    """Return the slot that tells of a day."""
    return next(each for each in told if each.slot.closed == closed and days & (each.slot.days or frozenset()))


def _against(kind: DifferenceKind, claimed: OpenHours, told: _Told) -> Timed:
    return Timed(told.source, told.words, Difference(kind, claimed.shown, told.slot.shown, SURE))
