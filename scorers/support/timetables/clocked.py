"""Times of day that are cases of a rule: 15:00 where meals are served from 11:30 to 14:00, 11 p.m. of a night fare.

Of a time inside the hours that a sentence tells a claim must say what the sentence says, of one outside the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.bracketing import Bracketed
from scorers.support.cases import within
from scorers.support.contraries.reading import NEGATING, content, hits, keys_of_text, marks_of, near, negations
from scorers.support.timetables.values import DaysOrTimes, values_in
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

SURE = 0.75
"""How sure it is that a claim is wrong that says of its time what a rule says of the others."""
HELD = 0.5
"""Share of what a claim names that the sentence of the hours must have, all of it to speak against the claim."""
LEAST = 2
"""Words that a claim must name to be wrong."""

_AT = re.compile(r"\b(?:at|around)\s(?:about\s)?$", re.IGNORECASE)
_CASE = re.compile(r",? (?:unless|if|when|provided|because|since|as long as)\b.*$", re.IGNORECASE | re.DOTALL)
"""What a claim says beside its case."""
_UNTIL = re.compile(r"\b(?:before|until|till)\s$", re.IGNORECASE)
_FROM = re.compile(r"\b(?:after|from)\s$", re.IGNORECASE)
_ASIDE = re.compile(r",? (?:or|and)? ?(?:unless|if|when|provided|because|since)\b.*$", re.IGNORECASE | re.DOTALL)
"""What a rule sets beside its hours: "or when no bus runs"."""
_OTHER = word_set("only except latest earliest opens open closes close starts start begins begin ends end arrive")
"""Words of a claim whose time is an end of hours itself."""


def clocked(a: Alignment) -> Bracketed | None:
    """Return what a sentence with hours says of the one time of day at which a claim puts its case."""
    words = a.claim.sentence.words[:LONGEST]
    if "at" not in glance(words) and "around" not in glance(words):
        return None
    stated = _CASE.sub("", words[behind_particle(words) :])
    found = values_in(stated)
    times = [each for each in found if each.single and each.opens is not None]
    marks = marks_of(stated)
    if len(times) != 1 or not _AT.search(stated[: times[0].start]) or not _OTHER.isdisjoint(glance(stated)):
        return None
    (time,) = times
    days = frozenset().union(*[each.days for each in found])
    taken = [(each.start, each.end) for each in found]
    named = [
        mark
        for mark in content(marks)
        if mark.text not in NEGATING and not any(start <= mark.start < end for start, end in taken)
    ]
    for each in near(a) if named else ():
        for part in each.words[:LONGEST].split(";"):
            hours = _hours(part)
            held = hits(named, keys_of_text(part))
            told = frozenset().union(*[value.days for value in values_in(part)])
            if not hours or held < HELD * len(named) or (days and told and not days <= told):
                continue
            inside = any(within(time.opens or 0.0, *span) for span in hours)
            allowed = inside != bool(negations(marks_of(_ASIDE.sub("", part))) % 2)
            if allowed != bool(negations(marks) % 2):
                return Bracketed(each.source, each.words)
            if held == len(named) >= LEAST:
                shown = stated[time.start : time.end], part.strip()
                return Bracketed(each.source, each.words, Difference("quantity", *shown, SURE))
            return None
    return None


def _hours(text: str) -> list[tuple[float, float]]:
    """Return the hours that a sentence tells, each from a minute of the day until another."""
    values = values_in(text)
    return [span for value in values if (span := _span(value, text)) is not None] if _of_day(values) else []


def _of_day(values: Sequence[DaysOrTimes]) -> bool:
    return any(value.opens is not None or value.closes is not None for value in values)


def _span(value: DaysOrTimes, text: str) -> tuple[float, float] | None:
    if value.opens is not None and value.closes is not None:
        return None if value.weekly or value.closes - value.opens >= DAY else (value.opens, value.closes)
    if not value.single or value.opens is None:
        return None
    before = text[: value.start]
    if _UNTIL.search(before):
        return 0.0, value.opens
    return (value.opens, DAY) if _FROM.search(before) else None


DAY = 24 * 60.0
