"""Figures of a claim over prose that its context neither has nor gives by arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, islice

from scorers.statements.quantities import Quantity, agrees, compare_quantities, quantities_of
from scorers.statements.quantities.answering import same_kind
from scorers.statements.quantities.worth import ABOUT, close, one_unit
from scorers.support.alignment import SEEN, Alignment
from scorers.support.cases import cases_in
from scorers.support.context import Context
from scorers.support.deriving import derived, told_of_named
from scorers.support.described import described_cases
from scorers.support.falling import dates_reckoned, other_dates, years_reckoned
from scorers.support.figures import UNITS, figures_of, seen
from scorers.support.instances import instances
from scorers.support.pricing import priced
from scorers.support.reckoning import reckoned
from scorers.support.repeated import is_repeated
from scorers.support.spans import spanned, spanned_cases
from scorers.support.worked import worked
from scorers.text.glance import glance
from scorers.text.normalize import FIGURE, SPELLED, terms, word_set

UNFOUNDED = 0.9
"""The probability that a claim with such a figure is unsupported.

Of 2,616 claims over prose that people left unmarked (RAGTruth, WiCE) .3 % have one, of 411 that they marked 21 %."""

_SAYS = {
    "#100": word_set("all full fully whole entire entirely complete completely everything every"),
    "#0": word_set("no none free nothing without never not zero waived"),
    "#24": word_set("clock always daily day night"),
    "#7": word_set("clock always daily day weekend weekends"),
    "#50": word_set("half"),
    "#25": word_set("quarter"),
    "#12": word_set("noon midday midnight"),
    "#1": word_set("first single"),
    "#2": word_set("second both twice double"),
    "#3": word_set("third thrice triple"),
}
"""What stands for a figure: 100 % is all, 0 EUR is free, the 1st is the first."""

_COUNTED = 12
"""Up to how many things a text is taken to let its reader count."""
_ITEM = re.compile(r"^[ \t]{0,12}(?:[-*+\u2022]|\d{1,2}[.)])[ \t]", re.MULTILINE)
_MEMBER = re.compile(r"[,;]|\b(?:and|or)\b")
_GROUPED = re.compile(r"(?<=\d)[ \u00a0().,/\u2011\u2013-]{1,3}(?=\d)")
_LONG = re.compile(r"\d{6,40}")
_MOST = 400
"""Sentences of a context that are looked through."""
_FEW = 4
_ASKED = 400
"""Characters of a question that figures are read of."""
"""Quantities of a whole context that are combined; those of the nearest sentences always are."""


def settle_figures(a: Alignment, before: Sequence[Quantity] = ()) -> None:
    """Count those figures of a claim over prose as there that its nearest sentences write otherwise.

    60 minutes are one hour. So is what the values of the things come to that it names; what only follows from some
    figures of the context is left unseen: much does by chance. ``before`` are values that the answer told already.
    """
    # What the question gives stands there: "5.2.2 is affected" of one that runs it.
    given = {
        term: 1.0 for term, share in a.match.items() if term[0] == "#" and share < SEEN and term in a.claim.question
    }
    a.match.update(given)
    missing = {term for term, share in a.match.items() if share < SEEN}
    if a.context.structured or (not missing and is_repeated(a)):
        return
    rated, a.rated, a.misrated = priced(a)
    a.derived = (*(each for each in derived(a) if each not in a.misrated), *reckoned(a), *dates_reckoned(a), *rated)
    a.cases = (*cases_in(a), *spanned_cases(a), *described_cases(a))
    if not missing:
        return
    claimed = quantities_of(a.claim.sentence.words)
    if not claimed and all(term[0] != "#" for term in missing) and _all_day(a.claim.sentence.words) is None:
        return
    if any(term[0] == "#" for term in missing):
        reached = worked(a, before)
        a.derived += reached
        a.misrated = tuple(each for each in a.misrated if each not in reached)
    window = [each for words in a.near_sentences for each in quantities_of(words)]
    same = [
        each
        for each in claimed
        if (
            _names_all(each, a) or _counts_items(each, a) or _in_smaller_unit(each, claimed, a)
            if each.dimension == "count"
            else any(_agrees_alone(each, other) for other in window) or (each.unit == "cent" and _is_sum_of(each, a))
        )
    ]
    there = _words_of((*same, *a.derived, *a.cases, *instances(a))).union(
        years_reckoned(a), _grouped(a), _whole_day(a), *(_clock(a, term) for term in missing if term[0] == "#")
    )
    said = {term for term in _unseen(a) if _is_said(a, term)}
    a.match.update({term: 1.0 for term in missing if term in there or term in said})
    if "#100" in said and "percent" in a.match:
        a.match["percent"] = 1.0


def has_unfounded_figure(a: Alignment) -> bool:
    """Return whether a claim has a figure that neither its context nor the question has, and that follows from nothing.

    Numerals of passages, steps and the like are none; what is written otherwise there, is a sum, a product or a share
    of what is told, or counts the members of a list, is founded.
    """
    if a.misrated or other_dates(a):
        return True
    supposed = frozenset(f"#{found['value']}" for found in _SUPPOSED.finditer(a.claim.sentence.words))
    unseen = {term for term in _unseen(a) if term not in supposed and not _is_said(a, term)}
    return bool(unseen) and not unseen <= _founded(a, unseen)


_SUPPOSED = re.compile(
    r"\b(?:say|e\.g\.|for (?:example|instance)),?\s(?:(?:about|around|at)\s)?[$\u20ac\u00a3]?(?P<value>\d{1,9})\b",
    re.IGNORECASE,
)
"""A figure that only gives an example: "raise it to, say, 5 minutes"."""


def only_spanned(a: Alignment) -> bool:
    """Return whether each figure of a claim that its context does not have is inside a range that it tells."""
    unseen = set(_unseen(a))
    return bool(unseen) and unseen <= _figures_of(spanned(a))


def _unseen(a: Alignment) -> list[str]:
    return [term for term in _told(a) if term not in a.claim.question and not seen(a, term)]


def _is_said(a: Alignment, term: str) -> bool:
    says = _SAYS.get(term)
    if says is None:
        return False
    if term == "#12" and any(each.match for each in a.context.find_each(_NOON).values()):
        return True
    if term == "#1" and any(_FROM_ONE.search(words) for words in a.near_sentences):
        return True
    return any(not says.isdisjoint(read.words) for read in a.near_reads)


_NOON = ("noon", "midday")
_FROM_ONE = re.compile(
    r"\bone\s?(?:to|or|through|up to|-|\u2013)\s?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen)",
    re.IGNORECASE,
)
"""Where "one" is a figure and no article: "one to three minutes"."""


def _clock(a: Alignment, term: str) -> set[str]:
    """Return a time of day where its hour stands in the nearest sentences: 15:00, three in the afternoon."""
    hour, colon, minute = term[1:].partition(":")
    if not hour.isdigit():
        return set()
    if colon:
        return {term} if minute == "00" and {f"#{int(hour)}", f"#{int(hour) % 12}"} & a.near else set()
    spoken = _OF_DAY.search(a.claim.sentence.words)
    if int(hour) > HOURS or spoken is None:
        return set()
    ends = ("00", "30") if _HALF_PAST.search(a.claim.sentence.words) else ("00",)
    hours = (int(hour), int(hour) + HOURS)
    written = (f"#{at}:{end}" for at in hours for end in ends)
    return {term} if any(each.match for each in a.context.find_each(written).values()) else set()


def _whole_day(a: Alignment) -> set[str]:
    """Return the words by which a claim says "around the clock" where a nearest sentence says so in others."""
    said = _all_day(a.claim.sentence.words)
    if said is None or all(_all_day(words) is None for words in a.near_sentences):
        return set()
    return set(terms(said.group()).items)


def _all_day(words: str) -> re.Match[str] | None:
    """Return where a sentence says "around the clock"; most have no word of that."""
    return None if words.isascii() and _DAYS.isdisjoint(glance(words)) else _ALL_DAY.search(words)


_DAYS = word_set("24 around hour hours night round time times")
_ALL_DAY = re.compile(
    r"\b(?:a?round the clock|24/7|24 hours(?: a day)?|day (?:and|or) night|night and day"
    r"|(?:at )?(?:any|all) (?:hours?|times?)(?:, day (?:and|or) night)?|(?:every )?hour of the day)(?!\w)",
    re.IGNORECASE,
)
HOURS = 12
_OF_DAY = re.compile(
    r"\b(?:past|morning|noon|afternoon|evening|night|o'clock|until|till|from|at|before|after|by|between)\b"
    r"|\d{1,2} ?(?:to|-|\u2013) ?\d{1,2}\b",
    re.IGNORECASE,
)
"""What tells that a number may be an hour."""
_HALF_PAST = re.compile(r"\bhalf past\b", re.IGNORECASE)


def _words_of(quantities: Iterable[Quantity]) -> set[str]:
    """Return the terms of quantities with their units, but for the year of a date."""
    return {
        term
        for each in quantities
        for term in terms(each.written).items
        if each.dimension != "date" or not _is_year(term)
    }


def _figures_of(quantities: Iterable[Quantity]) -> set[str]:
    """Return the figures of quantities, but for the year of a date: "5 May 2015" is "5 May"."""
    return {
        term
        for each in quantities
        for term in terms(each.written).items
        if each.dimension != "date" or not _is_year(term)
    }


def _told(a: Alignment) -> list[str]:
    """Return the figures of a claim, those in letters where they measure something."""
    items, marks = a.claim.terms.items, a.claim.terms.marks
    spelled = [
        items[at]
        for at, mark in enumerate(marks)
        if mark & FIGURE and mark & SPELLED and at + 1 < len(items) and items[at + 1] in UNITS
    ]
    own = figures_of(a)
    numbered = {at for at, mark in enumerate(marks) if mark & FIGURE and not mark & SPELLED}.difference(own)
    # "Steps 7 and 8", "pages 1-3": what stands right behind such a numeral is one, too.
    return [*(items[at] for at in own if at - 1 not in numbered), *spelled]


def _founded(a: Alignment, figures: set[str]) -> set[str]:
    """Return those figures of a claim that its context has in another writing, or that follow from what it tells."""
    founded = _grouped(a) & figures
    claimed = quantities_of(a.claim.sentence.words)
    window = tuple(chain.from_iterable(map(quantities_of, a.near_sentences)))
    for quantity in claimed:
        own = _figures_of((quantity,)) & figures
        # The whole context is read only for what nothing nearer founds.
        if not own <= founded and (
            _agrees(quantity, window)
            or _agrees(quantity, (*window[:_FEW], *quantities_of(a.claim.asked[:_ASKED])[:_FEW]))
            or _counts(quantity, a)
            or any(_converts(quantity, other) for other in claimed)
            or _is_multiple(quantity, window, a)
            or _in_smaller_unit(quantity, claimed, a)
            or _told_somewhere(quantity, a)
        ):
            founded |= own
    return founded


def _in_smaller_unit(quantity: Quantity, claimed: Sequence[Quantity], a: Alignment) -> bool:
    """Tell whether a number alone is a time of the claim or its question in a unit that is named: 30 s are 30000."""
    if quantity.unit or quantity.dimension != "count":
        return False
    units = {factor for name, factor in _SMALLER.items() if any(name in words.lower() for words in a.near_sentences)}
    times = [each for each in (*claimed, *quantities_of(a.claim.asked[:_ASKED])) if each.dimension == "time"]
    return any(close(quantity.amount, each.value * factor) for each in times for factor in units)


_SMALLER = {"millisecond": 1000.0, "second": 1.0, "minute": 1 / 60}


def _told_somewhere(quantity: Quantity, a: Alignment) -> bool:
    """Tell whether a sentence of the context agrees with a quantity, or all of a context with a few quantities."""
    every = a.context.once(_figures_told)
    if any(_agrees_alone(quantity, other) or _one_sum(quantity, other) for other in every):
        return True
    return len(every) <= _FEW and _agrees(quantity, every)


def _is_multiple(quantity: Quantity, window: Sequence[Quantity], a: Alignment) -> bool:
    """Tell whether a value is the half or the double of one beside which the nearest sentences say so."""
    said = frozenset[str]().union(*[read.words for read in a.near_reads])
    factors = [factor for factor, words in _MULTIPLES if not words.isdisjoint(said)]
    return any(
        same_kind(quantity, each) and close(quantity.value, factor * each.value)
        for factor in factors
        for each in window
    )


_MULTIPLES = ((0.5, word_set("half halved")), (2.0, word_set("double doubled twice")))


def _is_sum_of(cents: Quantity, a: Alignment) -> bool:
    """Tell whether the context writes a sum in cents as a part of its currency: 25 cents are 0.25 EUR."""
    return any(_one_sum(cents, other) for other in a.context.once(_figures_told))


def _one_sum(one: Quantity, other: Quantity) -> bool:
    """Tell whether two are one sum of money, whatever each is paid for: 45 cents each, 0.45 EUR per item."""
    return one.dimension == other.dimension == "money" and one_unit(one, other) and close(one.value, other.value)


def _figures_told(context: Context) -> tuple[Quantity, ...]:
    sentences = islice((each.words for source in context.sources for each in source.sentences), _MOST)
    return tuple(chain.from_iterable(map(quantities_of, sentences)))


def _agrees(quantity: Quantity, told: Sequence[Quantity]) -> bool:
    if any(_is_end(quantity, each) for each in told):
        return True
    return bool(told) and compare_quantities((quantity,), told)[0].outcome == "agrees"


def _agrees_alone(quantity: Quantity, told: Quantity) -> bool:
    return agrees(quantity, told) or _is_end(quantity, told)


def _is_end(quantity: Quantity, told: Quantity) -> bool:
    """Tell whether a value is an end of a range, or a measure under another bound: statements tell if that is right."""
    if told.dimension != quantity.dimension or told.rate != quantity.rate:
        return False
    return (told.upper is not None and close(quantity.value, told.upper)) or (
        quantity.dimension in _PHYSICAL and close(quantity.value, told.value)
    )


def _converts(one: Quantity, other: Quantity) -> bool:
    """Tell whether a claim gives one quantity in two units, rounded: 400 degrees Fahrenheit (200 Celsius)."""
    alike = one.dimension == other.dimension and one.dimension in _PHYSICAL and one.unit != other.unit
    return alike and close(one.value, other.value, ABOUT)


_PHYSICAL = frozenset({"temperature", "mass", "length", "area", "volume", "data", "time"})


def _names_all(quantity: Quantity, a: Alignment) -> bool:
    """Tell whether a claim names as many things behind a colon as a number before it says: "3 papers: a, b and c"."""
    _, colon, listed = a.claim.sentence.words[quantity.end :].partition(":")
    return bool(colon) and len(_MEMBER.findall(listed)) + 1 == quantity.amount > 1


def _counts_items(quantity: Quantity, a: Alignment) -> bool:
    """Tell whether a number alone counts the items of the one list of a context: "the lowest of the three"."""
    listed = [len(_ITEM.findall(source.text)) for source in a.context.sources]
    return not quantity.unit and [each for each in listed if each] == [quantity.amount] and told_of_named(a)


def _counts(quantity: Quantity, a: Alignment) -> bool:
    """Tell whether a number counts the items of a list, or the members of one in the claim or a nearest sentence."""
    if quantity.dimension != "count" or not 1 < quantity.amount <= _COUNTED:
        return False
    if any(len(_ITEM.findall(source.text)) == quantity.amount for source in a.context.sources):
        return True
    listed = [len(_MEMBER.findall(text)) + 1 for text in (a.claim.sentence.words, *a.near_sentences)]
    return any(quantity.amount <= members <= quantity.amount + 1 for members in listed if members > 1)


def _grouped(a: Alignment) -> set[str]:
    """Return the figures of long numbers that the context groups otherwise: 0800 123 456 is 0800-123456."""
    longest = {number for number in _LONG.findall(_GROUPED.sub("", a.claim.sentence.words)) if number}
    if not longest:
        return set()
    there = [_GROUPED.sub("", source.text) for source in a.context.sources]
    kept = [number for number in longest if any(number in text for text in there)]
    return {term for term in _told(a) if any(term[1:] in number for number in kept)}


def _is_year(term: str) -> bool:
    return len(term) == 5 and term[1:].isdigit()  # noqa: PLR2004 - a mark and four digits
