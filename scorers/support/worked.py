"""Values of a claim that an answer works out: 10 % of "my balance of 180,000", "so 110 EUR in total" of 60 and 50.

What a rule comes to in the case of a question stands in no context. At least one of the values that it is reckoned from
is the asker's or was told before in the same answer, where it was judged; the other one the context tells, or the claim
itself. A sum, a product or a quotient has to be spoken of as one, and its parts have to be told or worked out, too: an
invented price and an invented number found nothing between them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.rates import SECONDS
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import CALENDAR, close
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.equations import Equation, equations_in
from scorers.support.falling import day_of
from scorers.support.figures import seen
from scorers.text.normalize import terms
from scorers.text.stemming import stem

ROUNDED = 0.005
"""By what share a value may be rounded."""
MOST_BEFORE = 24
"""Values of an answer that are remembered."""

_MEASURED = frozenset({"money", "time", "working time", "mass", "length", "area", "volume", "data", "count"})
_APART = re.compile(
    r"\b(?:left|remain\w*|rest|others?|above|over|beyond|exce(?:ss|ed\w*)|extra|additional(?:ly)?|more|less|fewer|short"
    r"|differ\w*|minus|after|still|another|to go)\b",
    re.IGNORECASE,
)
"""What speaks of the difference of two values."""
_REDUCED = re.compile(
    r"\b(?:discount\w*|off|less|reduc\w+|rebate|fees?|charges?|surcharge|tax|vat|plus|after|so|comes? to|i\.e)\b",
    re.IGNORECASE,
)
"""What speaks of a share that is taken of a value, or added to it."""
MOST_SUMMED, MOST_ADDED, MOST_FACTORS = 6, 4, 10
"""Values of one kind that are added up, how many of them at once, and numbers that values are taken by."""

_WORKED_OUT = re.compile(
    r"\b(?:total\w*|altogether|together|in all|overall|combined|sum|adds? up|comes? to|make[sd]?|making|so|i\.e|means?"
    r"|meaning|each|apiece|therefore|thus|hence|works? out|amounts? to|which is|leav(?:es|ing)|equals?|that['\u2019]s"
    r"|that is|that would be|(?:you|they|it|that|we|he|she)(?:['\u2019]d| would))(?!\w)|[=\u2248]",
    re.IGNORECASE,
)
"""What an answer says of a value that it works out."""
_TWICE = re.compile(r"\b(?:round[ -]?trips?|return (?:trip|journey|flight)|both ways|there and back)\b", re.IGNORECASE)
_NEEDED = re.compile(r"\b(?:need|needs|have to|has to|must|buy|order|take|takes|require)\b", re.IGNORECASE)
_PERIODS = ("hour", "day", "week", "month", "year")


def worked(a: Alignment, before: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """Return those values of a claim that are reckoned from those of its question, or of the answer ``before`` it."""
    words, asked = a.claim.sentence.words[:LONGEST], quantities_in(a.claim.asked[:LONGEST], "en")
    claimed = quantities_in(words, "en")
    if not claimed or not (asked or before or len(claimed) > 1):
        return ()
    holding = [each for each in equations_in(words) if each.holds]
    found = [each for each in claimed if any(_is_of(each, equation, words) for equation in holding)]
    measured = [each for each in claimed if each.dimension in _MEASURED]
    for _ in range(MOST_STEPS):
        founded = [each for each in claimed if each in found or _is_told(each, a)]
        reached = [
            each
            for each in measured
            if each not in found and _follows(each, words, (claimed, founded, asked, before), a)
        ]
        found += reached
        if not reached:
            break
    return tuple(found)


MOST_STEPS = 3
"""How often values that were worked out are taken for others: months from two dates, and a sum from the months."""


def _is_of(claimed: Quantity, equation: Equation, words: str) -> bool:
    """Tell whether a value is the result of an equation, or what it takes a period by: 1,200 / 12 = 100 a month."""
    if claimed.start <= equation.start < claimed.end:
        return True
    by_period = claimed.dimension == "count" and claimed.amount in _OF_PERIODS and _PERIOD.search(words) is not None
    return by_period and equation.begin <= claimed.start < equation.start


_OF_PERIODS = frozenset({7.0, 12.0, 24.0, 52.0, 60.0, 365.0})
"""How many of one period the next longer one has."""
_PERIOD = re.compile(rf"\b(?:{'|'.join(_PERIODS)}|minute|second)s?(?:ly)?\b|\bannual|\bdaily\b", re.IGNORECASE)


def _is_told(claimed: Quantity, a: Alignment) -> bool:
    """Tell whether the context or the question has all figures of a value."""
    figures = [term for term in terms(claimed.written).items if term[0] == "#"]
    return all((term in a.match and seen(a, term)) or term in a.claim.question for term in figures)


def _follows(claimed: Quantity, words: str, known: tuple[Sequence[Quantity], ...], a: Alignment) -> bool:
    """Tell whether a value follows from the others of its claim, those founded so far, the asked, or those before."""
    own, founded, asked, before = known
    rest = [each for each in own if each is not claimed]
    reckoned = chain(
        _shares(claimed, words, (*asked, *before, *rest), a),
        _differences(claimed, words, [each for each in asked if _alike(each, claimed)], (*before, *rest), a),
        _worked_out(claimed, words, (*(each for each in rest if each in founded), *reversed(before), *asked)),
        _counted(claimed, words, (*rest, *asked), a),
    )
    return any(close(_own(claimed), value, ROUNDED) for value in reckoned) or _lies_between(claimed, (*own, *asked))


def _lies_between(claimed: Quantity, given: Sequence[Quantity]) -> bool:
    """Tell whether a time is that between two days of the claim and its question: eight months from 1 May on."""
    if claimed.dimension != "time" or claimed.value < SECONDS["day"]:
        return False
    days = list(dict.fromkeys(at for each in given if each.dimension == "date" and (at := day_of(each)) is not None))
    apart = (abs(one - other) + whole for one, other in combinations(days[:MOST_SUMMED], 2) for whole in (0, 1))
    share = CALENDAR if claimed.unit in _OF_CALENDAR else ROUNDED
    return any(close(claimed.value, by * SECONDS["day"], share) for by in apart)


_OF_CALENDAR = frozenset({"month", "quarter", "year"})


def _worked_out(claimed: Quantity, words: str, given: Sequence[Quantity]) -> Iterator[float]:
    """Yield the sums of values of the asker and the answer, and what they come to so many times, where it says so."""
    if _WORKED_OUT.search(words) is None:
        return
    money = claimed.dimension == "money"
    alike = [_own(each) for each in given if _alike(each, claimed) or (money and _without_unit(each))][:MOST_SUMMED]
    for count in range(2, MOST_ADDED + 1):
        yield from map(sum, combinations(alike, count))
    if _APART.search(words) is not None:
        yield from (abs(one - other) for one, other in combinations(alike, 2))
    if claimed.unit == "month":
        yield from (SECONDS["year"] - value for value in alike)  # two months of a year are free
    if _TWICE.search(words) is not None:
        yield from (2 * value for value in alike)
    for factor in _factors(claimed, given):
        yield from (value * factor for value in alike)
        yield from (value / factor for value in alike)


def _without_unit(each: Quantity) -> bool:
    """Tell whether a number has no unit: "net rent is 900"."""
    return each.dimension == "count" and not each.unit and each.upper is None


def _factors(claimed: Quantity, given: Sequence[Quantity]) -> Iterator[float]:
    """Yield by what values are taken: how many, how long, and how often the one period goes into the other."""
    numbers = (each.amount for each in given if each.dimension in _FACTORS and each.amount > 1)
    yield from list(dict.fromkeys(numbers))[:MOST_FACTORS]
    if claimed.rate in SECONDS:
        yield from (
            round(SECONDS[claimed.rate] / SECONDS[each.rate], 2)
            for each in given
            if each.rate in SECONDS and each.rate != claimed.rate
        )


_FACTORS = frozenset({"count", "time", "working time"})


def _counted(claimed: Quantity, words: str, given: Sequence[Quantity], a: Alignment) -> Iterator[float]:
    """Yield how many of something a time takes that needs one a day, and how many packs hold so many."""
    needed = _NEEDED.search(words) is not None
    if claimed.dimension != "count" or not (needed or _WORKED_OUT.search(words)):
        return
    named = [each for each in _PERIODS if any(stem(each) in source.words for source in a.context.sources)]
    for each in given:
        if each.dimension == "time":
            yield from (round(each.value / SECONDS[period]) for period in named if each.unit != period)
    if not needed:
        return
    packs = [each.amount for each in _told(a) if each.dimension == "count" and each.amount > 1]
    for each in given:
        if each.dimension == "count":
            yield from (float(math.ceil(each.amount / pack)) for pack in packs)


def _told(a: Alignment) -> list[Quantity]:
    """Return the values of a context, which is read for them where something may follow from one."""
    return [each.quantity for each in a.context.values.values]


def _own(value: Quantity) -> float:
    return value.amount if value.dimension == "count" else value.value


def _alike(one: Quantity, other: Quantity) -> bool:
    """Tell whether two values are of one kind; a bare number is of any."""
    if one.dimension != other.dimension:
        return False
    return one.dimension not in ("money", "count") or one.unit == other.unit or "" in (one.unit, other.unit)


def _differences(
    claimed: Quantity, words: str, asked: Sequence[Quantity], others: Sequence[Quantity], a: Alignment
) -> Iterator[float]:
    """Yield what is left of the asker's values, and what they exceed others by, where a claim speaks of that."""
    if not asked or _APART.search(words) is None:
        return
    others = (*others, *_told(a))
    for own in asked:
        for other in others:
            if _alike(other, claimed):
                yield abs(_own(own) - _own(other))
            elif other.dimension == "count" and not other.unit and own.amount:  # "the 6 hours above 40"
                yield abs(own.amount - other.amount) * _own(own) / own.amount


def _shares(claimed: Quantity, words: str, given: Sequence[Quantity], a: Alignment) -> Iterator[float]:
    """Yield the shares of values that a rule takes, and what remains or comes on top."""
    reduced = _REDUCED.search(words) is not None
    if not reduced and not any(_alike(value, claimed) for value in given):
        return
    told = _told(a)
    shares = {each.value / 100 for each in (*given, *told) if each.dimension == "percent"}
    if not shares:
        return
    of_rules = told if reduced else ()
    for value in (*given, *of_rules):
        if _alike(value, claimed):
            for share in shares:
                yield from (_own(value) * share, _own(value) * (1 - share), _own(value) * (1 + share))
                if share and value in given:
                    yield _own(value) / share  # "so 200 dollars cost 3 more"
